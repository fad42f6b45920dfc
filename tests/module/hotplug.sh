#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A user who takes CPUs offline and online while they are measured keeps the run, and sees no count
# that wraps.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

none_wrapped()
{
	awk -F, 'NR > 1 && $4 + 0 > 1e12 { bad = 1 } END { exit bad }' "$err"
}

event()
{
	if [ "$(part)" = knc ]; then
		echo INSTRUCTIONS_EXECUTED:u
	else
		echo INST_RETIRED.ANY:u
	fi
}

begin
load
cpu=$(last_cpu)
online=/sys/devices/system/cpu/cpu$cpu/online
[ -w "$online" ] || skip_all "no CPU can be taken offline"

remember
cat >/tmp/offline <<-OFFLINE
	for i in 1 2 3 4 5 6 7 8; do
		echo 0 >$online
		sleep 0.05
		echo 1 >$online
		sleep 0.05
	done
OFFLINE
run barepmu stat -I 50 -x, -e "$(event)" -- sh /tmp/offline
result "timer tick: the run survives repeated offlining" [ "$status" -eq 0 ]
result "timer tick: counts are printed during repeated offlining" [ "$(wc -l <"$err")" -gt 3 ]
result "timer tick: no count wraps" none_wrapped
run barepmu stat -I 1 --timer hard -x, -e "$(event)" -- sh /tmp/offline
result "--timer hard: the run survives repeated offlining" [ "$status" -eq 0 ]
result "--timer hard: no count wraps" none_wrapped
run barepmu stat -I 20 -x, -e r1c2,r2c2,r10e,r12,r16,r2a,rc4 -- sh /tmp/offline
result "multiplexed groups: the run survives repeated offlining" [ "$status" -eq 0 ]
echo 0 >"$online"
run barepmu stat -C "$cpu" true
result "an offline CPU is refused by number" \
	refused "CPU $cpu is absent or offline"
echo 1 >"$online"
run barepmu stat -C "$cpu" true
result "a CPU that is online again is measured" [ "$status" -eq 0 ]
nothing_left
finish
