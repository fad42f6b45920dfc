#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A user who opens a recording with perf sees what report prints: the kernel's own perf reads the
# file of report --perf-data, and finds for each event the same events in the same functions, of
# programs and of the kernel, with the same callers. On parts whose interrupts the module handles.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

file=/tmp/recording
data=/tmp/perf.data
n=3000000
rows=/tmp/rows

# perf_rows: stores the rows of perf report
perf_rows()
{
	perf report --stdio --no-children -g none -F period,sym,dso -t '|' -i "$data" \
		>"$rows" 2>"$err"
}

# perf_events EVENT SYMBOL OBJECT: prints the events that perf report had for a function, of which it
# sometimes has two rows; prints nothing if it had none
perf_events()
{
	awk -F'|' -v event="'$1'" -v symbol="$2" -v object="$3" '
		/^# Samples: / { within = index($0, "of event " event) }
		{ gsub(/ +/, "", $1); gsub(/ +$/, "", $2); gsub(/ +$/, "", $3)
		  sub(/^.*\] /, "", $2) }
		within && $2 == symbol && $3 == object { sum += $1 }
		END { if (sum) printf "%.0f\n", sum }' "$rows"
}

# our_events EVENT LABEL: prints the events of a row of report --by symbol
our_events()
{
	run barepmu report --by symbol -x '|' "$file"
	awk -F'|' -v event="$1" -v label="$2" '$2 == event && $1 == label { print $4 }' "$out"
}

# same OURS PERF: checks that both have found a number of events, the same
same()
{
	echo "# report $1, perf $2"
	[ "${1:-0}" -gt 0 ] && [ "$1" = "$2" ]
}

# callers: prints the events of the samples of perf script in work() that right() has called
callers()
{
	perf script -i "$data" -F period,ip,sym 2>"$err" | awk '
		NF == 1 && $1 ~ /^[0-9]+:?$/ { period = $1; depth = 0; next }
		NF { stack[++depth] = $2 }
		!NF { if (stack[1] == "work" && stack[2] == "right") sum += period; depth = 0 }
		END { print sum + 0 }'
}

# annotated: checks that perf annotate has the share of each instruction that annotate prints
annotated()
{
	awk -F'|' 'NR == FNR { if (FNR > 1 && $9) ours[$3] = $10; next }
		split($0, part, " : *") > 1 && part[1] + 0 && split(part[2], address, ":") {
			perf = ours["0x" address[1]] - part[1]; found++
			wrong += perf > 0.006 || perf < -0.006
		}
		END { for (i in ours) nr++; print "# " found " of " nr " instructions, " wrong + 0 " differ"
		      exit !(found >= 10 && found == nr && !wrong) }' "$out" "$rows"
}

begin
load
case $(part) in
ivb) ;;
*) skip_all "the module does not handle the interrupts of this part" ;;
esac
command -v perf >/dev/null || skip_all "there is no perf"

run barepmu record -e branches:u,instructions:u -c 5000,20000 -o "$file" -- \
	sh -c "'$here/alu' 500000; count 1000000"
run barepmu report --perf-data "$data" "$file"
result "report --perf-data: prints nothing" [ -z "$(cat "$out" "$err")" ]
perf_rows
for event in branches:u instructions:u; do
	for program in alu count; do
		result "perf report: $program has the $event that report prints" \
			same "$(our_events $event "main [$program]")" \
			"$(perf_events $event main $program)"
	done
done
perf script -i "$data" -F comm,event >"$out" 2>"$err"
result "perf script: a sample for each interrupt, with program and event" \
	[ "$(grep -cE '^ *(alu|count) +branches:u' "$out")" -gt 400 ]
perf buildid-list -i "$data" >"$out" 2>"$err"
result "perf buildid-list: a program has a build ID" grep -qE '^[0-9a-f]{40} .*/alu$' "$out"
run barepmu report --perf-data "$data" --to 0.02 "$file"
perf_rows
result "report --perf-data: a window leaves out what comes later" \
	[ -z "$(perf_events instructions:u main count)" ]

run barepmu record -e instructions:u -c 10000 -o "$file" -- count 2000000
run barepmu report --perf-data "$data" "$file"
perf annotate -i "$data" --stdio -s main >"$rows" 2>"$err"
run barepmu annotate -x '|' 'main [count]' "$file"
result "perf annotate: each instruction has the share that annotate prints" annotated

run barepmu record -e instructions:k -c 20000 -o "$file" -- \
	dd if=/dev/zero of=/dev/null bs=1M count=100
run barepmu report --perf-data "$data" "$file"
perf_rows
run barepmu report --by symbol -x '|' "$file"
function=$(sed -n '2s/ \[kernel\].*//p' "$out")
result "perf report: a function of the kernel has the events that report prints" \
	same "$(our_events instructions:k "$function [kernel]")" \
	"$(perf_events instructions:k "$function" '[kernel.kallsyms]')"

run barepmu record -e instructions:u -c 20000 --call-graph fp -o "$file" -- "$here/calls" $n
run barepmu report --perf-data "$data" "$file"
run barepmu report --folded "$file"
result "perf script: call chains have the callers that report --folded prints" \
	same "$(awk '/right \[calls\];work \[calls\] / { sum += $NF } END { print sum }' "$out")" \
	"$(callers)"

run barepmu record -e instructions:u -o "$file" -- true
run barepmu report --perf-data "$data" "$file"
result "report --perf-data: a recording without interrupts is refused" \
	refused 'no event interrupted while it was recorded'
rm -f "$file" "$data"
unload
finish
