// SPDX-License-Identifier: GPL-2.0
#include "target.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event/topology.h"

#define NAMES_MAX 64

static int target_describe(struct bpmu_target *target, struct bpmu_client *client,
			   struct bpmu_error *err)
{
	target->smt = bpmu_topology_smt();
	target->cpus_text = bpmu_cpulist_format(&target->cpus);
	if (!target->cpus_text)
		return bpmu_error_no_memory(err, "CPU list");
	return bpmu_client_pmu_of(client, target->cpus.cpu[0], &target->info,
				  err);
}

/*
 * Sets @all to the CPUs of @a and @b in ascending order. The caller frees @all. Returns 0 or
 * -ENOMEM.
 */
static int target_merge(const struct bpmu_cpulist *a, const struct bpmu_cpulist *b,
			struct bpmu_cpulist *all, struct bpmu_error *err)
{
	unsigned int i = 0, k = 0;

	all->nr = 0;
	all->cpu = calloc(a->nr + b->nr, sizeof(*all->cpu));
	if (!all->cpu)
		return bpmu_error_no_memory(err, "CPU list");
	while (i < a->nr || k < b->nr) {
		if (k == b->nr || (i < a->nr && a->cpu[i] < b->cpu[k]))
			all->cpu[all->nr++] = a->cpu[i++];
		else
			all->cpu[all->nr++] = b->cpu[k++];
	}
	return 0;
}

/* Moves CPUs from @target to @rest: all CPUs whose core type is not that of @target's first CPU. */
static int divide_core_types(struct bpmu_client *client, struct bpmu_target *target,
			     struct bpmu_target *rest, struct bpmu_error *err)
{
	struct bpmu_cpulist alike;
	int code;

	code = bpmu_client_alike(client, target->cpus.cpu[0], &alike, err);
	if (!code)
		code = bpmu_cpulist_divide(&target->cpus, &alike, &rest->cpus, err);
	bpmu_cpulist_free(&alike);
	return code;
}

/**
 * bpmu_target_split() - separate the CPUs of the first core type of a target from the rest
 * @client: connection to the module
 * @target: target with CPUs; it keeps only the CPUs that are of the same core type as its first CPU
 * @rest: set to a target with the other CPUs, without a connection; it has no CPUs if all CPUs are
 *	of one core type. Close it with bpmu_target_close()
 */
int bpmu_target_split(struct bpmu_client *client, struct bpmu_target *target,
		      struct bpmu_target *rest, struct bpmu_error *err)
{
	int code;

	memset(rest, 0, sizeof(*rest));
	code = divide_core_types(client, target, rest, err);
	if (code || !rest->cpus.nr)
		return code;
	free(target->cpus_text);
	code = target_describe(target, client, err);
	return code ? code : target_describe(rest, client, err);
}

/**
 * bpmu_target_choose() - refuse a target of several core types where only one type can be measured
 * @target: the CPUs of each core type, [@nr]
 * @nr: number of core types, at least 2
 * @err: set to a message with the CPU list and name of each core type
 *
 * Return: -EINVAL.
 */
int bpmu_target_choose(const struct bpmu_target *const *target, unsigned int nr,
		       struct bpmu_error *err)
{
	char list[2 * BPMU_ERROR_EXCERPT] = "";
	size_t len = 0;
	unsigned int k;

	for (k = 0; k < nr && len < sizeof(list); k++)
		len += snprintf(list + len, sizeof(list) - len, "%s-C %s (%s)",
				k ? " or " : "", target[k]->cpus_text, target[k]->info.part);
	return bpmu_error_set(err, -EINVAL,
			      "the CPUs have %s core types; choose one with %s",
			      nr == 2 ? "two" : "several", list);
}

/**
 * bpmu_target_open() - connect to the module and choose a target: CPUs to measure, of one core type
 * @target: filled in; close it with bpmu_target_close()
 * @cpus: list of CPUs, name of a core type, or NULL for all CPUs that are online and not isolated
 *
 * Return: 0, -EINVAL if the CPUs are of two core types, or another negative errno.
 */
int bpmu_target_open(struct bpmu_target *target, const char *cpus,
		     struct bpmu_error *err)
{
	struct bpmu_target rest = { };
	const struct bpmu_target *const both[] = { target, &rest };
	int code;

	code = bpmu_target_open_any(target, cpus, err);
	if (!code)
		code = bpmu_target_split(target->client, target, &rest, err);
	if (!code && rest.cpus.nr)
		code = bpmu_target_choose(both, 2, err);
	bpmu_target_close(&rest);
	if (code)
		bpmu_target_close(target);
	return code;
}

