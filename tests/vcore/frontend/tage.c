// SPDX-License-Identifier: GPL-2.0
#include "tage.h"

#define TABLES VCORE_HISTORY_LENGTHS
#define AGE (1u << 18)
#define MOST_USEFUL 3
#define MOST_DOUBT 7

/*
 * Entries that match a branch. The provider is the one with the longest history,
 * @other the next longest; -1 if there is none.
 */
struct found {
	struct vcore_tage_entry *entry[TABLES];
	uint16_t tag[TABLES];
	int provider;
	int other;
	bool provided;
	bool otherwise;
	bool predicted;
};

static void tage_learn(int8_t *counter, bool taken, int low, int high)
{
	if (taken && *counter < high)
		(*counter)++;
	else if (!taken && *counter > low)
		(*counter)--;
}

static bool fresh(const struct vcore_tage_entry *entry)
{
	return !entry->useful && (entry->counter == 0 || entry->counter == -1);
}

static void tage_find(struct vcore_tage *tage, const struct vcore_history *history,
		      uint64_t pc, struct found *f)
{
	bool base = tage->base[(pc ^ pc >> 13) % VCORE_TAGE_BASE] >= 0;
	int i;

	f->provider = -1;
	f->other = -1;
	for (i = 0; i < TABLES; i++) {
		f->entry[i] = &tage->table[i]
			[vcore_history_index(history, i, pc)];
		f->tag[i] = vcore_history_tag(history, i, pc);
		if (f->entry[i]->tag != f->tag[i])
			continue;
		f->other = f->provider;
		f->provider = i;
	}
	f->otherwise = f->other < 0 ? base : f->entry[f->other]->counter >= 0;
	f->provided = f->provider < 0 ? base :
		      f->entry[f->provider]->counter >= 0;
	f->predicted = f->provided;
	if (f->provider >= 0 && tage->doubt_new >= 0 &&
	    fresh(f->entry[f->provider]))
		f->predicted = f->otherwise;
}

/* Allocates an entry with a longer history than the provider's. */
static void tage_allocate(struct vcore_tage *tage, struct found *f, bool taken)
{
	int first = f->provider + 1, i;

	if (first < TABLES - 1 && !(++tage->draws % 3))
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

static void update_provider(struct vcore_tage *tage, struct found *f,
			    bool taken)
{
	struct vcore_tage_entry *entry = f->entry[f->provider];

	if (f->provided != f->otherwise) {
		if (fresh(entry)) {
			if (f->otherwise == taken &&
			    tage->doubt_new < MOST_DOUBT)
				tage->doubt_new++;
			else if (f->otherwise != taken &&
				 tage->doubt_new > -MOST_DOUBT)
				tage->doubt_new--;
		}
		if (f->provided == taken && entry->useful < MOST_USEFUL)
			entry->useful++;
		else if (f->provided != taken && entry->useful)
			entry->useful--;
	}
	tage_learn(&entry->counter, taken, -4, 3);
}

static void age(struct vcore_tage *tage)
{
	unsigned int i, k;

	for (i = 0; i < TABLES; i++)
		for (k = 0; k < 1 << VCORE_HISTORY_INDEX; k++)
			tage->table[i][k].useful >>= 1;
}

/**
 * vcore_tage_taken() - predict a conditional branch and learn from it
 * @tage: predictor
 * @history: history before the branch
 * @pc: address of the branch
 * @taken: actual direction
 *
 * Return: the predicted direction.
 */
bool vcore_tage_taken(struct vcore_tage *tage,
		      const struct vcore_history *history, uint64_t pc,
		      bool taken)
{
	struct found f;

	tage_find(tage, history, pc, &f);
	if (f.provider >= 0)
		update_provider(tage, &f, taken);
	else
		tage_learn(&tage->base[(pc ^ pc >> 13) % VCORE_TAGE_BASE], taken,
			   -2, 1);
	if (f.predicted != taken && f.provider < TABLES - 1)
		tage_allocate(tage, &f, taken);
	if (!(++tage->seen % AGE))
		age(tage);
	return f.predicted;
}
