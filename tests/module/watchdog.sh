#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The NMI watchdog takes a counter on each CPU: refused, with the remedy.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

watchdog=/proc/sys/kernel/nmi_watchdog

begin
load
grep -q 1 $watchdog 2>/dev/null || skip_all "the NMI watchdog is off"
ktap_set_plan 4
run barepmu stat true
result "while the watchdog runs we are refused" \
	refused "perf or the NMI watchdog holds the counters"
result "with the remedy" grep -q "echo 0 > $watchdog" "$err"
run barepmu check
result "check says so too" grep -q '^FAIL  NMI watchdog' "$out"
echo 0 >$watchdog
run barepmu stat true
result "without it we count" [ "$status" -eq 0 ]
unload
ktap_finished