/**
 * bpmu_target_named() - find the CPUs of a target by the name of their core type
 * @client: connection to the module
 * @name: short name of the core type, such as "adl-e", as the module reports it
 * @cpus: set to the online CPUs of the core type; free it with bpmu_cpulist_free(), also after an
 *	error
 *
 * Return: 0, -ENODEV if no CPU is of the core type, or another negative errno.
 */
int bpmu_target_named(struct bpmu_client *client, const char *name,
		      struct bpmu_cpulist *cpus, struct bpmu_error *err)
{
	struct bpmu_target left = { .client = client };
	struct bpmu_target others = { };
	char names[NAMES_MAX] = "";
	size_t len = 0;
	int code;

	code = bpmu_cpulist_online(&left.cpus, err);
	while (!code && left.cpus.nr) {
		code = divide_core_types(client, &left, &others, err);
		if (!code)
			code = bpmu_client_info_of(client, left.cpus.cpu[0],
						   &left.info, err);
		if (code || !strcmp(left.info.part, name))
			break;
		len += snprintf(names + len, sizeof(names) - len, "%s%s",
				len ? " and " : "", left.info.part);
		bpmu_cpulist_free(&left.cpus);
		left.cpus = others.cpus;
		others.cpus.cpu = NULL;
	}
	bpmu_cpulist_free(&others.cpus);
	*cpus = left.cpus;
	if (code || cpus->nr)
		return code;
	return bpmu_error_set(err, -ENODEV,
		"-C: no CPU is of core type '%s'; here they are %s", name,
		names);
}

/*
 * Sets @all to the CPUs of all core types of a recording in ascending order. The caller frees @all.
 * Returns 0 or -ENOMEM.
 */
static int merge_core_types(const struct bpmu_recording_about *about,
			    struct bpmu_cpulist *all, struct bpmu_error *err)
{
	struct bpmu_cpulist before;
	unsigned int i;
	int code = 0;

	*all = (struct bpmu_cpulist){ };
	for (i = 0; i <= about->others && !code; i++) {
		before = *all;
		code = target_merge(&before, &about[i].cpus, all, err);
		bpmu_cpulist_free(&before);
	}
	return code;
}

static int target_check_cpus(const struct bpmu_cpulist *chosen,
			     const struct bpmu_cpulist *all, const char *text,
			     const char *name, struct bpmu_error *err)
{
	unsigned int i;

	for (i = 0; i < chosen->nr; i++)
		if (!bpmu_cpulist_has(all, chosen->cpu[i]))
			return bpmu_error_set(err, -ENODEV,
				"CPU %u: is not in %s; choose from %s",
				chosen->cpu[i], name, text);
	return 0;
}

static int choose_numbers(struct bpmu_cpulist *chosen,
			  const struct bpmu_cpulist *all, const char *name,
			  const char *cpus, struct bpmu_error *err)
{
	char *text = bpmu_cpulist_format(all);
	int code;

	if (!text)
		return bpmu_error_no_memory(err, "CPU list");
	code = bpmu_cpulist_parse(cpus ?: text, chosen, err);
	if (code == -ENODEV)
		bpmu_error_set(err, code,
			       "CPU list '%s': not all are in %s; choose from %s",
			       cpus, name, text);
	if (!code)
		code = target_check_cpus(chosen, all, text, name, err);
	free(text);
	return code;
}

static int choose_name(struct bpmu_cpulist *chosen,
		       const struct bpmu_recording_about *about,
		       const char *name, const char *type,
		       struct bpmu_error *err)
{
	const struct bpmu_recording_about *end = &about[about->others + 1];
	char names[NAMES_MAX] = "";
	size_t len = 0;

	*chosen = (struct bpmu_cpulist){ };
	for (; about < end && strcmp(type, about->info.part); about++)
		len += snprintf(names + len, sizeof(names) - len, "%s%s",
				len ? " and " : "", about->info.part);
	if (about == end)
		return bpmu_error_set(err, -ENODEV,
			"-C: no CPU is of core type '%s'; in %s they are %s",
			type, name, names);
	chosen->cpu = calloc(about->cpus.nr, sizeof(*chosen->cpu));
	if (!chosen->cpu)
		return bpmu_error_no_memory(err, "CPU list");
	memcpy(chosen->cpu, about->cpus.cpu,
	       about->cpus.nr * sizeof(*chosen->cpu));
	chosen->nr = about->cpus.nr;
	return 0;
}

