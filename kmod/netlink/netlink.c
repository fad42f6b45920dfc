// SPDX-License-Identifier: GPL-2.0
/*
 * The generic netlink family: its commands, the permission that each command needs, and the
 * attributes of requests and replies. Replies in several messages (dumps) are in netlink_list.c and
 * netlink_read.c, notifications in netlink_notify.c.
 */
#include "netlink.h"

#include <linux/barepmu.h>
#include <linux/bitops.h>
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/jiffies.h>
#include <linux/log2.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/sched/isolation.h>
#include <linux/slab.h>
#include <linux/topology.h>
#include <net/genetlink.h>

#include <asm/processor.h>
#include <asm/tsc.h>

#include "data_access.h"
#include "bank/banks.h"
#include "bank/core.h"
#include "bank/free_running.h"
#include "bank/plan.h"
#include "compat.h"
#include "free.h"
#include "ibs.h"
#include "intel.h"
#include "machine/probe.h"
#include "machine/refusal.h"
#include "sample/overflow.h"
#include "session/owner.h"
#include "session/permission.h"
#include "session/session.h"
#include "version.h"

#define COUNTING_SAMPLES 128
#define OVERFLOWS 8192
#define INTERVAL_SAMPLES_MIN 256
#define BUFFERED_NS (4ULL * NSEC_PER_SEC)

/*
 * Refuses a request because of its attribute @attr: reports @attr and @sentence, a string constant,
 * to the sender by @extack. Returns -EINVAL.
 */
static int refuse(struct netlink_ext_ack *extack, const struct nlattr *attr,
		  const char *sentence)
{
	bpmu_refuse(extack, sentence);
	NL_SET_BAD_ATTR(extack, attr);
	return -EINVAL;
}

static const char legal_ibs[] =
	"legal for IBS: USR, OS, bit 0; where IBS has them bits 1 (L3), 2 (stores), 12:8 (latency)";

static const char legal_fetch[] =
	"legal for fetches of IBS: USR, OS, bit 0; where it has them bits 1 (L3), 11:8 (latency)";

static const char *select_refusal(const struct bpmu_pmu *pmu, u32 counter,
				  u64 illegal)
{
	enum bpmu_bank_id bank = bpmu_bank_of(counter);
	const struct bpmu_bank_type *type = &bpmu_bank_types[bank];

	if (bpmu_bank_facts[bank].free)
		return "a free-running register has no event select; leave it 0";
	if (type->legal_client && pmu->part->mchbar)
		return type->legal_client;
	if (type->legal)
		return type->legal;
	if (counter == BPMU_COUNTER_METRICS)
		return "PERF_METRICS has no event select: only USR, OS and bits 10:8 may be set";
	if (counter == BPMU_COUNTER_IBS_OP)
		return legal_ibs;
	if (counter == BPMU_COUNTER_IBS_FETCH)
		return legal_fetch;
	if (illegal & BPMU_SEL_INT)
		return "INT (bit 20) is set by the module for BPMU_A_EVENT_PERIOD; leave it 0";
	if (illegal & BPMU_SEL_PC)
		return "PC (pin control, bit 19) is refused";
	if (illegal & BPMU_SEL_EN)
		return "EN (enable, bit 22) is set by the module; leave it 0";
	if (illegal & pmu->part->legal & ~pmu->legal)
		return "CPUID has no UMASK2 (47:40) and EQ (36) here, or a hypervisor hides them";
	if (illegal >> 32)
		return "a bit in 63:32 is reserved on this part";
	if (counter >= BPMU_COUNTER_FIXED)
		return "a fixed counter has no event and no filter: only USR, OS and ANY are legal";
	return "ANY (any thread, bit 21) does not exist on this part";
}

/*
 * Bounds of the periods (in events) and the frequencies (in interrupts a second) in requests.
 * NLA_POLICY_RANGE() does not suffice, because its bounds have only 16 bits.
 */
static struct netlink_range_validation period_range = {
	.min = BPMU_MIN_PERIOD,
	.max = BPMU_MAX_PERIOD,
};

static struct netlink_range_validation frequency_range = {
	.min = 1,
	.max = BPMU_MAX_FREQUENCY,
};

static const struct nla_policy event_policy[BPMU_A_EVENT_MAX + 1] = {
	[BPMU_A_EVENT_COUNTER] = { .type = NLA_U32 },
	[BPMU_A_EVENT_SELECT] = { .type = NLA_U64 },
	[BPMU_A_EVENT_SIBLING] = { .type = NLA_U32 },
	[BPMU_A_EVENT_FILTER] = { .type = NLA_U64 },
	[BPMU_A_EVENT_PERIOD] = NLA_POLICY_FULL_RANGE(NLA_U32, &period_range),
	[BPMU_A_EVENT_PRECISE] = { .type = NLA_FLAG },
	[BPMU_A_EVENT_FREQUENCY] = NLA_POLICY_FULL_RANGE(NLA_U32, &frequency_range),
	[BPMU_A_EVENT_DATA] = { .type = NLA_FLAG },
};

static bool has_counter(const struct bpmu_pmu *pmu, u32 counter,
			enum bpmu_bank_id bank)
{
	struct bpmu_place place;

	if (bpmu_bank_of(counter) != (int)bank)
		return false;
	if (bank == BPMU_BANK_CORE)
		return bpmu_pmu_counters(pmu) & BIT_ULL(counter);
	if (bpmu_bank_facts[bank].free)
		return pmu->free & BIT_ULL(counter - BPMU_COUNTER_FREE);
	return bpmu_uncore_place(pmu, counter, &place);
}

/*
 * Returns true if the counter on the second thread of a core (sibling) can count the same event as
 * the counter on the first thread. Two general counters may differ. A fixed counter counts only one
 * event, so that both threads need the same fixed counter.
 */
static bool sibling_fits(const struct bpmu_plan_event *event)
{
	return event->sibling == event->counter ||
	       (event->counter < BPMU_COUNTER_FIXED &&
		event->sibling < BPMU_COUNTER_FIXED);
}

/*
 * Returns the extra register (such as OFFCORE_RSP) that a core event needs, or NULL if it needs
 * none.
 */
static const struct bpmu_extra *extra_of(const struct bpmu_pmu *pmu,
					 const struct bpmu_plan_event *event)
{
	if (event->counter >= BPMU_COUNTER_FIXED)
		return NULL;
	return bpmu_extra_of(pmu->part, event->select);
}

/*
 * Returns the bits of a shared register that an event uses: for a core event with an extra
 * register, bits of that register; for an uncore event, bits of the filter register of its box.
 * Returns 0 for all other events.
 */
static u64 filter_used(const struct bpmu_pmu *pmu,
		       const struct bpmu_plan_event *event)
{
	const struct bpmu_extra *extra = extra_of(pmu, event);
	struct bpmu_place place;

	if (extra)
		return extra->legal;
	if (!bpmu_uncore_place(pmu, event->counter, &place))
		return 0;
	return bpmu_filter_used(place.box, event->select);
}

static const char *period_refusal(enum bpmu_bank_id bank, const struct bpmu_plan_event *event)
{
	if (event->period &&
	    (bank != BPMU_BANK_CORE || event->counter == BPMU_COUNTER_METRICS))
		return "only a general or fixed counter of the core interrupts";
	return NULL;
}

static const char no_pebs[] =
	"this part has no precise records (PEBS) in a format that the module reads";

static const char old_microcode[] =
	"precise records (PEBS) have errata with this CPU's microcode; update it";

static const char no_period[] =
	"an event with precise records needs BPMU_A_EVENT_PERIOD or BPMU_A_EVENT_FREQUENCY";

/* Returns true if only the CPU's microcode keeps the module from the precise records. */
static bool has_old_microcode(void)
{
	return boot_cpu_has(X86_FEATURE_PEBS) &&
	       bpmu_pmu_pebs_broken(boot_cpu_data.x86_model, boot_cpu_data.x86_stepping,
				    boot_cpu_data.microcode);
}

static const char *precise_refusal(const struct bpmu_pmu *pmu, const struct bpmu_plan_event *event)
{
	u64 counters;

	if (!event->precise)
		return NULL;
	if (!event->period)
		return no_period;
	if (event->counter == BPMU_COUNTER_IBS_OP)
		return "IBS tells the op's address without this: leave it out";
	if (event->counter == BPMU_COUNTER_IBS_FETCH)
		return "IBS tells the fetch's address without this: leave it out";
	if (pmu->part->cpuid_leaf != BPMU_CPUID_PERFMON)
		return "this part writes no precise records (PEBS)";
	if (!pmu->pebs)
		return has_old_microcode() ? old_microcode : no_pebs;
	if (!(pmu->pebs & BIT_ULL(event->counter)) || !(pmu->pebs & BIT_ULL(event->sibling)))
		return "events of this counter have no precise records";
	counters = bpmu_pmu_pebs_counters(pmu, event->select);
	if (!counters)
		return "this part writes no precise records (PEBS) of this event";
	if (!(counters & BIT_ULL(event->counter)) || !(counters & BIT_ULL(event->sibling)))
		return "only counter 3 writes precise records (PEBS) of stores on this part";
	return NULL;
}

/*
 * Returns NULL if an event need not be precise, or is, else a sentence: the load latency counts
 * nothing without precise records.
 */
static const char *latency_refusal(const struct bpmu_pmu *pmu, const struct bpmu_plan_event *event)
{
	const struct bpmu_extra *extra = extra_of(pmu, event);

	if (!extra || extra->id != BPMU_EXTRA_LATENCY)
		return NULL;
	if (!event->precise)
		return "the load latency is only counted with BPMU_A_EVENT_PRECISE";
	if (event->filter < BPMU_LATENCY_LEAST)
		return "the load latency needs a threshold of 3 cycles or more as its filter";
	return NULL;
}

static const char no_access[] =
	"this part's records of this event have no memory access, as those of loads or stores have";

