# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# What the virtual PMU's own tests share; they run on the host, print TAP and
# need no module of ours. Sourced by them.

top=$(cd "$(dirname "$0")/../.." && pwd)
kernel=${1:-6.1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
number=0
failed=0
# tests/vm/run refuses to add a folder that is not there
make -s -C "$top/tests/workload"

# result DESCRIPTION CONDITION...
result()
{
	what=$1
	shift
	number=$((number + 1))
	if "$@"; then
		echo "ok $number vpmu: $what"
		return
	fi
	echo "# failed: $*"
	echo "not ok $number vpmu: $what"
	failed=1
}

# boot SCRIPT OPTION...: SCRIPT says "NAME VALUE" lines for said(). In the environment, as
# tests/mutants/run does: BAREPMU_MODULE, another module; MUTANT, the fault to switch on in it
boot()
{
	script=$1
	shift
	status=0
	"$top/tests/vm/run" --kernel "$kernel" --truth "$work/truth" \
		${BAREPMU_MODULE:+--module "$BAREPMU_MODULE"} \
		--add "$top/build/workload:/bin/workload" "$@" -- \
		"${MUTANT:+hostname $MUTANT; }PATH=/bin/workload:\$PATH; $script" \
		>"$work/out" 2>"$work/err" || status=$?
	[ "$status" -eq 0 ] || tail -n 40 "$work/out" "$work/err" | sed 's/^/# /'
}

# boot_with_kselftest SCRIPT OPTION...: the selftests of the module are in /kselftest
boot_with_kselftest()
{
	"$top/tests/guest" "$kernel" --install
	boot "$@" --add "$top/build/kselftest:/kselftest"
}

# fuzzed NAME: the fuzzer found nothing there, and some of its plans had groups of the package;
# the guest says "NAME STATUS" after its output
fuzzed()
{
	[ "$(said "$1")" = 0 ] && grep -q ': groups of the package in [1-9]' "$work/out"
}

# skip REASON DESCRIPTION...: of a guest that ran to its end; one that did not has failed
skip()
{
	reason=" # SKIP $1"
	[ "$status" -eq 0 ] || reason=
	shift
	for what; do
		result "$what$reason" [ "$status" -eq 0 ]
	done
}

# lacking MODULE DESCRIPTION...: skips what only this module of the guest's kernel shows; one
# that is there and shows nothing has failed
lacking()
{
	module=$1
	shift
	if find "$top/build/vm/guest-$kernel/lib/modules" -name "$module.ko*" | grep -q .; then
		for what; do
			result "$what" false
		done
	else
		skip "this kernel has no $module" "$@"
	fi
}

# between MARK MARK: prints the lines of output between two that are marks
between()
{
	sed -n "/^$1\$/,/^$2\$/{ /^$1\$/d; /^$2\$/d; p }" "$work/out"
}

# counted MARK MARK EVENT VALUE: compares the count in the tool's CSV there
counted()
{
	[ "$(between "$1" "$2" |
		awk -F, -v event="$3" '$3 == event { print $4 }')" = "$4" ]
}

# says_disturbed MARK MARK: a count in the tool's CSV there is marked as disturbed
says_disturbed()
{
	between "$1" "$2" | grep -q ',event,disturbed$'
}

# said NAME: what the guest said it is
said()
{
	sed -n "s/^$1 //p" "$work/out"
}

# illegal: registers were written in a way that a real part refuses
illegal()
{
	grep -o '"illegal_writes": [0-9]*' "$work/truth" |
		awk '{ sum += $2 } END { exit !(sum || !NR) }'
}

legal()
{
	! illegal
}

# near VALUE OTHER: within 2 per cent, and not 0
near()
{
	awk -v a="$1" -v b="$2" 'BEGIN {
		exit !(a > 0 && b > 0 && a >= 0.98 * b && a <= 1.02 * b) }'
}

# uncore INDEX KEY: of a window of the package's counters
uncore()
{
	sed -n '/^"uncore"/,/^\]/p' "$work/truth" |
		sed -n "s/^{\"index\": $1, .*\"$2\": \([0-9]*\).*/\1/p"
}

# uncore_cycles INDEX K: cycles in which K entries or more were taken
uncore_cycles()
{
	sed -n '/^"uncore"/,/^\]/p' "$work/truth" |
		sed -n "s/^{\"index\": $1, .*\"cycles_with\": \[\([^]]*\).*/\1/p" |
		tr -d , | tr ' ' '\n' |
		awk -v k="$2" 'NR > k { sum += $1 } END { printf "%.0f\n", sum }'
}
