#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A programmer who uses libbarepmu gets the tool's values for a recording and for counts: the
# library is installed, found by pkg-config, and linked shared, static and with sanitizers.
# tests/user/python.sh tests the Python package.
# shellcheck source=tests/user/lib.sh
. "$(dirname "$0")/lib.sh"
with_recordings

api=$top/user/lib/api
root=$scratch/root
make -s -C "$top/user" install DESTDIR="$root" PREFIX=/usr >/dev/null
export PKG_CONFIG_PATH=$root/usr/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root
export LD_LIBRARY_PATH=$root/usr/lib

# build EXAMPLE OPTION...: compiles an example program to $scratch/EXAMPLE
build()
{
	local example=$1

	shift
	# shellcheck disable=SC2046
	cc -Wall -Wextra -Werror -o "$scratch/$example" \
		"$top/user/examples/$example.c" $(pkg-config --cflags barepmu) "$@"
}

shared()
{
	# shellcheck disable=SC2046
	build "$1" $(pkg-config --libs barepmu)
}

static()
{
	# shellcheck disable=SC2046
	build "$1" "$root/usr/lib/libbarepmu.a" \
		$(pkg-config --libs libmnl jansson) -lm
}

# symbols: checks that the library exports the functions of its header and no others
symbols()
{
	diff <(nm -D --defined-only "$root/usr/lib/libbarepmu.so.0" |
		awk '$2 == "T" { sub(/@.*/, "", $3); print $3 }' | sort) \
		<(grep -oE '^[a-z].*\bbarepmu_[a-z_]+\(' "$api/barepmu.h" |
		grep -oE 'barepmu_[a-z_]+' | sort)
}

local_names()
{
	[ -z "$(nm "$root/usr/lib/libbarepmu.a" 2>/dev/null |
		awk '$2 ~ /^[TDRBVC]$/ && $3 !~ /^barepmu_/')" ]
}

# no_global_state: checks that all handles share only this state, for these reasons:
#   crc_table, crc_once: computed at the first use, then only read
#   elfutils, elfutils_usable, elfutils_once: functions of libdw, looked up at the first use
#   intel_PART_events, unpacking: rows unpacked at the first use of a part, then only read
#   last_branch: address in the code of a loop, stored by each run of the loop
#   pfm, pfm_usable, pfm_once: libpfm4 has global state of its own
# Data in .data.rel.ro are no state: the loader relocates them and then write-protects them.
no_global_state()
{
	diff <(objdump -t "$root/usr/lib/libbarepmu.a" 2>/dev/null |
		awk 'NF > 4 && $(NF - 1) !~ /^0+$/ && $(NF - 2) !~ /\.rel\.ro/ &&
			$(NF - 2) ~ /^(\.t?data|\.t?bss|\*COM\*)/ {
			sub(/\.[0-9]+$/, "", $NF); sub(/^intel_[a-z0-9_]+_events$/, "events", $NF)
			print $NF }' | sort -u) \
		<(printf '%s\n' crc_once crc_table elfutils elfutils_once \
			elfutils_usable events last_branch pfm pfm_once pfm_usable unpacking)
}

# Checksum and length of the header's code, the ABI on which existing programs rely: functions,
# layout of structures, flags. If it differs only because functions or flags were added, update
# the numbers; otherwise the library needs another soname as well.
abi='48917094 2082'
same_abi()
{
	# shellcheck disable=SC2046
	[ "$(printf '%s\n' '#include <barepmu.h>' |
		cc -E -P -x c $(pkg-config --cflags barepmu) - |
		sed -n '/struct barepmu;/,$p' | tr -s ' \n' '  ' | cksum)" = \
		"$abi" ]
}

examples_are_short()
{
	[ "$(wc -l "$top"/user/examples/* | awk '$2 != "total" && $1 > 40' |
		wc -l)" -eq 0 ]
}

# values METRIC: prints the library's values and half-widths of METRIC, an interval a line
values()
{
	"$scratch/recording" "$recordings/topdown.rec" "$1" 100 |
		awk -F, '{ printf "%.6g %.6g\n", $2, $3 }'
}

values_of_tool()
{
	"$barepmu" report -M "$1" -I 100 -x, "$recordings/topdown.rec" |
		awk -F, -v metric="$1" '$18 == metric {
			printf "%.6g %.6g\n", $20, $8 }'
}

