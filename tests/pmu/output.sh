#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A user notices if the output could not be written, as the tool then fails, and if an event was not
# counted, as its row is flagged.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

# lost COMMAND: runs a shell command whose output cannot be written
lost()
{
	run sh -c "$1"
	result "$1: exits with 1" [ "$status" -eq 1 ]
}

# flags WORD: prints the rows with that flag
flags()
{
	awk -F, -v word="$1" '$8 ~ word { nr++ } END { print nr + 0 }' "$out"
}

# kept COMMAND...: checks that COMMAND fails, and leaves the old file of -o unchanged
kept()
{
	echo old >"$out.old"
	run "$@"
	[ "$status" -ne 0 ] && [ "$(cat "$out.old")" = old ]
}

# replaced: checks that the old text of the file is gone, and that there are results in it
replaced()
{
	[ "$status" -eq 0 ] && ! grep -q '^old' "$out.old" && grep -q seconds "$out.old"
}

begin
load
cpu=$(last_cpu)
[ "$(part)" = ivb ] || skip_all "no Top-Down on this part"
lost 'barepmu stat --timeout 10 >&-'
lost 'barepmu stat --timeout 10 >/dev/full'
lost 'barepmu stat true 2>&-'
lost 'barepmu info >&-'
lost 'barepmu topdown -I 10 --timeout 50 -o /dev/full'
for command in stat topdown cpistack; do
	result "$command: an unknown program leaves the file of -o as it was" \
		kept barepmu "$command" -o "$out.old" -- /nosuch
done
run barepmu stat -o "$out.old" -- true
result "stat: new output replaces the file of -o" replaced
run barepmu stat -o "$out.old" --append -- true
result "stat --append: adds to the file of -o" [ "$(grep -c "seconds" "$out.old")" = 2 ]
run barepmu cpistack -r 3 -o - -- true
result "cpistack -r 3: one table of the stacks of three runs" \
	[ "$(grep -c "^CPI stacks on .* during 3 runs of 'true'; in " "$out")" = 1 ]
run barepmu cpistack -r 3 -x, -o - -- true
result "cpistack -r 3 -x: the rows have the number of runs" \
	grep -qE '^[0-9.]+,[^,]*,?[0-9-]+,3,base,' "$out"
run bash -c "trap '' CHLD; barepmu stat --pre true --post true -- true"
result "stat: --pre and --post succeed with an ignored SIGCHLD" [ "$status" -eq 0 ]

# The command waits for rows of intervals in the file of -o: they are written while it runs.
for command in stat topdown; do
	run barepmu "$command" -x, -I 10 -o "$out.now" -- sh -c \
		"for try in \$(seq 100); do [ \$(wc -l <$out.now) -lt 3 ] || exit 7; sleep 0.1; done"
	result "$command -I: intervals are written while the command runs" [ "$status" -eq 7 ]
done

run sh -c 'barepmu record -o - -- true | barepmu report -'
result "record -o - writes to the standard output, report - reads from the standard input" \
	grep -q "instructions" "$out"

# The session belongs to another process, whose name contains control characters.
foreign=$(printf 'b\033[31mx')
mkdir "$out.copy"
cp "$(command -v barepmu)" "$out.copy/$foreign"
"$out.copy/$foreign" stat -- sleep 1000 >"$out.stat" 2>&1 &
owner=$!
until barepmu info | grep -q ', of '; do
	sleep 0.1
done
for command in info check; do
	run barepmu "$command"
	result "$command: control characters in a process's name are replaced" \
		grep -q '?\[31mx, process' "$out"
done
kill "$owner"
wait "$owner" 2>/dev/null || :
run barepmu info
result "no session is left after the write errors" grep -q '^session *idle' "$out"

# An idle CPU has no timer ticks, which would end intervals: a recording has some intervals without
# samples, until the CPU wakes up.
barepmu record -o "$out.tick" --topdown 1 -I 10 --timer tick -C "$cpu" -- \
	taskset -c "$cpu" sh -c 'sleep 0.2; sleep 0.3' 2>/dev/null
run barepmu report -I 10 "$out.tick"
result "topdown: an interval without samples has one reason" \
	grep -q '^  no value: not counted;' "$out"
run barepmu report -x, -I 10 "$out.tick"
result "topdown -x: rows without samples have the flag missing" [ "$(flags missing)" -gt 0 ]
result "topdown -x: no row without samples has the flag divided-by-0" [ "$(flags divided-by-0)" -eq 0 ]
# If intervals are printed as they end, an interval without samples is part of the next one.
run barepmu topdown -x, -I 10 --timer tick --timeout 300 -C "$cpu"
result "topdown -x -I: all but the last row have samples" [ "$(grep -c missing "$out")" -le 4 ]
unload
finish
