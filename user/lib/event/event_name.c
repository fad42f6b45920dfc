// SPDX-License-Identifier: GPL-2.0
#include "event_name.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "events.h"

/**
 * bpmu_event_compare() - compare the names of two events, ignoring case
 * @a: a &struct bpmu_event
 * @b: another &struct bpmu_event
 *
 * Return: negative, 0 or positive, as strcmp() returns for the names in upper case.
 */
int bpmu_event_compare(const void *a, const void *b)
{
	const unsigned char *one = (void *)((const struct bpmu_event *)a)->name;
	const unsigned char *other = (void *)((const struct bpmu_event *)b)->name;

	while (*one && toupper(*one) == toupper(*other)) {
		one++;
		other++;
	}
	return toupper(*one) - toupper(*other);
}

/* Does what tolower() does with ASCII, but faster, because it does not look up the locale. */
static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
}

/*
 * Checks if a name in a metric file, @b, stands for perf's generic name @a. In metric files "-" is
 * an operator, so that there each "-" of a generic name is written as "_".
 */
static bool same_generic(const char *a, const char *b)
{
	for (; *a && (lower(*a) == lower(*b) || (*a == '-' && *b == '_')); a++, b++)
		;
	return !*a && !*b;
}

static const struct bpmu_event *event_name_find(const struct bpmu_part *part,
						const char *name)
{
	const struct bpmu_event wanted = { .name = name };
	const struct bpmu_event *rows;
	size_t nr;

	rows = bpmu_events(part, &nr);
	return nr ? bsearch(&wanted, rows, nr, sizeof(*rows),
			    bpmu_event_compare) : NULL;
}

static const struct bpmu_event *cache_row(const struct bpmu_part *part,
					  const char *name)
{
	const struct bpmu_event *rows;
	size_t nr;
	size_t i;

	rows = bpmu_cache_events(part, &nr);
	for (i = 0; i < nr; i++)
		if (same_generic(rows[i].name, name))
			return &rows[i];
	return NULL;
}

static const struct bpmu_event *free_row(const struct bpmu_part *part,
					 const char *name)
{
	const struct bpmu_event *rows;
	size_t nr;
	size_t i;

	rows = bpmu_free_events(&nr);
	for (i = 0; part && i < nr; i++)
		if (part->free & rows[i].counters && !strcasecmp(rows[i].name, name))
			return &rows[i];
	return NULL;
}

static const struct bpmu_event *find_free(const struct bpmu_part *part,
					  const char *name)
{
	const struct bpmu_event_alias *aliases;
	size_t nr;
	size_t i;

	aliases = bpmu_free_aliases(&nr);
	for (i = 0; i < nr; i++)
		if (!strcasecmp(aliases[i].name, name))
			return free_row(part, aliases[i].event);
	return free_row(part, name);
}

/*
 * Finds the event that a name of LIKWID stands for. Of LIKWID's names only those of the fixed
 * counters' events are accepted (LIKWID's perfmon_*_events.txt, events of FIXC0 to FIXC3). Many of
 * LIKWID's other names are the vendor's names with "_" instead of ".", but not all: LIKWID's
 * INST_RETIRED_ANY is the vendor's INST_RETIRED.ANY_P.
 */
static const struct bpmu_event *fixed_row(const struct bpmu_part *part,
					  const char *name)
{
	static const struct bpmu_event_alias aliases[] = {
		{ "INSTR_RETIRED_ANY", "INST_RETIRED.ANY" },
		{ "CPU_CLK_UNHALTED_CORE", "CPU_CLK_UNHALTED.THREAD" },
		{ "CPU_CLK_UNHALTED_CORE", "CPU_CLK_UNHALTED.CORE" },
		{ "CPU_CLK_UNHALTED_REF", "CPU_CLK_UNHALTED.REF_TSC" },
		{ "TOPDOWN_SLOTS", "TOPDOWN.SLOTS" },
	};
	const struct bpmu_event *row;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(aliases); i++) {
		if (strcasecmp(aliases[i].name, name))
			continue;
		row = event_name_find(part, aliases[i].event);
		if (row)
			return row;
	}
	return NULL;
}

