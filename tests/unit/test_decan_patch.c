// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of decan's replacements of instructions: the variants of a loop differ from it only by the
 * removed instructions. Each replacement is compared byte by byte. The expected bytes were made by
 * GNU as, and read back with objdump.
 */
#include <string.h>

#include "cmd/decan/candidates.h"
#include "unit.h"

#define BASE 0x401000
#define LENGTH ZYDIS_MAX_INSTRUCTION_LENGTH

static const struct {
	const char *text;
	u8 bytes[LENGTH];
	enum bpmu_patch_form form;
	u8 patch[LENGTH];
	const char *skipped;
	const char *notes;
} rows[] = {
	{ "movaps (%rsi),%xmm1", { 0x0f, 0x28, 0x0e },
	  BPMU_PATCH_ZERO, { 0x0f, 0x57, 0xc9 },
	  NULL, "" },
	{ "movaps (%r9),%xmm9", { 0x45, 0x0f, 0x28, 0x09 },
	  BPMU_PATCH_ZERO, { 0x45, 0x0f, 0x57, 0xc9 },
	  NULL, "" },
	{ "movapd (%rsi),%xmm1", { 0x66, 0x0f, 0x28, 0x0e },
	  BPMU_PATCH_ZERO, { 0x66, 0x0f, 0xef, 0xc9 },
	  NULL, "" },
	{ "movsd 8(%rax,%rcx,8),%xmm0", { 0xf2, 0x0f, 0x10, 0x44, 0xc8, 0x08 },
	  BPMU_PATCH_ZERO, { 0x66, 0x0f, 0xef, 0xc0, 0x66, 0x90 },
	  NULL, "" },
	{ "movsd 0x1234(%rip),%xmm12", { 0xf2, 0x44, 0x0f, 0x10, 0x25, 0x34, 0x12, 0x00, 0x00 },
	  BPMU_PATCH_ZERO, { 0x66, 0x45, 0x0f, 0xef, 0xe4, 0x0f, 0x1f, 0x40, 0x00 },
	  NULL, "" },
	{ "movups %xmm2,(%rsi)", { 0x0f, 0x11, 0x16 },
	  BPMU_PATCH_NOP, { 0x0f, 0x1f, 0x16 },
	  NULL, "" },
	{ "movntdq %xmm2,0x40(%r12,%r13,4)", { 0x66, 0x43, 0x0f, 0xe7, 0x54, 0xac, 0x40 },
	  BPMU_PATCH_NOP, { 0x66, 0x43, 0x0f, 0x1f, 0x54, 0xac, 0x40 },
	  NULL, "" },
	{ "movsd %xmm3,0x1000(%rax)", { 0xf2, 0x0f, 0x11, 0x98, 0x00, 0x10, 0x00, 0x00 },
	  BPMU_PATCH_NOP, { 0x66, 0x0f, 0x1f, 0x98, 0x00, 0x10, 0x00, 0x00 },
	  NULL, "" },
	{ "vmovupd (%rax),%ymm1", { 0xc5, 0xfd, 0x10, 0x08 },
	  BPMU_PATCH_ZERO, { 0xc5, 0xf1, 0xef, 0xc9 },
	  NULL, "" },
	{ "vmovaps (%rax),%xmm8", { 0xc5, 0x78, 0x28, 0x00 },
	  BPMU_PATCH_ZERO, { 0xc5, 0x79, 0xef, 0xc0 },
	  NULL, "" },
	{ "vmovupd 0x40(%r10,%r11,8),%ymm12", { 0xc4, 0x01, 0x7d, 0x10, 0x64, 0xda, 0x40 },
	  BPMU_PATCH_ZERO, { 0xc4, 0x41, 0x19, 0xef, 0xe4, 0x66, 0x90 },
	  NULL, "" },
	{ "vmovupd %ymm1,(%rdx)", { 0xc5, 0xfd, 0x11, 0x0a },
	  BPMU_PATCH_NOP, { 0x66, 0x0f, 0x1f, 0x0a },
	  NULL, "" },
	{ "vmovupd %ymm1,0x20(%r10,%r11,8)", { 0xc4, 0x81, 0x7d, 0x11, 0x4c, 0xda, 0x20 },
	  BPMU_PATCH_NOP, { 0x66, 0x43, 0x0f, 0x1f, 0x4c, 0xda, 0x20 },
	  NULL, "" },
	{ "vmovupd 0x40(%rax),%zmm17", { 0x62, 0xe1, 0xfd, 0x48, 0x10, 0x48, 0x01 },
	  BPMU_PATCH_ZERO, { 0x62, 0xa1, 0x75, 0x40, 0xef, 0xc9, 0x90 },
	  NULL, "" },
	{ "vmovups (%rax),%zmm3", { 0x62, 0xf1, 0x7c, 0x48, 0x10, 0x18 },
	  BPMU_PATCH_ZERO, { 0xc5, 0xe1, 0xef, 0xdb, 0x66, 0x90 },
	  NULL, "" },
	{ "vmovupd %zmm3,0x40(%r8,%rcx)", { 0x62, 0xd1, 0xfd, 0x48, 0x11, 0x5c, 0x08, 0x01 },
	  BPMU_PATCH_NOP, { 0x66, 0x66, 0x41, 0x0f, 0x1f, 0x5c, 0x08, 0x01 },
	  NULL, "" },
	{ "addpd (%rdi),%xmm0", { 0x66, 0x0f, 0x58, 0x07 },
	  BPMU_PATCH_REGISTER, { 0x66, 0x0f, 0x58, 0xc1 },
	  NULL, "" },
	{ "mulsd 8(%rdi),%xmm2", { 0xf2, 0x0f, 0x59, 0x57, 0x08 },
	  BPMU_PATCH_REGISTER, { 0xf2, 0x0f, 0x59, 0xd0, 0x90 },
	  NULL, "" },
	{ "vaddpd (%rdi),%ymm2,%ymm1", { 0xc5, 0xed, 0x58, 0x0f },
	  BPMU_PATCH_REGISTER, { 0xc5, 0xed, 0x58, 0xc8 },
	  NULL, "" },
	{ "vfmadd231pd 0x20(%rdi),%ymm2,%ymm1", { 0xc4, 0xe2, 0xed, 0xb8, 0x4f, 0x20 },
	  BPMU_PATCH_REGISTER, { 0xc4, 0xe2, 0xed, 0xb8, 0xc8, 0x90 },
	  NULL, "" },
	{ "vaddpd (%rdi){1to8},%zmm2,%zmm1", { 0x62, 0xf1, 0xed, 0x58, 0x58, 0x0f },
	  BPMU_PATCH_REGISTER, { 0x62, 0xf1, 0xed, 0x48, 0x58, 0xc8 },
	  NULL, "" },
	{ "movlps (%rdi),%xmm2", { 0x0f, 0x12, 0x17 },
	  BPMU_PATCH_NOP, { 0x0f, 0x1f, 0x17 },
	  NULL, "keeps-half dependence-kept" },
	{ "movhpd 8(%rdi),%xmm2", { 0x66, 0x0f, 0x16, 0x57, 0x08 },
	  BPMU_PATCH_NOP, { 0x66, 0x0f, 0x1f, 0x57, 0x08 },
	  NULL, "keeps-half dependence-kept" },
	{ "vmovhpd 8(%rdi),%xmm3,%xmm2", { 0xc5, 0xe1, 0x16, 0x57, 0x08 },
	  BPMU_PATCH_MOVE, { 0xc5, 0xf8, 0x28, 0xd3, 0x90 },
	  NULL, "keeps-half dependence-kept" },
	{ "vmovupd (%rax),%zmm1{%k1}", { 0x62, 0xf1, 0xfd, 0x49, 0x10, 0x08 },
	  BPMU_PATCH_NOP, { 0x66, 0x66, 0x66, 0x0f, 0x1f, 0x08 },
	  NULL, "keeps-half dependence-kept" },
	{ "vgatherdpd (%rax,%ymm1,8),%zmm2{%k1}", { 0x62, 0xf2, 0xfd, 0x49, 0x92, 0x14, 0xc8 },
	  BPMU_PATCH_ZERO, { 0xc5, 0xe9, 0xef, 0xd2, 0x0f, 0x1f, 0x00 },
	  NULL, "" },
	{ "cvtsi2sd (%rax),%xmm1", { 0xf2, 0x0f, 0x2a, 0x08 },
	  BPMU_PATCH_ZERO, { 0x66, 0x0f, 0xef, 0xc9 },
	  NULL, "" },
	{ "sqrtpd (%rax),%xmm1", { 0x66, 0x0f, 0x51, 0x08 },
	  BPMU_PATCH_REGISTER, { 0x66, 0x0f, 0x51, 0xc8 },
	  NULL, "" },
	{ "ucomisd (%rax),%xmm1", { 0x66, 0x0f, 0x2e, 0x08 },
	  BPMU_PATCH_NOP, { }, "it sets flags", "" },
	{ "mov (%rax),%ecx", { 0x8b, 0x08 },
	  BPMU_PATCH_NOP, { 0x66, 0x90 },
	  NULL, "dependence-kept" },
	{ "mov (%rax),%rcx", { 0x48, 0x8b, 0x08 },
	  BPMU_PATCH_NOP, { 0x0f, 0x1f, 0x08 },
	  NULL, "dependence-kept" },
	{ "mov %rcx,8(%r10)", { 0x49, 0x89, 0x4a, 0x08 },
	  BPMU_PATCH_NOP, { 0x0f, 0x1f, 0x40, 0x00 },
	  NULL, "" },
	{ "movzbl (%rax),%ecx", { 0x0f, 0xb6, 0x08 },
	  BPMU_PATCH_NOP, { 0x0f, 0x1f, 0x08 },
	  NULL, "dependence-kept" },
	{ "add %rax,(%rcx)", { 0x48, 0x01, 0x01 },
	  BPMU_PATCH_NOP, { }, "it sets flags", "" },
	{ "vaddsd (%rdi),%xmm20,%xmm21", { 0x62, 0xe1, 0xdf, 0x00, 0x58, 0x2f },
	  BPMU_PATCH_REGISTER, { 0x62, 0xe1, 0xdf, 0x00, 0x58, 0xe8 },
	  NULL, "" },
	{ "vmovsd (%rdi),%xmm21", { 0x62, 0xe1, 0xff, 0x08, 0x10, 0x2f },
	  BPMU_PATCH_ZERO, { 0x62, 0xa1, 0x55, 0x00, 0xef, 0xed },
	  NULL, "" },
	{ "mulps 0x10(%r8),%xmm9", { 0x45, 0x0f, 0x59, 0x48, 0x10 },
	  BPMU_PATCH_REGISTER, { 0x44, 0x0f, 0x59, 0xc8, 0x90 },
	  NULL, "" },
	{ "insertps $0x10,(%rdi),%xmm1", { 0x66, 0x0f, 0x3a, 0x21, 0x0f, 0x10 },
	  BPMU_PATCH_NOP, { 0x66, 0x66, 0x0f, 0x1f, 0x0f, 0x90 },
	  NULL, "keeps-half dependence-kept" },
	{ "vpinsrd $1,(%rdi),%xmm2,%xmm1", { 0xc4, 0xe3, 0x69, 0x22, 0x0f, 0x01 },
	  BPMU_PATCH_MOVE, { 0xc5, 0xf8, 0x28, 0xca, 0x66, 0x90 },
	  NULL, "keeps-half dependence-kept" },
	{ "pmovzxbw (%rdi),%xmm1", { 0x66, 0x0f, 0x38, 0x30, 0x0f },
	  BPMU_PATCH_ZERO, { 0x66, 0x0f, 0xef, 0xc9, 0x90 },
	  NULL, "" },
	{ "vbroadcastsd (%rdi),%ymm4", { 0xc4, 0xe2, 0x7d, 0x19, 0x27 },
	  BPMU_PATCH_ZERO, { 0xc5, 0xd9, 0xef, 0xe4, 0x90 },
	  NULL, "" },
	{ "vmovntpd %ymm1,(%rdi)", { 0xc5, 0xfd, 0x2b, 0x0f },
	  BPMU_PATCH_NOP, { 0x66, 0x0f, 0x1f, 0x0f },
	  NULL, "" },
	{ "movhps %xmm1,(%rdi)", { 0x0f, 0x17, 0x0f },
	  BPMU_PATCH_NOP, { 0x0f, 0x1f, 0x0f },
	  NULL, "" },
	{ "vextractf128 $1,%ymm1,(%rdi)", { 0xc4, 0xe3, 0x7d, 0x19, 0x0f, 0x01 },
	  BPMU_PATCH_NOP, { 0x66, 0x66, 0x0f, 0x1f, 0x0f, 0x90 },
	  NULL, "" },
	{ "vdivpd 0x40(%rdi),%ymm3,%ymm1", { 0xc5, 0xe5, 0x5e, 0x4f, 0x40 },
	  BPMU_PATCH_REGISTER, { 0xc5, 0xe5, 0x5e, 0xc8, 0x90 },
	  NULL, "" },
	{ "vmovupd %zmm3,(%rdi){%k1}", { 0x62, 0xf1, 0xfd, 0x49, 0x11, 0x1f },
	  BPMU_PATCH_NOP, { 0x66, 0x66, 0x66, 0x0f, 0x1f, 0x1f },
	  NULL, "" },
	{ "vmovupd (%rax),%zmm1{%k1}{z}", { 0x62, 0xf1, 0xfd, 0xc9, 0x10, 0x08 },
	  BPMU_PATCH_ZERO, { 0xc5, 0xf1, 0xef, 0xc9, 0x66, 0x90 },
	  NULL, "" },
	{ "movups %fs:0x10(%rax),%xmm1", { 0x64, 0x0f, 0x10, 0x48, 0x10 },
	  BPMU_PATCH_ZERO, { 0x66, 0x0f, 0xef, 0xc9, 0x90 },
	  NULL, "" },
	{ "movss (%rax),%xmm0", { 0xf3, 0x0f, 0x10, 0x00 },
	  BPMU_PATCH_ZERO, { 0x66, 0x0f, 0xef, 0xc0 },
	  NULL, "" },
	{ "vmovdqu (%r8),%xmm1", { 0xc4, 0xc1, 0x7a, 0x6f, 0x08 },
	  BPMU_PATCH_ZERO, { 0xc5, 0xf1, 0xef, 0xc9, 0x90 },
	  NULL, "" },
	{ "paddd 4(%rip),%xmm1", { 0x66, 0x0f, 0xfe, 0x0d, 0x04, 0x00, 0x00, 0x00 },
	  BPMU_PATCH_REGISTER, { 0x66, 0x0f, 0xfe, 0xc8, 0x0f, 0x1f, 0x40, 0x00 },
	  NULL, "" },
};

