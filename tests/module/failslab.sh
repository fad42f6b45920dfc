#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# An allocation that fails leaves the module consistent: each allocation on each path into the
# module fails once. Needs a kernel with fault injection.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

debug=/sys/kernel/debug
paths='configure start sample read info stop release'

# bounds FUNCTION: prints the address of a kernel function and that of the next one
bounds()
{
	sort /proc/kallsyms | awk -v name="$1" '
		found { print "0x" $1; exit }
		$3 == name { print "0x" $1; found = 1 }'
}

# set_up: lets allocations fail that may sleep, too, without a stack trace for each, which would
# be slow. The kernel itself registers a module's tracepoints and warns if it lacks memory for
# that, and the debug kernel panics at a warning: allocations of that function do not fail.
set_up()
{
	bounds __trace_add_new_event >/tmp/bounds
	{ read -r start && read -r end; } </tmp/bounds || return
	for fault in failslab fail_page_alloc; do
		echo N >$debug/$fault/ignore-gfp-wait
		echo 0 >$debug/$fault/verbose
		echo "$start" >$debug/$fault/reject-start &&
			echo "$end" >$debug/$fault/reject-end || return
	done
	echo 0 >$debug/fail_page_alloc/min-order
}

begin
[ -d $debug/failslab ] || skip_all "this kernel cannot fail allocations"
load

run set_up
result "failures of the kernel's own tracing code are excluded" [ "$status" -eq 0 ]
modprobe msr 2>/dev/null
registers >/tmp/before
for path in $paths; do
	run failnth "$path"
	sed 's/^/# /' "$out"
	result "$path: the module survives each failed allocation" [ "$status" -eq 0 ]
done
run barepmu stat true
result "stat counts after the failures" [ "$status" -eq 0 ]
registers >/tmp/after
run diff /tmp/before /tmp/after
result "all registers have their old values" [ "$status" -eq 0 ]
unload
run failnth load "$module"
sed 's/^/# /' "$out"
result "load: the module survives each failed allocation" [ "$status" -eq 0 ]
unload
run insmod "$module"
result "the module loads after the failures" [ "$status" -eq 0 ]
unload
finish
