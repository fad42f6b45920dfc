#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A user who reports a recording of many CPUs gets the same output, however many threads read it.
# shellcheck source=tests/user/lib.sh
. "$(dirname "$0")/lib.sh"

with_recordings
big=$scratch/big
"$recordings/make-recording" big 16 40 "$big"

# same FILE OPTION...: checks that the output of four threads is that of one
same()
{
	local file=$1

	shift
	"$barepmu" report --threads 1 "$@" "$file" >"$scratch/one" 2>"$scratch/said"
	"$barepmu" report --threads 4 "$@" "$file" >"$scratch/four" 2>"$scratch/heard"
	[ -s "$scratch/one" ] || [ -s "$scratch/said" ] || return 1
	cmp "$scratch/one" "$scratch/four" && cmp "$scratch/said" "$scratch/heard"
}

result "four threads print the same report as one" same "$big"
result "four threads print the same intervals as one" same "$big" -I 400ms -x,
result "four threads print the same rows of CPUs as one" same "$big" -A -I 4s -x,
result "four threads print the same window of time as one" same "$big" --from 3.3 --to 30.7 -I 1s -j
result "four threads print the same selected CPUs as one" same "$big" -C 3,9-11 -I 1s -j
head -c 1500000 "$big" >"$scratch/cut"
result "four threads print the same of a truncated file as one" same "$scratch/cut" -I 1s -x,
result "four threads: the warning says where the file is cut off" grep -q "was cut off after" "$scratch/heard"
cp "$big" "$scratch/bad"
printf '\377\377\377' | dd of="$scratch/bad" bs=1 seek=1000000 conv=notrunc status=none
result "four threads print the same of a damaged file as one" same "$scratch/bad" -I 1s -x,
result "four threads: the error has the offset of the damage" grep -q "wrong checksum of a block at offset" \
	"$scratch/heard"

# "eval" must compute from the multiplexed counts of "report" the values that "report" has, for
# metrics whose events are in one group each, although the cycles of the groups differ by 20 %.
nodes=Fetch_Latency_Bound,Bad_Speculation,Branch_Mispredicts,Retiring,BASE,MicroSequencer,Memory_Bound,Stores_Bound,Core_Bound
# values_of METRIC-COLUMN VALUE-COLUMN: prints names and values of nodes in CSV
values_of()
{
	awk -F, -v name="$1" -v value="$2" -v nodes=",$nodes," \
		'index(nodes, "," $name ",") && $value ~ /[0-9]/ { print $name, $value }' | sort
}
evaluates()
{
	local format=$1

	"$barepmu" report "$format" -M "$nodes" "$recordings/topdown.rec" >"$scratch/counts"
	"$barepmu" eval --part ivb -x, -M "$nodes" "$scratch/counts" >"$scratch/evaluated" || return 1
	"$barepmu" report -x, -M "$nodes" "$recordings/topdown.rec" | values_of 18 20 >"$scratch/own"
	values_of 2 4 <"$scratch/evaluated" >"$scratch/derived"
	[ "$(wc -l <"$scratch/own")" = 9 ] && diff "$scratch/own" "$scratch/derived"
}
result "eval of CSV of multiplexed counts has the command's metrics" evaluates -x,
result "eval of JSON of multiplexed counts has the command's metrics" evaluates -j
# flagged: checks that metrics of one group are not flagged "mixed-groups", and those of several are
flagged()
{
	[ "$(awk -F, '/mixed-groups/ { print $2 }' "$scratch/evaluated" | sort | tr '\n' ' ')" = \
		"BASE Branch_Mispredicts Core_Bound Memory_Bound MicroSequencer Stores_Bound " ]
}
result "eval flags the metrics of several groups, and no others" flagged
# Counts without the column that has the cycles of their groups.
"$barepmu" report -x, -M Retiring "$recordings/topdown.rec" | cut -d, -f1-8 >"$scratch/counts"
tool eval --part ivb -x, -M Retiring "$scratch/counts"
result "eval without the groups' cycles says so" says ",mixed-groups,"

# threads FILE: checks that as many threads start as were asked for, if there is work for them
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

result "--threads 5 starts five threads" threads "$big"

standard_input()
{
	cmp <("$barepmu" report - <"$recordings/knc.rec") \
		<("$barepmu" report "$recordings/knc.rec")
}

result "report - reads from the standard input" standard_input
tool report --threads 0 "$big"
result "--threads 0 is refused" says "--threads '0': not a number from 1 to 1024"

# says_that_it_waits: a pipe whose writer comes late: the notice of waiting must not wait for it
says_that_it_waits()
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

result "a named pipe: the tool says what it waits for" says_that_it_waits
tool report <(cat "$big")
result "an open pipe: the tool does not say that it waits" [ "${said#*waiting}" = "$said" ]
result "an open pipe: the recording is read" says "Flagged: Backend_Bound"
tool report --diff "$big" "$scratch/pipe"
result "a pipe among several files is refused" says "pipe: is a pipe, which can be read only once; copy it to a file"

# in_files OPTION...: checks that the output for several files is that for one
"$recordings/make-recording" big 16 40 "$scratch/part" 10
in_files()
{
	"$barepmu" report "$@" "$big" >"$scratch/one" 2>&1
	"$barepmu" report "$@" "$scratch"/part* >"$scratch/four" 2>&1
	"$barepmu" report "$@" "$scratch"/part.{3,1,2} "$scratch/part" \
		>"$scratch/backwards" 2>&1
	[ -s "$scratch/one" ] || return 1
	cmp "$scratch/one" "$scratch/four" && cmp "$scratch/one" "$scratch/backwards"
}

result "make-recording writes four files" [ "$(echo "$scratch"/part*)" = \
	"$scratch/part $scratch/part.1 $scratch/part.2 $scratch/part.3" ]
result "four files yield the report of one" in_files
result "four files yield the intervals of one" in_files -I 1s
result "four files yield the window of time of one" in_files --from 40% --to 80%
tool report "$scratch/part" "$scratch/part.3"
result "samples of a missing file are reported as lost" says "samples lost"
tool report "$scratch/part.1" "$scratch/part.2"
result "two of four files are reported alone" says "in 19.9"
tool report "$big" "$scratch/part.1"
result "a file of another recording is refused" says "is a recording of its own"
head -c 300000 "$scratch/part.1" >"$scratch/cut"
tool report "$scratch/part" "$scratch/cut" "$scratch/part.2"
result "a truncated file before others is refused" says "report each alone"
tool report --html "$scratch/page" "$scratch"/part*
if [ -e "$top/build/uplot/uPlot.iife.min.js" ]; then
	result "--html: the page of four files is of one recording" \
		grep -q '"topdown":{"nodes"' "$scratch/page"
fi

# same_verdict NODE: checks that the line of NODE and the verdict are those of the report
same_verdict()
{
	"$barepmu" report "$recordings/topdown.rec" >"$scratch/one" || return 1
	"$barepmu" explain "$1" "$recordings/topdown.rec" >"$scratch/four" || return 1
	grep -q '^Flagged: .* > ' "$scratch/one" &&
		cmp <(grep -e '^Flagged: ' -e "^ *$1 .*%" "$scratch/one") \
			<(grep -e '^Flagged: ' -e "^ *[A-Z].* % of " "$scratch/four")
}

for node in Frontend_Bound Memory_Bound L2_Bound; do
	result "explain $node: its value and the verdict are those of report" same_verdict $node
done
finish