static const struct {
	const char *text;
	u8 bytes[LENGTH];
	enum bpmu_patch_form form;
	int spare;
	u8 patch[LENGTH];
	const char *why;
} forms[] = {
	{ "movapd (%rsi),%xmm1: movaps %xmm15,%xmm1", { 0x66, 0x0f, 0x28, 0x0e },
	  BPMU_PATCH_MOVE, 15, { 0x41, 0x0f, 0x28, 0xcf }, NULL },
	{ "vmovupd (%rax),%ymm1: vmovaps %ymm2,%ymm1", { 0xc5, 0xfd, 0x10, 0x08 },
	  BPMU_PATCH_MOVE, 2, { 0xc5, 0xfc, 0x28, 0xca }, NULL },
	{ "vmovupd 0x40(%rax),%zmm17: vmovaps %zmm2,%zmm17",
	  { 0x62, 0xe1, 0xfd, 0x48, 0x10, 0x48, 0x01 }, BPMU_PATCH_MOVE, 2,
	  { 0x62, 0xe1, 0x7c, 0x48, 0x28, 0xca, 0x90 }, NULL },
	{ "movsd 8(%rax,%rcx,8),%xmm0: movsd -0x40(%rsp),%xmm0",
	  { 0xf2, 0x0f, 0x10, 0x44, 0xc8, 0x08 }, BPMU_PATCH_STACK, 2,
	  { 0xf2, 0x0f, 0x10, 0x44, 0x24, 0xc0 }, NULL },
	{ "vmovupd 0x40(%r10,%r11,8),%ymm12: vmovupd -0x40(%rsp),%ymm12; nop",
	  { 0xc4, 0x01, 0x7d, 0x10, 0x64, 0xda, 0x40 }, BPMU_PATCH_STACK, 2,
	  { 0xc5, 0x7d, 0x10, 0x64, 0x24, 0xc0, 0x90 }, NULL },
	{ "movapd (%rsi),%xmm1: no room for an operand on the stack",
	  { 0x66, 0x0f, 0x28, 0x0e }, BPMU_PATCH_STACK, 2, { },
	  "its replacement is longer" },
	{ "addpd (%rdi),%xmm0: movups (%rdi),%xmm0; nop",
	  { 0x66, 0x0f, 0x58, 0x07 }, BPMU_PATCH_LOAD, 2,
	  { 0x0f, 0x10, 0x07, 0x90 }, NULL },
	{ "mulsd 8(%rdi),%xmm2: movsd 8(%rdi),%xmm2",
	  { 0xf2, 0x0f, 0x59, 0x57, 0x08 }, BPMU_PATCH_LOAD, 2,
	  { 0xf2, 0x0f, 0x10, 0x57, 0x08 }, NULL },
	{ "vaddpd (%rdi),%ymm2,%ymm1: vmovups (%rdi),%ymm1",
	  { 0xc5, 0xed, 0x58, 0x0f }, BPMU_PATCH_LOAD, 2,
	  { 0xc5, 0xfc, 0x10, 0x0f }, NULL },
	{ "vaddpd (%rdi){1to8},%zmm2,%zmm1: vbroadcastsd (%rdi),%zmm1",
	  { 0x62, 0xf1, 0xed, 0x58, 0x58, 0x0f }, BPMU_PATCH_LOAD, 2,
	  { 0x62, 0xf2, 0xfd, 0x48, 0x19, 0x0f }, NULL },
	{ "addpd %xmm1,%xmm0: nop", { 0x66, 0x0f, 0x58, 0xc1 }, BPMU_PATCH_FILL,
	  2, { 0x0f, 0x1f, 0x40, 0x00 }, NULL },
	{ "je short: nop", { 0x74, 0x05 }, BPMU_PATCH_FALL, 2, { 0x66, 0x90 },
	  NULL },
	{ "je short: jmp", { 0x74, 0x05 }, BPMU_PATCH_TAKEN, 2, { 0xeb, 0x05 },
	  NULL },
	{ "je near: nop", { 0x0f, 0x84, 0x05, 0x00, 0x00, 0x00 },
	  BPMU_PATCH_FALL, 2, { 0x66, 0x0f, 0x1f, 0x44, 0x00, 0x00 }, NULL },
	{ "je near: jmp, counted from its own end",
	  { 0x0f, 0x84, 0x05, 0x00, 0x00, 0x00 }, BPMU_PATCH_TAKEN, 2,
	  { 0xe9, 0x06, 0x00, 0x00, 0x00, 0x90 }, NULL },
	{ "je near, backwards", { 0x0f, 0x84, 0x00, 0xff, 0xff, 0xff },
	  BPMU_PATCH_TAKEN, 2, { 0xe9, 0x01, 0xff, 0xff, 0xff, 0x90 }, NULL },
};

