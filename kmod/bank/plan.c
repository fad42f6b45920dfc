// SPDX-License-Identifier: GPL-2.0
#include "plan.h"

#include <linux/bitops.h>
#include <linux/minmax.h>
#include <linux/slab.h>
#include <linux/topology.h>

#include <asm/tsc.h>

#include "free.h"

/**
 * bpmu_settings_alloc() - allocate plan settings, which all plans have in common, without CPUs
 *
 * Context: process, may sleep.
 * Return: the settings, or NULL if memory runs out.
 */
struct bpmu_settings *bpmu_settings_alloc(void)
{
	struct bpmu_settings *settings = kzalloc(sizeof(*settings), GFP_KERNEL);

	if (!settings)
		return NULL;
	if (zalloc_cpumask_var(&settings->cpus, GFP_KERNEL))
		return settings;
	kfree(settings);
	return NULL;
}

/**
 * bpmu_settings_free() - free the settings that go with a plan
 * @settings: the settings; nothing is done if it is NULL
 *
 * Context: process; no sampler uses them.
 */
void bpmu_settings_free(struct bpmu_settings *settings)
{
	if (!settings)
		return;
	free_cpumask_var(settings->cpus);
	kfree(settings);
}

/**
 * bpmu_settings_copy() - copy the settings that go with a plan, and their CPUs
 * @to: from bpmu_settings_alloc()
 * @from: settings to copy
 *
 * Context: any.
 */
void bpmu_settings_copy(struct bpmu_settings *to,
			const struct bpmu_settings *from)
{
#ifdef CONFIG_CPUMASK_OFFSTACK
	cpumask_var_t cpus = to->cpus;

	*to = *from;
	to->cpus = cpus;
#else
	*to = *from;
#endif
	cpumask_copy(to->cpus, from->cpus);
}

/**
 * bpmu_settings_core_type() - find a CPU's core type in the settings of plans
 * @settings: settings whose core types are known
 * @cpu: a CPU of the settings
 *
 * Context: any.
 * Return: index into &bpmu_settings.pmu; 0 if @settings do not have the CPU's core type.
 */
u32 bpmu_settings_core_type(const struct bpmu_settings *settings,
			    unsigned int cpu)
{
	u32 i;

	for (i = 0; i < settings->nr_core_types; i++)
		if (settings->pmu[i] == bpmu_pmu_of(cpu))
			return i;
	return 0;
}

/**
 * bpmu_settings_have_siblings() - check if settings of plans have two threads of one core
 * @settings: settings with CPUs
 *
 * The kernel knows only CPUs that are online as siblings.
 *
 * Context: any; the result may change when a CPU comes online.
 * Return: true if two CPUs of @settings share a core.
 */
bool bpmu_settings_have_siblings(const struct bpmu_settings *settings)
{
	unsigned int cpu, other;

	for_each_cpu(cpu, settings->cpus)
		for_each_cpu_and(other, settings->cpus, topology_sibling_cpumask(cpu))
			if (other != cpu)
				return true;
	return false;
}

/**
 * bpmu_settings_guard_ns() - maximum time between two reads of a counter, by the settings of plans
 * @settings: settings whose core types are known
 *
 * Within this time no counter can wrap twice.
 *
 * Context: any.
 * Return: the minimum, in nanoseconds, of bpmu_pmu_guard_ns() of all core types, and of
 * bpmu_free_guard_ns() if &bpmu_settings.free is set.
 */
u64 bpmu_settings_guard_ns(const struct bpmu_settings *settings)
{
	u64 ns = U64_MAX;
	u32 i;

	for (i = 0; i < settings->nr_core_types; i++) {
		ns = min(ns, bpmu_pmu_guard_ns(settings->pmu[i], tsc_khz));
		if (settings->free)
			ns = min(ns, bpmu_free_guard_ns(settings->pmu[i]));
	}
	return ns;
}

/**
 * bpmu_plan_alloc() - allocate a plan without groups
 *
 * Context: process, may sleep.
 * Return: the plan, or NULL if memory runs out.
 */
struct bpmu_plan *bpmu_plan_alloc(void)
{
	return kzalloc(sizeof(struct bpmu_plan), GFP_KERNEL);
}

/**
 * bpmu_plan_free() - free a plan and its groups
 * @plan: the plan; nothing is done if it is NULL
 *
 * Context: process; no sampler uses the plan.
 */
void bpmu_plan_free(struct bpmu_plan *plan)
{
	unsigned int bank, type;

	if (!plan)
		return;
	for (bank = 0; bank < BPMU_BANKS; bank++)
		for (type = 0; type < BPMU_CORE_TYPES; type++)
			kvfree(plan->groups[bank][type].group);
	kfree(plan);
}

/**
 * bpmu_plan_add() - append a group to a plan
 * @groups: groups of a plan, fewer than BPMU_MAX_GROUPS
 *
 * Context: process, may sleep.
 * Return: the new group, without events; NULL if memory runs out.
 */
