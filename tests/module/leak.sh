#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Kernel memory that the module leaked in the tests before this one. Needs a kernel with
# kmemleak.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

kmemleak=/sys/kernel/debug/kmemleak

# kmemleak reports blocks that are unreferenced in two scans and older than some seconds.
# An address without a symbol was in a module that has been unloaded.
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
