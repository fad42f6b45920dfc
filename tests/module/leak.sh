#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The module leaks no kernel memory in the tests that ran before this one. Needs a kernel with
# kmemleak.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

kmemleak=/sys/kernel/debug/kmemleak

# no_leak: kmemleak reports memory blocks to which two scans found no pointer and that are older
# than some seconds. An address without a symbol was in a module that has been unloaded.
no_leak()
{
	sleep 6
	echo scan >$kmemleak
	sleep 1
	echo scan >$kmemleak
	run cat $kmemleak
	! grep -qE '\[barepmu\]|\] 0xffffffff' "$out"
}

begin
[ -e $kmemleak ] || skip_all "this kernel has no kmemleak"
load
result "kmemleak finds no leak of the module" no_leak
unload
finish