static int choose_cpus(struct bpmu_cpulist *chosen,
		       const struct bpmu_recording_about *about,
		       const char *name, const char *cpus,
		       struct bpmu_error *err)
{
	struct bpmu_cpulist all;
	int code;

	if (bpmu_target_is_name(cpus))
		return choose_name(chosen, about, name, cpus, err);
	code = merge_core_types(about, &all, err);
	if (!code)
		code = choose_numbers(chosen, &all, name, cpus, err);
	bpmu_cpulist_free(&all);
	return code;
}

/*
 * Fills in the target of one core type from the description of a recording. @target->cpus_text
 * names the CPUs of this core type that the user chose. If the user chose none of them, the text
 * names all CPUs of this core type.
 */
static int describe_recorded(struct bpmu_target *target,
			     const struct bpmu_recording_about *about,
			     struct bpmu_error *err)
{
	target->recorded = about;
	target->info = about->info;
	target->smt = about->smt;
	target->cpus_text = bpmu_cpulist_format(target->cpus.nr ?
						&target->cpus : &about->cpus);
	return target->cpus_text ? 0 : bpmu_error_no_memory(err, "CPU list");
}

/*
 * Moves the targets that have CPUs to the front of the array; returns how many have CPUs. A target
 * has no CPUs if the user requested none of the core type.
 */
static unsigned int order_recorded(struct bpmu_target *const target[BPMU_CORE_TYPES])
{
	struct bpmu_target with;
	unsigned int nr = 0;
	unsigned int k;

	for (k = 0; k < BPMU_CORE_TYPES; k++) {
		if (!target[k]->cpus.nr)
			continue;
		with = *target[k];
		*target[k] = *target[nr];
		*target[nr++] = with;
	}
	return nr;
}

/**
 * bpmu_target_recorded_types() - make the targets of a recording or of another process's session
 * @target: zeroed, [BPMU_CORE_TYPES]; each is filled in with those of @cpus that are of one core
 *	type, in the order of the recording. If a core type has none of @cpus, its target comes
 *	last and has no CPUs, and its member cpus_text names all measured CPUs of the core type.
 *	Close all targets, also after an error
 * @nr: set to the number of targets that have CPUs
 * @about: description of the recording or session
 * @name: name of the recording or session, for errors
 * @cpus: list of CPUs, name of a core type, or NULL for all CPUs that were measured
 *
 * Return: 0, -ENODEV if none of @cpus was measured, or another negative errno.
 */
int bpmu_target_recorded_types(struct bpmu_target *const target[BPMU_CORE_TYPES],
			       unsigned int *nr, const struct bpmu_recording_about *about,
			       const char *name, const char *cpus, struct bpmu_error *err)
{
	struct bpmu_cpulist left = { }, rest;
	unsigned int k;
	int code;

	*nr = 0;
	code = choose_cpus(&left, about, name, cpus, err);
	for (k = 0; k <= about->others && !code; k++) {
		rest = (struct bpmu_cpulist){ };
		code = bpmu_cpulist_divide(&left, &about[k].cpus, &rest, err);
		target[k]->cpus = left;
		left = rest;
		if (!code)
			code = describe_recorded(target[k], &about[k], err);
	}
	bpmu_cpulist_free(&left);
	if (!code)
		*nr = order_recorded(target);
	return code;
}

/**
 * bpmu_target_recorded() - make the target of a recording or session with a single core type
 * @target: filled in; close it with bpmu_target_close()
 * @about: description of the recording or session
 * @name: name of the recording or session, for errors
 * @cpus: list of CPUs, name of a core type, or NULL for all CPUs that were measured
 *
 * Return: 0, -EINVAL if the CPUs are of two core types, or another negative errno.
 */
int bpmu_target_recorded(struct bpmu_target *target,
			 const struct bpmu_recording_about *about,
			 const char *name, const char *cpus,
			 struct bpmu_error *err)
{
	struct bpmu_target types[BPMU_CORE_TYPES] = { };
	struct bpmu_target *each[BPMU_CORE_TYPES];
	unsigned int k, nr;
	int code;

	for (k = 0; k < BPMU_CORE_TYPES; k++)
		each[k] = &types[k];
	code = bpmu_target_recorded_types(each, &nr, about, name, cpus, err);
	if (!code && nr > 1)
		code = bpmu_target_choose((const struct bpmu_target *const *)each, nr, err);
	*target = types[0];
	if (code)
		bpmu_target_close(target);
	for (k = 1; k < BPMU_CORE_TYPES; k++)
		bpmu_target_close(&types[k]);
	return code;
}

