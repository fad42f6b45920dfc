#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A user of branch records is told the branches of a loop, and perf reads the same ones. The loop
# has one taken branch. On parts of the model with branch records.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

file=/tmp/recording
data=/tmp/perf.data

# first COLUMN: prints a column of the first row of report --by branch -x
first()
{
	awk -F'|' -v column="$1" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) at = i }
		NR == 2 { print $at }' "$out"
}

# two_to_twenty N: checks a number of cycles
two_to_twenty()
{
	echo "# $1 cycles"
	[ "$1" -ge 2 ] && [ "$1" -le 20 ]
}

# nearly_all SHARE OF: checks that a share is 95 % of another one, or more
nearly_all()
{
	echo "# $1 of $2 %"
	awk -v share="$1" -v of="$2" 'BEGIN { exit !(of > 50 && share >= 0.95 * of) }'
}

begin
load
case $(part) in
skl | spr) ;;
*) skip_all "the model has no branch records of this part" ;;
esac

run barepmu check
result "check: an interrupt can record branches" \
	grep -q '^ok    branches     an interrupt can record the last 32 (record -b)$' "$out"

# With so long a period the tool's own instructions are few beside those of the loop, unless the host is
# busy. The program runs for longer than the 50 ms after which the tool looks for new processes.
run barepmu record -e instructions:u -c 300007 -b -o "$file" -- count 3000000
run barepmu report --perf-data "$data" "$file"
run barepmu report --by comm -x '|' "$file"
program=$(awk -F'|' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $1 == "count" { print $(at["share_percent"]) }' "$out")
run barepmu report --by branch -x '|' "$file"
result "report --by branch: the loop has nearly all branches of its program" \
	nearly_all "$(first share_percent)" "$program"
result "report --by branch: the loop's branch is predicted" \
	[ "$(($(first mispredicted) * 50))" -lt "$(first predictions)" ]
result "report --by branch: an iteration takes 2 to 20 cycles" \
	two_to_twenty $(($(first branch_cycles) / $(first timed)))
taken=$(first taken)
perf script -i "$data" -F brstack 2>"$err" | tr ' ' '\n' | grep / | cut -d / -f 1,2 | sort |
	uniq -c | sort -rn >"$out"
result "perf script: the loop's branch is there as often as report says" \
	[ "$(awk 'NR == 1 { print $1 }' "$out")" = "$taken" ]
run barepmu record -e instructions:u -c 10007 -b -o "$file" -- mispredict 30000
run barepmu report --by branch -x '|' "$file"
result "report --by branch: branches on random bits are mispredicted" \
	[ "$(awk -F'|' 'NR > 1 { wrong += $12; all += $11 }
		END { print (wrong > all / 20 && wrong < all / 2) }' "$out")" = 1 ]
run barepmu record -e instructions:u -c 10007 -o "$file" -- count 100000
run barepmu report --by branch "$file"
result "report --by branch: a recording without branches is refused" \
	refused 'no interrupt in this time has branches; record with -b'
# Callers are known of functions that were called since the recording began.
run barepmu record -e instructions:u -c 10007 --call-graph lbr -o "$file" -- \
	dd if=/dev/zero of=/dev/null bs=1 count=20000
run barepmu report --folded "$file"
result "record --call-graph lbr: most of what dd executes has a caller" \
	[ "$(awk '/^dd;/ { all += $NF; called += $NF * /;.*;/ }
		END { print (all > 0 && called > all / 2) }' "$out")" = 1 ]
rm -f "$file" "$data"
unload
finish
