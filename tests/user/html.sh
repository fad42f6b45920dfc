#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A user of "report --html" gets all values on the page, and is told what cannot be drawn. Without a
# browser.
# shellcheck source=tests/user/lib.sh
. "$(dirname "$0")/lib.sh"

with_recordings
make -s -C "$top/tests/html" "$recordings/both.rec"
page=$scratch/page
cut=$scratch/cut

draw()
{
	tool report --html "$page" "$@"
}

has()
{
	grep -qF -- "$1" "$page"
}

# all_values: checks that each node has a value for each time, for each row, and for both
all_values()
{
	# shellcheck disable=SC2016
	perl -MJSON::PP -0777 -ne '
		/id="data">(.*?)<\/script>/s or exit 1;
		my $data = decode_json($1);
		my $nodes = 0;
		for my $view (grep { ref eq "HASH" && $_->{rows} } values %$data) {
			my ($times, $rows) = map { scalar @{$view->{$_}} } qw(end rows);
			for my $node (@{$view->{nodes}}) {
				exit 1 if @{$node->{v}} != $times ||
					  @{$node->{r}} != $rows ||
					  @{$node->{c}} != $rows ||
					  grep { @$_ != $times } @{$node->{c}};
				$nodes++;
			}
		}
		exit !$nodes' "$page"
}

draw -l 2 "$recordings/topdown.rec"
result "options that a page cannot have are refused" [ "$status" != 0 ]
result "the error lists the accepted options" says "give only -C, -I, -M"
draw --by cpu "$recordings/topdown.rec"
result "--by is refused, with the accepted options" says "give only -C, -I, -M"
if [ ! -e "$top/build/uplot/uPlot.iife.min.js" ]; then
	draw "$recordings/topdown.rec"
	result "without the plotting library the error says how to get it" \
		says "make -C user html"
	exit
fi
for name in topdown knc stack; do
	draw "$recordings/$name.rec"
	result "$name: the page is written" [ "$status" = 0 ]
	result "$name: nothing is printed" [ -z "$said" ]
	[ $name = stack ] || result "$name: each node has a value for each time and row" all_values
done
draw "$recordings/topdown.rec"
result "text of the recording cannot end the page's data" \
	has '\u003cb>&amp;\u003c/script>'
