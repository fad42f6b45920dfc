#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The counters have one owner, perf or one session: another user is refused, and the error names the
# owner.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

# wait_for CONDITION: waits for a shell command to succeed, for at most ten seconds
wait_for()
{
	tries=0
	until sh -c "$1" 2>/dev/null || [ $tries -eq 100 ]; do
		tries=$((tries + 1))
		sleep 0.1
	done
}

# start COMMAND...: starts COMMAND in the background and waits until its counters run
start()
{
	"$@" >/dev/null 2>&1 &
	pid=$!
	wait_for "barepmu info | grep -q 'running, of barepmu'"
}

begin
load
command -v perf >/dev/null || skip_all "perf is not installed"
perf_works || skip_all "perf cannot count here"

perf stat -a -e r00c0 sleep 100 >/dev/null 2>&1 &
perf=$!
wait_for "ls -l /proc/$perf/fd | grep -q perf_event"
run barepmu stat true
result "a session is refused while perf counts" \
	refused "perf or the NMI watchdog holds the counters"
result "the error names perf" grep -q "perf (process $perf)" "$err"
run barepmu check
result "check names perf" grep -q "^FAIL  perf .*process $perf" "$out"
kill -TERM $perf
wait $perf

remember
start barepmu stat -I 50 sleep 100
run perf stat -e instructions:u true
result "perf is refused while a session counts" [ "$status" -ne 0 ]
run barepmu stat true
result "a second owner is refused" \
	refused "the counters are in use by another process"
result "the error names the first owner" grep -q "barepmu, process $pid" "$err"
run rmmod barepmu
result "the module cannot be unloaded while a session counts" [ "$status" -ne 0 ]
run barepmu stat -C 0 -I 10 --help
result "stat --help works while another session counts" [ "$status" -eq 0 ]

kill -KILL $pid
wait $pid 2>/dev/null
run barepmu info
result "the session ends when its owner is killed" \
	grep -q '^session *idle' "$out"
run barepmu stat -e instructions true
result "stat counts after the owner was killed" [ "$status" -eq 0 ]
nothing_left
finish
