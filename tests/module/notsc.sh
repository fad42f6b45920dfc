#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A kernel that does not know the TSC's rate, as it was told to ignore the TSC:
# refused at load, with one sentence, as time could not be told.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

begin
! grep -qw tsc /proc/cpuinfo || skip_all "the kernel uses the TSC"
ktap_set_plan 2
run insmod "$module"
result "the module does not load" [ "$status" -ne 0 ]
dmesg | grep 'barepmu:' | tail -n 1 >"$out"
result "the log says why" grep -q 'does not know the frequency of the TSC' "$out"
ktap_finished
