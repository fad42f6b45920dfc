/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The metrics that a command line requests: --metrics PATH, --events PATH and
 * -M NAMES.
 *
 *   struct bpmu_choice choice = { };
 *   for each option: bpmu_choice_add_path(), bpmu_choice_add_names()
 *   bpmu_choice_load(&choice, &pmu, &err);
 *   bpmu_choice_wish(&choice, &wish);
 *   bpmu_tree_make(&tree, &wish, &err);
 *   bpmu_choice_free(&choice), after the tree and all its events
 */
#ifndef BPMU_METRIC_CHOICE_H
#define BPMU_METRIC_CHOICE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/fields.h"
#include "tree.h"
#include "vendor/vendor.h"

#define BPMU_CHOICE_PATHS 16

/**
 * struct bpmu_choice - the options that choose metrics, and the metrics that they choose
 * @path: arguments of --metrics, [@nr_paths]
 * @nr_paths: number of @path
 * @events: argument of --events, or NULL
 * @unmeasured: true if mean retire latencies are measured later, see &bpmu_metrics.unmeasured
 * @apart: true if the counts are from another tool, see &struct bpmu_tree_wish
 * @paper: true to use the formulas as the Top-Down paper prints them
 * @memory_by: argument of --memory-by, or NULL
 * @names: arguments of all options -M, joined with commas; NULL for all metrics
 * @asked: name of the method that --method requests, or NULL for the CPU model's default method
 * @board: PMU of this machine, which may lack some counters of the CPU model; NULL if metrics are
 *	chosen for another CPU model than this machine's
 * @method: name of the method to which @lines belong; NULL if @lines are from files of --metrics
 * @own: metrics of @method, or of metric files in the tool's own format
 * @vendor: contents of Intel's files
 * @lines: the metrics to choose from, which are @own or the metrics in @vendor
 * @chosen: true if the metric was requested, [number of @lines]
 */
struct bpmu_choice {
	const char *path[BPMU_CHOICE_PATHS];
	unsigned int nr_paths;
	const char *events;
	bool unmeasured;
	bool apart;
	bool paper;
	const char *memory_by;
	char *names;
	const char *asked;
	const struct bpmu_pmu *board;
	const char *method;
	struct bpmu_metrics own;
	struct bpmu_vendor_set vendor;
	struct bpmu_metrics *lines;
	bool *chosen;
};

int bpmu_choice_add_path(struct bpmu_choice *choice, const char *path,
			 struct bpmu_error *err);
int bpmu_choice_add_names(struct bpmu_choice *choice, const char *names,
			  struct bpmu_error *err);
int bpmu_choice_take_method(struct bpmu_choice *choice, const char *text,
			    struct bpmu_error *err);
int bpmu_choice_copy(struct bpmu_choice *to, const struct bpmu_choice *from,
		     struct bpmu_error *err);
int bpmu_choice_load_events(struct bpmu_choice *choice, struct bpmu_pmu *pmu,
			    struct bpmu_error *err);
int bpmu_choice_load_paths(struct bpmu_choice *choice, struct bpmu_pmu *pmu,
			   struct bpmu_error *err);
int bpmu_choice_load(struct bpmu_choice *choice, struct bpmu_pmu *pmu,
		     struct bpmu_error *err);
int bpmu_choice_check(const struct bpmu_choice *choice, struct bpmu_error *err);
bool bpmu_choice_is_whole(const struct bpmu_choice *choice);
void bpmu_choice_wish(struct bpmu_choice *choice, struct bpmu_tree_wish *wish);
const char *bpmu_choice_refused(const struct bpmu_choice *choice,
				unsigned int i);
const char *bpmu_choice_unflagged(const struct bpmu_choice *choice,
				  unsigned int i);
const char *bpmu_choice_groups(const struct bpmu_choice *choice,
			       unsigned int i);
void bpmu_choice_report(const struct bpmu_choice *choice,
			struct bpmu_table *table, struct bpmu_field *row,
			unsigned int nr);
void bpmu_choice_free(struct bpmu_choice *choice);

#endif /* BPMU_METRIC_CHOICE_H */
