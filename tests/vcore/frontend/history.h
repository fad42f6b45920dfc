/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Global branch history: bits of the latest branches, one or more per branch. A predictor has
 * tables for several lengths of history, in a geometric series. For each length, the latest bits
 * are folded (XORed) to the width of a table's index and to that of its tag.
 *
 * Source: A. Seznec, P. Michaud, "A case for (partially) tagged geometric history length branch
 * prediction", JILP 8, 2006.
 */
#ifndef VCORE_HISTORY_H
#define VCORE_HISTORY_H

#include <stdint.h>

#define VCORE_HISTORY_BITS 512
#define VCORE_HISTORY_LENGTHS 6
#define VCORE_HISTORY_INDEX 10
#define VCORE_HISTORY_TAG 11

/**
 * struct vcore_history - global branch history
 * @bit: [VCORE_HISTORY_BITS], ring buffer of the latest bits
 * @newest: index of the latest bit in @bit
 * @index: [VCORE_HISTORY_LENGTHS], history folded to VCORE_HISTORY_INDEX bits
 * @tag: [VCORE_HISTORY_LENGTHS], history folded to VCORE_HISTORY_TAG bits
 */
struct vcore_history {
	uint8_t bit[VCORE_HISTORY_BITS];
	unsigned int newest;
	uint32_t index[VCORE_HISTORY_LENGTHS];
	uint32_t tag[VCORE_HISTORY_LENGTHS];
};

void vcore_history_push(struct vcore_history *history, unsigned int bit);

/*
 * Returns the index of the branch at @pc in the table for history length number @length. The table
 * has 1 << VCORE_HISTORY_INDEX entries.
 */
static inline unsigned int vcore_history_index(const struct vcore_history *h,
					       unsigned int length, uint64_t pc)
{
	uint32_t hash = (uint32_t)(pc ^ pc >> (VCORE_HISTORY_INDEX - length));

	return (hash ^ h->index[length]) & ((1 << VCORE_HISTORY_INDEX) - 1);
}

/*
 * Returns the tag of the branch at @pc for the table of history length number @length. The tag is
 * never 0, because 0 is the tag of an unused entry.
 */
static inline uint16_t vcore_history_tag(const struct vcore_history *h,
					 unsigned int length, uint64_t pc)
{
	uint32_t hash = (uint32_t)(pc ^ pc >> VCORE_HISTORY_TAG);

	hash ^= h->tag[length] ^ h->index[length] << 1;
	return (hash & ((1 << VCORE_HISTORY_TAG) - 1)) | 1 << VCORE_HISTORY_TAG;
}

#endif /* VCORE_HISTORY_H */
