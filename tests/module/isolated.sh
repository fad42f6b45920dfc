#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A user who isolates CPUs from interrupts keeps them undisturbed: they are left out until they are
# named. Needs a kernel that was started with isolcpus= or nohz_full=.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

isolated=$(cat /sys/devices/system/cpu/isolated)
file=/tmp/recording

finds()
{
	grep -q -e "$1" "$out"
}

begin
[ -n "$isolated" ] || skip_all "no CPU is isolated"
load

said="^barepmu: CPU $isolated: isolated and left out; name it with -C to measure it\$"
run barepmu check
result "check warns of isolated CPUs" finds \
	"^warn *isolated *CPU $isolated: left out"
result "check succeeds with a warning" [ "$status" -eq 0 ]
run barepmu stat -x, -A -e instructions sleep 0.1
result "without -C an isolated CPU is left out" [ "$(awk -F, '$3 == "instructions"' \
	"$err" | grep -c "^,$isolated,")" -eq 0 ]
result "without -C the other CPUs are measured" [ "$(counted instructions | wc -l)" -eq \
	$(($(cpus_online) - 1)) ]
result "the note about isolated CPUs is printed once" [ "$(grep -c "$said" "$err")" -eq 1 ]
run barepmu stat -x, -A -C "$isolated" -e instructions taskset -c "$isolated" \
	sleep 0.1
result "an isolated CPU is measured with -C" \
	[ "$(grep -c "^,$isolated,instructions,[1-9]" "$err")" -eq 1 ]
run barepmu record -o $file sleep 0.1
run barepmu report -x, -A -e instructions $file
result "record without -C leaves the isolated CPU out" \
	[ "$(grep -c "^,$isolated,instructions" "$out")" -eq 0 ]
rm -f $file
unload
finish
