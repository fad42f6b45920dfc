// SPDX-License-Identifier: GPL-2.0
#include "analysis.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tree_target.h"

static int core_type_load(struct bpmu_core_type *type,
			  int (*of)(struct bpmu_choice *, struct bpmu_pmu *, struct bpmu_error *),
			  struct bpmu_error *err)
{
	struct bpmu_pmu *pmu = &type->target.info.pmu;
	int code;

	bpmu_vendor_this_cpu(&type->choice.vendor);
	type->choice.board = pmu;
	code = of(&type->choice, pmu, err);
	if (code)
		return code;
	/* The errata are found last, because the loaded files may add events, which have errata. */
	bpmu_errata_cpu_init(&type->errata, &type->target.info, type->target.smt);
	return 0;
}

/**
 * bpmu_core_type_load() - analysis of a core type: load requested metrics and user's event files
 * @type: core type. The caller has set its members target and choice; this function sets its
 *	members errata and machine
 *
 * Return: 0, or an error of bpmu_choice_load() or bpmu_machine_find().
 */
int bpmu_core_type_load(struct bpmu_core_type *type, struct bpmu_error *err)
{
	int code = core_type_load(type, bpmu_choice_load, err);

	return code ? code : bpmu_machine_find(&type->machine, &type->target, err);
}

/**
 * bpmu_core_type_load_whole() - load the metrics for an analysis: those that -M names, or else all
 * @type: core type. The caller has set its members target and choice
 *
 * If the user names no metric, the metrics that this machine cannot count are left out without a
 * message.
 *
 * Return: 0 or a negative errno, as of bpmu_core_type_load().
 */
int bpmu_core_type_load_whole(struct bpmu_core_type *type, struct bpmu_error *err)
{
	int code = bpmu_core_type_load(type, err);

	if (!type->choice.names)
		type->choice.board = NULL;
	return code;
}

/**
 * bpmu_core_type_load_events() - load events of the user's files for the analysis of a core type
 * @type: core type. The caller has set its members target and choice; this function sets errata
 *
 * Return: 0 or a negative errno, as of bpmu_choice_load_events().
 */
int bpmu_core_type_load_events(struct bpmu_core_type *type, struct bpmu_error *err)
{
	return core_type_load(type, bpmu_choice_load_events, err);
}

/**
 * bpmu_core_type_tree() - make the tree for the analysis of one core type
 * @type: core type that bpmu_core_type_load() has loaded. The caller has set those parameters of
 *	the tree (@type->wish) that do not depend on the core type, such as the level. @type->tree
 *	and @type->groups are filled in
 *
 * Return: 0 or a negative errno, as of bpmu_tree_on_target().
 */
int bpmu_core_type_tree(struct bpmu_core_type *type, struct bpmu_error *err)
{
	int code;

	type->wish.errata = &type->errata;
	bpmu_choice_wish(&type->choice, &type->wish);
	code = bpmu_tree_on_target(&type->tree, &type->wish, &type->target, err);
	if (code)
		return code;
	bpmu_machine_set(&type->machine, &type->tree);
	type->groups = &type->tree.groups;
	return 0;
}

/**
 * bpmu_core_type_schedule() - schedule the requested events of an analysis, those of one core type
 * @type: core type that bpmu_core_type_load_events() has loaded; its @groups is set to the groups
 *	of the events
 *
 * Return: 0 or a negative errno, as of bpmu_wanted_schedule().
 */
int bpmu_core_type_schedule(struct bpmu_core_type *type, struct bpmu_error *err)
{
	int code = bpmu_wanted_schedule(&type->wanted, &type->target, err);

	if (!code)
		type->groups = &type->wanted.groups;
	return code;
}

/**
 * bpmu_core_type_free() - free what an analysis has of a core type, and close its target
 * @type: core type in any state; zeroed on return
 */
void bpmu_core_type_free(struct bpmu_core_type *type)
{
	bpmu_rows_free(&type->rows);
	bpmu_tree_free(&type->tree);
	bpmu_wanted_free(&type->wanted);
	bpmu_choice_free(&type->choice);
	bpmu_target_close(&type->target);
	memset(type, 0, sizeof(*type));
}

/**
 * bpmu_analysis_open() - open an analysis: connect to the module, and find the CPUs' core types
 * @analysis: analysis without core types; the core types of the CPUs are added
 * @cpus: list of CPUs, name of a core type, or NULL for all CPUs that are online and not isolated
 *
 * Return: 0, or an error of bpmu_target_open_any() or bpmu_target_split(). The caller frees
 * @analysis with bpmu_analysis_free(), also after an error.
 */
