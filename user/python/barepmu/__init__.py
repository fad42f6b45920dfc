# SPDX-License-Identifier: GPL-2.0
"""Counts and metrics of whole CPUs, live or from a recording, by libbarepmu(3).

    import barepmu

    with barepmu.Recording("run", metrics=["IPC"], interval=0.1) as recording:
        table = recording.columns()
    print(table.seconds, table["IPC"].value, table["IPC"].half_width)

    with barepmu.Live("0-3", events=["instructions:u"], interval=0.1) as live:
        for interval in live:
            print(interval.seconds, interval["instructions:u"].value)

barepmu-python(3) describes the package.
"""
from .handle import Live, Recording, evaluate
from .library import Error, Flag, version
from .table import Column, Interval, Table, Value

__all__ = ["Column", "Error", "Flag", "Interval", "Live", "Recording", "Table", "Value",
           "evaluate", "version"]
