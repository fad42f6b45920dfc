#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Wrong calls of the tool that need no module: messages and exit statuses; and that help
# and manual list all options.
# shellcheck source=tests/user/lib.sh
. "$(dirname "$0")/lib.sh"

with_recordings
# A search for leaks takes half of a start; unit tests search on the same paths.
export ASAN_OPTIONS=detect_leaks=0
commands=$("$barepmu" help | sed -n 's/^  \([a-z]*\) .*/\1/p')
printf 'cycles,instructions\n1000,2000\n' >"$scratch/counts"

# helped COMMAND: prints the options in its help
helped()
{
	"$barepmu" "$1" --help | sed -n '/^ \+-/{s/, --/\n      --/;p}' |
		grep -oE -- '(^ +|, )(--[a-z][a-z-]*|-[a-zA-Z]( |,|$))' |
		grep -oE -- '--?[a-zA-Z][a-z-]*' | sort -u
}

# described COMMAND: prints the options in its page
described()
{
	"$top/user/man/expand" "$top/user/man/barepmu-$1.1.scd" |
		awk '/^# / { within = $2 == "OPTIONS" } within && /^\*-/' |
		grep -oE -- '\*--?[a-zA-Z][a-z-]*\*' | tr -d '*' | sort
}

# no_option COMMAND OPTION: nothing runs, because the next option is unknown
no_option()
{
	local word=$2=x

	[[ $2 == --* ]] || word=$2~
	tool "$1" "$word" --no-option-at-all
	[[ $said == *"option '$2': not"* ]]
}

all_described()
{
	local missing

	missing=$(comm -23 <(helped "$1") <(described "$1"))
	[ -z "$missing" ] || { echo "# ${missing//$'\n'/ }"; return 1; }
	[ "$(helped "$1" | wc -l)" -gt 1 ]
}

# An option that help omits is an alias, which works nevertheless.
none_too_many()
{
	local option

	[ -z "$(described "$1" | uniq -d)" ] || { described "$1" | uniq -d; return 1; }
	for option in $(comm -13 <(helped "$1") <(described "$1")); do
		! no_option "$1" "$option" || { echo "# $option"; return 1; }
	done
}

# The overview, the end of help, and the name of the page.
page_found()
{
	local page=$top/user/man/barepmu-$1.1.scd

	grep -qF "*barepmu-$1*(1)" "$top/user/man/barepmu.8.scd" || return 1
	[ "$("$barepmu" "$1" --help | tail -n 1)" = "Manual: barepmu-$1(1)" ] || return 1
	[ "$(head -n 1 "$page")" = "barepmu-$1(1)" ] && grep -q '^# EXAMPLE' "$page"
}

# wrong STATUS TEXT WORD...: checks that the first line of the message contains TEXT
wrong()
{
	local wanted=$1 text=$2

	shift 2
	tool "$@"
	[ "$status" -eq "$wanted" ] && says "$text"
}

# unwritten WORD...: runs a command whose output cannot be written
unwritten()
{
	status=0
	said=$("$barepmu" "$@" 2>&1 >/dev/full) || status=$?
	[ "$status" -eq 1 ] && says "output: not written; is there room?"
}

# Commands in the tutorial exist, with their options.
tutorial()
{
	local command words word number=0

	while read -r _ _ command words; do
		[[ " $(xargs <<<"$commands") " == *" $command "* ]] ||
			{ echo "# $command"; return 1; }
		words=" $words"
		for word in ${words%% -- *}; do
			[[ $word != -* ]] || helped "$command" | grep -qxF -- "$word" ||
				{ echo "# $command $word"; return 1; }
		done
		number=$((number + 1))
	done < <(grep '^# barepmu ' "$top/user/man/barepmu-tutorial.7.scd")
	[ "$number" -ge 7 ]
}

for command in $commands; do
	result "$command: its page has each option" all_described "$command"
	result "$command: its page has no other option" none_too_many "$command"
	result "$command: its page is found, and has an example" page_found "$command"
done
result "the tutorial's commands are there" tutorial
result "no page without its command" [ "$(find "$top/user/man" -name 'barepmu-*.1.scd' |
	wc -l)" -eq "$(wc -w <<<"$commands")" ]
