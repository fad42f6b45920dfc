#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A builder of an appliance gets a small static tool that serves: "make static CC=musl-gcc
# PARTS=...".
# shellcheck source=tests/user/lib.sh
. "$(dirname "$0")/lib.sh"

scratch=$(mktemp -d)
barepmu=$scratch/barepmu
musl=$top/build/musl

# sandboxed: checks what the filter of system calls of "serve" allows to a program
sandboxed()
{
	musl-gcc -D_GNU_SOURCE -DBPMU_STATIC -static -I"$top/user/lib" -I"$top/user/tool" \
		-I"$top/uapi" -I"$top/arch" -isystem "$musl/include" -o "$scratch/sandbox" \
		"$top/tests/user/musl.c" "$top/user/tool/cmd/serve/confine.c" \
		"$top/user/lib/base/error.c" "$top/user/lib/base/plain.c" -L"$musl/lib" -lseccomp -ljansson -lm && "$scratch/sandbox"
}

allowed="read works
stat works
write Operation not permitted
socket Operation not permitted"

status=0
said=$(make -s -j2 -C "$top/user" static CC=musl-gcc \
	O="$scratch/objects" STATIC="$barepmu" PARTS="ivb skl" 2>&1) || status=$?
result "the tool builds with musl" [ "$status" -eq 0 ]
result "the binary has no glibc" [ "$(strings "$barepmu" | grep -c '^GNU C Library')" -eq 0 ]
result "the binary has the two parts" [ "$("$barepmu" list parts | awk '{ print $1 }' | xargs)" = "ivb skl" ]
strip -o "$scratch/stripped" "$barepmu"
size=$(stat -c %s "$scratch/stripped")
echo "# stripped: $size bytes"
result "the stripped binary has less than 1.5 MB" [ "$size" -lt 1500000 ]
result "the binary has libmicrohttpd" grep -q Transfer-Encoding "$barepmu"
status=0
said=$(sandboxed 2>&1) || status=$?
result "the filter of serve allows musl's calls for reading, and neither writing nor sockets" says "$allowed"
tool decan -- true
result "decan is not available" [ "$status" -eq 1 ]
said=$(make -s -C "$top/user" CC=musl-gcc 2>&1) && status=0 || status=$?
result "make refuses CC=musl-gcc without the target static" says 'CC=musl-gcc: is for "make static"; leave it out'
finish
