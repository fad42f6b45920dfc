#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A user who records once can print the CPI stack later, in each format, of all CPUs or of each.
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

# rows NUMBER: checks the number of CSV rows, without the header
rows()
{
	[ "$(grep -c '^[0-9.]*,0-3,[a-z0-9.-]*,' <<<"$said")" -eq "$1" ] ||
		{ echo "# $said"; false; }
}

report "$stack"
result "report of a recording of cpistack succeeds" [ "$status" -eq 0 ]
result "report prints a column for each of the three stages" says "dispatch        issue       commit"
result "report says that counts are system-wide" says "system-wide on CPU 0-3 during './a.out"
printf '%s' "$said" >"$scratch/one"
report --cpistack "$stack"
printf '%s' "$said" >"$scratch/other"
result "report --cpistack prints the same" cmp "$scratch/one" "$scratch/other"
report -x, "$stack"
result "CSV: rows of seven components, of two of their parts, and of the residual" rows 10
result "CSV: a part has the name of its component" says ",0-3,dcache.l2,"
report -x, -I 1s "$stack"
result "CSV: -I 1s prints these rows for each second" rows $((10 * 12))
report -j --from 50% "$stack"
result "JSON: --from 50% has components" says '"component":"base","dispatch":0.'
result "JSON: a part has the name of its component" \
	says '"component":"icache.itlb","dispatch":0.'
result "JSON: a part has its component as parent" says '"parent":"icache",'
report -C 2 "$stack"
result "report -C 2 is of this CPU" says "on CPU 2 during"
report --diff "$stack" "$stack"
result "report --diff of a file with itself succeeds" [ "$status" -eq 0 ]
report --diff --header "$stack" "$stack"
result "report --diff --header is refused" refused "not with --phi or --header"
for format in -j "-x,"; do
	report --header $format "$stack"
	result "report --header $format is refused" refused "--header: is text; leave out -j and -x"
done
report --header -o "$scratch/header" "$stack"
result "report --header -o prints nothing" [ -z "$said" ]
result "report --header -o writes the arguments to the file" grep -q '^asked  *cpistack' "$scratch/header"
report --header --append -o "$scratch/header" "$stack"
result "report --header --append adds a header to the file" \
	[ "$(grep -c '^host ' "$scratch/header")" -eq 2 ]
report --header -o /dev/full "$stack"
result "report --header -o /dev/full is an error" refused "/dev/full: not written"
report --diff -x, --from 0 --to 50% "$stack" "$stack"
result "report --diff names stage and component" says ",Commit_Base,"
report -e instructions "$stack"
result "report -e: counts of all CPUs" says "System-wide counts on CPU 0-3 ("
result "report -e: instructions are in all groups, hence exact" says " instructions  (30 samples lost)"

report -A "$stack"
result "report -A is refused" refused "not rows"
report --cpistack --by cpu "$stack"
result "report --cpistack --by is refused" refused "not rows"
report --cpistack --phi "$stack"
result "report --cpistack --phi is refused" refused "do not go together"
report --cpistack "$recordings/topdown.rec"
result "report --cpistack of a recording without its events is refused" refused "was not recorded"
report --cpistack "$recordings/knc.rec"
result "report --cpistack of a recording of knc is refused" refused "not available on knc"
report -A "$recordings/topdown.rec"
result "report -A of a recording of topdown prints a tree of each CPU" says "
      Stores_Bound                    1.7       1.7       1.7       1.7   % of clocks
"
finish
