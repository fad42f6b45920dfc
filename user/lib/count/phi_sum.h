/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counts of Knights Corner's threads, summed over a core or the card.
 *
 * All threads of a core count the same clocks. An average per thread is computed from the sum of
 * the clocks of all threads. Elapsed time is computed from the clocks of each core taken once.
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
 * @core: number of the thread's core, from 0
 * @count: counts of the thread, [event]
 */
struct bpmu_phi_thread {
	unsigned int core;
	struct bpmu_estimate count[BPMU_PHI_EVENTS];
};

/**
 * struct bpmu_phi_sums - counts of a scope
 * @scope: scope over which the counts are summed
 * @count: sums, [event]; clocks are summed over the threads in use only
 * @core_clocks: clocks of the cores, summed over cores; unused for a thread
 * @elapsed: clocks of the core that ran longest; unused for a thread
 * @shortest: clocks of the core in use that ran for the shortest time
 * @threads: number of threads in use. If the user gives the number per core, these are the busiest
 *	threads of each core. Else these are the threads that executed at least an eighth of the
 *	instructions of the busiest thread of the core. The limit is not 0, because the timer tick
 *	on an idle thread may execute some per cent of the busiest thread's instructions
 * @cores: number of cores in use
 * @per_core: mean number of threads in use per core in use; in the scope of a thread the number of
 *	threads in use of the thread's core, if known
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
 * struct bpmu_phi_threads - counts of all measured threads
 * @thread: threads of all cores, or entries of --by, which have no core, [@nr]
 * @nr: number of threads or entries
 * @used: number of threads in use per core as the user gives it, or 0
 * @entries: @thread has entries of --by, not threads
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
