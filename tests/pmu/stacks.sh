#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A user who asks by whom a function is called is told by call stacks: of a function that two
# others call, each caller has the instructions that the function executes for it. On parts whose
# interrupts the module handles.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

file=/tmp/recording
period=20000
# A period may be longer by a sixteenth; each function begins and ends within a period.
most=$((4 * period * 17 / 16))
n=10000000
left=$((2 * n))
right=$((6 * n))

# events_of FUNCTION: prints the events of the stacks in which FUNCTION calls work()
events_of()
{
	awk -v call="main [calls];$1 [calls];work [calls] " 'index($0, "calls;") == 1 &&
		index($0, call) { sum += $NF } END { print sum + 0 }' "$out"
}

# near TRUE FOUND: checks that two numbers of events differ by a few periods at most
near()
{
	echo "# $1 instructions, found $2"
	[ "$(echo $(($2 - $1)) | tr -d -)" -le "$most" ]
}

begin
load
case $(part) in
ivb) ;;
*) skip_all "the module does not handle the interrupts of this part" ;;
esac

run barepmu record -e instructions:u -c $period --call-graph fp -o "$file" -- "$here/calls" $n
run barepmu report --folded "$file"
result "report --folded: a function has what it executes for one caller" \
	near $left "$(events_of left)"
result "report --folded: and what it executes for another" near $right "$(events_of right)"
run barepmu report --by stack -x '|' "$file"
result "report --by stack: has the same stack first" \
	grep -qE '^calls;.*right \[calls\];work \[calls\]\|instructions:u\|' "$out"
run barepmu report --speedscope - "$file"
result "report --speedscope: has the function's two callers, outermost first" \
	grep -qE '"name":"main \[calls\]".*"name":"(left|right) \[calls\]".*"name":"work \[calls\]"' "$out"
run barepmu report --pprof "$file.pprof" "$file"
result "report --pprof: is packed by gzip" \
	[ "$(head -c 2 "$file.pprof" | od -An -tx1 | tr -d ' ')" = 1f8b ]
rm "$file.pprof"
run barepmu report --by symbol -x '|' "$file"
result "report --by symbol: a recording with call stacks has shares of functions" \
	grep -q '^work \[calls\]|' "$out"

run barepmu record -e instructions:k -c $period --call-graph fp -o "$file" -- \
	dd if=/dev/zero of=/dev/null bs=1M count=300
run barepmu report --folded "$file"
result "report --folded: the kernel's functions have their system call" \
	grep -qE '^dd;.*entry_SYSCALL_64_after_hwframe \[kernel\];.*read.* \[kernel\]' "$out"

run barepmu record -e instructions:u -c $period -o "$file" -- "$here/calls" $n
run barepmu report --folded "$file"
result "report --folded: without --call-graph a stack has the interrupted function" \
	grep -qE '^calls;work \[calls\] [0-9]+$' "$out"
run barepmu record -e instructions:u -o "$file" -- true
run barepmu report --folded "$file"
result "report --folded: a recording without interrupts is refused" \
	refused 'record with -c PERIOD, and --call-graph fp or lbr'
run barepmu record -e cycles --call-graph fp -o "$file" -- true
result "record --call-graph: is refused without -c" refused 'add -c PERIOD'
run barepmu record -e instructions:u -c $period --call-graph lbr -o "$file" -- true
result "record --call-graph lbr: is refused where the hypervisor hides the branch records" \
	refused 'the hypervisor shows none'
rm -f "$file"
unload
finish
