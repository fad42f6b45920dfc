#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A user who calls the tool wrongly is told what is wrong, and the exit status says so; help and
# manual list all options. Needs no module.
# shellcheck source=tests/user/lib.sh
. "$(dirname "$0")/lib.sh"

with_recordings
# A search for leaks takes half of a start of the tool; unit tests search for them on the same
# paths.
export ASAN_OPTIONS=detect_leaks=0
commands=$("$barepmu" help | sed -n 's/^  \([a-z]*\) .*/\1/p')
printf 'cycles,instructions\n1000,2000\n' >"$scratch/counts"

# in_help COMMAND: prints the options that the help of COMMAND lists
in_help()
{
	"$barepmu" "$1" --help | sed -n '/^ \+-/{s/, --/\n      --/;p}' |
		grep -oE -- '(^ +|, )(--[a-z][a-z-]*|-[a-zA-Z]( |,|$))' |
		grep -oE -- '--?[a-zA-Z][a-z-]*' | sort -u
}

# described COMMAND: prints the options that the manual page of COMMAND describes
described()
{
	"$top/user/man/expand" "$top/user/man/barepmu-$1.1.scd" |
		awk '/^# / { within = $2 == "OPTIONS" } within && /^\*-/' |
		grep -oE -- '\*--?[a-zA-Z][a-z-]*\*' | tr -d '*' | sort
}

# no_option COMMAND OPTION: checks that OPTION is unknown; a second unknown option keeps it from
# running
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

	missing=$(comm -23 <(in_help "$1") <(described "$1"))
	[ -z "$missing" ] || { echo "# ${missing//$'\n'/ }"; return 1; }
	[ "$(in_help "$1" | wc -l)" -gt 1 ]
}

# none_too_many COMMAND: an option that help does not list must be an alias, which must work
none_too_many()
{
	local option

	[ -z "$(described "$1" | uniq -d)" ] || { described "$1" | uniq -d; return 1; }
	for option in $(comm -13 <(in_help "$1") <(described "$1")); do
		! no_option "$1" "$option" || { echo "# $option"; return 1; }
	done
}

# page_found COMMAND: checks that barepmu(8) and the command's help refer to the page, which has
# its name
page_found()
{
	local page=$top/user/man/barepmu-$1.1.scd

	grep -qF "*barepmu-$1*(1)" "$top/user/man/barepmu.8.scd" || return 1
	[ "$("$barepmu" "$1" --help | tail -n 1)" = "Manual: barepmu-$1(1)" ] || return 1
	[ "$(head -n 1 "$page")" = "barepmu-$1(1)" ] && grep -q '^# EXAMPLE' "$page"
}

# wrong STATUS TEXT WORD...: checks the exit status, and that the first line of the message has TEXT
wrong()
{
	local wanted=$1 text=$2

	shift 2
	tool "$@"
	[ "$status" -eq "$wanted" ] && says "$text"
}

# unwritten WORD...: checks that the tool fails if its output cannot be written
unwritten()
{
	status=0
	said=$("$barepmu" "$@" 2>&1 >/dev/full) || status=$?
	[ "$status" -eq 1 ] && says "output: not written; is there room?"
}

# without_failure: modprobe succeeds, but the module is still not there, and the error says only
# that
without_failure()
{
	says "module: not loaded" && [[ $said != *"modprobe barepmu: failed"* ]]
}

# tutorial: checks that the commands in the tutorial exist, with their options
tutorial()
{
	local command words word number=0

	while read -r _ _ command words; do
		[[ " $(xargs <<<"$commands") " == *" $command "* ]] ||
			{ echo "# $command"; return 1; }
		words=" $words"
		for word in ${words%% -- *}; do
			[[ $word != -* ]] || in_help "$command" | grep -qxF -- "$word" ||
				{ echo "# $command $word"; return 1; }
		done
		number=$((number + 1))
	done < <(grep '^# barepmu ' "$top/user/man/barepmu-tutorial.7.scd")
	[ "$number" -ge 7 ]
}

for command in $commands; do
	result "$command: the manual page has each option" all_described "$command"
	result "$command: the manual page has no other option" none_too_many "$command"
	result "$command: the manual page is referred to, and has an example" page_found "$command"
