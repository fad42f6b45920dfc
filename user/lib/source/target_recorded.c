// SPDX-License-Identifier: GPL-2.0
/*
 * What somebody else measured on: in a recording, or in his session.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "target.h"

static int no_memory(struct bpmu_error *err)
{
	return bpmu_error_set(err, -ENOMEM,
			      "CPU list: out of memory; free some");
}

/* all CPUs of both kinds, in rising order */
static int list_all(const struct bpmu_recording_about *about,
		    struct bpmu_cpulist *all, struct bpmu_error *err)
{
	static const struct bpmu_cpulist none;
	const struct bpmu_cpulist *a = &about->cpus;
	const struct bpmu_cpulist *b = about->other ? &about->other->cpus :
						      &none;
	unsigned int i = 0, k = 0;

	all->nr = 0;
	all->cpu = calloc(a->nr + b->nr, sizeof(*all->cpu));
	if (!all->cpu)
		return no_memory(err);
	while (i < a->nr || k < b->nr) {
		if (k == b->nr || (i < a->nr && a->cpu[i] < b->cpu[k]))
			all->cpu[all->nr++] = a->cpu[i++];
		else
			all->cpu[all->nr++] = b->cpu[k++];
	}
	return 0;
}

static int check_cpus(const struct bpmu_cpulist *chosen,
		      const struct bpmu_cpulist *all, const char *text,
		      const char *name, struct bpmu_error *err)
{
	unsigned int i;

	for (i = 0; i < chosen->nr; i++)
		if (!bpmu_cpulist_has(all, chosen->cpu[i]))
			return bpmu_error_set(err, -ENODEV,
				"CPU %u: is not in %s; choose of %s",
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
		return no_memory(err);
	code = bpmu_cpulist_parse(cpus ?: text, chosen, err);
	if (code == -ENODEV)
		bpmu_error_set(err, code,
			       "CPU list '%s': not all are in %s; choose of %s",
			       cpus, name, text);
	if (!code)
		code = check_cpus(chosen, all, text, name, err);
	free(text);
	return code;
}

static int choose_name(struct bpmu_cpulist *chosen,
		       const struct bpmu_recording_about *about,
		       const char *name, const char *kind,
		       struct bpmu_error *err)
{
	const struct bpmu_recording_about *other = about->other;

	*chosen = (struct bpmu_cpulist){ };
	if (strcmp(kind, about->info.part) &&
	    (!other || strcmp(kind, other->info.part)))
		return bpmu_error_set(err, -ENODEV,
			"-C: no CPU is of the kind '%s'; in %s they are %s%s%s",
			kind, name, about->info.part, other ? " and " : "",
			other ? other->info.part : "");
	if (strcmp(kind, about->info.part))
		about = other;
	chosen->cpu = calloc(about->cpus.nr, sizeof(*chosen->cpu));
	if (!chosen->cpu)
		return no_memory(err);
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
	code = list_all(about, &all, err);
	if (!code)
		code = choose_numbers(chosen, &all, name, cpus, err);
	bpmu_cpulist_free(&all);
	return code;
}

/* a kind without chosen CPUs is named by those that were measured */
static int describe(struct bpmu_target *target,
		    const struct bpmu_recording_about *about,
		    struct bpmu_error *err)
{
	target->recorded = about;
	target->info = about->info;
	target->smt = about->smt;
	target->cpus_text = bpmu_cpulist_format(target->cpus.nr ?
						&target->cpus : &about->cpus);
	return target->cpus_text ? 0 : no_memory(err);
}

/* those that were chosen are in @target */
static int split(struct bpmu_target *target, struct bpmu_target *other,
		 const struct bpmu_recording_about *about,
		 struct bpmu_error *err)
{
	int code;

	code = bpmu_cpulist_divide(&target->cpus, &about->cpus, &other->cpus,
				   err);
	if (code)
		return code;
	code = describe(target, about, err);
	if (!code && about->other)
		code = describe(other, about->other, err);
	if (!target->cpus.nr)
		bpmu_target_swap(target, other);
	return code;
}

/**
 * bpmu_target_recorded_kinds() - what somebody else measured on
 * @target: filled in; close it with bpmu_target_close()
 * @other: filled in with the CPUs of another kind, if there are any; without CPUs
 *	it is a kind that was measured, but not chosen; close it too
 * @about: of the recording, or of the session
 * @name: of that, for errors
 * @cpus: list, name of a kind, or NULL for all that were measured
 * @err: set on failure
 *
 * Context: process.
 * Return: 0, -ENODEV if it has no such CPU, or another negative errno.
 */
int bpmu_target_recorded_kinds(struct bpmu_target *target,
			       struct bpmu_target *other,
			       const struct bpmu_recording_about *about,
			       const char *name, const char *cpus,
			       struct bpmu_error *err)
{
	int code;

	memset(target, 0, sizeof(*target));
	memset(other, 0, sizeof(*other));
	code = choose_cpus(&target->cpus, about, name, cpus, err);
	if (!code)
		code = split(target, other, about, err);
	if (code) {
		bpmu_target_close(target);
		bpmu_target_close(other);
	}
	return code;
}

/**
 * bpmu_target_recorded() - the same, if it is of one kind
 * @target: filled in; close it with bpmu_target_close()
 * @about: of the recording, or of the session
 * @name: of that, for errors
 * @cpus: list, name of a kind, or NULL for all that were measured
 * @err: set on failure
 *
 * Context: process.
 * Return: 0, -EINVAL if they are of two kinds, or another negative errno.
 */
int bpmu_target_recorded(struct bpmu_target *target,
			 const struct bpmu_recording_about *about,
			 const char *name, const char *cpus,
			 struct bpmu_error *err)
{
	struct bpmu_target other;
	int code;

	code = bpmu_target_recorded_kinds(target, &other, about, name, cpus,
					  err);
	if (!code && other.cpus.nr) {
		code = bpmu_target_choose(target, &other, err);
		bpmu_target_close(target);
	}
	bpmu_target_close(&other);
	return code;
}

/**
 * bpmu_target_recorded_rows() - put its CPUs into rows
 * @target: of a recording, or of a session of somebody else
 * @by: what a row is
 * @rows: filled in; free it with bpmu_rows_free(), on an error too
 * @err: set on failure
 *
 * Context: process.
 * Return: as of bpmu_rows_make().
 */
int bpmu_target_recorded_rows(const struct bpmu_target *target,
			      enum bpmu_rows_by by, struct bpmu_rows *rows,
			      struct bpmu_error *err)
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
