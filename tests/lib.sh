# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# Functions for the shell tests in the guest. A test sources this file, calls begin, prints results,
# and calls finish at last, which counts the plan. A test that stops earlier prints no plan and
# counts as failed, whatever its exit status.

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=/dev/null
. "$here/../kselftest/ktap_helpers.sh"
PATH=$here:$PATH
module=${BAREPMU_MODULE:-/lib/barepmu.ko}
out=/tmp/out.$$
err=/tmp/err.$$
finished=
# Stands before each description: all tests of a boot are one job, in which no two results may have
# the same name.
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

# skip_all REASON: ends a test that cannot run here, without any result
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

# run COMMAND...: runs a command; its output is then in the files $out and $err, its status in
# $status
run()
{
	status=0
	"$@" >"$out" 2>"$err" || status=$?
}

# result DESCRIPTION CONDITION...: prints a result, which passes if the command CONDITION succeeds;
# for a failure also the output of the last run()
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

# skip DESCRIPTION REASON: prints the result of one test that cannot run here
skip()
{
	ktap_test_skip "$prefix: $1 ($2)"
}

# Saves the values of the PMU's registers, with which nothing_left compares them later.
remember()
{
	modprobe msr 2>/dev/null || :
	registers >/tmp/before
}

# True if perf counts in one of three attempts: perf prints "<not counted>" when a program is too
# short, and for the core type on which the program did not run.
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

# nothing_left: prints four results: no register is changed since remember(), no timer is left, perf
# can count, and the module unloads, since nothing refers to it
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

# refused TEXT: checks that the last run() failed with TEXT in its error output
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

# counted EVENT: prints the event's count, from the CSV that the last run() printed
counted()
{
	cat "$out" "$err" | awk -F, -v event="$1" '$3 == event { print $4 }'
}
