#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A builder gets a tool for some parts only, "make static PARTS=...", which for these parts
# equals the full tool. Needs build/barepmu.
# shellcheck source=tests/user/lib.sh
. "$(dirname "$0")/lib.sh"

whole=$barepmu
scratch=$(mktemp -d)
barepmu=$scratch/barepmu

# build PARTS [VARIABLE]: builds the tool for PARTS in a folder of its own
build()
{
	status=0
	said=$(make -s -j2 -C "$top/user" static O="$scratch/objects" STATIC="$barepmu" \
		PARTS="$1" "${@:2}" 2>&1) || status=$?
}

# has_ncurses: checks that the tool contains the path of ncurses' terminal descriptions
has_ncurses()
{
	grep -q /usr/share/terminfo "$barepmu"
}

# has_libmicrohttpd: checks that the tool contains a header field of libmicrohttpd's responses
has_libmicrohttpd()
{
	grep -q Transfer-Encoding "$barepmu"
}

# same WORD...: checks that the small tool and the full one print the same
same()
{
	cmp <("$barepmu" "$@" 2>&1) <("$whole" "$@" 2>&1)
}

not()
{
	! "$@"
}

# names: prints the names of all parts that the small tool has
names()
{
	"$barepmu" list parts | awk '{ print $1 }' | xargs
}

build "ivb nosuch"
result "make static refuses an unknown part" [ "$status" -ne 0 ]
result "make static: the error names the unknown part" says "PARTS: 'nosuch' is no part; choose of nhm nhm-ex wsm"
result "make static with an unknown part builds nothing" [ ! -e "$barepmu" ]
build "skl ivb"
result "make static builds a tool of two parts" [ "$status" -eq 0 ]
result "the tool of two parts lists these" [ "$(names)" = "ivb skl" ]
for part in ivb skl; do
	for what in events metrics errata groups; do
		result "$part: $what equal those of the full tool" same list --part $part $what
	done
done
tool list --part hsw events
result "the tool of two parts refuses another part" [ "$status" -eq 1 ]
result "the tool of two parts: the error lists its parts" says "part 'hsw': not known; choose one of ivb, skl"
strip -o "$scratch/stripped" "$barepmu"
size=$(stat -c %s "$scratch/stripped")
echo "# stripped: $size bytes"
result "the stripped tool has less than 2.5 MB" [ "$size" -lt 2500000 ]
result "the tool has ncurses" has_ncurses
result "the tool has libmicrohttpd" has_libmicrohttpd
tool decan -- true
result "decan is not available" [ "$status" -eq 1 ]
result "decan: the error says which build has it" says 'use the one that "make user" builds'
build "skl ivb" CURSES= HTTPD=
result "CURSES= HTTPD=: make static builds a tool" [ "$status" -eq 0 ]
result "CURSES= HTTPD=: the tool has no ncurses" not has_ncurses
result "CURSES= HTTPD=: the tool has no libmicrohttpd" not has_libmicrohttpd
result "CURSES= HTTPD=: the tool has the two parts" [ "$(names)" = "ivb skl" ]
build "knc adl-e"
result "make static with other parts builds the tool again" [ "$(names)" = "adl-e knc" ]
result "adl-e: metrics equal those of the full tool" same list --part adl-e metrics
said=$(make -s -C "$top/user" PARTS=ivb 2>&1) && status=0 || status=$?
result "make refuses PARTS without the target static" says 'PARTS: is for "make static"; leave it out'
finish
