// SPDX-License-Identifier: GPL-2.0
/*
 * Table of the costs of instructions on Ivy Bridge: ports, latencies and numbers of uops.
 *
 * Sources: Intel 64 and IA-32 Architectures Optimization Reference Manual, sections 2.3 (ports,
 * macro-fusion, zero idioms, move elimination) and appendix C (latencies); A. Fog, "Instruction
 * tables", Ivy Bridge, for the rest. If a latency depends on the data, the table has a value from
 * the middle of its range.
 */
#include "costs.h"
#include "rows.h"

/* Costs by mnemonic. variants[] has the costs that also depend on the operands. */
static const struct vcore_cost costs[ZYDIS_MNEMONIC_MAX_VALUE + 1] = {
	/* integer instructions */
	ROW(MOV, RENAMED),
	ROW(MOVZX, RENAMED),
	ROW(MOVSX, MOVE), ROW(MOVSXD, MOVE), ROW(MOVBE, MOVE),
	ROW(ADD, ONE(P015, 1, VCORE_FUSES_ORDER | VCORE_PAIRS)),
	ROW(SUB, ONE(P015, 1, VCORE_FUSES_ORDER | VCORE_ZEROES | VCORE_PAIRS)),
	ROW(CMP, ONE(P015, 1, VCORE_FUSES_ORDER | VCORE_PAIRS)),
	ROW(AND, ONE(P015, 1, VCORE_FUSES_ANY | VCORE_PAIRS)),
	ROW(TEST, ONE(P015, 1, VCORE_FUSES_ANY | VCORE_PAIRS)),
	ROW(INC, ONE(P015, 1, VCORE_FUSES_EQUAL | VCORE_PAIRS)),
	ROW(DEC, ONE(P015, 1, VCORE_FUSES_EQUAL | VCORE_PAIRS)),
	ROW(XOR, ONE(P015, 1, VCORE_ZEROES | VCORE_PAIRS)),
	ROW(OR, SIMPLE), ROW(NEG, SIMPLE), ROW(NOT, SIMPLE), ROW(CBW, SIMPLE),
	ROW(CWDE, SIMPLE), ROW(CDQE, SIMPLE), ROW(CWD, SIMPLE),
	ROW(CDQ, SIMPLE), ROW(CQO, SIMPLE), ROW(LAHF, SIMPLE),
	ROW(SAHF, SIMPLE), ROW(CLC, SIMPLE), ROW(STC, SIMPLE),
	ROW(CMC, SIMPLE),
	ROW(ADC, SEVERAL(2, P015, P05, 2, 0)), ROW(SBB, SEVERAL(2, P015, P05, 2, 0)),
	ROW(ADCX, SEVERAL(2, P015, P05, 2, 0)),
	ROW(ADOX, SEVERAL(2, P015, P05, 2, 0)),
	ROW(LEA, ONE(P15, 1, VCORE_PAIRS)),
	ROW(SHL, ONE(P05, 1, VCORE_PAIRS_U)),
	ROW(SHR, ONE(P05, 1, VCORE_PAIRS_U)),
	ROW(SAR, ONE(P05, 1, VCORE_PAIRS_U)),
	ROW(ROL, ONE(P05, 1, 0)), ROW(ROR, ONE(P05, 1, 0)),
	ROW(RORX, ONE(P05, 1, 0)), ROW(SHLX, ONE(P05, 1, 0)),
	ROW(SHRX, ONE(P05, 1, 0)), ROW(SARX, ONE(P05, 1, 0)),
	ROW(BT, ONE(P05, 1, 0)), ROW(BTS, ONE(P05, 1, 0)),
	ROW(BTR, ONE(P05, 1, 0)), ROW(BTC, ONE(P05, 1, 0)),
	ROW(RCL, SEVERAL(3, P05, P015, 2, 0)),
	ROW(RCR, SEVERAL(3, P05, P015, 2, 0)),
	ROW(SHLD, ONE(P0, 1, 0)), ROW(SHRD, ONE(P0, 1, 0)),
	ROW(ANDN, ONE(P15, 1, 0)), ROW(BLSI, ONE(P15, 1, 0)),
	ROW(BLSR, ONE(P15, 1, 0)), ROW(BLSMSK, ONE(P15, 1, 0)),
	ROW(BZHI, ONE(P15, 1, 0)),
	ROW(BEXTR, SEVERAL(2, P05, P15, 2, 0)),
	ROW(BSF, ONE(P1, 3, 0)), ROW(BSR, ONE(P1, 3, 0)),
	ROW(LZCNT, ONE(P1, 3, 0)), ROW(TZCNT, ONE(P1, 3, 0)),
	ROW(POPCNT, ONE(P1, 3, 0)), ROW(PDEP, ONE(P1, 3, 0)),
	ROW(PEXT, ONE(P1, 3, 0)), ROW(CRC32, ONE(P1, 3, 0)),
	ROW(IMUL, ONE(P1, 3, 0)),
	ROW(MUL, SEVERAL(3, P1, P015, 4, 0)),
	ROW(MULX, SEVERAL(2, P1, P5, 4, 0)),
	ROW(DIV, { 1, P0, P015, 26, 10, 9, 0, 0 }),
	ROW(IDIV, { 1, P0, P015, 26, 10, 9, 0, 0 }),
	ROW(BSWAP, ONE(P15, 1, 0)),
	CONDITIONS(CMOV, SEVERAL(2, P015, P05, 2, 0)),
	CONDITIONS(SET, ONE(P05, 1, 0)),
	ROW(XCHG, SEVERAL(3, P015, P015, 2, 0)),
	ROW(XADD, SEVERAL(3, P015, P015, 2, 0)),
	ROW(CMPXCHG, SEVERAL(4, P015, P015, 5, 0)),
	ROW(CMPXCHG8B, { 4, P015, P015, 9, 0, 10, 0, 0 }),
	ROW(CMPXCHG16B, { 4, P015, P015, 9, 0, 10, 0, 0 }),
	ROW(NOP, NO_PORT), ROW(ENDBR64, NO_PORT), ROW(ENDBR32, NO_PORT),
	ROW(RDSSPD, NO_PORT), ROW(RDSSPQ, NO_PORT), ROW(FNOP, NO_PORT),
	ROW(CLD, SEVERAL(3, P015, P015, 4, 0)),
	ROW(STD, SEVERAL(2, P015, P015, 4, 0)),
	ROW(XLAT, SEVERAL(2, P015, P015, 2, 0)),
	/*
	 * Stack instructions and branches. They have no uop that updates RSP: the stack engine does
	 * that.
	 */
	ROW(PUSH, MOVE), ROW(POP, MOVE),
	ROW(PUSHF, SEVERAL(2, P015, P1, 2, 0)),
	ROW(PUSHFQ, SEVERAL(2, P015, P1, 2, 0)),
	ROW(POPF, MICROCODE(18, 7, 0)), ROW(POPFQ, MICROCODE(18, 7, 0)),
	ROW(ENTER, MICROCODE(7, 10, 0)),
	ROW(LEAVE, ONE(P015, 1, 0)),
	CONDITIONS(J, ONE(P5, 1, VCORE_PAIRS)),
	ROW(JMP, ONE(P5, 1, VCORE_PAIRS)), ROW(CALL, ONE(P5, 1, VCORE_PAIRS)),
	ROW(RET, ONE(P5, 1, VCORE_PAIRS)),
	ROW(JRCXZ, SEVERAL(2, P015, P5, 2, 0)),
	ROW(JECXZ, SEVERAL(2, P015, P5, 2, 0)),
	ROW(LOOP, { 2, P015, P5, 4, 0, 5, 0, 0 }),
	ROW(LOOPE, { 2, P015, P5, 4, 0, 5, 0, 0 }),
	ROW(LOOPNE, { 2, P015, P5, 4, 0, 5, 0, 0 }),
	/* system instructions */
	ROW(PAUSE, MICROCODE(10, 6, 0)),
	ROW(CPUID, { 4, P015, P015, 100, 0, 30, 0, VCORE_SERIALISES }),
	ROW(SYSCALL, MICROCODE(30, 40, VCORE_SERIALISES)),
	ROW(SYSENTER, MICROCODE(30, 40, VCORE_SERIALISES)),
	ROW(SYSRET, MICROCODE(30, 40, VCORE_SERIALISES)),
	ROW(SYSEXIT, MICROCODE(30, 40, VCORE_SERIALISES)),
	ROW(INT, MICROCODE(60, 60, VCORE_SERIALISES)),
	ROW(INT1, MICROCODE(60, 60, VCORE_SERIALISES)),
	ROW(INT3, MICROCODE(60, 60, VCORE_SERIALISES)),
	ROW(IRET, MICROCODE(60, 60, VCORE_SERIALISES)),
	ROW(IRETD, MICROCODE(60, 60, VCORE_SERIALISES)),
	ROW(IRETQ, MICROCODE(60, 60, VCORE_SERIALISES)),
	ROW(WRMSR, MICROCODE(60, 60, VCORE_SERIALISES)),
	ROW(XSETBV, MICROCODE(60, 60, VCORE_SERIALISES)),
	ROW(WBINVD, MICROCODE(60, 60, VCORE_SERIALISES)),
	ROW(INVD, MICROCODE(60, 60, VCORE_SERIALISES)),
	ROW(INVLPG, MICROCODE(60, 60, VCORE_SERIALISES)),
	ROW(INVPCID, MICROCODE(60, 60, VCORE_SERIALISES)),
	ROW(RSM, MICROCODE(60, 60, VCORE_SERIALISES)),
	ROW(SERIALIZE, MICROCODE(60, 60, VCORE_SERIALISES)),
	ROW(LGDT, MICROCODE(60, 60, VCORE_SERIALISES)),
	ROW(LIDT, MICROCODE(60, 60, VCORE_SERIALISES)),
	ROW(LLDT, MICROCODE(60, 60, VCORE_SERIALISES)),
	ROW(LTR, MICROCODE(60, 60, VCORE_SERIALISES)),
	ROW(HLT, MICROCODE(30, 20, VCORE_SERIALISES)),
	ROW(MWAIT, MICROCODE(30, 20, VCORE_SERIALISES)),
	ROW(MONITOR, MICROCODE(30, 20, VCORE_SERIALISES)),
	ROW(RDMSR, REPORT(2, 60, 50)),
	ROW(RDPMC, REPORT(2, 40, 33)),
	ROW(RDTSC, REPORT(2, 27, 19)),
	ROW(RDTSCP, REPORT(3, 36, 20)),
	ROW(RDRAND, MICROCODE(100, 12, 0)), ROW(RDSEED, MICROCODE(100, 12, 0)),
	ROW(XGETBV, REPORT(2, 8, 6)),
	ROW(SWAPGS, MICROCODE(5, 6, 0)), ROW(RDFSBASE, MICROCODE(5, 6, 0)),
	ROW(RDGSBASE, MICROCODE(5, 6, 0)), ROW(WRFSBASE, MICROCODE(5, 6, 0)),
	ROW(WRGSBASE, MICROCODE(5, 6, 0)),
	ROW(CLI, MICROCODE(6, 5, 0)), ROW(STI, MICROCODE(6, 5, 0)),
	ROW(CLAC, MICROCODE(6, 5, 0)), ROW(STAC, MICROCODE(6, 5, 0)),
	ROW(IN, MICROCODE(60, 40, VCORE_AFTER_LOADS | VCORE_AFTER_STORES)),
	ROW(OUT, MICROCODE(60, 40, VCORE_AFTER_LOADS | VCORE_AFTER_STORES)),
	ROW(INSB, MICROCODE(60, 40, VCORE_AFTER_LOADS | VCORE_AFTER_STORES)),
	ROW(INSW, MICROCODE(60, 40, VCORE_AFTER_LOADS | VCORE_AFTER_STORES)),
	ROW(INSD, MICROCODE(60, 40, VCORE_AFTER_LOADS | VCORE_AFTER_STORES)),
	ROW(OUTSB, MICROCODE(60, 40, VCORE_AFTER_LOADS | VCORE_AFTER_STORES)),
	ROW(OUTSW, MICROCODE(60, 40, VCORE_AFTER_LOADS | VCORE_AFTER_STORES)),
	ROW(OUTSD, MICROCODE(60, 40, VCORE_AFTER_LOADS | VCORE_AFTER_STORES)),
	ROW(XSAVE, MICROCODE(60, 100, 0)), ROW(XSAVE64, MICROCODE(60, 100, 0)),
	ROW(XSAVEC, MICROCODE(60, 100, 0)),
	ROW(XSAVEC64, MICROCODE(60, 100, 0)),
	ROW(XSAVEOPT, MICROCODE(60, 100, 0)),
	ROW(XSAVEOPT64, MICROCODE(60, 100, 0)),
	ROW(XSAVES, MICROCODE(60, 100, 0)),
	ROW(XSAVES64, MICROCODE(60, 100, 0)),
	ROW(XRSTOR, MICROCODE(60, 100, 0)),
	ROW(XRSTOR64, MICROCODE(60, 100, 0)),
	ROW(XRSTORS, MICROCODE(60, 100, 0)),
	ROW(XRSTORS64, MICROCODE(60, 100, 0)),
	ROW(FXSAVE, MICROCODE(60, 100, 0)),
	ROW(FXSAVE64, MICROCODE(60, 100, 0)),
	ROW(FXRSTOR, MICROCODE(60, 100, 0)),
	ROW(FXRSTOR64, MICROCODE(60, 100, 0)),
	ROW(LFENCE, ONE(P015, 4, VCORE_AFTER_LOADS)),
	ROW(SFENCE, ONE(P015, 1, VCORE_AFTER_STORES)),
	ROW(MFENCE, ONE(P015, 4, VCORE_AFTER_LOADS | VCORE_AFTER_STORES)),
	ROW(CLFLUSH, SEVERAL(4, P015, P015, 4, 0)),
	ROW(CLFLUSHOPT, SEVERAL(4, P015, P015, 4, 0)),
	ROW(CLWB, SEVERAL(4, P015, P015, 4, 0)),
	ROW(CLDEMOTE, SEVERAL(4, P015, P015, 4, 0)),
	ROW(PREFETCH, PREFETCH), ROW(PREFETCHW, PREFETCH),
	ROW(PREFETCHWT1, PREFETCH), ROW(PREFETCHNTA, PREFETCH),
	ROW(PREFETCHT0, PREFETCH), ROW(PREFETCHT1, PREFETCH),
	ROW(PREFETCHT2, PREFETCH),
	/* String instructions; the cost is that of one iteration. */
	ROW(MOVSB, STRING), ROW(MOVSW, STRING), ROW(MOVSQ, STRING),
	ROW(STOSB, STRING), ROW(STOSW, STRING), ROW(STOSD, STRING),
	ROW(STOSQ, STRING), ROW(LODSB, STRING), ROW(LODSW, STRING),
	ROW(LODSD, STRING), ROW(LODSQ, STRING), ROW(SCASB, STRING),
	ROW(SCASW, STRING), ROW(SCASD, STRING), ROW(SCASQ, STRING),
	ROW(CMPSB, STRING), ROW(CMPSW, STRING), ROW(CMPSQ, STRING),
};

