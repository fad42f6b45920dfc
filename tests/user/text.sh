#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Usage: text.sh [--write] [NAME]...
#
# A user reads the texts that were reviewed. Each file text/NAME.text has commands, "$ COMMAND",
# and all that they print for recordings of known counts, errors too. To change wording, change
# the code; then "--write", or "make -C tests text", writes into the files what the commands
# print now, and the difference is reviewed before it is committed.
# shellcheck source=tests/user/lib.sh
. "$(dirname "$0")/lib.sh"

here=$top/tests/user
with_recordings
make -s -C "$top/tests/html" texts
export LC_ALL=C
cp "$recordings"/{topdown,late,knc,stack,disturbed,roofline,counts,sockets,slices,hybrid,where,both,moved,branches,ops,fetches,retired,tasks}.rec "$here"/eval/*.csv "$scratch"
cd "$scratch" || exit 1
head -c 200000 topdown.rec >cut.rec

# barepmu WORD...: the tool, as commands in the files call it
barepmu()
{
	"$barepmu" "$@" || echo "[exit status $?]"
}

# data: prints the title and the data of a page, an object a line, without the date; what rounding
# leaves of 0 is 0
data()
{
	# shellcheck disable=SC2016
	perl -MJSON::PP -0777 -ne '
		my ($title, $data) = /<title>(.*?)<\/title>.*id="data">(.*?)<\/script>/s or exit 1;
		$data = JSON::PP->new->canonical->encode(decode_json($data));
		$data =~ s/(?<=.)\{"/\n{"/g;
		$data =~ s/-?\b[\d.]+e-(09|[1-9]\d)/0/g;
		print "$title\n$data\n" =~ s/\d{4}-\d\d-\d\d( [\d:]{8} UTC)?/DATE/gr'
}

# values: as data, without the words of metrics and the events of groups
values()
{
	data | sed -E '/^\{"events":\[/d; s/"(next|text|threshold|source)":("[^"]*"|null),?//g'
}

# answers FILE: prints the file with what its commands print now
answers()
{
	local line

	sed '/^\$ /,$d' "$1"
	while read -r line; do
		echo "\$ $line"
		eval "$line" 2>&1
	done < <(sed -n 's/^\$ //p' "$1")
}

# unchanged FILE: checks that the commands of the file print what is in it
unchanged()
{
	answers "$1" >"$scratch/now"
	diff -u "$1" "$scratch/now" >"$scratch/changes" && return
	sed -n '3,60s/^/# /p' "$scratch/changes"
	return 1
}

write=false
if [ "${1:-}" = --write ]; then
	write=true
	shift
fi
[ $# -gt 0 ] || mapfile -t names < <(basename -s .text "$here"/text/*.text)
for name in "$@" "${names[@]}"; do
	file=$here/text/$name.text
	if $write; then
		answers "$file" >"$scratch/now"
		cmp -s "$scratch/now" "$file" || cp "$scratch/now" "$file"
	fi
	result "$name: all that is printed is as in tests/user/text/$name.text" unchanged "$file"
done
finish
