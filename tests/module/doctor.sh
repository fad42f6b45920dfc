#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A user of "barepmu doctor" gets the commands that fix the problems found, has them executed with
# --fix, and gets commands that undo the fixes. Needs a kernel that was started with nmi_watchdog=1.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

watchdog=/proc/sys/kernel/nmi_watchdog
rdpmc=/sys/bus/event_source/devices/cpu/rdpmc

finds()
{
	grep -q -e "$1" "$out"
}

loaded()
{
	grep -q '^barepmu ' /proc/modules
}

# state: prints whether the module is loaded, the watchdog's setting, and that of RDPMC
state()
{
	echo "$(grep -c '^barepmu ' /proc/modules) $(cat $watchdog) $(cat $rdpmc)"
}

# undo: executes the commands that the last call printed for undoing its fixes
undo()
{
	sed -n 's/^ *undo: //p' "$out" | sh
}

begin
echo 1 >$watchdog
grep -q 1 $watchdog 2>/dev/null || skip_all "there is no NMI watchdog"
[ -e $rdpmc ] || skip_all "perf has no counters"
load
unload

before=$(state)
run barepmu doctor
result "doctor fails if the machine cannot measure" [ "$status" -eq 1 ]
result "the command that loads the module is printed" finds '^module *modprobe barepmu$'
result "the command that disables the watchdog is printed" finds "^watchdog *echo 0 > $watchdog$"
result "doctor does not mention RDPMC" [ "$(grep -c rdpmc "$out")" -eq 0 ]
result "without --fix nothing is changed" [ "$(state)" = "$before" ]
run barepmu doctor watchdog
result "doctor watchdog prints one problem" [ "$(grep -c 'undo: ' "$out")" -eq 1 ]
run asnobody barepmu doctor
result "nobody gets the command that allows the tool to count" \
	finds '^FAIL  permission .*: sudo setcap cap_perfmon=ep /'
result "nobody gets the commands with sudo" finds "^watchdog *echo 0 | sudo tee $watchdog$"
run asnobody barepmu doctor --fix watchdog
result "doctor --fix without permission says so" finds "^ *$watchdog: Permission denied; run as root"
result "doctor --fix without permission changes nothing" [ "$(state)" = "$before" ]

run barepmu doctor --fix
result "doctor --fix succeeds" [ "$status" -eq 0 ]
result "--fix prints its changes" [ "$(grep -c '^done ' "$out")" -eq 2 ]
result "module and watchdog are changed, RDPMC is not" \
	[ "$(state)" = "1 0 ${before##* }" ]
cp "$out" /tmp/fixed
run barepmu stat -e cycles true
result "events are counted after --fix" [ "$status" -eq 0 ]
cp /tmp/fixed "$out"
undo
result "the printed undo commands restore the state" [ "$(state)" = "$before" ]

run barepmu doctor --fix -j rdpmc
result "RDPMC is changed if it is named" [ "$(cat $rdpmc)" = 2 ]
result "--fix -j prints its changes as JSON" finds '"type":"fix","what":"rdpmc",.*"done":"done","error":""'
echo "${before##* }" >$rdpmc
result "--fix of one problem changes nothing else" [ "$(state)" = "$before" ]
unload
finish
