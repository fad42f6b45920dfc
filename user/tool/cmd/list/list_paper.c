// SPDX-License-Identifier: GPL-2.0
/*
 * Where Intel's Top-Down tree and the paper's differ.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "event/event.h"
#include "list.h"
#include "metric/metric.h"
#include "metric/metric_constant.h"
#include "metric/metric_expr.h"

#define POINTS 8
/* Formulas that differ do so by more than this. */
#define CLOSE 0.000000001

/* Pairs of nodes that measure about the same; Intel's name comes first. */
static const char *const same[][2] = {
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

/**
 * struct point - made-up counts: of the same events the same
 * @list: the call
 * @lines: of which method
 * @seed: what the counts are made of
 * @smt: whether threads share a core
 */
struct point {
	const struct bpmu_list *list;
	const struct bpmu_metrics *lines;
	u64 seed;
	int smt;
};

/* A count of about a million, by splitmix64 of the event. */
static double list_paper_count_of(u64 seed)
{
	seed += 0x9e3779b97f4a7c15ULL;
	seed = (seed ^ seed >> 30) * 0xbf58476d1ce4e5b9ULL;
	seed = (seed ^ seed >> 27) * 0x94d049bb133111ebULL;
	return 500000 + (seed >> 44);
}

static struct bpmu_value list_paper_value_of(void *ctx, const char *name)
{
	const struct point *point = ctx;
	int line = bpmu_metrics_find(point->lines, name);
	struct bpmu_value value = { .known = false };
	struct bpmu_event_spec spec;
	struct bpmu_error ignored;
	double number = 0;
	unsigned int t;

	if (line >= 0)
		return bpmu_expr_eval(point->lines->metric[line].expr, list_paper_value_of,
				      ctx);
	if (bpmu_metric_constant(name) == BPMU_CONSTANT_SMT)
		return bpmu_value_of(point->smt);
	if (bpmu_metric_constant(name) >= 0)
		return bpmu_value_of(2);
	if (bpmu_event_parse(&point->list->pmu, point->smt, name, &spec,
			     &ignored))
		return value;
	for (t = 0; t < spec.nr; t++)
		number += spec.term[t].sign *
			  list_paper_count_of(point->seed ^ spec.term[t].select << 8 ^
					      spec.term[t].counters << 40 ^
					      spec.term[t].unit);
	bpmu_event_free(&spec);
	return bpmu_value_of(number);
}

static bool differ(const struct bpmu_list *list,
		   const struct bpmu_metrics *tma, unsigned int i,
		   const struct bpmu_metrics *paper, unsigned int j)
{
	struct bpmu_value a, b;
	unsigned int n;

	for (n = 0; n < POINTS; n++) {
		struct point point = {
			.list = list, .lines = tma, .seed = n, .smt = n % 2,
		};

		a = bpmu_expr_eval(tma->metric[i].expr, list_paper_value_of, &point);
		point.lines = paper;
		b = bpmu_expr_eval(paper->metric[j].expr, list_paper_value_of, &point);
		if (a.known != b.known ||
		    (a.known && (a.number - b.number > CLOSE ||
				 b.number - a.number > CLOSE)))
			return true;
	}
	return false;
}

/**
 * bpmu_list_paper() - what the paper's method has in place of a node
 * @list: the call
 * @tma: lines of Intel's tree
 * @i: number of the node
 *
 * Return: "Retiring is the same" or "MITE differs: FORMULA", to be freed, or
 * NULL if it has nothing.
 */
char *bpmu_list_paper(const struct bpmu_list *list,
		      const struct bpmu_metrics *tma, unsigned int i)
{
	struct bpmu_metrics paper;
	struct bpmu_error ignored;
	const char *name = NULL;
	char *text = NULL;
	size_t size;
	size_t n;
	FILE *out;
	int j = -1;

	for (n = 0; n < ARRAY_SIZE(same); n++)
		if (!strcmp(same[n][0], tma->metric[i].name))
			name = same[n][1];
	if (!name)
		return NULL;
	if (!bpmu_metrics_builtin(&paper, "topdown", list->cpu.part, &ignored))
		j = bpmu_metrics_find(&paper, name);
	out = j < 0 ? NULL : open_memstream(&text, &size);
	if (out) {
		if (differ(list, tma, i, &paper, j)) {
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