struct bpmu_plan_group *bpmu_plan_add(struct bpmu_plan_groups *groups)
{
	if (!groups->group)
		groups->group = kvcalloc(BPMU_MAX_GROUPS,
					 sizeof(*groups->group),
					 GFP_KERNEL_ACCOUNT);
	if (!groups->group)
		return NULL;
	return &groups->group[groups->nr++];
}

/**
 * bpmu_plan_units() - look up the registers of a plan's counter that several CPUs share
 * @pmu: PMU of a CPU
 * @counter: number of the counter, in the numbering of the protocol
 * @units: set to the registers
 *
 * Context: any.
 * Return: true, or false if @pmu has no counter of this number that CPUs share.
 */
bool bpmu_plan_units(const struct bpmu_pmu *pmu, u32 counter,
		     struct bpmu_units *units)
{
	if (!bpmu_uncore_place(pmu, counter, &units->first))
		return false;
	units->select = bpmu_place_select(&units->first);
	units->counter = bpmu_place_counter(&units->first);
	units->ctl = bpmu_place_ctl(&units->first);
	units->enable = bpmu_place_enable(&units->first);
	units->index = counter - bpmu_bank_facts[bpmu_bank_of(counter)].first;
	return true;
}

/**
 * bpmu_plan_uses() - check if a plan has groups on a bank
 * @plan: the plan
 * @bank: number of the bank
 *
 * If the first core type has no groups on the bank, the other core types have none either.
 *
 * Context: any.
 * Return: true if the plan has groups on the bank.
 */
bool bpmu_plan_uses(const struct bpmu_plan *plan, enum bpmu_bank_id bank)
{
	return plan->groups[bank][0].nr;
}

/**
 * bpmu_plan_group_has_data() - check if precise records of a group have the address of the data
 * @group: the group
 *
 * Context: any.
 * Return: true if those of at least one event have it.
 */
bool bpmu_plan_group_has_data(const struct bpmu_plan_group *group)
{
	u32 i;

	for (i = 0; i < group->nr; i++)
		if (group->event[i].data)
			return true;
	return false;
}

static bool group_interrupts(const struct bpmu_plan_group *group, bool precisely)
{
	u32 i;

	for (i = 0; i < group->nr; i++)
		if (group->event[i].period && (group->event[i].precise || !precisely))
			return true;
	return false;
}

static bool plan_interrupts(const struct bpmu_plan *plan, bool precisely)
{
	const struct bpmu_plan_groups *groups = plan->groups[BPMU_BANK_CORE];
	u32 type, g;

	for (type = 0; type < BPMU_CORE_TYPES; type++)
		for (g = 0; g < groups[type].nr; g++)
			if (group_interrupts(&groups[type].group[g], precisely))
				return true;
	return false;
}

/**
 * bpmu_plan_interrupts() - check if an event of a plan interrupts
 * @plan: the plan
 *
 * Context: any.
 * Return: true if at least one core event interrupts; other events cannot.
 */
bool bpmu_plan_interrupts(const struct bpmu_plan *plan)
{
	return plan_interrupts(plan, false);
}

/**
 * bpmu_plan_is_precise() - check if an event of a plan has precise records
 * @plan: the plan
 *
 * Context: any.
 * Return: true if at least one core event has precise records; other events cannot.
 */
bool bpmu_plan_is_precise(const struct bpmu_plan *plan)
{
	return plan_interrupts(plan, true);
}

/**
 * bpmu_plan_has_counter() - check if an event of a plan is counted by a counter of the core
 * @plan: the plan
 * @counter: number of a counter that only cores of one type have, such as a count of IBS
 *
 * Context: any.
 * Return: true if the counter counts an event.
 */
bool bpmu_plan_has_counter(const struct bpmu_plan *plan, u32 counter)
{
	const struct bpmu_plan_groups *groups = plan->groups[BPMU_BANK_CORE];
	u32 g, i;

	for (g = 0; g < groups->nr; g++)
		for (i = 0; i < groups->group[g].nr; i++)
			if (groups->group[g].event[i].counter == counter)
				return true;
	return false;
}

/**
 * bpmu_plan_has_data() - check if precise records of a plan's events have the address of the data
 * @plan: the plan
 *
 * Context: any.
 * Return: true if those of at least one core event have it.
 */
bool bpmu_plan_has_data(const struct bpmu_plan *plan)
{
	const struct bpmu_plan_groups *groups = plan->groups[BPMU_BANK_CORE];
	u32 type, g;

	for (type = 0; type < BPMU_CORE_TYPES; type++)
		for (g = 0; g < groups[type].nr; g++)
			if (bpmu_plan_group_has_data(&groups[type].group[g]))
				return true;
	return false;
}