/*
 * Finds the event that a name in sysfs stands for. Linux has such names for events of slots, of
 * stores and of the bus clock (arch/x86/events/intel/core.c, snb_events_attrs to
 * mtl_hybrid_events_attrs, intel_perfmon_event_map). If perf multiplies the count of an event by a
 * factor, the event is not found.
 */
static const struct bpmu_event *linux_row(const struct bpmu_part *part,
					  const char *name)
{
	static const struct bpmu_event_alias aliases[] = {
		{ "bus-cycles", "CPU_CLK_UNHALTED.REF_XCLK" },
		{ "bus-cycles", "CPU_CLK_UNHALTED.REF_TSC_P" },
		{ "mem-stores", "MEM_TRANS_RETIRED.STORE_SAMPLE" },
		{ "mem-stores", "MEM_TRANS_RETIRED.PRECISE_STORE" },
		{ "mem-stores", "MEM_UOPS_RETIRED.STORE_LATENCY" },
		{ "mem-stores", "MEM_INST_RETIRED.ALL_STORES" },
		{ "mem-stores", "MEM_UOPS_RETIRED.ALL_STORES" },
		{ "topdown-bad-spec", "PERF_METRICS.BAD_SPECULATION" },
		{ "topdown-bad-spec", "TOPDOWN_BAD_SPECULATION.ALL" },
		{ "topdown-be-bound", "PERF_METRICS.BACKEND_BOUND" },
		{ "topdown-be-bound", "TOPDOWN_BE_BOUND.ALL" },
		{ "topdown-br-mispredict", "PERF_METRICS.BRANCH_MISPREDICTS" },
		{ "topdown-fe-bound", "PERF_METRICS.FRONTEND_BOUND" },
		{ "topdown-fe-bound", "TOPDOWN_FE_BOUND.ALL" },
		{ "topdown-fetch-bubbles", "IDQ_UOPS_NOT_DELIVERED.CORE" },
		{ "topdown-fetch-lat", "PERF_METRICS.FETCH_LATENCY" },
		{ "topdown-heavy-ops", "PERF_METRICS.HEAVY_OPERATIONS" },
		{ "topdown-mem-bound", "PERF_METRICS.MEMORY_BOUND" },
		{ "topdown-retiring", "PERF_METRICS.RETIRING" },
		{ "topdown-retiring", "TOPDOWN_RETIRING.ALL" },
		{ "topdown-slots-issued", "UOPS_ISSUED.ANY" },
		{ "topdown-slots-retired", "UOPS_RETIRED.RETIRE_SLOTS" },
	};
	const struct bpmu_event *row = NULL;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(aliases) && !row; i++)
		if (same_generic(aliases[i].name, name))
			row = event_name_find(part, aliases[i].event);
	return row;
}

/**
 * bpmu_event_row() - find an event by its name in the CPU model's table of events
 * @part: descriptor of the CPU model
 * @name: name by the vendor, generic name of perf, or LIKWID's name of a fixed-counter event;
 *	case is ignored
 *
 * Return: the event in the table, or NULL if no event has this name.
 */
const struct bpmu_event *bpmu_event_row(const struct bpmu_part *part,
					const char *name)
{
	const struct bpmu_event_alias *aliases;
	size_t nr;
	size_t i;

	aliases = bpmu_event_aliases(part, &nr);
	for (i = 0; i < nr; i++)
		if (same_generic(aliases[i].name, name))
			return event_name_find(part, aliases[i].event);
	return event_name_find(part, name) ?: cache_row(part, name) ?:
	       find_free(part, name) ?: fixed_row(part, name) ?:
	       linux_row(part, name);
}

/**
 * bpmu_event_family() - check if a name becomes the name of an event when a umask is appended
 * @part: descriptor of the CPU model
 * @name: name as typed, such as "X" of "X.UMASK"
 *
 * libpfm4 resolves such a name to one of the events with a umask. The tool refuses it instead.
 *
 * Return: true if the CPU model has an event whose name is @name, "." and a umask.
 */
bool bpmu_event_family(const struct bpmu_part *part, const char *name)
{
	const struct bpmu_event *rows;
	size_t len = strlen(name);
	size_t nr;
	size_t i;

	rows = bpmu_events(part, &nr);
	for (i = 0; i < nr; i++)
		if (!strncasecmp(rows[i].name, name, len) &&
		    rows[i].name[len] == '.')
			return true;
	return false;
}

