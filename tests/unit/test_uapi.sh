#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The protocol's header compiles alone, in the oldest C and in C++.
set -eu

top=$(cd "$(dirname "$0")/../.." && pwd)
count=0
failed=0

compiles() {
	name=$1 file=$2
	shift 2
	count=$((count + 1))
	if ! command -v "$1" >/dev/null; then
		echo "ok $count - $name # SKIP $1 is not installed"
	elif printf '#include <linux/%s>\n#include <linux/%s>\n' \
			"$file" "$file" |
			"$@" -Wall -Wextra -Wpedantic -Werror -fsyntax-only \
			-I"$top/uapi" - 2>&1 | sed 's/^/# /' | grep .; then
		echo "not ok $count - $name"
		failed=1
	else
		echo "ok $count - $name"
	fi
}

echo "1..2"
compiles "barepmu.h alone is C90" barepmu.h "${CC:-cc}" -std=c90 -x c
compiles "barepmu.h alone is C++" barepmu.h "${CXX:-c++}" -x c++
exit $failed