done
result "the tutorial's commands and options exist" tutorial
result "each command has one manual page, and each page a command" [ "$(find "$top/user/man" -name 'barepmu-*.1.scd' |
	wc -l)" -eq "$(wc -w <<<"$commands")" ]
result "help help prints the usage" wrong 0 "Usage: barepmu COMMAND" help help
result "help --help prints the usage" wrong 0 "Usage: barepmu COMMAND" help --help
result "an unknown command is refused" wrong 2 "'nosuch': not known; see" nosuch
result "a misspelt command: the error names the similar one" wrong 2 "did you mean topdown?" topdwon
result "an unknown option is refused" wrong 2 \
	"option '--nosuch': not known; see 'barepmu stat --help'" stat --nosuch
result "doctor: a problem that it cannot fix is refused" wrong 2 \
	"doctor: 'kernel': not a problem that it can fix; it can fix module" doctor kernel
result "record: standard output cannot be switched" wrong 2 \
	"--switch-output: not to the standard output; name a file" \
	record -o - --switch-output 1M true
# A modprobe that succeeds and loads nothing.
mkdir "$scratch/bin"
printf '#!/bin/sh\nexit 0\n' >"$scratch/bin/modprobe"
chmod +x "$scratch/bin/modprobe"
said=$(trap '' CHLD; PATH=$scratch/bin:$PATH "$barepmu" doctor --fix module 2>&1)
result "doctor: modprobe succeeds with an ignored SIGCHLD" without_failure
result "an abbreviation of several options: the error names them" wrong 2 \
	"option '--in': not known; did you mean --interval, --interval-count? See" \
	stat --in 5
result "an abbreviation of one option: the error names it" wrong 2 \
	"option '--prefetch': not known; did you mean --prefetchers? See" \
	stat --prefetch off true
result "a misspelt option: the error names the similar one" wrong 2 \
	"option '--intervall': not known; did you mean --interval? See" \
	stat --intervall 5
result "--e: the error names -e" wrong 2 "did you mean -e? See" stat --e cycles
result "a letter in the other case: the error names the option" wrong 2 \
	"option '-c': not known; did you mean -C, --cpu? See" stat -c 0
result "top --by: an option of the tree is refused" wrong 2 "-l: is of the tree, instead of which --by shows" \
	top --by symbol -l 2
result "top --by: rows of another kind are refused" wrong 2 "--per-core: is of the tree, instead of which --by shows" \
	top --per-core --by symbol
result "top -c without --by is refused" wrong 2 "-c: is of --by; add --by symbol" top -c 100000
result "top --by stack: the error names record and report" wrong 2 \
	"--by stack: not in a live view; use record and report --by stack" top --by stack
result "the letter of an option without a long name in the wrong case" wrong 2 \
	"option '-m': not known; did you mean -M? See" stat -m IPC
result "an option without its value is refused" wrong 2 \
	"option '--event': its value is missing; write --event EVENTS, see" \
	stat --event
result "a letter without its value is refused" wrong 2 \
	"option '-e': its value is missing; write -e EVENTS, see" stat -ae
result "a value of an option that takes none is refused" wrong 2 \
	"option '--json=1': takes no value; see" stat --json=1
result "an unknown letter is refused" wrong 2 "option '-Z': not known; see" stat -Z
# For an option that only other tools have, the message names the equivalent.
for word in -p --pid -t --tid -G --cgroup; do
	result "perf's $word: the error says that counters belong to CPUs" wrong 2 "option '$word': stat does not have it; counters belong to CPUs" \
		stat "$word" 1
done
for word in -i --input; do
	result "perf's report $word: the error says where the file stands" wrong 2 \
		"a recording is read without an option: 'barepmu report FILE'" report "$word" x
done
result "perf's report --sort: the error names --by" wrong 2 "use 'barepmu report --by comm'" \
	report --sort comm x
result "perf's -d: the error names -M" wrong 2 "-d': stat does not have it; name what you want: 'barepmu stat -M" stat -d
result "perf's -V: the error names --version" wrong 2 "use 'barepmu --version'" stat -V
result "stat --version: the error names barepmu --version" wrong 2 "use 'barepmu --version'" stat --version
result "perf's -v: the error names info and topdown --groups" wrong 2 "it; 'barepmu info' shows the counters, 'topdown --groups'" stat -v
result "perf's record -g: the error names --call-graph" wrong 2 \
	"option '-g': names a metric group, not '-o'; perf's -g is --call-graph fp here" record -g -o file