/**
 * bpmu_event_refused() - check if a loaded file has the name of an event that cannot be counted
 * @part: descriptor of the CPU model
 * @name: name as typed
 * @err: set to the reason if a loaded file has an event of this name that cannot be counted
 *
 * Return: 0, or the error of &bpmu_events_loaded.refuse.
 */
int bpmu_event_refused(const struct bpmu_part *part, const char *name,
		       struct bpmu_error *err)
{
	const struct bpmu_events_loaded *loaded = part->loaded;

	return loaded ? loaded->refuse(loaded->ctx, name, err) : 0;
}

/**
 * bpmu_event_nearest() - find the names of events that are nearest to a mistyped name
 * @part: descriptor of the CPU model
 * @nearest: on entry the mistyped name; on return the nearest names of events of the CPU model
 */
void bpmu_event_nearest(const struct bpmu_part *part,
			struct bpmu_nearest *nearest)
{
	const struct bpmu_event_alias *aliases;
	const struct bpmu_event *rows;
	size_t nr;
	size_t i;

	rows = bpmu_events(part, &nr);
	for (i = 0; i < nr; i++)
		bpmu_nearest_offer(nearest, rows[i].name);
	aliases = bpmu_event_aliases(part, &nr);
	for (i = 0; i < nr; i++)
		bpmu_nearest_offer(nearest, aliases[i].name);
	rows = bpmu_cache_events(part, &nr);
	for (i = 0; i < nr; i++)
		bpmu_nearest_offer(nearest, rows[i].name);
	rows = bpmu_free_events(&nr);
	for (i = 0; part && i < nr; i++)
		if (part->free & rows[i].counters)
			bpmu_nearest_offer(nearest, rows[i].name);
}

/*
 * Categories of events by the beginning of their names. The first entry that matches counts, so a
 * longer beginning comes before a shorter one.
 */
static const struct {
	const char *begin;
	const char *category;
} categories[] = {
	{ "ARITH", "execution" }, { "ASSISTS", "retirement" },
	{ "BACLEARS", "frontend" }, { "BR_", "branches" },
	{ "BRANCH", "branches" }, { "BOUND_", "other" },
	{ "CORE_REJECT", "memory" }, { "CORE_SNOOP", "memory" },
	{ "CPL_CYCLES", "cycles" }, { "CPU_CLK", "cycles" },
	{ "CYCLE_ACTIVITY", "execution" }, { "CYCLES", "cycles" },
	{ "DATA_", "memory" }, { "DECODE", "frontend" },
	{ "DRAM_", "memory" }, { "DSB", "frontend" }, { "DTLB", "virtual memory" },
	{ "EPT", "virtual memory" },
	{ "EXE_", "execution" }, { "EXEC_STAGE", "execution" },
	{ "FP_", "floating point" }, { "FRONTEND", "frontend" },
	{ "HLE_", "transactions" }, { "HWP_", "memory" }, { "ICACHE", "frontend" },
	{ "IDQ", "frontend" }, { "ILD_", "frontend" },
	{ "INST_DECODED", "frontend" }, { "INST", "retirement" },
	{ "INT_MISC", "execution" }, { "INT_VEC", "floating point" },
	{ "ITLB", "virtual memory" }, { "L1D", "memory" }, { "L1_", "memory" },
	{ "LLC-", "memory" },
	{ "L2_", "memory" }, { "L3", "memory" }, { "LD_", "memory" },
	{ "LOAD", "memory" }, { "LOCAL_", "memory" }, { "LOCK_", "memory" },
	{ "LONGEST_LAT", "memory" },
	{ "LSD", "frontend" }, { "MACHINE_CLEARS", "retirement" },
	{ "MACRO", "frontend" }, { "MEM", "memory" }, { "MISALIGN", "memory" },
	{ "MOVE_", "execution" }, { "OCR", "memory" }, { "OFFCORE", "memory" },
	{ "OTHER_ASSISTS", "retirement" }, { "PAGE_WALK", "virtual memory" },
	{ "PARTIAL_RAT", "execution" }, { "PERF_METRICS", "slots" },
	{ "REMOTE_", "memory" }, { "RESOURCE_STALLS", "execution" },
	{ "RETIRED", "retirement" },
	{ "ROB_", "retirement" }, { "RS_", "execution" },
	{ "RTM_", "transactions" }, { "SIMD_", "floating point" },
	{ "SNP_", "memory" }, { "SQ_", "memory" }, { "SW_PREFETCH", "memory" },
	{ "TLB", "virtual memory" }, { "TOPDOWN", "slots" },
	{ "TX_", "transactions" }, { "UOPS_RETIRED", "retirement" },
	{ "UOPS", "execution" }, { "VPU_", "floating point" },
	{ "XQ_", "memory" }, { "node-", "memory" },
};

