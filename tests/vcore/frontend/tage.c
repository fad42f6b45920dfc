// SPDX-License-Identifier: GPL-2.0
#include "tage.h"

#define TABLES VCORE_HISTORY_LENGTHS
#define AGING_PERIOD (1u << 18)
#define USEFUL_MAX 3
#define USE_ALTERNATE_MAX 7

/*
 * Result of the lookup of a branch in all tables. @provider is the number of the matching table
 * with the longest history, @alternate that of the matching table with the next shorter history; -1
 * is the base predictor.
 */
struct matches {
	struct vcore_tage_entry *entry[TABLES];
	uint16_t tag[TABLES];
	int provider;
	int alternate;
	bool provider_taken;
	bool alternate_taken;
	bool predicted;
};

static void update_counter(int8_t *counter, bool taken, int low, int high)
{
	if (taken && *counter < high)
		(*counter)++;
	else if (!taken && *counter > low)
		(*counter)--;
}

static bool is_newly_allocated(const struct vcore_tage_entry *entry)
{
	return !entry->useful && (entry->counter == 0 || entry->counter == -1);
}

static void find_matches(struct vcore_tage *tage, const struct vcore_history *history,
			 uint64_t pc, struct matches *f)
{
	bool base = tage->base[(pc ^ pc >> 13) % VCORE_TAGE_BASE] >= 0;
	int i;

	f->provider = -1;
	f->alternate = -1;
	for (i = 0; i < TABLES; i++) {
		f->entry[i] = &tage->table[i]
			[vcore_history_index(history, i, pc)];
		f->tag[i] = vcore_history_tag(history, i, pc);
		if (f->entry[i]->tag != f->tag[i])
			continue;
		f->alternate = f->provider;
		f->provider = i;
	}
	f->alternate_taken = f->alternate < 0 ? base : f->entry[f->alternate]->counter >= 0;
	f->provider_taken = f->provider < 0 ? base :
		      f->entry[f->provider]->counter >= 0;
	f->predicted = f->provider_taken;
	if (f->provider >= 0 && tage->use_alternate >= 0 &&
	    is_newly_allocated(f->entry[f->provider]))
		f->predicted = f->alternate_taken;
}

/*
 * Allocates an entry for a mispredicted branch in a table with a longer history than the table that
 * has predicted it.
 */
static void tage_allocate(struct vcore_tage *tage, struct matches *f, bool taken)
{
	int first = f->provider + 1, i;

	if (first < TABLES - 1 && !(++tage->allocations % 3))
		first++;
	for (i = first; i < TABLES; i++) {
		if (f->entry[i]->useful)
			continue;
		f->entry[i]->tag = f->tag[i];
		f->entry[i]->counter = taken ? 0 : -1;
		return;
	}
	for (i = first; i < TABLES; i++)
		f->entry[i]->useful--;
}

static void update_provider(struct vcore_tage *tage, struct matches *f,
			    bool taken)
{
	struct vcore_tage_entry *entry = f->entry[f->provider];

	if (f->provider_taken != f->alternate_taken) {
		if (is_newly_allocated(entry)) {
			if (f->alternate_taken == taken &&
			    tage->use_alternate < USE_ALTERNATE_MAX)
				tage->use_alternate++;
			else if (f->alternate_taken != taken &&
				 tage->use_alternate > -USE_ALTERNATE_MAX)
				tage->use_alternate--;
		}
		if (f->provider_taken == taken && entry->useful < USEFUL_MAX)
			entry->useful++;
		else if (f->provider_taken != taken && entry->useful)
			entry->useful--;
	}
	update_counter(&entry->counter, taken, -4, 3);
}

static void age_entries(struct vcore_tage *tage)
{
	unsigned int i, k;

	for (i = 0; i < TABLES; i++)
		for (k = 0; k < 1 << VCORE_HISTORY_INDEX; k++)
			tage->table[i][k].useful >>= 1;
}

/**
 * vcore_tage_taken() - predict a conditional branch's direction by TAGE, then train the tables
 * @tage: predictor
 * @history: global history before the branch
 * @pc: address of the branch
 * @taken: actual direction of the branch
 *
 * Return: the predicted direction.
 */
bool vcore_tage_taken(struct vcore_tage *tage,
		      const struct vcore_history *history, uint64_t pc,
		      bool taken)
{
	struct matches f;

	find_matches(tage, history, pc, &f);
	if (f.provider >= 0)
		update_provider(tage, &f, taken);
	else
		update_counter(&tage->base[(pc ^ pc >> 13) % VCORE_TAGE_BASE], taken,
			       -2, 1);
	if (f.predicted != taken && f.provider < TABLES - 1)
		tage_allocate(tage, &f, taken);
	if (!(++tage->branches % AGING_PERIOD))
		age_entries(tage);
	return f.predicted;
}
