/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A branch predictor: global history, last targets, return stack.
 */
#ifndef VPMU_PREDICTOR_H
#define VPMU_PREDICTOR_H

#include "vpmu.h"

#define VPMU_PREDICTOR_BITS 14
#define VPMU_PREDICTOR_TARGETS 4096
#define VPMU_PREDICTOR_RETURNS 16

/**
 * struct vpmu_predictor - its tables
 * @taken: two-bit counters, by address and history
 * @target: last target of an indirect branch, by address
 * @returns: return stack
 * @top: its top
 * @history: latest outcomes of conditional branches, newest in bit 0
 */
struct vpmu_predictor {
	uint8_t taken[1 << VPMU_PREDICTOR_BITS];
	uint64_t target[VPMU_PREDICTOR_TARGETS];
	uint64_t returns[VPMU_PREDICTOR_RETURNS];
	unsigned int top;
	uint32_t history;
};

bool vpmu_predictor_wrong(struct vpmu_predictor *predictor,
			  const struct vpmu_insn *insn, uint64_t next_pc);

#endif /* VPMU_PREDICTOR_H */
