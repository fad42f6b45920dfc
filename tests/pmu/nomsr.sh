#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A user of a virtual machine whose hypervisor shows IBS in CPUID, and lacks one of its registers:
# events interrupt, and all commands say that there is no IBS.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

file=/tmp/recording

# shows TEXT OTHER: checks that the last command has printed TEXT, and not OTHER
shows()
{
	grep -q "$1" "$out" && ! grep -q "$2" "$out"
}

begin
load
result "CPUID has IBS" grep -q '^flags.* ibs\( \|$\)' /proc/cpuinfo
run barepmu info
result "info has the CPU, and no IBS" shows 'AMD Zen' IBS
run barepmu check
result "check says that events can interrupt, and that no IBS samples" \
	shows 'events can interrupt .*; precise ones cannot: no IBS that can sample ops' 'ibs_op\|IBS samples'
run barepmu record -e cycles -c 1000003 -o "$file" -- count 100000
result "events interrupt" [ "$status" -eq 0 ]
run barepmu report --by comm "$file"
result "they interrupt what runs" grep -q ' count$' "$out"
run barepmu record -e ibs_op -c 20000 -o "$file" -- true
result "ops cannot be sampled" [ "$status" -ne 0 ]
result "the refusal says that there is no IBS" grep -q 'no IBS, or a hypervisor hides it' "$err"
rm -f "$file"
unload
finish
