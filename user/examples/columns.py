#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Prints metrics of a recording, a line of values each: columns.py FILE METRIC...
The first line has the ends of the 100 ms intervals, in seconds. Needs python3-cffi."""
import re
import subprocess
import sys
from cffi import FFI

folder = subprocess.check_output(["pkg-config", "--variable=includedir", "barepmu"],
                                 text=True).strip()
header = open(folder + "/barepmu.h").read()
ffi = FFI()
ffi.cdef(re.sub(r"#ifdef __cplusplus.*?#endif|^#.*?$", "", header, flags=re.M | re.S))
lib = ffi.dlopen("libbarepmu.so.0")


def checked(code, err):
    return code if code >= 0 else sys.exit(ffi.string(err.text).decode())


def columns(path, metrics):
    err, handle = ffi.new("struct barepmu_error *"), ffi.new("struct barepmu **")
    checked(lib.barepmu_open_recording(handle, path.encode(), ffi.NULL, err), err)
    b = ffi.gc(handle[0], lib.barepmu_close)
    numbers = [checked(lib.barepmu_add_metric(b, m.encode(), err), err) for m in metrics]
    checked(lib.barepmu_start(b, 100000000, err), err)
    table = {"seconds": [], **{m: [] for m in metrics}}
    interval, value = ffi.new("struct barepmu_interval *"), ffi.new("struct barepmu_value *")
    while checked(lib.barepmu_read(b, interval, err), err):
        table["seconds"].append(interval.seconds)
        for metric, number in zip(metrics, numbers):
            lib.barepmu_metric(b, number, value)
            table[metric].append(value.value if value.known else None)
    return table


for name, column in columns(sys.argv[1], sys.argv[2:]).items():
    print(name, *column)
