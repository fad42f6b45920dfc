/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A set of numbers below VCORE_BITS, as a bitmap. A search visits it in circular order: from a
 * start number upwards, then from 0 to the start. A summary word has one bit for each word of the
 * bitmap, so that empty words are skipped.
 */
#ifndef VCORE_BITS_H
#define VCORE_BITS_H

#include <stdbool.h>
#include <stdint.h>

#define VCORE_BITS 1024
#define VCORE_BITS_NONE VCORE_BITS
#define VCORE_BITS_WORDS (VCORE_BITS / 64)

/**
 * struct vcore_bits - a set of numbers below VCORE_BITS
 * @words: summary: bit i is 1 if @word[i] is not 0
 * @word: bit nr % 64 of @word[nr / 64] is 1 if nr is in the set
 */
struct vcore_bits {
	uint32_t words;
	uint64_t word[VCORE_BITS_WORDS];
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

/* For each bit n that is 1 in @members, adds the number 64 * @i + n to the set. */
static inline void vcore_bits_put_word(struct vcore_bits *bits, unsigned int i,
				       uint64_t members)
{
	bits->word[i] |= members;
	bits->words |= (uint32_t)!!members << i;
}

static inline void vcore_bits_drop_word(struct vcore_bits *bits, unsigned int i,
					uint64_t members)
{
	bits->word[i] &= ~members;
	bits->words &= ~((uint32_t)!bits->word[i] << i);
}

/*
 * Returns a mask of the words of the bitmap that are not empty. Bit n stands for the n-th word, in
 * circular order, after the word that contains @start. That word is visited twice and has two bits:
 * the first for its part from @start upwards, the last for its part below @start.
 */
static inline uint32_t vcore_bits_words(const struct vcore_bits *bits,
					unsigned int start)
{
	uint32_t twice = bits->words << VCORE_BITS_WORDS | bits->words;

	return twice >> start / 64 & ((2u << VCORE_BITS_WORDS) - 1);
}

/*
 * Returns the bits of @word that a search from @start visits if @word is the @nth word of the
 * circular order. The word that contains @start is visited twice: first its part from @start
 * upwards, last its part below @start.
 */
static inline uint64_t vcore_bits_part(uint64_t word, unsigned int start,
				       unsigned int nth)
{
	uint64_t from = ~0ull << start % 64;

	if (nth == 0)
		return word & from;
	return nth == VCORE_BITS_WORDS ? word & ~from : word;
}

/* Returns true if each member of @bits is also a member of @other. */
static inline bool vcore_bits_within(const struct vcore_bits *bits,
				     const struct vcore_bits *other)
{
	uint32_t words = bits->words;
	uint64_t beyond = 0;

	for (; words; words &= words - 1)
		beyond |= bits->word[__builtin_ctz(words)] &
			  ~other->word[__builtin_ctz(words)];
	return !beyond;
}

/*
 * Returns the number of members of @bits that come, in circular order from @start on, before the
 * first member that is not in @other. At least one member of @bits must not be in @other.
 */
static inline unsigned int vcore_bits_run(const struct vcore_bits *bits,
					  const struct vcore_bits *other,
					  unsigned int start)
{
	uint32_t words = vcore_bits_words(bits, start);
	unsigned int count = 0;

	for (;; words &= words - 1) {
		unsigned int nth = __builtin_ctz(words);
		unsigned int i = (start / 64 + nth) % VCORE_BITS_WORDS;
		uint64_t part = vcore_bits_part(bits->word[i], start, nth);
		uint64_t lacks = part & ~other->word[i];

		if (lacks)
			return count + __builtin_popcountll(part & (lacks - 1) &
							    ~lacks);
		count += __builtin_popcountll(part);
	}
}

/*
 * Returns the lowest *@nr bits that are 1 in @word, or all of them if there are fewer. Subtracts
 * the number of returned bits from *@nr.
 */
static inline uint64_t vcore_bits_lowest(uint64_t word, uint64_t *nr)
{
	uint64_t rest = word;

	for (; rest && *nr; --*nr)
		rest &= rest - 1;
	return word & ~rest;
}

/*
 * Moves members of @from to both @to and @too: the first @nr in circular order from @start on, or
 * all if @from has fewer.
 */
static inline void vcore_bits_take(struct vcore_bits *from, unsigned int start,
				   uint64_t nr, struct vcore_bits *to,
				   struct vcore_bits *too)
{
	uint32_t words = vcore_bits_words(from, start);

	for (; words && nr; words &= words - 1) {
		unsigned int nth = __builtin_ctz(words);
		unsigned int i = (start / 64 + nth) % VCORE_BITS_WORDS;
		uint64_t part = vcore_bits_part(from->word[i], start, nth);

		part = vcore_bits_lowest(part, &nr);
		vcore_bits_put_word(to, i, part);
		vcore_bits_put_word(too, i, part);
		vcore_bits_drop_word(from, i, part);
	}
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

static inline void vcore_bits_move(struct vcore_bits *to,
				   struct vcore_bits *from)
{
	vcore_bits_add(to, from);
	for (; from->words; from->words &= from->words - 1)
		from->word[__builtin_ctz(from->words)] = 0;
}

/*
 * Returns the first member in circular order from @start on, or VCORE_BITS_NONE if there is none.
 */
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
