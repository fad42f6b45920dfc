/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A set of small numbers that is searched in ring order.
 */
#ifndef VCORE_BITS_H
#define VCORE_BITS_H

#include <stdbool.h>
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

static inline bool vcore_bits_has(const struct vcore_bits *bits,
				  unsigned int nr)
{
	return bits->word[nr / 64] >> nr % 64 & 1;
}

static inline unsigned int vcore_bits_count(const struct vcore_bits *bits)
{
	uint32_t words = bits->words;
	unsigned int count = 0;

	for (; words; words &= words - 1)
		count += __builtin_popcountll(bits->word[__builtin_ctz(words)]);
	return count;
}

/* how many members there are below a number */
static inline unsigned int vcore_bits_below(const struct vcore_bits *bits,
					    unsigned int nr)
{
	uint32_t words = bits->words & ((2u << nr / 64) - 1);
	uint64_t mask = ~(~0ull << nr % 64);
	unsigned int count = 0;

	for (; words; words &= words - 1) {
		unsigned int i = __builtin_ctz(words);

		count += __builtin_popcountll(bits->word[i] &
					      (i < nr / 64 ? ~0ull : mask));
	}
	return count;
}

/* how many there are from @start on, going round, before @end */
static inline unsigned int vcore_bits_between(const struct vcore_bits *bits,
					      unsigned int start,
					      unsigned int end)
{
	unsigned int before = vcore_bits_below(bits, end);

	if (end < start)
		before += vcore_bits_count(bits);
	return before - vcore_bits_below(bits, start);
}

/* the members of a set that another does not have */
static inline struct vcore_bits vcore_bits_without(const struct vcore_bits *bits,
						   const struct vcore_bits *other)
{
	struct vcore_bits left = { 0 };
	uint32_t words = bits->words;

	for (; words; words &= words - 1) {
		unsigned int i = __builtin_ctz(words);

		left.word[i] = bits->word[i] & ~other->word[i];
		left.words |= (uint32_t)!!left.word[i] << i;
	}
	return left;
}

static inline void vcore_bits_add(struct vcore_bits *to,
				  const struct vcore_bits *from)
{
	uint32_t words = from->words;

	to->words |= words;
	for (; words; words &= words - 1)
		to->word[__builtin_ctz(words)] |=
			from->word[__builtin_ctz(words)];
}

static inline void vcore_bits_remove(struct vcore_bits *from,
				     const struct vcore_bits *those)
{
	uint32_t words = those->words & from->words;

	for (; words; words &= words - 1) {
		unsigned int i = __builtin_ctz(words);

		from->word[i] &= ~those->word[i];
		if (!from->word[i])
			from->words &= ~(1u << i);
	}
}

/* the members of a set go to another */
static inline void vcore_bits_move(struct vcore_bits *to,
				   struct vcore_bits *from)
{
	vcore_bits_add(to, from);
	for (; from->words; from->words &= from->words - 1)
		from->word[__builtin_ctz(from->words)] = 0;
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