equal_to_the_tool()
{
	local found wanted

	found=$(values "$1") wanted=$(values_of_tool "$1")
	[ -n "$found" ] || return 1
	[ "$found" = "$wanted" ] ||
		{ echo "# $found"; echo "# $wanted"; false; }
}

fails()
{
	local text=$1 status=0

	shift
	said=$("$@" 2>&1) || status=$?
	[ "$status" -eq 1 ] && says "$text"
}

cat >"$scratch/evaluate.c" <<'END'
#include <barepmu.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* evaluate PART METRIC [EVENT COUNT HALF]... */
int main(int argc, char **argv)
{
	struct barepmu_count counts[16];
	struct barepmu_value value;
	struct barepmu_error err;
	size_t nr = 0;

	for (int i = 3; i + 2 < argc; i += 3)
		counts[nr++] = (struct barepmu_count){ argv[i],
			atof(argv[i + 1]), atof(argv[i + 2]) };
	if (barepmu_evaluate(argv[1], argv[2], counts, nr, &value, &err)) {
		fprintf(stderr, "%s\n", err.text);
		return 1;
	}
	if (value.known)
		printf("%.6g %.6g %x\n", value.value, value.half_width,
		       value.flags);
	else
		printf("none %x\n", value.flags);
	return 0;
}
END

cat >"$scratch/order.c" <<'END'
#include <barepmu.h>
#include <errno.h>
#include <stdio.h>

/* order RECORDING: calls in a wrong order */
int main(int argc, char **argv)
{
	struct barepmu_interval interval;
	struct barepmu_error err = { "" };
	struct barepmu *b;
	int code;

	if (argc != 2 || barepmu_open_recording(&b, argv[1], NULL, &err))
		return 2;
	printf("read %d %s\n", barepmu_read(b, &interval, &err) == -EINVAL, err.text);
	printf("none %d %s\n", barepmu_start(b, 0, &err) == -EINVAL, err.text);
	printf("again %d %s\n", barepmu_start(b, 0, &err) == -EALREADY, err.text);
	printf("event %d %s\n", barepmu_add_event(b, "cycles", &err) == -EALREADY,
	       err.text);
	printf("metric %d %s\n", barepmu_add_metric(b, "Retiring", &err) == -EALREADY,
	       err.text);
	barepmu_close(b);
	if (barepmu_open_recording(&b, argv[1], NULL, NULL) ||
	    barepmu_add_metric(b, "Retiring", NULL) || barepmu_start(b, 0, NULL))
		return 2;
	printf("twice %d %s\n", barepmu_start(b, 0, &err) == -EALREADY, err.text);
	printf("counted %d\n", barepmu_read(b, &interval, NULL));
	printf("ended %d %d\n", barepmu_read(b, &interval, NULL), barepmu_stop(b, NULL));
	barepmu_close(b);
	code = barepmu_open_recording(&b, "/nowhere", NULL, NULL);
	printf("opened %d %d\n", code == -ENOENT, b == NULL);
	barepmu_close(b);
	return 0;
}
END

cat >"$scratch/events.c" <<'END'
#include <barepmu.h>
#include <stdio.h>

static void print(const struct barepmu *b, int event, int cpu)
{
	struct barepmu_value value;

	if (barepmu_event(b, event, cpu, &value) || !value.known)
		printf("none\n");
	else
		printf("%.0f %.0f\n", value.value, value.half_width);
}

/* events RECORDING EVENT...: counts and half-widths, of all CPUs and of each */
int main(int argc, char **argv)
{
	struct barepmu_interval interval;
	struct barepmu_error err;
	const uint32_t *cpus;
	struct barepmu *b;
	size_t pos;
	int i;

	if (barepmu_open_recording(&b, argv[1], NULL, &err))
		goto wrong;
	for (i = 2; i < argc; i++)
		if (barepmu_add_event(b, argv[i], &err) != i - 2)
			goto wrong;
	if (barepmu_start(b, 0, &err) || barepmu_read(b, &interval, &err) != 1)
		goto wrong;
	for (i = 2; i < argc; i++) {
		print(b, i - 2, BAREPMU_ALL_CPUS);
		for (pos = 0; pos < barepmu_cpus(b, &cpus); pos++)
			print(b, i - 2, cpus[pos]);
	}
	barepmu_close(b);
	return 0;
wrong:
	fprintf(stderr, "%s\n", err.text);
	return 1;
}
END

