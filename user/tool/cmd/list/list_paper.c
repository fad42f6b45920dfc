// SPDX-License-Identifier: GPL-2.0
/*
 * Finds differences between nodes of Intel's Top-Down tree and the nodes with the same meaning in
 * the tree of the Top-Down paper. The formulas of two such nodes are evaluated for several sets of
 * synthetic counts. These counts obey relations that hold for the counts of a real CPU. Without
 * these relations, formulas that mean the same could differ:
 *
 * - An event has the same count on fixed and on programmable counters.
 * - Slots are the core's clocks times the width of the pipeline.
 * - The cycles with at least N occurrences of an event (counter mask N) are at most as many as
 *   those with at least N - 1 occurrences, and as the core's clocks.
 * - Stalls with an L2 miss are stalls with an L1 miss, too.
 * - At most as many uops retire as are issued.
 * - The first four fields of PERF_METRICS add up to the slots, and each of the other fields is a
 *   part of one of them. Each field is rounded by itself, so that a part may exceed its whole.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "event/event.h"
#include "event/event_counters.h"
#include "intel.h"
#include "list.h"
#include "metric/metric_constant.h"
#include "metric/metric_formula.h"

#define SYNTHETIC_SETS 64
/* Values of two formulas that differ by less than this are taken as equal: rounding errors. */
#define TOLERANCE 0.000000001

#define CLOCKS 1000000.0
/* The register PERF_METRICS has eight fields of 8 bits, with values from 0 to 255. */
#define FIELD_STEPS 255
#define FIELDS 8
/*
 * Counter mask, invert and edge: with these fields of an event select, a counter counts cycles
 * instead of occurrences
 */
#define FILTERS (BPMU_SEL_CMASK | BPMU_SEL_INV | BPMU_SEL_EDGE)

/* nodes of Intel's Top-Down tree, each with the node of the paper's tree that means the same */
static const char *const equivalent[][2] = {
	{ "tma_frontend_bound", "Frontend_Bound" },
	{ "tma_fetch_latency", "Fetch_Latency_Bound" },
	{ "tma_branch_resteers", "Branch_Resteers" },
	{ "tma_icache_misses", "ICache_Misses" },
	{ "tma_itlb_misses", "ITLB_Misses" },
	{ "tma_fetch_bandwidth", "Fetch_Bandwidth_Bound" },
	{ "tma_mite", "MITE" },
	{ "tma_dsb", "DSB" },
	{ "tma_bad_speculation", "Bad_Speculation" },
	{ "tma_branch_mispredicts", "Branch_Mispredicts" },
	{ "tma_machine_clears", "Machine_Clears" },
	{ "tma_retiring", "Retiring" },
	{ "tma_light_operations", "BASE" },
	{ "tma_fp_arith", "FP_Arith" },
	{ "tma_x87_use", "X87_Use" },
	{ "tma_fp_scalar", "FP_Scalar" },
	{ "tma_fp_vector", "FP_Vector" },
	{ "tma_microcode_sequencer", "MicroSequencer" },
	{ "tma_backend_bound", "Backend_Bound" },
	{ "tma_memory_bound", "Memory_Bound" },
	{ "tma_l1_bound", "L1_Bound" },
	{ "tma_l2_bound", "L2_Bound" },
	{ "tma_l3_bound", "L3_Bound" },
	{ "tma_dram_bound", "Ext_Memory_Bound" },
	{ "tma_mem_bandwidth", "MEM_Bandwidth" },
	{ "tma_mem_latency", "MEM_Latency" },
	{ "tma_store_bound", "Stores_Bound" },
	{ "tma_core_bound", "Core_Bound" },
	{ "tma_divider", "Divider" },
	{ "tma_ports_utilization", "Ports_Utilization" },
};

/*
 * Events that count stalls of execution: the beginning of the event's name, and a number (level).
 * Stalls that an event of level N counts are also counted by all events of levels below N.
 */
