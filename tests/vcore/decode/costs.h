/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Costs of instructions: ports, latencies and uops, for Ivy Bridge. The other out-of-order cores
 * use the same costs.
 */
#ifndef VCORE_COSTS_H
#define VCORE_COSTS_H

#include <stdbool.h>
#include <stdint.h>

#include <Zydis/Zydis.h>

/*
 * Masks of Ivy Bridge's ports: 0, 1 and 5 are for computation, 2 and 3 for loads and store
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

/* Properties of an instruction, the bits of &vcore_cost.traits. */
enum vcore_trait {
	VCORE_MOVES = 1,	/* copies data unchanged */
	VCORE_ELIMINATED = 2,	/* moves between registers take no port */
	VCORE_ZEROES = 4,	/* a zero idiom if both sources are one register */
	VCORE_NO_PORT = 8,	/* the instruction takes no port */
	VCORE_STRING = 0x10,	/* string instruction */
	VCORE_SERIALISES = 0x20,
	VCORE_AFTER_LOADS = 0x40,	/* waits until older loads are complete */
	VCORE_AFTER_STORES = 0x80,	/* waits until older stores are complete */
	VCORE_STREAMS = 0x100,	/* non-temporal store */
	VCORE_PREFETCHES = 0x200,	/* software prefetch */
	VCORE_FUSES_ANY = 0x400,	/* TEST, AND: fuse with a branch on any condition */
	VCORE_FUSES_ORDER = 0x800,	/* CMP, ADD, SUB: not with sign, overflow, parity */
	VCORE_FUSES_EQUAL = 0x1000,	/* INC, DEC: as CMP, but not with a branch on carry */
	VCORE_MERGES = 0x2000,	/* the legacy form keeps upper bits of its destination */
	VCORE_PAIRS = 0x4000,	/* Knights Corner: issues in the U or the V pipe */
	VCORE_PAIRS_U = 0x8000	/* Knights Corner: issues only in the U pipe */
};

/**
 * struct vcore_cost - cost of an instruction, without its memory accesses
 * @nr: number of uops, each of which depends on the one before; 0 for an instruction that is not in
 *	the table
 * @ports: mask of the ports that can execute the first uop
 * @more: mask of the ports that can execute the other uops
 * @latency: latency of all uops together, in cycles
 * @divides: cycles for which the first uop occupies the divider
 * @filler: number of uops that stand for the rest of a microcode flow, see &vcore_insn.filler
 * @compute: type of the operation that the first uop performs, &enum vcore_compute
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
