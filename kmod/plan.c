// SPDX-License-Identifier: GPL-2.0
#include "plan.h"

#include <linux/bitops.h>
#include <linux/slab.h>

#include "pmu.h"

/**
 * bpmu_plan_alloc() - an empty plan
 *
 * Context: process, may sleep.
 * Return: the plan, or NULL without memory.
 */
struct bpmu_plan *bpmu_plan_alloc(void)
{
	struct bpmu_plan *plan = kzalloc(sizeof(*plan), GFP_KERNEL);

	if (!plan)
		return NULL;
	if (zalloc_cpumask_var(&plan->cpus, GFP_KERNEL))
		return plan;
	kfree(plan);
	return NULL;
}

/**
 * bpmu_plan_free() - free a plan and its groups
 * @plan: or NULL
 *
 * Context: process; no sampler uses it.
 */
void bpmu_plan_free(struct bpmu_plan *plan)
{
	u32 i;

	if (!plan)
		return;
	for (i = 0; i < plan->nr_kinds; i++)
		kvfree(plan->kind[i].core.group);
	kvfree(plan->uncore.group);
	free_cpumask_var(plan->cpus);
	kfree(plan);
}

/**
 * bpmu_plan_add() - one more group
 * @groups: of a plan, fewer than BPMU_MAX_GROUPS
 *
 * Context: process, may sleep.
 * Return: the group, empty, or NULL without memory.
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
 * bpmu_plan_kind_of() - what a CPU is to do
 * @plan: configuration
 * @cpu: one of its CPUs
 *
 * Context: any.
 * Return: the kind with that CPU's counters, the first one if none has them.
 */
const struct bpmu_plan_kind *bpmu_plan_kind_of(const struct bpmu_plan *plan,
					       unsigned int cpu)
{
	return &plan->kind[bpmu_pmu_of(cpu) == plan->kind[1].pmu];
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
 * bpmu_plan_record_size() - bytes of a sample record
 * @plan: configuration
 *
 * As many values as a CPU has counters: a plan that is swapped in later fits
 * too. Uncore groups may need more.
 *
 * Context: any.
 * Return: bytes, the same for all groups and all kinds of CPUs.
 */
u32 bpmu_plan_record_size(const struct bpmu_plan *plan)
{
	u32 nr = 0;
	u32 i;

	for (i = 0; i < plan->nr_kinds; i++)
		nr = max_t(u32, nr,
			   hweight64(bpmu_pmu_counters(plan->kind[i].pmu)));
	nr = min_t(u32, nr, BPMU_MAX_COUNTERS);
	nr = max(nr, most_events(&plan->uncore));
	return sizeof(struct bpmu_sample) + nr * sizeof(u64) +
	       (plan->who ? sizeof(struct bpmu_who) : 0);
}

/**
 * bpmu_plan_guard_ns() - how often each counter must be read
 * @plan: configuration
 *
 * Context: any.
 * Return: nanoseconds, the least bpmu_pmu_guard_ns() of its kinds of CPUs.
 */
u64 bpmu_plan_guard_ns(const struct bpmu_plan *plan)
{
	u64 ns = U64_MAX;
	u32 i;

	for (i = 0; i < plan->nr_kinds; i++)
		ns = min(ns, bpmu_pmu_guard_ns(plan->kind[i].pmu));
	return ns;
}
