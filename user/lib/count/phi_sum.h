/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counts of Knights Corner's threads, added up over a core or the card.
 *
 * All threads of a core count the same clocks. So clocks are added up where the
 * average thread is meant, and taken from one thread where time is meant.
 */
#ifndef BPMU_PHI_SUM_H
#define BPMU_PHI_SUM_H

#include "interval.h"
#include "phi_passes.h"

/**
 * enum bpmu_phi_scope - what is added up
 * @BPMU_PHI_THREAD: nothing, a thread stands alone
 * @BPMU_PHI_CORE: the threads of a core
 * @BPMU_PHI_CARD: all threads
 */
enum bpmu_phi_scope {
	BPMU_PHI_THREAD,
	BPMU_PHI_CORE,
	BPMU_PHI_CARD
};

/**
 * struct bpmu_phi_thread - what was counted on a thread
 * @core: number of its core, from 0
 * @count: by index of the event
 */
struct bpmu_phi_thread {
	unsigned int core;
	struct bpmu_estimate count[BPMU_PHI_EVENTS];
};

/**
 * struct bpmu_phi_sums - the same over a scope
 * @scope: which
 * @count: by index of the event; clocks over the threads in use only
 * @core_clocks: clocks of each core, added up over cores; not of a thread
 * @elapsed: clocks of the core that ran longest; not of a thread
 * @shortest: clocks of the core in use that ran shortest
 * @threads: threads in use: the busiest ones, as many as the user says; else
 *	those that executed at least an eighth of the instructions of the
 *	busiest thread of their core. Less than that may be the kernel's tick on
 *	an idle thread: its instructions are some per cent, its clocks the core's
 * @cores: cores in use
 * @per_core: threads in use of a core, the mean over cores in use; of a thread
 *	those of its core, as far as they are known
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
 * struct bpmu_phi_threads - those that are measured
 * @thread: of all cores; or of places, which have none
 * @nr: how many
 * @used: of each core, as the user says; 0 if he does not
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
