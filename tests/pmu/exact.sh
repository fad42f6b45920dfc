#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A user who counts a loop gets exact counts: N more iterations are N times the instructions,
# branches, loads and stores of one, on the first and on the last CPU, as with perf.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

n=100000

# expected NAME: prints the count of NAME in n iterations
expected()
{
	count --per-iteration | tr ' ' '\n' |
		awk -F= -v name="$1" -v n=$n '$1 == name { print $2 * n }'
}

# other CPU: prints the number of another CPU, if there is one, for the tool to run on
other()
{
	if [ "$1" -eq 0 ]; then
		last_cpu
	else
		echo 0
	fi
}

# measure CPU N: counts N iterations of the loop on CPU; the tool runs on another one if possible
measure()
{
	run taskset -c "$(other "$1")" barepmu stat -x, -e "$events" -C "$1" -- \
		taskset -c "$1" count "$2"
}

# Both loops alternate, because the number of the tool's own instructions may change at some time,
# which matters if there is only one CPU.
repeat()
{
	rm -f /tmp/once /tmp/twice
	for _ in 1 2 3 4 5; do
		measure "$1" $n
		cat "$out" "$err" >>/tmp/once
		measure "$1" $((2 * n))
		cat "$out" "$err" >>/tmp/twice
	done
}

# exactly CPU NAME EVENT: checks that the counts of EVENT of both loops differ by those of n
# iterations
exactly()
{
	# shellcheck disable=SC2046
	echo "# $2:" $(values "$3" /tmp/once) to $(values "$3" /tmp/twice)
	result "CPU $1: $2 grow by exactly $(expected "$2")" [ \
		$(($(least "$3" /tmp/twice) - $(least "$3" /tmp/once))) -eq \
		"$(expected "$2")" ]
}

# values EVENT FILE: prints the different counts of EVENT, in ascending order
values()
{
	awk -F, -v event="$1" '$3 == event { print $4 }' "$2" | sort -n | uniq
}

# least EVENT FILE: prints the smallest count of EVENT
least()
{
	values "$@" | head -n 1
}

on_cpu()
{
	repeat "$1"
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

# perf_agrees: perf's counts in user space differ by n iterations, too, as all else it executes
# there is the same in both runs
perf_agrees()
{
	rm -f /tmp/once /tmp/twice
	for _ in 1 2 3 4 5; do
		perf_count "$1" $n >>/tmp/once
		perf_count "$1" $((2 * n)) >>/tmp/twice
	done
	once=$(sort -n /tmp/once | head -n 1)
	twice=$(sort -n /tmp/twice | head -n 1)
	result "CPU $1: perf's instructions grow by exactly $(expected instructions)" \
		[ $((twice - once)) -eq "$(expected instructions)" ]
}

begin
load
# The number of the program loader's instructions depends on the memory layout, which is fixed here.
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
for cpu; do
	on_cpu "$cpu"
	perf_agrees "$cpu"
done
unload
finish
