// SPDX-License-Identifier: GPL-2.0
#include "pmu.h"

#include <linux/bitops.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/lockdep.h>

#include "compat.h"
#include "intel.h"
#include "probe.h"

static u32 select_msr(const struct bpmu_pmu *pmu, unsigned int i)
{
	return pmu->part->msrs.select + i * pmu->part->msrs.stride;
}

static u32 counter_msr(const struct bpmu_pmu *pmu, unsigned int i)
{
	return pmu->part->msrs.counter + i * pmu->part->msrs.stride;
}

static const struct bpmu_pmu *here(void)
{
	return bpmu_pmu_of(smp_processor_id());
}

static u64 enabled_counters(const struct bpmu_pmu *pmu,
			    const struct bpmu_pmu_saved *saved)
{
	u64 set = 0;
	unsigned int i;

	for (i = 0; i < pmu->gp_counters; i++)
		if (saved->select[i] & BPMU_SEL_EN)
			set |= 1ULL << i;
	for (i = 0; i < pmu->fixed_counters; i++)
		if ((saved->fixed_ctrl >> (i * BPMU_FIXED_BITS)) &
		    BPMU_FIXED_GROUP)
			set |= BPMU_FIXED_BIT(i);
	return set;
}

static int save_control(const struct bpmu_pmu *pmu,
			struct bpmu_pmu_saved *saved)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < pmu->gp_counters; i++)
		err |= rdmsrq_safe(select_msr(pmu, i), &saved->select[i]);
	if (pmu->fixed_counters)
		err |= rdmsrq_safe(pmu->part->msrs.fixed_ctrl,
				   &saved->fixed_ctrl);
	return err ? -EIO : 0;
}

/**
 * bpmu_pmu_foreign() - counters that someone has enabled on this CPU
 *
 * The enable bits decide: perf leaves all bits of the global control set after
 * its last event has stopped. Of a CPU that cannot be measured nothing is known.
 *
 * Context: this CPU, interrupts off.
 * Return: set of counters.
 */
u64 bpmu_pmu_foreign(void)
{
	struct bpmu_pmu_saved now = { };

	lockdep_assert_irqs_disabled();
	if (!here() || save_control(here(), &now))
		return 0;
	return enabled_counters(here(), &now);
}

static int save_global(const struct bpmu_pmu *pmu,
		       struct bpmu_pmu_saved *saved)
{
	int err = 0;

	if (pmu->metrics)
		err |= rdmsrq_safe(BPMU_MSR_PERF_METRICS, &saved->metrics);
	if (!pmu->global)
		return err;
	err |= rdmsrq_safe(pmu->part->msrs.global_ctrl, &saved->global_ctrl);
	err |= rdmsrq_safe(pmu->part->msrs.global_status,
			   &saved->global_status);
	return err;
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
	const struct bpmu_pmu *pmu = here();
	unsigned int i;
	int err;

	lockdep_assert_irqs_disabled();
	err = save_control(pmu, saved);
	for (i = 0; i < pmu->gp_counters; i++)
		err |= rdmsrq_safe(counter_msr(pmu, i), &saved->counter[i]);
	for (i = 0; i < pmu->fixed_counters; i++)
		err |= rdmsrq_safe(pmu->part->msrs.fixed + i,
				   &saved->fixed[i]);
	err |= save_global(pmu, saved);
	return err ? -EIO : 0;
}

/* only overflow bits that were clear before: the others are not ours */
static void clear_overflow(const struct bpmu_pmu *pmu,
			   const struct bpmu_pmu_saved *saved)
{
	u64 status;

	if (rdmsrq_safe(pmu->part->msrs.global_status, &status))
		return;
	status &= ~saved->global_status & bpmu_pmu_counters(pmu);
	if (status)
		wrmsrq_safe(pmu->part->msrs.global_ovf, status);
}

static void write_counter(const struct bpmu_pmu *pmu, unsigned int i, u64 value)
{
	const struct bpmu_msrs *msrs = &pmu->part->msrs;
	u32 base = bpmu_probe_full_width() ? msrs->counter_full : msrs->counter;

	wrmsrq_safe(base + i * msrs->stride, value);
}

static void restore_gp(const struct bpmu_pmu *pmu,
		       const struct bpmu_pmu_saved *saved)
{
	unsigned int i;

	for (i = 0; i < pmu->gp_counters; i++) {
		wrmsrq_safe(select_msr(pmu, i), saved->select[i]);
		write_counter(pmu, i, saved->counter[i]);
	}
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
	const struct bpmu_pmu *pmu = here();
	const struct bpmu_msrs *msrs = &pmu->part->msrs;
	unsigned int i;

	lockdep_assert_irqs_disabled();
	bpmu_pmu_stop();
	if (pmu->fixed_counters)
		wrmsrq_safe(msrs->fixed_ctrl, saved->fixed_ctrl);
	for (i = 0; i < pmu->fixed_counters; i++)
		wrmsrq_safe(msrs->fixed + i, saved->fixed[i]);
	if (pmu->metrics)
		wrmsrq_safe(BPMU_MSR_PERF_METRICS, saved->metrics);
	restore_gp(pmu, saved);
	if (!pmu->global)
		return;
	clear_overflow(pmu, saved);
	wrmsrq_safe(msrs->global_ctrl, saved->global_ctrl);
}

static u32 rdpmc_index(u32 counter)
{
	if (counter == BPMU_METRICS_COUNTER)
		return BPMU_RDPMC_METRICS;
	if (counter >= BPMU_FIXED_BASE)
		return (counter - BPMU_FIXED_BASE) | BPMU_RDPMC_FIXED;
	return counter;
}

