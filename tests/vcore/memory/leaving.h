/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lines that left a core, of which the package is told a little later: by then the
 * host has fetched what the package keeps of them.
 */
#ifndef VCORE_LEAVING_H
#define VCORE_LEAVING_H

#include <stdbool.h>
#include <stdint.h>

#define VCORE_LEAVING 4

/**
 * struct vcore_leaving - the lines, the oldest first
 * @line: their numbers
 * @dirty: they were modified
 * @nr: how many
 * @alike: bits for those whose numbers are alike in their low bits
 */
struct vcore_leaving {
	uint64_t line[VCORE_LEAVING];
	bool dirty[VCORE_LEAVING];
	unsigned int nr;
	uint64_t alike;
};

/* lines of the same set of the package are alike, whatever sets it has */
static inline uint64_t vcore_leaving_alike(uint64_t line)
{
	return 1ull << line % 64;
}

#endif /* VCORE_LEAVING_H */
