/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An instruction as the virtual core sees it: decoded once, executed often.
 */
#ifndef VCORE_INSN_H
#define VCORE_INSN_H

#include <stdbool.h>
#include <stdint.h>

#define VCORE_MAX_UOPS 8
#define VCORE_MAX_SOURCES 4
#define VCORE_MAX_RESULTS 2

/* types of branches, in the order of their exact counts */
enum vcore_branch {
	VCORE_NO_BRANCH,
	VCORE_CONDITIONAL,
	VCORE_CALL,
	VCORE_RETURN,
	VCORE_JUMP,
	VCORE_FAR
};

/*
 * Registers that carry dependences. 0 is none. An instruction's own
 * intermediate results are temporaries. Those of x87 are named from the top of
 * its stack on, as it is before a pop and behind a push; sources of a push, as
 * it is before.
 */
enum vcore_reg {
	VCORE_REG_NONE,
	VCORE_REG_GP,
	VCORE_REG_FLAGS = VCORE_REG_GP + 16,
	VCORE_REG_VECTOR,
	VCORE_REG_X87 = VCORE_REG_VECTOR + 16,
	VCORE_REG_OTHER = VCORE_REG_X87 + 8,
	VCORE_REG_TEMP,
	VCORE_NR_REGS = VCORE_REG_TEMP + 4
};

/* what a uop does in the back end */
enum vcore_uop_type {
	VCORE_ALU,		/* anything that computes, branches too */
	VCORE_LOAD,		/* the instruction's next load */
	VCORE_STA,		/* address of the instruction's next store */
	VCORE_STD,		/* data of the same store */
	VCORE_NONE		/* nop, eliminated move, zeroing idiom: no port */
};

/* what a uop counts as where events tell types of operations apart */
enum vcore_compute {
	VCORE_INTEGER,
	VCORE_X87,
	VCORE_SSE_SCALAR_SINGLE,
	VCORE_SSE_SCALAR_DOUBLE,
	VCORE_SSE_PACKED_SINGLE,
	VCORE_SSE_PACKED_DOUBLE,
	VCORE_AVX_PACKED_SINGLE,
	VCORE_AVX_PACKED_DOUBLE,
	VCORE_NR_COMPUTE
};

/**
 * struct vcore_uop - an unfused uop
 * @type: &enum vcore_uop_type
 * @ports: bit mask of the ports that can execute it; 0 for VCORE_NONE
 * @latency: cycles from execution to result; of a load beyond its access
 * @divides: cycles for which it occupies the divider, 0 for not at all
 * @compute: &enum vcore_compute
 * @fused: shares the slot of the uop before it (micro-fusion)
 * @source: registers it waits for, &enum vcore_reg; of a load and VCORE_STA
 *	those of the address
 * @result: registers it sets
 */
struct vcore_uop {
	uint8_t type;
	uint8_t ports;
	uint8_t latency;
	uint8_t divides;
	uint8_t compute;
	bool fused;
	uint8_t source[VCORE_MAX_SOURCES];
	uint8_t result[VCORE_MAX_RESULTS];
};

/**
 * struct vcore_insn - an instruction
 * @pc: its virtual address
 * @pa: its physical address
 * @size: bytes
 * @ring: 0 for the kernel, 1 for user space
 * @branch: &enum vcore_branch
 * @indirect: the target comes from a register or from memory
 * @rep: a repeated string instruction; each iteration is a step
 * @microcoded: its uops come from the micro-sequencer
 * @serialises: nothing younger is fetched before it has retired
 * @fence: waits for the older loads (1), stores (2) or both (3)
 * @lcp: a prefix changes its length: the decoders stall
 * @fuses: conditions of the branches that it fuses with when they are right
 *	behind it (macro-fusion), a bit each
 * @condition: of a conditional branch: the bit of its condition, 0 if it tests
 *	no flags
 * @prefetch: software prefetch: its load is never waited for
 * @streams: its stores go past the caches (non-temporal)
 * @locked: atomic access
 * @x87_pops: x87 registers that leave its stack, below 0 that come
 * @nr_uops: of @uop that are filled in
 * @filler: uops beyond them (long microcode): one cycle each, any ALU port,
 *	each waiting for the one before
 * @nr_slots: issue slots it takes, @filler too
 * @vector_elements: SSE and AVX: elements that it computes; 0 for others
 * @pair_u: Knights Corner: may go to the U pipe only
 * @pair_none: Knights Corner: issues alone
 * @knc_latency: Knights Corner: cycles until its result
 * @uop: in program order; memory for those beyond @nr_uops may be missing
 */
struct vcore_insn {
	uint64_t pc;
	uint64_t pa;
	uint8_t size;
	uint8_t ring;
	uint8_t branch;
	bool indirect;
	bool rep;
	bool microcoded;
	bool serialises;
	uint8_t fence;
	bool lcp;
	uint16_t fuses;
	uint16_t condition;
	bool prefetch;
	bool streams;
	bool locked;
	int8_t x87_pops;
	uint8_t nr_uops;
	uint8_t filler;
	uint8_t nr_slots;
	uint8_t vector_elements;
	bool pair_u;
	bool pair_none;
	uint8_t knc_latency;
	struct vcore_uop uop[VCORE_MAX_UOPS];
};

/**
 * vcore_ring() - 0 for the kernel's code, 1 for user space's
 * @pc: a virtual address
 */
static inline unsigned int vcore_ring(uint64_t pc)
{
	return !(pc >> 63);
}

/**
 * vcore_reg_at() - which register a name means
 * @reg: &enum vcore_reg
 * @top: of the x87 stack, modulo 8
 *
 * Return: the same, or that of the x87 stack.
 */
static inline unsigned int vcore_reg_at(unsigned int reg, unsigned int top)
{
	if (reg < VCORE_REG_X87 || reg >= VCORE_REG_OTHER)
		return reg;
	return VCORE_REG_X87 + (reg - VCORE_REG_X87 + top) % 8;
}

/* the top that an instruction's results are named from */
static inline unsigned int vcore_x87_top(const struct vcore_insn *insn,
					 unsigned int top)
{
	return insn->x87_pops < 0 ? top + insn->x87_pops : top;
}

#endif /* VCORE_INSN_H */
