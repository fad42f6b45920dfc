// SPDX-License-Identifier: GPL-2.0
/*
 * Properties of an instruction that its uops do not have: ordering, macro-fusion, vector elements,
 * and pairing on Knights Corner.
 */
#include "costs.h"
#include "decode.h"

/* Masks of the conditions with which instructions fuse: bit n is for condition code n of Jcc. */
#define ANY 0xffff
#define CARRY 0x00cc		/* conditions B, AE, BE and A */
#define EQUAL_ORDER 0xf030	/* conditions E, NE, L, GE, LE and G */

/*
 * Returns a mask of the branch conditions with which the instruction can fuse (macro-fusion,
 * Optimization Manual, section 2.3.2.1). An instruction with a RIP-relative operand, with a
 * destination in memory, or with an immediate and a memory operand does not fuse.
 */
static unsigned int fusing_conditions(const ZydisDecodedInstruction *decoded,
				      const ZydisDecodedOperand *operand,
				      unsigned int traits)
{
	bool immediate = decoded->raw.imm[0].size;
	unsigned int i;

	for (i = 0; i < decoded->operand_count_visible; i++)
		if (operand[i].type == ZYDIS_OPERAND_TYPE_MEMORY &&
		    (immediate || operand[i].mem.base == ZYDIS_REGISTER_RIP ||
		     operand[i].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE))
			return 0;
	if (traits & VCORE_FUSES_ANY)
		return ANY;
	if (traits & VCORE_FUSES_ORDER)
		return CARRY | EQUAL_ORDER;
	return traits & VCORE_FUSES_EQUAL ? EQUAL_ORDER : 0;
}

static bool is_xmm_or_ymm(const ZydisDecodedOperand *operand)
{
	ZydisRegisterClass of;

	if (operand->type != ZYDIS_OPERAND_TYPE_REGISTER)
		return false;
	of = ZydisRegisterGetClass(operand->reg.value);
	return of == ZYDIS_REGCLASS_XMM || of == ZYDIS_REGCLASS_YMM;
}

static const ZydisDecodedOperand *
vector_operand(const ZydisDecodedInstruction *decoded,
	       const ZydisDecodedOperand *operand)
{
	unsigned int i;

	for (i = 0; i < decoded->operand_count_visible; i++)
		if (is_xmm_or_ymm(&operand[i]))
			return &operand[i];
	return NULL;
}

/*
 * Returns the number of elements that the instruction computes. A scalar instruction, or one with a
 * shorter memory operand, computes fewer elements than the vector register can hold.
 */
static unsigned int nr_elements(const struct vcore_insn *insn,
				const ZydisDecodedInstruction *decoded,
				const ZydisDecodedOperand *operand)
{
	const ZydisDecodedOperand *vector = vector_operand(decoded, operand);
	unsigned int i;

	if (!vector)
		return 0;
	for (i = 0; i < insn->nr_uops; i++)
		if (insn->uop[i].compute == VCORE_SSE_SCALAR_SINGLE ||
		    insn->uop[i].compute == VCORE_SSE_SCALAR_DOUBLE)
			return 1;
	for (i = 0; i < decoded->operand_count_visible; i++)
		if (operand[i].type == ZYDIS_OPERAND_TYPE_MEMORY &&
		    decoded->meta.category != ZYDIS_CATEGORY_BROADCAST &&
		    operand[i].size < vector->size)
			vector = &operand[i];
	return vector->element_size ? vector->size / vector->element_size : 1;
}

static void widen_to_avx(struct vcore_insn *insn)
{
	unsigned int i;

	for (i = 0; i < insn->nr_uops; i++) {
		if (insn->uop[i].compute == VCORE_SSE_PACKED_SINGLE)
			insn->uop[i].compute = VCORE_AVX_PACKED_SINGLE;
		else if (insn->uop[i].compute == VCORE_SSE_PACKED_DOUBLE)
			insn->uop[i].compute = VCORE_AVX_PACKED_DOUBLE;
	}
}

static void set_vector_elements(struct vcore_insn *insn,
				const ZydisDecodedInstruction *decoded,
				const ZydisDecodedOperand *operand)
{
	const ZydisDecodedOperand *vector = vector_operand(decoded, operand);

	insn->vector_elements = nr_elements(insn, decoded, operand);
	if (vector && vector->size == 256)
		widen_to_avx(insn);
}

/*
 * Knights Corner: pairing of instructions, and latencies in cycles.
 *
 * Instructions pair as on the Pentium: moves, simple arithmetic, LEA, NOP and near branches issue
 * in either pipe; shifts and vector instructions, including vector loads and stores, issue only in
 * the U pipe; all other instructions issue alone (Optimization Manual of the Pentium, 242816,
 * section 3.3; System Software Developers Guide of the Xeon Phi, 328207, section 2.1). Vector and
 * x87 instructions take 4 cycles, an integer multiplication takes 10.
 */
