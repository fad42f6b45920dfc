#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A user who records a program that waits for memory finds that in the report. (record.sh and who.sh
# check what needs no simulation of a core.)
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

file=/tmp/recording

# half LABEL: checks that more than half of the slots in the row LABEL are Backend_Bound
half()
{
	awk -F, -v label="$1" '
	{
		labelled = value = 0
		for (i = 1; i < NF; i++) {
			if ($i ~ "^" label "$")
				labelled = 1
			if ($i == "Backend_Bound")
				value = $(i + 2)
		}
		if (labelled && value > 0.5 && value <= 1)
			found = 1
	}
	END { exit !found }' "$out"
}

begin
load
[ "$(part)" = ivb ] || skip_all "no Top-Down on this part"
cpu=$(last_cpu)
[ "$cpu" -gt 0 ] || skip_all "the tool would count itself on the only CPU"
run taskset -c 0 barepmu record --who --topdown 1 -I 1 -C "$cpu" -o "$file" -- \
	taskset -c "$cpu" "$here/chase" 1500000
run barepmu report --by comm -x, "$file"
result "chase is backend bound" half chase
run barepmu report -M TopdownL1 --per-core -x, "$file"
result "rows by core: chase's core is backend bound" half "S[0-9]+-D[0-9]+-C[0-9]+"
rm -f "$file"
unload
finish
