# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# Functions for tests that run on the host and boot guests on the virtual PMU. A test sources this
# file, calls begin, boot, result and finish (tests/tap.sh), and prints TAP.

top=$(cd "$(dirname "$0")/../.." && pwd)
kernel=${1:-6.1}
# shellcheck source=tests/tap.sh
. "$top/tests/tap.sh"
work=$(mktemp -d)
# tests/vm/run adds the folder of the workloads to the guest, and fails if the folder does not
# exist.
make -s -C "$top/tests/workload"

clean_up()
{
	rm -rf "$work"
}

# boot SCRIPT OPTION...: boots a guest that runs SCRIPT, with these options of tests/vm/run, and
# sets $status. SCRIPT prints lines "NAME VALUE", which said() reads. tests/mutants/run sets in
# the environment BAREPMU_MODULE, another module.
boot()
{
	script=$1
	shift
	status=0
	"$top/tests/vm/run" --kernel "$kernel" --truth "$work/truth" \
		${BAREPMU_MODULE:+--module "$BAREPMU_MODULE"} \
		--add "$top/build/workload:/bin/workload" "$@" -- \
		"PATH=/bin/workload:\$PATH; $script" \
		>"$work/out" 2>"$work/err" || status=$?
	[ "$status" -eq 0 ] || {
		tail -n 40 "$work/out" "$work/err"
		echo "the first trouble of the kernel:"
		grep -m 1 -A 24 -E 'WARNING:|BUG:|Oops|Kernel panic|fault:' "$work/err"
	} | sed 's/^/# /'
	uncounted | tee -a "$work/uncounted" | sed 's/^/# not counted by the model: /'
}

# all_counted [PATTERN]: true if the model counted all events of all boots; events that match
# PATTERN do not matter
all_counted()
{
	! grep -qvE -e "${1:-^$}" "$work/uncounted"
}

# uncounted: prints the events that counters of the last boot had to count and the model does not
uncounted()
{
	sed -n '/: these events read 0, because/,$s/^  //p' "$work/err"
}

# boot_with_kselftest SCRIPT OPTION...: boot() with the module's selftests in /kselftest
boot_with_kselftest()
{
	"$top/tests/guest" "$kernel" --install
	boot "$@" --add "$top/build/kselftest:/kselftest"
}

# fuzzed NAME: true if the fuzzer passed and planned groups of events of the package; the guest has
# printed "NAME STATUS" after the output of the fuzzer
fuzzed()
{
	[ "$(said "$1")" = 0 ] && grep -q \
		': groups of the package in [1-9][0-9]* plans, [1-9]' "$work/out"
}

# skip REASON DESCRIPTION...: prints skipped results; if the guest failed, failed results instead
skip()
{
	reason=" # SKIP $1"
	[ "$status" -eq 0 ] || reason=
	shift
	for what; do
		result "$what$reason" [ "$status" -eq 0 ]
	done
}

# lacking MODULE DESCRIPTION...: prints skipped results if the guest's kernel does not have a kernel
# module, else failed results
lacking()
{
	module=$1
	shift
	if find "$top/build/vm/guest-$kernel/lib/modules" -name "$module.ko*" | grep -q .; then
		for what; do
			result "$what" false
		done
	else
		skip "this kernel has no $module" "$@"
	fi
}

# between MARK MARK: prints the lines of the output between two marks
between()
{
	sed -n "/^$1\$/,/^$2\$/{ /^$1\$/d; /^$2\$/d; p }" "$work/out"
}

# value MARK MARK NAME: prints an event's count or a metric's value in the tool's CSV between two
# marks; a row has one of both
value()
{
	between "$1" "$2" | awk -F, -v name="$3" '$3 == name || $18 == name { print $4 $20 }'
}

# counted MARK MARK EVENT VALUE: true if an event's count in the tool's CSV between two marks is
# VALUE
counted()
{
	[ "$(value "$1" "$2" "$3")" = "$4" ]
}

