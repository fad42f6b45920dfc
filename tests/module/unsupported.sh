#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A user of a machine without a usable PMU is told by the log why the module does not load.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

begin
if insmod "$module" 2>/dev/null; then
	rmmod barepmu
	skip_all "this machine has a PMU that the module supports"
fi
run insmod "$module"
result "the module does not load without a usable PMU" [ "$status" -ne 0 ]
dmesg | grep 'barepmu:' | tail -n 1 >"$out"
result "the log says why the PMU is not usable" \
	grep -qE 'no usable counters|is not supported' "$out"
finish
