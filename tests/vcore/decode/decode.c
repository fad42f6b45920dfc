// SPDX-License-Identifier: GPL-2.0
#include "decode.h"

#include <string.h>

#include "costs.h"

#define PREFIX_66 ZYDIS_ATTRIB_HAS_OPERANDSIZE

static bool is_far(const ZydisDecodedInstruction *decoded)
{
	return decoded->meta.branch_type == ZYDIS_BRANCH_TYPE_FAR;
}

static bool is_indirect(const ZydisDecodedOperand *operand)
{
	return operand->type != ZYDIS_OPERAND_TYPE_IMMEDIATE &&
	       operand->type != ZYDIS_OPERAND_TYPE_POINTER;
}

/*
 * Returns the branch type of an interrupt instruction. INT and INT3 are far branches; INT1 and INTO
 * count as faults, not as branches.
 */
static unsigned int interrupt_type(const ZydisDecodedInstruction *decoded)
{
	return decoded->mnemonic == ZYDIS_MNEMONIC_INT ||
	       decoded->mnemonic == ZYDIS_MNEMONIC_INT3 ? VCORE_FAR :
	       VCORE_NO_BRANCH;
}

static unsigned int near_or_far(const ZydisDecodedInstruction *decoded,
				unsigned int branch)
{
	return is_far(decoded) ? VCORE_FAR : branch;
}

static unsigned int branch_type(const ZydisDecodedInstruction *decoded)
{
	switch (decoded->meta.category) {
	case ZYDIS_CATEGORY_COND_BR:
		return decoded->mnemonic == ZYDIS_MNEMONIC_XBEGIN ?
		       VCORE_NO_BRANCH : VCORE_CONDITIONAL;
	case ZYDIS_CATEGORY_CALL:
		return near_or_far(decoded, VCORE_CALL);
	case ZYDIS_CATEGORY_UNCOND_BR:
		if (decoded->mnemonic != ZYDIS_MNEMONIC_JMP)
			return VCORE_NO_BRANCH;
		return near_or_far(decoded, VCORE_JUMP);
	case ZYDIS_CATEGORY_RET:
		if (decoded->mnemonic != ZYDIS_MNEMONIC_RET)
			return VCORE_FAR;
		return near_or_far(decoded, VCORE_RETURN);
	case ZYDIS_CATEGORY_SYSCALL:
	case ZYDIS_CATEGORY_SYSRET:
		return VCORE_FAR;
	case ZYDIS_CATEGORY_INTERRUPT:
		return interrupt_type(decoded);
	default:
		return VCORE_NO_BRANCH;
	}
}

/*
 * For Jcc, returns a mask in which only bit n is 1, where n is the condition code: the low bits of
 * the opcode. Returns 0 for LOOP and JRCXZ, which have no condition code.
 */
static unsigned int condition_mask(const ZydisDecodedInstruction *decoded)
{
	unsigned int high = decoded->opcode & 0xf0;

	if (decoded->opcode_map == ZYDIS_OPCODE_MAP_DEFAULT ? high != 0x70 :
							      high != 0x80)
		return 0;
	return 1u << (decoded->opcode & 0xf);
}

static bool is_string(const ZydisDecodedInstruction *decoded)
{
	return decoded->meta.category == ZYDIS_CATEGORY_STRINGOP ||
	       decoded->meta.category == ZYDIS_CATEGORY_IOSTRINGOP;
}

static bool is_locked(const ZydisDecodedInstruction *decoded,
		      const ZydisDecodedOperand *operand)
{
	if (decoded->attributes & ZYDIS_ATTRIB_HAS_LOCK)
		return true;
	return decoded->mnemonic == ZYDIS_MNEMONIC_XCHG &&
	       operand[0].type == ZYDIS_OPERAND_TYPE_MEMORY;
}

