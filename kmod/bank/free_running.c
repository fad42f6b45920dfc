// SPDX-License-Identifier: GPL-2.0
#include "free_running.h"

#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/topology.h>

#include <asm/processor.h>

#include "compat.h"
#include "free.h"
#include "machine/memory_counters.h"
#include "plan.h"

/**
 * bpmu_free_bank() - find the bank of a free-running register
 * @counter: its counter number
 *
 * Context: any.
 * Return: &enum bpmu_bank_id, or -1 if the number is not that of such a register.
 */
int bpmu_free_bank(u32 counter)
{
	const struct bpmu_free *reg = bpmu_free_at(counter);

	if (!reg)
		return -1;
	return BPMU_BANK_FREE_THREAD + reg->unit - BPMU_UNIT_FREE_THREAD;
}

static const struct bpmu_free *register_of(const struct bpmu_bank *bank, u32 i)
{
	return bpmu_free_at(bank->group->event[i].counter);
}

/* a driver may read these registers at the same time: nobody is excluded */
static int bpmu_free_claim(u8 unit, const struct cpumask *cpus, struct netlink_ext_ack *extack)
{
	bpmu_memory_find_again();
	return 0;
}

static bool has_memory(const struct bpmu_plan_group *group)
{
	u32 i;

	for (i = 0; i < group->nr; i++)
		if (bpmu_free_at(group->event[i].counter)->mchbar)
			return true;
	return false;
}

static bool bpmu_free_needs(const struct bpmu_bank *bank, unsigned int cpu,
			    const struct pci_dev *pci)
{
	u32 i;

	if (!bpmu_memory_has(cpu, pci))
		return false;
	for (i = 0; i < bank->groups->nr; i++)
		if (has_memory(&bank->groups->group[i]))
			return true;
	return false;
}

/*
 * Reads each MSR once with fault handling, which the sampling path does not have. A package may
 * have no memory controller that answers.
 */
static int bpmu_free_program(struct bpmu_bank *bank)
{
	const struct bpmu_free *reg;
	u64 raw;
	u32 i;

	for (i = 0; i < bank->group->nr; i++) {
		reg = register_of(bank, i);
		if (reg->mchbar && !bpmu_memory_here())
			return -ENODEV;
		if (!reg->mchbar && rdmsrq_safe(reg->msr, &raw))
			return -EIO;
	}
	return 0;
}

static void bpmu_free_read(const struct bpmu_bank *bank, u64 *values)
{
	const struct bpmu_free *reg;
	u32 i;

	for (i = 0; i < bank->group->nr; i++) {
		reg = register_of(bank, i);
		if (reg->mchbar)
			values[i] = bpmu_memory_read(reg);
		else
			values[i] = reg->msr == BPMU_FREE_MSR_TSC ?
					    bpmu_tsc() : bpmu_rdmsr(reg->msr);
	}
}

static bool bpmu_free_core_shares(unsigned int cpu, unsigned int other)
{
	return cpumask_test_cpu(other, topology_sibling_cpumask(cpu));
}

/*
 * Intel has one set of these registers in each die, AMD in each package: Linux,
 * arch/x86/events/rapl.c. The dies that the kernel reports for AMD are parts of a
 * package.
 */
static bool bpmu_free_package_shares(unsigned int cpu, unsigned int other)
{
	return cpumask_test_cpu(other,
				boot_cpu_data.x86_vendor == X86_VENDOR_INTEL ?
				topology_die_cpumask(cpu) :
				topology_core_cpumask(cpu));
}

static void bpmu_free_nop(struct bpmu_bank *bank)
{
}

static int bpmu_free_save(struct bpmu_bank *bank, bool take_over)
{
	return 0;
}

static bool bpmu_free_always(const struct bpmu_bank *bank)
{
	return true;
}

/* read-only registers need no reservation, programming, start or restoration */
static const struct bpmu_bank_ops free_ops = {
	.claim = bpmu_free_claim,
	.needs = bpmu_free_needs,
	.save = bpmu_free_save,
	.restore = bpmu_free_nop,
	.program = bpmu_free_program,
	.reprogram = bpmu_free_nop,
	.start = bpmu_free_nop,
	.stop = bpmu_free_nop,
	.read = bpmu_free_read,
	.intact = bpmu_free_always,
	.counting = bpmu_free_always,
};

const struct bpmu_bank_type bpmu_free_thread_bank = {
	.name = "thread registers",
	.ops = &free_ops,
	.flag = BPMU_SAMPLE_FREE_THREAD,
	.failure = BPMU_FAILURE_FREE_THREAD,
	.all_core_types = true,
};

const struct bpmu_bank_type bpmu_free_core_bank = {
	.name = "core registers",
	.ops = &free_ops,
	.flag = BPMU_SAMPLE_FREE_CORE,
	.failure = BPMU_FAILURE_FREE_CORE,
	.shares = bpmu_free_core_shares,
	.all_core_types = true,
};

const struct bpmu_bank_type bpmu_free_package_bank = {
	.name = "package registers",
	.ops = &free_ops,
	.flag = BPMU_SAMPLE_FREE_PACKAGE,
	.failure = BPMU_FAILURE_FREE_PACKAGE,
	.unlike =
		"the memory controllers of a package do not answer: leave its CPUs out (-C); if their PCI device has been removed, echo 1 > /sys/bus/pci/rescan",
	.shares = bpmu_free_package_shares,
	.all_core_types = true,
};
