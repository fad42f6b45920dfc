// SPDX-License-Identifier: GPL-2.0
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include "pmu.h"

#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/lockdep.h>
#include <linux/math64.h>
#include <linux/time64.h>

#include <asm/nmi.h>
#include <asm/processor.h>
#include <asm/tsc.h>

#include "compat.h"
#include "intel.h"

/* set once at load, before anything else runs */
static struct bpmu_pmu pmu;
/* 0 where writes to the general counters are sign-extended from 32 bits */
static bool full_width;

static u8 vendor(void)
{
	switch (boot_cpu_data.x86_vendor) {
	case X86_VENDOR_INTEL:
		return BPMU_VENDOR_INTEL;
	case X86_VENDOR_AMD:
	case X86_VENDOR_HYGON:
		return BPMU_VENDOR_AMD;
	default:
		return 0;
	}
}

static void probe_full_width(void)
{
	u64 cap = 0;

	full_width = pmu.part->msrs.counter_full == pmu.part->msrs.counter;
	if (!full_width && boot_cpu_has(X86_FEATURE_PDCM) &&
	    !rdmsrq_safe(BPMU_MSR_PERF_CAPABILITIES, &cap))
		full_width = cap & BPMU_PERF_CAP_FULL_WRITE;
}

/**
 * bpmu_pmu_probe() - find the part and its counters
 *
 * Context: module load, any CPU.
 * Return: 0, or -ENODEV after one sentence in the log.
 */
int bpmu_pmu_probe(void)
{
	const struct cpuinfo_x86 *c = &boot_cpu_data;
	u32 eax = 0, ebx, ecx, edx = 0;
	const struct bpmu_part *part;

	part = bpmu_part_find(vendor(), c->x86, c->x86_model);
	if (!part) {
		pr_err("CPU family %u model %u is not supported\n",
		       c->x86, c->x86_model);
		return -ENODEV;
	}
	if (part->cpuid_leaf && c->cpuid_level >= part->cpuid_leaf)
		cpuid(part->cpuid_leaf, &eax, &ebx, &ecx, &edx);
	bpmu_pmu_init(&pmu, part, eax, edx);
	if (!pmu.gp_counters || (part->cpuid_leaf && pmu.version < 2)) {
		pr_err("%s: no usable counters, CPUID says version %u with %u general counters; a hypervisor may hide them\n",
		       part->title, pmu.version, pmu.gp_counters);
		return -ENODEV;
	}
	pmu.gp_counters = min_t(u8, pmu.gp_counters, BPMU_PMU_MAX_GP);
	pmu.fixed_counters = min_t(u8, pmu.fixed_counters, BPMU_PMU_MAX_FIXED);
	probe_full_width();
	return 0;
}

/**
 * bpmu_pmu_get() - the PMU of this machine
 *
 * Context: any, after bpmu_pmu_probe().
 * Return: what the probe found.
 */
const struct bpmu_pmu *bpmu_pmu_get(void)
{
	return &pmu;
}

static void unreserve(unsigned int selects, unsigned int counters)
{
	while (counters--)
		release_perfctr_nmi(pmu.part->msrs.counter + counters);
	while (selects--)
		release_evntsel_nmi(pmu.part->msrs.select + selects);
}

/**
 * bpmu_pmu_reserve() - take all general counters from the rest of the kernel
 *
 * All selects and all counters, used or not: with full-width writes perf asks
 * for counter numbers that the reservation does not manage, so only the
 * selects keep the two apart.
 *
 * Context: process.
 * Return: 0, or -EBUSY if perf or the NMI watchdog holds one of them.
 */
int bpmu_pmu_reserve(void)
{
	unsigned int i;

	for (i = 0; i < pmu.gp_counters; i++)
		if (!reserve_evntsel_nmi(pmu.part->msrs.select + i)) {
			unreserve(i, 0);
			return -EBUSY;
		}
	for (i = 0; i < pmu.gp_counters; i++)
		if (!reserve_perfctr_nmi(pmu.part->msrs.counter + i)) {
			unreserve(pmu.gp_counters, i);
			return -EBUSY;
		}
	return 0;
}

/**
 * bpmu_pmu_release() - give back what bpmu_pmu_reserve() took
 *
 * Context: process.
 */
