/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Prepares an analysis: finds the core types of the CPUs, and what has to be counted on each.
 *
 *   struct bpmu_analysis analysis = { };
 *   for each option: bpmu_choice_add_names(&analysis.choice), bpmu_wanted_add(&analysis.wanted)
 *   bpmu_analysis_open(&analysis, cpus, &err), or bpmu_analysis_recorded();
 *   bpmu_analysis_ask(&analysis, &err), bpmu_analysis_events(&analysis, &err);
 *   bpmu_analysis_keep(&analysis, prepare, data, false, &err);
 *   bpmu_analysis_measure(&analysis, &measure, &err);
 *   bpmu_analysis_free(&analysis);
 */
#ifndef BPMU_ANALYSIS_H
#define BPMU_ANALYSIS_H

#include "event/rows.h"
#include "machine.h"
#include "measure.h"
#include "target.h"
#include "tree/errata.h"
#include "tree/metric_choice.h"
#include "tree/tree.h"
#include "wanted.h"

/**
 * struct bpmu_core_type - what is counted on the CPUs of a core type
 * @name: short name of the core type, such as "adl-e"; NULL if no other core type is measured
 * @target: CPUs of the core type, and their PMU
 * @wanted: requested events, and the groups that count them
 * @choice: requested metrics, and the events and metrics from the user's files
 * @errata: properties of the CPU that determine its errata
 * @machine: constants of the machine for formulas
 * @wish: parameters with which @tree is made
 * @tree: the metrics, and the groups of their events
 * @groups: groups to measure: the groups of @tree, or the groups of @wanted
 * @rows: rows of the result, such as cores or dies, if the user asks for rows
 */
struct bpmu_core_type {
	const char *name;
	struct bpmu_target target;
	struct bpmu_wanted wanted;
	struct bpmu_choice choice;
	struct bpmu_errata_cpu errata;
	struct bpmu_machine machine;
	struct bpmu_tree_wish wish;
	struct bpmu_tree tree;
	const struct bpmu_groups *groups;
	struct bpmu_rows rows;
};

/**
 * struct bpmu_analysis - what the user requests, and what each core type counts for it
 * @wanted: requested events; they are parsed and scheduled by the core types, not here
 * @choice: requested metrics; their files are loaded by the core types, not here
 * @type: core types, [@described]. First come the @nr core types that are measured, in the order of
 *	their lowest CPUs. Then come the core types of a recording that are not measured, because
 *	the user chose none of their CPUs. The target of the first core type owns the connection to
 *	the module; all core types use this connection
 * @nr: number of core types that are measured, 1 to BPMU_CORE_TYPES
 * @described: number of all core types in @type, also of those that are not measured
 * @core: memory for the core types to which @type points; other structures point to them, so that
 *	they must not be moved
 * @target: targets of the core types, [@nr], then NULL; set by bpmu_analysis_measure()
 * @cpus: CPUs of all core types, set by bpmu_analysis_measure()
 */
struct bpmu_analysis {
	struct bpmu_wanted wanted;
	struct bpmu_choice choice;
	struct bpmu_core_type *type[BPMU_CORE_TYPES];
	unsigned int nr;
	unsigned int described;
	struct bpmu_core_type core[BPMU_CORE_TYPES];
	const struct bpmu_target *target[BPMU_CORE_TYPES];
	u32 *cpus;
};

/**
 * typedef bpmu_core_type_prepare - prepare a core type of an analysis to count what is requested
 * @data: argument that the caller of bpmu_analysis_keep() has given
 * @type: core type with its CPUs and the requested events and metrics. The function has to set
 *	&bpmu_core_type.groups, unless the caller of bpmu_analysis_keep() does so later
 * @err: set if the core type cannot count what is requested
 *
 * Return: 0 or a negative errno.
 */
typedef int bpmu_core_type_prepare(void *data, struct bpmu_core_type *type,
				   struct bpmu_error *err);

int bpmu_core_type_load(struct bpmu_core_type *type, struct bpmu_error *err);
int bpmu_core_type_load_whole(struct bpmu_core_type *type, struct bpmu_error *err);
int bpmu_core_type_load_events(struct bpmu_core_type *type, struct bpmu_error *err);
int bpmu_core_type_tree(struct bpmu_core_type *type, struct bpmu_error *err);
int bpmu_core_type_schedule(struct bpmu_core_type *type, struct bpmu_error *err);
void bpmu_core_type_free(struct bpmu_core_type *type);

int bpmu_analysis_open(struct bpmu_analysis *analysis, const char *cpus,
		       struct bpmu_error *err);
int bpmu_analysis_recorded(struct bpmu_analysis *analysis,
			   const struct bpmu_recording_about *about, const char *name,
			   const char *cpus, struct bpmu_error *err);
int bpmu_analysis_ask(struct bpmu_analysis *analysis, struct bpmu_error *err);
int bpmu_analysis_events(struct bpmu_analysis *analysis, struct bpmu_error *err);
int bpmu_analysis_choose(const struct bpmu_analysis *analysis, struct bpmu_error *err);
int bpmu_analysis_keep(struct bpmu_analysis *analysis, bpmu_core_type_prepare *prepare,
		       void *data, bool all, struct bpmu_error *err);
void bpmu_analysis_drop(struct bpmu_analysis *analysis, unsigned int k);
void bpmu_analysis_name(struct bpmu_analysis *analysis);
int bpmu_analysis_measure(struct bpmu_analysis *analysis, struct bpmu_measure *measure,
			  struct bpmu_error *err);
void bpmu_analysis_close(struct bpmu_analysis *analysis);
void bpmu_analysis_free(struct bpmu_analysis *analysis);

#endif /* BPMU_ANALYSIS_H */
