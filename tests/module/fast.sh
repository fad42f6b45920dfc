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
result "stat -I 100us on all CPUs succeeds" [ "$status" -eq 0 ]
echo "# $(field intervals) intervals, $(field lost) lost"
result "stat -I 100us has more than 2000 intervals in 300 ms on all CPUs" [ "$(field intervals)" -gt 2000 ]
result "stat -I 100us loses no sample" [ "$(field lost)" -eq 0 ]
nothing_left
ktap_finished