/* Returns NULL if the records of an event can have the address of its data, else a sentence. */
static const char *data_refusal(const struct bpmu_pmu *pmu, const struct bpmu_plan_event *event)
{
	if (!event->data)
		return NULL;
	if (!event->precise)
		return "only precise records have the address of data: set BPMU_A_EVENT_PRECISE";
	if (!bpmu_pmu_has_store(pmu) || pmu->part->data_source == BPMU_DATA_SOURCE_UNKNOWN)
		return "this part's precise records have no memory access that is read";
	if (event->counter >= BPMU_COUNTER_FIXED ||
	    bpmu_data_access_kind(pmu->part, event->select) == BPMU_DATA_ACCESS_NONE)
		return no_access;
	return NULL;
}

static int check_event(const struct bpmu_pmu *pmu, enum bpmu_bank_id bank,
		       const struct bpmu_plan_event *event,
		       struct nlattr **attrs, struct netlink_ext_ack *extack)
{
	const char *why;
	u64 illegal;

	if (!has_counter(pmu, event->counter, bank))
		return refuse(extack, attrs[BPMU_A_EVENT_COUNTER], bpmu_bank_types[bank].missing);
	if (!has_counter(pmu, event->sibling, bank) || !sibling_fits(event))
		return refuse(extack, attrs[BPMU_A_EVENT_SIBLING],
					   "the sibling thread cannot count the event on that counter");
	if (event->counter == BPMU_COUNTER_IBS_OP && !event->period)
		return refuse(extack, attrs[BPMU_A_EVENT_COUNTER],
			      "IBS samples ops, and counts for that alone: give the event a period");
	if (event->counter == BPMU_COUNTER_IBS_FETCH && !event->period)
		return refuse(extack, attrs[BPMU_A_EVENT_COUNTER],
			      "IBS samples fetches, and counts for that alone: give the event a period");
	illegal = bpmu_select_illegal(pmu, event->counter, event->select);
	if (!illegal && event->counter == BPMU_COUNTER_IBS_OP &&
	    !bpmu_ibs_is_latency(event->select))
		illegal = BPMU_IBS_SEL_LATENCY;
	if (illegal)
		return refuse(extack, attrs[BPMU_A_EVENT_SELECT],
					   select_refusal(pmu, event->counter, illegal));
	if (event->filter & ~filter_used(pmu, event))
		return refuse(extack, attrs[BPMU_A_EVENT_FILTER],
			      extra_of(pmu, event) ?
			      "a bit of the event's extra register is reserved on this part" :
			      "the event does not use these bits of its box's filter, or there is no filter; leave them 0");
	why = period_refusal(bank, event);
	if (why)
		return refuse(extack, attrs[BPMU_A_EVENT_PERIOD] ?: attrs[BPMU_A_EVENT_FREQUENCY],
			      why);
	why = precise_refusal(pmu, event);
	if (why)
		return refuse(extack, attrs[BPMU_A_EVENT_PRECISE], why);
	why = latency_refusal(pmu, event);
	if (why)
		return refuse(extack, attrs[BPMU_A_EVENT_SELECT], why);
	why = data_refusal(pmu, event);
	return why ? refuse(extack, attrs[BPMU_A_EVENT_DATA], why) : 0;
}

static int parse_period(struct bpmu_plan_event *event, struct nlattr **attrs,
			struct netlink_ext_ack *extack)
{
	const struct nlattr *frequency = attrs[BPMU_A_EVENT_FREQUENCY];
	const struct nlattr *period = attrs[BPMU_A_EVENT_PERIOD];

	if (period && frequency)
		return refuse(extack, frequency,
			      "an event has a period or a frequency, not both");
	event->frequency = frequency ? nla_get_u32(frequency) : 0;
	event->period = frequency ? BPMU_MIN_PERIOD : 0;
	if (period)
		event->period = nla_get_u32(period);
	return 0;
}

static int parse_event(const struct bpmu_pmu *pmu, enum bpmu_bank_id bank,
		       struct bpmu_plan_event *event,
		       const struct nlattr *nested,
		       struct netlink_ext_ack *extack)
{
	struct nlattr *attrs[BPMU_A_EVENT_MAX + 1];
	int err;

	err = nla_parse_nested(attrs, BPMU_A_EVENT_MAX, nested, event_policy,
			       extack);
	if (err)
		return err;
	if (!attrs[BPMU_A_EVENT_COUNTER])
		return refuse(extack, nested,
					   "BPMU_A_EVENT_COUNTER is missing");
	if (!attrs[BPMU_A_EVENT_SELECT])
		return refuse(extack, nested,
					   "BPMU_A_EVENT_SELECT is missing");
	event->counter = nla_get_u32(attrs[BPMU_A_EVENT_COUNTER]);
	event->sibling = event->counter;
	if (attrs[BPMU_A_EVENT_SIBLING])
		event->sibling = nla_get_u32(attrs[BPMU_A_EVENT_SIBLING]);
	event->select = nla_get_u64(attrs[BPMU_A_EVENT_SELECT]);
	event->filter = 0;
	if (attrs[BPMU_A_EVENT_FILTER])
		event->filter = nla_get_u64(attrs[BPMU_A_EVENT_FILTER]);
	err = parse_period(event, attrs, extack);
	if (err)
		return err;
	event->precise = nla_get_flag(attrs[BPMU_A_EVENT_PRECISE]);
	event->data = nla_get_flag(attrs[BPMU_A_EVENT_DATA]);
	err = check_event(pmu, bank, event, attrs, extack);
	if (!err && bpmu_bank_is_uncore(bank))
		bpmu_plan_units(pmu, event->counter, &event->units);
	return err;
}

/*
 * Returns true if the group's newest event, at index @group->nr, has the counter of an earlier
 * event, on the first or on the second thread of a core.
 */
static bool is_duplicate_counter(const struct bpmu_plan_group *group)
{
	const struct bpmu_plan_event *last = &group->event[group->nr];
	u32 i;

	for (i = 0; i < group->nr; i++)
		if (group->event[i].counter == last->counter ||
		    group->event[i].sibling == last->sibling)
			return true;
	return false;
}

/*
 * Returns true if two events of a group share one register for their filters. @a and @b are the
 * extra registers of core events. Both are NULL for uncore events, which share the filter of their
 * box.
 */
static bool same_register(const struct bpmu_extra *a, const struct bpmu_extra *b)
{
	return a && b ? a->id == b->id : !a && !b;
}

/*
 * Returns true if the group's newest event, at index @group->nr, and an earlier event need
 * different values of a register that they share: an extra register or the filter of a box.
 */
static bool filters_differ(const struct bpmu_pmu *pmu,
			   const struct bpmu_plan_group *group)
{
	const struct bpmu_plan_event *last = &group->event[group->nr];
	const struct bpmu_plan_event *event = group->event;

	for (; event < last; event++)
		if (same_register(extra_of(pmu, event), extra_of(pmu, last)) &&
		    (event->filter ^ last->filter) & filter_used(pmu, event) &
		    filter_used(pmu, last))
			return true;
	return false;
}

static int parse_group(const struct bpmu_pmu *pmu, enum bpmu_bank_id bank,
		       struct bpmu_plan_group *group,
		       const struct nlattr *nested,
		       struct netlink_ext_ack *extack)
{
	const struct nlattr *attr;
	int err;
	int rem;

	nla_for_each_nested(attr, nested, rem) {
		if (nla_type(attr) != BPMU_A_GROUP_EVENT)
			return refuse(extack, attr,
						   "unknown attribute in BPMU_A_GROUP");
		if (group->nr == BPMU_MAX_COUNTERS)
			return refuse(extack, attr,
						   "more events than a group can have");
		err = parse_event(pmu, bank, &group->event[group->nr], attr,
				  extack);
		if (err)
			return err;
		if (is_duplicate_counter(group))
			return refuse(extack, attr,
						   "this counter has an event already");
		if (filters_differ(pmu, group) && bank == BPMU_BANK_CORE)
			return refuse(extack, attr,
				      "two events of the group need different values of one extra register; use the other off-core event for one of them, or put them into two groups");
		if (filters_differ(pmu, group))
			return refuse(extack, attr,
				      "two events of the group need different values of the box's only filter; put them into two groups");
		group->filter |= group->event[group->nr++].filter;
	}
	if (!group->nr)
		return refuse(extack, nested, "a group without an event");
	return 0;
}

/*
 * Returns true if a group has PERF_METRICS without fixed counter 3, which counts the pipeline
 * slots. PERF_METRICS holds fractions of the slots, which are of no use without their number.
 */
static bool metrics_without_slots(const struct bpmu_plan_group *group)
{
	bool metrics = false;
	bool slots = false;
	u32 i;

	for (i = 0; i < group->nr; i++) {
		metrics |= group->event[i].counter == BPMU_METRICS_COUNTER;
		slots |= group->event[i].counter == BPMU_FIXED_SLOTS;
	}
	return metrics && !slots;
}

/*
 * Returns true if an event of the group counts nothing, because its select has neither USR (user
 * mode) nor OS (kernel mode). PERF_METRICS needs neither bit of its own: the bits of fixed counter
 * 3 apply to it.
 */
static bool counts_nothing(const struct bpmu_plan_group *group)
{
	const struct bpmu_plan_event *event = group->event;

	for (; event < group->event + group->nr; event++)
		if (event->counter != BPMU_METRICS_COUNTER &&
		    !(event->select & (BPMU_SEL_USR | BPMU_SEL_OS)))
			return true;
	return false;
}

/*
 * Returns true if records of an event of the group lack the source of the data, because the group
 * does not count the auxiliary event that they need.
 */
static bool lacks_aux(const struct bpmu_pmu *pmu, const struct bpmu_plan_group *group)
{
	const struct bpmu_plan_event *event = group->event;
	bool needed = false, counted = false;

	for (; event < group->event + group->nr; event++) {
		if (event->counter >= BPMU_COUNTER_FIXED)
			continue;
		needed |= event->data && bpmu_data_access_needs_aux(pmu->part, event->select);
		counted |= bpmu_data_access_is_aux(event->select);
	}
	return needed && !counted;
}

/*
 * Returns true if an event of the group is the load latency, and another one is precise, too,
 * before the adaptive formats: no other bit of IA32_PEBS_ENABLE may be set then (SDM Vol. 3, load
 * latency facility).
 */
