/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Two functions whose addresses are known, for a recording of what instructions interrupted: "sum" adds
 * numbers, "copy" moves bytes. Nothing runs it.
 */
	.text
	.globl sum
	.type sum, @function
sum:
	xor %eax, %eax
1:
	add (%rdi), %rax
	add $8, %rdi
	dec %rsi
	jnz 1b
	ret
	.size sum, . - sum

	.balign 32
	.globl copy
	.type copy, @function
copy:
	mov %rdx, %rcx
	rep movsb
	ret
	.size copy, . - copy
	.section .note.GNU-stack, "", @progbits
