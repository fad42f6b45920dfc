#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A user is told, by every output, if another agent clears IA32_PERF_GLOBAL_CTRL in the middle of
# a run, and on which CPU.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

file=/tmp/recording
clean=/tmp/recording.clean
page=/tmp/page.html
line="disturbed: another agent wrote counter registers of CPU $(last_cpu) between"

# Waits for four samples of the last CPU at the module's tracepoint, so that there are whole
# intervals before and after the disturbance even on a slow machine.
tracing=/sys/kernel/debug/tracing
samples=$tracing/per_cpu/cpu$(last_cpu)/trace_pipe
wait="grep -m 4 bpmu_sample $samples >/dev/null"

# disturbed TOOL COMMAND...: runs TOOL, and stops the last CPU's counters in the middle
disturbed()
{
	echo >$tracing/trace
	run "$@" sh -c "$wait; '$here/disturb' $(last_cpu) 0x38f 0; $wait"
	cat "$err" >>"$out"
}

says()
{
	grep -q -e "$1" "$out"
}

# flagged PATTERN: checks that a line that matches PATTERN has the flag "disturbed"
flagged()
{
	grep -e "$1" "$out" | grep -q disturbed
}

begin
load
[ "$(part)" = ivb ] || skip_all "the register is that of Ivy Bridge"
modprobe msr || skip_all "there is no msr device"
echo 1 >$tracing/events/barepmu/bpmu_sample/enable

disturbed barepmu stat -I 100 -A -e instructions,branches
result "stat: the row of the interval is flagged" \
	flagged " CPU$(last_cpu) .*instructions.*(disturbed)"
result "stat: a line names the CPU and the time" says "  $line [0-9.]* and [0-9.]* s:"
result "stat: rows before the disturbance are not flagged" \
	sh -c "grep -v disturbed '$out' | grep -q 'instructions'"
disturbed barepmu stat -x, -I 100 -A -e instructions
result "stat CSV: the row of the last CPU has the flag" \
	says "^[0-9.]*,$(last_cpu),instructions,.*,count,disturbed,"
result "stat CSV: other rows have no flag" says ',instructions,.*,count,,'
disturbed barepmu stat -j -I 100 -e instructions -M Retiring
result "stat JSON: the count has the flag" says '"type":"count".*"flags":\["disturbed"\]'
result "stat JSON: the metric has the flag" says '"type":"metric".*"flags":\[.*"disturbed"'
result "stat JSON: an object names the CPU" \
	says "\"type\":\"flaw\",\"flaw\":\"disturbed\",\"cpus\":\"$(last_cpu)\""
result "stat JSON: the record of the end has the flag" says '"type":"end".*"disturbed":true'
disturbed barepmu topdown -l 2
result "topdown: values are flagged" flagged ' Retiring .*disturbed'
result "topdown: a line names the CPU" says "^$line"
disturbed barepmu topdown --drill -x, -I 100
result "topdown --drill CSV: values are flagged" flagged ',Retiring,.*disturbed'
disturbed barepmu cpistack -x,
result "cpistack CSV: components are flagged" flagged ',base,.*,disturbed,,'
disturbed barepmu record -I 10 -e instructions,cycles -o $file
result "record names the CPU at its end" says "^barepmu: record: $line"
run barepmu report $file
result "report names the CPU" says "$line"
run barepmu report --by cpu -x, $file
result "report --by: the row is flagged" \
	says "^[^,]*,$(last_cpu),.*instructions,.*,count,disturbed,"
barepmu record -I 10 -e instructions,cycles -o $clean -- sh -c "$wait; $wait"
run barepmu report --diff $clean $file
result "report --diff names the CPU and the file" says "  after: $line"
run barepmu report --html $page $file
run grep -o '"flaws": *\[[^]]*\]' $page
result "report --html: disturbed intervals have the flag, others do not" \
	sh -c "grep disturbed '$out' | grep -q '\"\"'"
rm -f $file $clean $page
unload
finish
