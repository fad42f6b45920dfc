#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Wrong calls of the tool that need no module: what is said, and the exit
# status; and that help and manual have all options that there are.
# shellcheck source=tests/user/lib.sh
. "$(dirname "$0")/lib.sh"

commands="check clocks list errata info stat topdown cpistack phi top record report"
commands+=" eval serve"
with_recordings
printf 'cycles,instructions\n1000,2000\n' >"$scratch/counts"

# options COMMAND: the long ones that its source has
options()
{
	local file files

	file=$(find "$top/user/tool" -name "cmd_$1.c")
	files=$file
	! grep -q BPMU_LONG_OPTIONS "$file" || files+=" $top/user/tool/options.h"
	# shellcheck disable=SC2086
	grep -oh '{ "[a-z-]\{2,\}", [a-z]*_argument' $files | cut -d'"' -f2 |
		sort -u
}

# helped COMMAND: those that its help has
helped()
{
	"$barepmu" "$1" --help | sed -n '/^ \+-/p' |
		grep -oE -- '(^|[ ,])--[a-z][a-z-]*' | sed 's/.*--//' | sort -u
}

# names for perf's users, and options that only refuse
all_helped()
{
	[ "$(options "$1" | grep -vxE "interval-print|json-output|$2")" = \
		"$(helped "$1" | grep -vxE 'interval-print|json-output')" ]
}

all_described()
{
	local option

	for option in $(options "$1"); do
		grep -qF -- "--$option" "$top/user/man/barepmu.8.scd" ||
			{ echo "# --$option"; return 1; }
	done
}

# wrong STATUS TEXT WORD...: the first line that is said contains the text
wrong()
{
	local wanted=$1 text=$2

	shift 2
	tool "$@"
	[ "$status" -eq "$wanted" ] && says "$text"
}

# unwritten WORD...: nobody takes what it prints
unwritten()
{
	status=0
	said=$("$barepmu" "$@" 2>&1 >/dev/full) || status=$?
	[ "$status" -eq 1 ] && says "output: not written; is there room?"
}

for command in $commands; do
	none=-
	[ "$command" != report ] || none="all-cpus|timer|take-over|timeout"
	result "$command: help has each option" all_helped "$command" "$none"
	result "$command: so has the manual" all_described "$command"
done
result "help: help helps" wrong 0 "Usage: barepmu COMMAND" help help
result "help: an option of it" wrong 0 "Usage: barepmu COMMAND" help --help
result "an unknown command" wrong 2 "'nosuch': not known; see" nosuch
result "nearly a command" wrong 2 "did you mean topdown?" topdwon
result "an unknown option" wrong 2 \
	"option '--nosuch': not known, or short for more than one; see" \
	stat --nosuch
result "short for several options" wrong 2 "option '--in': not known, or short" \
	stat --in 5
result "an option without its value" wrong 2 \
	"option '--event': its value is missing; see" stat --event
result "a value where there is none" wrong 2 \
	"option '--json=1': takes no value; see" stat --json=1
result "an unknown letter" wrong 2 "option '-Z': not known, or its value" stat -Z
for word in maybe -1 0xffffffff; do
	result "no prefetchers: '$word'" wrong 2 \
		"--prefetchers: '$word' is neither on, off nor a number;" \
		stat --prefetchers "$word" true
done
result "a CPU that no machine has" wrong 1 \
	"CPU list '9999': CPU 9999 is absent or offline; online are 0" \
	stat -C 9999 true
result "no list of CPUs" wrong 1 "CPU list '9999-': not understood;" \
	stat -C 9999- true
result "a CPU that no recording has" wrong 1 \
	"CPU list '9999': not all are in $recordings/topdown.rec; choose of 0" \
	report -C 9999 "$recordings/topdown.rec"
for time in -5 0 nan 1e99 10x ''; do
	result "no time: '$time'" wrong 2 "-I '$time': not a time; write" \
		stat -I "$time"
done
result "too short a time" wrong 2 "-I '1us': too short" stat -I 1us
result "a level of record" wrong 2 "--topdown '9': no such level" \
	record -o "$scratch/none" --topdown 9
result "a level that there is not" wrong 1 \
	"level 9: these metrics have levels 1 to 4;" \
	eval --part ivb -l 9 "$scratch/counts"
result "no such names" wrong 1 "none of the events of ivb matches 'nosuch'" \
	list --part ivb events nosuch
result "a directory of counts" wrong 1 "$scratch: reading failed; is it a file?" \
	eval --part ivb "$scratch"
: >"$scratch/empty"
result "no counts" wrong 1 "empty: is empty;" eval --part ivb "$scratch/empty"
result "no recording" wrong 1 "empty: is no recording;" report "$scratch/empty"
for option in --timer=hard --timeout=1s --take-over; do
	result "report: $option" wrong 2 \
		"report: --timer, --take-over and --timeout are for 'barepmu record';" \
		report $option "$scratch/empty"
done
for command in help --version "stat --help" "info --help" "list parts" \
	"list --part ivb errata" "eval --part ivb $scratch/counts"; do
	# shellcheck disable=SC2086
	result "no room for what is printed: ${command%% /*}" unwritten $command
done
result "files with nothing in common" wrong 1 "--diff: no value is in both files;" \
	report --diff "$recordings/topdown.rec" "$recordings/knc.rec"
