/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Costs of instructions on Ivy Bridge. The other out-of-order cores use the same
 * tables.
 */
#ifndef VCORE_COSTS_H
#define VCORE_COSTS_H

#include <stdbool.h>
#include <stdint.h>

#include <Zydis/Zydis.h>

/*
 * Ports of Ivy Bridge: 0, 1 and 5 for computation, 2 and 3 for load and store
 * addresses, 4 for store data.
 */
#define VCORE_P0 0x01
#define VCORE_P1 0x02
#define VCORE_P5 0x20
#define VCORE_P01 (VCORE_P0 | VCORE_P1)
#define VCORE_P05 (VCORE_P0 | VCORE_P5)
#define VCORE_P15 (VCORE_P1 | VCORE_P5)
#define VCORE_P015 (VCORE_P01 | VCORE_P5)
#define VCORE_P23 0x0c
#define VCORE_P4 0x10

/* Properties of an instruction in addition to the numbers in struct vcore_cost. */
enum vcore_trait {
	VCORE_MOVES = 1,	/* copies data unchanged */
	VCORE_ELIMINATED = 2,	/* no port between registers: move elimination */
	VCORE_ZEROES = 4,	/* a zero idiom if both sources are one register */
	VCORE_NO_PORT = 8,	/* takes no port */
	VCORE_STRING = 0x10,	/* string instruction */
	VCORE_SERIALISES = 0x20,
	VCORE_AFTER_LOADS = 0x40,	/* waits for older loads */
	VCORE_AFTER_STORES = 0x80,	/* waits for older stores */
	VCORE_STREAMS = 0x100,	/* non-temporal store */
	VCORE_PREFETCHES = 0x200,	/* software prefetch */
	VCORE_FUSES_ANY = 0x400,	/* TEST, AND: fuse with all conditions */
	VCORE_FUSES_ORDER = 0x800,	/* CMP, ADD, SUB: not with sign, overflow, parity */
	VCORE_FUSES_EQUAL = 0x1000,	/* INC, DEC: as CMP, but not with carry, either */
	VCORE_MERGES = 0x2000,	/* legacy form keeps the upper bits of its destination */
	VCORE_PAIRS = 0x4000,	/* Knights Corner: issues in either pipe */
	VCORE_PAIRS_U = 0x8000	/* Knights Corner: issues only in the U pipe */
};

/**
 * struct vcore_cost - cost of an instruction, apart from its memory accesses
 * @nr: number of uops, each dependent on the one before; 0 for an unknown
 *	instruction
 * @ports: port mask of the first uop
 * @more: port mask of the other uops
 * @latency: latency of the whole chain of uops, in cycles
 * @divides: cycles for which the first uop occupies the divider
 * @filler: number of filler uops of microcode, see &vcore_insn.filler
 * @compute: &enum vcore_compute of the first uop
 * @traits: mask of &enum vcore_trait
 */
struct vcore_cost {
	uint8_t nr;
	uint8_t ports;
	uint8_t more;
	uint8_t latency;
	uint8_t divides;
	uint8_t filler;
	uint8_t compute;
	uint16_t traits;
};

extern const struct vcore_cost vcore_vector_costs[];

struct vcore_cost vcore_cost(const ZydisDecodedInstruction *insn,
			     const ZydisDecodedOperand *operand);

#endif /* VCORE_COSTS_H */