result "stat --part is refused" wrong 2 \
	"stat does not have it; a machine is measured as the CPU model that it is; --part is an option of list," \
	stat --part ivb
result "--per-die with --per-node is refused" wrong 2 "--per-die and --per-node: contradict each other" \
	stat --per-die --per-node true
for word in --per-cache --per-die --per-node; do
	result "phi $word: the error names topdown and stat" wrong 2 \
		"use 'barepmu topdown $word' or 'barepmu stat $word'" phi $word
done
for command in stat topdown top serve; do
	for word in -A --per-core --per-cache --per-die --per-socket --per-node; do
		result "$command takes $word" wrong 1 "CPU list '9999': CPU 9999 is absent" $command $word -C 9999
	done
done
for word in --drill --cpi --formula --paper; do
	result "topdown -A $word is refused" wrong 2 "topdown: rows of CPUs are not with --drill" \
		topdown -A $word
done
# An option that several commands have is the same in all of them: one name, one argument, one
# text. A command that lacks it names the commands that have it.
measuring='stat topdown record report top serve eval decan cpistack phi'
# helps OPTION COMMAND: prints the first line of help about an option
helps()
{
	"$barepmu" "$2" --help | sed -nE "s/^ +($1)( [A-Z][A-Z|a-z]*)? +([^ ].*)/\\1\\2 \\3/p" | head -n 1
}
# same_option OPTION WORD TEXT ADVICE COMMAND...: the COMMANDs have the option, with a text that
# begins with TEXT; other commands refuse WORD with ADVICE
same_option()
{
	local option=$1 word=$2 text=$3 advice=$4 command said

	shift 4
	for command in $measuring; do
		if [[ " $* " == *" $command "* ]]; then
			said=$(helps "$option" "$command")
			[[ $said == "$text"* ]] || { echo "# $command: $said"; return 1; }
		else
			said=$("$barepmu" "$command" "$word" 1 2>&1)
			[[ $said == *": $command does not have it; $advice"* ]] ||
				{ echo "# $command: $said"; return 1; }
		fi
	done
}
tree='stat topdown record report top serve eval decan'
# shellcheck disable=SC2086
result "-M is the same in all commands" same_option '-M' -M \
	'-M NAMES metrics, globs or groups, separated by commas, see' 'metrics are chosen in ' $tree
# shellcheck disable=SC2086
result "-g is the same in all commands" same_option '-g, --group' -g \
	'-g, --group NAME metric group, such as BRANCH,' 'metric groups are chosen in ' $tree
# shellcheck disable=SC2086
result "--method is the same in all commands" same_option '--method' --method \
	'--method NAME tree of -l and -M: paper (default), or tma' 'the method is that of ' $tree
# shellcheck disable=SC2086
result "-l is the level of the tree in all commands but cpistack" same_option '-l, --level' -l \
	'-l, --level N ' 'the Top-Down tree has levels, in ' $tree cpistack
result "-e is the same in all commands" same_option '-e, --event' -e \
	'-e, --event EVENTS events, separated by commas, see "barepmu list"' 'events are chosen in ' \
	stat record report top serve decan
result "-r repeats in all commands that can" same_option '-r, --repeat' -r \
	'-r, --repeat N' 'a command is run several times by ' stat topdown cpistack phi decan
for command in topdown cpistack phi; do
	result "$command -r has auto" [ "$(helps '-r, --repeat' $command)" = \
		"-r, --repeat N|auto run COMMAND N times, or until the groups have enough" ]
	result "$command -r without a command is refused" wrong 2 "-r: repeats a command, without -I" $command -r 3
	result "$command -r with -I is refused" wrong 2 "-r: repeats a command, without -I" $command -r 3 -I 10 true
	result "$command -r of no number is refused" wrong 2 "-r 'x': neither auto nor a number" $command -r x true
done
result "topdown --locate without --drill is refused" wrong 2 "--locate: is of a whole run of --drill, as text;" \
	topdown --locate "$scratch/located" true
result "topdown --locate without a command is refused" wrong 2 "give --drill and a COMMAND to run twice" \
	topdown --drill --locate "$scratch/located"
