// SPDX-License-Identifier: GPL-2.0
/*
 * Schedules the events of "barepmu stat", and those of its metrics.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "metric/metric.h"
#include "source/tree_target.h"
#include "stat.h"
#include "tree/level.h"

#define LIST_MAX 320

/* Whether an event is perf's event @name, at any privilege level. */
static bool counts(const struct bpmu_stat *stat,
		   const struct bpmu_event_spec *spec, const char *name)
{
	const struct bpmu_event_alias *alias;
	size_t nr, i;

	if (!spec->row || spec->nr != 1 ||
	    (spec->term[0].select ^ spec->row->select) & ~BPMU_STAT_LEVELS)
		return false;
	alias = bpmu_event_aliases(stat->target.info.pmu.part, &nr);
	for (i = 0; i < nr; i++)
		if (!strcmp(alias[i].name, name))
			return !strcmp(alias[i].event, spec->row->name);
	return false;
}

static int stat_schedule_show(struct bpmu_stat *stat, const struct bpmu_event_spec *spec,
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
	bpmu_errata_of_event(&stat->errata_cpu, spec, &grown->errata);
	return 0;
}

static int show_wanted(struct bpmu_stat *stat, struct bpmu_error *err)
{
	unsigned int i;
	int code = 0;

	for (i = 0; i < stat->wanted.events.nr && !code; i++)
		code = stat_schedule_show(stat, &stat->wanted.events.spec[i],
					  stat->wanted.events.spec[i].text, err);
	return code;
}

/* Adds the metrics' events to those shown; each event once, even if several groups count it. */
static int show_metric_events(struct bpmu_stat *stat, struct bpmu_error *err)
{
	const struct bpmu_event_spec *spec;
	unsigned int g, i;
	int code = 0;

	for (g = 0; g < stat->tree.nr_groups; g++) {
		for (i = 0; i < stat->tree.events[g].nr && !code; i++) {
			spec = &stat->tree.events[g].spec[i];
			if (bpmu_tree_event(&stat->tree, spec) == spec)
				code = stat_schedule_show(stat, spec, spec->text, err);
		}
	}
	return code;
}

/* adds groups of the events of -e that no metric needs */
static int stat_schedule_join(struct bpmu_stat *stat, struct bpmu_error *err)
{
	struct bpmu_event_list *events = &stat->wanted.events;
	const struct bpmu_event_spec *used;
	struct bpmu_event_list more = { };
	unsigned int i;
	int code = 0;

	if (bpmu_tree_beside(&stat->tree, &stat->target.info.pmu,
			     stat->target.smt, events, &more))
		return bpmu_error_no_memory(err, "stat");
	for (i = 0; i < events->nr && !code; i++) {
		used = bpmu_tree_event(&stat->tree, &events->spec[i]);
		code = stat_schedule_show(stat, used ?: &events->spec[i],
					  events->spec[i].text, err);
	}
	if (!code && bpmu_target_has_siblings(&stat->target) &&
	    stat->tree.groups.rules.leak[0] < 0 &&
	    bpmu_groups_leak(&stat->target.info.pmu, &more))
		code = bpmu_error_set(err, -ENOTSUP,
				      "-e: an event disturbs counts of the core's other thread; count it without -M");
	if (!code)
		code = bpmu_tree_join(&stat->tree, &more, stat->wanted.together,
				      err);
	free(more.spec);
	return code;
}

static int check_multiplexed(const struct bpmu_stat *stat, struct bpmu_error *err)
{
	const struct bpmu_groups *groups = &stat->tree.groups;
	char list[LIST_MAX] = "";
	size_t len = 0;
	unsigned int g, i;

	if (!stat->wanted.together ||
	    bpmu_groups_most(groups) < 2)
		return 0;
	for (g = 0; g < groups->nr; g++)
		for (i = 0; i < groups->group[g].events.nr &&
		     len < sizeof(list); i++)
			len += snprintf(list + len, sizeof(list) - len,
					"%s%s", i ? "," : g ? " | " : "",
					groups->group[g].events.spec[i].text);
	return bpmu_error_set(err, -ENOSPC,
			      "metrics: their events would be multiplexed: %s%s; ask for fewer metrics, or drop --no-multiplex",
			      list, len < sizeof(list) ? "" : "...");
}

static int stat_schedule_metrics(struct bpmu_stat *stat, struct bpmu_error *err)
{
	struct bpmu_tree_wish wish = {
		.errata = &stat->errata_cpu, .level = BPMU_TREE_ALL,
	};
	struct bpmu_target *target = &stat->target;
	int code;

	code = bpmu_machine_find(&stat->machine, target, err);
	if (code)
		return code;
	bpmu_choice_wish(&stat->choice, &wish);
	code = bpmu_tree_on_target(&stat->tree, &wish, target, err);
	if (!code)
		code = check_multiplexed(stat, err);
	if (code)
		return code;
	bpmu_machine_set(&stat->machine, &stat->tree);
	stat->groups = &stat->tree.groups;
	stat->values = calloc((size_t)stat->rows.nr * stat->tree.metrics.nr,
			      sizeof(*stat->values));
	if (!stat->values)
		return bpmu_error_no_memory(err, "stat");
	if (!stat->wanted.text)
		return stat->metric_only ? 0 : show_metric_events(stat, err);
	code = bpmu_event_list_parse(&target->info.pmu, target->smt,
				     stat->wanted.text, &stat->wanted.events,
				     err);
	return code ? code : stat_schedule_join(stat, err);
}

/*
 * The default metrics, of method "basic". They need six events, three of which have fixed counters.
 * @instead: metric for a CPU model that cannot count the thread's reference cycles, by the core's.
 */