# counts EVENT...: checks that the library's counts of events, without a metric, are the tool's
counts()
{
	local recording=$recordings/topdown.rec events found wanted

	events=$(IFS=,; echo "$*")
	found=$("$scratch/events" "$recording" "$@")
	# The program prints the sum of an event first, then the counts of the four CPUs.
	wanted=$({
		"$barepmu" report -e "$events" -x, "$recording" | awk '{ print 5 * NR, $0 }'
		"$barepmu" report -A -e "$events" -x, "$recording" |
			awk 'NR > 1 { print 10 + int((NR - 2) / 4) * 5 + (NR - 2) % 4 + 1, $0 }'
	} | sort -n | awk -F, '$4 ~ /[0-9]/ { print $4, $8 == "" ? 0 : $8 }')
	[ -n "$wanted" ] || return 1
	[ "$found" = "$wanted" ] ||
		{ echo "# $found"; echo "# $wanted"; false; }
}

# ordered CALL ANSWER: checks what the program "order" prints of CALL, a call in a wrong order
ordered()
{
	said=$("$scratch/order" "$recordings/topdown.rec" | sed -n "s/^$1 //p")
	[ "$said" = "$2" ] || { echo "# $said"; false; }
}

# on_the_page: checks that the manual page names each function of the header
on_the_page()
{
	diff <(grep -oE '\*barepmu_[a-z_]+\*\(\)' "$top/user/man/libbarepmu.3.scd" |
		grep -oE 'barepmu_[a-z_]+' | sort -u) \
		<(grep -oE '^[a-z].*\bbarepmu_[a-z_]+\(' "$api/barepmu.h" |
		grep -oE 'barepmu_[a-z_]+' | sort)
}

