/* SPDX-License-Identifier: GPL-2.0 */
/* TAGE predictor for the directions of conditional branches; history.h names the source. */
#ifndef VCORE_TAGE_H
#define VCORE_TAGE_H

#include <stdbool.h>

#include "history.h"

#define VCORE_TAGE_BASE 8192

/**
 * struct vcore_tage_entry - an entry of a tagged table
 * @tag: tag of branch and history; 0 if unused
 * @counter: -4..3, predicts taken if not negative
 * @useful: saturating counter of correct predictions for which the alternate prediction
 *	was incorrect
 */
struct vcore_tage_entry {
	uint16_t tag;
	int8_t counter;
	uint8_t useful;
};

/**
 * struct vcore_tage - tables of the predictor
 * @base: [hash of the PC], bimodal base predictor, counters -2..1
 * @table: [history length, shortest first][index]
 * @use_alternate: not negative if the alternate prediction replaces that of a newly
 *	allocated provider (USE_ALT_ON_NA)
 * @allocations: number of allocations; every third one starts one table further
 * @branches: number of predicted branches; the useful counters age periodically
 */
struct vcore_tage {
	int8_t base[VCORE_TAGE_BASE];
	struct vcore_tage_entry
		table[VCORE_HISTORY_LENGTHS][1 << VCORE_HISTORY_INDEX];
	int use_alternate;
	unsigned int allocations;
	unsigned int branches;
};

bool vcore_tage_taken(struct vcore_tage *tage,
		      const struct vcore_history *history, uint64_t pc,
		      bool taken);

#endif /* VCORE_TAGE_H */