static bool latency_beside(const struct bpmu_pmu *pmu, const struct bpmu_plan_group *group)
{
	const struct bpmu_plan_event *event = group->event;
	const struct bpmu_extra *extra;
	bool latency = false;
	u32 precise = 0;

	for (; event < group->event + group->nr; event++) {
		extra = extra_of(pmu, event);
		latency |= extra && extra->id == BPMU_EXTRA_LATENCY;
		precise += event->precise;
	}
	return latency && precise > 1 && !bpmu_pmu_has_groups(pmu);
}

static bool is_group(const struct nlattr *attr)
{
	switch (nla_type(attr)) {
	case BPMU_A_GROUP:
	case BPMU_A_OTHER_GROUP:
	case BPMU_A_UNCORE_GROUP:
	case BPMU_A_FREE_GROUP:
		return true;
	default:
		return false;
	}
}

/*
 * Returns the counter number of the first event of a group, which is a netlink attribute; U32_MAX
 * if the group has no counter number.
 */
static u32 first_counter(const struct nlattr *group)
{
	const struct nlattr *event, *inner;
	int rem, rem_inner;

	nla_for_each_nested(event, group, rem)
		nla_for_each_nested(inner, event, rem_inner)
			if (nla_type(inner) == BPMU_A_EVENT_COUNTER &&
			    nla_len(inner) == sizeof(u32))
				return nla_get_u32(inner);
	return U32_MAX;
}

/*
 * Returns the bank of the counters that the group in a netlink attribute uses. The type of the
 * attribute says if the bank is the core's, an uncore bank or a free-running bank. The first
 * event's counter tells which uncore bank or free-running bank it is. If that counter is of another
 * kind, a bank is returned that has no such counter, so that the event is refused later.
 */
static enum bpmu_bank_id bank_of(const struct nlattr *attr)
{
	int bank = bpmu_bank_of(first_counter(attr));

	switch (nla_type(attr)) {
	case BPMU_A_UNCORE_GROUP:
		return bank >= 0 && bpmu_bank_is_uncore(bank) ? bank : BPMU_BANK_UNCORE;
	case BPMU_A_FREE_GROUP:
		return bank >= 0 && bpmu_bank_facts[bank].free ? bank : BPMU_BANK_FREE_THREAD;
	default:
		return BPMU_BANK_CORE;
	}
}

/*
 * Refuses a group with a free-running register that one of the session's core types lacks. Returns
 * 0, or -EINVAL after a sentence was set in @extack.
 */
static int check_core_types(const struct bpmu_settings *settings,
			    enum bpmu_bank_id bank,
			    const struct bpmu_plan_group *group,
			    const struct nlattr *attr,
			    struct netlink_ext_ack *extack)
{
	u32 type, i;

	for (type = 1; type < settings->nr_core_types; type++)
		for (i = 0; i < group->nr; i++)
			if (!has_counter(settings->pmu[type],
					 group->event[i].counter, bank))
				return refuse(extack, attr,
					      "only one of the core types has that register; choose CPUs of one core type");
	return 0;
}

static int add_group(const struct bpmu_settings *settings,
		     struct bpmu_plan *plan, const struct nlattr *attr,
		     struct netlink_ext_ack *extack)
{
	bool other = nla_type(attr) == BPMU_A_OTHER_GROUP;
	enum bpmu_bank_id bank = bank_of(attr);
	const struct bpmu_pmu *pmu = settings->pmu[other];
	struct bpmu_plan_groups *to = &plan->groups[bank][other];
	struct bpmu_plan_group *group;
	int err;

	if (other && settings->nr_core_types == 1)
		return refuse(extack, attr,
			      "all CPUs have one core type: use BPMU_A_GROUP");
	if (to->nr == BPMU_MAX_GROUPS)
		return refuse(extack, attr,
			      "more groups than a session can have");
	if (bpmu_bank_facts[bank].free && to->nr)
		return refuse(extack, attr,
			      "free-running registers are not multiplexed: at most one group each for registers of threads, cores and packages");
	group = bpmu_plan_add(to);
	if (!group)
		return -ENOMEM;
	err = parse_group(pmu, bank, group, attr, extack);
	if (!err && bpmu_bank_facts[bank].free)
		err = check_core_types(settings, bank, group, attr, extack);
	if (err || bank != BPMU_BANK_CORE)
		return err;
	if (counts_nothing(group) && !(settings->check & BPMU_CHECK_SELECT))
		return refuse(extack, attr,
			      "without USR (bit 16) and OS (bit 17) an event counts nothing; set one of them");
	if (metrics_without_slots(group))
		return refuse(extack, attr,
			      "PERF_METRICS needs fixed counter 3 in its group");
	if (lacks_aux(pmu, group))
		return refuse(extack, attr,
			      "the load latency needs its auxiliary event in the same group on this part, see BPMU_A_EVENT_DATA");
	if (latency_beside(pmu, group))
		return refuse(extack, attr,
			      "on this part no other event is precise beside the load latency");
	bpmu_core_setup(pmu, group, bpmu_settings_has_branches(settings) || settings->counts);
	return 0;
}

/**
 * struct leak - which counters of a thread of a core leak into the sibling thread
 * @used: bit set of the general counters that count an event in any group
 * @leaks: subset of @used whose events, because of an erratum, also increment the counter of the
 *	same index on the sibling thread
 */
struct leak {
	u64 used;
	u64 leaks;
};

/*
 * Returns which general counters a thread uses, and which of them have events that leak into the
 * sibling thread. All groups are taken together: the threads of a core multiplex independently, so
 * that any group of one may run together with any group of the other.
 */
static struct leak leak_of(const struct bpmu_pmu *pmu,
			   const struct bpmu_plan_groups *groups,
			   unsigned int thread)
{
	struct leak leak = { };
	u32 g, i;

	for (g = 0; g < groups->nr; g++) {
		const struct bpmu_plan_group *group = &groups->group[g];

		for (i = 0; i < group->nr; i++) {
			const struct bpmu_plan_event *event = &group->event[i];
			u32 counter = bpmu_plan_counter(event, thread);

			if (counter >= BPMU_COUNTER_FIXED)
				continue;
			leak.used |= BIT_ULL(counter);
			if (bpmu_select_leaks(pmu->part, event->select))
				leak.leaks |= BIT_ULL(counter);
		}
	}
	return leak;
}

static bool leaks(const struct bpmu_pmu *pmu,
		  const struct bpmu_plan_groups *groups)
{
	struct leak first, second;

	if (!(pmu->part->quirks & BPMU_QUIRK_SMT_LEAK))
		return false;
	first = leak_of(pmu, groups, 0);
	second = leak_of(pmu, groups, 1);
	return first.leaks & second.used || second.leaks & first.used;
}

static int check_leaks(const struct bpmu_settings *settings,
		       const struct bpmu_plan *plan,
		       struct netlink_ext_ack *extack)
{
	bool any = false;
	u32 i;

	for (i = 0; i < settings->nr_core_types; i++)
		any |= leaks(settings->pmu[i],
			     &plan->groups[BPMU_BANK_CORE][i]);
	if (!any || settings->check & BPMU_CHECK_LEAK || !settings->siblings)
		return 0;
	NL_SET_ERR_MSG(extack,
		       "events D0 to D3 leak into the sibling's counter of the same index (BJ122, BV98, HSD29), which must be idle; use BPMU_A_EVENT_SIBLING, or one thread of each core");
	return -EINVAL;
}

static int check_extras(const struct bpmu_settings *settings, const struct bpmu_plan *plan,
			struct netlink_ext_ack *extack)
{
	if (!bpmu_plan_extras_clash(settings, plan, plan))
		return 0;
	NL_SET_ERR_MSG(extack,
		       "the threads of a core share the off-core registers of this part: a register needs the same value in all groups, or measure one thread of each core");
	return -EINVAL;
}

static int check_groups(const struct bpmu_settings *settings,
			const struct bpmu_plan *plan,
			struct netlink_ext_ack *extack)
{
	u32 nr = plan->groups[BPMU_BANK_CORE][0].nr;
	u32 other = plan->groups[BPMU_BANK_CORE][1].nr;
	u32 most = other;
	unsigned int bank;

	for (bank = 0; bank < BPMU_BANKS; bank++)
		most = max(most, plan->groups[bank][0].nr);
	if (!most) {
		NL_SET_ERR_MSG(extack, "BPMU_A_GROUP is missing");
		return -EINVAL;
	}
	if (settings->nr_core_types > 1 && !nr != !other) {
		NL_SET_ERR_MSG(extack,
			       "the CPUs have two core types: BPMU_A_GROUP is for that of the lowest CPU, BPMU_A_OTHER_GROUP for the other; give both, or choose CPUs of one core type, which BPMU_CMD_GET_INFO lists");
		return -EINVAL;
	}
	if (!settings->interval_ns && most > 1) {
		NL_SET_ERR_MSG(extack,
			       "several groups are multiplexed by the interval: BPMU_A_INTERVAL_NS is missing");
		return -EINVAL;
	}
	return 0;
}

static bool plan_has_metrics(const struct bpmu_plan *plan)
{
	const struct bpmu_plan_groups *groups = plan->groups[BPMU_BANK_CORE];
	u32 type, g;

	for (type = 0; type < BPMU_CORE_TYPES; type++)
		for (g = 0; g < groups[type].nr; g++)
			if (groups[type].group[g].setup[0].metrics)
				return true;
	return false;
}

static const char hidden_records[] =
	"this part has branch records (LBR), but the hypervisor shows none";

static const char no_records[] =
	"this part has no branch records (LBR) that the module reads";

static const char no_stack[] =
	"the branch records (LBR) of this part cannot be a call stack: Intel's can from Haswell on";

/*
 * Returns NULL if the module can read branch records (LBR) on all core types of the session, else a
 * sentence that says why not.
 */
