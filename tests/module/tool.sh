#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A user who calls the tool with the module loaded, rightly or wrongly, gets what the manual
# says: counts, or an error that names what to write, with its exit status.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

begin
load
[ "$(part)" = ivb ] || skip_all "the events are those of Ivy Bridge"

run barepmu stat -e UOPS_ISUED.ANY true
result "an unknown event is refused" refused "not known"
result "the error names the most similar event" grep -q 'UOPS_ISSUED.ANY' "$err"
run barepmu stat -e r1000c0 true
result "INT in a raw event is refused by name" refused "INT"
run barepmu stat -e r0800c0 true
result "pin control is refused by name" refused "PC"
run barepmu stat -e 'INST_RETIRED.ANY:[>=2]' true
result "a counter mask on a fixed counter is refused" [ "$status" -ne 0 ]
two=CYCLE_ACTIVITY.STALLS_L1D_PENDING,L1D_PEND_MISS.PENDING
run barepmu stat --no-multiplex -e $two true
result "two events for one counter are refused" refused "counter 2"
result "the error names both events" grep -q 'STALLS_L1D_PENDING' "$err"
run barepmu stat --no-multiplex -e r0e,r1c2,r2c2,r1b1,r2b1 true
result "--no-multiplex: more events than counters are refused" \
	refused "5 events need general counters"
run barepmu stat -e r0e,r1c2,r2c2,r1b1,r2b1 sleep 0.1
result "more events than counters are multiplexed, with the share of time" grep -q "% of the time)" "$err"
run barepmu stat -x, -e instructions,r0e,r1c2,r2c2,r1b1,r2b1 sleep 0.1
result "instructions are in all groups, and exact" grep -qE '^,[^,]*,"?instructions"?,[1-9][0-9]*,events,100.00,0,,' "$err"
run barepmu stat -C 0,99 true
result "an absent CPU is refused by number" \
	refused "CPU 99 is absent or offline"
run barepmu stat -C 0-,1 true
result "a malformed CPU list is refused" refused "not understood"
run barepmu stat -I 50us true
result "an interval below 0.1 ms is refused" refused "too short"
run barepmu stat -I 300s true
result "an interval in which a counter could wrap twice is refused" \
	refused "a counter could wrap twice in that time; the longest here is"
longest=$(sed -n 's/.*the longest here is \([0-9]*\) ms.*/\1/p' "$err")
run barepmu stat -I "${longest:-1}" true
result "the longest interval of the error is accepted" [ "$status" -eq 0 ]
run barepmu stat -x, -e instructions,branches -M Retiring true
result "-e with -M: an event has the name given with -e" [ "$(counted instructions)" -gt 0 ]
run barepmu stat -x, -M Retiring true
result "-M alone: an event has the name in the metric's formula" \
	[ -n "$(counted CPU_CLK_UNHALTED.THREAD)" ]
run barepmu stat -x, --metric-only -M Retiring true
result "--metric-only prints no events" [ -z "$(counted CPU_CLK_UNHALTED.THREAD)" ]
run barepmu stat -x, -e '{instructions,cycles}:u,ICACHE.*' true
result "a modifier after braces applies to the events within" [ "$(counted instructions:u)" -gt 0 ]
result "a glob selects events" [ -n "$(counted ICACHE.MISSES)" ]
rm -f "$err.pre"
run barepmu stat -r 2 --pre "echo >>$err.pre" --post "echo >>$err.pre" true
result "--pre and --post run before and after each of two runs" [ "$(wc -l <"$err.pre")" -eq 4 ]
result "-r: the default metrics have means" grep -qE " IPC +instructions/clock" "$err"
run barepmu stat --pre false touch "$err.run"
result "a --pre command that fails ends stat" refused "--pre 'false': ended with status 1"
run barepmu stat true
result "default output: IPC" \
	grep -q "# IPC" "$err"
result "default output: utilization of the CPUs" grep -q "# CPUs_Used" "$err"
result "default output: usual events" grep -q "  branch-misses" "$err"
run barepmu stat -x, true
result "default output of -x: IPC" grep -q ",IPC," "$err"
run barepmu stat -x, -l 1 true
result "stat -l: level 1 of Top-Down as metrics" grep -q ",Frontend_Bound," "$err"
run barepmu stat -x, -l 1 --method tma true
result "stat -l --method tma: level 1 of Intel's tree" grep -q ",tma_frontend_bound," "$err"
run barepmu topdown -g TopdownL1 true
result "topdown -g: a group" grep -q Frontend_Bound "$err"
run barepmu record -o "$err.rec" true
result "record prints the number of samples and how to report them" \
	grep -q "samples to $err.rec (.*); barepmu report $err.rec" "$err"
run barepmu stat -D 1h true
result "-D: a command that ends before the delay ends the run" [ "$status" -eq 0 ]
# shellcheck disable=SC2016
busy='i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done; sleep 1000'
run barepmu stat -x, -e instructions:u --timeout 5s sh -c "$busy"
whole=$(counted instructions:u)
run barepmu stat -x, -e instructions:u -D 4s --timeout 1s sh -c "$busy"
result "-D: events before the end of the delay are not counted" \
	[ "$(counted instructions:u)" -lt $((whole / 2)) ]
run barepmu topdown -l 9 true
result "a level that does not exist is refused" refused "these metrics have levels 1 to 4"
run barepmu nonsense
result "an unknown subcommand is wrong usage" [ "$status" -eq 2 ]

run barepmu stat sh -c 'exit 7'
result "stat exits with the status of its command" [ "$status" -eq 7 ]
run barepmu stat /nonexistent
result "a command that does not exist: exit status 127" [ "$status" -eq 127 ]
run barepmu stat /etc/passwd
result "a command that cannot be executed: exit status 126" [ "$status" -eq 126 ]
run asnobody barepmu stat true
result "a user without CAP_PERFMON is refused" refused "CAP_PERFMON"
run asnobody barepmu info
result "info works without CAP_PERFMON" [ "$status" -eq 0 ]
name="the static binary counts"
if command -v barepmu-static >/dev/null; then
	run barepmu-static stat -x, -e instructions true
	result "$name" [ "$(counted instructions)" -gt 0 ]
else
	skip "$name" "barepmu-static is not installed"
fi
unload
finish