static void setup_event(const struct bpmu_plan_event *event, u32 counter,
			struct bpmu_setup *setup, unsigned int i)
{
	setup->index[i] = rdpmc_index(counter);
	setup->enable |= 1ULL << counter;
	if (counter < BPMU_FIXED_BASE)
		setup->select[counter] = event->select | BPMU_SEL_EN;
	else if (counter == BPMU_METRICS_COUNTER)
		setup->metrics = true;
	else
		setup->fixed_ctrl |= bpmu_fixed_ctrl(counter, event->select);
}

/**
 * bpmu_pmu_setup() - work out the register values of a group
 * @pmu: the CPUs' counters
 * @group: events with legal selects on counters that exist
 *
 * Context: process.
 */
void bpmu_pmu_setup(const struct bpmu_pmu *pmu, struct bpmu_plan_group *group)
{
	unsigned int i;

	for (i = 0; i < group->nr; i++) {
		setup_event(&group->event[i], group->event[i].counter,
			    &group->setup[0], i);
		setup_event(&group->event[i], group->event[i].sibling,
			    &group->setup[1], i);
	}
}

/**
 * bpmu_pmu_check() - do the registers hold what was programmed
 * @setup: as given to bpmu_pmu_program()
 *
 * A hypervisor may swallow a write, and another program may write too.
 *
 * Context: this CPU, interrupts off; the counters run or not.
 * Return: 0, or -EIO.
 */
int bpmu_pmu_check(const struct bpmu_setup *setup)
{
	const struct bpmu_pmu *pmu = here();
	struct bpmu_pmu_saved now = { };
	unsigned int i;

	if (save_control(pmu, &now) || now.fixed_ctrl != setup->fixed_ctrl)
		return -EIO;
	for (i = 0; i < pmu->gp_counters; i++)
		if ((now.select[i] ^ setup->select[i]) & ~BPMU_SEL_EN)
			return -EIO;
	return 0;
}

/**
 * bpmu_pmu_program() - write a group's selects, without starting it
 * @setup: of the group
 *
 * Counters that the group does not use are switched off.
 *
 * Context: this CPU, interrupts off, counters stopped, after bpmu_pmu_save();
 * the sampling path.
 */
void bpmu_pmu_program(const struct bpmu_setup *setup)
{
	const struct bpmu_pmu *pmu = here();
	u64 mask = pmu->global ? ~0ULL : ~BPMU_SEL_EN;
	unsigned int i;

	for (i = 0; i < pmu->gp_counters; i++)
		wrmsrq_safe(select_msr(pmu, i), setup->select[i] & mask);
	if (pmu->fixed_counters)
		wrmsrq_safe(pmu->part->msrs.fixed_ctrl, setup->fixed_ctrl);
}

/**
 * bpmu_pmu_begin_near_top() - set all counters, and clear their overflow bits
 * @top: counts until they wrap, at most 31 bits: the sign extension of parts
 *	without full-width writes fills the rest
 *
 * Context: this CPU, interrupts off, counters stopped, after bpmu_pmu_save().
 */
void bpmu_pmu_begin_near_top(u32 top)
{
	const struct bpmu_pmu *pmu = here();
	const struct bpmu_msrs *msrs = &pmu->part->msrs;
	unsigned int i;

	for (i = 0; i < pmu->gp_counters; i++)
		write_counter(pmu, i, (1ULL << pmu->gp_width) - top);
	for (i = 0; i < pmu->fixed_counters; i++)
		wrmsrq_safe(msrs->fixed + i, (1ULL << pmu->fixed_width) - top);
	if (pmu->global)
		wrmsrq_safe(msrs->global_ovf, bpmu_pmu_counters(pmu));
}

/**
 * bpmu_pmu_start() - let all counters of a programmed group run
 * @setup: of the group
 *
 * All at once where the part has a global register, else one after the other.
 *
 * Context: this CPU, interrupts off; the sampling path.
 */
void bpmu_pmu_start(const struct bpmu_setup *setup)
{
	const struct bpmu_pmu *pmu = here();
	unsigned int i;

	if (pmu->global) {
		wrmsrq_safe(pmu->part->msrs.global_ctrl, setup->enable);
		return;
	}
	for (i = 0; i < pmu->gp_counters; i++)
		if (setup->select[i])
			wrmsrq_safe(select_msr(pmu, i), setup->select[i]);
}

/**
 * bpmu_pmu_stop() - stop all counters
 *
 * Context: this CPU, interrupts off; the sampling path.
 */
void bpmu_pmu_stop(void)
{
	const struct bpmu_pmu *pmu = here();
	unsigned int i;

	if (pmu->global) {
		wrmsrq_safe(pmu->part->msrs.global_ctrl, 0);
		return;
	}
	for (i = 0; i < pmu->gp_counters; i++)
		wrmsrq_safe(select_msr(pmu, i), 0);
}

/**
 * bpmu_pmu_reset_metrics() - let slots and PERF_METRICS begin at 0
 *
 * The register's fractions are of all slots since both were 0, so the two are
 * reset together, fixed counter 3 first (SDM Vol. 3, 19.3.9.3).
 *
 * Context: this CPU, interrupts off, counters stopped; the sampling path.
 */
void bpmu_pmu_reset_metrics(void)
{
	wrmsrq_safe(here()->part->msrs.fixed + BPMU_FIXED_SLOTS -
		    BPMU_FIXED_BASE, 0);
	wrmsrq_safe(BPMU_MSR_PERF_METRICS, 0);
}
