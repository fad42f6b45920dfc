// SPDX-License-Identifier: GPL-2.0
/*
 * The CPUs of a hybrid part are of two kinds, with counters of their own.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event/smt.h"
#include "target.h"

#define NAMES_MAX 64

static int describe(struct bpmu_target *target, struct bpmu_client *client,
		    struct bpmu_error *err)
{
	target->smt = bpmu_smt_active();
	target->cpus_text = bpmu_cpulist_format(&target->cpus);
	if (!target->cpus_text)
		return bpmu_error_set(err, -ENOMEM, "CPU list: out of memory");
	return bpmu_client_pmu_of(client, target->cpus.cpu[0], &target->info,
				  err);
}

static int divide(struct bpmu_target *target, struct bpmu_target *other,
		  struct bpmu_error *err)
{
	struct bpmu_cpulist alike;
	int code;

	code = bpmu_client_alike(target->client, target->cpus.cpu[0], &alike,
				 err);
	if (!code)
		code = bpmu_cpulist_divide(&target->cpus, &alike, &other->cpus,
					   err);
	bpmu_cpulist_free(&alike);
	return code;
}

/**
 * bpmu_target_split() - tell CPUs of two kinds apart
 * @target: opened; keeps those that are like the first
 * @other: gets the others, without a client; close it with
 *	bpmu_target_close(). Without CPUs if all are alike
 * @err: set on failure
 *
 * Context: process.
 * Return: 0 or a negative errno.
 */
int bpmu_target_split(struct bpmu_target *target, struct bpmu_target *other,
		      struct bpmu_error *err)
{
	int code;

	memset(other, 0, sizeof(*other));
	code = divide(target, other, err);
	if (code || !other->cpus.nr)
		return code;
	free(target->cpus_text);
	code = describe(target, target->client, err);
	return code ? code : describe(other, target->client, err);
}

/**
 * bpmu_target_choose() - refuse two kinds
 * @target: CPUs of one
 * @other: those of the other
 * @err: set to how to choose one
 *
 * Context: any.
 * Return: -EINVAL.
 */
int bpmu_target_choose(const struct bpmu_target *target,
		       const struct bpmu_target *other, struct bpmu_error *err)
{
	return bpmu_error_set(err, -EINVAL,
		"the CPUs are of two kinds; choose one with -C %s (%s) or -C %s (%s)",
		target->cpus_text, target->info.part, other->cpus_text,
		other->info.part);
}

/**
 * bpmu_target_note_alone() - say what only one of two kinds measures
 * @code: error of the other kind
 * @why: the same
 * @where: CPUs of the kind that does
 *
 * Who asked for one kind, as in cpu_core/cycles/, need not be told.
 *
 * Context: process.
 */
void bpmu_target_note_alone(int code, const struct bpmu_error *why,
			    const struct bpmu_target *where)
{
	if (code != -EXDEV)
		fprintf(stderr, "barepmu: %s; counted on CPU %s (%s) alone\n",
			why->text, where->cpus_text, where->info.part);
}

/**
 * bpmu_target_check_other() - can metrics be counted on the second of two kinds
 * @target: CPUs of that kind
 * @groups: their events
 * @err: set on failure
 *
 * Context: any.
 * Return: 0, or -ENOTSUP with events of the uncore: that is the package's, which
 * CPUs of the first kind read.
 */
int bpmu_target_check_other(const struct bpmu_target *target,
			    const struct bpmu_groups *groups,
			    struct bpmu_error *err)
{
	if (groups->nr == groups->nr_core)
		return 0;
	return bpmu_error_set(err, -ENOTSUP,
		"metrics: of %s need events of the uncore, which is read on the first CPU's kind; choose CPU %s with -C",
		target->info.part, target->cpus_text);
}

/**
 * bpmu_target_swap() - take the other kind for the first
 * @target: of one kind, with the client
 * @other: of the other
 *
 * Context: any.
 */
void bpmu_target_swap(struct bpmu_target *target, struct bpmu_target *other)
{
	struct bpmu_target first = *target;

	*target = *other;
	target->client = first.client;
	*other = first;
	other->client = NULL;
}

/**
 * bpmu_target_alone() - only one of two kinds has what was asked for
 * @target: of one kind; gets the one that is measured
 * @other: of the other
 * @swap: that is @other's
 * @code: error of the one that is left out
 * @why: the same
 *
 * Context: process.
 */
void bpmu_target_alone(struct bpmu_target *target, struct bpmu_target *other,
		       bool swap, int code, const struct bpmu_error *why)
{
	if (swap)
		bpmu_target_swap(target, other);
	bpmu_target_note_alone(code, why, target);
}

/**
 * bpmu_target_list() - the CPUs of both kinds, those of the first before
 * @target: of one kind
 * @other: of the other, or NULL
 * @nr: set to their number
 * @err: set on failure
 *
 * Context: process.
 * Return: their numbers, to be freed, or NULL without memory.
 */
u32 *bpmu_target_list(const struct bpmu_target *target,
		      const struct bpmu_target *other, unsigned int *nr,
		      struct bpmu_error *err)
{
	unsigned int first = target->cpus.nr;
	u32 *cpus;

	*nr = first + (other ? other->cpus.nr : 0);
	cpus = calloc(*nr, sizeof(*cpus));
	if (!cpus) {
		bpmu_error_set(err, -ENOMEM, "CPU list: out of memory");
		return NULL;
	}
	memcpy(cpus, target->cpus.cpu, first * sizeof(*cpus));
	if (other)
		memcpy(cpus + first, other->cpus.cpu,
		       other->cpus.nr * sizeof(*cpus));
	return cpus;
}

/**
 * bpmu_target_open() - connect to the module and choose CPUs that are alike
 * @target: filled in; close it with bpmu_target_close()
 * @cpus: list, name of a kind, or NULL for all that are online
 * @err: filled on an error
 *
 * Return: 0, -EINVAL if they are of two kinds, or another negative errno.
 */
int bpmu_target_open(struct bpmu_target *target, const char *cpus,
		     struct bpmu_error *err)
{
	struct bpmu_target other = { };
	int code;

	code = bpmu_target_open_any(target, cpus, err);
	if (!code)
		code = bpmu_target_split(target, &other, err);
	if (!code && other.cpus.nr)
		code = bpmu_target_choose(target, &other, err);
	bpmu_target_close(&other);
	if (code)
		bpmu_target_close(target);
	return code;
}

/**
 * bpmu_target_named() - the CPUs of a kind
 * @client: open
 * @name: of the kind, as the module calls the part
 * @cpus: set to those that are online; free it with bpmu_cpulist_free(), on an
 *	error too
 * @err: set on failure
 *
 * Context: process.
 * Return: 0, -ENODEV if there is no such kind, or another negative errno.
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
		code = divide(&left, &others, err);
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
		"-C: no CPU is of the kind '%s'; here they are %s", name,
		names);
}
