#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A user is told how to get the counter that the NMI watchdog has on each CPU: a session is
# refused, and the error has the remedy.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

watchdog=/proc/sys/kernel/nmi_watchdog

begin
load
grep -q 1 $watchdog 2>/dev/null || skip_all "the NMI watchdog is off"
run barepmu stat true
result "stat is refused while the NMI watchdog runs" \
	refused "perf or the NMI watchdog holds the counters"
result "the error has the command that disables the watchdog" grep -q "echo 0 > $watchdog" "$err"
run barepmu check
result "check has a FAIL line for the NMI watchdog" grep -q '^FAIL  NMI watchdog' "$out"
echo 0 >$watchdog
run barepmu stat true
result "stat counts without the NMI watchdog" [ "$status" -eq 0 ]
unload
finish
