#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Counts CPU 0 while this runs a loop there, an interval each 100 ms."""
import os
import sys
import time

import barepmu

os.sched_setaffinity(0, {0})
try:
    with barepmu.Live("0", events=["instructions:u"], metrics=["IPC"], interval=0.1) as live:
        end = time.monotonic() + 0.5
        while time.monotonic() < end:
            pass
        live.stop()
        for interval in live:
            print(f"{interval.seconds:.1f} s: {interval['instructions:u'].value:.0f} "
                  f"instructions, IPC {interval['IPC'].value:.2f}")
except barepmu.Error as error:
    sys.exit(str(error))
