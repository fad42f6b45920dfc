#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# N more iterations of a known loop are exactly N times its instructions,
# branches, loads and stores, on the first CPU and on the last; perf agrees.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

n=100000

# expected NAME: by n iterations
expected()
{
	count --per-iteration | tr ' ' '\n' |
		awk -F= -v name="$1" -v n=$n '$1 == name { print $2 * n }'
}

# measure CPU N: run the loop there, the tool elsewhere if it can be
measure()
{
	run taskset -c 0 barepmu stat -x, -e "$events" -C "$1" -- \
		taskset -c "$1" count "$2"
}

# exactly CPU NAME EVENT
exactly()
{
	result "CPU $1: $2 grow by exactly $(expected "$2")" [ \
		$(($(sum "$3" /tmp/twice) - $(sum "$3" /tmp/once))) -eq \
		"$(expected "$2")" ]
}

sum()
{
	awk -F, -v event="$1" '$3 == event { print $4 }' "$2"
}

on_cpu()
{
	measure "$1" $n
	cat "$out" "$err" >/tmp/once
	measure "$1" $((2 * n))
	cat "$out" "$err" >/tmp/twice
	for pair in $pairs; do
		exactly "$1" "${pair%%=*}" "${pair#*=}"
	done
}

perf_count()
{
	taskset -c 0 perf stat -a -C "$1" -x, -e "$perf_event" -- \
		taskset -c "$1" count "$2" 2>&1 >/dev/null |
		awk -F, '{ print $1; exit }'
}

# perf's own work in user space is the same in both runs
perf_agrees()
{
	once=$(perf_count "$1" $n)
	twice=$(perf_count "$1" $((2 * n)))
	result "CPU $1: perf says the same" \
		[ $((twice - once)) -eq "$(expected instructions)" ]
}

begin
load
# where things lie in memory decides how many steps the loader takes
echo 0 >/proc/sys/kernel/randomize_va_space
case $(part) in
ivb)
	pairs='instructions=INST_RETIRED.ANY:u
	branches=BR_INST_RETIRED.ALL_BRANCHES:u
	loads=MEM_UOPS_RETIRED.ALL_LOADS:u
	stores=MEM_UOPS_RETIRED.ALL_STORES:u'
	perf_event=instructions:u
	;;
knc)
	pairs='instructions=INSTRUCTIONS_EXECUTED:u branches=BRANCHES:u'
	perf_event=r16:u
	;;
*) skip_all "the loop's events are not known on this part" ;;
esac
events=$(for pair in $pairs; do echo "${pair#*=}"; done | tr '\n' ',')
events=${events%,}
set -- 0
[ "$(last_cpu)" -eq 0 ] || set -- 0 "$(last_cpu)"
# shellcheck disable=SC2086
ktap_set_plan $(($# * ($(echo $pairs | wc -w) + 1)))
for cpu; do
	on_cpu "$cpu"
	perf_agrees "$cpu"
done
unload
ktap_finished
