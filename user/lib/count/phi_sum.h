/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counts of Knights Corner's threads, summed over a core or the card.
 *
 * All threads of a core count the same clocks. Averages per thread are computed from the sum of the
 * clocks of all threads. Elapsed times are computed from the clocks of cores, where each core
 * counts only once.
 */
#ifndef BPMU_PHI_SUM_H
#define BPMU_PHI_SUM_H

#include "interval.h"
#include "phi_passes.h"

/**
 * enum bpmu_phi_scope - threads over which counts are summed
 * @BPMU_PHI_THREAD: a single thread
 * @BPMU_PHI_CORE: the threads of a core
 * @BPMU_PHI_CARD: all threads of the card
 */
enum bpmu_phi_scope {
	BPMU_PHI_THREAD,
	BPMU_PHI_CORE,
	BPMU_PHI_CARD
};

/**
 * struct bpmu_phi_thread - counts of a thread of a Xeon Phi
 * @core: number of the thread's core, from 0
 * @count: counts of the thread, by the index of the event, see bpmu_phi_event()
 */
struct bpmu_phi_thread {
	unsigned int core;
	struct bpmu_estimate count[BPMU_PHI_EVENTS];
};

/**
 * struct bpmu_phi_sums - counts summed over a thread, a core or the card
 * @scope: threads over which the counts are summed
 * @count: sums, by the index of the event, see bpmu_phi_event(); clocks of unused threads are left
 *	out
 * @core_clocks: clocks of the cores, summed over cores; unused for a thread
 * @elapsed: clocks of the core that ran longest; unused for a thread
 * @shortest: clocks of the core in use that ran for the shortest time
 * @threads: number of threads in use. If the user gives the number per core, these are the busiest
 *	threads of each core; else the threads that executed at least an eighth of the instructions
 *	of the busiest thread of their core. The limit is not 0, because the timer tick on an idle
 *	thread may execute some per cent of the busiest thread's instructions
 * @cores: number of cores in use
 * @per_core: mean number of threads in use per core in use; for a single thread the number of
 *	threads in use of its core, if known
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
 * @thread: [@nr], threads of all cores; or, with the option --by, what the counts are divided by,
 *	such as functions of the program, which belong to no core
 * @nr: number of elements of @thread
 * @used: number of threads in use per core as the user gives it, or 0
 * @entries: true if the elements of @thread are functions or the like, false if they are threads
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
