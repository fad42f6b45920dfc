#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A user of a kernel in lockdown is told why nothing is counted in confidentiality mode. The mode
# stays until the machine reboots, so this is the last test of its boot.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

security=/sys/kernel/security

begin
load
[ -e "$security/lockdown" ] || mount -t securityfs security "$security"
[ -w "$security/lockdown" ] || skip_all "this kernel cannot be locked down"

echo integrity >"$security/lockdown"
run barepmu stat -e instructions true
result "lockdown=integrity: stat counts" [ "$status" -eq 0 ]
run "$here/latelock" "$security/lockdown"
result "lockdown=confidentiality while a session runs: no START, SWAP and READ" \
	[ "$status" -eq 0 ]
run barepmu stat -e instructions true
result "lockdown=confidentiality: stat is refused" \
	refused "the kernel is locked down"
run barepmu info
result "lockdown=confidentiality: info works" [ "$status" -eq 0 ]
result "lockdown=confidentiality: no session is created" grep -q '^session *idle' "$out"
finish
