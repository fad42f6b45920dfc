#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Loads the module for the tests of the protocol.
here=$(cd "$(dirname "$0")" && pwd)
grep -q '^barepmu ' /proc/modules ||
	insmod "${BAREPMU_MODULE:-/lib/barepmu.ko}" || exit 4
"$here/refusal"
status=$?
rmmod barepmu
exit $status
