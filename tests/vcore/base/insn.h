/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A decoded instruction: its uops, and the properties that are the same in each of its executions.
 * The emulator decodes an instruction once and executes it many times.
 */
#ifndef VCORE_INSN_H
#define VCORE_INSN_H

#include <stdbool.h>
#include <stdint.h>

#define VCORE_MAX_UOPS 8
#define VCORE_MAX_SOURCES 4
#define VCORE_MAX_RESULTS 2

/* Types of branches, in the order in which tests/vpmu has the events that count them. */
enum vcore_branch {
	VCORE_NO_BRANCH,
	VCORE_CONDITIONAL,
	VCORE_CALL,
	VCORE_RETURN,
	VCORE_JUMP,
	VCORE_FAR
};

/*
 * Registers through which a uop can depend on another; 0 means no register. Temporary registers
 * hold intermediate results within an instruction. x87 registers are numbered from the top that the
 * x87 stack has before the instruction. Exception: the results of an instruction that pushes are
 * numbered from the top that the stack has after it.
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

/* Types of uops. */
enum vcore_uop_type {
	VCORE_ALU,		/* a computation or a branch */
	VCORE_LOAD,		/* a load: the i-th such uop makes the i-th load */
	VCORE_STA,		/* address of a store, the i-th that of the i-th store */
	VCORE_STD,		/* data of the same store as the STA before it */
	VCORE_NONE		/* a uop without a port: NOP, eliminated move, zero idiom */
};

/* Types of operations, as the events of floating-point uops distinguish them. */
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
 * @ports: mask of the ports that can execute the uop; 0 for VCORE_NONE
 * @latency: cycles from execution to result; for a load, cycles on top of the latency of the cache
 * @divides: cycles for which the uop occupies the divider, or 0
 * @compute: type of the operation, &enum vcore_compute
 * @fused: the uop shares the slot of the uop before it (micro-fusion)
 * @source: source registers, &enum vcore_reg; for VCORE_LOAD and VCORE_STA, the registers of the
 *	address
 * @result: destination registers, &enum vcore_reg
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
 * struct vcore_insn - a decoded instruction
 * @pc: virtual address
 * @pa: physical address
 * @size: length in bytes
 * @priv: 0 for kernel code, 1 for user code; see vcore_priv()
 * @branch: &enum vcore_branch
 * @indirect: the branch target comes from a register or from memory
 * @rep: repeated string instruction; each iteration is a step of the trace
 * @microcoded: the uops come from the microcode sequencer
 * @serialises: no younger instruction is fetched before this one has retired
 * @fence: mask of older accesses that must be complete before the instruction retires: loads (1),
 *	stores (2)
 * @lcp: the instruction has a length-changing prefix, which stalls the decoders
 * @fuses: mask of conditions; if the next instruction is a conditional branch that tests one of
 *	them, the two fuse (macro-fusion)
 * @condition: for a conditional branch, the bit of its condition, as in @fuses of the instruction
 *	before the branch; 0 if the branch does not test flags
 * @prefetch: software prefetch; retirement does not wait for its load
 * @streams: the stores are non-temporal and bypass the caches
 * @locked: the memory access is atomic
 * @x87_pops: number of registers popped off the x87 stack; negative if registers are pushed
 * @nr_uops: number of valid entries in @uop
 * @filler: number of filler uops. They follow those in @uop and stand for the rest of a long
 *	microcode flow. Each runs on any ALU port, has one cycle of latency, and depends on the
 *	uop before it
 * @nr_slots: number of issue slots that the instruction needs, including those of @filler
 * @vector_elements: number of elements that an SSE or AVX instruction computes; 0 for other
 *	instructions
 * @pair_u: Knights Corner: the instruction can issue only in the U pipe
 * @pair_none: Knights Corner: no other instruction issues in the same cycle
 * @knc_latency: Knights Corner: cycles until the result is ready
 * @uop: uops in program order; memory may have been allocated for the first @nr_uops only
 */
struct vcore_insn {
	uint64_t pc;
	uint64_t pa;
	uint8_t size;
	uint8_t priv;
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
 * vcore_priv() - get the privilege level of an instruction by its address
 * @pc: virtual address
 *
 * Return: 0 for kernel code (the upper half of the address space), 1 for user code.
 */
static inline unsigned int vcore_priv(uint64_t pc)
{
	return !(pc >> 63);
}

/**
 * vcore_reg_at() - convert a register number of an instruction to a physical x87 register
 * @reg: &enum vcore_reg
 * @top: top of the x87 stack, modulo 8
 *
 * Return: the physical x87 register, or @reg if it is not an x87 register.
 */
static inline unsigned int vcore_reg_at(unsigned int reg, unsigned int top)
{
	if (reg < VCORE_REG_X87 || reg >= VCORE_REG_OTHER)
		return reg;
	return VCORE_REG_X87 + (reg - VCORE_REG_X87 + top) % 8;
}

/*
 * Returns the top of the x87 stack from which the registers of an instruction's results are
 * numbered. If the instruction pushes, this is the top after the instruction, else @top.
 */
static inline unsigned int vcore_x87_top(const struct vcore_insn *insn,
					 unsigned int top)
{
	return insn->x87_pops < 0 ? top + insn->x87_pops : top;
}

#endif /* VCORE_INSN_H */