/* Conditions on the operands of an instruction. If one of them is met, variants[] has the cost. */
enum when {
	WIDE,		/* 64-bit operands */
	BYTE,		/* 8-bit operands */
	BY_CL,		/* shift count in CL */
	BY_COUNT,	/* shift count in CL or immediate, unlike the form that shifts by 1 */
	ONE_OPERAND,
	YMM,
	ON_MEMORY,
	IS_STRING,	/* MOVSD, CMPSD: the string instruction, not that of SSE2 */
	TO_CONTROL,	/* destination is a control or debug register */
	TO_SEGMENT	/* destination is a segment register */
};

struct variant {
	uint16_t mnemonic;
	uint8_t when;
	struct vcore_cost cost;
};

#define IF(m, w, ...) { ZYDIS_MNEMONIC_##m, w, __VA_ARGS__ }

static const struct variant variants[] = {
	IF(MOV, TO_CONTROL, MICROCODE(40, 30, VCORE_SERIALISES)),
	IF(MOV, TO_SEGMENT, MICROCODE(10, 7, 0)),
	IF(POP, TO_SEGMENT, MICROCODE(10, 7, 0)),
	IF(MOVSD, IS_STRING, STRING),
	IF(CMPSD, IS_STRING, STRING),
	IF(SHL, BY_CL, SEVERAL(3, P05, P05, 2, 0)),
	IF(SHR, BY_CL, SEVERAL(3, P05, P05, 2, 0)),
	IF(SAR, BY_CL, SEVERAL(3, P05, P05, 2, 0)),
	IF(ROL, BY_CL, SEVERAL(3, P05, P05, 2, 0)),
	IF(ROR, BY_CL, SEVERAL(3, P05, P05, 2, 0)),
	IF(RCL, BY_COUNT, MICROCODE(5, 7, 0)),
	IF(RCR, BY_COUNT, MICROCODE(5, 7, 0)),
	IF(SHLD, BY_CL, SEVERAL(3, P05, P05, 3, 0)),
	IF(SHRD, BY_CL, SEVERAL(3, P05, P05, 3, 0)),
	IF(MUL, BYTE, ONE(P1, 3, 0)),
	IF(MUL, WIDE, SEVERAL(2, P1, P0, 4, 0)),
	IF(IMUL, BYTE, ONE(P1, 3, 0)),
	IF(IMUL, ONE_OPERAND, SEVERAL(3, P1, P015, 4, 0)),
	IF(DIV, WIDE, { 2, P0, P015, 60, 40, 33, 0, 0 }),
	IF(IDIV, WIDE, { 2, P0, P015, 70, 40, 55, 0, 0 }),
	IF(BSWAP, WIDE, SEVERAL(2, P15, P05, 2, 0)),
	IF(BT, ON_MEMORY, MICROCODE(5, 8, 0)),
	IF(VDIVPS, YMM, DIVIDE(3, 21, 14, VCORE_SSE_PACKED_SINGLE)),
	IF(VDIVPD, YMM, DIVIDE(3, 35, 28, VCORE_SSE_PACKED_DOUBLE)),
	IF(VSQRTPS, YMM, DIVIDE(3, 21, 14, VCORE_SSE_PACKED_SINGLE)),
	IF(VSQRTPD, YMM, DIVIDE(3, 35, 28, VCORE_SSE_PACKED_DOUBLE)),
};

