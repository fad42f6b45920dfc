// SPDX-License-Identifier: GPL-2.0
#include "phi_sum.h"

#include <math.h>
#include <string.h>

/*
 * A thread is in use if it executes at least this fraction of the instructions of the busiest
 * thread of its core.
 */
#define IN_USE 0.125
/*
 * If the clocks of the core that ran for the shortest time are below this fraction of the clocks of
 * the core that ran for the longest time, the cores are taken to have run for different times.
 */
#define EVEN 0.9

static void phi_sum_add(struct bpmu_estimate *sum, const struct bpmu_estimate *one)
{
	sum->value += one->value;
	sum->variance += one->variance;
	sum->freedom += one->freedom;
	sum->enabled += one->enabled;
	sum->running += one->running;
	sum->missing |= one->missing;
}

static double phi_sum_instructions(const struct bpmu_phi_thread *thread)
{
	return thread->count[BPMU_PHI_INSTRUCTIONS].value;
}

/*
 * Returns how many threads on the core of thread @t precede @t: threads that have executed more
 * instructions, or the same number of instructions and have a lower index.
 */
static unsigned int rank(const struct bpmu_phi_threads *all, unsigned int t)
{
	double own = phi_sum_instructions(&all->thread[t]);
	unsigned int nr = 0;
	unsigned int i;

	for (i = 0; i < all->nr; i++)
		if (all->thread[i].core == all->thread[t].core &&
		    (phi_sum_instructions(&all->thread[i]) > own ||
		     (phi_sum_instructions(&all->thread[i]) == own && i < t)))
			nr++;
	return nr;
}

static double busiest(const struct bpmu_phi_threads *all, unsigned int core)
{
	double most = 0;
	unsigned int i;

	for (i = 0; i < all->nr; i++)
		if (all->thread[i].core == core &&
		    phi_sum_instructions(&all->thread[i]) > most)
			most = phi_sum_instructions(&all->thread[i]);
	return most;
}

static bool in_use(const struct bpmu_phi_threads *all, unsigned int t)
{
	double own = phi_sum_instructions(&all->thread[t]);

	if (!(own > 0) || all->entries)
		return own > 0;
	if (all->used)
		return rank(all, t) < all->used;
	return own >= IN_USE * busiest(all, all->thread[t].core);
}

static void phi_sum_add_thread(struct bpmu_phi_sums *sums,
			       const struct bpmu_phi_threads *all, unsigned int t)
{
	bool used = in_use(all, t);
	unsigned int i;

	for (i = 0; i < BPMU_PHI_EVENTS; i++)
		if (used || i != BPMU_PHI_CLOCKS)
			phi_sum_add(&sums->count[i], &all->thread[t].count[i]);
	sums->threads += used;
}

static unsigned int used_of_core(const struct bpmu_phi_threads *all,
				 unsigned int core)
{
	unsigned int nr = 0;
	unsigned int i;

	for (i = 0; i < all->nr; i++)
		nr += all->thread[i].core == core && in_use(all, i);
	return nr;
}

/**
 * bpmu_phi_sum_thread() - make the sums of counts for a single thread of a Xeon Phi
 * @sums: filled in
 * @all: all threads
 * @t: index of the thread in @all
 */
void bpmu_phi_sum_thread(struct bpmu_phi_sums *sums,
			 const struct bpmu_phi_threads *all, unsigned int t)
{
	memset(sums, 0, sizeof(*sums));
	sums->scope = BPMU_PHI_THREAD;
	phi_sum_add_thread(sums, all, t);
	sums->cores = sums->threads;
	if (!sums->threads)
		return;
	sums->per_core = all->used ? all->used : 1;
	if (!all->entries)
		sums->per_core = used_of_core(all, all->thread[t].core);
}

/*
 * Returns the clocks of a core. All threads of the core count the same clocks. If the event is
 * multiplexed, the count of each thread in use is an estimate of the clocks, and the largest of
 * these estimates would be too large on average. The rate of clocks is therefore the sum of the
 * threads' counts divided by the sum of the times for which the threads counted. It is multiplied
 * by the longest time for which a thread was measured, because a thread that started late was
 * measured for less time than the core ran.
 */
static double phi_sum_clocks(const struct bpmu_phi_threads *all, unsigned int core)
{
	const struct bpmu_estimate *clocks;
	double counted = 0, running = 0, longest = 0, most = 0;
	bool any = used_of_core(all, core);
	unsigned int i;

	for (i = 0; i < all->nr; i++) {
		clocks = &all->thread[i].count[BPMU_PHI_CLOCKS];
		if (all->thread[i].core != core)
			continue;
		most = fmax(most, clocks->value);
		longest = fmax(longest, clocks->enabled);
		if ((any && !in_use(all, i)) || !(clocks->enabled > 0))
			continue;
		counted += clocks->value * clocks->running / clocks->enabled;
		running += clocks->running;
	}
	/*
	 * Counts that another program than barepmu has measured have no running times; the largest
	 * count is taken as exact.
	 */
	return running > 0 ? counted / running * longest : most;
}

/**
 * bpmu_phi_sum_core() - sum the counts of the threads of a Xeon Phi core
 * @sums: filled in
 * @all: all threads
 * @core: number of the core
 */
void bpmu_phi_sum_core(struct bpmu_phi_sums *sums,
		       const struct bpmu_phi_threads *all, unsigned int core)
{
	unsigned int i;

	memset(sums, 0, sizeof(*sums));
	sums->scope = BPMU_PHI_CORE;
	sums->core_clocks = phi_sum_clocks(all, core);
	for (i = 0; i < all->nr; i++)
		if (all->thread[i].core == core)
			phi_sum_add_thread(sums, all, i);
	sums->elapsed = sums->core_clocks;
	sums->shortest = sums->core_clocks;
	sums->cores = sums->threads > 0;
	sums->per_core = sums->threads;
}

static void add_core(struct bpmu_phi_sums *card,
		     const struct bpmu_phi_sums *core)
{
	unsigned int i;

	for (i = 0; i < BPMU_PHI_EVENTS; i++)
		phi_sum_add(&card->count[i], &core->count[i]);
	if (!core->cores)
		return;
	card->core_clocks += core->core_clocks;
	if (core->elapsed > card->elapsed)
		card->elapsed = core->elapsed;
	if (!card->cores || core->shortest < card->shortest)
		card->shortest = core->shortest;
	card->threads += core->threads;
	card->cores++;
}

/**
 * bpmu_phi_sum_card() - sum the counts of all threads of a Xeon Phi
 * @sums: filled in
 * @all: all threads
 */
void bpmu_phi_sum_card(struct bpmu_phi_sums *sums,
		       const struct bpmu_phi_threads *all)
{
	struct bpmu_phi_sums one;
	unsigned int cores = 0;
	unsigned int i;

	memset(sums, 0, sizeof(*sums));
	sums->scope = BPMU_PHI_CARD;
	for (i = 0; i < all->nr; i++)
		if (all->thread[i].core >= cores)
			cores = all->thread[i].core + 1;
	for (i = 0; i < cores; i++) {
		bpmu_phi_sum_core(&one, all, i);
		add_core(sums, &one);
	}
	if (sums->cores)
		sums->per_core = (double)sums->threads / sums->cores;
}

/**
 * bpmu_phi_sum_uneven() - check if the cores that a Xeon Phi's sum covers ran for different times
 * @sums: sums over the card
 *
 * Return: true if the times differ. Bandwidths are averages over the time of the core that ran
 * longest.
 */
bool bpmu_phi_sum_uneven(const struct bpmu_phi_sums *sums)
{
	return sums->shortest < EVEN * sums->elapsed;
}
