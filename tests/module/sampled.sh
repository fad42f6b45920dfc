#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A user who samples by overflow interrupts keeps the run, and the machine its registers, when a CPU
# goes offline and comes back, when the machine is suspended, and when the sampling program is
# killed. Meanwhile nobody can unload the module, and the kernel gets no NMI that nobody claims.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

file=/tmp/recording
period=100000
# An iteration of count has ten instructions. The program must run for longer than the 50 ms after
# which the tool looks for new processes, whatever the host: none executes 10^9 in a second here.
count_n=10000000
cpu=$(last_cpu)
online=/sys/devices/system/cpu/cpu$cpu/online

sample()
{
	run barepmu record -e instructions:u -c $period -o "$file" -- sh "$1"
}

# counted_all: checks that the interrupts of the program count, which ran on CPU $cpu after the
# disturbance, stand for the instructions of its loop but those of two periods, and that none was
# lost
counted_all()
{
	run barepmu report --by symbol -x '|' "$file"
	awk -F'|' -v all=$((count_n * 10)) -v most=$((3 * period)) '
		$1 == "main [count]" { events = $4 }
		NR > 1 { lost += $9 }
		END {
			print "# " all " instructions, found " events ", lost " lost
			exit !(events > all - most && events < all + most && !lost)
		}' "$out"
}

# claimed: checks that the kernel has met no NMI that nobody claims, and no warning
claimed()
{
	dmesg >"$out"
	! grep -E 'NMI received|Dazed and confused|WARNING:|BUG:' "$out"
}

begin
load
[ "$(part)" = ivb ] || skip_all "only the boots of Ivy Bridge have this test"
[ -w "$online" ] || skip_all "no CPU can be taken offline"
remember
dmesg -c >/dev/null

cat >/tmp/offline <<-OFFLINE
	for i in 1 2 3 4; do
		echo 0 >$online
		sleep 0.05
		echo 1 >$online
		sleep 0.05
	done
	taskset -c $cpu count $count_n
OFFLINE
sample /tmp/offline
result "offline: the run survives repeated offlining" [ "$status" -eq 0 ]
result "offline: a CPU that is online again samples" counted_all

if [ -w /sys/power/pm_test ]; then
	echo core >/sys/power/pm_test
	echo 1 >/sys/module/suspend/parameters/pm_test_delay
	printf '%s\n' 'echo mem >/sys/power/state' "taskset -c $cpu count $count_n" >/tmp/nap
	sample /tmp/nap
	result "suspend: the run survives suspend and resume" [ "$status" -eq 0 ]
	result "suspend: a CPU samples after resume" counted_all
else
	skip "suspend: the run survives suspend and resume" "no test mode for suspend"
	skip "suspend: a CPU samples after resume" "no test mode for suspend"
fi

rm -f "$file"
barepmu record -e instructions:u -c $period -o "$file" -- sleep 60 2>/dev/null &
pid=$!
until [ -s "$file" ] || ! kill -0 $pid; do sleep 0.05; done
run rmmod barepmu
result "unloading is refused while events are sampled" refused "unload module"
kill -KILL $pid
wait $pid 2>/dev/null || :
printf '%s\n' "taskset -c $cpu count $count_n" >/tmp/alone
sample /tmp/alone
result "killed: the next run samples" counted_all

result "each NMI was claimed" claimed
nothing_left
finish
