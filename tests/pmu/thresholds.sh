#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A user who writes a counter mask gets the same count with barepmu and with perf (cmask).
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

# A program with random branches: its cycles retire no uop, one, or several.
program='taskset -c 0 mispredict 100000'

ours()
{
	# shellcheck disable=SC2086
	run barepmu stat -x, -e "$1" -C 0 -- $program
	counted "$1"
}

theirs()
{
	# shellcheck disable=SC2086
	perf stat -a -C 0 -x, -e "$1" -- $program 2>&1 >/dev/null |
		awk -F, '{ print $1; exit }'
}

# close A B: checks that two counts differ by at most 2 %, as each tool's own work is counted too
close()
{
	echo "# $1 $2"
	[ -n "$1" ] && [ -n "$2" ] && awk -v a="$1" -v b="$2" \
		'BEGIN { exit !(a > 0 && a < 1.02 * b && b < 1.02 * a) }'
}

begin
load
[ "$(part)" = ivb ] || skip_all "the events of Ivy Bridge are used here"
event=UOPS_RETIRED.RETIRE_SLOTS
for k in 1 2 4; do
	result "cycles that retire at least $k slots: perf counts the same" close \
		"$(ours "$event:[>=$k]:u")" \
		"$(theirs "cpu/event=0xc2,umask=0x2,cmask=$k/u")"
done
unload
finish
