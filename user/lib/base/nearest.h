/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The names that are most similar to a mistyped one:
 *
 *   struct bpmu_nearest nearest = { .typed = word };
 *   for all known names: bpmu_nearest_offer(&nearest, name);
 *   bpmu_nearest_list(&nearest, list, sizeof(list));
 */
#ifndef BPMU_NEAREST_H
#define BPMU_NEAREST_H

#include <stddef.h>

#define BPMU_NEAREST_NAMES 5
#define BPMU_NEAREST_LIST 640

/**
 * struct bpmu_nearest - known names that are most similar to a mistyped name, the nearest first
 * @typed: the mistyped name, set by the caller
 * @name: [@nr], names; their texts belong to the caller
 * @score: [@nr], edit distance of each name from @typed. A name that is farther from @typed, but
 *	contains it, has a score above the greatest distance allowed
 * @nr: number of names
 */
struct bpmu_nearest {
	const char *typed;
	const char *name[BPMU_NEAREST_NAMES];
	unsigned int score[BPMU_NEAREST_NAMES];
	unsigned int nr;
};

void bpmu_nearest_offer(struct bpmu_nearest *nearest, const char *name);
void bpmu_nearest_list(const struct bpmu_nearest *nearest, char *list,
		       size_t size);

#endif /* BPMU_NEAREST_H */
