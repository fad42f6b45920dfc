#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A user who shares a CPU between two programs gets the counts of each as if it ran alone, within
# the error of the interval: counts are attributed to the code that samples interrupted.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

file=/tmp/recording
pids=/tmp/pids

# tool WORD...: runs the tool on CPU 0, not on the CPU that is measured
tool()
{
	run taskset -c 0 barepmu "$@"
}

# rows_of KEY: prints the rows of the event, as "count label"
rows_of()
{
	barepmu report --by "$1" -e "$event" -x '|' "$file" |
		awk -F'|' -v event="$event" '$5 == event { print $6, $2 }'
}

# count_of LABEL: prints the count of the row LABEL on the standard input
count_of()
{
	awk -v label="$1" '{ count = $1; $1 = ""; sub(/^ /, "") }
		$0 == label { print count }'
}

total()
{
	awk '{ sum += $1 } END { printf "%d\n", sum }'
}

# alone COMMAND...: prints the count of the program alone, including its start
alone()
{
	tool stat -x, -e "$event" -C "$cpu" -- taskset -c "$cpu" "$@"
	counted "$event"
}

# error TRUE FOUND: prints the difference in tenths of a per cent
error()
{
	echo $(((${2:-0} - $1) * 1000 / $1)) | tr -d -
}

# together INTERVAL: records both programs on the same CPU
together()
{
	tool record --who -I "$1" -e "$event" -C "$cpu" -o "$file" -- sh -c "
		taskset -c $cpu '$here/alu' $alu_n &
		echo \$! >$pids
		taskset -c $cpu count $count_n
		wait"
}

# attributed INTERVAL LIMIT: checks that the errors of both programs are below LIMIT, and prints
# them
attributed()
{
	together "$1"
	rows_of comm >/tmp/rows
	alu_error=$(error "$alu_true" "$(count_of alu </tmp/rows)")
	count_error=$(error "$count_true" "$(count_of count </tmp/rows)")
	echo "# $1: errors of $alu_error and $count_error tenths of a per cent"
	result "-I $1: each of two programs gets the count that it has alone, within $(($2 / 10)) %" \
		[ "$alu_error" -le "$2" -a "$count_error" -le "$2" ]
	result "-I $1: rows by command add up to the total" [ "$(total </tmp/rows)" -eq \
		"$(barepmu report -e "$event" -x, "$file" |
		awk -F, -v event="$event" '$3 == event { print $4 }')" ]
}

# in_rows KEY PATTERN: checks that a row by KEY matches PATTERN
in_rows()
{
	rows_of "$1" >"$out"
	grep -qE "$2" "$out"
}

# The tool is stopped while these programs run, so that it does not see them end; each runs for many
# intervals of any length.
short_ones()
{
	tool record --who -I 1 -e "$event" -C "$cpu" -o "$file" -- \
		taskset -c "$cpu" sh -c "
		kill -STOP \$PPID
		until grep -q '^State:.T' /proc/\$PPID/status; do :; done
		count 5000000
		count 5000000
		kill -CONT \$PPID"
}

begin
load
cpu=$(last_cpu)
[ "$cpu" -gt 0 ] || skip_all "the tool would count itself on the only CPU"
leave "$cpu"
case $(part) in
knc) event=INSTRUCTIONS_EXECUTED:u ;;
*) event=INST_RETIRED.ANY:u ;;
esac

# So many time slices average out the error of 10 ms intervals, which are longer than a slice.
alu_n=9000000
count_n=30000000
alu_true=$(alone "$here/alu" $alu_n)
count_true=$(alone count $count_n)
attributed 10ms 400
attributed 1ms 100
result "report --by pid: a process has its number" \
	in_rows pid " $(cat $pids) alu$"
result "report --by symbol: a function has its name" in_rows symbol ' main \[alu\]$'
tool report --by symbol "$file"
result "report --by symbol: the last line refers to LIMITS" \
	sh -c "tail -n 1 '$out' | grep -q 'see LIMITS'"

tool record --who -I 1 -e cycles -C "$cpu" -o "$file" -- \
	taskset -c "$cpu" dd if=/dev/zero of=/dev/null bs=1M count=300
event=cycles
result "report --by symbol: functions of the kernel have names" \
	in_rows symbol '^[0-9]+ [a-z_0-9.]+ \[kernel\]$'
kptr=$(cat /proc/sys/kernel/kptr_restrict)
echo 2 >/proc/sys/kernel/kptr_restrict
tool record --who -I 1 -e cycles -C "$cpu" -o "$file" -- \
	taskset -c "$cpu" dd if=/dev/zero of=/dev/null bs=1M count=300
echo "$kptr" >/proc/sys/kernel/kptr_restrict
result "report --by symbol: names that kptr_restrict hides are marked as hidden" \
	in_rows symbol '^[0-9]+ \[kernel, hidden\]$'
run barepmu report --by symbol "$file"
result "report --by symbol: the remedy for hidden names is printed once" \
	[ "$(grep -c 'set kernel.kptr_restrict to 0' "$out")" -eq 1 ]
tool record --who -I 1 -e cycles -C "$cpu" -o "$file" -- sleep 0.1
run barepmu report --by comm "$file"
result "report --by comm: a CPU without a program is [idle]" grep -q '\[idle\]$' "$out"
short_ones
result "report --by symbol: a process that ended before it was looked up has its name" \
	in_rows symbol ' \[count, ended\]$'

tool record --who --timer tick -o "$file" -- true
result "record --who: --timer tick is refused" refused "samples of the timer tick cannot name"
tool record -o "$file" -- true
run barepmu report --by comm "$file"
result "report --by comm: a recording without --who is refused" refused "record with --who"
run barepmu report --by cpu "$file"
result "report --by cpu: a recording without --who is accepted" [ "$status" -eq 0 ]
run barepmu report --by comm -I 10 "$file"
result "report --by comm: -I is refused" refused "not with -A"

case $(part) in
knc)
	tool record --who --phi -C "$cpu" -o "$file" -- \
		taskset -c "$cpu" "$here/alu" 2000000
	run barepmu report --by comm -x, "$file"
	result "report --by comm: a program has the Xeon Phi's metrics" \
		grep -q ',alu,.*Average_CPI_per_Thread' "$out"
	;;
*)
	tool record --who --topdown 1 -I 1 -C "$cpu" -o "$file" -- \
		taskset -c "$cpu" "$here/alu" 2000000
	run barepmu report --by comm -x, "$file"
	result "report --by comm: a program has Top-Down categories" \
		grep -q ',alu,.*Retiring' "$out"
	;;
esac
rm -f "$file" "$pids" /tmp/rows
unload
finish