static bool is_register_of(const ZydisDecodedOperand *operand,
			   ZydisRegisterClass class)
{
	return operand->type == ZYDIS_OPERAND_TYPE_REGISTER &&
	       ZydisRegisterGetClass(operand->reg.value) == class;
}

static bool by_cl(const ZydisDecodedInstruction *insn,
		  const ZydisDecodedOperand *operand)
{
	const ZydisDecodedOperand *count;

	count = &operand[insn->operand_count_visible - 1];
	return count->type == ZYDIS_OPERAND_TYPE_REGISTER &&
	       count->reg.value == ZYDIS_REGISTER_CL;
}

static bool condition_holds(enum when when, const ZydisDecodedInstruction *insn,
			    const ZydisDecodedOperand *operand)
{
	switch (when) {
	case WIDE:
		return insn->operand_width == 64;
	case BYTE:
		return operand->size == 8;
	case BY_CL:
		return by_cl(insn, operand);
	case BY_COUNT:
		return insn->raw.imm[0].size || by_cl(insn, operand);
	case ONE_OPERAND:
		return insn->operand_count_visible == 1;
	case YMM:
		return is_register_of(operand, ZYDIS_REGCLASS_YMM);
	case ON_MEMORY:
		return operand->type == ZYDIS_OPERAND_TYPE_MEMORY;
	case IS_STRING:
		return insn->meta.category == ZYDIS_CATEGORY_STRINGOP;
	case TO_CONTROL:
		return is_register_of(operand, ZYDIS_REGCLASS_CONTROL) ||
		       is_register_of(operand, ZYDIS_REGCLASS_DEBUG);
	default:
		return is_register_of(operand, ZYDIS_REGCLASS_SEGMENT);
	}
}

/**
 * vcore_cost() - look up the cost of an instruction: its ports, latencies and uops
 * @insn: decoded instruction
 * @operand: operands of the instruction
 *
 * Return: the cost; an instruction that no table has costs one uop of one cycle on any ALU port.
 */
struct vcore_cost vcore_cost(const ZydisDecodedInstruction *insn,
			     const ZydisDecodedOperand *operand)
{
	static const struct vcore_cost unknown = ONE(P015, 1, 0);
	const struct vcore_cost *cost;
	unsigned int i;

	for (i = 0; i < sizeof(variants) / sizeof(*variants); i++)
		if (variants[i].mnemonic == insn->mnemonic &&
		    condition_holds(variants[i].when, insn, operand))
			return variants[i].cost;
	cost = &costs[insn->mnemonic];
	if (!cost->nr)
		cost = &vcore_vector_costs[insn->mnemonic];
	return cost->nr ? *cost : unknown;
}
