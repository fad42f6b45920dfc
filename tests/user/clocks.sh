#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A user of "barepmu clocks" gets consistent values on this machine, whatever clocks it has.
# shellcheck source=tests/user/lib.sh
. "$(dirname "$0")/lib.sh"

source=/sys/devices/system/clocksource/clocksource0

# field NAME KEY: prints the member KEY of the JSON object of clock NAME
field()
{
	grep -F "\"name\":\"$1\"" <<<"$said" | grep -oE "\"$2\":[^,}]*" |
		cut -d : -f 2-
}

# positive NAME KEY...: checks that these members of clock NAME are above 0
positive()
{
	local name=$1 key

	shift
	for key; do
		awk -v n="$(field "$name" "$key")" 'BEGIN { exit !(n > 0) }' || {
			echo "# $name: $key: $(field "$name" "$key")"
			return 1
		}
	done
}

# in_order NAME KEY: checks that the median is within its interval
in_order()
{
	local name=$1

	awk -v a="$(field "$name" low)" -v b="$(field "$name" cycles)" \
		-v c="$(field "$name" high)" 'BEGIN { exit !(a <= b && b <= c) }'
}

# stepped NAME: checks the step of a clock; a busy host may disturb all of its steps
stepped()
{
	[ "$(field "$1" disturbed)" = true ] || positive "$1" step_ns
}

all_clocks()
{
	local id

	for id in REALTIME MONOTONIC MONOTONIC_RAW BOOTTIME TAI \
		REALTIME_COARSE MONOTONIC_COARSE PROCESS_CPUTIME_ID \
		THREAD_CPUTIME_ID; do
		positive "clock_gettime(CLOCK_$id)" cycles ns stated_ns &&
			stepped "clock_gettime(CLOCK_$id)" || return
	done
}

# coarse: checks the resolution of the coarse clock, which the kernel states: its timer tick
coarse()
{
	positive "clock_gettime(CLOCK_MONOTONIC_COARSE)" stated_ns &&
		[[ $said == *'"text":"clock_gettime(CLOCK_MONOTONIC_COARSE): steps of '* ]]
}

rdtsc_forward()
{
	[ "$(field rdtsc back)" = 0 ] && positive rdtsc step_ns
}

tool clocks -j
result "clocks succeeds" [ "$status" -eq 0 ]
result "all clocks of clock_gettime have costs and steps" all_clocks
result "rdtsc has a cost" positive rdtsc cycles ns
result "gettimeofday has a cost, and a step of a microsecond" \
	[ "$(field gettimeofday stated_ns)" = 1000.000 ]
result "ftime has a cost" positive ftime cycles ns
result "time has a cost" positive time cycles ns
result "ftime has steps of a millisecond" \
	[ "$(field ftime stated_ns)" = 1000000.000 ]
result "time has steps of a second" \
	[ "$(field time stated_ns)" = 1000000000.000 ]
result "the cost of clock_gettime(CLOCK_MONOTONIC) is within its interval" in_order "clock_gettime(CLOCK_MONOTONIC)"
result "rdtsc never goes backwards" rdtsc_forward
result "a warning names the clock that steps with the timer tick" coarse
if [ -e $source/current_clocksource ]; then
	result "clocks -j has the kernel's clocksource" \
		says "\"clocksource\":\"$(<$source/current_clocksource)\""
fi
tool clocks -C 0
result "clocks -C 0 compares no CPUs" \
	[ "$(grep -c '^CPUs' <<<"$said")" -eq 0 ]
result "clocks prints a table" says "a reading"
tool clocks -C 9999
result "clocks -C: an absent CPU is refused" says "CPU list '9999': CPU 9999 is absent"

# Not as root on this machine: the clocksource would be switched. tests/pmu/phi does it in a guest.
said=$(setpriv --reuid 65534 --clear-groups "$barepmu" clocks --clocksources 2>&1)
status=$?
result "clocks --clocksources: who may not switch the clocksource fails" [ "$status" -eq 1 ]
result "clocks --clocksources: the error says who may" \
	says "--clocksources: this user may not switch the kernel"
finish
