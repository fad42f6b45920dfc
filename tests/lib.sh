# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# Functions of the shell tests in the guest, which source this file, call begin, and at last finish,
# which counts the plan. A test that stops before prints no plan and fails, whatever the status with
# which it stopped.

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=/dev/null
. "$here/../kselftest/ktap_helpers.sh"
PATH=$here:$PATH
module=${BAREPMU_MODULE:-/lib/barepmu.ko}
out=/tmp/out.$$
err=/tmp/err.$$
finished=
# before each description, because the tests of a boot are one job, in which no two results have the
# same name
prefix=$(basename "$0" .sh)
trap at_exit EXIT

at_exit()
{
	status=$?
	rm -f "$out" "$err"
	[ -z "$finished" ] || exit "$status"
	echo "# $prefix: stopped before its end (status $status)"
	exit "$KSFT_FAIL"
}

# skip_all REASON: skips the whole test
skip_all()
{
	ktap_skip_all "$1"
	finished=1
	exit "$KSFT_SKIP"
}

begin()
{
	ktap_print_header
	[ "$(id -u)" -eq 0 ] || skip_all "needs root"
}

finish()
{
	ktap_set_plan $((KTAP_TESTNO - 1))
	finished=1
	ktap_finished
}

load()
{
	grep -q '^barepmu ' /proc/modules || insmod "$module" || skip_all \
		"the module does not load here"
}

unload()
{
	! grep -q '^barepmu ' /proc/modules || rmmod barepmu
}

# Run a command; its output and status are in $out, $err and $status.
run()
{
	status=0
	"$@" >"$out" 2>"$err" || status=$?
}

# result DESCRIPTION CONDITION...: prints the result of one test, and the output of the last
# command if it failed
result()
{
	name=$1
	shift
	if "$@"; then
		ktap_test_pass "$prefix: $name"
		return 0
	fi
	echo "# failed: $* (status $status)"
	sed 's/^/# stdout: /' "$out" 2>/dev/null | head -n 20
	sed 's/^/# stderr: /' "$err" 2>/dev/null | head -n 20
	ktap_test_fail "$prefix: $name"
}

# skip DESCRIPTION REASON: skips one test
skip()
{
	ktap_test_skip "$prefix: $1 ($2)"
}

# Saves the values of the registers for nothing_left.
remember()
{
	modprobe msr 2>/dev/null || :
	registers >/tmp/before
}

# perf prints "<not counted>" for a program that is too short, and for the core type on which it
# did not run.
perf_works()
{
	for _ in 1 2 3; do
		run perf stat -x, -e instructions:u seq 10000
		[ "$status" -ne 0 ] || ! grep -q '^[0-9]' "$err" || return 0
	done
	return 1
}

no_timer()
{
	run grep -E 'bpmu_clock' /proc/timer_list
	[ "$status" -ne 0 ]
}

# nothing_left: four tests: no changed register, timer, reserved counter or reference is left
nothing_left()
{
	if [ -s /tmp/before ]; then
		registers >/tmp/after
		run diff /tmp/before /tmp/after
		result "all registers have their old values" [ "$status" -eq 0 ]
	else
		skip "all registers have their old values" "no msr device"
	fi
	result "no timer is left" no_timer
	if command -v perf >/dev/null; then
		result "perf counts again" perf_works
	else
		skip "perf counts again" "no perf"
	fi
	run unload
	result "the module unloads" [ "$status" -eq 0 ]
}

# refused TEXT: checks that the last command failed with TEXT
refused()
{
	[ "$status" -ne 0 ] && grep -qF -e "$1" "$err"
}

cpus_online()
{
	grep -c '^processor' /proc/cpuinfo
}

# last_cpu: prints the last CPU, which tests keep free of other work
last_cpu()
{
	echo $(($(cpus_online) - 1))
}

# leave CPU: moves all user processes to the other CPUs
leave()
{
	others=$(seq -s, 0 $(($(cpus_online) - 1)) |
		sed "s/\(^\|,\)$1\(,\|$\)/\1/; s/,$//")
	for task in /proc/[0-9]*; do
		taskset -pc "$others" "${task#/proc/}" >/dev/null 2>&1 || :
	done
}

part()
{
	barepmu info -j | sed 's/.*"part":"\([^"]*\)".*/\1/'
}

# counted EVENT: prints its count in the CSV in $out or $err
counted()
{
	cat "$out" "$err" | awk -F, -v event="$1" '$3 == event { print $4 }'
}
