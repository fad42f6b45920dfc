// SPDX-License-Identifier: GPL-2.0
/* Chooses the default metrics of "barepmu stat", and schedules the events that it shows. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "metric/metric.h"
#include "source/tree_target.h"
#include "stat.h"
#include "tree/level.h"

/* Checks if an event is perf's event @name. The privilege levels of the event do not matter. */
static bool counts(const struct bpmu_stat_view *stat,
		   const struct bpmu_event_spec *spec, const char *name)
{
	const struct bpmu_event_alias *alias;
	size_t nr, i;

	if (!spec->row || spec->nr != 1 ||
	    (spec->term[0].select ^ spec->row->select) & ~BPMU_STAT_LEVELS)
		return false;
	alias = bpmu_event_aliases(stat->type->target.info.pmu.part, &nr);
	for (i = 0; i < nr; i++)
		if (!strcmp(alias[i].name, name))
			return !strcmp(alias[i].event, spec->row->name);
	return false;
}

static int stat_schedule_show(struct bpmu_stat_view *stat, const struct bpmu_event_spec *spec,
			      const char *name, struct bpmu_error *err)
{
	struct bpmu_stat_event *grown;

	grown = reallocarray(stat->shown, stat->nr_shown + 1, sizeof(*grown));
	if (!grown)
		return bpmu_error_no_memory(err, "stat");
	stat->shown = grown;
	grown += stat->nr_shown++;
	*grown = (struct bpmu_stat_event){
		.spec = spec, .name = name,
		.cycles = counts(stat, spec, "cycles"),
		.instructions = counts(stat, spec, "instructions"),
	};
	bpmu_errata_of_event(&stat->type->errata, spec, &grown->errata);
	return 0;
}

static int show_wanted(struct bpmu_stat_view *stat, struct bpmu_error *err)
{
	unsigned int i;
	int code = 0;

	for (i = 0; i < stat->type->wanted.events.nr && !code; i++)
		code = stat_schedule_show(stat, &stat->type->wanted.events.spec[i],
					  stat->type->wanted.events.spec[i].text, err);
	return code;
}

/*
 * Makes stat print the events of the metrics. An event that several groups count is printed once.
 */
static int show_metric_events(struct bpmu_stat_view *stat, struct bpmu_error *err)
{
	const struct bpmu_event_spec *spec;
	unsigned int g, i;
	int code = 0;

	for (g = 0; g < stat->type->tree.nr_groups; g++) {
		for (i = 0; i < stat->type->tree.events[g].nr && !code; i++) {
			spec = &stat->type->tree.events[g].spec[i];
			if (bpmu_tree_event(&stat->type->tree, spec) == spec)
				code = stat_schedule_show(stat, spec, spec->text, err);
		}
	}
	return code;
}

/*
 * Makes stat print the events of -e. Events of -e that no metric needs are scheduled in free
 * counters of the groups that count the metrics, or in further groups.
 */
static int stat_schedule_join(struct bpmu_stat_view *stat, struct bpmu_error *err)
{
	struct bpmu_event_list *events = &stat->type->wanted.events;
	const struct bpmu_event_spec *used;
	struct bpmu_event_list more = { };
	unsigned int i;
	int code = 0;

	if (bpmu_tree_beside(&stat->type->tree, &stat->type->target.info.pmu,
			     stat->type->target.smt, events, &more))
		return bpmu_error_no_memory(err, "stat");
	for (i = 0; i < events->nr && !code; i++) {
		used = bpmu_tree_event(&stat->type->tree, &events->spec[i]);
		code = stat_schedule_show(stat, used ?: &events->spec[i],
					  events->spec[i].text, err);
	}
	if (!code && bpmu_target_has_siblings(&stat->type->target) &&
	    stat->type->tree.groups.rules.leak[0] < 0 &&
	    bpmu_groups_leak(&stat->type->target.info.pmu, &more))
		code = bpmu_error_set(err, -ENOTSUP,
				      "-e: an event disturbs counts of the core's other thread; count it without -M");
	if (!code)
		code = bpmu_tree_join(&stat->type->tree, &more, stat->type->wanted.together,
				      err);
	free(more.spec);
	return code;
}

/*
 * The default metrics, of method "basic". @counters: number of general counters that the metric and
 * the default events need together, if the CPU model has fixed counters of cycles, instructions and
 * reference cycles. @instead: metric that replaces @name on CPU models that count reference cycles
 * only per core.
 */
static const struct {
	const char *name;
	const char *instead;
	unsigned int counters;
} everyday[] = {
	{ "IPC", NULL, 2 }, { "GHz", "Frequency", 2 }, { "Utilization", "Busy", 2 },
	{ "CPUs_Used", NULL, 2 }, { "Branch_MPKI", NULL, 2 }, { "MPKI", NULL, 3 }
};

#define EVERYDAY_FIXED 3

