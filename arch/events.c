// SPDX-License-Identifier: GPL-2.0
#include "events.h"

#include "intel_ivb_events.h"
#include "intel_knc_events.h"
#include "parts.h"

#define NR(rows) (sizeof(rows) / sizeof((rows)[0]))

/* the architectural events, SDM Vol. 3 table 19-1, as perf maps them */
static const struct bpmu_event_alias intel_ivb_aliases[] = {
	{ "branch-instructions", "BR_INST_RETIRED.ALL_BRANCHES" },
	{ "branch-misses", "BR_MISP_RETIRED.ALL_BRANCHES" },
	{ "branches", "BR_INST_RETIRED.ALL_BRANCHES" },
	{ "cache-misses", "LONGEST_LAT_CACHE.MISS" },
	{ "cache-references", "LONGEST_LAT_CACHE.REFERENCE" },
	{ "cpu-cycles", "CPU_CLK_UNHALTED.THREAD" },
	{ "cycles", "CPU_CLK_UNHALTED.THREAD" },
	{ "instructions", "INST_RETIRED.ANY" },
	{ "ref-cycles", "CPU_CLK_UNHALTED.REF_TSC" },
};

/* Linux arch/x86/events/intel/knc.c, knc_perfmon_event_map */
static const struct bpmu_event_alias intel_knc_aliases[] = {
	{ "branch-instructions", "BRANCHES" },
	{ "branch-misses", "BRANCHES_MISPREDICTED" },
	{ "cache-misses", "DATA_READ_MISS_OR_WRITE_MISS" },
	{ "cache-references", "DATA_READ_OR_WRITE" },
	{ "cpu-cycles", "CPU_CLK_UNHALTED" },
	{ "cycles", "CPU_CLK_UNHALTED" },
	{ "instructions", "INSTRUCTIONS_EXECUTED" },
};

static const struct {
	const struct bpmu_part *part;
	const struct bpmu_event *events;
	size_t nr_events;
	const struct bpmu_event_alias *aliases;
	size_t nr_aliases;
} tables[] = {
	{ &bpmu_intel_ivb, intel_ivb_events, NR(intel_ivb_events),
	  intel_ivb_aliases, NR(intel_ivb_aliases) },
	{ &bpmu_intel_knc, intel_knc_events, NR(intel_knc_events),
	  intel_knc_aliases, NR(intel_knc_aliases) },
};

/**
 * bpmu_events() - the events of a part
 * @part: descriptor
 * @nr: set to their number
 *
 * Context: any.
 * Return: the rows, sorted by name.
 */
const struct bpmu_event *bpmu_events(const struct bpmu_part *part, size_t *nr)
{
	size_t i;

	*nr = 0;
	for (i = 0; i < NR(tables); i++) {
		if (tables[i].part != part)
			continue;
		*nr = tables[i].nr_events;
		return tables[i].events;
	}
	return NULL;
}

/**
 * bpmu_event_aliases() - names that perf users know
 * @part: descriptor
 * @nr: set to their number
 *
 * Context: any.
 * Return: the names, sorted.
 */
const struct bpmu_event_alias *bpmu_event_aliases(const struct bpmu_part *part,
						  size_t *nr)
{
	size_t i;

	*nr = 0;
	for (i = 0; i < NR(tables); i++) {
		if (tables[i].part != part)
			continue;
		*nr = tables[i].nr_aliases;
		return tables[i].aliases;
	}
	return NULL;
}