/**
 * bpmu_target_recorded_rows() - make the rows of a target's result from the CPUs of a recording
 * @target: target of a recording, or of a session of another process
 * @by: what each row of the result is about, such as a core: it has the sums over the core's CPUs
 * @rows: filled in; free it with bpmu_rows_free(), also after an error
 *
 * Return: 0 or a negative errno, as of bpmu_rows_make().
 */
int bpmu_target_recorded_rows(const struct bpmu_target *target,
			      enum bpmu_rows_by by, struct bpmu_rows *rows,
			      struct bpmu_error *err)
{
	const struct bpmu_recording_about *about = target->recorded;
	struct bpmu_topology *topology;
	unsigned int i, k;
	int code;

	memset(rows, 0, sizeof(*rows));
	topology = calloc(target->cpus.nr, sizeof(*topology));
	if (!topology)
		return bpmu_error_no_memory(err, "rows");
	for (i = 0, k = 0; i < target->cpus.nr; i++) {
		while (about->cpus.cpu[k] != target->cpus.cpu[i])
			k++;
		topology[i] = about->topology[k];
	}
	code = bpmu_rows_make(rows, by, &target->cpus, topology, err);
	free(topology);
	return code;
}

static int find_pmu(struct bpmu_target *target, struct bpmu_error *err)
{
	int code;

	code = bpmu_client_pmu_of(target->client, target->cpus.cpu[0],
				  &target->info, err);
	if (code)
		return code;
	target->smt = bpmu_topology_smt();
	return bpmu_client_listen(target->client, err);
}

/**
 * bpmu_target_is_name() - check if the argument of -C names a target by its core type, not by CPUs
 * @cpus: argument of -C, or NULL
 *
 * Return: true for a core type, such as "adl-e"; false for a list of CPUs, or without -C.
 */
bool bpmu_target_is_name(const char *cpus)
{
	return cpus && isalpha((unsigned char)*cpus);
}

/*
 * Formats a note for the user, as printf() does. Returns the text of the note, which the caller
 * frees; NULL if out of memory.
 */
__printf(1, 2)
static char *target_note(const char *fmt, ...)
{
	va_list args;
	char *text;

	va_start(args, fmt);
	if (vasprintf(&text, fmt, args) < 0)
		text = NULL;
	va_end(args);
	return text;
}

/*
 * Removes the isolated CPUs from a target, because the user has not named them, and stores a note
 * for the user with their numbers. Returns -ENODEV if no other CPUs are left.
 */
static int leave_isolated(struct bpmu_target *target, struct bpmu_error *err)
{
	struct bpmu_cpulist isolated, rest = { };
	char *text;
	int code;

	code = bpmu_client_isolated(target->client, &isolated, err);
	if (!code && isolated.nr)
		code = bpmu_cpulist_divide(&target->cpus, &isolated, &rest, err);
	if (!code && isolated.nr) {
		text = bpmu_cpulist_format(&target->cpus);
		bpmu_cpulist_free(&target->cpus);
		target->cpus = rest;
		if (rest.nr)
			target->left_out[0] =
				target_note("CPU %s: isolated and left out; name %s with -C to measure %s",
					    text ?: "?", isolated.nr > 1 ? "them" : "it",
					    isolated.nr > 1 ? "them" : "it");
		else
			code = bpmu_error_set(err, -ENODEV,
					      "CPU %s: isolated, and there is no other; name them with -C to measure them",
					      text ?: "?");
		free(text);
	}
	bpmu_cpulist_free(&isolated);
	return code;
}

/*
 * Removes the CPUs of a third core type from a target, and stores a note for the user with their
 * numbers. A session can measure only two core types. The two are the core type of the CPU with the
 * lowest number, and the core type of the lowest CPU that is of another type.
 */
static int leave_third_core_type(struct bpmu_target *target, struct bpmu_error *err)
{
	struct bpmu_target second = { .client = target->client }, third = { };
	struct bpmu_cpulist two = { };
	char *text;
	int code;

	code = divide_core_types(target->client, target, &second, err);
	if (!code && second.cpus.nr)
		code = divide_core_types(target->client, &second, &third, err);
	if (!code && third.cpus.nr)
		code = bpmu_client_info_of(target->client, third.cpus.cpu[0],
					   &third.info, err);
	if (!code)
		code = target_merge(&target->cpus, &second.cpus, &two, err);
	if (!code) {
		bpmu_cpulist_free(&target->cpus);
		target->cpus = two;
	}
	if (!code && third.cpus.nr) {
		text = bpmu_cpulist_format(&third.cpus);
		target->left_out[1] =
			target_note("CPU %s: of a third core type and left out; measure that with -C %s",
				    text ?: "?", third.info.part);
		free(text);
	}
	bpmu_cpulist_free(&second.cpus);
	bpmu_cpulist_free(&third.cpus);
	return code;
}

