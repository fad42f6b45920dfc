#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Columns of a recording: columns.py FILE METRIC...; needs python3-cffi."""
import re
import subprocess
import sys

from cffi import FFI

path = subprocess.check_output(["pkg-config", "--variable=includedir", "barepmu"],
                               text=True).strip()
header = open(path + "/barepmu.h").read()
ffi = FFI()
ffi.cdef(re.sub(r"#ifdef __cplusplus.*?#endif|^#.*?$", "", header, flags=re.M | re.S))
lib = ffi.dlopen("libbarepmu.so.0")


def checked(code, err):
    return code if code >= 0 else sys.exit(ffi.string(err.text).decode())


def columns(name, metrics):
    err, to = ffi.new("struct barepmu_error *"), ffi.new("struct barepmu **")
    checked(lib.barepmu_open_recording(to, name.encode(), ffi.NULL, err), err)
    numbers = [checked(lib.barepmu_add_metric(to[0], m.encode(), err), err)
               for m in metrics]
    checked(lib.barepmu_start(to[0], 100000000, err), err)
    found = {"seconds": [], **{m: [] for m in metrics}}
    interval = ffi.new("struct barepmu_interval *")
    value = ffi.new("struct barepmu_value *")
    while checked(lib.barepmu_read(to[0], interval, err), err):
        found["seconds"].append(interval.seconds)
        for metric, number in zip(metrics, numbers):
            lib.barepmu_metric(to[0], number, value)
            found[metric].append(value.value if value.known else None)
    return found


for name, column in columns(sys.argv[1], sys.argv[2:]).items():
    print(name, *column)
