# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# What the shell tests share. Sourced by each of them, in the guest.

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=/dev/null
. "$here/../kselftest/ktap_helpers.sh"
PATH=$here:$PATH
module=${BAREPMU_MODULE:-/lib/barepmu.ko}
out=/tmp/out.$$
err=/tmp/err.$$
trap 'rm -f "$out" "$err"' EXIT

# The whole test makes no sense here.
skip_all()
{
	ktap_skip_all "$1"
	exit "$KSFT_SKIP"
}

begin()
{
	ktap_print_header
	[ "$(id -u)" -eq 0 ] || skip_all "needs root"
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

# result DESCRIPTION CONDITION...: one test; what the command said helps when
# it failed
result()
{
	name=$1
	shift
	if "$@"; then
		ktap_test_pass "$name"
		return 0
	fi
	echo "# failed: $* (status $status)"
	sed 's/^/# stdout: /' "$out" 2>/dev/null | head -n 20
	sed 's/^/# stderr: /' "$err" 2>/dev/null | head -n 20
	ktap_test_fail "$name"
}

# skip DESCRIPTION REASON: one test that cannot be run here
skip()
{
	ktap_test_skip "$1 ($2)"
}

# remember what the registers hold, for nothing_left
remember()
{
	modprobe msr 2>/dev/null || :
	registers >/tmp/before
}

# perf itself says "<not counted>" of a program that is over too soon, and of the
# core type on which it did not run
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

# nothing_left: four tests; no register, timer, reservation or reference stays
nothing_left()
{
	if [ -s /tmp/before ]; then
		registers >/tmp/after
		run diff /tmp/before /tmp/after
		result "all registers hold what they held" [ "$status" -eq 0 ]
	else
		skip "all registers hold what they held" "no msr device"
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

# refused TEXT: the command failed and said so
refused()
{
	[ "$status" -ne 0 ] && grep -qF -e "$1" "$err"
}

cpus_online()
{
	grep -c '^processor' /proc/cpuinfo
}

# the last CPU, where nothing else is to run
last_cpu()
{
	echo $(($(cpus_online) - 1))
}

# leave CPU: what runs, and what it starts, goes to the others unless it is told
# to run there; the threads of the kernel stay
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

# counted EVENT: its count in the CSV that was written to $out or $err
counted()
{
	cat "$out" "$err" | awk -F, -v event="$1" '$3 == event { print $4 }'
}
