#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A user who prints intervals gets counts that add up to the total of the run. No other process
# may run on the measured CPU; even the one that carries this output out of the virtual machine
# would add 119 instructions a line.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

n=1000000

instructions()
{
	cat "$out" "$err" | awk -F, -v event="$event" \
		'$3 == event { sum += $4 } END { printf "%d\n", sum }'
}

begin
load
cpu=$(last_cpu)
[ "$cpu" -gt 0 ] || skip_all "the tool would count itself on the only CPU"
echo 0 >/proc/sys/kernel/randomize_va_space
case $(part) in
knc) event=INSTRUCTIONS_EXECUTED:u ;;
*) event=INST_RETIRED.ANY:u ;;
esac
taskset -c "$cpu" sh -c 'while :; do :; done' &
leave "$cpu"
run taskset -c 0 barepmu stat -x, -e $event -C "$cpu" -I 5 -- taskset -c "$cpu" count $n
once=$(instructions)
lines=$(cat "$out" "$err" | grep -c "$event")
run taskset -c 0 barepmu stat -x, -e $event -C "$cpu" -I 5 -- \
	taskset -c "$cpu" count $((2 * n))
twice=$(instructions)
kill $!
result "stat -I exits with 0" [ "$status" -eq 0 ]
result "stat -I prints several intervals" [ "$lines" -gt 1 ]
result "intervals add up to exactly the instructions of the loop" \
	[ $((twice - once)) -eq $((10 * n)) ]
unload
finish
