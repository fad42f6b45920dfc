/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counts of Knights Corner's threads, summed over a core or the card.
 *
 * All threads of a core count the same clocks. For averages per thread the clocks of all threads
 * are therefore summed, but for elapsed time the clocks of a core count once.
 */
#ifndef BPMU_PHI_SUM_H
#define BPMU_PHI_SUM_H

#include "interval.h"
#include "phi_passes.h"

/**
 * enum bpmu_phi_scope - scope over which counts are summed
 * @BPMU_PHI_THREAD: a single thread
 * @BPMU_PHI_CORE: the threads of a core
 * @BPMU_PHI_CARD: all threads
 */
enum bpmu_phi_scope {
	BPMU_PHI_THREAD,
	BPMU_PHI_CORE,
	BPMU_PHI_CARD
};

/**
 * struct bpmu_phi_thread - counts of a thread
 * @core: number of its core, from 0
 * @count: counts, [event]
 */
struct bpmu_phi_thread {
	unsigned int core;
	struct bpmu_estimate count[BPMU_PHI_EVENTS];
};

/**
 * struct bpmu_phi_sums - counts of a scope
 * @scope: scope
 * @count: sums, [event]; clocks are summed over the threads in use only
 * @core_clocks: clocks of the cores, summed over cores; unused for a thread
 * @elapsed: clocks of the core that ran longest; unused for a thread
 * @shortest: clocks of the core in use that ran shortest
 * @threads: number of threads in use. If the user gives their number per core, these are
 *	the busiest threads; else the threads that executed at least an eighth of the
 *	instructions of their core's busiest thread. On an idle thread the timer tick may
 *	execute some per cent of these instructions, while the thread counts all clocks
 *	of the core
 * @cores: number of cores in use
 * @per_core: mean number of threads in use per core in use; in the scope of a thread
 *	the number for its core, if known
 */
struct bpmu_phi_sums {
	enum bpmu_phi_scope scope;
	struct bpmu_estimate count[BPMU_PHI_EVENTS];
	double core_clocks;
	double elapsed;
	double shortest;
	unsigned int threads;
	unsigned int cores;
	double per_core;
};

/**
 * struct bpmu_phi_threads - measured threads
 * @thread: threads of all cores, or entries of --by, which have no core, [@nr]
 * @nr: number of threads
 * @used: number of threads in use per core as the user gives it, or 0
 * @entries: the rows are entries of --by, not threads
 */
struct bpmu_phi_threads {
	const struct bpmu_phi_thread *thread;
	unsigned int nr;
	unsigned int used;
	bool entries;
};

void bpmu_phi_sum_thread(struct bpmu_phi_sums *sums,
			 const struct bpmu_phi_threads *all, unsigned int t);
void bpmu_phi_sum_core(struct bpmu_phi_sums *sums,
		       const struct bpmu_phi_threads *all, unsigned int core);
void bpmu_phi_sum_card(struct bpmu_phi_sums *sums,
		       const struct bpmu_phi_threads *all);
bool bpmu_phi_sum_uneven(const struct bpmu_phi_sums *sums);

#endif /* BPMU_PHI_SUM_H */