static const struct {
	const char *name;
	unsigned int level;
} stalls[] = {
	{ "CYCLE_ACTIVITY.CYCLES_NO_EXECUTE", 0 },
	{ "CYCLE_ACTIVITY.STALLS_TOTAL", 0 },
	{ "CYCLE_ACTIVITY.STALLS_LDM_PENDING", 1 },
	{ "CYCLE_ACTIVITY.STALLS_MEM_ANY", 1 },
	{ "EXE_ACTIVITY.BOUND_ON_LOADS", 1 },
	{ "CYCLE_ACTIVITY.STALLS_L1D_", 2 },
	{ "MEMORY_ACTIVITY.STALLS_L1D_", 2 },
	{ "CYCLE_ACTIVITY.STALLS_L2_", 3 },
	{ "MEMORY_ACTIVITY.STALLS_L2_", 3 },
	{ "CYCLE_ACTIVITY.STALLS_L3_", 4 },
	{ "MEMORY_ACTIVITY.STALLS_L3_", 4 },
};

/**
 * struct synthetic - a set of invented counts, by which two formulas are compared
 * @list: state of "barepmu list"
 * @seed: number of the set of counts; other sets have other counts
 * @smt: 1 if two threads of a core are active (hyper-threading), else 0
 */
struct synthetic {
	const struct bpmu_list *list;
	u64 seed;
	int smt;
};

/*
 * Returns a pseudo-random number from 0 to 1 (splitmix64). It depends on @key and on the number of
 * the set of counts (@seed) only. A quarter of the numbers are exactly 0 or 1, so that extreme
 * counts are tried as well.
 */
static double synthetic_part(const struct synthetic *synthetic, u64 key)
{
	u64 hash = key + synthetic->seed * 0x9e3779b97f4a7c15ULL;

	hash = (hash ^ hash >> 30) * 0xbf58476d1ce4e5b9ULL;
	hash = (hash ^ hash >> 27) * 0x94d049bb133111ebULL;
	hash ^= hash >> 31;
	if (!(hash & 3))
		return hash >> 2 & 1;
	return (hash >> 12) / (double)(1ULL << 52);
}

static double synthetic_slots(const struct synthetic *synthetic)
{
	double core = 1;

	/*
	 * If two threads are active on the core, only a part of the core's clock cycles belongs to
	 * each thread.
	 */
	if (synthetic->smt)
		core = 0.5 + synthetic_part(synthetic, 1) / 2;
	return synthetic->list->cpu.part->issue_width * CLOCKS * core;
}

/*
 * Returns invented slots for a field of PERF_METRICS. Fields 0 to 3 are retiring, bad speculation,
 * frontend bound and backend bound. Fields 4 to 7 are parts of fields 0 to 3, in this order: heavy
 * operations, mispredicts, fetch latency and memory bound.
 */
static double synthetic_field(const struct synthetic *synthetic, unsigned int field)
{
	/*
	 * The field of level 1 of which each field is a part. Fields 0 to 3 are of level 1, and
	 * stand for themselves.
	 */
	static const unsigned int whole[FIELDS] = { 0, 1, 2, 3, 0, 1, 2, 3 };
	double steps[FIELDS];
	double sum = 0;
	unsigned int i;

	for (i = 0; i < FIELDS / 2; i++) {
		steps[i] = 0.01 + synthetic_part(synthetic, 2 + i);
		sum += steps[i];
	}
	for (i = 0; i < FIELDS / 2; i++)
		steps[i] *= FIELD_STEPS / sum;
	for (; i < FIELDS; i++)
		steps[i] = steps[whole[i]] * synthetic_part(synthetic, 2 + i);
	return ceil(steps[field] - synthetic_part(synthetic, 16 + field)) *
	       synthetic_slots(synthetic) / FIELD_STEPS;
}

/*
 * Returns an invented count of an event that counts stalls of execution; a negative number if the
 * event does not count such stalls.
 */
static double synthetic_stalls(const struct synthetic *synthetic, const char *name, u64 select)
{
	double most = CLOCKS, least = CLOCKS;
	unsigned int level;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(stalls); i++)
		if (!strncmp(name, stalls[i].name, strlen(stalls[i].name)))
			break;
	if (i == ARRAY_SIZE(stalls))
		return -1;
	for (level = 0; level <= stalls[i].level; level++) {
		most = least;
		least *= synthetic_part(synthetic, 32 + level);
	}
	return least + (most - least) * synthetic_part(synthetic, 64 + select);
}