#define KNC_VECTOR 4
#define KNC_MULTIPLY 10
#define KNC_DIVIDE 41

static unsigned int knc_latency(const struct vcore_insn *insn,
				const ZydisDecodedInstruction *decoded)
{
	unsigned int i;

	for (i = 0; i < insn->nr_uops; i++)
		if (insn->uop[i].divides)
			return KNC_DIVIDE;
	switch (decoded->mnemonic) {
	case ZYDIS_MNEMONIC_IMUL:
	case ZYDIS_MNEMONIC_MUL:
		return KNC_MULTIPLY;
	default:
		break;
	}
	if (insn->vector_elements ||
	    decoded->meta.isa_ext == ZYDIS_ISA_EXT_X87)
		return KNC_VECTOR;
	return insn->filler + 1;
}

static void set_pairing(struct vcore_insn *insn,
			const ZydisDecodedInstruction *decoded, unsigned int traits)
{
	bool vector = insn->vector_elements;

	insn->pair_u = vector || traits & VCORE_PAIRS_U;
	insn->pair_none = insn->locked ||
			  (!vector && !(traits & VCORE_PAIRS) &&
			   !(traits & VCORE_PAIRS_U));
	insn->knc_latency = knc_latency(insn, decoded);
}

static int x87_pops(const ZydisDecodedInstruction *decoded)
{
	switch (decoded->mnemonic) {
	case ZYDIS_MNEMONIC_FLD:
	case ZYDIS_MNEMONIC_FLD1:
	case ZYDIS_MNEMONIC_FLDL2E:
	case ZYDIS_MNEMONIC_FLDL2T:
	case ZYDIS_MNEMONIC_FLDLG2:
	case ZYDIS_MNEMONIC_FLDLN2:
	case ZYDIS_MNEMONIC_FLDPI:
	case ZYDIS_MNEMONIC_FLDZ:
	case ZYDIS_MNEMONIC_FILD:
	case ZYDIS_MNEMONIC_FBLD:
	case ZYDIS_MNEMONIC_FPTAN:
	case ZYDIS_MNEMONIC_FSINCOS:
	case ZYDIS_MNEMONIC_FXTRACT:
	case ZYDIS_MNEMONIC_FDECSTP:
		return -1;
	case ZYDIS_MNEMONIC_FSTP:
	case ZYDIS_MNEMONIC_FISTP:
	case ZYDIS_MNEMONIC_FISTTP:
	case ZYDIS_MNEMONIC_FBSTP:
	case ZYDIS_MNEMONIC_FADDP:
	case ZYDIS_MNEMONIC_FSUBP:
	case ZYDIS_MNEMONIC_FSUBRP:
	case ZYDIS_MNEMONIC_FMULP:
	case ZYDIS_MNEMONIC_FDIVP:
	case ZYDIS_MNEMONIC_FDIVRP:
	case ZYDIS_MNEMONIC_FCOMP:
	case ZYDIS_MNEMONIC_FCOMIP:
	case ZYDIS_MNEMONIC_FUCOMP:
	case ZYDIS_MNEMONIC_FUCOMIP:
	case ZYDIS_MNEMONIC_FICOMP:
	case ZYDIS_MNEMONIC_FPATAN:
	case ZYDIS_MNEMONIC_FYL2X:
	case ZYDIS_MNEMONIC_FYL2XP1:
	case ZYDIS_MNEMONIC_FINCSTP:
		return 1;
	case ZYDIS_MNEMONIC_FCOMPP:
	case ZYDIS_MNEMONIC_FUCOMPP:
		return 2;
	default:
		return 0;
	}
}

/**
 * vcore_traits() - find the traits of an instruction: ordering, macro-fusion, vectors, pairing
 * @insn: input and output: its uops must have been built, its other traits are set here
 * @decoded: decoded instruction
 * @operand: its operands
 * @traits: mask of &enum vcore_trait, from the table of costs
 */
void vcore_traits(struct vcore_insn *insn,
		  const ZydisDecodedInstruction *decoded,
		  const ZydisDecodedOperand *operand, unsigned int traits)
{
	insn->fuses = fusing_conditions(decoded, operand, traits);
	insn->serialises |= !!(traits & VCORE_SERIALISES);
	insn->fence = (traits & VCORE_AFTER_LOADS ? 1 : 0) |
		      (traits & VCORE_AFTER_STORES ? 2 : 0);
	insn->streams = traits & VCORE_STREAMS;
	insn->prefetch = traits & VCORE_PREFETCHES;
	insn->x87_pops = x87_pops(decoded);
	set_vector_elements(insn, decoded, operand);
	set_pairing(insn, decoded, traits);
}
