// SPDX-License-Identifier: GPL-2.0
#include "attach.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event/event_counters.h"
#include "event/topology.h"
#include "events.h"
#include "free.h"
#include "intel.h"

#define NAME_MAX_LEN 160
#define LEVELS (BPMU_SEL_USR | BPMU_SEL_OS)

/**
 * struct naming - state of finding the name of the event that a counter of a session counts
 * @pmu: PMU of the counter
 * @smt: true if hyper-threading is on
 * @slot: the counter and its event select; all of its members but @text, the name, are set
 * @name: the name that is being tried, and at the end the name that was found
 */
struct naming {
	const struct bpmu_pmu *pmu;
	int smt;
	struct bpmu_sched_slot *slot;
	char name[NAME_MAX_LEN];
};

/* Checks if the event that the user calls @n->name, as after -e, is what the counter counts. */
static bool means(const struct naming *n)
{
	const struct bpmu_sched_slot *slot = n->slot;
	struct bpmu_event_spec spec;
	struct bpmu_error ignored;
	bool same;

	if (bpmu_event_parse(n->pmu, n->smt, n->name, &spec, &ignored))
		return false;
	same = spec.nr == 1 && spec.term[0].select == slot->select &&
	       spec.term[0].filter == slot->filter &&
	       spec.term[0].unit == slot->unit &&
	       spec.term[0].counters & slot->counters;
	bpmu_event_free(&spec);
	return same;
}

/* Appends the value of the uncore box's filter to @n->name, as a user would type it after -e. */
static void add_filter(struct naming *n)
{
	const struct bpmu_box *box = bpmu_uncore_box(n->pmu->part, n->slot->unit);
	size_t len = strlen(n->name);

	if (!bpmu_filter_used(box, n->slot->select) || len + 1 >= sizeof(n->name))
		return;
	n->name[len++] = ':';
	if (!bpmu_event_filter_write(box, n->slot->select, n->slot->filter,
				     n->name + len, sizeof(n->name) - len))
		n->name[len - 1] = '\0';
}

/* Appends the value of the event's extra register to @n->name, as a user would type it after -e. */
static void name_extra(struct naming *n)
{
	const struct bpmu_extra *extra = bpmu_extra_of(n->pmu->part, n->slot->select);
	size_t len = strlen(n->name);

	if (n->slot->unit == BPMU_UNIT_CORE && n->slot->filter && extra &&
	    len < sizeof(n->name))
		snprintf(n->name + len, sizeof(n->name) - len, ":%s=0x%llx",
			 bpmu_extra_name(extra->id), n->slot->filter);
}

/*
 * Checks if the counter @n->slot counts the event @name. If @filter is true, the value of the
 * uncore box's filter register is appended to the name first. The caller tries all names without a
 * filter before it tries names with a filter, because some names imply a filter.
 */
static bool try(struct naming *n, const char *name, bool filter)
{
	u64 levels = n->slot->select & LEVELS;
	const char *suffix = "";

	if (levels == BPMU_SEL_USR)
		suffix = ":u";
	else if (levels == BPMU_SEL_OS)
		suffix = ":k";
	snprintf(n->name, sizeof(n->name), "%s%s", name, suffix);
	if (filter)
		add_filter(n);
	return means(n);
}

static bool try_raw(struct naming *n)
{
	char raw[32];

	if (n->slot->unit != BPMU_UNIT_CORE)
		return false;
	snprintf(raw, sizeof(raw), "r%llx", n->slot->select & ~LEVELS);
	return try(n, raw, false) || (name_extra(n), means(n));
}

static bool attach_could_be(const struct naming *n, const struct bpmu_event *row)
{
	const struct bpmu_sched_slot *slot = n->slot;

	return row->unit == slot->unit &&
	       !((row->select ^ slot->select) & ~LEVELS);
}