static const char *branches_refusal(const struct bpmu_settings *settings)
{
	const struct bpmu_pmu *pmu;
	u32 type;

	for (type = 0; type < settings->nr_core_types; type++) {
		pmu = settings->pmu[type];
		if (pmu->lbr.depth && settings->calls && !pmu->lbr.calls)
			return no_stack;
		if (pmu->lbr.depth)
			continue;
		if (pmu->part->ids->vendor == BPMU_VENDOR_AMD)
			return "the module reads no branch records of AMD's parts (LbrExtV2)";
		return pmu->part->lbr ? hidden_records : no_records;
	}
	return NULL;
}

/*
 * Returns true if CPUs of all core types of the session can stop their counters when they raise an
 * interrupt.
 */
static bool can_freeze(const struct bpmu_settings *settings)
{
	u32 type;

	for (type = 0; type < settings->nr_core_types; type++)
		if (settings->pmu[type]->part->cpuid_leaf != BPMU_CPUID_PERFMON)
			return false;
	return true;
}

static const char no_counters[] =
	"this part's precise records lack the counters, by which the period of each is known";

static const char no_time[] =
	"this part's precise records lack the time: each has an interrupt of its own";

static const char one_page[] =
	"one page takes precise records, as page tables are isolated: BPMU_A_BATCH is too large";

/* Says why a CPU cannot write as many precise records as a session's batch has. */
static const char *batch_refusal(const struct bpmu_pmu *pmu)
{
	if (!bpmu_pmu_has_store(pmu))
		return no_counters;
	return bpmu_pebs_most(pmu, false) == 1 ? no_time : one_page;
}

/* Returns true if all CPUs can write branch records into their precise records. */
static bool have_groups(const struct bpmu_settings *settings)
{
	u32 type;

	for (type = 0; type < settings->nr_core_types; type++)
		if (!bpmu_pmu_has_groups(settings->pmu[type]))
			return false;
	return true;
}

/*
 * Refuses what goes not with many precise records an interrupt. Returns 0, or -EINVAL after a
 * sentence was set.
 */
static int check_batch(struct genl_info *info, const struct bpmu_settings *settings,
		       const struct bpmu_plan *plan)
{
	const struct nlattr *batch = info->attrs[BPMU_A_BATCH];
	u32 type;

	if (settings->batch == 1)
		return 0;
	if (!settings->precise || !bpmu_plan_can_batch(plan))
		return refuse(info->extack, batch,
			      "many records an interrupt are for precise records: each event that interrupts needs BPMU_A_EVENT_PRECISE and BPMU_A_EVENT_PERIOD");
	if (settings->chain || (settings->branches && !have_groups(settings)))
		return refuse(info->extack, batch,
			      "a record that the CPU writes without an interrupt has neither call chains nor, on this part, branch records");
	if (settings->check & BPMU_CHECK_FREEZE)
		return refuse(info->extack, batch,
			      "FREEZE stops the counters at an interrupt: it goes not with many records an interrupt");
	for (type = 0; type < settings->nr_core_types; type++)
		if (bpmu_pebs_most(settings->pmu[type], settings->branches) < settings->batch)
			return refuse(info->extack, batch, batch_refusal(settings->pmu[type]));
	return 0;
}

static const char no_counts[] =
	"this part's precise records lack the counters";

static const char no_metrics[] =
	"this part's precise records lack PERF_METRICS";

static const char not_precise[] =
	"only precise records have counts: each event that interrupts needs BPMU_A_EVENT_PRECISE";

static const char slots_interrupt[] =
	"PERF_METRICS needs fixed counter 3 to begin at 0: it cannot interrupt";

static const char no_value[] =
	"precise records do not have the value of one of these counters";

/*
 * Returns NULL if the precise records of a group can have the values of all its counters, else a
 * sentence that says why not.
 */
static const char *counts_refusal(const struct bpmu_pmu *pmu, const struct bpmu_plan_group *group)
{
	const struct bpmu_plan_event *event = group->event;
	bool metrics = group->setup[0].metrics;

	if (!pmu->pebs_values)
		return no_counts;
	if (metrics && !pmu->pebs_metrics)
		return no_metrics;
	for (; event < group->event + group->nr; event++) {
		if (event->period && !event->precise)
			return not_precise;
		if (event->counter == BPMU_METRICS_COUNTER)
			continue;
		if (metrics && event->counter == BPMU_FIXED_SLOTS) {
			if (event->period)
				return slots_interrupt;
			continue;
		}
		if (~bpmu_pmu_held(pmu) & (BIT_ULL(event->counter) | BIT_ULL(event->sibling)))
			return no_value;
	}
	return NULL;
}

/*
 * Refuses what goes not with counts in the records of interrupts. Returns 0, or -EINVAL after a
 * sentence was set.
 */
static int check_counts(struct genl_info *info, const struct bpmu_settings *settings,
			const struct bpmu_plan *plan)
{
	const struct bpmu_plan_groups *groups = plan->groups[BPMU_BANK_CORE];
	const char *refusal;
	u32 type;

	if (settings->batch > 1)
		return refuse(info->extack, info->attrs[BPMU_A_BATCH],
			      "counts are of one record an interrupt: BPMU_A_BATCH goes not with BPMU_A_COUNTS");
	for (type = 0; type < BPMU_CORE_TYPES; type++) {
		if (!groups[type].nr)
			continue;
		refusal = counts_refusal(settings->pmu[type], groups[type].group);
		if (refusal)
			return refuse(info->extack, info->attrs[BPMU_A_COUNTS], refusal);
	}
	return 0;
}

/*
 * Refuses options that cannot be combined with events that have a period. The counters of such
 * events interrupt. Each interrupt sets the counter to minus the period, so that no option may set,
 * stop or multiplex it. Returns 0, or -EINVAL after a sentence was set.
 */
static int check_periods(struct genl_info *info, const struct bpmu_settings *settings,
			 const struct bpmu_plan *plan)
{
	const struct bpmu_plan_groups *groups = plan->groups[BPMU_BANK_CORE];
	const char *refusal;

	if (!settings->overflows && settings->chain)
		return refuse(info->extack, info->attrs[BPMU_A_CHAIN],
			      "only an event that interrupts has call chains: give one a period");
	if (!settings->overflows && settings->branches)
		return refuse(info->extack, info->attrs[BPMU_A_BRANCHES],
			      "only an event that interrupts has branch records: give one a period");
	if (!settings->overflows && settings->counts)
		return refuse(info->extack, info->attrs[BPMU_A_COUNTS],
			      "only an event that interrupts has precise records: give one a period");
	if (!settings->overflows && settings->batch > 1)
		return refuse(info->extack, info->attrs[BPMU_A_BATCH],
			      "only an event that interrupts has precise records: give one a period");
	if (settings->calls && !settings->chain)
		return refuse(info->extack, info->attrs[BPMU_A_BRANCHES],
			      "a call stack is part of the call chains: BPMU_A_CHAIN is missing");
	if (!settings->overflows && settings->check & (BPMU_CHECK_PERIOD | BPMU_CHECK_FREEZE))
		return refuse(info->extack, info->attrs[BPMU_A_CHECK],
			      "PERIOD and FREEZE are for events that interrupt: give one a period");
	if (!settings->overflows)
		return 0;
	if (settings->check & BPMU_CHECK_FREEZE && !can_freeze(settings))
		return refuse(info->extack, info->attrs[BPMU_A_CHECK],
			      "this part cannot stop its counters when it raises an interrupt");
	refusal = settings->branches ? branches_refusal(settings) : NULL;
	if (refusal)
		return refuse(info->extack, info->attrs[BPMU_A_BRANCHES], refusal);
	if (settings->top)
		return refuse(info->extack, info->attrs[BPMU_A_TOP],
			      "an event that interrupts has a period: BPMU_A_TOP cannot set its counter as well");
	if (groups[0].nr > 1 || groups[1].nr > 1) {
		NL_SET_ERR_MSG(info->extack,
			       "an event that interrupts cannot be multiplexed: give one group of the core");
		return -EINVAL;
	}
	if (settings->counts)
		return check_counts(info, settings, plan);
	if (plan_has_metrics(plan)) {
		NL_SET_ERR_MSG(info->extack,
			       "beside an event that interrupts PERF_METRICS is counted in precise records only: BPMU_A_COUNTS is missing");
		return -EINVAL;
	}
	return check_batch(info, settings, plan);
}

/*
 * Parses the groups in a request of BPMU_CMD_CONFIGURE or BPMU_CMD_SWAP, appends them to @plan, and
 * checks them together. Returns 0 or a negative errno; on error some groups are in @plan.
 */
static int parse_groups(struct genl_info *info,
			const struct bpmu_settings *settings,
			struct bpmu_plan *plan)
{
	const struct nlattr *attr;
	int err;
	int rem;

	nlmsg_for_each_attr(attr, info->nlhdr, GENL_HDRLEN, rem) {
		if (!is_group(attr))
			continue;
		err = add_group(settings, plan, attr, info->extack);
		if (err)
			return err;
		cond_resched();
	}
	err = check_groups(settings, plan, info->extack);
	err = err ?: check_leaks(settings, plan, info->extack);
	return err ?: check_extras(settings, plan, info->extack);
}

static int find_core_types(struct genl_info *info, struct bpmu_settings *settings)
{
	unsigned int cpu;

	for_each_cpu(cpu, settings->cpus) {
		const struct bpmu_pmu *pmu = bpmu_pmu_of(cpu);
		u32 type = bpmu_settings_core_type(settings, cpu);

		if (settings->nr_core_types && settings->pmu[type] == pmu)
			continue;
		if (settings->nr_core_types == BPMU_CORE_TYPES)
			return refuse(info->extack, info->attrs[BPMU_A_CPUS],
				      "the CPUs have three core types, and a session measures two at most: name the CPUs of two");
		settings->pmu[settings->nr_core_types++] = pmu;
	}
	return 0;
}

/*
 * Sets @cpus to the CPUs of a session whose request names none: all that are online and can be
 * measured, without isolated CPUs, which sampling would interrupt.
 */
static void default_cpus(struct cpumask *cpus)
{
	unsigned int cpu;

	for_each_online_cpu(cpu)
		if (!cpu_is_isolated(cpu) && bpmu_pmu_of(cpu))
			cpumask_set_cpu(cpu, cpus);
}

