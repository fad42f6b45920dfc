#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# CPI stacks of a recording.
# shellcheck source=tests/user/lib.sh
. "$(dirname "$0")/lib.sh"

with_recordings
stack=$recordings/stack.rec

report()
{
	tool report "$@"
}

refused()
{
	[ "$status" -ne 0 ] && says "$1"
}

# rows NUMBER: checks the number of CSV rows without the header
rows()
{
	[ "$(grep -c '^[0-9.]*,0-3,[a-z0-9.-]*,' <<<"$said")" -eq "$1" ] ||
		{ echo "# $said"; false; }
}

report "$stack"
result "cpistack succeeds" [ "$status" -eq 0 ]
result "its three stages" says "dispatch        issue       commit"
result "of everything" says "system-wide on CPU 0-3 during './a.out"
printf '%s' "$said" >"$scratch/one"
report --cpistack "$stack"
printf '%s' "$said" >"$scratch/other"
result "is the same when it is asked for" cmp "$scratch/one" "$scratch/other"
report -x, "$stack"
result "CSV: seven components and two of their parts" rows 9
result "CSV: of which component a part is" says ",0-3,dcache.l2,"
report -x, -I 1s "$stack"
result "CSV: of each second" rows $((9 * 12))
report -j --from 50% "$stack"
result "JSON: of half of the time" says '"component":"base","parent":null,"dispatch":0.'
result "JSON: of which component a part is" \
	says '"component":"icache.itlb","parent":"icache","dispatch":0.'
report -C 2 "$stack"
result "of one CPU" says "on CPU 2 during"
report --diff "$stack" "$stack"
result "nothing differs from itself" [ "$status" -eq 0 ]
report --diff --header "$stack" "$stack"
result "headers are not compared" refused "not with --phi or --header"
for format in -j "-x,"; do
	report --header $format "$stack"
	result "a header has no rows: $format" refused "--header: is text; leave out -j and -x"
done
report --header -o "$scratch/header" "$stack"
result "a header goes to its file and nowhere else" [ -z "$said" ]
result "where it is whole" grep -q '^asked  *cpistack' "$scratch/header"
report --header --append -o "$scratch/header" "$stack"
result "to which another one is added" \
	[ "$(grep -c '^host ' "$scratch/header")" -eq 2 ]
report --header -o /dev/full "$stack"
result "a header without room is an error" refused "/dev/full: not written"
report --diff -x, --from 0 --to 50% "$stack" "$stack"
result "differences name stage and component" says ",Commit_Base,"
report -e instructions "$stack"
result "report -e: counts of all CPUs" says "System-wide counts on CPU 0-3 ("
result "report -e: counts with their uncertainty" says " instructions  +- "

report -A "$stack"
result "rows by -A are refused" refused "not rows"
report --cpistack --by cpu "$stack"
result "rows by --by are refused" refused "not rows"
report --cpistack --phi "$stack"
result "options that exclude each other are refused" refused "do not go together"
report --cpistack "$recordings/topdown.rec"
result "events that were not recorded are refused" refused "was not recorded"
report --cpistack "$recordings/knc.rec"
result "other parts have no stacks" refused "not available on knc"
report -A "$recordings/topdown.rec"
result "the tree's rows need no more than it does" says "# Stores_Bound"
