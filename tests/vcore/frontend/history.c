// SPDX-License-Identifier: GPL-2.0
#include "history.h"

static const unsigned int lengths[VCORE_HISTORY_LENGTHS] = {
	5, 11, 24, 52, 112, 240
};

static uint32_t fold(uint32_t value, unsigned int width, unsigned int length,
		     unsigned int in, unsigned int out)
{
	value = value << 1 | in;
	value ^= out << length % width;
	value ^= value >> width;
	return value & ((1u << width) - 1);
}

/**
 * vcore_history_push() - append one bit of a branch's outcome to the global history
 * @history: history to which the bit is appended; its folded values are updated
 * @bit: 0 or 1
 */
void vcore_history_push(struct vcore_history *history, unsigned int bit)
{
	struct vcore_history *h = history;
	unsigned int out, i;

	for (i = 0; i < VCORE_HISTORY_LENGTHS; i++) {
		out = h->bit[(h->newest - lengths[i] + 1) % VCORE_HISTORY_BITS];
		h->index[i] = fold(h->index[i], VCORE_HISTORY_INDEX, lengths[i],
				   bit, out);
		h->tag[i] = fold(h->tag[i], VCORE_HISTORY_TAG, lengths[i], bit,
				 out);
	}
	h->newest = (h->newest + 1) % VCORE_HISTORY_BITS;
	h->bit[h->newest] = bit;
}
