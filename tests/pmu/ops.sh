#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A user of an AMD part samples ops by IBS, by name or as precise cycles and uops, as with perf. A
# program that waits for memory is found, the interrupts stand for what was counted, and what IBS
# cannot do is refused.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

file=/tmp/recording
period=20000

# named EVENT: checks that the recording has this event
named()
{
	run barepmu report --by comm "$file"
	grep -q "^$1: " "$out"
}

# covered: checks that the rows stand for all that was counted but since the last interrupt
covered()
{
	run barepmu report --by comm -x '|' "$file"
	awk -F'|' -v most=$((2 * period)) 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ sum += $(at["periods"]); counted = $(at["counted"]) }
		END { print "# " sum " of " counted; exit !(sum && sum <= counted && counted - sum <= most) }' "$out"
}

# waits LEAST: checks that the program's own code has at least this share; the kernel clears its
# memory and may gather random numbers meanwhile
waits()
{
	run barepmu report --by symbol -x '|' "$file"
	awk -F'|' -v least="$1" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$(at["key"]) ~ /chase/ { share += $(at["share_percent"]) }
		END { print "# " share; exit !(share > least) }' "$out"
}

begin
load
case $(part) in
zen*) ;;
*) skip_all "this part has no IBS" ;;
esac

run barepmu check
result "check says that ops can be sampled" grep -q 'sampling .*IBS' "$out"
run barepmu record -e cycles:pp -c $period -o "$file" -- chase 30000
result "precise cycles are sampled by IBS" named ibs_op
result "interrupts of IBS stand for all cycles counted" covered
result "the program that waits has cycles" waits 10
run barepmu record -e r0c1:upp -c $period -o "$file" -- count 200000
result "precise uops are sampled by IBS" named ibs_op:cnt_ctl=1:u
result "interrupts of IBS stand for all ops counted at their level" covered
run barepmu record -e instructions:pp -c $period -o "$file" -- true
result "precise instructions are refused" grep -q 'cycles and of uops only, by IBS' "$err"
run barepmu stat -e ibs_op -- true
result "IBS without a period is refused" grep -q 'give the event a period' "$err"
run barepmu record -e ibs_op:ldlat=100 -c $period -o "$file" -- true
result "a latency that IBS cannot have is refused" grep -q 'ldlat is a multiple of 128' "$err"
rm -f "$file"
unload
finish
