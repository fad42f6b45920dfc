#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A programmer finds every member of the tool's JSON and every column of its CSV in
# barepmu-output(7), and nothing else there. Commands that need the module or change the machine are
# not run: the names of their fields are read from their sources.
# shellcheck source=tests/user/lib.sh
. "$(dirname "$0")/lib.sh"

page=$top/user/man/barepmu-output.7.scd
with_recordings
# Recordings for the calls below, also with flaws and with energy.
make -s -C "$top/tests/html" texts
# A search for leaks takes half of a start of the tool; unit tests search for them on the same
# paths.
export ASAN_OPTIONS=detect_leaks=0
printf 'label,cycles,instructions\na,1000,2000\n' >"$scratch/counts"

# both WORD...: prints the members and the columns of a call in JSON and in CSV
both()
{
	"$barepmu" "$1" -j "${@:2}" 2>/dev/null | grep -oE '"[a-z][a-z_0-9]*":' |
		tr -d '":'
	"$barepmu" "$1" -x, "${@:2}" 2>/dev/null | head -n 1 | tr , '\n'
}

# all: prints the names of the fields that commands without the module write
all()
{
	local topic recording options

	both list --part ivb
	for topic in groups metrics events errata parts schedule; do
		both list --part ivb "$topic"
	done
	both list --part ivb groups -v
	for recording in "$recordings"/*.rec; do
		both report -e instructions -A -I 2s "$recording"
		both report -e instructions --by cpu "$recording"
		for options in "" --cpistack --phi "--topdown 2" "--topdown 1 --cpi" \
			"-M IPC --per-core"; do
			# shellcheck disable=SC2086
			both report $options "$recording"
		done
		both report --diff "$recording" "$recording"
	done
	both report --by symbol "$recordings/where.rec"
	both report --by symbol --diff "$recordings/where.rec" "$recordings/both.rec"
	both annotate "$recordings/where.rec"
	both eval --part ivb "$scratch/counts"
	both eval --part ivb --method tma "$scratch/counts"
	"$barepmu" clocks -j | grep -oE '"[a-z][a-z_0-9]*":' | tr -d '":'
	"$barepmu" doctor -j | grep -oE '"[a-z][a-z_0-9]*":' | tr -d '":'
}

# fields FILE...: prints the names of fields in sources, without columns and fields that only text
# has; registers of a CPUID leaf are under "leaf"
fields()
{
	perl -0777 -ne 'while (/(?:\{|bpmu_object_open\(&object,|CLOCKS_NUMBER\()\s*
		"([a-z][a-z_0-9]*)",(?!\s*-?\d)(?![^{}]*BPMU_FIELD_CELL)/gx) {
			print "$1\n" unless $1 eq "eax"
		}' "$@"
}

of_module()
{
	fields "$top"/user/tool/cmd/errata/{errata_report,probe}.c \
		"$top"/user/tool/cmd/cmd_info.c "$top"/user/lib/source/overhead.c \
		"$top"/user/tool/cmd/selftest/*.c "$top"/user/tool/cmd/decan/report.c \
		"$top"/user/tool/cmd/clocks/cmd_clocks.c \
		"$top"/user/tool/cmd/report/report_shares.c
	# Fields of counts and verdicts that no recording of these tests has.
	grep -hoE '"[a-z_]*(_slices|er_runs)", [.]form' "$top"/user/tool/stat/stat_row.c \
		"$top"/user/lib/count/verdict.c | cut -d'"' -f2
}

documented()
{
	sed -n '/^# SCHEMA/q; s/^|  //p' "$page" | sed 's/[\]//g' | sort
}

equal()
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
result "JSON and CSV have more than 80 different names" [ "$(members | wc -l)" -gt 80 ]
result "sources of commands that need the module have more than 90 different names" [ "$(sort -u "$scratch/of-module" | wc -l)" -gt 90 ]
result "barepmu-output(7) has a row for exactly these names" equal members documented
schema=$(sed -n 's/^#define BPMU_SCHEMA //p' "$top/user/lib/base/fields.h")
result "barepmu(8) and barepmu-output(7) have the number of the schema" \
	[ "$(grep -c -e "member [*]schema[*], now $schema (" -e "version of these members, $schema\$" -e "^:- [*]In ${schema}[*]\$" \
	"$page" "${page%-output*}.8.scd" | cut -d: -f2 | paste -sd' ')" = "2 1" ]
result "barepmu-output(7) has no row twice" [ -z "$(documented | uniq -d)" ]
finish
