#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# CPUs that go and come back while they are measured.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

none_wrapped()
{
	awk -F, 'NR > 1 && $4 > 1e12 { bad = 1 } END { exit bad }' "$err"
}

begin
load
cpu=$(last_cpu)
online=/sys/devices/system/cpu/cpu$cpu/online
[ -w "$online" ] || skip_all "no CPU can be taken offline"
ktap_set_plan 5

cat >/tmp/storm <<-STORM
	for i in 1 2 3; do
		echo 0 >$online
		sleep 0.1
		echo 1 >$online
		sleep 0.1
	done
STORM
run barepmu stat -I 50 -x, -e INST_RETIRED.ANY:u -- sh /tmp/storm
[ "$(part)" = ivb ] || run barepmu stat -I 50 -x, \
	-e INSTRUCTIONS_EXECUTED:u -- sh /tmp/storm
result "a run survives it" [ "$status" -eq 0 ]
result "and has counts" [ "$(wc -l <"$err")" -gt 3 ]
result "none of them wrapped" none_wrapped
echo 0 >"$online"
run barepmu stat -C "$cpu" true
result "an offline CPU is refused by number" \
	refused "CPU $cpu is absent or offline"
echo 1 >"$online"
run barepmu stat -C "$cpu" true
result "online again it is measured" [ "$status" -eq 0 ]
unload
ktap_finished
