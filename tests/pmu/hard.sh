#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Usage: hard.sh [SECONDS]
#
# A machine that is sampled at the shortest period stays as it was: no report in the kernel's log, no
# NMI that nobody knows, all registers restored, while CPUs go offline, the machine is suspended, the
# owner is killed, somebody unloads the module and perf comes in. tests/pmu/hard runs it for long.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

seconds=${1:-20}
period=10000
file=/tmp/recording
messages=/tmp/messages
rounds=0 kept=0 unloaded=0 let_in=0 unread=0 unfinished=0 interrupts=0

now()
{
	cut -d. -f1 /proc/uptime
}

idle()
{
	barepmu info | grep -q '^session *idle'
}

# waited COMMAND...: waits up to 60 s until the command succeeds
waited()
{
	until=$(($(now) + 60))
	until "$@"; do
		[ "$(now)" -lt $until ] || return 1
		sleep 0.2
	done
}

samples()
{
	[ -s "$file" ] && ! idle
}

offline()
{
	for value in 0 1 0 1; do
		echo $value >/sys/devices/system/cpu/cpu"$last"/online
		sleep 0.1
	done
}

# Prints how many interrupts record has written, by its own last line: report would need more than a
# minute to read them on the debug kernel.
interrupts_said()
{
	sed -n 's/.* \([0-9,]*\) interrupts to .*/\1/p' /tmp/said | tr -d , | grep . || echo 0
}

# A round: what a machine can meet while it is sampled. The owner of every other round is killed, the
# others end. A round takes minutes on the debug kernel, whose NMIs leave a small part of the CPUs: a
# command that takes a blink without them takes ten seconds.
round()
{
	rounds=$((rounds + 1))
	rm -f "$file"
	# The kernel's log is a ring, which suspends fill.
	dmesg -c >>"$messages"
	# shellcheck disable=SC2086
	barepmu record -a -e instructions,branches -c $period,$period $1 -o "$file" -- \
		sleep 100000 >/dev/null 2>/tmp/said &
	owner=$!
	waited samples || :
	offline
	! rmmod barepmu 2>/dev/null || unloaded=$((unloaded + 1))
	perf stat -x, -e instructions true 2>/tmp/perf
	! grep -q '^[0-9]' /tmp/perf || let_in=$((let_in + 1))
	if [ $((rounds % 4)) -ge 2 ]; then
		echo mem >/sys/power/state
	fi
	sleep 0.5
	if kill -0 $owner; then
		kept=$((kept + 1))
	else
		sed 's/^/# /' /tmp/said
	fi
	if [ $((rounds % 2)) -eq 0 ]; then
		kill -KILL $owner
		waited idle || unfinished=$((unfinished + 1))
	else
		kill -TERM $owner
		wait $owner || :
		idle || unfinished=$((unfinished + 1))
		found=$(interrupts_said)
		interrupts=$((interrupts + found))
		[ "$found" -gt 0 ] || unread=$((unread + 1))
	fi
}

begin
load
case $(part) in
ivb | skl) ;;
*) skip_all "the registers are those of Ivy Bridge and Skylake" ;;
esac
last=$(last_cpu)
[ "$last" -gt 0 ] || skip_all "one CPU cannot go offline"
[ -w /sys/power/pm_test ] || skip_all "the kernel has no test mode for suspend"
echo core >/sys/power/pm_test
echo 1 >/sys/module/suspend/parameters/pm_test_delay
remember
# Nobody reads the recordings: they need no names of the kernel's functions, which take long to read.
: >/tmp/none
mount --bind /tmp/none /proc/kallsyms
dmesg -c >/dev/null
# Loops at the lowest priority keep the CPUs busy; the commands of a round come first.
for _ in $(seq 0 "$last"); do
	nice -n 19 sh -c 'while :; do count 100000; dd if=/dev/zero of=/dev/null bs=4k count=1000; done' \
		>/dev/null 2>&1 &
	busy="${busy:-} $!"
done
end=$(($(now) + seconds))
while [ "$(now)" -lt $end ]; do
	case $((rounds % 3))$(part) in
	0*) round ;;
	2skl) round -b ;;
	*) round '--call-graph fp' ;;
	esac
	echo "# round $rounds ended at $(now) s, $interrupts interrupts in the files"
done
# shellcheck disable=SC2086
kill $busy
wait
umount /proc/kallsyms
echo "# $rounds rounds, $interrupts interrupts in the files of half of them"
result "each recording went on" [ $kept -eq $rounds ]
result "each that was not killed has interrupts" [ $unread -eq 0 ]
result "each session ended" [ $unfinished -eq 0 ]
result "nobody could unload the module" [ $unloaded -eq 0 ]
result "perf did not get the counters" [ $let_in -eq 0 ]
# A handler takes long when the host has run another CPU of the virtual machine.
dmesg -c >>"$messages"
run sh -c "grep -v 'took too long to run' $messages |
	grep -E 'WARN|BUG|RIP:|stall|lockup|NMI|barepmu'"
result "the kernel's log has no report" [ ! -s "$out" ]
rm -f "$file" "$messages" /tmp/said /tmp/perf /tmp/none
nothing_left
finish
