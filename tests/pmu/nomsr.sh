#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A user of a virtual machine whose hypervisor shows IBS in CPUID, and lacks its control register:
# events interrupt as if there was no IBS, and IBS is refused by name.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

file=/tmp/recording

begin
load
run barepmu record -e cycles -c 1000003 -o "$file" -- count 100000
result "events interrupt" [ "$status" -eq 0 ]
run barepmu report --by comm "$file"
result "they interrupt what runs" grep -q ' count$' "$out"
run barepmu record -e ibs_op -c 20000 -o "$file" -- true
result "ops cannot be sampled" [ "$status" -ne 0 ]
result "the refusal names IBS" grep -q IBS "$err"
rm -f "$file"
unload
finish
