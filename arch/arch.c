// SPDX-License-Identifier: GPL-2.0
#include "arch.h"

#include "intel.h"
#include "parts.h"

static const struct bpmu_part *const parts[] = {
	&bpmu_intel_ivb,
	&bpmu_intel_knc,
	NULL
};

/**
 * bpmu_part_at() - walk over the parts
 * @i: 0, 1, 2, ... until NULL is returned
 *
 * Context: any.
 * Return: the part, or NULL after the last one.
 */
const struct bpmu_part *bpmu_part_at(unsigned int i)
{
	return parts[i];
}

static int id_match(const struct bpmu_cpu_id *id, u8 vendor, u8 family,
		    u8 model)
{
	for (; id->vendor; id++)
		if (id->vendor == vendor && id->family == family &&
		    id->model == model)
			return 1;
	return 0;
}

/**
 * bpmu_part_find() - the descriptor of a CPU
 * @vendor: &enum bpmu_vendor
 * @family: CPUID display family
 * @model: CPUID display model
 *
 * Context: any.
 * Return: the part, or NULL if no row of any part fits.
 */
const struct bpmu_part *bpmu_part_find(u8 vendor, u8 family, u8 model)
{
	const struct bpmu_part *part;
	unsigned int i;

	for (i = 0; (part = bpmu_part_at(i)); i++)
		if (id_match(part->ids, vendor, family, model))
			return part;
	return NULL;
}

static int name_equal(const char *a, const char *b)
{
	for (; *a && *a == *b; a++, b++)
		;
	return *a == *b;
}

/**
 * bpmu_part_by_name() - the descriptor with a short name
 * @name: as in &struct bpmu_part.name
 *
 * Context: any.
 * Return: the part, or NULL if there is none of that name.
 */
const struct bpmu_part *bpmu_part_by_name(const char *name)
{
	const struct bpmu_part *part;
	unsigned int i;

	for (i = 0; (part = bpmu_part_at(i)); i++)
		if (name_equal(part->name, name))
			return part;
	return NULL;
}

/**
 * bpmu_pmu_init() - what CPUID says, or the part's own numbers
 * @pmu: filled in
 * @part: descriptor
 * @eax: CPUID leaf 0xA, ignored if the part has no such leaf
 * @edx: the same
 *
 * Fields as in SDM Vol. 2A, CPUID leaf 0xA: EAX 7:0 version, 15:8 general
 * counters, 23:16 their width; EDX 4:0 fixed counters, 12:5 their width.
 *
 * Context: any.
 */
void bpmu_pmu_init(struct bpmu_pmu *pmu, const struct bpmu_part *part,
		   u32 eax, u32 edx)
{
	pmu->part = part;
	if (part->cpuid_leaf != BPMU_CPUID_PERFMON) {
		pmu->version = 0;
		pmu->gp_counters = part->gp_counters;
		pmu->gp_width = part->gp_width;
		pmu->fixed_counters = part->fixed_counters;
		pmu->fixed_width = part->fixed_width;
		return;
	}
	pmu->version = eax & 0xff;
	pmu->gp_counters = (eax >> 8) & 0xff;
	pmu->gp_width = (eax >> 16) & 0xff;
	pmu->fixed_counters = edx & 0x1f;
	pmu->fixed_width = (edx >> 5) & 0xff;
}

/**
 * bpmu_pmu_counters() - the set of counters a PMU has
 * @pmu: as found
 *
 * Context: any.
 * Return: one bit per counter number.
 */
u64 bpmu_pmu_counters(const struct bpmu_pmu *pmu)
{
	u64 fixed = (1ULL << pmu->fixed_counters) - 1;

	return ((1ULL << pmu->gp_counters) - 1) | fixed << BPMU_FIXED_BASE;
}

/**
 * bpmu_pmu_width() - width of a counter
 * @pmu: as found
 * @counter: its number
 *
 * Context: any.
 * Return: width in bits.
 */
u8 bpmu_pmu_width(const struct bpmu_pmu *pmu, u32 counter)
{
	return counter < BPMU_FIXED_BASE ? pmu->gp_width : pmu->fixed_width;
}