void bpmu_pmu_release(void)
{
	unreserve(pmu.gp_counters, pmu.gp_counters);
}

/**
 * bpmu_pmu_guard_ns() - how often a counter must be read so that it wraps at
 * most once in between
 *
 * Half the time in which the narrowest counter wraps if each cycle adds 16, of
 * a clock of at most four times the TSC. The widest event of the parts here,
 * a tracker's occupancy, stays below that. An hour is enough for anyone.
 *
 * Context: any.
 * Return: nanoseconds.
 */
u64 bpmu_pmu_guard_ns(void)
{
	u64 per_second = (u64)tsc_khz * 1000 * 4 * 16;
	u8 width = pmu.gp_width;
	u64 ns;

	if (pmu.fixed_counters && pmu.fixed_width < width)
		width = pmu.fixed_width;
	ns = mul_u64_u64_div_u64(1ULL << (width - 1), NSEC_PER_SEC,
				 per_second ? per_second : 1);
	return min_t(u64, ns, 3600ULL * NSEC_PER_SEC);
}

static u64 enabled_counters(const struct bpmu_pmu_saved *saved)
{
	u64 fixed = saved->fixed_ctrl;
	u64 set = 0;
	unsigned int i;

	for (i = 0; i < pmu.gp_counters; i++)
		if (saved->select[i] & BPMU_SEL_EN)
			set |= 1ULL << i;
	for (i = 0; i < pmu.fixed_counters; i++)
		if ((fixed >> (i * BPMU_FIXED_BITS)) & BPMU_FIXED_GROUP)
			set |= BPMU_FIXED_BIT(i);
	return set;
}

static int save_control(struct bpmu_pmu_saved *saved)
{
	const struct bpmu_msrs *msrs = &pmu.part->msrs;
	unsigned int i;
	int err = 0;

	for (i = 0; i < pmu.gp_counters; i++)
		err |= rdmsrq_safe(msrs->select + i, &saved->select[i]);
	if (pmu.fixed_counters)
		err |= rdmsrq_safe(msrs->fixed_ctrl, &saved->fixed_ctrl);
	return err ? -EIO : 0;
}

/**
 * bpmu_pmu_foreign() - counters that someone has enabled on this CPU
 *
 * The enable bits decide: perf leaves all bits of the global control set after
 * its last event has stopped.
 *
 * Context: this CPU, interrupts off.
 * Return: set of counters.
 */
u64 bpmu_pmu_foreign(void)
{
	struct bpmu_pmu_saved now = { };

	lockdep_assert_irqs_disabled();
	if (save_control(&now))
		return 0;
	return enabled_counters(&now);
}

/**
 * bpmu_pmu_save() - note what this CPU's registers hold
 * @saved: filled in
 *
 * Context: this CPU, interrupts off.
 * Return: 0, or -EIO if a register cannot be read.
 */
int bpmu_pmu_save(struct bpmu_pmu_saved *saved)
{
	const struct bpmu_msrs *msrs = &pmu.part->msrs;
	unsigned int i;
	int err;

	lockdep_assert_irqs_disabled();
	err = save_control(saved);
	for (i = 0; i < pmu.gp_counters; i++)
		err |= rdmsrq_safe(msrs->counter + i, &saved->counter[i]);
	for (i = 0; i < pmu.fixed_counters; i++)
		err |= rdmsrq_safe(msrs->fixed + i, &saved->fixed[i]);
	err |= rdmsrq_safe(msrs->global_ctrl, &saved->global_ctrl);
	err |= rdmsrq_safe(msrs->global_status, &saved->global_status);
	return err ? -EIO : 0;
}

/* only overflow bits that were clear before: the others are not ours */
static void clear_overflow(const struct bpmu_pmu_saved *saved)
{
	u64 status;

	if (rdmsrq_safe(pmu.part->msrs.global_status, &status))
		return;
	status &= ~saved->global_status & bpmu_pmu_counters(&pmu);
	if (status)
		wrmsrq_safe(pmu.part->msrs.global_ovf, status);
}

/**
 * bpmu_pmu_restore() - put back what bpmu_pmu_save() noted
 * @saved: from the same CPU
 *
 * Without full-width writes (no bit 13 in IA32_PERF_CAPABILITIES) a general
 * counter takes 32 bits, sign-extended: the bits above are then lost.
 *
 * Context: this CPU, interrupts off.
 */