/*
 * Returns an invented count of an event. If @select has a counter mask N, the count is the number
 * of cycles with at least N occurrences; otherwise it is the number of occurrences. @key is a
 * number that identifies the event, whatever counter mask is used.
 */
static double synthetic_plain(const struct synthetic *synthetic, u64 select, u64 key)
{
	unsigned int cmask = (select & BPMU_SEL_CMASK) >> BPMU_SEL_CMASK_SHIFT;
	double count = 4 * CLOCKS * (0.01 + synthetic_part(synthetic, key));
	double cycles = CLOCKS;
	unsigned int n;

	for (n = 1; n <= cmask; n++)
		cycles = fmin(cycles, count / n) *
			 (0.5 + synthetic_part(synthetic, key + n) / 2);
	if (!cmask)
		return count;
	if (select & BPMU_SEL_EDGE)
		cycles *= synthetic_part(synthetic, key + n);
	return select & BPMU_SEL_INV ? CLOCKS - cycles : cycles;
}

static bool synthetic_is(const char *name, const char *event)
{
	size_t len = strlen(event);

	return !strncmp(name, event, len) && (!name[len] || !strcmp(name + len, "_P"));
}

static double synthetic_count(const struct synthetic *synthetic,
			      const struct bpmu_event *row,
			      const struct bpmu_event_term *term)
{
	const struct bpmu_part *part = synthetic->list->cpu.part;
	u64 own = row ? row->select & FILTERS : 0;
	const struct bpmu_event *general = NULL;
	u64 select = term->select;
	const char *name = row ? row->name : "";
	double count, issued;
	u64 key;

	if (term->counters == BPMU_BIT(BPMU_METRICS_COUNTER))
		return synthetic_field(synthetic, (select & BPMU_METRICS_FIELD) >> 8);
	if (synthetic_is(name, "TOPDOWN.SLOTS"))
		return synthetic_slots(synthetic);
	/*
	 * INT_MISC.UOP_DROPPING counts a part of the slots of Frontend Bound, which is field 2 of
	 * PERF_METRICS.
	 */
	if (synthetic_is(name, "INT_MISC.UOP_DROPPING"))
		return synthetic_field(synthetic, 2) * synthetic_part(synthetic, 61);
	if (synthetic_is(name, "CPU_CLK_UNHALTED.DISTRIBUTED"))
		return synthetic_slots(synthetic) / part->issue_width;
	if (!((select ^ own) & (FILTERS | BPMU_SEL_ANY)) &&
	    (synthetic_is(name, "CPU_CLK_UNHALTED.THREAD") ||
	     synthetic_is(name, "CPU_CLK_UNHALTED.CORE")))
		return CLOCKS;
	count = (select & FILTERS) == own ? synthetic_stalls(synthetic, name, select) : -1;
	if (count >= 0)
		return count;
	if (term->counters >> BPMU_FIXED_BASE)
		general = bpmu_event_general(part, term->counters);
	if (general)
		select = general->select | (select & BPMU_SEL_ANY);
	/*
	 * @key does not depend on counter mask, invert and edge: with or without these fields, the
	 * event has the same number of occurrences.
	 */
	key = 64 + (select & ~(u64)FILTERS) * 0x10001 + ((u64)term->unit << 56) + term->filter;
	issued = synthetic_plain(synthetic, 0, 63);
	if (synthetic_is(name, "UOPS_ISSUED.ANY"))
		return issued;
	if (synthetic_is(name, "UOPS_RETIRED.RETIRE_SLOTS") ||
	    synthetic_is(name, "UOPS_RETIRED.SLOTS"))
		return issued * synthetic_part(synthetic, 62);
	return synthetic_plain(synthetic, select, key);
}