result "the page has the licence of the plotting library" has 'MIT License'
result "the page refers to no other page" [ "$(grep -cE '(src|href)="?http' "$page")" = 0 ]
draw "$recordings/both.rec"
result "a recording with interrupts: the page has the stacks of each event" \
	has '{"type":"sampled","name":"instructions:u","unit":"none","startValue":0,"endValue":10000000,'
draw --to 5 "$recordings/both.rec"
result "the page has the stacks of the window only" has '"name":"cycles:u","unit":"none","startValue":0,"endValue":0,'
draw -I 1 "$recordings/topdown.rec"
result "too short an interval is refused" says "shorter than"
draw -C 9 "$recordings/topdown.rec"
result "-C: an absent CPU is refused" says "choose from 0-3"
draw -C 2 --from 50% -M Retiring "$recordings/topdown.rec"
result "-C, --from and -M are accepted" [ "$status" = 0 ]
result "-C 2: the page has only this CPU" has '"cpus":"2"'
"$recordings/make-recording" big 256 30 "$scratch/big"
draw "$scratch/big"
result "256 CPUs: without -I nothing is printed" [ "$status $said" = '0 ' ]
draw -I 100 "$scratch/big"
result "256 CPUs, -I 100: the page is written, with a warning that it is large" [ "$status" = 0 ]
like='^barepmu: --html: the page has ([0-9]+) MB, .* give -I ([0-9]+), or leave out -I$'
[[ $said =~ $like ]] || echo "# $said"
mb=${BASH_REMATCH[1]:-0} fits=${BASH_REMATCH[2]:-0}
size=$(stat -c %s "$page")
result "the warning has the size of the page: $mb MB" \
	[ $((size - mb * 1000000)) -le 700000 ]
draw -I "$fits" "$scratch/big"
result "256 CPUs, -I $fits: with the remedy's -I nothing is printed" [ "$status $said" = '0 ' ]
rm "$page"
draw -I 20 "$scratch/big"
result "256 CPUs, -I 20: too large a page is refused" [ "$status" = 1 ]
result "the error has the number of intervals and a remedy" says \
	" intervals on 256 CPUs are a page of more than 100 MB, which browsers do not open; give -I "
result "no page is left of it" [ ! -e "$page" ]
rm "$scratch/big"
"$recordings/make-recording" tma "$scratch/tma.rec"
draw "$scratch/tma.rec"
result "the page of a published tree has its version" has '"version":"Linux 7.3.4"'
draw "$recordings/topdown.rec"
result "the page of another tree has no version" [ "$(grep -c '"version"' "$page")" = 0 ]
draw -M Retirin "$recordings/topdown.rec"
result "-M: an unknown metric is refused" says Retirin
draw --from 100 "$recordings/topdown.rec"
result "a time without counts is refused" says "nothing was counted"
head -c 200000 "$recordings/topdown.rec" >"$cut"
draw "$cut"
result "the page of a truncated file says that it is cut off" has '"cut":true'
result "the warning that the file is cut off is printed once" [ "$(grep -c 'was cut off' <<<"$said")" = 1 ]
# As with other tools, the file name "-" is the standard output.
cd "$scratch" || exit 1
"$barepmu" report --html "$page" "$recordings/knc.rec"
"$barepmu" report --html - "$recordings/knc.rec" >standard
result "--html - writes the page to the standard output" cmp -s standard "$page"
"$barepmu" report -x, -o - "$recordings/knc.rec" >standard
result "-o - writes a report to the standard output" grep -q ^time, standard
result "no file named - is created" [ ! -e ./- ]
draw "$recordings/topdown.rec" "$recordings/late.rec" "$recordings/knc.rec"
result "the page of three recordings is written" [ "$status" = 0 ]
result "the page of three recordings: nothing is printed" [ -z "$said" ]
for name in topdown late knc; do
	result "the page of three recordings has $name" has "\"name\":\"$recordings/$name.rec\""
done
result "the page of three recordings has no values over time" [ "$(wc -c <"$page")" -lt 200000 ]
draw -C 1 --from 50% "$recordings/topdown.rec" "$recordings/late.rec"
result "the page of two recordings: -C 1 selects the CPU of each" [ "$(grep -o '"cpus":"1"' "$page" | wc -l)" = 2 ]
"$recordings/make-recording" hybrid "$scratch/hybrid"
draw "$scratch/hybrid"
result "two core types: the page is written without -C" [ "$status $said" = '0 ' ]
result "two core types: the page has both" [ "$(grep -o '"part":"adl\(-e\)\?"' "$page" | paste -sd,)" = \
	'"part":"adl","part":"adl-e"' ]
draw -C adl-e "$scratch/hybrid"
result "-C adl-e: the page has the efficient cores" [ "$(grep -o '"cpus":"[0-9-]*"' "$page")" = '"cpus":"2-3"' ]
head -c 100000 "$scratch/hybrid" >"$cut"
draw "$cut"
result "two core types: the warning that the file is cut off is printed once" \
	[ "$(grep -c 'was cut off' <<<"$said")" = 1 ]
draw "$recordings/topdown.rec" "$scratch/hybrid"
for name in "topdown.rec" "hybrid (adl)" "hybrid (adl-e)"; do
	result "the page of two recordings, one of two core types, has $name" has "$name\","
done
for option in '-I 100' '-M Retiring' '--metrics /nowhere' '--events /nowhere'; do
	# shellcheck disable=SC2086
	draw $option "$recordings/topdown.rec" "$recordings/late.rec"
	result "the page of two recordings: ${option% *} is refused" says "give only -C, --method, --from and --to"
done
draw "$recordings/knc.rec" "$recordings/stack.rec"
result "recordings without Top-Down are refused" \
	says "none of the 2 recordings"
draw "$recordings/topdown.rec" /nowhere/file
result "the error names a missing file" says /nowhere/file
draw -C 3 "$recordings/topdown.rec" "$recordings/late.rec"
result "the error names the recording without the CPU" says "late.rec"
page=/nowhere/page
draw "$recordings/topdown.rec"
result "a page that cannot be written is an error" says "cannot be written"
finish