static bool try_rows(struct naming *n, const struct bpmu_event *rows, size_t nr,
		     bool filter)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (attach_could_be(n, &rows[i]) && try(n, rows[i].name, filter))
			return true;
	return false;
}

/*
 * Sets @n->name to a name of the event that the counter @n->slot counts. Names of perf, which are
 * the same on all CPU models, are tried first. Returns false if no name was found.
 */
static bool find_name(struct naming *n)
{
	const struct bpmu_event_alias *aliases;
	const struct bpmu_event *rows;
	size_t nr;
	size_t i;

	aliases = bpmu_event_aliases(n->pmu->part, &nr);
	for (i = nr; i--; )
		if (try(n, aliases[i].name, false))
			return true;
	rows = bpmu_cache_events(n->pmu->part, &nr);
	if (try_rows(n, rows, nr, false))
		return true;
	if (bpmu_free_at(n->slot->counter)) {
		rows = bpmu_free_events(&nr);
		return try(n, rows[n->slot->counter - BPMU_COUNTER_FREE].name, false);
	}
	rows = bpmu_events(n->pmu->part, &nr);
	return try_rows(n, rows, nr, false) || try_rows(n, rows, nr, true) || try_raw(n);
}

/*
 * Sets @n->slot->text to an allocated name of the event that the counter @n->slot counts, or to ""
 * if no name was found.
 */
static int name_slot(struct naming *n, struct bpmu_error *err)
{
	n->slot->text = strdup(find_name(n) ? n->name : "");
	return n->slot->text ? 0 :
		bpmu_error_no_memory(err, "session");
}

static int attach_groups_unknown(u32 counter, struct bpmu_error *err)
{
	return bpmu_error_set(err, -EPROTO,
		"session: uses counter %u, which this tool does not know; do module and tool belong together?",
		counter);
}

static int find_slot_unit(struct naming *n, struct bpmu_error *err)
{
	struct bpmu_sched_slot *slot = n->slot;
	struct bpmu_place place;

	const struct bpmu_free *reg = bpmu_free_at(slot->counter);

	if (reg) {
		slot->unit = reg->unit;
		slot->counters = BPMU_BIT(slot->counter - BPMU_COUNTER_FREE);
	} else if (slot->counter < BPMU_COUNTER_UNCORE) {
		slot->unit = BPMU_UNIT_CORE;
		slot->counters = BPMU_BIT(slot->counter);
	} else if (bpmu_uncore_place(n->pmu, slot->counter, &place)) {
		slot->unit = place.box->unit;
		slot->counters = BPMU_BIT(place.index);
	} else {
		return attach_groups_unknown(slot->counter, err);
	}
	return name_slot(n, err);
}

/*
 * The module reports PERF_METRICS as a single counter. Replaces this counter in @sched by one
 * counter for each field of PERF_METRICS.
 */
static int add_fields(struct naming *n, struct bpmu_sched *sched,
		      struct bpmu_error *err)
{
	struct bpmu_sched_slot first = *n->slot;
	unsigned int field;
	int code = 0;

	sched->nr--;
	for (field = 0; field < n->pmu->metrics && !code; field++) {
		if (sched->nr == BPMU_MAX_COUNTERS)
			break;
		n->slot = &sched->slot[sched->nr++];
		*n->slot = first;
		n->slot->field = field;
		n->slot->select = (first.select & ~BPMU_METRICS_FIELD) |
				  (u64)field << BPMU_SEL_UMASK_SHIFT;
		code = find_slot_unit(n, err);
	}
	return code;
}

static int attach_groups_take_group(struct bpmu_sched *sched, const struct bpmu_sched *plan,
				    struct naming *n, struct bpmu_error *err)
{
	unsigned int i;
	int code = 0;

	sched->bank = plan->bank;
	sched->values = plan->values;
	for (i = 0; i < plan->nr && !code; i++) {
		if (sched->nr == BPMU_MAX_COUNTERS)
			break;
		n->slot = &sched->slot[sched->nr++];
		*n->slot = plan->slot[i];
		if (n->slot->counter == BPMU_METRICS_COUNTER)
			code = add_fields(n, sched, err);
		else
			code = find_slot_unit(n, err);
	}
	return code;
}

