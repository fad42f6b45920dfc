/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Directions of conditional branches, by TAGE.
 */
#ifndef VCORE_TAGE_H
#define VCORE_TAGE_H

#include <stdbool.h>

#include "history.h"

#define VCORE_TAGE_BASE 8192

/**
 * struct vcore_tage_entry - a branch after some history
 * @tag: which; 0 for none
 * @counter: -4..3, taken from 0 on
 * @useful: how much it was better than the shorter histories
 */
struct vcore_tage_entry {
	uint16_t tag;
	int8_t counter;
	uint8_t useful;
};

/**
 * struct vcore_tage - its tables
 * @base: by address alone, -2..1
 * @table: by address and history, shortest first
 * @doubt_new: >= 0 if entries just made predict worse than older ones
 * @draws: allocations, to vary their table
 * @seen: branches, to age the entries
 */
struct vcore_tage {
	int8_t base[VCORE_TAGE_BASE];
	struct vcore_tage_entry
		table[VCORE_HISTORY_LENGTHS][1 << VCORE_HISTORY_INDEX];
	int doubt_new;
	unsigned int draws;
	unsigned int seen;
};

bool vcore_tage_taken(struct vcore_tage *tage,
		      const struct vcore_history *history, uint64_t pc,
		      bool taken);

#endif /* VCORE_TAGE_H */
