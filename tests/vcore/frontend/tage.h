/* SPDX-License-Identifier: GPL-2.0 */
/* TAGE, a predictor of the directions of conditional branches. history.h cites the paper. */
#ifndef VCORE_TAGE_H
#define VCORE_TAGE_H

#include <stdbool.h>

#include "history.h"

#define VCORE_TAGE_BASE 8192

/**
 * struct vcore_tage_entry - an entry of a tagged table of the TAGE predictor
 * @tag: from vcore_history_tag(); 0 if the entry is unused
 * @counter: from -4 to 3; predicts taken if 0 or greater
 * @useful: saturating counter: how often this entry predicted correctly when the entry with the
 *	next shorter history did not
 */
struct vcore_tage_entry {
	uint16_t tag;
	int8_t counter;
	uint8_t useful;
};

/**
 * struct vcore_tage - tables of the TAGE predictor
 * @base: [hash of the PC], base predictor: counters from -2 to 1, which predict taken if 0 or
 *	greater
 * @table: [number of the history length, shortest first][vcore_history_index()], tagged entries
 * @use_alternate: counter (the paper's USE_ALT_ON_NA). If it is 0 or greater, a newly allocated
 *	entry is not trusted: the alternate prediction is used
 * @allocations: number of allocations; every third one skips the first table that it could use
 * @branches: number of predicted branches; from time to time all useful counters are lowered
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