for command in stat topdown; do
	result "$command --record-tpebs of endless time is refused" wrong 2 \
		"--record-tpebs: samples before it counts; name a COMMAND to run several times, or a --timeout" \
		$command --record-tpebs
	result "$command --record-tpebs with --events is refused" wrong 2 "--record-tpebs: not with --events" \
		$command --record-tpebs --events "$scratch/none" true
done
result "topdown -r with --drill is refused" wrong 2 "-r: not with --drill" topdown -r 3 --drill true
result "decan -l 9 is refused" wrong 2 "-l '9': no such level; 1 to 4 exist, of --method tma to 6" decan -l 9 true
result "toplev's --td-level: the error names topdown -l" wrong 2 "use 'barepmu topdown -l N'" stat --td-level 2
result "--pre without a command is refused" wrong 2 "name the command" stat --pre true
result "--metric-only without -M is refused" wrong 2 "name them with -M" stat --metric-only
result "stat -j with -x is refused" wrong 2 "-j and -x: contradict each other; leave one out" \
	stat -j -x, true
result "list -x with -j is refused" wrong 2 "-x and -j: contradict each other" \
	list -x, -j events
result "-A with --per-core is refused" wrong 2 "-A and --per-core: contradict each other" \
	stat -A --per-core true
result "-x twice is accepted" wrong 0 "event,same_as" list --part ivb -x, -x, events UOPS_ISSUED.ANY
for word in maybe -1 0xffffffff; do
	result "--prefetchers '$word' is refused" wrong 2 \
		"--prefetchers: '$word' is neither on, off nor a number;" \
		stat --prefetchers "$word" true
done
result "stat -C: an absent CPU is refused" wrong 1 \
	"CPU list '9999': CPU 9999 is absent or offline; online are 0" \
	stat -C 9999 true
result "stat -C: an invalid CPU list is refused" wrong 1 "CPU list '9999-': not understood;" \
	stat -C 9999- true
result "report -C: a CPU that is not in the recording is refused" wrong 1 \
	"CPU list '9999': not all are in $recordings/topdown.rec; choose from 0" \
	report -C 9999 "$recordings/topdown.rec"
for time in -5 0 nan 1e99 10x ''; do
	result "-I '$time' is refused" wrong 2 "-I '$time': not a time; write 10 (ms), 100us, 10ms, 2s or 1m" \
		stat -I "$time"
done
result "-I 1us is refused as too short" wrong 2 "-I '1us': too short" stat -I 1us
result "record --call-graph dwarf is refused" wrong 2 \
	"--call-graph: 'dwarf': fp or lbr is expected" \
	record -e cycles -c 1000 --call-graph dwarf -o /dev/null true
result "record -b is refused with --call-graph lbr" wrong 2 \
	"-b: not with --call-graph lbr, which uses the same registers; take --call-graph fp" \
	record -e cycles -c 1000 -b --call-graph lbr -o /dev/null true
result "record --topdown 9 is refused" wrong 2 "--topdown '9': no such level" \
	record -o "$scratch/none" --topdown 9
result "eval -l 9 is refused" wrong 1 \
	"level 9: these metrics have levels 1 to 4;" \
	eval --part ivb -l 9 "$scratch/counts"
result "list: a word without a match is an error" wrong 1 "none of the events of ivb matches 'nosuch'" \
	list --part ivb events nosuch
result "eval of a directory is an error" wrong 1 "$scratch: reading failed; is it a file?" \
	eval --part ivb "$scratch"
: >"$scratch/empty"
result "eval of an empty file is an error" wrong 1 "empty: is empty;" eval --part ivb "$scratch/empty"
result "report of an empty file is an error" wrong 1 "empty: is no recording;" report "$scratch/empty"
cp "$recordings/topdown.rec" "$scratch/kept"
ln "$scratch/kept" "$scratch/same"
for option in --html -o; do
	result "$option does not replace the recording" wrong 2 \
		"$scratch/same: is the recording itself; name another file for the output" \
		report "$option" "$scratch/same" "$recordings/topdown.rec" "$scratch/kept"
	result "$option: the recording is unchanged" cmp "$recordings/topdown.rec" "$scratch/kept"
done
tool report -o "$scratch/empty" "$scratch/kept"
result "report -o replaces another file" grep -q "System-wide counts\|^Top-Down" "$scratch/empty"
: >"$scratch/empty"
for option in --timer=hard --timeout=1s --take-over; do
	result "report $option is refused" wrong 2 \
		"report: --timer, --take-over and --timeout are for 'barepmu record';" \
		report $option "$scratch/empty"