/*
 * Checks if this machine has the counters of event @name, an event of the uncore or of a
 * free-running register.
 */
static bool is_usable(const struct bpmu_core_type *type, const char *name)
{
	struct bpmu_event_spec spec;
	struct bpmu_error ignored;

	if (bpmu_event_parse(&type->target.info.pmu, type->target.smt, name,
			     &spec, &ignored))
		return false;
	bpmu_event_free(&spec);
	return true;
}

/*
 * Adds the DRAM bandwidth to the default metrics, if the machine has counters for it: those of a
 * server's memory channels, or the free-running counters of a client's memory controllers.
 */
static int add_bandwidth(struct bpmu_stat *stat, struct bpmu_core_type *type,
			 struct bpmu_error *err)
{
	if (stat->no_bandwidth || !(is_usable(type, "MEMORY.READS") ||
				    is_usable(type, "UNC_M_CAS_COUNT.RD")))
		return 0;
	stat->bandwidth = true;
	return bpmu_choice_add_names(&type->choice, "DRAM_Read_Rate,DRAM_Write_Rate", err);
}

/**
 * bpmu_stat_add_level() - let stat schedule the metrics of -l and --method
 * @stat: the call of "barepmu stat", with all options
 *
 * Return: 0; -EINVAL for a level that the method does not have, or for --method without metrics; or
 * -ENOMEM.
 */
int bpmu_stat_add_level(struct bpmu_stat *stat, struct bpmu_error *err)
{
	struct bpmu_choice *choice = &stat->analysis.choice;
	char groups[BPMU_LEVEL_GROUPS];
	int code;

	if (stat->level) {
		code = bpmu_level_groups(groups, choice->asked, stat->level, err);
		return code ? code : bpmu_choice_add_names(choice, groups, err);
	}
	if (!choice->asked || bpmu_stat_has_metrics(choice))
		return 0;
	return bpmu_error_set(err, -EINVAL,
			      "--method: is of -l and -M; add -l 1");
}

/**
 * bpmu_stat_everyday() - let stat schedule the default metrics
 * @stat: opened by bpmu_stat_open(), with a single core type; no event or metric was requested
 *
 * The default metrics are those that the CPU model can measure together with the default events,
 * without multiplexing, such as IPC.
 */
int bpmu_stat_everyday(struct bpmu_stat *stat, struct bpmu_error *err)
{
	struct bpmu_core_type *type = stat->analysis.type[0];
	const struct bpmu_pmu *pmu = &type->target.info.pmu;
	struct bpmu_metrics basic;
	struct bpmu_error ignored;
	unsigned int left = pmu->gp_counters;
	const char *name;
	size_t i;
	int code;

	if (pmu->fixed_counters < EVERYDAY_FIXED)
		left -= left < EVERYDAY_FIXED ? left : EVERYDAY_FIXED;
	if (left < everyday[0].counters ||
	    bpmu_metrics_builtin(&basic, "basic", pmu->part, &ignored))
		return 0;
	code = bpmu_wanted_add(&type->wanted, BPMU_WANTED_DEFAULT, err);
	for (i = 0; i < ARRAY_SIZE(everyday) && !code; i++) {
		if (everyday[i].counters > left)
			continue;
		name = everyday[i].name;
		if (bpmu_metrics_find(&basic, name) < 0)
			name = is_usable(type, "CORE.MPERF") ?
			       everyday[i].instead : NULL;
		if (name)
			code = bpmu_choice_add_names(&type->choice, name, err);
	}
	bpmu_metrics_free(&basic);
	if (!code && is_usable(type, "POWER.PKG"))
		code = bpmu_choice_add_names(&type->choice, "Package_Power",
					     err);
	return code ? code : add_bandwidth(stat, type, err);
}

/*
 * Schedules the events of -e together with the metrics. Without -e, makes stat print the events
 * that the metrics need.
 */
static int show_metrics(struct bpmu_stat_view *stat, struct bpmu_error *err)
{
	struct bpmu_core_type *type = stat->type;
	int code;

	if (!type->wanted.text)
		return stat->call->metric_only ? 0 : show_metric_events(stat, err);
	code = bpmu_event_list_parse(&type->target.info.pmu, type->target.smt,
				     type->wanted.text, &type->wanted.events, err);
	return code ? code : stat_schedule_join(stat, err);
}

/**
 * bpmu_stat_show() - schedule a core type's events for stat
 * @stat: what stat prints of a core type. If metrics were requested, they must be in the tree of
 *	the core type; otherwise this function schedules the events
 */
int bpmu_stat_show(struct bpmu_stat_view *stat, struct bpmu_error *err)
{
	int code;

	if (bpmu_stat_has_metrics(&stat->type->choice))
		return show_metrics(stat, err);
	code = bpmu_core_type_schedule(stat->type, err);
	return code ? code : show_wanted(stat, err);
}
