#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A user of Top-Down gets categories of level 1 that add up to 1, and the bottleneck of each of four
# programs is flagged.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

# flagged NODE: checks that NODE is flagged in the CSV
flagged()
{
	awk -F, -v node="$1" '$3 == node && $7 == 1 { found = 1 }
		END { exit !found }' "$err"
}

# largest: prints the largest category of level 1
largest()
{
	awk -F, 'NR > 1 && $4 == 1 && $5 > most { most = $5; name = $3 }
		END { print name }' "$err"
}

adds_up()
{
	awk -F, 'NR > 1 && $4 == 1 { sum += $5 }
		END { exit sum < 0.999 || sum > 1.001 }' "$err"
}

# program NODE NAME [ITERATIONS]: runs a program; NODE must be the largest category, and flagged
program()
{
	node=$1
	shift
	run barepmu topdown -x, -C "$cpu" -- taskset -c "$cpu" "$here/$1" \
		${2:+"$2"}
	result "$1: level 1 adds up" adds_up
	result "$1: $node is flagged" flagged "$node"
	result "$1: $node is the largest" [ "$(largest)" = "$node" ]
}

begin
load
cpu=$(last_cpu)
[ "$(part)" = ivb ] || skip_all "no Top-Down on this part"
program Retiring alu 2000000
program Backend_Bound chase 1500000
program Frontend_Bound fetch 60
program Bad_Speculation mispredict 300000
# In 0.1 s of guest time four multiplexed groups get too few slices.
run barepmu topdown -l 2 -C "$cpu" -- taskset -c "$cpu" "$here/chase" 500000
result "chase: level 2 of so short a run has no verdict" \
	grep -q '^No verdict.*measure longer' "$err"
run barepmu topdown -C "$cpu" -- taskset -c "$cpu" "$here/chase" 500000
result "the flagged path is printed" grep -q '^Flagged: Backend_Bound' "$err"
run barepmu topdown --groups -l 2
result "level 2 is four groups" [ "$(grep -c '^group' "$out")" = 4 ]
unload
finish
