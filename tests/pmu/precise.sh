#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A user of precise samples is told the instructions that cause an event, not those after them. The
# event is branches, of which a loop has two in each iteration of ten instructions. On parts with
# architectural PEBS, or with PEBS through a debug store; in format 1 they
# are told the instruction after it.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

file=/tmp/recording
period=30000
# Iterations: enough that the program's mappings are read while it runs.
loops=6000000

# at_branches: checks that all instructions of the function that have interrupts are jumps
at_branches()
{
	awk -F'|' 'NR > 1 && $8 > 0 { nr++; jumps += $4 ~ /^j/ }
		END { print "# " nr " instructions, " jumps " jumps"; exit !(nr && nr == jumps) }' "$out"
}

# behind_branches: checks that they are where branches of the loop lead to: three instructions at most,
# and no jump
behind_branches()
{
	awk -F'|' 'NR > 1 && $8 > 0 { nr++; jumps += $4 ~ /^j/ }
		END { print "# " nr " instructions, " jumps " jumps"; exit !(nr && nr <= 3 && !jumps) }' "$out"
}

# not_at_branches: checks that some are no jumps
not_at_branches()
{
	awk -F'|' 'NR > 1 && $8 > 0 { nr++; jumps += $4 ~ /^j/ }
		END { print "# " nr " instructions, " jumps " jumps"; exit !(nr > jumps) }' "$out"
}

# stands_for EVENTS: checks that the interrupts of the function stand for EVENTS events, up to some
# periods
stands_for()
{
	awk -F'|' -v true="$1" -v most=$((8 * period)) 'NR > 1 { sum += $9 }
		END { print "# " sum " of " true; exit !(sum > true - most && sum < true + most) }' "$out"
}

# nmis: prints how many NMIs the machine has had
nmis()
{
	awk '$1 == "NMI:" { for (i = 2; $i ~ /^[0-9]+$/; i++) nr += $i } END { print nr + 0 }' /proc/interrupts
}

# count_both: prints how many NMIs the last recording had, and how many interrupts "report" counts
count_both()
{
	nr=$(($(nmis) - before))
	records=$(awk 'NR == 1 { gsub(",", "", $2); print $2 }' "$out")
	echo "# $nr NMIs, $records records"
}

# writes_many: checks that there were at least four records in an NMI
writes_many()
{
	count_both
	[ "$records" -gt 100 ] && [ $((4 * nr)) -lt "$records" ]
}

# each_interrupts: checks that each record had an NMI; one may stand for two
each_interrupts()
{
	count_both
	[ "$records" -gt 100 ] && [ $((2 * nr)) -ge "$records" ]
}

begin
load
many=writes_many named=at_branches skid='0 instructions'
case $(part) in
dmr | spr | icx | skl | skx) ;;
bdw) many=each_interrupts ;;
ivb)
	many=each_interrupts named=behind_branches skid='1 instruction' ;;
*) skip_all "this part has no PEBS that the module reads" ;;
esac

before=$(nmis)
run barepmu record -e branches:upp -c $period -o "$file" -- count $loops
run barepmu report --by symbol "$file"
result "precise records wait for one interrupt, if they have their time" $many
run barepmu annotate -x '|' 'main [count]' "$file"
result "precise interrupts of branches name branches, or what comes next" $named
result "precise interrupts stand for the loop's branches" stands_for $((2 * loops))
run barepmu report --by symbol "$file"
result "report --by symbol: the skid of precise interrupts is told" \
	grep -q "skid: $skid: an interrupt by branches:upp names" "$out"
before=$(nmis)
run barepmu record -e branches:upp -c $period --call-graph fp -o "$file" -- count $loops
run barepmu report --by symbol "$file"
result "with call chains each precise record has its interrupt" each_interrupts
run barepmu record -e branches:u -c $period -o "$file" -- count $loops
run barepmu annotate -x '|' 'main [count]' "$file"
result "interrupts that are not precise name instructions behind branches" not_at_branches
rm -f "$file"
unload
finish