/*
 * Returns true if the module can measure a CPU. A CPU that was not probed when the module was
 * loaded, because it is isolated, is probed here.
 */
static bool can_be_measured(unsigned int cpu)
{
	int err;

	cpus_read_lock();
	err = bpmu_pmu_probe_on(cpu);
	cpus_read_unlock();
	return !err;
}

static int parse_cpus(struct genl_info *info, struct bpmu_settings *settings)
{
	const struct nlattr *attr = info->attrs[BPMU_A_CPUS];
	const u32 *cpus;
	unsigned int i;

	if (!attr) {
		default_cpus(settings->cpus);
		if (!cpumask_empty(settings->cpus))
			return 0;
		NL_SET_ERR_MSG(info->extack,
			       "every CPU is isolated or cannot be measured; name the CPUs to measure");
		return -ENODEV;
	}
	if (nla_len(attr) % sizeof(u32))
		return refuse(info->extack, attr,
			      "the length of BPMU_A_CPUS is not a multiple of 4");
	cpus = nla_data(attr);
	for (i = 0; i < nla_len(attr) / sizeof(u32); i++) {
		if (cpus[i] >= nr_cpu_ids || !cpu_online(cpus[i])) {
			refuse(info->extack, attr,
			       "a CPU of BPMU_A_CPUS is absent or offline");
			return -ENODEV;
		}
		if (!can_be_measured(cpus[i])) {
			refuse(info->extack, attr,
			       "a CPU of BPMU_A_CPUS has a core type that the module cannot measure; see the kernel's log");
			return -ENODEV;
		}
		if (cpumask_test_and_set_cpu(cpus[i], settings->cpus))
			return refuse(info->extack, attr,
				      "BPMU_A_CPUS names a CPU twice");
	}
	return 0;
}

static int parse_interval(struct genl_info *info,
			  struct bpmu_settings *settings)
{
	const struct nlattr *attr = info->attrs[BPMU_A_INTERVAL_NS];

	if (!attr)
		return 0;
	settings->interval_ns = nla_get_u64(attr);
	if (settings->interval_ns &&
	    settings->interval_ns < BPMU_MIN_INTERVAL_NS)
		return refuse(info->extack, attr,
			      "an interval is at least 100000 ns");
	return 0;
}

/*
 * Refuses an interval in which a counter might wrap twice, so that its count would be ambiguous.
 * Must be called after the groups were parsed, because the longest legal interval depends on the
 * registers of the groups. Returns 0 or -EINVAL.
 */
static int check_guard(struct genl_info *info,
		       const struct bpmu_settings *settings)
{
	if (settings->interval_ns > bpmu_settings_guard_ns(settings))
		return refuse(info->extack, info->attrs[BPMU_A_INTERVAL_NS],
			      "a counter could wrap twice in that interval; choose a shorter one");
	return 0;
}

/*
 * Returns true if no core multiplexes groups. Returns false also if free-running registers of
 * threads are read without a core group: such registers may count while the CPU sleeps.
 */
static bool one_group_each(const struct bpmu_settings *settings,
			   const struct bpmu_plan *plan)
{
	u32 i;

	for (i = 0; i < settings->nr_core_types; i++)
		if (plan->groups[BPMU_BANK_CORE][i].nr > 1)
			return false;
	return bpmu_plan_uses(plan, BPMU_BANK_CORE) ||
	       !bpmu_plan_uses(plan, BPMU_BANK_FREE_THREAD);
}

/*
 * Chooses the source of the samples' time: an hrtimer, whose interrupts are additional, or the
 * timer tick. Two kinds of sessions cannot use the tick. Sessions with several groups cannot: an
 * idle CPU has fewer ticks, so that some groups would be counted longer than others. Sessions that
 * name the interrupted task cannot: an idle CPU samples in a deferrable timer, which runs after the
 * tick's interrupt, perhaps in ksoftirqd.
 */
static int choose_timer(struct genl_info *info, struct bpmu_settings *settings,
			const struct bpmu_plan *plan)
{
	const struct nlattr *attr = info->attrs[BPMU_A_TIMER];
	u32 timer = attr ? nla_get_u32(attr) : BPMU_TIMER_AUTO;

	settings->who = nla_get_flag(info->attrs[BPMU_A_WHO]);
	if (settings->who && timer == BPMU_TIMER_TICK)
		return refuse(info->extack, attr,
			      "samples of the timer tick cannot name the interrupted task; use BPMU_TIMER_HARD");
	settings->tick = timer == BPMU_TIMER_TICK ||
			 (timer == BPMU_TIMER_AUTO &&
			  one_group_each(settings, plan) &&
			  settings->interval_ns >= 2 * TICK_NSEC &&
			  !settings->who);
	return 0;
}

static u32 default_samples(const struct bpmu_settings *settings)
{
	u64 nr;

	if (settings->overflows)
		return OVERFLOWS;
	if (!settings->interval_ns)
		return COUNTING_SAMPLES;
	nr = div64_u64(BUFFERED_NS, settings->interval_ns);
	return clamp_t(u64, nr, INTERVAL_SAMPLES_MIN,
		       BPMU_MAX_BUFFER_SAMPLES);
}

static int parse_buffer(struct genl_info *info, struct bpmu_settings *settings,
			const struct bpmu_plan *plan)
{
	const struct nlattr *samples = info->attrs[BPMU_A_BUFFER_SAMPLES];
	const struct nlattr *watermark = info->attrs[BPMU_A_WATERMARK];
	u32 nr = samples ? nla_get_u32(samples) : default_samples(settings);

	nr = roundup_pow_of_two(nr);
	if (nr < bpmu_plan_first_samples(plan) + BPMU_RESERVED_SAMPLES)
		return refuse(info->extack, samples,
			      "the buffer is too small: it needs one sample per group, and BPMU_RESERVED_SAMPLES more");
	settings->buffer_samples = nr;
	settings->watermark = watermark ? nla_get_u32(watermark) : nr / 2;
	if (settings->watermark > nr - BPMU_RESERVED_SAMPLES)
		return refuse(info->extack, watermark,
			      "the watermark cannot be reached: periodic samples leave BPMU_RESERVED_SAMPLES of the buffer free");
	return 0;
}

/*
 * Returns the bits of BPMU_MSR_PREFETCH that switch a prefetcher on all core types of the session.
 */
static u32 common_prefetchers(const struct bpmu_settings *settings)
{
	u32 bits = U32_MAX;
	u32 i;

	for (i = 0; i < settings->nr_core_types; i++)
		bits &= settings->pmu[i]->part->prefetch;
	return bits;
}

static int parse_prefetch(struct sk_buff *request, struct genl_info *info,
			  struct bpmu_settings *settings)
{
	const struct nlattr *attr = info->attrs[BPMU_A_PREFETCH];

	if (!attr)
		return 0;
	if (!common_prefetchers(settings))
		return refuse(info->extack, attr,
			      "the prefetchers of this part cannot be switched");
	if (!bpmu_may_switch_prefetchers(request)) {
		refuse(info->extack, attr,
		       "switching prefetchers needs CAP_SYS_RAWIO as well");
		return -EPERM;
	}
	settings->prefetchers = true;
	settings->prefetch = nla_get_u32(attr);
	if (settings->prefetch & ~common_prefetchers(settings))
		return refuse(info->extack, attr,
			      "a bit that controls no prefetcher; BPMU_A_INFO_PREFETCH has those that do");
	return 0;
}

static int parse_take_over(struct genl_info *info,
			   struct bpmu_settings *settings)
{
	const struct nlattr *attr = info->attrs[BPMU_A_TAKE_OVER];

	settings->take_over = nla_get_flag(attr);
	if (settings->take_over && !bpmu_pmu_reservation_works())
		return refuse(info->extack, attr,
			      "on this part counters of perf cannot be told from those that firmware enabled: they cannot be taken over");
	return 0;
}

static void parse_check(struct genl_info *info, struct bpmu_settings *settings)
{
	const struct nlattr *check = info->attrs[BPMU_A_CHECK];
	const struct nlattr *top = info->attrs[BPMU_A_TOP];

	settings->check = check ? nla_get_u32(check) : 0;
	settings->top = top ? nla_get_u32(top) : 0;
}

/*
 * Parses and checks all attributes of a request of BPMU_CMD_CONFIGURE into @settings and @plan.
 * Returns 0 or a negative errno; on error the caller frees both.
 */
static int parse_configuration(struct sk_buff *request, struct genl_info *info,
			       struct bpmu_settings *settings,
			       struct bpmu_plan *plan)
{
	int err;

	err = parse_cpus(info, settings);
	if (err)
		return err;
	err = find_core_types(info, settings);
	if (err)
		return err;
	err = parse_interval(info, settings);
	if (err)
		return err;
	err = parse_prefetch(request, info, settings);
	if (err)
		return err;
	err = parse_take_over(info, settings);
	if (err)
		return err;
	parse_check(info, settings);
	if (info->attrs[BPMU_A_CHAIN])
		settings->chain = nla_get_u32(info->attrs[BPMU_A_CHAIN]);
	settings->branches = info->attrs[BPMU_A_BRANCHES];
	settings->calls = settings->branches &&
			  nla_get_u32(info->attrs[BPMU_A_BRANCHES]) == BPMU_BRANCH_KIND_CALLS;
	settings->batch = 1;
	if (info->attrs[BPMU_A_BATCH])
		settings->batch = nla_get_u32(info->attrs[BPMU_A_BATCH]);
	settings->counts = nla_get_flag(info->attrs[BPMU_A_COUNTS]);
	settings->siblings = bpmu_settings_have_siblings(settings);
	err = parse_groups(info, settings, plan);
	if (err)
		return err;
	settings->overflows = bpmu_plan_interrupts(plan);
	settings->precise = bpmu_plan_is_precise(plan);
	settings->metrics = settings->counts && plan_has_metrics(plan);
	settings->ops = bpmu_plan_has_counter(plan, BPMU_COUNTER_IBS_OP);
	settings->fetches = bpmu_plan_has_counter(plan, BPMU_COUNTER_IBS_FETCH);
	settings->data = bpmu_plan_has_data(plan);
	err = check_periods(info, settings, plan);
	if (err)
		return err;
	settings->free = bpmu_plan_uses(plan, BPMU_BANK_FREE_CORE) ||
			 bpmu_plan_uses(plan, BPMU_BANK_FREE_PACKAGE);
	err = check_guard(info, settings);
	if (err)
		return err;
	err = choose_timer(info, settings, plan);
	if (err)
		return err;
	settings->record_size = bpmu_plan_record_size(plan, settings);
	return parse_buffer(info, settings, plan);
}

