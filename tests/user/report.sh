#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# "report" of a recording of many CPUs: the output does not depend on the number of
# threads.
# shellcheck source=tests/user/lib.sh
. "$(dirname "$0")/lib.sh"

with_recordings
big=$scratch/big
"$recordings/make-recording" big 16 40 "$big"

# same FILE OPTION...: compares the output of four threads with that of one
same()
{
	local file=$1

	shift
	"$barepmu" report --threads 1 "$@" "$file" >"$scratch/one" 2>"$scratch/said"
	"$barepmu" report --threads 4 "$@" "$file" >"$scratch/four" 2>"$scratch/heard"
	[ -s "$scratch/one" ] || [ -s "$scratch/said" ] || return 1
	cmp "$scratch/one" "$scratch/four" && cmp "$scratch/said" "$scratch/heard"
}

result "threads: one result" same "$big"
result "threads: intervals" same "$big" -I 400ms -x,
result "threads: CPUs" same "$big" -A -I 4s -x,
result "threads: a window" same "$big" --from 3.3 --to 30.7 -I 1s -j
result "threads: some CPUs" same "$big" -C 3,9-11 -I 1s -j
head -c 1500000 "$big" >"$scratch/cut"
result "threads: a file that was cut off" same "$scratch/cut" -I 1s -x,
result "threads: the warning says where it is cut off" grep -q "was cut off after" "$scratch/heard"
cp "$big" "$scratch/bad"
printf '\377\377\377' | dd of="$scratch/bad" bs=1 seek=1000000 conv=notrunc status=none
result "threads: a damaged file" same "$scratch/bad" -I 1s -x,
result "threads: the error has the offset of the damage" grep -q "wrong checksum of a block at offset" \
	"$scratch/heard"

# threads FILE: checks that as many threads as requested start if there is work
threads()
{
	local i

	mkfifo "$scratch/pipe"
	"$barepmu" report --threads 5 -I 1s "$scratch/pipe" >/dev/null 2>&1 &
	{ head -c 1500000 "$1"; for ((i = 0; i < 600; i++)); do
		grep -q -P '^Threads:\t5$' "/proc/$!/status" && break
		sleep 0.1
	done; } >"$scratch/pipe"
	wait $!
	[ "$i" -lt 600 ]
}

result "threads: there are as many as are asked for" threads "$big"
tool report --threads 0 "$big"
result "threads: none is refused" says "--threads '0': not a number from 1 to 1024"

# A writer that comes after the notice: the notice does not wait for it.
waits_aloud()
{
	local i

	"$barepmu" report "$scratch/pipe" >"$scratch/one" 2>"$scratch/said" &
	for ((i = 0; i < 600; i++)); do
		grep -q "pipe: is a named pipe; waiting until a program writes to it" \
			"$scratch/said" && break
		sleep 0.1
	done
	cat "$big" >"$scratch/pipe"
	wait $! && [ "$i" -lt 600 ] && [ -s "$scratch/one" ]
}

result "a named pipe: says what it waits for" waits_aloud
tool report <(cat "$big")
result "an open pipe: waits for nothing" [ "${said#*waiting}" = "$said" ]
result "an open pipe: is read" says "Flagged: Backend_Bound"
tool report --diff "$big" "$scratch/pipe"
result "a pipe among several files is refused" says "pipe: is a pipe, which can be read only once; copy it to a file"

# parts OPTION...: compares the output for several files with that for one
"$recordings/make-recording" big 16 40 "$scratch/part" 10
parts()
{
	"$barepmu" report "$@" "$big" >"$scratch/one" 2>&1
	"$barepmu" report "$@" "$scratch"/part* >"$scratch/four" 2>&1
	"$barepmu" report "$@" "$scratch"/part.{3,1,2} "$scratch/part" \
		>"$scratch/backwards" 2>&1
	[ -s "$scratch/one" ] || return 1
	cmp "$scratch/one" "$scratch/four" && cmp "$scratch/one" "$scratch/backwards"
}

result "files: there are four" [ "$(echo "$scratch"/part*)" = \
	"$scratch/part $scratch/part.1 $scratch/part.2 $scratch/part.3" ]
result "files: one result" parts
result "files: intervals across them" parts -I 1s
result "files: a window" parts --from 40% --to 80%
tool report "$scratch/part" "$scratch/part.3"
result "files: samples of a missing file are reported as lost" says "samples lost"
tool report "$scratch/part.1" "$scratch/part.2"
result "files: some of them" says "in 19.9"
tool report "$big" "$scratch/part.1"
result "files: another recording is refused" says "is a recording of its own"
head -c 300000 "$scratch/part.1" >"$scratch/cut"
tool report "$scratch/part" "$scratch/cut" "$scratch/part.2"
result "files: one that was cut off before others is refused" says "report each alone"
tool report --html "$scratch/page" "$scratch"/part*
if [ -e "$top/build/uplot/uPlot.iife.min.js" ]; then
	result "files: their page is of one recording" \
		grep -q '"topdown":{"nodes"' "$scratch/page"
fi
