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

static const struct bpmu_free *register_of(const struct bpmu_bank *bank, u32 i)
{
	return bpmu_free_at(bank->group->event[i].counter);
}

/*
 * Maps memory controllers again whose PCI device is back. Nothing is claimed, because other drivers
 * may read free-running registers at the same time. Returns 0.
 */
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
 * Checks that the registers of the scheduled group can be read; nothing is written. The sampling
 * path reads MSRs by functions that do not survive a fault. Each MSR is therefore read once here.
 * Returns 0; -EIO if an MSR faults; -ENODEV if the memory controllers of this CPU's package cannot
 * be read.
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

/**
 * bpmu_free_core_shares() - free-running bank: check if two CPUs read the same core registers
 * @cpu: number of a CPU
 * @other: number of another
 *
 * Context: any.
 * Return: true for two threads of one core.
 */
bool bpmu_free_core_shares(unsigned int cpu, unsigned int other)
{
	return cpumask_test_cpu(other, topology_sibling_cpumask(cpu));
}

/**
 * bpmu_free_package_shares() - free-running bank: check if two CPUs read the same package registers
 * @cpu: number of a CPU
 * @other: number of another
 *
 * Intel's parts have one set of package registers in each die, AMD's parts one in each package
 * (Linux, arch/x86/events/rapl.c). The kernel reports several dies in an AMD package; these dies
 * share the registers.
 *
 * Context: any.
 * Return: true if a read on either CPU gives the same registers.
 */
bool bpmu_free_package_shares(unsigned int cpu, unsigned int other)
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

static bool bpmu_free_change(struct bpmu_bank *bank, const struct bpmu_plan_group *before)
{
	return true;
}

static bool bpmu_free_always(const struct bpmu_bank *bank)
{
	return true;
}

/*
 * Operations on free-running registers, which the module only reads: those that would reserve or
 * set counters are NULL or do nothing.
 */
const struct bpmu_bank_ops bpmu_free_ops = {
	.claim = bpmu_free_claim,
	.needs = bpmu_free_needs,
	.save = bpmu_free_save,
	.restore = bpmu_free_nop,
	.program = bpmu_free_program,
	.change = bpmu_free_change,
	.reprogram = bpmu_free_nop,
	.start = bpmu_free_nop,
	.stop = bpmu_free_nop,
	.pause = bpmu_free_nop,
	.read = bpmu_free_read,
	.programmed = bpmu_free_always,
	.intact = bpmu_free_always,
	.counting = bpmu_free_always,
};
