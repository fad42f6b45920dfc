/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions of shared libraries of which most commands need none. The dynamic linker would load
 * these libraries at each start, and look up each function. Instead each function below stands for
 * the library's function of the same name: it jumps there, and if it is the first of its library
 * to be called, the library is loaded before. Callers use the library's header as usual. If a
 * function of a library is missing here, the linker links the whole library as usual.
 */
#ifdef __CET__
#include <cet.h>
#else
#define _CET_ENDBR
#endif

/*
 * import LIBRARY, PACKAGE, FUNCTION...: defines the functions of a library, and the structures of
 * imports_load.h that describe them. PACKAGE is Debian's. The pointers to the library's functions
 * have a page of their own, because they become read-only when they are set.
 */
	.macro	import library, package, functions:vararg
	.pushsection bpmu_imports, "aw", @nobits
	.balign	4096
100:
	.irp	function, \functions
.Lpointer_\function:
	.skip	8
	.endr
	.balign	4096
	.popsection

	.pushsection .rodata.imports, "a"
101:	.asciz	"\library"
102:	.asciz	"\package"
	.irp	function, \functions
.Lname_\function:
	.asciz	"\function"
	.endr
	.popsection

	.pushsection .data.rel.ro.imports, "aw"
	.balign	8
103:
	.irp	function, \functions
	.quad	.Lname_\function, .Lpointer_\function - 100b
	.endr
104:	.quad	101b, 102b, 103b, (104b - 103b) / 16, 100b
	.popsection

	.irp	function, \functions
	.balign	16
	.globl	\function
	.hidden	\function
	.type	\function, @function
\function:
	_CET_ENDBR
	mov	.Lpointer_\function(%rip), %r11
	test	%r11, %r11
	jz	1f
	jmp	*%r11
1:	lea	\function(%rip), %r11
	lea	104b(%rip), %r10
	jmp	load
	.size	\function, . - \function
	.endr
	.endm

	.text
	import	libm.so.6, libc6, erfc, exp, fmax, fmin, hypot, lgamma, llround, log, log1p, lround, pow, sqrt
	import	libmnl.so.0, libmnl0, mnl_attr_get_payload, mnl_attr_get_payload_len, \
		mnl_attr_get_str, mnl_attr_get_type, mnl_attr_get_u16, mnl_attr_get_u32, \
		mnl_attr_get_u64, mnl_attr_nest_end, mnl_attr_nest_start, mnl_attr_next, \
		mnl_attr_ok, mnl_attr_parse, mnl_attr_parse_nested, mnl_attr_put, \
		mnl_attr_put_strz, mnl_attr_put_u32, mnl_attr_put_u64, mnl_attr_validate, \
		mnl_nlmsg_get_payload, mnl_nlmsg_get_payload_len, mnl_nlmsg_get_payload_offset, \
		mnl_nlmsg_get_payload_tail, mnl_nlmsg_next, mnl_nlmsg_ok, \
		mnl_nlmsg_put_extra_header, mnl_nlmsg_put_header, mnl_socket_bind, \
		mnl_socket_close, mnl_socket_get_fd, mnl_socket_open2, mnl_socket_recvfrom, \
		mnl_socket_sendto, mnl_socket_setsockopt
	import	libjansson.so.4, libjansson4, json_array, json_array_append_new, \
		json_array_extend, json_array_get, json_array_size, json_delete, \
		json_dump_callback, json_dumpb, json_dumpf, json_dumps, json_false, \
		json_integer, json_integer_value, json_loadb, json_null, json_number_value, \
		json_object, json_object_get, json_object_iter, json_object_iter_key, \
		json_object_iter_next, json_object_iter_value, json_object_key_to_iter, \
		json_object_set_new, json_object_set_new_nocheck, json_object_size, json_pack, \
		json_real, json_sprintf, json_string, json_string_length, json_string_value, \
		json_stringn, json_true, json_unpack

/*
 * Loads the library that the structure at %r10 describes, then jumps to the function at %r11 with
 * the arguments of its caller: at most six in general registers and eight in those of SSE, and the
 * number of the latter in %al if the number of arguments varies.
 */
	.type	load, @function
load:
	push	%rbp
	mov	%rsp, %rbp
	push	%r11
	push	%rax
	push	%rdi
	push	%rsi
	push	%rdx
	push	%rcx
	push	%r8
	push	%r9
	sub	$128, %rsp
	.irp	number, 0, 1, 2, 3, 4, 5, 6, 7
	movups	%xmm\number, 16 * \number(%rsp)
	.endr
	mov	%r10, %rdi
	call	bpmu_imports_load
	.irp	number, 0, 1, 2, 3, 4, 5, 6, 7
	movups	16 * \number(%rsp), %xmm\number
	.endr
	add	$128, %rsp
	pop	%r9
	pop	%r8
	pop	%rcx
	pop	%rdx
	pop	%rsi
	pop	%rdi
	pop	%rax
	pop	%r11
	pop	%rbp
	jmp	*%r11
	.size	load, . - load

	.section .note.GNU-stack, "", @progbits