result "help: help helps" wrong 0 "Usage: barepmu COMMAND" help help
result "help: an option of it" wrong 0 "Usage: barepmu COMMAND" help --help
result "an unknown command" wrong 2 "'nosuch': not known; see" nosuch
result "nearly a command" wrong 2 "did you mean topdown?" topdwon
result "an unknown option" wrong 2 \
	"option '--nosuch': not known; see 'barepmu stat --help'" stat --nosuch
result "doctor: a problem that it cannot fix is refused" wrong 2 \
	"doctor: 'kernel': not a problem that it can fix; it can fix module" doctor kernel
result "short for several options" wrong 2 \
	"option '--in': not known; did you mean --interval, --interval-count? See" \
	stat --in 5
result "short for one option" wrong 2 \
	"option '--prefetch': not known; did you mean --prefetchers? See" \
	stat --prefetch off true
result "a misspelt option" wrong 2 \
	"option '--intervall': not known; did you mean --interval? See" \
	stat --intervall 5
result "a letter as a name" wrong 2 "did you mean -e? See" stat --e cycles
result "a letter in the other case" wrong 2 \
	"option '-c': not known; did you mean -C, --cpu? See" stat -c 0
result "an option without its value" wrong 2 \
	"option '--event': its value is missing; write --event EVENTS, see" \
	stat --event
result "a letter without its value" wrong 2 \
	"option '-e': its value is missing; write -e EVENTS, see" stat -ae
result "a value where there is none" wrong 2 \
	"option '--json=1': takes no value; see" stat --json=1
result "an unknown letter" wrong 2 "option '-Z': not known; see" stat -Z
# For an option of other tools the message names the equivalent.
for word in -p --pid -t --tid -G --cgroup; do
	result "perf's $word" wrong 2 "option '$word': stat does not have it; counters belong to CPUs" \
		stat "$word" 1
done
result "perf's -d" wrong 2 "-d': stat does not have it; name what you want: 'barepmu stat -M" stat -d
result "perf's -V" wrong 2 "use 'barepmu --version'" stat -V
result "--version of a command" wrong 2 "use 'barepmu --version'" stat --version
result "perf's -v" wrong 2 "it; 'barepmu info' shows the counters, 'topdown --groups'" stat -v
result "the CPU model of list" wrong 2 \
	"stat does not have it; a machine is measured as the CPU model that it is; --part is an option of list," \
	stat --part ivb
result "two others" wrong 2 "--per-die and --per-node: contradict each other" \
	stat --per-die --per-node true
for word in --per-cache --per-die --per-node; do
	result "$word of a tree" wrong 2 "use 'barepmu stat -M NAMES $word'" \
		topdown "$word"
done
result "toplev's --td-level" wrong 2 "use 'barepmu topdown -l N'" stat --td-level 2
result "--pre belongs to a command" wrong 2 "name the command" stat --pre true
result "--metric-only needs metrics" wrong 2 "name them with -M" stat --metric-only
# Each of them has its own output format.
result "two formats" wrong 2 "-j and -x: contradict each other; leave one out" \
	stat -j -x, true
result "two formats of list" wrong 2 "-x and -j: contradict each other" \
	list -x, -j events
result "two types of rows" wrong 2 "-A and --per-core: contradict each other" \
	stat -A --per-core true
result "the same format again" wrong 0 "event,same_as" list --part ivb -x, -x, events UOPS_ISSUED.ANY
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
	"CPU list '9999': not all are in $recordings/topdown.rec; choose from 0" \
	report -C 9999 "$recordings/topdown.rec"
for time in -5 0 nan 1e99 10x ''; do
	result "no time: '$time'" wrong 2 "-I '$time': not a time; write 10 (ms), 100us, 10ms, 2s or 1m" \
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
cp "$recordings/topdown.rec" "$scratch/kept"
ln "$scratch/kept" "$scratch/same"
for option in --html -o; do
	result "$option does not replace the recording" wrong 2 \
		"$scratch/same: is the recording itself; name another file for the output" \
		report "$option" "$scratch/same" "$recordings/topdown.rec" "$scratch/kept"
	result "the recording is unchanged" cmp "$recordings/topdown.rec" "$scratch/kept"
