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

result "position-independent" type_is DYN
result "linked as a position-independent executable" dynamic 'FLAGS_1.* PIE'
result "read-only after relocation" segment GNU_RELRO
result "all of it: nothing is bound later" dynamic 'FLAGS.*(BIND_)?NOW'
result "no stack is executable" segment 'GNU_STACK .* RW  '
result "no segment can be written and executed" not segment 'LOAD .* RWE '
result "no relocation changes code" not dynamic TEXTREL
result "no path of its own for libraries" not dynamic 'R(UN)?PATH'
result "stacks are protected" imports '__stack_chk_fail'
result "functions are fortified" imports '__(v?snprintf|memcpy|fread|read|realpath)_chk'
result "nothing of libc's inside is used" not imports '.*GLIBC_PRIVATE'
libraries=$(libraries)
result "libraries are the system's: $libraries" [ "$libraries" = \
	"libc libjansson libm libmnl " ]
