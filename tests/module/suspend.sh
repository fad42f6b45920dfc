#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The machine goes to sleep (S3) in the middle of a run and comes back: tasks
# frozen, devices and all CPUs but one off. The kernel's own test mode stops just
# before the power goes, so that this runs anywhere; "asleep" goes the whole way.
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
grep -q mem /sys/power/state 2>/dev/null || skip_all "no sleep to RAM here"
[ -w /sys/power/pm_test ] || skip_all "the kernel cannot rehearse it"
ktap_set_plan 9
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
result "a run survives it" [ "$status" -eq 0 ]
result "the machine has slept" asleep_once
result "counting continues after the sleep" counts_after
result "none of the counts wrapped" none_wrapped
run barepmu stat -e cycles true
result "another run counts as well" [ "$status" -eq 0 ]
nothing_left
ktap_finished
