#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A sample every 0.1 ms on all CPUs.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

field()
{
	grep '"type":"end"' "$out" | sed "s/.*\"$1\":\([0-9.]*\).*/\1/"
}

begin
load
ktap_set_plan 7
remember
run barepmu stat -j -I 100us --timeout 300 -e cycles,instructions
result "0.1 ms on all CPUs ends well" [ "$status" -eq 0 ]
echo "# $(field intervals) intervals, $(field lost) lost"
result "there are thousands of intervals" [ "$(field intervals)" -gt 2000 ]
result "no sample was lost" [ "$(field lost)" -eq 0 ]
nothing_left
ktap_finished