/* Makes a loop of one instruction and a jump back to it. */
static void loop_of(u8 code[LENGTH + 2], size_t *size, const u8 *bytes)
{
	struct bpmu_error err = { };
	struct bpmu_insn insn;

	assert_int_equal(bpmu_insn_decode(bpmu_zydis(&err), BASE, bytes, LENGTH,
				     &insn), 0);
	memcpy(code, bytes, insn.length);
	code[insn.length] = 0xeb;
	code[insn.length + 1] = -(int)(insn.length + 2);
	*size = insn.length + 2;
}

static void check_row(unsigned int i)
{
	struct bpmu_candidates candidates;
	struct bpmu_error err = { };
	char notes[BPMU_GROUP_NAME];
	struct bpmu_code code;
	u8 bytes[LENGTH + 2];
	size_t size;

	loop_of(bytes, &size, rows[i].bytes);
	assert_int_equal(bpmu_code_init(&code, BASE, bytes, size, &err), 0);
	assert_int_equal(code.nr_loops, 1);
	assert_int_equal(bpmu_candidates_init(&candidates, &code, code.loop,
					      true, &err), 0);
	assert_int_equal(candidates.nr, 1);
	if (rows[i].skipped) {
		assert_string_equal(candidates.candidate->skipped,
				    rows[i].skipped);
	} else {
		assert_null(candidates.candidate->skipped);
		assert_int_equal(candidates.candidate->form, rows[i].form);
		assert_memory_equal(candidates.candidate->patch, rows[i].patch,
				    size - 2);
		assert_string_equal(bpmu_candidate_notes(candidates.candidate,
							 notes),
				    rows[i].notes);
	}
	bpmu_candidates_free(&candidates);
	bpmu_code_free(&code);
}

