// SPDX-License-Identifier: GPL-2.0
#include "unit.h"

/**
 * unit_pmu() - a PMU to test with
 * @part: short name
 * @gp: general counters, ignored if the part has no CPUID leaf
 *
 * Context: any.
 * Return: the PMU; where CPUID tells, with three fixed counters of 48 bits.
 */
struct bpmu_pmu unit_pmu(const char *part, unsigned int gp)
{
	struct bpmu_pmu pmu;

	bpmu_pmu_init(&pmu, bpmu_part_by_name(part), 3 | gp << 8 | 48 << 16,
		      3 | 48 << 5);
	return pmu;
}
