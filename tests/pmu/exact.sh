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

# other CPU: one that is not measured, if there is one
other()
{
	if [ "$1" -eq 0 ]; then
		last_cpu
	else
		echo 0
	fi
}

# measure CPU N: run the loop there, the tool elsewhere if it can be
measure()
{
	run taskset -c "$(other "$1")" barepmu stat -x, -e "$events" -C "$1" -- \
		taskset -c "$1" count "$2"
}

# repeat CPU N: the tool itself may take some more steps on an only CPU
repeat()
{
	for _ in 1 2 3 4 5; do
		measure "$@"
		cat "$out" "$err"
	done
}

# exactly CPU NAME EVENT
exactly()
{
	result "CPU $1: $2 grow by exactly $(expected "$2")" [ \
		$(($(least "$3" /tmp/twice) - $(least "$3" /tmp/once))) -eq \
		"$(expected "$2")" ]
}

# least EVENT FILE
least()
{
	awk -F, -v event="$1" '$3 == event { print $4 }' "$2" | sort -n |
		head -n 1
}

on_cpu()
{
	repeat "$1" $n >/tmp/once
	repeat "$1" $((2 * n)) >/tmp/twice
	for pair in $pairs; do
		exactly "$1" "${pair%%=*}" "${pair#*=}"
	done
}

perf_count()
{
	taskset -c "$(other "$1")" perf stat -a -C "$1" -x, -e "$perf_event" -- \
		taskset -c "$1" count "$2" 2>&1 >/dev/null |
		awk -F, '{ print $1; exit }'
}

# the least of some runs, as above
least_perf_count()
{
	for _ in 1 2 3 4 5; do
		perf_count "$@"
	done | sort -n | head -n 1
}

# perf's own work in user space is the same in both runs
perf_agrees()
{
	once=$(least_perf_count "$1" $n)
	twice=$(least_perf_count "$1" $((2 * n)))
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
