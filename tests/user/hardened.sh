#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A user is protected against errors of tool and library: both are linked with hardening against
# exploits, and take libraries from the system, whose updates they get.
# shellcheck source=tests/user/lib.sh
. "$(dirname "$0")/lib.sh"

type_is()
{
	readelf -hW "$file" | grep -q "Type: *$1 "
}

segment()
{
	readelf -lW "$file" | grep -qE "^ *$1"
}

dynamic()
{
	readelf -dW "$file" | grep -qE "$1"
}

imports()
{
	readelf --dyn-syms -W "$file" | grep UND | grep -qE " $1"
}

not()
{
	! "$@"
}

libraries()
{
	readelf -dW "$file" | sed -n 's/.*(NEEDED).*\[\(.*\)\.so.*/\1/p' |
		sort | tr '\n' ' '
}

# loaded WORD...: prints the names of the libraries that are loaded when the tool runs
loaded()
{
	LD_DEBUG=files "$barepmu" "$@" 2>&1 |
		sed -n 's|.*calling init: .*/\(lib[^./]*\)[.].*|\1|p' |
		sort | tr '\n' ' '
}

# with_fake LIBRARY WORD...: runs the tool with a library that has no functions in the place of
# LIBRARY
with_fake()
{
	cc -shared -nostdlib -o "$scratch/$1" -Wl,-soname,"$1" -x c /dev/null
	LD_LIBRARY_PATH=$scratch tool "${@:2}"
	rm "$scratch/$1"
}

make -s -C "$top/user" lib
scratch=$(mktemp -d)
for name in tool library; do
	file=$barepmu
	[ "$name" = tool ] || file=$top/build/libbarepmu.so.0
	result "the $name is position-independent" type_is DYN
	result "the $name: relocated data become read-only" segment GNU_RELRO
	result "the $name: all symbols are bound at start" dynamic 'FLAGS.*(BIND_)?NOW'
	result "the $name: the stack is not executable" segment 'GNU_STACK .* RW  '
	result "the $name: no segment is both writable and executable" not segment 'LOAD .* RWE '
	result "the $name: no relocation changes code" not dynamic TEXTREL
	result "the $name has no library path of its own" not dynamic 'R(UN)?PATH'
	result "the $name: functions have stack protectors" imports '__stack_chk_fail'
	result "the $name: functions of libc are fortified" \
		imports '__(v?snprintf|memcpy|fread|read|realpath)_chk'
	result "the $name: no private symbol of libc is used" not imports '.*GLIBC_PRIVATE'
	libraries=$(libraries)
	linked='libc '
	[ "$name" = tool ] || linked='libc libjansson libm libmnl '
	result "the $name: shared libraries of the system are linked: $libraries" \
		[ "$libraries" = "$linked" ]
done
file=$barepmu
result "the tool loads only the C library to print its help" [ "$(loaded --help)" = 'libc ' ]
result "the tool loads libmnl to ask the module" [ "$(loaded info)" = 'libc libmnl ' ]
with_fake libmnl.so.0 info
result "the tool says which library it cannot load" \
	says 'barepmu: libmnl.so.0: cannot be loaded; apt-get install libmnl0'
result "the tool fails without the library" [ "$status" -eq 1 ]
result "the tool is linked as a position-independent executable" dynamic 'FLAGS_1.* PIE'
finish
