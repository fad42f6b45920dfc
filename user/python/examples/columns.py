#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Prints metrics of a recording, a column each, as CSV, and plots them with their 95 %
intervals if python3-matplotlib is installed: columns.py FILE METRIC... [PICTURE.png]"""
import csv
import sys

import barepmu


def plot(table, picture):
    try:
        import matplotlib
    except ImportError:
        sys.exit(f"{picture}: not written; install python3-matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(len(table), sharex=True, squeeze=False)
    for (name, column), (one,) in zip(table.items(), axes):
        low = [v - h for v, h in zip(column.value, column.half_width)]
        high = [v + h for v, h in zip(column.value, column.half_width)]
        one.plot(table.seconds, column.value)
        one.fill_between(table.seconds, low, high, alpha=0.3)
        one.set_ylabel(name)
    axes[-1, 0].set_xlabel("seconds")
    figure.savefig(picture)


path, *metrics = sys.argv[1:]
picture = metrics.pop() if metrics and metrics[-1].endswith(".png") else None
try:
    with barepmu.Recording(path, metrics=metrics, interval=0.1) as recording:
        table = recording.columns()
except barepmu.Error as error:
    sys.exit(str(error))
rows = csv.writer(sys.stdout, lineterminator="\n")
rows.writerow(["seconds", *table])
rows.writerows(zip(table.seconds, *(column.value for column in table.values())))
if picture:
    plot(table, picture)