TEST(instructions_have_the_replacements_of_the_table)
{
	unsigned int i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		print_message("# %s\n", rows[i].text);
		check_row(i);
	}
}

TEST(other_forms_have_the_replacements_of_the_table)
{
	struct bpmu_patch_with with = { .slot = -64 };
	struct bpmu_error err = { };
	const struct bpmu_zydis *zydis = bpmu_zydis(&err);
	struct bpmu_insn insn;
	const char *why;
	u8 patch[LENGTH];
	unsigned int i;
	int ret;

	for (i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		print_message("# %s\n", forms[i].text);
		assert_int_equal(bpmu_insn_decode(zydis, BASE, forms[i].bytes,
					     LENGTH, &insn), 0);
		with.spare = forms[i].spare;
		ret = bpmu_patch(zydis, &insn, forms[i].form, &with, patch,
				 &why);
		assert_int_equal(!ret, !forms[i].why);
		if (ret)
			assert_string_equal(why, forms[i].why);
		else
			assert_memory_equal(patch, forms[i].patch, insn.length);
	}
}

/*
 * The bytes that replace an instruction are one or more whole instructions. Together these are as
 * long as the replaced instruction.
 */
TEST(replacements_keep_the_length)
{
	struct bpmu_error err = { };
	const struct bpmu_zydis *zydis = bpmu_zydis(&err);
	struct bpmu_insn insn;
	unsigned int i, at, length;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (rows[i].skipped)
			continue;
		bpmu_insn_decode(zydis, BASE, rows[i].bytes, LENGTH, &insn);
		length = insn.length;
		for (at = 0; at < length; at += insn.length)
			assert_int_equal(bpmu_insn_decode(zydis, BASE,
						     rows[i].patch + at,
						     length - at, &insn), 0);
		assert_int_equal(at, length);
	}
}

