/* SPDX-License-Identifier: GPL-2.0 */
/* TAGE predictor for the direction of conditional branches. */
#ifndef VCORE_TAGE_H
#define VCORE_TAGE_H

#include <stdbool.h>

#include "history.h"

#define VCORE_TAGE_BASE 8192

/**
 * struct vcore_tage_entry - an entry of a tagged table
 * @tag: tag of branch and history; 0 if unused
 * @counter: -4..3, predicts taken if not negative
 * @useful: counts how often it was right where shorter histories were wrong
 */
struct vcore_tage_entry {
	uint16_t tag;
	int8_t counter;
	uint8_t useful;
};

/**
 * struct vcore_tage - tables of the predictor
 * @base: [address hash], counters -2..1 without history
 * @table: [history length, shortest first][index]
 * @doubt_new: not negative if new entries predict worse than their alternatives
 * @draws: number of allocations, by which the first table tried varies
 * @seen: number of branches, by which the entries age
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