static bool group_can_batch(const struct bpmu_plan_group *group)
{
	const struct bpmu_plan_event *event = group->event;

	for (; event < group->event + group->nr; event++)
		if (event->period && (!event->precise || event->frequency))
			return false;
	return true;
}

/**
 * bpmu_plan_can_batch() - check if a CPU can write many records of a plan's events by itself
 * @plan: the plan
 *
 * Context: any.
 * Return: true if all core events that interrupt have precise records and no frequency.
 */
bool bpmu_plan_can_batch(const struct bpmu_plan *plan)
{
	const struct bpmu_plan_groups *groups = plan->groups[BPMU_BANK_CORE];
	u32 type, g;

	for (type = 0; type < BPMU_CORE_TYPES; type++)
		for (g = 0; g < groups[type].nr; g++)
			if (!group_can_batch(&groups[type].group[g]))
				return false;
	return true;
}

/*
 * Returns true if two groups use the same extra register, which the threads of a core share, with
 * different values.
 */
static bool extras_differ(const struct bpmu_part *part, const struct bpmu_core_setup *a,
			  const struct bpmu_core_setup *b)
{
	unsigned long both = a->extras & b->extras;

	for (; both; both &= both - 1)
		if (a->extra[__ffs(both)] != b->extra[__ffs(both)] &&
		    bpmu_extra_is_shared(part, __ffs(both)))
			return true;
	return false;
}

/**
 * bpmu_plan_extras_clash() - check if two threads' plans need different values in a shared register
 * @settings: settings of the session
 * @plan: groups of one thread
 * @other: groups of the other thread: @plan, or the plan that replaces it
 *
 * The two threads multiplex independently of each other, so that any group of one may be scheduled
 * at the same time as any group of the other.
 *
 * Context: any.
 * Return: true if both use an extra register, which the threads share, with different values.
 */
bool bpmu_plan_extras_clash(const struct bpmu_settings *settings,
			    const struct bpmu_plan *plan, const struct bpmu_plan *other)
{
	const struct bpmu_plan_groups *own, *its;
	u32 type, i, k;

	for (type = 0; type < settings->nr_core_types; type++) {
		if (!settings->siblings)
			continue;
		own = &plan->groups[BPMU_BANK_CORE][type];
		its = &other->groups[BPMU_BANK_CORE][type];
		for (i = 0; i < own->nr; i++)
			for (k = 0; k < its->nr; k++)
				if (extras_differ(settings->pmu[type]->part,
						  &own->group[i].setup[0],
						  &its->group[k].setup[0]))
					return true;
	}
	return false;
}

static u32 most_events(const struct bpmu_plan_groups *groups)
{
	u32 most = 0;
	u32 i;

	for (i = 0; i < groups->nr; i++)
		most = max(most, groups->group[i].nr);
	return most;
}

/**
 * bpmu_plan_record_size() - size in bytes of the sample records of a plan
 * @plan: the groups
 * @settings: settings of the session
 *
 * A record has room for as many values as a CPU has core counters, so that the core groups of any
 * plan that is swapped in later fit too. It has more room if a group on another bank has more
 * events.
 *
 * Context: any.
 * Return: bytes, the same for all groups and core types.
 */
u32 bpmu_plan_record_size(const struct bpmu_plan *plan,
			  const struct bpmu_settings *settings)
{
	u32 nr = 0;
	u32 i;

	for (i = 0; i < settings->nr_core_types; i++)
		nr = max_t(u32, nr,
			   hweight64(bpmu_pmu_counters(settings->pmu[i])));
	nr = min_t(u32, nr, BPMU_MAX_COUNTERS);
	for (i = BPMU_BANK_CORE + 1; i < BPMU_BANKS; i++)
		nr = max(nr, most_events(&plan->groups[i][0]));
	return sizeof(struct bpmu_sample) + nr * sizeof(u64) +
	       (settings->who ? sizeof(struct bpmu_who) : 0);
}

/**
 * bpmu_plan_most_groups() - number of groups that a plan has on a bank
 * @plan: the groups
 * @bank: number of the bank
 *
 * Context: any.
 * Return: the number of groups of the core type that has most of them.
 */
u32 bpmu_plan_most_groups(const struct bpmu_plan *plan, enum bpmu_bank_id bank)
{
	u32 most = 0;
	u32 type;

	for (type = 0; type < BPMU_CORE_TYPES; type++)
		most = max(most, plan->groups[bank][type].nr);
	return most;
}

/**
 * bpmu_plan_first_samples() - number of samples that a CPU stores when a run of a plan starts
 * @plan: the groups
 *
 * Context: any.
 * Return: the sum of bpmu_plan_most_groups() over all banks.
 */
u32 bpmu_plan_first_samples(const struct bpmu_plan *plan)
{
	unsigned int bank;
	u32 sum = 0;

	for (bank = 0; bank < BPMU_BANKS; bank++)
		sum += bpmu_plan_most_groups(plan, bank);
	return sum;
}
