// SPDX-License-Identifier: GPL-2.0
#include "target.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "smt.h"

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

static bool is_name(const char *cpus)
{
	return cpus && isalpha((unsigned char)*cpus);
}

static int find_cpus(struct bpmu_target *target, const char *cpus,
		     struct bpmu_error *err)
{
	int code = 0;

	if (!is_name(cpus))
		code = bpmu_cpulist_select(cpus, &target->cpus, err);
	if (!code)
		code = bpmu_client_open(&target->client, err);
	if (!code && is_name(cpus))
		code = bpmu_target_named(target->client, cpus, &target->cpus,
					 err);
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
 * @cpus: list, name of a kind, or NULL for all that are online
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

static int choose_cpus(struct bpmu_target *target, const char *name,
		       const char *cpus, struct bpmu_error *err)
{
	const struct bpmu_recording_about *about = target->recorded;
	char *all = bpmu_cpulist_format(&about->cpus);
	unsigned int i;
	int code;

	if (!all)
		return bpmu_error_set(err, -ENOMEM,
				      "CPU list: out of memory; free some");
	code = bpmu_cpulist_parse(cpus ?: all, &target->cpus, err);
	if (code == -ENODEV)
		bpmu_error_set(err, code,
			       "CPU list '%s': not all are in %s; choose of %s",
			       cpus, name, all);
	for (i = 0; !code && i < target->cpus.nr; i++)
		if (!bpmu_cpulist_has(&about->cpus, target->cpus.cpu[i]))
			code = bpmu_error_set(err, -ENODEV,
				"CPU %u: is not in %s; choose of %s",
				target->cpus.cpu[i], name, all);
	free(all);
	if (code)
		return code;
	target->cpus_text = bpmu_cpulist_format(&target->cpus);
	return target->cpus_text ? 0 :
		bpmu_error_set(err, -ENOMEM,
			       "CPU list: out of memory; free some");
}

/**
 * bpmu_target_recorded() - what somebody else measured on
 * @target: filled in; close it with bpmu_target_close()
 * @about: of the recording, or of the session
 * @name: of that, for errors
 * @cpus: list, or NULL for all that were measured
 * @err: set on failure
 *
 * Context: process.
 * Return: 0 or a negative errno.
 */
int bpmu_target_recorded(struct bpmu_target *target,
			 const struct bpmu_recording_about *about,
			 const char *name, const char *cpus,
			 struct bpmu_error *err)
{
	int code;

	memset(target, 0, sizeof(*target));
	target->recorded = about;
	target->info = about->info;
	target->smt = about->smt;
	code = choose_cpus(target, name, cpus, err);
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

static int recorded_rows(const struct bpmu_target *target, enum bpmu_rows_by by,
			 struct bpmu_rows *rows, struct bpmu_error *err)
{
	const struct bpmu_recording_about *about = target->recorded;
	struct bpmu_smt_place *places;
	unsigned int i, k;
	int code;

	memset(rows, 0, sizeof(*rows));
	places = calloc(target->cpus.nr, sizeof(*places));
	if (!places)
		return bpmu_error_set(err, -ENOMEM,
				      "rows: out of memory; free some");
	for (i = 0, k = 0; i < target->cpus.nr; i++) {
		while (about->cpus.cpu[k] != target->cpus.cpu[i])
			k++;
		places[i] = about->place[k];
	}
	code = bpmu_rows_make(rows, by, &target->cpus, places, err);
	free(places);
	return code;
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
		return recorded_rows(target, by, rows, err);
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