done
tool report -o "$scratch/empty" "$scratch/kept"
result "another file is replaced" grep -q "System-wide counts\|^Top-Down" "$scratch/empty"
: >"$scratch/empty"
for option in --timer=hard --timeout=1s --take-over; do
	result "report: $option" wrong 2 \
		"report: --timer, --take-over and --timeout are for 'barepmu record';" \
		report $option "$scratch/empty"
done
for command in help --version -V "stat --help" "info --help" "list parts" \
	"list --part ivb errata" "eval --part ivb $scratch/counts"; do
	# shellcheck disable=SC2086
	result "no room for what is printed: ${command%% /*}" unwritten $command
done
tool report --topdown 1 -I 2s "$recordings/topdown.rec"
result "a verdict stands once" [ "$(grep -c ^Flagged <<<"$said")" -eq 1 ]
result "below the first of the trees" [ "$(grep -c ^Top-Down <<<"$said")" -eq 6 ]
result "a pipe has no colours" [ "${said//$'\033'/}" = "$said" ]
tool report --topdown 1 --color always "$recordings/topdown.rec"
result "unless it is told to" says $'\033[1;31m<==\033[0m'
for env in NO_COLOR=1 TERM=dumb TERM=xterm; do
	said=$(env "$env" script -qec \
		"$barepmu report --topdown 1 $recordings/topdown.rec" /dev/null)
	colours=$([[ $said == *$'\033[1;31m'* ]] && echo yes || echo no)
	wanted=no
	[ "$env" != TERM=xterm ] || wanted=yes
	result "colours of a terminal with $env: $wanted" [ "$colours" = $wanted ]
done
result "no such colour" wrong 2 "--color 'red': not known; write auto, always or never" \
	report --color red "$recordings/topdown.rec"
tool report -M Frontend_Bound,Retiring -I 2s --compact "$recordings/topdown.rec"
result "--compact: a line for each interval" \
	[ "$(grep -cE '^ +[0-9.]+ +[0-9.]+% +[0-9.]+%' <<<"$said")" -eq 6 ]
result "--compact: one heading" says "time  Frontend_Bound"
value=$("$barepmu" report -x, -M Frontend_Bound -I 2s "$recordings/topdown.rec" |
	awk -F, '$3 == "Frontend_Bound" { printf "%.1f%%", 100 * $4; exit }')
result "--compact: the same values" says "     2.000000 $(printf %15s "$value")"
result "--compact is text" wrong 2 "--compact: is a form of text" \
	report --compact -j -M Retiring "$recordings/topdown.rec"
tool report --topdown 2 -I 2s --compact "$recordings/topdown.rec"
lines=$said
result "--compact of topdown: a line for each interval" \
	[ "$(grep -cE '^ +[0-9.]+ .*[0-9.][ !?] ' <<<"$lines")" -eq 6 ]
result "--compact of topdown: one heading" \
	[ "$(grep -c '^ *time Frontend_Bound Bad_Speculation' <<<"$lines")" -eq 1 ]
result "--compact of topdown: in 80 columns" [ "$(wc -L <<<"$lines")" -le 80 ]
values=$("$barepmu" report -x, --topdown 2 -I 2s "$recordings/topdown.rec" |
	awk -F, '$1 == "2.000000" && $3 ~ /^(Frontend_Bound|Bad_Speculation|Retiring|Backend_Bound)$/ {
		printf " %.1f", 100 * $5 }')
result "--compact of topdown: the same values" [ "$(sed -n 2p <<<"$lines" |
	awk '{ for (i = 2; i <= 5; i++) { sub(/[!?]/, "", $i); printf " %s", $i } }')" = "$values" ]
result "--compact of topdown: where the verdict leads" \
	[ "$(sed -n 2p <<<"$lines" | awk '{ print $NF }')" = "$("$barepmu" report \
		--topdown 2 -I 2s "$recordings/topdown.rec" |
		sed -n 's/^Flagged: .*> *\([A-Za-z_0-9]*\)\..*/\1/p' | head -n 1)" ]
result "--compact of topdown is text" wrong 2 "--compact: is a form of text" \
	report --compact --topdown 1 -j "$recordings/topdown.rec"
result "files with nothing in common" wrong 1 "--diff: no value is in both files;" \
	report --diff "$recordings/topdown.rec" "$recordings/knc.rec"
