#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A user who asks what limits each program gets Top-Down of it from interrupts by its events: of one
# that has independent additions, and of one that waits for memory. On parts whose events of level 1
# fit on the counters and interrupt, or that write PERF_METRICS into precise records of one event: of
# these the virtual PMU must have the option pebs=unknown, by which each 16th record is broken.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

file=/tmp/recording
period=100000

# value PROGRAM NODE COLUMN: prints a column of the node in the row of the program
value()
{
	awk -F'|' -v program="$1" -v node="$2" -v column="$3" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		$(at["key"]) == program && $(at["metric"]) == node { print $(at[column]) }' "$out"
}

# within PROGRAM NODE LEAST MOST: checks that the node's whole 95 % interval is between two limits
within()
{
	share=$(value "$1" "$2" value) half=$(value "$1" "$2" uncertainty)
	echo "# $1: $2 $share +- $half"
	awk -v share="$share" -v half="$half" -v least="$3" -v most="$4" '
		BEGIN { exit !(half > 0 && share - half > least && share + half < most) }'
}

adds_up()
{
	awk -F'|' -v program="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		$(at["key"]) == program && $(at["level"]) == 1 { sum += $(at["value"]) }
		END { exit sum < 0.999 || sum > 1.001 }' "$out"
}

# covered EVENT: checks that the rows stand for all events but those since the last interrupt
covered()
{
	run barepmu report --by symbol -e "$1" -x '|' "$file"
	awk -F'|' -v most=$((4 * period)) 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ sum += $(at["periods"]); counted = $(at["counted"]) }
		END { print "# " sum " of " counted; exit !(sum && sum <= counted && counted - sum <= most) }' "$out"
}

# of_metrics: tests what only records with PERF_METRICS tell
of_metrics()
{
	run barepmu record --topdown 1 -c $period -o "$file" -- sh -c "$here/alu 1500000; $here/chase 400000"
	run barepmu report --by comm -x '|' "$file"
	result "records with PERF_METRICS: independent additions retire" within alu Retiring 0.5 0.8
	result "records with PERF_METRICS: loads that depend on each other do not" within chase Retiring 0 0.15
	result "records with PERF_METRICS: they wait for memory" within chase Backend_Bound 0.7 1
	result "records with PERF_METRICS: level 1 adds up" adds_up chase
	run barepmu report --by symbol -x '|' "$file"
	result "records with PERF_METRICS: of each function" within 'main [chase]' Backend_Bound 0.92 1
	result "records with PERF_METRICS: interrupts do not empty its pipeline" \
		within 'main [chase]' Frontend_Bound -0.01 0.06
	result "records with PERF_METRICS: a function that waits does not retire" \
		within 'main [chase]' Retiring -0.01 0.06
	run barepmu report --by comm -M IPC -x '|' "$file"
	result "records with counters: IPC of each program" within alu IPC 3 5
	run barepmu report --by comm "$file"
	result "records that are not understood are told" grep -q 'broken: [0-9]* interrupts have no counts' "$out"
	result "a table of counts tells what is in no row" grep -q 'the rows have 9.*% of cycles:pp' "$out"
	run barepmu record -e instructions:pp,cycles -c $period,0 -o "$file" -- "$here/alu" 1500000
	run barepmu report --by comm -M IPC "$file"
	result "the rows' share is of cycles if instructions interrupt" \
		grep -q 'the rows have 9.*% of cycles' "$out"
	run barepmu record --topdown 2 --method tma -F 5000 -o "$file" -- "$here/chase" 400000
	run barepmu report --by comm -x '|' "$file"
	result "records with PERF_METRICS: level 2" within chase tma_memory_bound 0.5 0.9
	rm -f "$file"
	unload
	finish
	exit
}

begin
load
case $(part) in
ivb | skl) ;;
ptl | lnl) of_metrics ;;
*) skip_all "this part counts level 1 in PERF_METRICS, or its counters do not interrupt" ;;
esac

run barepmu record --topdown 1 -c $period -o "$file" -- sh -c "$here/alu 1500000; $here/chase 400000"
run barepmu report --by comm -x '|' "$file"
result "Top-Down of each program: independent additions retire" within alu Retiring 0.4 1
result "Top-Down of each program: loads that depend on each other do not" within chase Retiring 0 0.25
result "Top-Down of each program: level 1 adds up" adds_up alu
result "interrupts of UOPS_ISSUED.ANY stand for all of them" covered UOPS_ISSUED.ANY
run barepmu report --by comm "$file"
result "a table of programs has the intervals" grep -q 'Retiring *+-' "$out"
result "a table of programs tells the skid" grep -q 'Skid: an interrupt names' "$out"
result "a table of programs tells how many events are in it" grep -q 'UOPS_ISSUED.ANY: .* interrupts, .* counted (' "$out"
run barepmu report --by comm -M IPC -x '|' "$file"
result "IPC of each program is that of its interrupts" within alu IPC 1 4
run barepmu report --by branch -l 1 "$file"
result "metrics of branches are refused" grep -q 'leave out -l and -M' "$err"
run barepmu record -e cycles,instructions -c $period,0 --who -I 1 -o "$file" -- "$here/alu" 1500000
run barepmu report --by comm -M IPC -x '|' "$file"
result "IPC is of samples if an event did not interrupt" [ "$(value alu IPC value | cut -d . -f 1)" -ge 1 ]
run barepmu record -e cycles,instructions -c $period,0 -o "$file" -- true
run barepmu report --by comm -M IPC "$file"
result "an event that did not interrupt is named" grep -q "'instructions' did not interrupt" "$err"
run barepmu record --topdown 1 -c $period -b -o "$file" -- "$here/alu" 1500000
run barepmu report --by branch -x '|' "$file"
result "branches before the interrupts of Top-Down have shares" grep -q '|UOPS_ISSUED.ANY|' "$out"
run barepmu record --topdown 2 -c $period -o "$file" -- true
result "events that do not fit on the counters at once are refused" \
	grep -q 'the events of this level do not fit' "$err"
rm -f "$file"
unload
finish