int bpmu_analysis_open(struct bpmu_analysis *analysis, const char *cpus,
		       struct bpmu_error *err)
{
	struct bpmu_core_type *core = analysis->core;
	unsigned int k;
	int code;

	code = bpmu_target_open_any(&core->target, cpus, err);
	for (k = 0; !code && k < BPMU_CORE_TYPES && core[k].target.cpus.nr; k++) {
		analysis->type[k] = &core[k];
		analysis->nr = k + 1;
		if (analysis->nr < BPMU_CORE_TYPES)
			code = bpmu_target_split(core->target.client, &core[k].target,
						 &core[k + 1].target, err);
	}
	analysis->described = analysis->nr;
	return code;
}

/**
 * bpmu_analysis_recorded() - open an analysis of a recording or another process's session
 * @analysis: analysis without core types; the core types of the recording or session are added
 * @about: description of the recording or session
 * @name: name of the recording or session, for errors
 * @cpus: list of CPUs, name of a core type, or NULL for all CPUs that were measured
 *
 * Return: 0, -ENODEV if none of @cpus was measured, or another negative errno. The caller frees
 * @analysis with bpmu_analysis_free(), also after an error.
 */
int bpmu_analysis_recorded(struct bpmu_analysis *analysis,
			   const struct bpmu_recording_about *about, const char *name,
			   const char *cpus, struct bpmu_error *err)
{
	struct bpmu_target *target[BPMU_CORE_TYPES];
	unsigned int k;
	int code;

	for (k = 0; k < BPMU_CORE_TYPES; k++)
		target[k] = &analysis->core[k].target;
	code = bpmu_target_recorded_types(target, &analysis->nr, about, name, cpus, err);
	for (k = 0; !code && k < BPMU_CORE_TYPES && target[k]->cpus_text; k++) {
		analysis->type[k] = &analysis->core[k];
		analysis->described = k + 1;
	}
	return code;
}

/**
 * bpmu_analysis_ask() - copy the requests of an analysis, except for events, to each core type
 * @analysis: has core types, and what the user requests; bpmu_analysis_events() adds the events
 *
 * Return: 0 or -ENOMEM.
 */
int bpmu_analysis_ask(struct bpmu_analysis *analysis, struct bpmu_error *err)
{
	struct bpmu_core_type *type;
	unsigned int k;
	int code = 0;

	for (k = 0; k < analysis->nr && !code; k++) {
		type = analysis->type[k];
		type->wanted.together = analysis->wanted.together;
		type->wanted.periods = analysis->wanted.periods;
		code = bpmu_choice_copy(&type->choice, &analysis->choice, err);
	}
	return code;
}

/**
 * bpmu_analysis_choose() - refuse an analysis of several core types where only one can be measured
 * @analysis: analysis with core types
 *
 * Return: 0 if there is only one core type; else -EINVAL, and the message has the CPU list and the
 * name of each core type.
 */
int bpmu_analysis_choose(const struct bpmu_analysis *analysis, struct bpmu_error *err)
{
	const struct bpmu_target *target[BPMU_CORE_TYPES];
	unsigned int k;

	for (k = 0; k < analysis->nr; k++)
		target[k] = &analysis->type[k]->target;
	return analysis->nr > 1 ? bpmu_target_choose(target, analysis->nr, err) : 0;
}

/*
 * Returns -ENOTSUP, with an error message, if the groups of @type, the second core type, have
 * events of the package: only CPUs of the first core type read the package's counters.
 */
static int check_package(const struct bpmu_core_type *type, struct bpmu_error *err)
{
	enum bpmu_bank_id bank;

	for (bank = 0; type->groups && bank < BPMU_BANKS; bank++)
		if (bpmu_bank_is_shared(bank) && type->groups->nr_of[bank])
			return bpmu_error_set(err, -ENOTSUP,
				"metrics: of %s need events of the package, which is read on the first CPU's core type; choose CPU %s with -C",
				type->target.info.part, type->target.cpus_text);
	return 0;
}

/**
 * bpmu_analysis_drop() - leave a core type out of an analysis
 * @analysis: analysis with several core types
 * @k: index of the core type in @analysis->type. The core type is freed. If another core type is
 *	left, the connection to the module stays open
 */
