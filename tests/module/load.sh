#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A user who loads and unloads the module, or forgets to load it, finds nothing left behind, or
# is told what to do.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

begin
unload
run barepmu info
result "info without the module says how to load it" \
	refused "not loaded; load it with"
run barepmu stat true
result "stat without the module says how to load it" refused "not loaded; load it with"
run barepmu check
result "check fails without the module" [ "$status" -eq 1 ]
result "check has a FAIL line for the module" grep -q '^FAIL  module' "$out"

run insmod "$module"
result "the module loads" [ "$status" -eq 0 ]
run barepmu info
result "info prints the counters" grep -q '^counters .* general of' "$out"
run barepmu check
result "check succeeds with the module" [ "$status" -eq 0 ]
run rmmod barepmu
result "the module unloads" [ "$status" -eq 0 ]
finish