# said_metric METRIC VALUE: true if one row between the marks "metrics" and "after" has this value
said_metric()
{
	[ "$(between metrics after | awk -F, -v name="$1" -v value="$2" '
		$18 == name && $20 == value' | wc -l)" = 1 ]
}

# refused NUMBER WORDS: true if the tool refused event NUMBER, and printed WORDS between the
# marks "hostile" and "end"; the guest prints "hostileNUMBER STATUS" for each event
refused()
{
	between hostile end | grep -qF -e "$2" && [ "$(said "hostile$1")" -ne 0 ]
}

# rate MARK MARK METRIC BYTES: true if a bandwidth in the tool's CSV between two marks, times the
# length of its intervals, is BYTES within 2 %. On hybrid parts the CSV has one more column, so that
# the metric's name is looked for in all columns
rate()
{
	between "$1" "$2" | awk -F, -v name="$3" -v bytes="$4" '
		{ for (i = 3; i < NF; i++) if ($i == name) {
			got += 1e9 * $(i + 2) * ($1 - before[$2, $3])
			before[$2, $3] = $1
		} }
		END { exit !(got > 0.98 * bytes && got < 1.02 * bytes) }'
}

# as_found NUMBER: true if the registers that the guest printed between the marks "before" and
# "found", at least NUMBER of them nonzero, have their values between "after" and "restored"
as_found()
{
	between before found >"$work/before"
	between after restored >"$work/after"
	[ "$(grep -c '=.*[1-9a-fA-F]' "$work/before")" -ge "$1" ] &&
		[ "$(grep '=' "$work/before")" = "$(grep '=' "$work/after")" ]
}

# lacks MARK MARK PATTERN: true if the guest printed both marks, and between them no line that
# matches PATTERN
lacks()
{
	grep -qx "$1" "$work/out" && grep -qx "$2" "$work/out" &&
		! between "$1" "$2" | grep -q -e "$3"
}

# says_disturbed MARK MARK: true if the tool's CSV between the marks flags a disturbed count
says_disturbed()
{
	between "$1" "$2" | grep -qE ',count,disturbed[ ,]'
}

# says_failed MARK MARK: true if the tool's CSV between the marks flags a failed count, in which the
# counts of one box are missing
says_failed()
{
	between "$1" "$2" | grep -qE ',count,failed[ ,]'
}

# said NAME: prints the VALUE of the line "NAME VALUE" in the output
said()
{
	sed -n "s/^$1 //p" "$work/out"
}

# illegal: true if the guest wrote values to registers that a real CPU refuses
illegal()
{
	grep -o '"illegal_writes": [0-9]*' "$work/truth" |
		awk '{ sum += $2 } END { exit !(sum || !NR) }'
}

legal()
{
	! illegal
}

# near VALUE OTHER: true if both are positive and VALUE is within 2 % of OTHER
near()
{
	awk -v a="$1" -v b="$2" 'BEGIN {
		exit !(a > 0 && b > 0 && a >= 0.98 * b && a <= 1.02 * b) }'
}

# within PERCENT VALUE EXPECTED: true if VALUE differs from EXPECTED by at most PERCENT of it
within()
{
	awk -v p="$1" -v a="$2" -v b="$3" 'BEGIN {
		exit !(b > 0 && a >= b * (1 - p / 100) && a <= b * (1 + p / 100)) }'
}

# of MARK EVENT: prints an event's count in the tool's CSV between a mark and the mark "end"
of()
{
	between "$1" end | awk -F, -v event="$2" '$3 == event { print $4; exit }'
}

# Two runs of "stream" are counted, between the marks MARK5 or MARK1 and "end"; the first makes four
# passes over 16 MiB more. Both also count loads that hit the L3, by the event $hits of the core:
# MEM_LOAD_UOPS_RETIRED.L3_HIT, on Skylake MEM_LOAD_RETIRED.L3_HIT.
# shellcheck disable=SC2034
hits=r4d1

# passed MARK EVENT: prints an event's count of the run MARK5 less that of the run MARK1
passed()
{
	echo $(($(of "${1}5" "$2") - $(of "${1}1" "$2")))
}

# or_hits MARK EVENT: prints an event's count of a run plus that of loads that hit the L3. The L3
# holds lines of the run before, and how many loads hit them depends on the program's pages.
or_hits()
{
	echo $(($(of "$1" "$2") + $(of "$1" $hits)))
}

# passed_lines MARK EVENT: prints or_hits() of the run MARK5 less that of the run MARK1
passed_lines()
{
	echo $(($(or_hits "${1}5" "$2") - $(or_hits "${1}1" "$2")))
}

# is_64_mib LINES: true if LINES are 64 MiB, 1048576 lines of 64 bytes, within 1 %
is_64_mib()
{
	[ "$1" -ge 1038091 ] && [ "$1" -le 1059061 ]
}

# perf_said MARK MARK VALUE...: true if the counts of uncore PMUs in perf's CSV between two marks
# are these values, in this order. perf 6.12 and later prints a row for each CPU that reads a
# PMU: rows of one event are added.
perf_said()
{
	between "$1" "$2" | awk -F, '
		!match($0, "(uncore|amd)_[^/]*/[^/]*/") { next }
		{
			event = substr($0, RSTART, RLENGTH)
			nr = split(substr($0, 1, RSTART - 1), field, ",")
			count = field[nr - 2]
		}
		event != before { if (before != "") print sum; sum = 0; before = event }
		count !~ /^[0-9]+$/ { sum = count; next }
		{ sum += count }
		END { if (before != "") print sum }' >"$work/perf"
	shift 2
	[ "$(xargs <"$work/perf")" = "$*" ]
}

# evenly NUMBER: true if $work/boxes has the counts of NUMBER PMUs, all within 1 % of their mean
evenly()
{
	awk -v boxes="$1" '
		{ n++; sum += $1; box[n] = $1 }
		END {
			for (i in box)
				wrong += box[i] < 0.99 * sum / n || box[i] > 1.01 * sum / n
			exit n != boxes || wrong
		}' "$work/boxes"
}

# uncore INDEX KEY: prints a value of an uncore window of the truth file
uncore()
{
	sed -n '/^"uncore"/,/^\]/p' "$work/truth" |
		sed -n "s/^{\"index\": $1, .*\"$2\": \([0-9]*\).*/\1/p"
}

# uncore_cycles INDEX K: prints the cycles of an uncore window in which the tracker had K
# requests or more
uncore_cycles()
{
	sed -n '/^"uncore"/,/^\]/p' "$work/truth" |
		sed -n "s/^{\"index\": $1, .*\"cycles_with\": \[\([^]]*\).*/\1/p" |
		tr -d , | tr ' ' '\n' |
		awk -v k="$2" 'NR > k { sum += $1 } END { printf "%.0f\n", sum }'
}
