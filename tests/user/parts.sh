#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# "make static PARTS=...": a tool for only these parts, for which it must equal the full
# tool. Needs build/barepmu.
# shellcheck source=tests/user/lib.sh
. "$(dirname "$0")/lib.sh"

echo "TAP version 13"
whole=$barepmu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"; echo "1..$count"; exit $failed' EXIT
barepmu=$scratch/barepmu

# build PARTS [VARIABLE]: builds in a folder of its own
build()
{
	status=0
	said=$(make -s -j2 -C "$top/user" static O="$scratch/objects" STATIC="$barepmu" \
		PARTS="$1" "${@:2}" 2>&1) || status=$?
}

# screens: checks that it has ncurses, which reads terminal descriptions there
screens()
{
	grep -q /usr/share/terminfo "$barepmu"
}

# answers: checks that it has libmicrohttpd
answers()
{
	grep -q Transfer-Encoding "$barepmu"
}

# same WORD...: checks that both tools print the same
same()
{
	cmp <("$barepmu" "$@" 2>&1) <("$whole" "$@" 2>&1)
}

not()
{
	! "$@"
}

# names: prints the names of all parts that it lists
names()
{
	"$barepmu" list parts | awk '{ print $1 }' | xargs
}

build "ivb nosuch"
result "no such part: refused" [ "$status" -ne 0 ]
result "by its name" says "PARTS: 'nosuch' is no part; choose of snb jkt ivb"
result "nothing is built" [ ! -e "$barepmu" ]
build "skl ivb"
result "two parts: builds" [ "$status" -eq 0 ]
result "lists those" [ "$(names)" = "ivb skl" ]
for part in ivb skl; do
	for what in events metrics errata groups; do
		result "$part: its $what" same list --part $part $what
	done
done
tool list --part hsw events
result "another part is refused" [ "$status" -eq 1 ]
result "the error lists the parts" says "part 'hsw': not known; choose one of ivb, skl"
strip -o "$scratch/stripped" "$barepmu"
size=$(stat -c %s "$scratch/stripped")
echo "# stripped: $size bytes"
result "below 2.5 MB" [ "$size" -lt 2500000 ]
result "with ncurses" screens
result "serve answers, with libmicrohttpd" answers
tool decan -- true
result "no decan" [ "$status" -eq 1 ]
result "the error says which build has decan" says 'use the one that "make user" builds'
build "skl ivb" CURSES= HTTPD=
result "builds without" [ "$status" -eq 0 ]
result "ncurses is not there then" not screens
result "nor is libmicrohttpd" not answers
result "the parts still are" [ "$(names)" = "ivb skl" ]
build "knc adl-e"
result "for other parts it is made anew" [ "$(names)" = "adl-e knc" ]
result "adl-e: its metrics" same list --part adl-e metrics
said=$(make -s -C "$top/user" PARTS=ivb 2>&1) && status=0 || status=$?
result "PARTS is for static alone" says 'PARTS: is for "make static"; leave it out'
