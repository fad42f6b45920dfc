#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A user of a terminal with 80 or 40 columns sees no line that exceeds the width, and no word is
# lost. Lines in a pipe, and in formats for programs, are not folded.
# shellcheck source=tests/user/lib.sh
. "$(dirname "$0")/lib.sh"
with_recordings
# Without sanitizers, for speed: output.sh makes the same calls with them.
barepmu=$top/build/barepmu

# shows WIDTH WORD...: sets $said to the tool's output on a terminal of that width
shows()
{
	local width=$1

	shift
	said=$(TERM=xterm script -qec "stty cols $width rows 24; $(printf '%q ' \
		"$barepmu" "$@")" /dev/null </dev/null | tr -d '\r' |
		sed 's/\x1b\[[0-9;]*[A-Za-z]//g')
}

# widest LINES: prints the number of columns of the longest line
widest()
{
	wc -L <<<"$1"
}

# words TEXT: prints its letters without blanks and line ends
words()
{
	tr -d ' \n' <<<"$1"
}

# fits WIDTH WORD...: checks that the folded output has all words of the unfolded one
fits()
{
	local width=$1 whole

	shift
	whole=$("$barepmu" "$@" 2>&1)
	shows "$width" "$@"
	[ "$(widest "$said")" -le "$width" ] || { echo "# $(widest "$said")"; return 1; }
	[ "$(words "$said")" = "$(words "$whole")" ]
}

printf 'name,cycles,instructions\na,1000,2000\n' >"$scratch/counts"
for width in 80 40; do
	while read -r words; do
		words=${words//RECORDINGS/$recordings}
		# shellcheck disable=SC2086
		result "$width columns: ${words//"$recordings/"/}" fits $width $words
	done <<-END
		help
		stat --help
		list parts
		list --part ivb events
		list --part ivb -v errata
		list --part ivb metrics
		list --part ivb groups
		list --part ivb schedule
		explain --part ivb Memory_Bound
		eval --part ivb $scratch/counts
		errata check --nosuch
		doctor
		report --header RECORDINGS/topdown.rec
		report --topdown 4 RECORDINGS/topdown.rec
		report --topdown 2 -I 2s --compact RECORDINGS/topdown.rec
		report -A -e CPU_CLK_UNHALTED.THREAD RECORDINGS/topdown.rec
		report --compact -I 2s -M Frontend_Bound,Retiring RECORDINGS/topdown.rec
		report --phi RECORDINGS/knc.rec
		report --cpistack RECORDINGS/stack.rec
		report --diff RECORDINGS/topdown.rec RECORDINGS/late.rec
	END
	# The numbers of these commands differ from call to call, so only the width is checked.
	for command in clocks check "selftest --dry-run"; do
		# shellcheck disable=SC2086
		shows "$width" $command
		result "$width columns: $command" [ "$(widest "$said")" -le "$width" ]
	done
done
shows 80 list --part ivb metrics
result "a description that does not fit beside its name is printed below it" \
	says $'Frontend_Bound                 1  slots\n      Slots left empty'
result "in a pipe a description is printed beside its name" grep -q \
	'^  Frontend_Bound  .* slots .* Slots left empty' \
	<("$barepmu" list --part ivb metrics)
for format in -j "-x,"; do
	shows 40 list $format --part ivb metrics
	result "$format on a terminal: rows are not folded" \
		[ "$said" = "$("$barepmu" list $format --part ivb metrics)" ]
done
"$barepmu" report --compact -A -I 2s -M Frontend_Bound,Retiring \
	"$recordings/topdown.rec" >"$scratch/compact"
result "--compact: no line ends with a blank" \
	[ "$(grep -c ' $' "$scratch/compact")" -eq 0 ]
result "--compact: columns are aligned" [ "$(grep '^ ' "$scratch/compact" |
	awk '$1 == "time" || $NF ~ /%$/ { print length($0) }' | sort -u | wc -l)" -eq 1 ]
tool report --diff "$recordings/topdown.rec" "$recordings/topdown.rec"
result "--diff without a difference prints all rows, as not significant" \
	[ "$(grep -c '  (not significant)$' <<<"$said")" -eq 17 ]
finish
