// SPDX-License-Identifier: GPL-2.0
#include "target.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event/smt.h"

static int find_pmu(struct bpmu_target *target, struct bpmu_error *err)
{
	int code;

	code = bpmu_client_pmu_of(target->client, target->cpus.cpu[0],
				  &target->info, err);
	if (code)
		return code;
	target->smt = bpmu_smt_active();
	return bpmu_client_listen(target->client, err);
}

/**
 * bpmu_target_is_name() - does -C name a kind
 * @cpus: what was given, or NULL
 *
 * Context: any.
 * Return: true if so, false for a list.
 */
bool bpmu_target_is_name(const char *cpus)
{
	return cpus && isalpha((unsigned char)*cpus);
}

/* nobody has named them, and they are to be left in peace */
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
			fprintf(stderr, "barepmu: CPU %s: isolated and left out; name %s with -C to measure %s\n",
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
	if (code)
		return code;
	target->cpus_text = bpmu_cpulist_format(&target->cpus);
	if (target->cpus_text)
		return 0;
	return bpmu_error_set(err, -ENOMEM, "CPU list: out of memory");
}

/**
 * bpmu_target_open_any() - connect to the module and choose CPUs of any kinds
 * @target: filled in; close it with bpmu_target_close()
 * @cpus: list, name of a kind, or NULL for all that are online and not isolated,
 *	which is said
 * @err: filled on an error
 *
 * Return: 0 or a negative errno.
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

static bool siblings_among(const struct bpmu_smt_place *place, unsigned int nr)
{
	unsigned int i, k;

	for (i = 0; i < nr; i++)
		for (k = 0; k < i; k++)
			if (place[i].package == place[k].package &&
			    place[i].core == place[k].core)
				return true;
	return false;
}

/**
 * bpmu_target_has_siblings() - are both threads of some core measured
 * @target: opened
 *
 * Of a recording all its CPUs decide, whichever are looked at now: groups are
 * made as they were.
 *
 * Return: true if so, and if the kernel does not say.
 */
bool bpmu_target_has_siblings(const struct bpmu_target *target)
{
	const struct bpmu_recording_about *about = target->recorded;
	struct bpmu_smt_place *places;
	bool siblings;

	if (!target->smt)
		return false;
	if (about)
		return siblings_among(about->place, about->cpus.nr);
	places = calloc(target->cpus.nr, sizeof(*places));
	if (!places)
		return true;
	bpmu_smt_find_all(&target->cpus, places);
	siblings = siblings_among(places, target->cpus.nr);
	free(places);
	return siblings;
}

/**
 * bpmu_target_rows() - put the CPUs into rows
 * @target: opened
 * @by: what a row is
 * @rows: filled in; free it with bpmu_rows_free(), on an error too
 * @err: set on failure
 *
 * Context: process.
 * Return: as of bpmu_rows_make().
 */
int bpmu_target_rows(const struct bpmu_target *target, enum bpmu_rows_by by,
		     struct bpmu_rows *rows, struct bpmu_error *err)
{
	if (target->recorded)
		return bpmu_target_recorded_rows(target, by, rows, err);
	return bpmu_rows_find(rows, by, &target->cpus, err);
}

/**
 * bpmu_target_close() - disconnect and free
 * @target: opened, or closed already
 */
void bpmu_target_close(struct bpmu_target *target)
{
	bpmu_client_close(target->client);
	bpmu_cpulist_free(&target->cpus);
	free(target->cpus_text);
	memset(target, 0, sizeof(*target));
}