static const struct {
	const char *name;
	const char *instead;
} everyday[] = {
	{ "IPC" }, { "GHz", "Frequency" }, { "Utilization", "Busy" },
	{ "CPUs_Used" }, { "Branch_MPKI" }, { "MPKI" }
};

#define EVERYDAY_FIXED 3
#define EVERYDAY_GENERAL 3

/* Whether this machine can count an event, which is not of a core's counters. */
static bool is_usable(const struct bpmu_stat *stat, const char *name)
{
	struct bpmu_event_spec spec;
	struct bpmu_error ignored;

	if (bpmu_event_parse(&stat->target.info.pmu, stat->target.smt, name,
			     &spec, &ignored))
		return false;
	bpmu_event_free(&spec);
	return true;
}

/*
 * Adds the DRAM bandwidth to the default metrics, if its counters are there: those of the memory
 * channels of a server, or the free-running counters of a client's memory controllers.
 */
static int add_bandwidth(struct bpmu_stat *stat, struct bpmu_error *err)
{
	if (stat->no_bandwidth || !(is_usable(stat, "MEMORY.READS") ||
				    is_usable(stat, "UNC_M_CAS_COUNT.RD")))
		return 0;
	stat->bandwidth = true;
	return bpmu_choice_add_names(&stat->choice, "DRAM_Read_Rate,DRAM_Write_Rate", err);
}

/**
 * bpmu_stat_add_level() - add the metrics of -l and --method to those that stat schedules
 * @stat: with all options
 *
 * Return: 0, -EINVAL for a level that the method does not have, or if there are no metrics of
 * which --method could be, or -ENOMEM.
 */
int bpmu_stat_add_level(struct bpmu_stat *stat, struct bpmu_error *err)
{
	struct bpmu_choice *choice = &stat->choice;
	char groups[BPMU_LEVEL_GROUPS];
	int code;

	if (stat->level) {
		code = bpmu_level_groups(groups, choice->asked, stat->level, err);
		return code ? code : bpmu_choice_add_names(choice, groups, err);
	}
	if (!choice->asked || bpmu_stat_has_metrics(stat))
		return 0;
	return bpmu_error_set(err, -EINVAL,
			      "--method: is of -l and -M; add -l 1");
}

/**
 * bpmu_stat_everyday() - let stat schedule the default metrics
 * @stat: with a target, without a request
 *
 * These are common metrics that the CPU model supports, if they fit on the
 * counters together with the default events.
 */
int bpmu_stat_everyday(struct bpmu_stat *stat, struct bpmu_error *err)
{
	const struct bpmu_pmu *pmu = &stat->target.info.pmu;
	struct bpmu_metrics basic;
	struct bpmu_error ignored;
	const char *name;
	size_t i;
	int code;

	if (pmu->gp_counters < EVERYDAY_GENERAL ||
	    (pmu->fixed_counters < EVERYDAY_FIXED &&
	     pmu->gp_counters < EVERYDAY_GENERAL + EVERYDAY_FIXED) ||
	    bpmu_metrics_builtin(&basic, "basic", pmu->part, &ignored))
		return 0;
	code = bpmu_wanted_add(&stat->wanted, BPMU_WANTED_DEFAULT, err);
	for (i = 0; i < ARRAY_SIZE(everyday) && !code; i++) {
		name = everyday[i].name;
		if (bpmu_metrics_find(&basic, name) < 0)
			name = is_usable(stat, "CORE.MPERF") ?
			       everyday[i].instead : NULL;
		if (name)
			code = bpmu_choice_add_names(&stat->choice, name, err);
	}
	bpmu_metrics_free(&basic);
	if (!code && is_usable(stat, "POWER.PKG"))
		code = bpmu_choice_add_names(&stat->choice, "Package_Power",
					     err);
	return code ? code : add_bandwidth(stat, err);
}

/**
 * bpmu_stat_schedule() - schedule all requested events and metrics of stat
 * @stat: with target, rows and options
 */
int bpmu_stat_schedule(struct bpmu_stat *stat, struct bpmu_error *err)
{
	struct bpmu_pmu *pmu = &stat->target.info.pmu;
	int code;

	bpmu_vendor_this_cpu(&stat->choice.vendor);
	if (bpmu_stat_has_metrics(stat)) {
		stat->choice.board = pmu;
		code = bpmu_choice_load(&stat->choice, pmu, err);
	} else {
		code = bpmu_choice_load_events(&stat->choice, pmu, err);
	}
	if (code)
		return code;
	/* use the descriptor with the events that were loaded from files */
	bpmu_errata_cpu_init(&stat->errata_cpu, &stat->target.info,
			     stat->target.smt);
	if (bpmu_stat_has_metrics(stat)) {
		code = stat_schedule_metrics(stat, err);
	} else {
		code = bpmu_wanted_schedule(&stat->wanted, &stat->target, err);
		stat->groups = &stat->wanted.groups;
		if (!code)
			code = show_wanted(stat, err);
	}
	if (!code)
		code = bpmu_stat_row_forms(stat, err);
	return code ? code : bpmu_stat_metric_forms(stat, err);
}

/**
 * bpmu_stat_release() - free a schedule of stat
 * @stat: in any state
 */
void bpmu_stat_release(struct bpmu_stat *stat)
{
	bpmu_stat_forms_free(stat);
	free(stat->shown);
	free(stat->values);
	bpmu_tree_free(&stat->tree);
	bpmu_wanted_free(&stat->wanted);
	bpmu_choice_free(&stat->choice);
}
