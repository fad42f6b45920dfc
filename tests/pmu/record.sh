#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A user who records now and reports later gets the results of a user who measures at once.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

n=1000000
file=/tmp/recording
more=/tmp/recording.more
parts=/tmp/parts

# tool WORD...: runs the tool on CPU 0, not on the CPU that is measured
tool()
{
	run taskset -c 0 barepmu "$@"
}

# sum: prints the sum of the counts of the event in the printed rows
sum()
{
	cat "$out" "$err" | awk -F, -v event="$event" \
		'$3 == event { sum += $4 } END { printf "%d\n", sum }'
}

rows()
{
	cat "$out" "$err" | grep -c "$event"
}

# record_loop FILE TIMES: records TIMES iterations of the loop
record_loop()
{
	tool record -o "$1" -I 5 -e "$event" -C "$cpu" -- \
		taskset -c "$cpu" count "$2"
}

reported()
{
	run barepmu report -x, "$@"
	sum
}

same_as_whole()
{
	[ "$status" -eq 0 ] && [ "$(sum)" -eq "$whole" ]
}

# halves_add_up: checks that the counts of both halves of the time add up to the total
halves_add_up()
{
	first=$(reported --to 50% "$file")
	second=$(reported --from 50% "$file")
	[ $((first + second)) -eq "$whole" ]
}

# flip OFFSET: makes a copy of the recording with one bit at OFFSET flipped
flip()
{
	cp "$file" "$more"
	byte=$(od -An -tu1 -j "$1" -N 1 "$file")
	# shellcheck disable=SC2059
	printf "\\$(printf %o $((byte ^ 4)))" |
		dd of="$more" bs=1 seek="$1" conv=notrunc 2>/dev/null
}

# record_parts OPTION...: records two loops with pauses before, between and after them, into several
# files; the tool fetches samples every two seconds
record_parts()
{
	rm -f "$parts".*
	tool record -o "$parts" -I 2 -e "$event" -C "$cpu" "$@" -- sh -c "sleep 2.2
		taskset -c $cpu count $n; sleep 2.2; taskset -c $cpu count $n; sleep 2.2"
}

# same_as_one FILES: checks that there are at least FILES files, which together yield what one did
same_as_one()
{
	ls "$parts".* >"$out" && [ "$(wc -l <"$out")" -ge "$1" ] &&
		[ "$(reported "$parts".*)" -eq "$both" ] && [ ! -s "$err" ]
}

# each_is_whole: checks that each file can be read alone, and that none contains everything
each_is_whole()
{
	for part in "$parts".*; do
		each=$(reported "$part")
		[ ! -s "$err" ] && [ "$each" -lt "$both" ] || return
	done
}

begin
load
cpu=$(last_cpu)
[ "$cpu" -gt 0 ] || skip_all "the tool would count itself on the only CPU"
leave "$cpu"
echo 0 >/proc/sys/kernel/randomize_va_space
case $(part) in
knc)
	event=INSTRUCTIONS_EXECUTED:u
	asked="-e $event"
	;;
*)
	event=INST_RETIRED.ANY:u
	asked="-M TopdownL1 -e $event"
	;;
esac

# On a guest with a KNC, a program executes 42 instructions more before the first report than later,
# whatever counts it. The reason is unknown and not under test here: one report is made in advance.
record_loop "$file" 1
reported "$file" >/dev/null
record_loop "$file" $n
result "record exits with 0" [ "$status" -eq 0 ]
whole=$(reported "$file")
record_loop "$more" $((2 * n))
twice=$(reported "$more")
result "reports differ by exactly the instructions of the loop" \
	[ $((twice - whole)) -eq $((10 * n)) ]
tool stat -x, -e "$event" -C "$cpu" -- taskset -c "$cpu" count $n
counted=$(sum)
result "stat counts the same as the recording" [ "$counted" -eq "$whole" ]
run barepmu report -x, -I 10 "$file"
result "intervals add up to the total" same_as_whole
result "report -I prints several intervals" [ "$(rows)" -gt 1 ]
run barepmu report -x, -e "$event" -A -C "$cpu" "$file"
result "rows of the CPU add up to the total" same_as_whole
result "two halves of the time add up to the total" halves_add_up

run barepmu report --diff -x, -I 5 "$file" "$more"
result "--diff: differences of the event are printed" grep -q "^$cpu,$event," "$out"

size=$(wc -c <"$file")
head -c $((size - 30)) "$file" >"$more"
run barepmu report "$more"
result "a file that is cut off is read with a warning" \
	grep -q 'was cut off after' "$err"
flip $((size - 40))
run barepmu report "$more"
result "a damaged file is refused, with the offset" refused "at offset "
run barepmu report -e "$event,cycles:k" "$file"
result "events that were not recorded are refused" refused "was not recorded"

record_parts
both=$(reported "$parts")
result "a recording of two loops has the instructions of both" [ "$both" -gt $((20 * n)) ]
record_parts --switch-output 4K
result "--switch-output 4K: no sample is lost between files" same_as_one 3
result "--switch-output 4K: each file is complete" each_is_whole
record_parts --switch-output 1s
result "--switch-output 1s: no sample is lost between files" same_as_one 3
record_parts --switch-output 1s --switch-max-files 2
ls "$parts".* >"$out"
result "--switch-max-files: the last two files are kept" [ "$(wc -l <"$out")" -eq 2 ]
rm -f "$parts" "$parts".*

case $(part) in
knc)
	run taskset -c 0 barepmu record --phi -o "$file" -- "$here/alu" 20
	run barepmu report --per-card -x, "$file"
	result "report --per-card prints the Xeon Phi's metrics" \
		grep -q Average_CPI_per_Thread "$out"
	;;
*)
	run taskset -c 0 barepmu record --topdown 2 -C "$cpu" -o "$file" -- \
		taskset -c "$cpu" "$here/chase" 2
	run barepmu report -M TopdownL1 --per-core -x, "$file"
	result "report --per-core prints the Top-Down tree" grep -q Backend_Bound "$out"
	;;
esac
# shellcheck disable=SC2086
run taskset -c 0 barepmu record $asked -o "$file" -- true
run barepmu report --header "$file"
result "report --header names the command" grep -q '^command  *true' "$out"
result "report --header has the arguments" \
	grep -q "^asked  *stat $asked" "$out"

run taskset -c 0 barepmu stat -r 3 -x, -e "$event" -C "$cpu" -- \
	taskset -c "$cpu" count $n
result "stat -r 3: the row has the number of runs" [ "$(cat "$out" "$err" | awk -F, \
	-v event="$event" '$2 == event { print $6 }')" -eq 3 ]
rm -f "$file" "$more"
unload
finish