void bpmu_analysis_drop(struct bpmu_analysis *analysis, unsigned int k)
{
	struct bpmu_client *client = analysis->type[0]->target.client;
	struct bpmu_core_type *left = analysis->type[k];

	analysis->type[0]->target.client = NULL;
	analysis->nr--;
	analysis->described--;
	memmove(&analysis->type[k], &analysis->type[k + 1],
		(analysis->described - k) * sizeof(left));
	analysis->type[analysis->described] = NULL;
	if (analysis->nr)
		analysis->type[0]->target.client = client;
	else
		left->target.client = client;
	bpmu_core_type_free(left);
}

/**
 * bpmu_analysis_name() - name the core types of an analysis if there are several
 * @analysis: has the core types. If there is only one core type, the member name of the core type
 *	is set to NULL
 */
void bpmu_analysis_name(struct bpmu_analysis *analysis)
{
	unsigned int k;

	for (k = 0; k < analysis->nr; k++)
		analysis->type[k]->name = analysis->nr > 1 ?
					  analysis->type[k]->target.info.part : NULL;
}

/*
 * Prints a note on each core type that cannot count what the user has requested. @code is 0 for a
 * core type that can count it, else the error; @why has the error messages, [@nr]. The error -EXDEV
 * gets no note: with an event such as cpu_core/cycles/ the user has chosen another core type.
 */
static void note_left_out(const struct bpmu_analysis *analysis, const int *code,
			  const struct bpmu_error *why, unsigned int nr)
{
	const struct bpmu_target *target;
	unsigned int k, i, said;

	for (k = 0; k < analysis->nr; k++) {
		if (!code[k] || code[k] == -EXDEV)
			continue;
		fprintf(stderr, "barepmu: %s; counted on", why[k].text);
		for (i = 0, said = 0; i < nr; i++) {
			target = &analysis->type[i]->target;
			if (!code[i])
				fprintf(stderr, "%s CPU %s (%s)", said++ ? " and" : "",
					target->cpus_text, target->info.part);
		}
		fputs(" alone\n", stderr);
	}
}

/*
 * Checks if the core type of @target has the event. Sets @shared to true if the event is counted
 * once for the whole package.
 */
static int try_event(const struct bpmu_target *target, const char *event,
		     bool *shared, struct bpmu_error *err)
{
	struct bpmu_event_list list = { };
	int code;

	code = bpmu_event_list_parse(&target->info.pmu, target->smt, event, &list, err);
	if (!code)
		*shared |= bpmu_bank_is_shared(
			bpmu_unit_facts[list.spec[0].term[0].unit].bank);
	bpmu_event_list_free(&list);
	return code;
}

/*
 * Adds an event to the requested events of each core type that has this event. An event that is
 * counted once for the whole package is added only to the first core type.
 */
static int share_event(void *data, const char *event, struct bpmu_error *err)
{
	struct bpmu_analysis *analysis = data;
	struct bpmu_error why[BPMU_CORE_TYPES];
	int code[BPMU_CORE_TYPES];
	unsigned int k, can = 0;
	bool shared = false;
	int ret = 0;

	for (k = 0; k < analysis->described; k++) {
		code[k] = try_event(&analysis->type[k]->target, event, &shared, &why[k]);
		can += !code[k];
	}
	/*
	 * If an event such as cpu_atom/cycles/ names a core type, report the error of this core
	 * type. The error of the other core type is only -EXDEV: not its event.
	 */
	for (k = 0; !can && k + 1 < analysis->described && code[k] == -EXDEV; k++)
		;
	if (!can || (analysis->nr > 1 && code[0] && shared)) {
		*err = why[k];
		return code[k];
	}
	note_left_out(analysis, code, why, analysis->described);
	for (k = 0; k < analysis->nr && !ret; k++)
		if (!code[k] && (!k || !shared))
			ret = bpmu_wanted_add(&analysis->type[k]->wanted, event, err);
	return ret;
}

/**
 * bpmu_analysis_events() - add the requested events of an analysis to the core types that have them
 * @analysis: analysis with core types. The events that a core type has are added to
 *	&bpmu_wanted.text of this core type. The text stays NULL if the core type has no requested
 *	event
 *
 * Prints a note on an event that a measured core type lacks. An event that is counted once for the
 * whole package is added only to the first core type. If no events were requested and there are
 * several core types, each of them counts BPMU_WANTED_DEFAULT.
 *
 * Return: 0, the error of an event that no core type has, or -ENOMEM.
 */
