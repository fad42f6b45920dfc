#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Usage: truth.sh KERNEL
#
# Holds what the tool says against the virtual PMU's own totals for the same CPU
# and time, on one CPU and on four. Runs on the host: the totals are written
# when the virtual machine has gone.
set -eu

top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
number=0
failed=0

# truth KEY RING...: of the first window of that CPU
truth()
{
	key=$1
	shift
	line=$(sed -n '/"windows"/,/^\]/p' "$work/truth" |
		grep -m1 "\"cpu\": $cpu,")
	for ring; do
		echo "$line" | sed "s/.*\"$ring\": {//" |
			grep -o "\"$key\": [0-9]*" | head -n 1
	done | awk '{ sum += $2 } END { printf "%.0f\n", sum }'
}

same()
{
	number=$((number + 1))
	if [ -n "$2" ] && [ "$2" = "$3" ]; then
		echo "ok $number $cpus CPUs: $1: $2"
		return
	fi
	echo "not ok $number $cpus CPUs: $1: $2, virtual PMU: $3"
	failed=1
}

# measure EVENTS PROGRAM: on the last CPU
measure()
{
	"$top/tests/vm/run" --kernel "$kernel" --smp "$cpus" \
		--truth "$work/truth" --add "$top/build/workload/$2" -- \
		"insmod /lib/barepmu.ko && barepmu stat -x, -C $cpu -e '$1' -- \
			taskset -c $cpu ./$2" 2>"$work/csv" || cat "$work/csv"
}

tool()
{
	awk -F, -v event="$1" '$3 == event { print $4 }' "$work/csv"
}

exact_events()
{
	measure "INST_RETIRED.ANY:u,MEM_UOPS_RETIRED.ALL_LOADS:u,\
MEM_UOPS_RETIRED.ALL_STORES:u,INST_RETIRED.ANY_P" count
	same "instructions, user" "$(tool INST_RETIRED.ANY:u)" \
		"$(truth instructions user)"
	same "loads, user" "$(tool MEM_UOPS_RETIRED.ALL_LOADS:u)" \
		"$(truth loads user)"
	same "stores, user" "$(tool MEM_UOPS_RETIRED.ALL_STORES:u)" \
		"$(truth stores user)"
	same "instructions" "$(tool INST_RETIRED.ANY_P)" \
		"$(truth instructions kernel user)"
}

# with these the four categories of level 1 are fixed
slot_events()
{
	idq=IDQ_UOPS_NOT_DELIVERED.CORE
	measure "CPU_CLK_UNHALTED.THREAD,$idq,$idq:[>=4],UOPS_ISSUED.ANY,\
UOPS_RETIRED.RETIRE_SLOTS" fetch
	same "cycles" "$(tool CPU_CLK_UNHALTED.THREAD)" \
		"$(truth cycles kernel user)"
	same "fetch bubbles" "$(tool $idq)" "$(truth bubbles kernel user)"
	same "cycles with four bubbles" "$(tool "$idq:[>=4]")" \
		"$(truth cycles_with_4_bubbles kernel user)"
	same "slots issued" "$(tool UOPS_ISSUED.ANY)" \
		"$(truth issued kernel user)"
	same "slots retired" "$(tool UOPS_RETIRED.RETIRE_SLOTS)" \
		"$(truth retired kernel user)"
}

kernel=${1:-6.1}
echo "TAP version 13"
echo "1..18"
for cpus in 1 4; do
	cpu=$((cpus - 1))
	exact_events
	slot_events
done
exit $failed
