#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A counter that an unknown agent has enabled is reported and refused, is taken over if the user
# asks for that, and is enabled again at the end.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

# An event select of the agent: UOPS_RETIRED.ALL in user space, enabled.
select=0x4101c2
# Value of the agent's counter, which is stopped, and an unusual value of the global control.
value=0x12345
control=0x700000005
file=/tmp/recording

finds()
{
	grep -q -e "$1" "$out"
}

begin
load
[ "$(part)" = ivb ] || skip_all "the registers are those of Ivy Bridge"
modprobe msr || skip_all "there is no msr device"

run barepmu check
result "check: no unknown agent has enabled a counter" \
	finds '^ok *enabled *only counters with a known owner'
"$here/disturb" "$(last_cpu)" 0x187 $select
"$here/disturb" "$(last_cpu)" 0xc1 $value
"$here/disturb" "$(last_cpu)" 0x38f $control
run barepmu check
result "check names CPU, counter and remedy" finds \
	"^FAIL *enabled *CPU $(last_cpu): counters enabled by an unknown agent.*: general 1; see who writes MSRs: fuser -v /dev/cpu/\*/msr; if nobody does, count all the same: barepmu stat --take-over\$"
result "check fails while an unknown agent has enabled a counter" [ "$status" -eq 1 ]
run barepmu check -j
result "check -j names counter and remedy" \
	finds '"what":"enabled","verdict":"FAIL".*general 1.*--take-over"'
run barepmu stat true
result "stat is refused, with CPU and remedy" \
	refused "CPU $(last_cpu): an unknown agent has enabled counters, see 'barepmu check'; stop what writes MSRs, or take them over with --take-over"
run barepmu stat --take-over -x, -e instructions true
result "stat --take-over counts" [ "$(counted instructions)" -gt 0 ]
run barepmu topdown --take-over -x, true
result "topdown --take-over counts" [ "$status" -eq 0 ]
run barepmu cpistack --take-over -x, true
result "cpistack --take-over counts" [ "$status" -eq 0 ]
run barepmu record --take-over -o $file true
result "record --take-over counts" [ "$status" -eq 0 ]
TERM=dumb run barepmu top --take-over -I 100 --interval-count 1
result "top --take-over counts" [ "$status" -eq 0 ]
run registers
result "the event select is restored at the end" \
	finds "^cpu$(last_cpu) 0x187 $select\$"
result "another counter's value is restored" \
	finds "^cpu$(last_cpu) 0xc1 $value\$"
result "the global control is restored" \
	finds "^cpu$(last_cpu) 0x38f $control\$"
"$here/disturb" "$(last_cpu)" 0x187 0
run barepmu stat true
result "stat without --take-over works if no counter is enabled" [ "$status" -eq 0 ]
rm -f $file
unload
finish