static struct bpmu_value synthetic_value(void *ctx, const char *name)
{
	const struct synthetic *synthetic = ctx;
	struct bpmu_value value = { .known = false };
	struct bpmu_event_spec spec;
	struct bpmu_error ignored;
	double number = 0;
	unsigned int t;

	if (bpmu_metric_constant(name) == BPMU_CONSTANT_SMT)
		return bpmu_value_of(synthetic->smt);
	if (bpmu_metric_constant(name) >= 0)
		return bpmu_value_of(2);
	if (bpmu_event_parse(&synthetic->list->pmu, synthetic->smt, name, &spec,
			     &ignored))
		return value;
	for (t = 0; t < spec.nr; t++)
		number += spec.term[t].sign *
			  synthetic_count(synthetic, spec.row, &spec.term[t]);
	bpmu_event_free(&spec);
	return bpmu_value_of(number);
}

/*
 * Returns true if two formulas have different values for any of several sets of invented counts. If
 * a formula has no value for a set, because it divides by 0, this set is not used.
 */
static bool formulas_differ(const struct bpmu_list *list, const struct bpmu_formula *tma,
			    const struct bpmu_formula *paper)
{
	struct bpmu_value a, b;
	bool compared = false;
	unsigned int n;

	for (n = 0; n < SYNTHETIC_SETS; n++) {
		struct synthetic synthetic = { .list = list, .seed = n, .smt = n % 2 };

		a = bpmu_formula_eval(tma, synthetic_value, &synthetic);
		b = bpmu_formula_eval(paper, synthetic_value, &synthetic);
		if (!a.known || !b.known)
			continue;
		if (fabs(a.number - b.number) > TOLERANCE)
			return true;
		compared = true;
	}
	return !compared;
}

/*
 * Compares node @i of Intel's tree with node @j of the tree of the Top-Down paper. Returns 1 if
 * their formulas have different values, 0 if not, or -ENOMEM.
 */
static int nodes_differ(const struct bpmu_list *list,
			const struct bpmu_metrics *tma, unsigned int i,
			const struct bpmu_metrics *paper, unsigned int j)
{
	struct bpmu_formula ours = { }, theirs = { };
	struct bpmu_error ignored;
	int ret;

	ret = bpmu_formula_make(&theirs, tma, tma->metric[i].expr, &ignored);
	if (!ret)
		ret = bpmu_formula_make(&ours, paper, paper->metric[j].expr, &ignored);
	if (!ret)
		ret = formulas_differ(list, &theirs, &ours);
	bpmu_formula_free(&theirs);
	bpmu_formula_free(&ours);
	return ret;
}

/**
 * bpmu_list_paper() - tell for a list how a node of Intel's tree differs from the paper's node
 * @list: state of "barepmu list"
 * @tma: metrics of Intel's tree
 * @i: index of the node
 *
 * Return: "Retiring is the same" or "MITE differs: FORMULA", to be freed; NULL if the tree of the
 * Top-Down paper has no node that means the same.
 */
char *bpmu_list_paper(const struct bpmu_list *list, const struct bpmu_metrics *tma,
		      unsigned int i)
{
	struct bpmu_metrics paper;
	struct bpmu_error ignored;
	const char *name = NULL;
	char *text = NULL;
	size_t size;
	int differ = -1;
	size_t n;
	FILE *out;
	int j = -1;

	for (n = 0; n < ARRAY_SIZE(equivalent); n++)
		if (!strcmp(equivalent[n][0], tma->metric[i].name))
			name = equivalent[n][1];
	if (!name)
		return NULL;
	if (!bpmu_metrics_builtin(&paper, "topdown", list->cpu.part, &ignored))
		j = bpmu_metrics_find(&paper, name);
	if (j >= 0)
		differ = nodes_differ(list, tma, i, &paper, j);
	out = differ < 0 ? NULL : open_memstream(&text, &size);
	if (out) {
		if (differ) {
			fprintf(out, "%s differs: ", name);
			bpmu_expr_print(out, paper.metric[j].expr);
		} else {
			fprintf(out, "%s is the same", name);
		}
		fclose(out);
	}
	bpmu_metrics_free(&paper);
	return text;
}
