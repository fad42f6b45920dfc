#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Every member of JSON and every column of CSV has a row in barepmu-output(7), and vice
# versa. Commands that need the module are not run: the names of their fields are read
# from their sources.
# shellcheck source=tests/user/lib.sh
. "$(dirname "$0")/lib.sh"

page=$top/user/man/barepmu-output.7.scd
with_recordings
# A search for leaks takes half of a start; unit tests search on the same paths.
export ASAN_OPTIONS=detect_leaks=0
printf 'label,cycles,instructions\na,1000,2000\n' >"$scratch/counts"

# both WORD...: prints members and columns of a call in both formats
both()
{
	"$barepmu" "$1" -j "${@:2}" 2>/dev/null | grep -oE '"[a-z][a-z_0-9]*":' |
		tr -d '":'
	"$barepmu" "$1" -x, "${@:2}" 2>/dev/null | head -n 1 | tr , '\n'
}

all()
{
	local topic recording how

	both list --part ivb
	for topic in events metrics errata parts groups; do
		both list --part ivb "$topic"
	done
	both list --part ivb groups -v
	for recording in "$recordings"/*.rec; do
		both report -e instructions -A -I 2s "$recording"
		both report -e instructions --by cpu "$recording"
		for how in "" --cpistack --phi "--topdown 2" "--topdown 1 --cpi" \
			"-M IPC --per-core"; do
			# shellcheck disable=SC2086
			both report $how "$recording"
		done
		both report --diff "$recording" "$recording"
	done
	both eval --part ivb "$scratch/counts"
	"$barepmu" clocks -j | grep -oE '"[a-z][a-z_0-9]*":' | tr -d '":'
	"$barepmu" doctor -j | grep -oE '"[a-z][a-z_0-9]*":' | tr -d '":'
}

# fields FILE...: prints the names there; the registers of a CPUID leaf are listed under
# "leaf"
fields()
{
	grep -hoE '(\{|bpmu_object_open\(&object,) "[a-z][a-z_0-9]*",' "$@" |
		grep -oE '[a-z_0-9]+",' | tr -d '",' | grep -vx eax
}

of_module()
{
	fields "$top"/user/tool/cmd/errata/{errata_report,probe}.c \
		"$top"/user/tool/cmd/cmd_info.c "$top"/user/lib/source/overhead.c \
		"$top"/user/tool/cmd/selftest/*.c "$top"/user/tool/cmd/decan/report.c
}

documented()
{
	sed -n 's/^|  //p' "$page" | sed 's/[\]//g' | sort
}

alike()
{
	diff <("$1") <("$2")
}

members()
{
	sort -u "$scratch/all"
}

all | grep -E '^[a-z][a-z_0-9]*$' >"$scratch/all"
of_module >"$scratch/of-module"
cat "$scratch/of-module" >>"$scratch/all"
result "there are some" [ "$(members | wc -l)" -gt 80 ]
result "of commands that need the module too" [ "$(sort -u "$scratch/of-module" | wc -l)" -gt 90 ]
result "each has a row, and each row is one" alike members documented
result "no row stands twice" [ -z "$(documented | uniq -d)" ]
