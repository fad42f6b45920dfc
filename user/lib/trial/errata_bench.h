/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Loops whose instructions, branches, loads and stores are known.
 */
#ifndef BPMU_ERRATA_BENCH_H
#define BPMU_ERRATA_BENCH_H

#include "arch.h"
#include "base/error.h"

/**
 * struct bpmu_bench - a loop with known numbers of events per round
 * @run: executes @rounds rounds, at least one, from position @at in the arena; sets @at to
 *	the position from which the next call continues
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
