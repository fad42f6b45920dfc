// SPDX-License-Identifier: GPL-2.0
#include "attach.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event/smt.h"

static int copy_cpus(struct bpmu_cpulist *to, const struct bpmu_cpulist *from,
		     struct bpmu_error *err)
{
	to->cpu = calloc(from->nr, sizeof(*to->cpu));
	if (!to->cpu)
		return bpmu_error_no_memory(err, "session");
	memcpy(to->cpu, from->cpu, from->nr * sizeof(*to->cpu));
	to->nr = from->nr;
	return 0;
}

static int attach_describe(struct bpmu_attach *attach,
			   const struct bpmu_client_plan *plan, struct bpmu_error *err)
{
	struct bpmu_recording_about *about = &attach->about;
	int code;

	if (plan->kinds)
		return bpmu_error_set(err, -ENOTSUP,
			"--attach: the session of %s, process %u, counts on two core types; start it on one of them, with -C",
			plan->owner_comm, plan->owner_pid);
	code = bpmu_client_pmu_of(attach->client, plan->cpus.cpu[0],
				  &about->info, err);
	if (code)
		return code;
	about->interval_ns = plan->interval_ns;
	about->period_ns = plan->interval_ns;
	about->timer = plan->timer;
	about->smt = bpmu_smt_active();
	code = copy_cpus(&about->cpus, &plan->cpus, err);
	if (!code)
		code = bpmu_recording_find_topology(about, err);
	if (!code)
		code = bpmu_attach_groups(&about->groups, plan,
					  &about->info.pmu, about->smt, err);
	return code;
}

/**
 * bpmu_attach_take() - this session from now on
 * @attach: of a session before, or of none
 * @plan: of the session
 * @err: set on failure
 *
 * Return: 0, or a negative errno; then there is nothing in it.
 */
int bpmu_attach_take(struct bpmu_attach *attach,
		     const struct bpmu_client_plan *plan,
		     struct bpmu_error *err)
{
	int code;

	bpmu_recording_about_free(&attach->about);
	code = attach_describe(attach, plan, err);
	if (code) {
		bpmu_recording_about_free(&attach->about);
		return code;
	}
	attach->run = plan->run;
	attach->number = plan->number;
	attach->owner_pid = plan->owner_pid;
	snprintf(attach->owner_comm, sizeof(attach->owner_comm), "%s",
		 plan->owner_comm);
	return 0;
}

/* there has to be one now: what there will be is not known */
static int attach_find(struct bpmu_attach *attach, struct bpmu_error *err)
{
	struct bpmu_client_plan plan;
	int code;

	code = bpmu_client_plan(attach->client, &plan, err);
	if (code == -ENOTCONN || (!code && plan.state != BPMU_STATE_RUNNING))
		code = bpmu_error_set(err, -ENOTCONN,
			"--attach: no session is running; start one, or leave out --attach to measure here");
	if (!code && !plan.interval_ns)
		code = bpmu_error_set(err, -ENODATA,
			"--attach: the session of %s, process %u, takes no samples before its end; start it with -I",
			plan.owner_comm, plan.owner_pid);
	if (!code)
		code = bpmu_attach_take(attach, &plan, err);
	bpmu_client_plan_free(&plan);
	return code;
}

/**
 * bpmu_attach_open() - find the session that is running
 * @attach: filled in; close it with bpmu_attach_close()
 * @err: set on failure
 *
 * Return: 0, -ENOTCONN if there is none, -EPERM for those who may not read, or
 * another negative errno.
 */
int bpmu_attach_open(struct bpmu_attach *attach, struct bpmu_error *err)
{
	int code;

	memset(attach, 0, sizeof(*attach));
	code = bpmu_client_open(&attach->client, err);
	if (!code)
		code = bpmu_client_listen(attach->client, err);
	if (!code)
		code = attach_find(attach, err);
	if (code)
		bpmu_attach_close(attach);
	return code;
}

/* equal events on several counters, such as slices of the cache, are one */
static bool attach_is_first(const struct bpmu_groups *groups, unsigned int g,
			    unsigned int slot)
{
	const char *text = groups->group[g].sched.slot[slot].text;
	unsigned int h, i;

	for (h = 0; h <= g; h++)
		for (i = 0; i < groups->group[h].sched.nr; i++) {
			if (h == g && i == slot)
				return true;
			if (!strcmp(groups->group[h].sched.slot[i].text, text))
				return false;
		}
	return true;
}

static unsigned int put_names(const struct bpmu_groups *groups, FILE *out)
{
	const struct bpmu_sched *sched;
	unsigned int nr = 0;
	unsigned int g, i;

	for (g = 0; g < groups->nr; g++) {
		sched = &groups->group[g].sched;
		for (i = 0; i < sched->nr; i++)
			if (*sched->slot[i].text && attach_is_first(groups, g, i))
				fprintf(out, "%s%s", nr++ ? "," : "",
					sched->slot[i].text);
	}
	return nr;
}

/**
 * bpmu_attach_events() - all that the session counts
 * @attach: open
 * @text: set to events with commas, as for -e, to be freed
 * @err: set on failure
 *
 * Return: 0, -ENODATA if none of them has a name, or -ENOMEM.
 */
int bpmu_attach_events(const struct bpmu_attach *attach, char **text,
		       struct bpmu_error *err)
{
	unsigned int nr;
	size_t len;
	FILE *out;

	*text = NULL;
	out = open_memstream(text, &len);
	nr = out ? put_names(&attach->about.groups, out) : 0;
	if (out && !fclose(out) && nr)
		return 0;
	free(*text);
	*text = NULL;
	if (!out || nr)
		return bpmu_error_no_memory(err, "session");
	return bpmu_error_set(err, -ENODATA,
		"--attach: none of the session's events has a name here; name what is wanted with -e");
}

/**
 * bpmu_attach_round_ns() - how long it takes until each group has had a slice
 * @attach: open
 *
 * Return: nanoseconds; shorter intervals tell nothing.
 */
u64 bpmu_attach_round_ns(const struct bpmu_attach *attach)
{
	return attach->about.period_ns *
	       bpmu_groups_most(&attach->about.groups);
}

/**
 * bpmu_attach_close() - leave it
 * @attach: open, or closed already
 */
void bpmu_attach_close(struct bpmu_attach *attach)
{
	bpmu_client_close(attach->client);
	bpmu_recording_about_free(&attach->about);
	memset(attach, 0, sizeof(*attach));
}
