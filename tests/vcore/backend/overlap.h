/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Overlap of memory accesses in flight, found by a table of counters. An access touches granules of
 * 8 bytes. Counter i is the number of accesses to granules whose address has i in bits 11:3. If the
 * counter is 0, no access in flight overlaps such a granule. If it is not 0, the accesses that
 * it counts may still differ in higher address bits.
 */
#ifndef VCORE_OVERLAP_H
#define VCORE_OVERLAP_H

#include "base/trace.h"

#define VCORE_GRANULES 512
#define VCORE_GRANULE 8

static inline unsigned int vcore_overlap_granule(uint64_t address, unsigned int i)
{
	return (address / VCORE_GRANULE + i) % VCORE_GRANULES;
}

static inline unsigned int vcore_overlap_granules(const struct vcore_access *access)
{
	return (access->pa % VCORE_GRANULE + access->size +
		VCORE_GRANULE - 1) / VCORE_GRANULE;
}

static inline void vcore_overlap_mark(uint16_t *table, const struct vcore_access *access, int by)
{
	unsigned int i;

	for (i = 0; i < vcore_overlap_granules(access); i++)
		table[vcore_overlap_granule(access->pa, i)] += by;
}

static inline bool vcore_overlap_marked(const uint16_t *table, const struct vcore_access *access)
{
	unsigned int i;

	for (i = 0; i < vcore_overlap_granules(access); i++) {
		if (table[vcore_overlap_granule(access->pa, i)])
			return true;
	}
	return false;
}

static inline bool vcore_overlap(const struct vcore_access *a, const struct vcore_access *b)
{
	return a->pa < b->pa + b->size && b->pa < a->pa + a->size;
}

/*
 * Returns true if the accesses overlap when only the low 12 bits of their addresses are compared.
 */
static inline bool vcore_overlap_alias(const struct vcore_access *a, const struct vcore_access *b)
{
	unsigned int ahead = (b->pa - a->pa) % 4096;

	return ahead < a->size || 4096 - ahead < b->size;
}

static inline bool vcore_overlap_covers(const struct vcore_access *store,
					const struct vcore_access *load)
{
	return store->pa <= load->pa &&
	       load->pa + load->size <= store->pa + store->size;
}

#endif /* VCORE_OVERLAP_H */
