// SPDX-License-Identifier: GPL-2.0
#include "insn.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"

/**
 * bpmu_insn_decode() - decode one instruction of a program's code
 * @address: link-time address
 * @bytes: code at @address, [@size]; @insn points to it
 * @size: number of bytes, at least 1
 * @insn: output: the instruction
 *
 * Return: 0; -EILSEQ if the bytes are no instruction: @insn then stands for the first byte only,
 * and &bpmu_insn.valid is false.
 */
int bpmu_insn_decode(const struct bpmu_zydis *zydis, u64 address, const u8 *bytes, size_t size,
		     struct bpmu_insn *insn)
{
	ZydisDecoder decoder;

	memset(insn, 0, sizeof(*insn));
	insn->address = address;
	insn->bytes = bytes;
	zydis->ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64,
				ZYDIS_STACK_WIDTH_64);
	insn->valid = ZYAN_SUCCESS(zydis->ZydisDecoderDecodeFull(&decoder, bytes,
								 size, &insn->z,
							insn->operand));
	insn->length = insn->valid ? insn->z.length : 1;
	return insn->valid ? 0 : -EILSEQ;
}

/**
 * bpmu_insn_is_branch() - whether an instruction of a program's code is a jump, conditional or not
 */
bool bpmu_insn_is_branch(const struct bpmu_insn *insn)
{
	return insn->valid &&
	       (insn->z.meta.category == ZYDIS_CATEGORY_COND_BR ||
		insn->z.meta.category == ZYDIS_CATEGORY_UNCOND_BR);
}

/**
 * bpmu_insn_target() - target of a branch or call instruction of a program's code
 * @insn: any instruction
 *
 * Return: link-time address; 0 if the instruction is no branch or call, or if it is indirect.
 */
u64 bpmu_insn_target(const struct bpmu_insn *insn)
{
	if (!insn->valid ||
	    (!bpmu_insn_is_branch(insn) && insn->z.meta.category != ZYDIS_CATEGORY_CALL) ||
	    insn->operand[0].type != ZYDIS_OPERAND_TYPE_IMMEDIATE)
		return 0;
	return insn->address + insn->length + insn->operand[0].imm.value.s;
}

/**
 * bpmu_insn_text() - disassemble an instruction (insn) in Intel's syntax, as objdump prints it
 * @text: output, [@size]: the text; "(bad)" if the instruction is not valid
 *
 * Return: @text.
 */
char *bpmu_insn_text(const struct bpmu_zydis *zydis, const struct bpmu_insn *insn, char *text,
		     size_t size)
{
	static const struct {
		ZydisFormatterProperty property;
		ZyanUPointer value;
	} form[] = {
		{ ZYDIS_FORMATTER_PROP_ADDR_PADDING_ABSOLUTE, ZYDIS_PADDING_DISABLED },
		{ ZYDIS_FORMATTER_PROP_DISP_PADDING, ZYDIS_PADDING_DISABLED },
		{ ZYDIS_FORMATTER_PROP_IMM_PADDING, ZYDIS_PADDING_DISABLED },
		{ ZYDIS_FORMATTER_PROP_HEX_UPPERCASE, false },
	};
	ZydisFormatter formatter;
	unsigned int i;

	snprintf(text, size, "(bad)");
	if (!insn->valid)
		return text;
	zydis->ZydisFormatterInit(&formatter, ZYDIS_FORMATTER_STYLE_INTEL);
	for (i = 0; i < ARRAY_SIZE(form); i++)
		zydis->ZydisFormatterSetProperty(&formatter, form[i].property, form[i].value);
	zydis->ZydisFormatterFormatInstruction(&formatter, &insn->z, insn->operand,
					       insn->z.operand_count_visible, text, size,
					       insn->address, NULL);
	return text;
}
