// SPDX-License-Identifier: GPL-2.0
/*
 * The group of counters is the same in a record of architectural PEBS and in one of format 6 of the
 * debug store: Linux, struct arch_pebs_cntr_header and struct pebs_cntr_header in asm/perf_event.h.
 */
#include "held.h"

#include "metrics.h"

/* number of the fixed counter of slots */
#define SLOTS 3

/* second word of the header: that the words of PERF_METRICS follow, which are slots and metrics */
#define BOTH_METRICS 3

/**
 * vpmu_held_fill() - make the group of counters of a precise record (PEBS)
 * @cpu: the calling vCPU, whose PERF_METRICS is stopped
 * @counters: bitmap of the counters whose values the record has; bit 32 + i is fixed counter i
 * @metrics: the record also has PERF_METRICS
 * @values: values of all counters, [%VPMU_HELD]
 * @words: set to the group, [%VPMU_HELD_MOST]: bitmaps of counters, then their values,
 *	general-purpose ones first, then slots and PERF_METRICS
 *
 * A record does not change PERF_METRICS (Linux, intel_update_topdown_event()).
 *
 * Return: number of words that are set.
 */
unsigned int vpmu_held_fill(const struct vpmu_cpu *cpu, uint64_t counters, bool metrics,
			    const uint64_t *values, uint64_t *words)
{
	unsigned int nr = 0, i;

	words[nr++] = counters;
	words[nr++] = metrics ? BOTH_METRICS : 0;
	for (i = 0; i < VPMU_HELD; i++)
		if (counters >> i & 1)
			words[nr++] = values[i];
	if (metrics) {
		words[nr++] = values[32 + SLOTS];
		words[nr++] = vpmu_metrics_read(cpu);
	}
	return nr;
}
