#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A user whose kernel does not know the frequency of the TSC, started with notsc, is told by the
# log why the module does not load: it measures time by the TSC.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

begin
! grep -qw tsc /proc/cpuinfo || skip_all "the kernel uses the TSC"
run insmod "$module"
result "the module does not load without the TSC's rate" [ "$status" -ne 0 ]
dmesg | grep 'barepmu:' | tail -n 1 >"$out"
result "the log says that the TSC's rate is unknown" grep -q 'does not know the frequency of the TSC' "$out"
finish