void bpmu_pmu_restore(const struct bpmu_pmu_saved *saved)
{
	const struct bpmu_msrs *msrs = &pmu.part->msrs;
	u32 counter = full_width ? msrs->counter_full : msrs->counter;
	unsigned int i;

	lockdep_assert_irqs_disabled();
	wrmsrq_safe(msrs->global_ctrl, 0);
	for (i = 0; i < pmu.gp_counters; i++) {
		wrmsrq_safe(msrs->select + i, saved->select[i]);
		wrmsrq_safe(counter + i, saved->counter[i]);
	}
	if (pmu.fixed_counters)
		wrmsrq_safe(msrs->fixed_ctrl, saved->fixed_ctrl);
	for (i = 0; i < pmu.fixed_counters; i++)
		wrmsrq_safe(msrs->fixed + i, saved->fixed[i]);
	clear_overflow(saved);
	wrmsrq_safe(msrs->global_ctrl, saved->global_ctrl);
}

/* a hypervisor may swallow the write, so what was written is read back */
static int write_select(unsigned int i, u64 select)
{
	u64 found = 0;

	if (wrmsrq_safe(pmu.part->msrs.select + i, select) ||
	    rdmsrq_safe(pmu.part->msrs.select + i, &found) || found != select)
		return -EIO;
	return 0;
}

/**
 * bpmu_pmu_program() - write a group's selects, without starting it
 * @group: events with legal selects on counters that exist
 *
 * Counters that the group does not use are switched off.
 *
 * Context: this CPU, interrupts off, after bpmu_pmu_save().
 * Return: 0, or -EIO if a register did not take its value.
 */
int bpmu_pmu_program(const struct bpmu_plan_group *group)
{
	u64 select[BPMU_PMU_MAX_GP] = { };
	u64 fixed_ctrl = 0;
	unsigned int i;
	int err = 0;

	lockdep_assert_irqs_disabled();
	bpmu_pmu_stop();
	for (i = 0; i < group->nr; i++) {
		const struct bpmu_plan_event *event = &group->event[i];

		if (event->counter < BPMU_FIXED_BASE)
			select[event->counter] = event->select | BPMU_SEL_EN;
		else
			fixed_ctrl |= bpmu_fixed_ctrl(event->counter,
						      event->select);
	}
	for (i = 0; i < pmu.gp_counters; i++)
		err |= write_select(i, select[i]);
	if (pmu.fixed_counters)
		err |= wrmsrq_safe(pmu.part->msrs.fixed_ctrl, fixed_ctrl);
	return err ? -EIO : 0;
}

/**
 * bpmu_pmu_start() - let all counters of a programmed group run at once
 * @group: the group that bpmu_pmu_program() wrote
 *
 * Context: this CPU, interrupts off.
 */
void bpmu_pmu_start(const struct bpmu_plan_group *group)
{
	u64 enable = 0;
	unsigned int i;

	lockdep_assert_irqs_disabled();
	for (i = 0; i < group->nr; i++)
		enable |= 1ULL << group->event[i].counter;
	wrmsrq_safe(pmu.part->msrs.global_ctrl, enable);
}

/**
 * bpmu_pmu_stop() - stop all counters at once
 *
 * Context: this CPU, interrupts off.
 */
void bpmu_pmu_stop(void)
{
	lockdep_assert_irqs_disabled();
	wrmsrq_safe(pmu.part->msrs.global_ctrl, 0);
}

/**
 * bpmu_pmu_read() - raw values of a group's counters
 * @group: the group that is programmed
 * @values: filled in, one for each event of the group
 *
 * Context: this CPU, interrupts off; the sampling path.
 */
void bpmu_pmu_read(const struct bpmu_plan_group *group, u64 *values)
{
	unsigned int i;

	for (i = 0; i < group->nr; i++) {
		u32 counter = group->event[i].counter;

		if (counter >= BPMU_FIXED_BASE)
			counter = (counter - BPMU_FIXED_BASE) |
				  BPMU_RDPMC_FIXED;
		values[i] = native_read_pmc(counter);
	}
}
