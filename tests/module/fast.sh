#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A user who samples all CPUs every 0.1 ms loses no sample and gets the machine back as it was.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

field()
{
	grep '"type":"end"' "$out" | sed "s/.*\"$1\":\([0-9.]*\).*/\1/"
}

# goes_on: checks that intervals were printed up to the end. If the host gives a vCPU no time,
# intervals are merged, so that their number depends on the host
goes_on()
{
	awk -F'"time":' '
		/"type":"count"/ { last = $2 + 0; nr++ }
		END { exit !(last > 0.29 && nr > 2) }' "$out"
}

begin
load
remember
run barepmu stat -j -I 100us --timeout 300 -e cycles,instructions
result "stat -I 100us on all CPUs succeeds" [ "$status" -eq 0 ]
echo "# $(field intervals) intervals, $(field lost) lost"
result "stat -I 100us goes on for 300 ms on all CPUs" goes_on
result "stat -I 100us loses no sample" [ "$(field lost)" -eq 0 ]
nothing_left
finish
