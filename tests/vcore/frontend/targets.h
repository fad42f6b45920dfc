/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ITTAGE, a predictor of the targets of indirect branches by global history.
 *
 * Source: A. Seznec, "A 64-Kbytes ITTAGE indirect branch predictor", JWAC-2, 2011.
 */
#ifndef VCORE_TARGETS_H
#define VCORE_TARGETS_H

#include "history.h"

#define VCORE_TARGETS_TABLES 4

/**
 * struct vcore_target - an entry of the indirect target predictor
 * @to: predicted target address
 * @tag: tag of the branch, from vcore_history_tag(); 0 if the entry is unused
 * @confidence: saturating counter of correct predictions, from 0 to 3
 */
struct vcore_target {
	uint64_t to;
	uint16_t tag;
	uint8_t confidence;
};

/**
 * struct vcore_targets - tables of the indirect target predictor
 * @table: [number of the history length, shortest first][vcore_history_index()], entries
 */
struct vcore_targets {
	struct vcore_target
		table[VCORE_TARGETS_TABLES][1 << VCORE_HISTORY_INDEX];
};

uint64_t vcore_targets_next(struct vcore_targets *targets,
			    const struct vcore_history *history, uint64_t pc,
			    uint64_t last, uint64_t to);

#endif /* VCORE_TARGETS_H */