/**
 * bpmu_event_category() - category of an event, from the first words of the event's name
 *
 * Return: the category in one or two words.
 */
const char *bpmu_event_category(const struct bpmu_event *row)
{
	size_t i;

	if (row->unit != BPMU_UNIT_CORE)
		return "uncore";
	for (i = 0; i < ARRAY_SIZE(categories); i++)
		if (!strncmp(row->name, categories[i].begin,
			     strlen(categories[i].begin)))
			return categories[i].category;
	return "other";
}

#define OF_KERNEL "the kernel counts it; use perf stat"
#define OF_PEBS "such an event counts nothing unless PEBS samples it; use 'perf mem record', or 'barepmu list events mem_load' for loads by where they hit"

/*
 * perf's names of events that the tool does not count, and why. A name that ends in "-" stands for
 * all names that begin with it.
 */
static const struct {
	const char *name;
	const char *why;
} others[] = {
	{ "alignment-faults", OF_KERNEL },
	{ "cgroup-switches", OF_KERNEL },
	{ "context-switches", OF_KERNEL },
	{ "cpu-clock", OF_KERNEL },
	{ "cpu-migrations", OF_KERNEL },
	{ "cs", OF_KERNEL },
	{ "duration_time", OF_KERNEL },
	{ "emulation-faults", OF_KERNEL },
	{ "faults", OF_KERNEL },
	{ "major-faults", OF_KERNEL },
	{ "migrations", OF_KERNEL },
	{ "minor-faults", OF_KERNEL },
	{ "page-faults", OF_KERNEL },
	{ "system_time", OF_KERNEL },
	{ "task-clock", OF_KERNEL },
	{ "user_time", OF_KERNEL },
	{ "mem-loads", OF_PEBS },
	{ "mem-loads-aux", OF_PEBS },
	{ "topdown-total-slots", "perf multiplies a count of cycles; use CPU_CLK_UNHALTED.THREAD, and the slots of a cycle" },
	{ "topdown-recovery-bubbles", "perf multiplies a count of cycles; use INT_MISC.RECOVERY_CYCLES, and the slots of a cycle" },
	{ "idle-cycles-", "its meaning differs between CPU models; 'barepmu topdown' shows where slots are lost" },
	{ "stalled-cycles-", "its meaning differs between CPU models; 'barepmu topdown' shows where slots are lost" },
};

/*
 * What to count on AMD instead of perf's cache events that this tool does not have. An element is
 * for all events whose names begin with @begin.
 */
static const struct {
	const char *begin;
	const char *amd;
} caches[] = {
	{ "LLC-", "use L3_LOOKUP_STATE.L3_MISS, which counts for a core complex, or cache-misses, which are those of L2" },
	{ "node-", "see 'barepmu list events DRAM' for what the data fabric counts" },
};

static void event_name_join(char *list, size_t size, const char *name, const char *begin)
{
	size_t len = strlen(list);

	if (!strncasecmp(name, begin, strlen(begin)))
		snprintf(list + len, size - len, "%s%s", len ? ", " : "", name);
}

/* Appends to @list the names of the CPU model's cache events that begin with @begin. */
static void caches_there(const struct bpmu_part *part, const char *begin,
			 char *list, size_t size)
{
	const struct bpmu_event_alias *aliases;
	const struct bpmu_event *rows;
	size_t nr;
	size_t i;

	*list = '\0';
	rows = bpmu_cache_events(part, &nr);
	for (i = 0; i < nr; i++)
		event_name_join(list, size, rows[i].name, begin);
	aliases = bpmu_event_aliases(part, &nr);
	for (i = 0; i < nr; i++)
		event_name_join(list, size, aliases[i].name, begin);
}

