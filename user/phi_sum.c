// SPDX-License-Identifier: GPL-2.0
#include "phi_sum.h"

#include <string.h>

/* share of the busiest thread's instructions that makes a thread one in use */
#define IN_USE 0.01
/* cores whose clocks differ by more do not run the same time */
#define EVEN 0.9

static void add(struct bpmu_estimate *sum, const struct bpmu_estimate *one)
{
	sum->value += one->value;
	sum->variance += one->variance;
	sum->freedom += one->freedom;
	sum->enabled += one->enabled;
	sum->running += one->running;
	sum->missing |= one->missing;
}

static bool in_use(const struct bpmu_phi_thread *thread, double most)
{
	const struct bpmu_estimate *count;

	count = &thread->count[BPMU_PHI_INSTRUCTIONS];
	return count->value > 0 && count->value >= IN_USE * most;
}

static void add_thread(struct bpmu_phi_sums *sums,
		       const struct bpmu_phi_thread *thread, double most)
{
	bool used = in_use(thread, most);
	unsigned int i;

	for (i = 0; i < BPMU_PHI_EVENTS; i++)
		if (used || i != BPMU_PHI_CLOCKS)
			add(&sums->count[i], &thread->count[i]);
	sums->threads += used;
}

/**
 * bpmu_phi_sum_thread() - a thread alone
 * @sums: filled in
 * @thread: its counts
 */
void bpmu_phi_sum_thread(struct bpmu_phi_sums *sums,
			 const struct bpmu_phi_thread *thread)
{
	memset(sums, 0, sizeof(*sums));
	sums->scope = BPMU_PHI_THREAD;
	add_thread(sums, thread, 0);
	sums->cores = sums->threads;
}

/**
 * bpmu_phi_sum_core() - the threads of a core
 * @sums: filled in
 * @threads: of all cores
 * @nr: how many
 * @core: number of the core
 *
 * The core's clocks are the most that a thread counted: one that started late
 * has fewer.
 */
void bpmu_phi_sum_core(struct bpmu_phi_sums *sums,
		       const struct bpmu_phi_thread *threads, unsigned int nr,
		       unsigned int core)
{
	double most = 0;
	unsigned int i;

	memset(sums, 0, sizeof(*sums));
	sums->scope = BPMU_PHI_CORE;
	for (i = 0; i < nr; i++) {
		const struct bpmu_estimate *count = threads[i].count;

		if (threads[i].core != core)
			continue;
		if (count[BPMU_PHI_INSTRUCTIONS].value > most)
			most = count[BPMU_PHI_INSTRUCTIONS].value;
		if (count[BPMU_PHI_CLOCKS].value > sums->core_clocks)
			sums->core_clocks = count[BPMU_PHI_CLOCKS].value;
	}
	for (i = 0; i < nr; i++)
		if (threads[i].core == core)
			add_thread(sums, &threads[i], most);
	sums->elapsed = sums->core_clocks;
	sums->shortest = sums->core_clocks;
	sums->cores = sums->threads > 0;
}

static void add_core(struct bpmu_phi_sums *card,
		     const struct bpmu_phi_sums *core)
{
	unsigned int i;

	for (i = 0; i < BPMU_PHI_EVENTS; i++)
		add(&card->count[i], &core->count[i]);
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
 * bpmu_phi_sum_card() - all threads
 * @sums: filled in
 * @threads: of all cores
 * @nr: how many
 */
void bpmu_phi_sum_card(struct bpmu_phi_sums *sums,
		       const struct bpmu_phi_thread *threads, unsigned int nr)
{
	struct bpmu_phi_sums one;
	unsigned int cores = 0;
	unsigned int i;

	memset(sums, 0, sizeof(*sums));
	sums->scope = BPMU_PHI_CARD;
	for (i = 0; i < nr; i++)
		if (threads[i].core >= cores)
			cores = threads[i].core + 1;
	for (i = 0; i < cores; i++) {
		bpmu_phi_sum_core(&one, threads, nr, i);
		add_core(sums, &one);
	}
}

/**
 * bpmu_phi_sum_uneven() - did the cores in use run for different times
 * @sums: over the card
 *
 * Return: true if so: then the clocks of one do not stand for all, and
 * bandwidths are those over the time of the one that ran longest.
 */
bool bpmu_phi_sum_uneven(const struct bpmu_phi_sums *sums)
{
	return sums->shortest < EVEN * sums->elapsed;
}