/*
 * Allocates and fills the reply of BPMU_CMD_CONFIGURE. Returns NULL if there is no memory. Called
 * before the session takes the counters, so that a lack of memory cannot leave a session of which
 * the sender does not know.
 */
static struct sk_buff *alloc_configure_reply(struct genl_info *info, u32 record_size)
{
	struct sk_buff *skb;
	void *hdr;

	skb = genlmsg_new(nla_total_size(sizeof(u32)), GFP_KERNEL);
	if (!skb)
		return NULL;
	hdr = genlmsg_put_reply(skb, info, &bpmu_netlink_family, 0,
				BPMU_CMD_CONFIGURE);
	if (!hdr || nla_put_u32(skb, BPMU_A_RECORD_SIZE, record_size)) {
		nlmsg_free(skb);
		return NULL;
	}
	genlmsg_end(skb, hdr);
	return skb;
}

static int configure(struct sk_buff *request, struct genl_info *info,
		     struct bpmu_counted *counted)
{
	struct sk_buff *reply;
	int err;

	err = parse_configuration(request, info, counted->settings,
				  counted->plan);
	if (err)
		return err;
	reply = alloc_configure_reply(info, counted->settings->record_size);
	if (!reply)
		return -ENOMEM;
	err = bpmu_session_configure(request, counted, info->extack);
	if (err) {
		nlmsg_free(reply);
		return err;
	}
	/*
	 * The session exists now, so that the request has succeeded even if the reply cannot be
	 * sent: an error returned here would say that there is no session.
	 */
	genlmsg_reply(reply, info);
	return 0;
}

static int bpmu_netlink_configure(struct sk_buff *request,
				  struct genl_info *info)
{
	struct bpmu_counted counted = {
		.settings = bpmu_settings_alloc(),
		.plan = bpmu_plan_alloc(),
	};
	int err = -ENOMEM;

	if (counted.settings && counted.plan)
		err = configure(request, info, &counted);
	if (err) {
		bpmu_plan_free(counted.plan);
		bpmu_settings_free(counted.settings);
	}
	return err;
}

static int swap_groups(struct sk_buff *request, struct genl_info *info,
		       struct bpmu_settings *settings, struct bpmu_plan *plan)
{
	int err;

	err = bpmu_session_swap_settings(request, settings, info->extack);
	if (!err)
		err = parse_groups(info, settings, plan);
	if (!err)
		err = bpmu_session_swap(request, settings, plan, info->extack);
	return err;
}

static int bpmu_netlink_swap(struct sk_buff *request, struct genl_info *info)
{
	struct bpmu_settings *settings = bpmu_settings_alloc();
	struct bpmu_plan *plan = bpmu_plan_alloc();
	int err = -ENOMEM;

	if (settings && plan)
		err = swap_groups(request, info, settings, plan);
	if (err)
		bpmu_plan_free(plan);
	bpmu_settings_free(settings);
	return err;
}

static int bpmu_netlink_start(struct sk_buff *request, struct genl_info *info)
{
	return bpmu_session_start(request, info->extack);
}

static int bpmu_netlink_stop(struct sk_buff *request, struct genl_info *info)
{
	return bpmu_session_stop(request, info->extack);
}

static int bpmu_netlink_sample(struct sk_buff *request, struct genl_info *info)
{
	return bpmu_session_sample(request, info->extack);
}

static int bpmu_netlink_release(struct sk_buff *request,
				struct genl_info *info)
{
	return bpmu_session_release(request, info->extack);
}

/*
 * Puts the session's state into a reply; also number and name of the owner's process, as far as the
 * sender of @request may know them. Returns 0 or -EMSGSIZE.
 */
static int put_session(struct sk_buff *skb, const struct sk_buff *request,
		       const struct bpmu_session_view *view)
{
	struct bpmu_owner_name name = bpmu_owner_name(view->owner, request);

	if (nla_put_u32(skb, BPMU_A_INFO_STATE, view->state) ||
	    nla_put_u32(skb, BPMU_A_INFO_OWNER_PID, name.pid) ||
	    nla_put_string(skb, BPMU_A_INFO_OWNER_COMM, name.comm))
		return -EMSGSIZE;
	return 0;
}

static int put_machine(struct sk_buff *skb)
{
	const struct cpuinfo_x86 *c = &boot_cpu_data;

	if (nla_put_u32(skb, BPMU_A_INFO_FAMILY, c->x86) ||
	    nla_put_u32(skb, BPMU_A_INFO_MODEL, c->x86_model) ||
	    nla_put_u32(skb, BPMU_A_INFO_STEPPING, c->x86_stepping) ||
	    nla_put_u32(skb, BPMU_A_INFO_TSC_KHZ, tsc_khz) ||
	    nla_put_u32(skb, BPMU_A_INFO_CPUS_ONLINE, num_online_cpus()))
		return -EMSGSIZE;
	return 0;
}

static int put_pmu(struct sk_buff *skb, const struct bpmu_pmu *pmu)
{
	if (nla_put_string(skb, BPMU_A_INFO_MODULE_VERSION,
			   BPMU_MODULE_VERSION) ||
	    nla_put_string(skb, BPMU_A_INFO_PART, pmu->part->name) ||
	    nla_put_string(skb, BPMU_A_INFO_PART_TITLE, pmu->part->title) ||
	    nla_put_u32(skb, BPMU_A_INFO_PMU_VERSION, pmu->version) ||
	    nla_put_u32(skb, BPMU_A_INFO_GP_COUNTERS, pmu->gp_counters) ||
	    nla_put_u32(skb, BPMU_A_INFO_GP_WIDTH, pmu->gp_width) ||
	    nla_put_u32(skb, BPMU_A_INFO_FIXED_COUNTERS,
			pmu->fixed_counters) ||
	    nla_put_u32(skb, BPMU_A_INFO_FIXED_WIDTH, pmu->fixed_width) ||
	    nla_put_u64_64bit(skb, BPMU_A_INFO_SELECT_MASK, pmu->legal,
			      BPMU_A_PAD) ||
	    nla_put_u32(skb, BPMU_A_INFO_METRICS, pmu->metrics) ||
	    nla_put_u32(skb, BPMU_A_INFO_ABSENT, pmu->absent) ||
	    nla_put_u64_64bit(skb, BPMU_A_INFO_PRECISE, pmu->pebs, BPMU_A_PAD) ||
	    nla_put_u32(skb, BPMU_A_INFO_BRANCHES, pmu->lbr.depth) ||
	    nla_put_u32(skb, BPMU_A_INFO_BATCH, bpmu_pebs_most(pmu, false)) ||
	    nla_put_u32(skb, BPMU_A_INFO_IBS, pmu->ibs) ||
	    nla_put_u32(skb, BPMU_A_INFO_PEBS, pmu->pebs_format) ||
	    nla_put_u32(skb, BPMU_A_INFO_GLOBAL, pmu->global) ||
	    nla_put_u64_64bit(skb, BPMU_A_INFO_FREE, pmu->free, BPMU_A_PAD) ||
	    nla_put_u64_64bit(skb, BPMU_A_INFO_UNITS, pmu->units,
			      BPMU_A_PAD) ||
	    nla_put_u32(skb, BPMU_A_INFO_TJMAX, pmu->tjmax) ||
	    nla_put_u32(skb, BPMU_A_INFO_PREFETCH, pmu->part->prefetch))
		return -EMSGSIZE;
	return 0;
}

/*
 * Puts the uncore units of a CPU model into a reply: for each unit that has boxes, their number and
 * the number of counters of a box. Returns 0 or -EMSGSIZE.
 */
static int put_boxes(struct sk_buff *skb, const struct bpmu_pmu *pmu)
{
	struct nlattr *nest;
	u32 unit;

	for (unit = 0; unit < BPMU_UNITS; unit++) {
		if (!pmu->nr[unit])
			continue;
		nest = nla_nest_start(skb, BPMU_A_INFO_BOX);
		if (!nest || nla_put_u32(skb, BPMU_A_BOX_UNIT, unit) ||
		    nla_put_u32(skb, BPMU_A_BOX_NR, pmu->nr[unit]) ||
		    nla_put_u32(skb, BPMU_A_BOX_COUNTERS, pmu->counters[unit]))
			return -EMSGSIZE;
		nla_nest_end(skb, nest);
	}
	return 0;
}

/*
 * Puts the flag BPMU_A_INFO_BUSY into a reply if perf holds the counters. Only a sender that may
 * program counters learns it. Returns 0 or -EMSGSIZE.
 */
static int put_busy(struct sk_buff *skb, struct sk_buff *request)
{
	if (!bpmu_may_program_quietly(request) ||
	    !bpmu_session_counters_busy())
		return 0;
	return nla_put_flag(skb, BPMU_A_INFO_BUSY);
}

/*
 * Reads the counter registers of a CPU into @now. Sets @foreign to the counters that an agent other
 * than this module has enabled (bit set), and @obstacles to the reasons (enum bpmu_obstacle, bit
 * set) why counters of this CPU cannot interrupt. The function holds the session's lock meanwhile,
 * so that no session begins or ends. Returns 0, or a negative errno if the registers could not be
 * read.
 */
