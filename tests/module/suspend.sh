#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A user whose machine is suspended in the middle of a run keeps the run. The kernel's test mode
# works on every machine: tasks are frozen, devices suspended and all CPUs but one offline, but
# the machine is not powered off. tests/pmu/asleep suspends to RAM.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

none_wrapped()
{
	awk -F, 'NR > 1 && $4 + 0 > 1e12 { bad = 1 } END { exit bad }' "$err"
}

asleep_once()
{
	dmesg | grep -q 'PM: suspend exit'
}

counts_after()
{
	awk -F, '$1 > 0 && $4 + 0 > 0 { n++ } END { exit !(n > 4) }' "$err"
}

begin
load
grep -q mem /sys/power/state 2>/dev/null || skip_all "the machine cannot suspend to RAM"
[ -w /sys/power/pm_test ] || skip_all "the kernel has no test mode for suspend"
remember
echo core >/sys/power/pm_test
echo 1 >/sys/module/suspend/parameters/pm_test_delay
dmesg -c >/dev/null
cat >/tmp/nap <<-'NAP'
	sleep 0.3
	echo mem >/sys/power/state
	sleep 0.3
NAP
run barepmu stat -x, -I 50 -e cycles,r00c0,r00c4 -- sh /tmp/nap
result "the run survives suspend and resume" [ "$status" -eq 0 ]
result "the machine was suspended" asleep_once
result "counting continues after resume" counts_after
result "no count wraps at suspend and resume" none_wrapped
run sh /tmp/nap
result "the machine sleeps and wakes without a session" [ "$status" -eq 0 ]
run barepmu stat -e cycles true
result "a run after resume counts" [ "$status" -eq 0 ]
nothing_left
finish
