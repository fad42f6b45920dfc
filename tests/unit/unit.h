/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_UNIT_H
#define BPMU_UNIT_H

#include <stdio.h>

#include "arch.h"
#include "metric/metric_formula.h"
#include "source/analysis.h"
#include "test.h"
#include "tree/tree.h"

/**
 * struct unit_check - a check that unit_run_parts() runs for every CPU model
 * @name: sentence that is true if the check passes
 * @run: function that makes the check; its argument *state is the descriptor of the CPU model
 */
struct unit_check {
	const char *name;
	CMUnitTestFunction run;
};

/* Defines a check that needs no CPU model. Other checks get the CPU model from *state. */
#define PART_CHECK(name) static void name(__attribute__((unused)) void **state)

/**
 * struct unit_count - made-up count of an event
 * @event: text of the event
 * @count: how often it happened
 */
struct unit_count {
	const char *event;
	double count;
};

double unit_count_of(const struct unit_count *counts, size_t nr,
		     const char *event);
struct bpmu_pmu unit_pmu(const char *part, unsigned int gp);
unsigned int unit_most_counters(const struct bpmu_part *part, int smt);
int unit_run_parts(const char *group, const struct unit_check *checks,
		   size_t nr);
void unit_target(struct bpmu_target *target, const char *part, u32 first);
void unit_core_type(struct bpmu_analysis *analysis, const char *part, u32 first);
void unit_file(char *path, const char *text);
void unit_capture_begin(FILE *stream);
char *unit_capture_end(void);
void unit_text(const char *name, char *text);
bool unit_file_said(const char *text, const char *says, const struct bpmu_error *err);
bool unit_event_said(const char *text, const char *says, const char *error);
void unit_says(char *text, const char *const *parts);
int unit_tree(struct bpmu_tree *tree, const char *text,
	      const struct bpmu_pmu *pmu, unsigned int level,
	      struct bpmu_error *err);
struct bpmu_value unit_value(const struct bpmu_metrics *lines, const struct bpmu_expr *expr,
			     bpmu_lookup_fn *lookup, void *ctx);
void unit_totals(const struct bpmu_tree *tree, const double *counts[BPMU_TREE_GROUPS]);

/*
 * Flags of a sample with the bank @name of the sample's counters in bits 31:16. In the module's
 * protocol the bank is a separate member of struct bpmu_sample.
 */
#define OF(name) (BPMU_BANK_##name << 16)

#endif /* BPMU_UNIT_H */
