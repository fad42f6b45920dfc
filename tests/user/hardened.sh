#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# How the tool is linked: the hardening against exploits of its errors, and the
# libraries that it takes from the system so that it gets their updates.
# shellcheck source=tests/user/lib.sh
. "$(dirname "$0")/lib.sh"

type_is()
{
	readelf -hW "$barepmu" | grep -q "Type: *$1 "
}

segment()
{
	readelf -lW "$barepmu" | grep -qE "^ *$1"
}

dynamic()
{
	readelf -dW "$barepmu" | grep -qE "$1"
}

imports()
{
	readelf --dyn-syms -W "$barepmu" | grep UND | grep -qE " $1"
}

not()
{
	! "$@"
}

libraries()
{
	readelf -dW "$barepmu" | sed -n 's/.*(NEEDED).*\[\(.*\)\.so.*/\1/p' |
		sort | tr '\n' ' '
}

result "the tool is position-independent" type_is DYN
result "the tool is linked as a position-independent executable" dynamic 'FLAGS_1.* PIE'
result "relocated data become read-only" segment GNU_RELRO
result "all symbols are bound at start" dynamic 'FLAGS.*(BIND_)?NOW'
result "the stack is not executable" segment 'GNU_STACK .* RW  '
result "no segment is both writable and executable" not segment 'LOAD .* RWE '
result "no relocation changes code" not dynamic TEXTREL
result "the tool has no library path of its own" not dynamic 'R(UN)?PATH'
result "functions have stack protectors" imports '__stack_chk_fail'
result "functions of libc are fortified" imports '__(v?snprintf|memcpy|fread|read|realpath)_chk'
result "no private symbol of libc is used" not imports '.*GLIBC_PRIVATE'
libraries=$(libraries)
result "shared libraries of the system are linked: $libraries" [ "$libraries" = \
	"libc libjansson libm libmnl " ]
