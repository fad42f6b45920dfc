/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A set of small numbers that is searched in ring order.
 */
#ifndef VCORE_BITS_H
#define VCORE_BITS_H

#include <stdint.h>

#define VCORE_BITS 1024
#define VCORE_BITS_NONE VCORE_BITS

/**
 * struct vcore_bits - the set
 * @words: which words are not 0
 * @word: the members
 */
struct vcore_bits {
	uint32_t words;
	uint64_t word[VCORE_BITS / 64];
};

static inline void vcore_bits_set(struct vcore_bits *bits, unsigned int nr)
{
	bits->word[nr / 64] |= 1ull << nr % 64;
	bits->words |= 1u << nr / 64;
}

static inline void vcore_bits_clear(struct vcore_bits *bits, unsigned int nr)
{
	bits->word[nr / 64] &= ~(1ull << nr % 64);
	if (!bits->word[nr / 64])
		bits->words &= ~(1u << nr / 64);
}

/* the first member from @start on, going round, or VCORE_BITS_NONE */
static inline unsigned int vcore_bits_first(const struct vcore_bits *bits,
					    unsigned int start)
{
	unsigned int i = start / 64;
	uint64_t ahead = bits->word[i] & ~0ull << start % 64;
	uint32_t after = bits->words & ~1u << i;

	if (ahead)
		return i * 64 + __builtin_ctzll(ahead);
	if (!bits->words)
		return VCORE_BITS_NONE;
	i = __builtin_ctz(after ? after : bits->words);
	return i * 64 + __builtin_ctzll(bits->word[i]);
}

#endif /* VCORE_BITS_H */
