#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A user is told by "barepmu check" and "barepmu stat" if events count nothing, as under some
# hypervisors: CPUID reports branches as absent, and cycles stay 0. Needs a machine on which the
# kernel's perf has found that too.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

finds()
{
	grep -q -e "$1" "$out"
}

# flagged EVENT FLAGS: checks the flags of the row of an event in stat's CSV
flagged()
{
	[ "$(awk -F, -v event="$1" '$3 == event { print $12 }' "$err")" = "$2" ]
}

begin
dmesg | grep -q "CPUID marked event: 'branch instructions' unavailable" ||
	skip_all "CPUID does not report branches as absent"
load

run barepmu check
result "check names the event that CPUID reports as absent" finds \
	'^warn *events *CPUID reports as absent on general counters: branches;'
result "check warns that cycles stay 0" finds '^warn *counting *cycles of a loop stay 0;'
result "check says that not all events count" finds '^Not all events count here'
result "check does not say that one can measure" [ "$(grep -c 'can measure' "$out")" -eq 0 ]
result "check succeeds: other events count" [ "$status" -eq 0 ]
run barepmu stat -x, -e cycles,branches:u,instructions sleep 0.1
result "stat flags the event that CPUID reports as absent" flagged branches:u absent
result "stat flags cycles that stay 0" flagged cycles absent
result "stat flags no other event" flagged instructions ''
run barepmu stat -e cycles sleep 0.1
result "stat refers to check" grep -q '^ *absent: .*"barepmu check" shows the cause$' "$err"
unload
finish