static int cache_unknown(const struct bpmu_part *part, const char *name,
			 size_t c, struct bpmu_error *err)
{
	char list[256];

	caches_there(part, caches[c].begin, list, sizeof(list));
	if (!*list)
		caches_there(part, caches[0].begin, list, sizeof(list));
	if (*list)
		return bpmu_error_set(err, -ENOENT,
				      "event '%s': neither perf nor barepmu has it on %s; use one of %s",
				      name, part->name, list);
	return bpmu_error_set(err, -ENOENT,
			      "event '%s': neither perf nor barepmu has it on %s; %s",
			      name, part->name,
			      bpmu_event_row(part, "L3_LOOKUP_STATE.L3_MISS") ? caches[c].amd :
			      bpmu_event_row(part, "cache-misses") ?
			      "use cache-references or cache-misses" : "see 'barepmu list'");
}

/**
 * bpmu_event_other() - tell for the name of an event of perf why the tool does not count it
 * @name: name of the event, which filters may follow
 *
 * Return: the reason and what to do instead, a constant string; NULL if @name is not a name of
 * perf.
 */
const char *bpmu_event_other(const char *name)
{
	size_t i, len;

	for (i = 0; i < ARRAY_SIZE(others); i++) {
		len = strlen(others[i].name);
		if (!strncasecmp(name, others[i].name, len) &&
		    (!name[len] || name[len] == ':' || others[i].name[len - 1] == '-'))
			return others[i].why;
	}
	return NULL;
}

/*
 * Checks if the CPU model has an event of the same unit as a name of Intel's uncore. The unit is
 * the first word, "UNC_H_" of UNC_H_U_CLOCKTICKS.
 */
static bool has_unit_of(const struct bpmu_part *part, const char *name)
{
	size_t length = strlen("UNC_") + strcspn(name + strlen("UNC_"), "_") + 1;
	const struct bpmu_event *rows;
	size_t nr, i;

	rows = bpmu_events(part, &nr);
	for (i = 0; i < nr && strncasecmp(rows[i].name, name, length); i++)
		;
	return i < nr;
}

/**
 * bpmu_event_no_uncore() - tell why no event with a name of Intel's uncore (UNC_) can be counted
 * @part: descriptor of the CPU model
 * @name: name as typed
 *
 * Return: &bpmu_part.no_uncore if the name is one of Intel's uncore and the CPU model has no event
 * of that unit; else NULL.
 */
const char *bpmu_event_no_uncore(const struct bpmu_part *part, const char *name)
{
	if (!part->no_uncore || strncasecmp(name, "UNC_", strlen("UNC_")) || has_unit_of(part, name))
		return NULL;
	return part->no_uncore;
}

/**
 * bpmu_event_unknown() - refuse an unknown name of an event and suggest the nearest ones
 * @part: descriptor of the CPU model
 * @name: name as typed
 *
 * Return: -ENOENT.
 */
int bpmu_event_unknown(const struct bpmu_part *part, const char *name,
		       struct bpmu_error *err)
{
	struct bpmu_nearest nearest = { .typed = name };
	char list[BPMU_NEAREST_LIST];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(caches); i++)
		if (!strncasecmp(name, caches[i].begin, strlen(caches[i].begin)))
			return cache_unknown(part, name, i, err);
	if (bpmu_event_other(name))
		return bpmu_error_set(err, -ENOENT, "event '%s': not known here: %s",
				      name, bpmu_event_other(name));
	if (bpmu_event_no_uncore(part, name))
		return bpmu_error_set(err, -ENOENT,
				      "event '%s': not counted on %s: %s; see 'barepmu list parts -v'",
				      name, part->name, bpmu_event_no_uncore(part, name));
	bpmu_event_nearest(part, &nearest);
	if (!nearest.nr)
		return bpmu_error_set(err, -ENOENT,
				      "event '%s': not known on %s; see 'barepmu list'",
				      name, part->name);
	bpmu_nearest_list(&nearest, list, sizeof(list));
	return bpmu_error_set(err, -ENOENT,
			      "event '%s': not known on %s; did you mean %s? See 'barepmu list'",
			      name, part->name, list);
}