/* Threads that execute the same loop at once wait for each other at these, or for the memory. */
TEST(instructions_that_lock_or_order_memory_are_seen)
{
	static const struct {
		const char *text;
		u8 bytes[LENGTH];
		bool locks;
	} all[] = {
		{ "lock addl $1,(%rax)", { 0xf0, 0x83, 0x00, 0x01 }, true },
		{ "cmpxchg %ecx,(%rax)", { 0x0f, 0xb1, 0x08 }, true },
		{ "xchg %eax,(%rcx)", { 0x87, 0x01 }, true },
		{ "mfence", { 0x0f, 0xae, 0xf0 }, true },
		{ "lfence", { 0x0f, 0xae, 0xe8 }, true },
		{ "sfence", { 0x0f, 0xae, 0xf8 }, true },
		{ "cpuid", { 0x0f, 0xa2 }, true },
		{ "pause", { 0xf3, 0x90 }, true },
		{ "serialize", { 0x0f, 0x01, 0xe8 }, true },
		{ "addl $1,(%rax)", { 0x83, 0x00, 0x01 }, false },
		{ "xchg %eax,%ecx", { 0x87, 0xc1 }, false },
		{ "nop", { 0x90 }, false },
		{ "prefetcht0 (%rax)", { 0x0f, 0x18, 0x08 }, false },
	};
	struct bpmu_candidates candidates;
	struct bpmu_error err = { };
	struct bpmu_code code;
	u8 bytes[LENGTH + 2];
	unsigned int i;
	size_t size;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		print_message("# %s\n", all[i].text);
		loop_of(bytes, &size, all[i].bytes);
		assert_int_equal(bpmu_code_init(&code, BASE, bytes, size, &err), 0);
		assert_int_equal(bpmu_candidates_init(&candidates, &code, code.loop, true, &err),
				 0);
		assert_int_equal(candidates.locks, all[i].locks);
		assert_false(candidates.calls);
		bpmu_candidates_free(&candidates);
		bpmu_code_free(&code);
	}
}