# declarations FILE: prints the prototypes and types of C code, sorted, one a line
declarations()
{
	perl -0777 -ne '
		s{/\*.*?\*/}{}gs;
		s{#ifdef __cplusplus.*?#endif|^#.*?$}{}gms;
		for (/(?:enum|struct) \w+ \{.*?\};|[^;{}]+;/gs) {
			s/\s+/ /g;
			s/^ | $//g;
			print "$_\n" unless /^struct \w+;$/;
		}' "$1" | sort
}

# prototypes_on_the_page: checks that the manual page has the header's prototypes and types
prototypes_on_the_page()
{
	# shellcheck disable=SC2016
	sed -n '/^```$/,/^```$/{ /^```$/d; p }' "$top/user/man/libbarepmu.3.scd" |
		grep -vE '^(cc |\$|[0-9])' >"$scratch/page.h"
	diff <(declarations "$scratch/page.h") <(declarations "$api/barepmu.h")
}

evaluates()
{
	local wanted=$1

	shift
	said=$("$scratch/evaluate" "$@" 2>&1)
	[ "$said" = "$wanted" ] || { echo "# $said"; false; }
}

result "examples have at most 40 lines each" examples_are_short
result "the shared library exports what its header declares" symbols
result "the archive has no other global names" local_names
result "the archive has no other global state than the listed" no_global_state
result "the header declares the same ABI as before" same_abi
result "the header compiles as C++" cc -x c++ -fsyntax-only -Wall -Wextra "$api/barepmu.h"
result "libbarepmu(3) names each function of the header" on_the_page
result "libbarepmu(3) has the prototypes and types of the header" prototypes_on_the_page
result "the shared library has the soname libbarepmu.so.0" grep -q 'libbarepmu.so.0' \
	<(objdump -p "$root/usr/lib/libbarepmu.so.0" | grep SONAME)
result "the example loop builds with the shared library" shared loop
result "the example loop fails without the module" fails "barepmu" "$scratch/loop"
result "the example recording builds with the archive" static recording
result "the static example does not load the shared library" \
	[ "$(ldd "$scratch/recording" | grep -c libbarepmu)" -eq 0 ]
result "the static example prints the tool's values of Backend_Bound" equal_to_the_tool Backend_Bound
result "the example recording builds with the shared library" shared recording
result "the shared example prints the tool's values of Backend_Bound" equal_to_the_tool Backend_Bound
result "the shared example prints the tool's values of Frontend_Bound" equal_to_the_tool Frontend_Bound
result "C: the error names a missing file" fails "$scratch/none: " "$scratch/recording" \
	"$scratch/none" IPC
result "C: the error names an unknown metric" fails "IPD" "$scratch/recording" \
	"$recordings/topdown.rec" IPD
result "C: too short an interval is refused" fails "shorter than" \
	"$scratch/recording" "$recordings/topdown.rec" Retiring 1

# These are linked with the library's objects with sanitizers, so that they notice what is not freed.
make -s -C "$top/user" SAN=1 archive
for program in order evaluate events; do
	cc -no-pie -fsanitize=address,undefined -fno-sanitize-recover=all -Wall -Wextra -Werror \
		-o "$scratch/$program" "$scratch/$program.c" "-I$api" "$top/build/san/tool.a" \
		-lmnl -ljansson -lm
done
result "barepmu_read() is refused before barepmu_start()" ordered read \
	'1 libbarepmu: nothing is counted; call barepmu_start() before barepmu_read()'
result "barepmu_start() is refused without events and metrics" ordered none \
	'1 libbarepmu: nothing to count; add an event or a metric'
again='1 libbarepmu: barepmu_start() was called before; open another handle'
result "barepmu_start() is refused after it failed" ordered again "$again"
result "barepmu_start() is refused after it succeeded" ordered twice "$again"
result "barepmu_add_event() is refused after barepmu_start()" ordered event \
	'1 cycles: counting has begun; add it before barepmu_start()'
result "barepmu_add_metric() is refused after barepmu_start()" ordered metric \
	'1 Retiring: counting has begun; add it before barepmu_start()'
result "a refused call changes nothing: the interval can be read" ordered counted 1
result "a recording ends with 0, and barepmu_stop() does nothing" ordered ended '0 0'
result "a handle that could not be opened is NULL" ordered opened '1 1'
result "events without a metric have the tool's counts" counts \
	CPU_CLK_UNHALTED.THREAD UOPS_RETIRED.RETIRE_SLOTS RESOURCE_STALLS.SB
result "an event that was added twice has the same count twice" counts \
	CPU_CLK_UNHALTED.THREAD RESOURCE_STALLS.SB CPU_CLK_UNHALTED.THREAD
uops=UOPS_RETIRED.RETIRE_SLOTS clocks=CPU_CLK_UNHALTED.THREAD
result "evaluate: exact counts yield an exact value" evaluates "0.5 0 0" ivb Retiring \
	$uops 2000 0 $clocks 1000 0
# Dividend 2000 +- 100 of 4000: 0.025. Divisor 4000 +- 400, dividend 2000: 2000 / 3600 and
# 2000 / 4400 are 0.101 apart.
result "evaluate: the interval of the dividend is propagated" evaluates "0.5 0.025 0" ivb Retiring \
	$uops 2000 100 $clocks 1000 0
result "evaluate: the interval of the divisor is propagated" evaluates "0.5 0.0505051 0" ivb \
	Retiring $uops 2000 0 $clocks 1000 100
result "evaluate: intervals of dividend and divisor are added in quadrature" evaluates "0.5 0.0563539 0" ivb Retiring \
	$uops 2000 100 $clocks 1000 100
result "evaluate: a count of unknown interval keeps the value" evaluates "0.5 inf 0" ivb \
	Retiring $uops 2000 inf $clocks 1000 0
result "evaluate: a wide interval keeps the value" evaluates "0.5 2.5e+26 0" ivb \
	Retiring $uops 2000 1e30 $clocks 1000 0
result "evaluate: a missing count is flagged" evaluates "none 8" ivb Retiring \
	$clocks 1000 0
result "evaluate: a value above 1 is not clamped" evaluates "1.5 0 2" ivb Retiring \
	$uops 6000 0 $clocks 1000 0
result "evaluate: an unknown part is refused" fails "nopart" "$scratch/evaluate" nopart IPC
result "evaluate: an unknown event is refused" fails "NO.EVENT" "$scratch/evaluate" ivb \
	Retiring NO.EVENT 1 0
result "evaluate: an event that occurs twice is refused" fails "counts the same" \
	"$scratch/evaluate" ivb Retiring $clocks 1 0 $clocks 2 0

# files_left: prints the files that remain after uninstalling, on a machine without kernel headers
files_left()
{
	for release in 6.1.0 6.12.0; do
		mkdir -p "$root/lib/modules/$release/extra"
		touch "$root/lib/modules/$release/extra/barepmu.ko"
	done
	make -s -C "$top" uninstall DESTDIR="$root" PREFIX=/usr KDIR=/nowhere >/dev/null &&
		find "$root" -type f
}

result "make install installs more than 20 files" [ "$(find "$root" -type f | wc -l)" -gt 20 ]
result "make uninstall leaves no file, and no module of any kernel" [ "$(files_left)" = "" ]
finish