/**
 * bpmu_attach_groups() - make the groups of an attached session, with event names
 * @groups: zeroed; filled in. Free it with bpmu_groups_free(), also after an error
 * @plan: plan as the module reports it: what the session counts on which counters
 * @pmu: PMU of the session's CPUs
 * @smt: true if hyper-threading is on
 *
 * Return: 0, -EPROTO if the tool does not know a counter, or -ENOMEM.
 */
int bpmu_attach_groups(struct bpmu_groups *groups,
		       const struct bpmu_client_plan *plan,
		       const struct bpmu_pmu *pmu, int smt,
		       struct bpmu_error *err)
{
	struct naming n = { .pmu = pmu, .smt = smt };
	struct bpmu_group *group;
	int code = 0;

	groups->pmu = pmu;
	groups->rules = bpmu_sched_no_rules;
	groups->live = true;
	groups->group = calloc(plan->nr_groups, sizeof(*groups->group));
	if (!groups->group)
		return bpmu_error_no_memory(err, "session");
	while (groups->nr < plan->nr_groups && !code) {
		group = &groups->group[groups->nr];
		group->first = groups->slots;
		code = attach_groups_take_group(&group->sched, &plan->group[groups->nr++],
						&n, err);
		groups->slots += group->sched.nr;
		groups->nr_of[group->sched.bank]++;
	}
	return code;
}

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

	if (plan->hybrid)
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
	about->smt = bpmu_topology_smt();
	code = copy_cpus(&about->cpus, &plan->cpus, err);
	if (!code)
		code = bpmu_recording_find_topology(about, err);
	if (!code)
		code = bpmu_attach_groups(&about->groups, plan,
					  &about->info.pmu, about->smt, err);
	return code;
}

/**
 * bpmu_attach_take() - attach to a session if it is known already what the session counts
 * @attach: connection from bpmu_attach_open(), attached to an earlier session or to none
 * @plan: what the session counts, from bpmu_client_plan()
 *
 * Return: 0, or a negative errno, after which @attach is attached to no session.
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

/*
 * Attaches to the running session; returns -ENOTCONN if no session is running, -ENODATA if the
 * session takes no samples before its end.
 */
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
 * bpmu_attach_open() - find the running session of another process, to attach to it
 * @attach: filled in; close it with bpmu_attach_close()
 *
 * Return: 0, -ENOTCONN if there is no session, -EPERM if the caller may not read the session's
 * samples, or another negative errno.
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

/*
 * Checks if counter number @slot of group @g is the first counter in @groups that counts this
 * counter's event. Several counters can count an event: an event of the L3 has a counter in each
 * slice of the L3.
 */
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
 * bpmu_attach_events() - list the events of the session to which a client is attached
 * @attach: connection that is attached to a session
 * @text: set to the events, separated by commas as for -e; the caller frees the text
 *
 * Return: 0, -ENODATA if no event has a name, or -ENOMEM.
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
 * bpmu_attach_round_ns() - time in which the attached session counts each of its groups once
 * @attach: connection that is attached to a session
 *
 * Return: the time in ns. An interval that is shorter would lack the counts of some groups.
 */
u64 bpmu_attach_round_ns(const struct bpmu_attach *attach)
{
	return attach->about.period_ns *
	       bpmu_groups_most(&attach->about.groups);
}

/**
 * bpmu_attach_close() - detach from the session to which the tool has attached, and disconnect
 * @attach: connection from bpmu_attach_open(), or already closed
 */
void bpmu_attach_close(struct bpmu_attach *attach)
{
	bpmu_client_close(attach->client);
	bpmu_recording_about_free(&attach->about);
	memset(attach, 0, sizeof(*attach));
}
