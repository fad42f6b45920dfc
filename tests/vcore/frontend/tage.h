/* SPDX-License-Identifier: GPL-2.0 */
/* TAGE predictor, for the directions of conditional branches. history.h names the paper. */
#ifndef VCORE_TAGE_H
#define VCORE_TAGE_H

#include <stdbool.h>

#include "history.h"

#define VCORE_TAGE_BASE 8192

/**
 * struct vcore_tage_entry - an entry of a tagged table
 * @tag: from vcore_history_tag(); 0 if the entry is unused
 * @counter: -4..3, predicts taken if not negative
 * @useful: saturating counter of predictions of this entry that were correct while the alternate
 *	prediction was not
 */
struct vcore_tage_entry {
	uint16_t tag;
	int8_t counter;
	uint8_t useful;
};

/**
 * struct vcore_tage - tables of the predictor
 * @base: [hash of the PC], bimodal base predictor: counters from -2 to 1, which predict taken if
 *	not negative
 * @table: [history length, shortest first][vcore_history_index()], tagged entries
 * @use_alternate: counter (the paper's USE_ALT_ON_NA). If it is not negative, the alternate
 *	prediction is used instead of that of a newly allocated entry
 * @allocations: number of allocations; every third one skips the first table that it could use
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