static void set_control_flow(struct vcore_insn *insn,
			     const ZydisDecodedInstruction *decoded,
			     const ZydisDecodedOperand *operand)
{
	insn->branch = branch_type(decoded);
	insn->indirect = insn->branch && insn->branch != VCORE_RETURN &&
			 insn->branch != VCORE_CONDITIONAL &&
			 insn->branch != VCORE_FAR && is_indirect(operand);
	if (insn->branch == VCORE_CONDITIONAL)
		insn->condition = condition_mask(decoded);
	insn->serialises = insn->branch == VCORE_FAR;
	insn->rep = is_string(decoded) &&
		    decoded->attributes & (ZYDIS_ATTRIB_HAS_REP |
					   ZYDIS_ATTRIB_HAS_REPE |
					   ZYDIS_ATTRIB_HAS_REPNE);
	insn->locked = is_locked(decoded, operand);
	insn->lcp = decoded->attributes & PREFIX_66 &&
		    decoded->raw.imm[0].size == 16;
}

static void set_default_uop(struct vcore_insn *insn)
{
	insn->nr_uops = 1;
	insn->nr_slots = 1;
	insn->uop[0].ports = VCORE_P015;
	insn->uop[0].latency = 1;
	insn->pair_none = true;
	insn->knc_latency = 1;
}

/**
 * vcore_decode_bytes() - decode the bytes of an instruction with Zydis, for the virtual core
 * @bytes: bytes of the instruction
 * @size: length of the instruction in bytes
 * @decoded: output
 * @operand: output: the operands, [ZYDIS_MAX_OPERAND_COUNT]
 *
 * Return: false if Zydis cannot decode the bytes.
 */
bool vcore_decode_bytes(const uint8_t *bytes, unsigned int size,
			ZydisDecodedInstruction *decoded, ZydisDecodedOperand *operand)
{
	ZydisDecoder decoder;

	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64,
			 ZYDIS_STACK_WIDTH_64);
	return ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, bytes, size,
						   decoded, operand));
}

/**
 * vcore_decode() - decode an instruction for the virtual core
 * @insn: output
 * @bytes: bytes of the instruction
 * @size: length of the instruction in bytes
 * @pc: virtual address of the instruction
 * @pa: physical address of the instruction
 *
 * Bytes that Zydis cannot decode become an instruction of one uop for any ALU port.
 */
void vcore_decode(struct vcore_insn *insn, const uint8_t *bytes,
		  unsigned int size, uint64_t pc, uint64_t pa)
{
	ZydisDecodedOperand operand[ZYDIS_MAX_OPERAND_COUNT] = { };
	ZydisDecodedInstruction decoded;

	memset(insn, 0, sizeof(*insn));
	insn->pc = pc;
	insn->pa = pa;
	insn->size = size;
	insn->priv = vcore_priv(pc);
	if (!vcore_decode_bytes(bytes, size, &decoded, operand)) {
		set_default_uop(insn);
		return;
	}
	set_control_flow(insn, &decoded, operand);
	vcore_uops(insn, &decoded, operand);
}

/**
 * vcore_prefetch_address() - decode the effective address of a software prefetch
 * @address: output
 * @bytes: bytes of the instruction
 * @size: length of the instruction in bytes
 * @pc: virtual address of the instruction
 *
 * Return: false if the instruction is not a prefetch, or if its address uses FS or GS, whose base a
 * plugin of QEMU cannot read.
 */
bool vcore_prefetch_address(struct vcore_address *address,
			    const uint8_t *bytes, unsigned int size,
			    uint64_t pc)
{
	ZydisDecodedOperand operand[ZYDIS_MAX_OPERAND_COUNT] = { };
	const ZydisDecodedOperandMem *mem = &operand[0].mem;
	ZydisDecodedInstruction decoded;

	if (!vcore_decode_bytes(bytes, size, &decoded, operand) ||
	    decoded.meta.category != ZYDIS_CATEGORY_PREFETCH ||
	    mem->segment == ZYDIS_REGISTER_FS ||
	    mem->segment == ZYDIS_REGISTER_GS)
		return false;
	address->base = vcore_reg_of(mem->base);
	address->index = vcore_reg_of(mem->index);
	address->scale = mem->scale;
	address->offset = mem->disp.value;
	if (mem->base == ZYDIS_REGISTER_RIP)
		address->offset += pc + size;
	return true;
}
