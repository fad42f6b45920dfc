#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Of many processes that want the counters at once, one at a time has them; the others are refused.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

# Number of processes that race() starts.
owners=8

# race: starts processes, each of which counts for a while or is refused
race()
{
	for i in 1 2 3 4 5 6 7 8; do
		sh -c "barepmu stat sleep 0.3 >/dev/null 2>/tmp/race.$i
			echo \$? >/tmp/race.$i.status" &
	done
	wait
}

won()
{
	cat /tmp/race.*.status | grep -cx 0
}

others_were_told()
{
	for i in 1 2 3 4 5 6 7 8; do
		[ "$(cat /tmp/race.$i.status)" -eq 0 ] ||
			grep -qE 'in use by another process|holds the counters' \
				/tmp/race.$i || return 1
	done
}

begin
load
remember
race
echo "# $(won) of $owners counted"
result "at least one of $owners owners counts" [ "$(won)" -gt 0 ]
result "the other owners are refused with the reason" others_were_told
run barepmu info
result "the session is idle after all owners" grep -q '^session *idle' "$out"
nothing_left
finish