static int snapshot(unsigned int cpu, const struct bpmu_pmu *pmu, struct bpmu_core_saved *now,
		    u64 *foreign, u32 *obstacles)
{
	struct bpmu_session_view view;
	bool ours;
	int err;

	cpus_read_lock();
	bpmu_session_view_begin(&view);
	err = bpmu_core_snapshot(cpu, now);
	*obstacles = bpmu_overflow_obstacles(cpumask_of(cpu));
	ours = view.counted->settings &&
	       bpmu_bank_in_use(bpmu_sampler_bank(cpu, BPMU_BANK_CORE));
	if (ours && view.counted->settings->branches)
		*obstacles &= ~BPMU_OBSTACLE_BRANCHES;
	if (ours && view.counted->settings->precise)
		*obstacles &= ~BPMU_OBSTACLE_STORE;
	if (ours && view.counted->settings->ops)
		*obstacles &= ~BPMU_OBSTACLE_IBS;
	if (ours && view.counted->settings->fetches)
		*obstacles &= ~BPMU_OBSTACLE_IBS_FETCH;
	bpmu_session_view_end();
	cpus_read_unlock();
	*foreign = ours ? 0 : bpmu_core_enabled(pmu, now);
	return err;
}

/*
 * Puts register values of the CPU that BPMU_A_INFO_CPU names into a reply. Nothing is put if the
 * request names no CPU, its sender may not program counters, or the registers cannot be read.
 * Returns 0, also in these cases, or -EMSGSIZE.
 */
static int put_registers(struct sk_buff *skb, struct sk_buff *request,
			 struct genl_info *info, const struct bpmu_pmu *pmu)
{
	const struct nlattr *attr = info->attrs[BPMU_A_INFO_CPU];
	struct bpmu_core_saved now = { };
	u32 obstacles;
	u64 foreign;

	if (!attr || !bpmu_may_program_quietly(request) ||
	    snapshot(nla_get_u32(attr), pmu, &now, &foreign, &obstacles))
		return 0;
	if (nla_put_u64_64bit(skb, BPMU_A_INFO_STATUS,
			      now.global_status, BPMU_A_PAD) ||
	    nla_put(skb, BPMU_A_INFO_SELECTS,
		    pmu->gp_counters * sizeof(*now.select), now.select) ||
	    nla_put_u64_64bit(skb, BPMU_A_INFO_FOREIGN, foreign, BPMU_A_PAD) ||
	    nla_put_u32(skb, BPMU_A_INFO_OBSTACLES, obstacles))
		return -EMSGSIZE;
	return 0;
}

static int put_info(struct sk_buff *skb, struct sk_buff *request,
		    struct genl_info *info, const struct bpmu_pmu *pmu)
{
	struct bpmu_session_view view;
	int err;

	bpmu_session_view_begin(&view);
	err = put_session(skb, request, &view);
	bpmu_session_view_end();
	if (err || put_pmu(skb, pmu) || put_boxes(skb, pmu) || put_machine(skb) ||
	    put_busy(skb, request) || put_registers(skb, request, info, pmu))
		return -EMSGSIZE;
	return 0;
}

/*
 * Replies to BPMU_CMD_GET_INFO with one message. The message has no lists of CPUs and of failures,
 * whose size grows with the machine. The lists come if the command is sent as a dump. Returns 0 or
 * a negative errno.
 */
static int bpmu_netlink_get_info(struct sk_buff *request,
				 struct genl_info *info)
{
	const struct bpmu_pmu *pmu = bpmu_netlink_pmu(info->attrs[BPMU_A_INFO_CPU],
						   info->extack);
	struct sk_buff *skb;
	int err = -EMSGSIZE;
	void *hdr;

	if (!pmu)
		return -ENODEV;
	skb = genlmsg_new(NLMSG_DEFAULT_SIZE, GFP_KERNEL);
	if (!skb)
		return -ENOMEM;
	hdr = genlmsg_put_reply(skb, info, &bpmu_netlink_family, 0,
				BPMU_CMD_GET_INFO);
	if (hdr)
		err = put_info(skb, request, info, pmu);
	if (err) {
		nlmsg_free(skb);
		return err;
	}
	genlmsg_end(skb, hdr);
	return genlmsg_reply(skb, info);
}

