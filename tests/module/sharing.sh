#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The counters have one holder: perf, or one session; the others are refused,
# by name.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

perf_works()
{
	run perf stat -x, -e instructions:u true
	[ "$status" -eq 0 ] && ! grep -q 'not ' "$err"
}

# start COMMAND...: in the background, until its counters run
start()
{
	"$@" >/dev/null 2>&1 &
	pid=$!
	tries=0
	while [ $tries -lt 50 ]; do
		tries=$((tries + 1))
		[ "$(barepmu info | grep -c 'running, of barepmu')" -eq 0 ] ||
			return 0
		sleep 0.1
	done
}

begin
load
command -v perf >/dev/null || skip_all "perf is not installed"
perf_works || skip_all "perf cannot count here"
ktap_set_plan 13

perf stat -a -e r00c0 sleep 100 >/dev/null 2>&1 &
perf=$!
sleep 1
run barepmu stat true
result "while perf counts we are refused" \
	refused "perf or the NMI watchdog holds the counters"
result "and perf is named" grep -q "perf (process $perf)" "$err"
run barepmu check
result "check names it too" grep -q "^FAIL  perf .*process $perf" "$out"
kill -TERM $perf
wait $perf

modprobe msr 2>/dev/null
registers >/tmp/before
start barepmu stat -I 50 sleep 100
run perf stat -e instructions:u true
result "while we count perf is refused" [ "$status" -ne 0 ]
run barepmu stat true
result "a second owner is refused" \
	refused "the session belongs to another process"
result "and the first one named" grep -q "barepmu, process $pid" "$err"
run rmmod barepmu
result "the module cannot be unloaded" [ "$status" -ne 0 ]
run barepmu stat -C 0 -I 10 --help
result "help needs no session" [ "$status" -eq 0 ]

kill -KILL $pid
wait $pid 2>/dev/null
run barepmu info
result "when the owner is killed the session ends" \
	grep -q '^session *idle' "$out"
registers >/tmp/after
result "perf counts again" perf_works
if [ -s /tmp/before ]; then
	run diff /tmp/before /tmp/after
	result "all registers hold what they held" [ "$status" -eq 0 ]
else
	skip "all registers hold what they held" "no msr device"
fi
run barepmu stat -e instructions true
result "we count again" [ "$status" -eq 0 ]
run unload
result "the module unloads" [ "$status" -eq 0 ]
ktap_finished
