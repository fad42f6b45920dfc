// SPDX-License-Identifier: GPL-2.0
#include "plan.h"

#include <linux/bitops.h>
#include <linux/slab.h>

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
	if (!plan)
		return;
	kvfree(plan->core.group);
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
 * As many values as the CPU has counters: a plan that is swapped in later fits
 * too. Uncore groups may need more.
 *
 * Context: any.
 * Return: bytes, the same for all groups.
 */
u32 bpmu_plan_record_size(const struct bpmu_plan *plan)
{
	u32 nr = min_t(u32, hweight64(bpmu_pmu_counters(plan->pmu)),
		       BPMU_MAX_COUNTERS);

	nr = max(nr, most_events(&plan->uncore));
	return sizeof(struct bpmu_sample) + nr * sizeof(u64) +
	       (plan->who ? sizeof(struct bpmu_who) : 0);
}