int bpmu_analysis_events(struct bpmu_analysis *analysis, struct bpmu_error *err)
{
	const char *text = analysis->wanted.text;

	if (analysis->nr > 1 && !text)
		text = BPMU_WANTED_DEFAULT;
	if (!text)
		return 0;
	/*
	 * The files of the user are not loaded yet, so it is unknown which core types have an
	 * event.
	 */
	if (analysis->described < 2 || analysis->choice.events)
		return bpmu_wanted_add(&analysis->type[0]->wanted, text, err);
	return bpmu_event_list_each(text, share_event, analysis, err);
}

/**
 * bpmu_analysis_keep() - prepare an analysis: keep the core types that can count what is requested
 * @analysis: analysis whose core types have the requested events and metrics
 * @prepare: called for each core type, to prepare the measurement on it
 * @data: passed to @prepare
 * @all: true to refuse the request if one of the core types cannot count it; false to leave such a
 *	core type out and print a note
 *
 * Return: 0, the error of the first core type if no core type can count the request, or the error
 * of bpmu_analysis_choose().
 */
int bpmu_analysis_keep(struct bpmu_analysis *analysis, bpmu_core_type_prepare *prepare,
		       void *data, bool all, struct bpmu_error *err)
{
	struct bpmu_error why[BPMU_CORE_TYPES];
	int code[BPMU_CORE_TYPES];
	unsigned int k, can = 0;

	for (k = 0; k < analysis->nr; k++) {
		code[k] = prepare(data, analysis->type[k], &why[k]);
		if (k && !code[k])
			code[k] = check_package(analysis->type[k], &why[k]);
		can += !code[k];
	}
	if (!can) {
		*err = why[0];
		return code[0];
	}
	if (all && can < analysis->nr)
		return bpmu_analysis_choose(analysis, err);
	note_left_out(analysis, code, why, analysis->nr);
	for (k = analysis->nr; k--;)
		if (code[k])
			bpmu_analysis_drop(analysis, k);
	return 0;
}

/**
 * bpmu_analysis_measure() - set the CPUs and groups of a measurement to those of an analysis
 * @analysis: analysis that bpmu_analysis_keep() has prepared; must outlive @measure. Its members
 *	target and cpus are set
 * @measure: measurement, whose CPUs and groups are set
 *
 * Return: 0 or -ENOMEM.
 */
int bpmu_analysis_measure(struct bpmu_analysis *analysis, struct bpmu_measure *measure,
			  struct bpmu_error *err)
{
	const struct bpmu_cpulist *cpus;
	unsigned int k, nr = 0;

	for (k = 0; k < analysis->nr; k++)
		nr += analysis->type[k]->target.cpus.nr;
	free(analysis->cpus);
	analysis->cpus = calloc(nr, sizeof(*analysis->cpus));
	if (!analysis->cpus)
		return bpmu_error_no_memory(err, "CPU list");
	measure->cpus = analysis->cpus;
	measure->nr_cpus = 0;
	for (k = 0; k < analysis->nr; k++) {
		cpus = &analysis->type[k]->target.cpus;
		analysis->target[k] = &analysis->type[k]->target;
		measure->groups[k] = analysis->type[k]->groups;
		measure->first[k] = measure->nr_cpus;
		memcpy(analysis->cpus + measure->nr_cpus, cpus->cpu, cpus->nr * sizeof(*cpus->cpu));
		measure->nr_cpus += cpus->nr;
	}
	return 0;
}

/**
 * bpmu_analysis_close() - free the core types of an analysis
 * @analysis: analysis in any state; the requested events and metrics are kept, so that
 *	bpmu_analysis_open() can be called again
 */
void bpmu_analysis_close(struct bpmu_analysis *analysis)
{
	unsigned int k;

	/*
	 * The first core type is closed last, because the other core types use its connection to
	 * the module.
	 */
	for (k = BPMU_CORE_TYPES; k--;)
		if (analysis->type[k])
			bpmu_core_type_free(analysis->type[k]);
	for (k = 0; k < BPMU_CORE_TYPES; k++) {
		bpmu_core_type_free(&analysis->core[k]);
		analysis->type[k] = NULL;
		analysis->target[k] = NULL;
	}
	analysis->nr = 0;
	analysis->described = 0;
	free(analysis->cpus);
	analysis->cpus = NULL;
}

/**
 * bpmu_analysis_free() - free an analysis, with the requested events and metrics
 * @analysis: analysis in any state; zeroed
 */
void bpmu_analysis_free(struct bpmu_analysis *analysis)
{
	bpmu_analysis_close(analysis);
	bpmu_wanted_free(&analysis->wanted);
	bpmu_choice_free(&analysis->choice);
	memset(analysis, 0, sizeof(*analysis));
}
