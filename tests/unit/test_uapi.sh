#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A programmer who includes the protocol's header can compile it: alone, twice, in the oldest C
# and in C++.
set -eu

top=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=tests/tap.sh
. "$top/tests/tap.sh"
tap_log=$(mktemp)

clean_up()
{
	rm -f "$tap_log"
}

# compiles NAME FILE COMPILER...: includes FILE twice; passes if the compiler prints nothing
compiles()
{
	name=$1 file=$2
	shift 2
	if ! command -v "$1" >/dev/null; then
		result "$name # SKIP $1 is not installed" true
		return
	fi
	printf '#include <linux/%s>\n#include <linux/%s>\n' "$file" "$file" |
		"$@" -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I"$top/uapi" - \
			>"$tap_log" 2>&1 || :
	result "$name" [ ! -s "$tap_log" ]
}

begin
compiles "barepmu.h alone is C90" barepmu.h "${CC:-cc}" -std=c90 -x c
compiles "barepmu.h alone is C++" barepmu.h "${CXX:-c++}" -x c++
finish
