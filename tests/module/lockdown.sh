#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A kernel that is locked down: for confidentiality nothing is counted, and the
# module says why. What is locked stays so until the machine starts again, so this
# comes last in a boot.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

security=/sys/kernel/security

begin
load
[ -e "$security/lockdown" ] || mount -t securityfs security "$security"
[ -w "$security/lockdown" ] || skip_all "this kernel cannot be locked down"
ktap_set_plan 4

echo integrity >"$security/lockdown"
run barepmu stat -e instructions true
result "for integrity it counts" [ "$status" -eq 0 ]
echo confidentiality >"$security/lockdown"
run barepmu stat -e instructions true
result "for confidentiality it does not, and says so" \
	refused "the kernel is locked down"
run barepmu info
result "information is given" [ "$status" -eq 0 ]
result "no session is created" grep -q '^session *idle' "$out"
ktap_finished
