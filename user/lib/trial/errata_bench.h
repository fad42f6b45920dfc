/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Loops for tests of errata, of which it is known how many instructions, branches, loads and stores
 * they execute.
 */
#ifndef BPMU_ERRATA_BENCH_H
#define BPMU_ERRATA_BENCH_H

#include "arch.h"
#include "base/error.h"

/**
 * struct bpmu_bench - a loop with known numbers of events per round
 * @run: function that executes at least one round, from the address *at in the arena on, and sets
 * *at to the address where the next call continues
 * @instructions: number of retired instructions per round
 * @branches: number of branches per round
 * @loads: number of loads per round
 * @stores: number of stores per round
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

int bpmu_bench_arena(void **arena, struct bpmu_error *err);
void bpmu_bench_rest(void);

#endif /* BPMU_ERRATA_BENCH_H */