done
for command in help --version -V "stat --help" "info --help" "list parts" \
	"list --part ivb errata" "eval --part ivb $scratch/counts"; do
	# shellcheck disable=SC2086
	result "${command%% /*}: a write error is reported" unwritten $command
done
tool report --topdown 1 -I 2s "$recordings/topdown.rec"
result "report -I prints the verdict once" [ "$(grep -c ^Flagged <<<"$said")" -eq 1 ]
result "report -I prints a tree for each interval" [ "$(grep -c ^Top-Down <<<"$said")" -eq 6 ]
result "report to a pipe prints no colours" [ "${said//$'\033'/}" = "$said" ]
tool report --topdown 1 --color always "$recordings/topdown.rec"
result "report --color always prints colours to a pipe" says $'\033[1;31m<==\033[0m'
for env in NO_COLOR=1 TERM=dumb TERM=xterm; do
	said=$(env "$env" script -qec \
		"$barepmu report --topdown 1 $recordings/topdown.rec" /dev/null)
	colours=$([[ $said == *$'\033[1;31m'* ]] && echo yes || echo no)
	wanted=no
	[ "$env" != TERM=xterm ] || wanted=yes
	result "colours of a terminal with $env: $wanted" [ "$colours" = $wanted ]
done
result "--color red is refused" wrong 2 "--color 'red': not known; write auto, always or never" \
	report --color red "$recordings/topdown.rec"
tool report -M Frontend_Bound,Retiring -I 2s --compact "$recordings/topdown.rec"
result "--compact -M: a line for each interval" \
	[ "$(grep -cE '^ +[0-9.]+ +[0-9.]+% +[0-9.]+%' <<<"$said")" -eq 6 ]
result "--compact -M: one heading" says "time  Frontend_Bound"
value=$("$barepmu" report -x, -M Frontend_Bound -I 2s "$recordings/topdown.rec" |
	awk -F, '$18 == "Frontend_Bound" { printf "%.1f%%", 100 * $20; exit }')
result "--compact -M: values equal those of CSV" says "     2.000000 $(printf %15s "$value")"
result "--compact with -j is refused" wrong 2 "--compact: is a form of text" \
	report --compact -j -M Retiring "$recordings/topdown.rec"
tool report --topdown 2 -I 2s --compact "$recordings/topdown.rec"
lines=$said
result "--compact of topdown: a line for each interval" \
	[ "$(grep -cE '^ +[0-9.]+ .*[0-9.][ !?] ' <<<"$lines")" -eq 6 ]
result "--compact of topdown: one heading" \
	[ "$(grep -c '^ *time Frontend_Bound Bad_Speculation' <<<"$lines")" -eq 1 ]
result "--compact of topdown: lines have at most 80 columns" [ "$(wc -L <<<"$lines")" -le 80 ]
values=$("$barepmu" report -x, --topdown 2 -I 2s "$recordings/topdown.rec" |
	awk -F, '$1 == "2.000000" && $3 ~ /^(Frontend_Bound|Bad_Speculation|Retiring|Backend_Bound)$/ {
		printf " %.1f", 100 * $5 }')
result "--compact of topdown: values equal those of CSV" [ "$(sed -n 2p <<<"$lines" |
	awk '{ for (i = 2; i <= 5; i++) { sub(/[!?]/, "", $i); printf " %s", $i } }')" = "$values" ]
result "--compact of topdown: the last column is the end of the flagged path" \
	[ "$(sed -n 2p <<<"$lines" | awk '{ print $NF }')" = "$("$barepmu" report \
		--topdown 2 -I 2s "$recordings/topdown.rec" |
		sed -n 's/^Flagged: .*> *\([A-Za-z_0-9]*\)\..*/\1/p' | head -n 1)" ]
result "--compact of topdown with -j is refused" wrong 2 "--compact: is a form of text" \
	report --compact --topdown 1 -j "$recordings/topdown.rec"
result "--diff of a recording of phi is an error" wrong 1 "--diff: $recordings/knc.rec was recorded by phi" \
	report --diff "$recordings/knc.rec" "$recordings/knc.rec"
result "--diff of files without a common value is an error" wrong 1 "--diff: no value is in both files;" \
	report --diff "$recordings/topdown.rec" "$recordings/stack.rec"
finish
