// SPDX-License-Identifier: GPL-2.0
#include "slices.h"

#include <linux/cpumask.h>
#include <linux/mm.h>
#include <linux/netlink.h>
#include <linux/overflow.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/topology.h>

#include "budget.h"

/**
 * struct bpmu_plan_slices - slices of a plan: the state of its groups on each CPU
 * @size: bytes that bpmu_budget_take() has taken
 * @cpu: slices of each CPU, [nr_cpu_ids][groups of bank 0, then of bank 1, and so on]; NULL for a
 *	CPU that is not measured
 */
struct bpmu_plan_slices {
	u64 size;
	struct bpmu_slice *cpu[];
};

/*
 * Returns the number of groups that all banks below number @bank have together. Core types may have
 * different numbers of groups on a bank. The largest number is added, so that all CPUs have room
 * for their groups.
 */
static u32 groups_before(const struct bpmu_plan *plan, unsigned int bank)
{
	u32 sum = 0;

	while (bank--)
		sum += bpmu_plan_most_groups(plan, bank);
	return sum;
}

/**
 * bpmu_slices_alloc() - allocate the slices, the state of a plan's groups, on all CPUs
 * @plan: with all its groups; &bpmu_plan.slices is set to the allocated state
 * @settings: of the session, with the CPUs
 * @extack: set to a sentence on refusal
 *
 * The memory is charged to the caller's memory cgroup, and limited by bpmu_budget_take().
 *
 * Context: process, may sleep; without the session's lock.
 * Return: 0 or -ENOMEM.
 */
int bpmu_slices_alloc(struct bpmu_plan *plan, const struct bpmu_settings *settings,
		      struct netlink_ext_ack *extack)
{
	size_t each = array_size(groups_before(plan, BPMU_BANKS), sizeof(struct bpmu_slice));
	u64 size = struct_size(plan->slices, cpu, nr_cpu_ids) +
		   (u64)each * cpumask_weight(settings->cpus);
	unsigned int cpu;

	if (!bpmu_budget_take(size, extack))
		return -ENOMEM;
	plan->slices = kvzalloc(struct_size(plan->slices, cpu, nr_cpu_ids), GFP_KERNEL_ACCOUNT);
	if (!plan->slices) {
		bpmu_budget_give(size);
		goto err_no_memory;
	}
	plan->slices->size = size;
	for_each_cpu(cpu, settings->cpus) {
		plan->slices->cpu[cpu] = kvzalloc_node(each, GFP_KERNEL_ACCOUNT,
						       cpu_to_node(cpu));
		if (!plan->slices->cpu[cpu]) {
			bpmu_slices_free(plan);
			goto err_no_memory;
		}
		cond_resched();
	}
	return 0;

err_no_memory:
	NL_SET_ERR_MSG(extack, "no memory for the state of the groups; ask for fewer groups");
	return -ENOMEM;
}

/**
 * bpmu_slices_free() - free the slices, the state of a plan's groups, but not the plan
 * @plan: used by no sampler; nothing is done if it is NULL or has no slices
 *
 * Context: process, may sleep.
 */
void bpmu_slices_free(struct bpmu_plan *plan)
{
	unsigned int cpu;

	if (!plan || !plan->slices)
		return;
	for (cpu = 0; cpu < nr_cpu_ids; cpu++)
		kvfree(plan->slices->cpu[cpu]);
	bpmu_budget_give(plan->slices->size);
	kvfree(plan->slices);
	plan->slices = NULL;
}

/**
 * bpmu_slices_of() - find the slices, the state of a bank's groups on a CPU
 * @plan: with slices
 * @cpu: a CPU of the session
 * @bank: number of the bank
 *
 * Context: any.
 * Return: the state, [groups of the bank].
 */
struct bpmu_slice *bpmu_slices_of(const struct bpmu_plan *plan, unsigned int cpu,
				  enum bpmu_bank_id bank)
{
	return plan->slices->cpu[cpu] + groups_before(plan, bank);
}
