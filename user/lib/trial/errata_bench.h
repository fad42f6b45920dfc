/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Loops for tests of errata. How many instructions, branches, loads and stores an iteration of a
 * loop executes is known.
 */
#ifndef BPMU_ERRATA_BENCH_H
#define BPMU_ERRATA_BENCH_H

#include "arch.h"
#include "base/error.h"

/**
 * struct bpmu_bench - a loop that executes known numbers of instructions per iteration
 * @run: executes rounds iterations of the loop, at least one. A loop that chases pointers begins at
 *	the address *at, and sets *at to the address at which the next call continues; other loops
 *	ignore at
 * @instructions: number of retired instructions per iteration
 * @branches: number of retired branches per iteration
 * @loads: number of retired loads per iteration
 * @stores: number of retired stores per iteration
 */
struct bpmu_bench {
	void (*run)(u64 rounds, void **at);
	unsigned int instructions;
	unsigned int branches;
	unsigned int loads;
	unsigned int stores;
};

extern const struct bpmu_bench bpmu_bench_alu;
extern const struct bpmu_bench bpmu_bench_copy;
extern const struct bpmu_bench bpmu_bench_atomic;
extern const struct bpmu_bench bpmu_bench_chase;

u64 bpmu_bench_branch(void);
int bpmu_bench_arena(void **arena, struct bpmu_error *err);
void bpmu_bench_rest(void);

#endif /* BPMU_ERRATA_BENCH_H */