static int find_cpus(struct bpmu_target *target, const char *cpus,
		     struct bpmu_error *err)
{
	int code = 0;

	if (!bpmu_target_is_name(cpus))
		code = bpmu_cpulist_select(cpus, &target->cpus, err);
	if (!code)
		code = bpmu_client_open(&target->client, err);
	if (!code && bpmu_target_is_name(cpus))
		code = bpmu_target_named(target->client, cpus, &target->cpus,
					 err);
	if (!code && !cpus)
		code = leave_isolated(target, err);
	if (!code && !cpus)
		code = leave_third_core_type(target, err);
	if (code)
		return code;
	target->cpus_text = bpmu_cpulist_format(&target->cpus);
	if (target->cpus_text)
		return 0;
	return bpmu_error_no_memory(err, "CPU list");
}

/**
 * bpmu_target_open_any() - open a target: connect to the module and choose CPUs of any core types
 * @target: filled in; close it with bpmu_target_close()
 * @cpus: list of CPUs, name of a core type, or NULL for all CPUs that are online and not isolated
 *
 * Return: 0 or a negative errno; on an error @target is closed already.
 */
int bpmu_target_open_any(struct bpmu_target *target, const char *cpus,
			 struct bpmu_error *err)
{
	int code;

	memset(target, 0, sizeof(*target));
	code = find_cpus(target, cpus, err);
	if (!code)
		code = find_pmu(target, err);
	if (code)
		bpmu_target_close(target);
	return code;
}

static bool siblings_among(const struct bpmu_topology *topology, unsigned int nr)
{
	unsigned int i, k;

	for (i = 0; i < nr; i++)
		for (k = 0; k < i; k++)
			if (bpmu_topology_same_core(&topology[i], &topology[k]))
				return true;
	return false;
}

/**
 * bpmu_target_counted() - event groups that a target, a recording or another's session, has counted
 * @target: open target
 *
 * Return: groups of the recording or of the other process's session; NULL if the target is measured
 * by this process.
 */
const struct bpmu_groups *bpmu_target_counted(const struct bpmu_target *target)
{
	if (!target->recorded)
		return NULL;
	return bpmu_recording_groups(target->recorded, target->cpus.cpu[0]);
}

/**
 * bpmu_target_has_siblings() - check if a target has both threads of any core
 * @target: open target
 *
 * For a recording, all CPUs that were measured are considered, even if @target has only some of
 * them: the result, and the groups that depend on it, have to be the same as during the recording.
 *
 * Return: true if both threads of at least one core are measured, if the topology is unknown, or if
 * out of memory.
 */
bool bpmu_target_has_siblings(const struct bpmu_target *target)
{
	const struct bpmu_recording_about *about = target->recorded;
	struct bpmu_topology *topology;
	bool siblings;

	if (!target->smt)
		return false;
	if (about)
		return siblings_among(about->topology, about->cpus.nr);
	topology = calloc(target->cpus.nr, sizeof(*topology));
	if (!topology)
		return true;
	bpmu_topology_read(&target->cpus, topology);
	siblings = siblings_among(topology, target->cpus.nr);
	free(topology);
	return siblings;
}

/**
 * bpmu_target_rows() - make the rows of a target's result from the CPUs to measure
 * @target: open target
 * @by: what each row of the result is about, such as a core: it has the sums over the core's CPUs
 * @rows: filled in; free it with bpmu_rows_free(), also after an error
 *
 * Return: 0 or a negative errno, as of bpmu_rows_make().
 */
int bpmu_target_rows(const struct bpmu_target *target, enum bpmu_rows_by by,
		     struct bpmu_rows *rows, struct bpmu_error *err)
{
	if (target->recorded)
		return bpmu_target_recorded_rows(target, by, rows, err);
	return bpmu_rows_find(rows, by, &target->cpus, err);
}

/**
 * bpmu_target_close() - disconnect a target and free it
 * @target: open target, or one that is closed already
 */
void bpmu_target_close(struct bpmu_target *target)
{
	bpmu_client_close(target->client);
	bpmu_cpulist_free(&target->cpus);
	free(target->cpus_text);
	free(target->left_out[0]);
	free(target->left_out[1]);
	memset(target, 0, sizeof(*target));
}