static int put_event(struct sk_buff *skb, const struct bpmu_plan_event *event)
{
	struct nlattr *nest = nla_nest_start(skb, BPMU_A_GROUP_EVENT);

	if (!nest || nla_put_u32(skb, BPMU_A_EVENT_COUNTER, event->counter) ||
	    nla_put_u64_64bit(skb, BPMU_A_EVENT_SELECT, event->select,
			      BPMU_A_EVENT_PAD) ||
	    nla_put_u32(skb, BPMU_A_EVENT_SIBLING, event->sibling) ||
	    (event->filter &&
	     nla_put_u64_64bit(skb, BPMU_A_EVENT_FILTER, event->filter,
			       BPMU_A_EVENT_PAD)) ||
	    (event->frequency &&
	     nla_put_u32(skb, BPMU_A_EVENT_FREQUENCY, event->frequency)) ||
	    (event->period && !event->frequency &&
	     nla_put_u32(skb, BPMU_A_EVENT_PERIOD, event->period)) ||
	    (event->precise && nla_put_flag(skb, BPMU_A_EVENT_PRECISE)) ||
	    (event->data && nla_put_flag(skb, BPMU_A_EVENT_DATA)))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int put_group(struct sk_buff *skb, int type,
		     const struct bpmu_plan_group *group)
{
	struct nlattr *nest = nla_nest_start(skb, type);
	u32 i;

	if (!nest)
		return -EMSGSIZE;
	for (i = 0; i < group->nr; i++)
		if (put_event(skb, &group->event[i]))
			return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int put_groups(struct sk_buff *skb, int type,
		      const struct bpmu_plan_groups *groups)
{
	u32 i;

	for (i = 0; i < groups->nr; i++)
		if (put_group(skb, type, &groups->group[i]))
			return -EMSGSIZE;
	return 0;
}

/*
 * Puts the CPU numbers of a set into a reply, as an attribute @type that is an array of u32.
 * Returns 0 or -EMSGSIZE.
 */
static int put_cpus(struct sk_buff *skb, int type, const struct cpumask *cpus)
{
	struct nlattr *attr = nla_reserve(skb, type, 0);
	unsigned int cpu;

	if (!attr)
		return -EMSGSIZE;
	for_each_cpu(cpu, cpus) {
		if (skb_tailroom(skb) < sizeof(u32))
			return -EMSGSIZE;
		*(u32 *)skb_put(skb, sizeof(u32)) = cpu;
		attr->nla_len += sizeof(u32);
	}
	return 0;
}

static int put_settings(struct sk_buff *skb,
			const struct bpmu_settings *settings)
{
	if (put_cpus(skb, BPMU_A_CPUS, settings->cpus) ||
	    nla_put_u32(skb, BPMU_A_TIMER, settings->tick ? BPMU_TIMER_TICK :
							    BPMU_TIMER_HARD) ||
	    nla_put_u32(skb, BPMU_A_BUFFER_SAMPLES,
			settings->buffer_samples) ||
	    nla_put_u32(skb, BPMU_A_RECORD_SIZE, settings->record_size) ||
	    (settings->chain && nla_put_u32(skb, BPMU_A_CHAIN, settings->chain)) ||
	    (settings->branches && nla_put_u32(skb, BPMU_A_BRANCHES, settings->calls ?
							BPMU_BRANCH_KIND_CALLS :
							BPMU_BRANCH_KIND_ANY)) ||
	    (settings->batch > 1 && nla_put_u32(skb, BPMU_A_BATCH, settings->batch)) ||
	    (settings->counts && nla_put_flag(skb, BPMU_A_COUNTS)))
		return -EMSGSIZE;
	if (!settings->interval_ns)
		return 0;
	return nla_put_u64_64bit(skb, BPMU_A_INTERVAL_NS,
				 settings->interval_ns, BPMU_A_PAD);
}

static int put_plan(struct sk_buff *skb, const struct bpmu_plan *plan)
{
	unsigned int bank;

	if (put_groups(skb, BPMU_A_GROUP, &plan->groups[BPMU_BANK_CORE][0]) ||
	    put_groups(skb, BPMU_A_OTHER_GROUP,
		       &plan->groups[BPMU_BANK_CORE][1]))
		return -EMSGSIZE;
	for (bank = BPMU_BANK_CORE + 1; bank < BPMU_BANKS; bank++)
		if (put_groups(skb, bpmu_bank_facts[bank].free ? BPMU_A_FREE_GROUP :
								 BPMU_A_UNCORE_GROUP,
			       &plan->groups[bank][0]))
			return -EMSGSIZE;
	return nla_put_u32(skb, BPMU_A_PLAN, plan->number);
}

static size_t plan_size(const struct bpmu_plan *plan)
{
	size_t event = nla_total_size(0) + 3 * nla_total_size(sizeof(u32)) +
		       2 * nla_total_size_64bit(sizeof(u64));
	unsigned int bank, type;
	size_t size = 0;
	u32 i;

	for (bank = 0; bank < BPMU_BANKS; bank++)
		for (type = 0; type < BPMU_CORE_TYPES; type++) {
			const struct bpmu_plan_groups *groups =
				&plan->groups[bank][type];

			for (i = 0; i < groups->nr; i++)
				size += nla_total_size(groups->group[i].nr *
						       event);
		}
	return size;
}

static size_t plan_reply_size(const struct bpmu_session_view *view)
{
	return NLMSG_DEFAULT_SIZE + plan_size(view->counted->plan) +
	       cpumask_weight(view->counted->settings->cpus) * sizeof(u32);
}

static int put_plan_reply(struct sk_buff *skb, const struct sk_buff *request,
			  struct genl_info *info, const struct bpmu_session_view *view)
{
	void *hdr;

	hdr = genlmsg_put_reply(skb, info, &bpmu_netlink_family, 0,
				BPMU_CMD_GET_PLAN);
	if (!hdr || put_settings(skb, view->counted->settings) ||
	    put_plan(skb, view->counted->plan) ||
	    nla_put_u32(skb, BPMU_A_RUN, view->run) ||
	    put_session(skb, request, view))
		return -EMSGSIZE;
	genlmsg_end(skb, hdr);
	return 0;
}

static int view_plan(struct sk_buff *request, struct genl_info *info,
		     struct bpmu_session_view *view)
{
	bool owner;
	int err;

	err = bpmu_session_read_begin(request, bpmu_may_read(request), view,
				      &owner, info->extack);
	if (err != -EBUSY)
		return err;
	bpmu_refuse(info->extack, bpmu_readers_only);
	return -EPERM;
}

/*
 * Replies to BPMU_CMD_GET_PLAN with the groups and settings of the session. Memory for the reply is
 * allocated while the session's lock is not held. Meanwhile the owner may swap in a larger plan:
 * then the reply does not fit, and a larger one is allocated. Returns 0 or a negative errno.
 */
static int bpmu_netlink_get_plan(struct sk_buff *request,
				 struct genl_info *info)
{
	struct bpmu_session_view view;
	struct sk_buff *skb;
	size_t size;
	int err;

	do {
		err = view_plan(request, info, &view);
		if (err)
			return err;
		size = plan_reply_size(&view);
		bpmu_session_view_end();
		skb = genlmsg_new(size, GFP_KERNEL);
		if (!skb)
			return -ENOMEM;
		err = view_plan(request, info, &view);
		if (!err) {
			err = put_plan_reply(skb, request, info, &view);
			bpmu_session_view_end();
		}
		if (err)
			nlmsg_free(skb);
	} while (err == -EMSGSIZE);
	return err ?: genlmsg_reply(skb, info);
}

static const struct nla_policy group_policy[BPMU_A_GROUP_MAX + 1] = {
	[BPMU_A_GROUP_EVENT] = { .type = NLA_NESTED },
};

static struct netlink_range_validation buffer_samples_range = {
	.min = 2 * BPMU_RESERVED_SAMPLES,
	.max = BPMU_MAX_BUFFER_SAMPLES,
};

static struct netlink_range_validation top_range = {
	.min = 1,
	.max = INT_MAX,
};

static const struct nla_policy configure_policy[BPMU_A_MAX + 1] = {
	[BPMU_A_CPUS] = NLA_POLICY_MIN_LEN(sizeof(u32)),
	[BPMU_A_GROUP] = NLA_POLICY_NESTED(group_policy),
	[BPMU_A_OTHER_GROUP] = NLA_POLICY_NESTED(group_policy),
	[BPMU_A_UNCORE_GROUP] = NLA_POLICY_NESTED(group_policy),
	[BPMU_A_FREE_GROUP] = NLA_POLICY_NESTED(group_policy),
	[BPMU_A_INTERVAL_NS] = { .type = NLA_U64 },
	[BPMU_A_TIMER] = NLA_POLICY_MAX(NLA_U32, BPMU_TIMER_TICK),
	[BPMU_A_BUFFER_SAMPLES] =
		NLA_POLICY_FULL_RANGE(NLA_U32, &buffer_samples_range),
	[BPMU_A_WATERMARK] = NLA_POLICY_MIN(NLA_U32, 1),
	[BPMU_A_PREFETCH] = { .type = NLA_U32 },
	[BPMU_A_TOP] = NLA_POLICY_FULL_RANGE(NLA_U32, &top_range),
	[BPMU_A_CHECK] = NLA_POLICY_MASK(NLA_U32, BPMU_CHECK_LEAK | BPMU_CHECK_SELECT |
						  BPMU_CHECK_PERIOD | BPMU_CHECK_FREEZE),
	[BPMU_A_WHO] = { .type = NLA_FLAG },
	[BPMU_A_TAKE_OVER] = { .type = NLA_FLAG },
	[BPMU_A_CHAIN] = NLA_POLICY_RANGE(NLA_U32, 1, BPMU_MAX_CHAIN),
	[BPMU_A_BRANCHES] = NLA_POLICY_MAX(NLA_U32, BPMU_BRANCH_KIND_CALLS),
	[BPMU_A_BATCH] = NLA_POLICY_RANGE(NLA_U32, 1, BPMU_MAX_BATCH),
	[BPMU_A_COUNTS] = { .type = NLA_FLAG },
};

static const struct nla_policy swap_policy[BPMU_A_MAX + 1] = {
	[BPMU_A_GROUP] = NLA_POLICY_NESTED(group_policy),
	[BPMU_A_OTHER_GROUP] = NLA_POLICY_NESTED(group_policy),
	[BPMU_A_UNCORE_GROUP] = NLA_POLICY_NESTED(group_policy),
	[BPMU_A_FREE_GROUP] = NLA_POLICY_NESTED(group_policy),
};

static const struct nla_policy get_info_policy[BPMU_A_MAX + 1] = {
	[BPMU_A_INFO_CPU] = { .type = NLA_U32 },
};

static const struct nla_policy read_policy[BPMU_A_MAX + 1] = {
	[BPMU_A_FROM] = NLA_POLICY_MIN_LEN(sizeof(struct bpmu_position)),
};

/*
 * Policy that refuses every attribute, for commands without attributes. BPMU_A_PAD is the maxattr
 * of these commands, because with a maxattr of 0 the kernel would check no attribute at all.
 */
static const struct nla_policy empty_policy[BPMU_A_PAD + 1] = { };

/*
 * Checks, before a command's function runs, if the sender of the request has the permission in the
 * command's internal_flags. If the sender must also own the session, the command's function checks
 * it with the session's lock held. Returns 0 or -EPERM.
 */
static int bpmu_netlink_pre_doit(const struct bpmu_genl_op *op,
				 struct sk_buff *request,
				 struct genl_info *info)
{
	switch (op->internal_flags) {
	case BPMU_MAY_ASK:
	case BPMU_MAY_CONTROL:
	case BPMU_MAY_READ:
		return 0;
	case BPMU_MAY_PROGRAM:
		return bpmu_may_program(request, info->extack);
	default:
		return -EPERM;
	}
}

/*
 * The commands of the family; internal_flags is the permission (enum bpmu_permission) that the
 * sender needs.
 */
static const struct genl_ops ops[] = {
	{
		.cmd = BPMU_CMD_GET_INFO,
		.internal_flags = BPMU_MAY_ASK,
		.doit = bpmu_netlink_get_info,
		.dumpit = bpmu_netlink_list,
		.policy = get_info_policy,
		.maxattr = BPMU_A_MAX,
	},
	{
		.cmd = BPMU_CMD_CONFIGURE,
		.internal_flags = BPMU_MAY_PROGRAM,
		.doit = bpmu_netlink_configure,
		.policy = configure_policy,
		.maxattr = BPMU_A_MAX,
	},
	{
		.cmd = BPMU_CMD_START,
		.internal_flags = BPMU_MAY_PROGRAM,
		.doit = bpmu_netlink_start,
		.policy = empty_policy,
		.maxattr = BPMU_A_PAD,
	},
	{
		.cmd = BPMU_CMD_STOP,
		.internal_flags = BPMU_MAY_CONTROL,
		.doit = bpmu_netlink_stop,
		.policy = empty_policy,
		.maxattr = BPMU_A_PAD,
	},
	{
		.cmd = BPMU_CMD_SAMPLE,
		.internal_flags = BPMU_MAY_CONTROL,
		.doit = bpmu_netlink_sample,
		.policy = empty_policy,
		.maxattr = BPMU_A_PAD,
	},
	{
		.cmd = BPMU_CMD_READ,
		.internal_flags = BPMU_MAY_READ,
		.start = bpmu_netlink_read_start,
		.dumpit = bpmu_netlink_read,
		.done = bpmu_netlink_read_done,
		.policy = read_policy,
		.maxattr = BPMU_A_MAX,
	},
	{
		.cmd = BPMU_CMD_SWAP,
		.internal_flags = BPMU_MAY_PROGRAM,
		.doit = bpmu_netlink_swap,
		.policy = swap_policy,
		.maxattr = BPMU_A_MAX,
	},
	{
		.cmd = BPMU_CMD_GET_PLAN,
		.internal_flags = BPMU_MAY_READ,
		.doit = bpmu_netlink_get_plan,
		.policy = empty_policy,
		.maxattr = BPMU_A_PAD,
	},
	{
		.cmd = BPMU_CMD_RELEASE,
		.internal_flags = BPMU_MAY_CONTROL,
		.doit = bpmu_netlink_release,
		.policy = empty_policy,
		.maxattr = BPMU_A_PAD,
	},
};

static const struct genl_multicast_group groups[] = {
	{ .name = BPMU_MCGRP_SESSION },
};

struct genl_family bpmu_netlink_family __ro_after_init = {
	.name = BPMU_FAMILY_NAME,
	.version = BPMU_FAMILY_VERSION,
	.module = THIS_MODULE,
	.parallel_ops = true,
	.pre_doit = bpmu_netlink_pre_doit,
	.ops = ops,
	.n_ops = ARRAY_SIZE(ops),
	.mcgrps = groups,
	.n_mcgrps = ARRAY_SIZE(groups),
};

static int bpmu_netlink_port_closed(struct notifier_block *nb,
				    unsigned long event, void *data)
{
	struct netlink_notify *notify = data;

	if (event == NETLINK_URELEASE && notify->net == &init_net &&
	    notify->protocol == NETLINK_GENERIC)
		bpmu_session_port_closed(notify->portid);
	return NOTIFY_DONE;
}

static struct notifier_block port_notifier = {
	.notifier_call = bpmu_netlink_port_closed,
};

/**
 * bpmu_netlink_init() - register the generic netlink family
 *
 * Context: module load, as its last step, because requests may come at once.
 * Return: 0 or a negative errno.
 */
int bpmu_netlink_init(void)
{
	int err;

	err = netlink_register_notifier(&port_notifier);
	if (err)
		return err;
	err = genl_register_family(&bpmu_netlink_family);
	if (err)
		goto err_unregister_notifier;
	return 0;

err_unregister_notifier:
	netlink_unregister_notifier(&port_notifier);
	return err;
}

/**
 * bpmu_netlink_exit() - unregister the generic netlink family
 *
 * Context: module unload, without a session; after bpmu_events_exit(), which sends messages.
 */
void bpmu_netlink_exit(void)
{
	genl_unregister_family(&bpmu_netlink_family);
	netlink_unregister_notifier(&port_notifier);
}
