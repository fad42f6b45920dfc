// SPDX-License-Identifier: GPL-2.0
#include "uncore.h"

#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/topology.h>

#include "compat.h"
#include "probe.h"
#include "trace.h"

/*
 * What a select holds while the bank is programmed but stopped. Without a register
 * that starts all counters a select with the enable bit counts at once.
 */
static u64 stopped_select(const struct bpmu_uncore *uncore,
			  const struct bpmu_plan_event *event)
{
	return event->select | (uncore->global_ctrl ? uncore->enable : 0);
}

static bool holds(const struct bpmu_bank *bank, u64 enable)
{
	struct bpmu_place at;
	u64 select;
	u32 i;

	for (i = 0; i < bank->group->nr; i++) {
		const struct bpmu_plan_event *event = &bank->group->event[i];

		if (bpmu_uncore_place(bank->pmu, event->counter, &at) &&
		    (rdmsrq_safe(bpmu_place_select(&at), &select) ||
		     select != (event->select | enable)))
			return false;
	}
	return true;
}

static bool bpmu_uncore_shares(unsigned int cpu, unsigned int other)
{
	return cpumask_test_cpu(other, topology_core_cpumask(cpu));
}

/*
 * Linux' driver of Intel's uncore keeps the global enable bit set as long as it is
 * loaded. Where there is no global register, an enabled select tells: the driver of
 * AMD's enables one only while somebody counts with it.
 */
static bool in_use_by_others(const struct bpmu_bank *bank)
{
	const struct bpmu_uncore *uncore = bank->pmu->part->uncore;
	const struct bpmu_uncore_saved *saved = bank->saved;
	u32 i;

	if (uncore->global_ctrl)
		return saved->global_ctrl & uncore->global_start;
	for (i = 0; i < bank->ops->counters; i++)
		if (saved->select[i] & uncore->enable)
			return true;
	return false;
}

static int bpmu_uncore_save(struct bpmu_bank *bank, bool take_over)
{
	const struct bpmu_uncore *uncore = bank->pmu->part->uncore;
	struct bpmu_uncore_saved *saved = bank->saved;
	struct bpmu_place at;
	int err = 0;
	u32 i;

	*saved = (struct bpmu_uncore_saved){ };
	for (i = 0; i < bank->ops->counters; i++) {
		if (!bpmu_uncore_place(bank->pmu, bank->ops->first + i, &at))
			continue;
		err |= rdmsrq_safe(bpmu_place_select(&at), &saved->select[i]);
		err |= rdmsrq_safe(bpmu_place_counter(&at), &saved->counter[i]);
	}
	if (uncore->global_ctrl)
		err |= rdmsrq_safe(uncore->global_ctrl, &saved->global_ctrl);
	if (err)
		return -EIO;
	/* the kernel's driver cannot be told from firmware: nothing is taken over */
	return in_use_by_others(bank) ? bank->ops->busy_error : 0;
}

static void bpmu_uncore_restore(struct bpmu_bank *bank)
{
	const struct bpmu_uncore *uncore = bank->pmu->part->uncore;
	const struct bpmu_uncore_saved *saved = bank->saved;
	struct bpmu_place at;
	u32 i;

	if (uncore->global_ctrl)
		wrmsrq_safe(uncore->global_ctrl, 0);
	for (i = 0; i < bank->ops->counters; i++) {
		if (!bpmu_uncore_place(bank->pmu, bank->ops->first + i, &at))
			continue;
		wrmsrq_safe(bpmu_place_select(&at), saved->select[i]);
		wrmsrq_safe(bpmu_place_counter(&at), saved->counter[i]);
	}
	if (uncore->global_ctrl)
		wrmsrq_safe(uncore->global_ctrl, saved->global_ctrl);
	trace_bpmu_restore(bank->ops->name, bank->at, bank->group->nr);
}

static int bpmu_uncore_program(struct bpmu_bank *bank)
{
	const struct bpmu_uncore *uncore = bank->pmu->part->uncore;
	struct bpmu_place at;
	int err = 0;
	u32 i;

	for (i = 0; i < bank->group->nr; i++) {
		const struct bpmu_plan_event *event = &bank->group->event[i];

		if (bpmu_uncore_place(bank->pmu, event->counter, &at))
			err |= wrmsrq_safe(bpmu_place_select(&at),
					   stopped_select(uncore, event));
	}
	return err ? -EIO : 0;
}

static void bpmu_uncore_reprogram(struct bpmu_bank *bank)
{
	bpmu_uncore_program(bank);
}

static void bpmu_uncore_start(struct bpmu_bank *bank)
{
	const struct bpmu_uncore *uncore = bank->pmu->part->uncore;
	struct bpmu_place at;
	u32 i;

	if (uncore->global_ctrl) {
		wrmsrq_safe(uncore->global_ctrl, uncore->global_start);
		return;
	}
	for (i = 0; i < bank->group->nr; i++) {
		const struct bpmu_plan_event *event = &bank->group->event[i];

		if (bpmu_uncore_place(bank->pmu, event->counter, &at))
			wrmsrq_safe(bpmu_place_select(&at),
				    event->select | uncore->enable);
	}
}

/* the selects are freed too: what they hold counts while a driver runs others */
static void bpmu_uncore_stop(struct bpmu_bank *bank)
{
	const struct bpmu_uncore *uncore = bank->pmu->part->uncore;
	struct bpmu_place at;
	u32 i;

	if (uncore->global_ctrl)
		wrmsrq_safe(uncore->global_ctrl, 0);
	for (i = 0; i < bank->group->nr; i++)
		if (bpmu_uncore_place(bank->pmu, bank->group->event[i].counter,
				      &at))
			wrmsrq_safe(bpmu_place_select(&at), 0);
}

static void bpmu_uncore_read(const struct bpmu_bank *bank, u64 *values)
{
	struct bpmu_place at;
	u32 i;

	for (i = 0; i < bank->group->nr; i++) {
		values[i] = 0;
		if (bpmu_uncore_place(bank->pmu, bank->group->event[i].counter,
				      &at))
			rdmsrq_safe(bpmu_place_counter(&at), &values[i]);
	}
}

/* firmware can switch these counters off: then a select reads back as 0 */
static bool bpmu_uncore_intact(const struct bpmu_bank *bank)
{
	const struct bpmu_uncore *uncore = bank->pmu->part->uncore;

	return holds(bank, uncore->global_ctrl || bank->running ?
			   uncore->enable : 0);
}

static bool bpmu_uncore_counting(const struct bpmu_bank *bank)
{
	const struct bpmu_uncore *uncore = bank->pmu->part->uncore;
	u64 value = 0;

	if (!uncore->global_ctrl)
		return holds(bank, uncore->enable);
	return !rdmsrq_safe(uncore->global_ctrl, &value) &&
	       value == uncore->global_start;
}

/* all banks whose counters have a select and belong to several CPUs */
#define UNCORE \
	.saved_size = sizeof(struct bpmu_uncore_saved), \
	.busy_error = -EADDRINUSE, \
	.save = bpmu_uncore_save, \
	.restore = bpmu_uncore_restore, \
	.program = bpmu_uncore_program, \
	.reprogram = bpmu_uncore_reprogram, \
	.start = bpmu_uncore_start, \
	.stop = bpmu_uncore_stop, \
	.read = bpmu_uncore_read, \
	.intact = bpmu_uncore_intact, \
	.counting = bpmu_uncore_counting

const struct bpmu_bank_ops bpmu_uncore_ops = {
	.name = "uncore",
	.flag = BPMU_SAMPLE_UNCORE,
	.failure = BPMU_FAILURE_UNCORE,
	.busy = "the uncore's counters are in use: unload intel_uncore",
	.first = BPMU_UNCORE_BASE,
	.counters = BPMU_UNCORE_REGISTERS,
	.shares = bpmu_uncore_shares,
	UNCORE,
};

const struct bpmu_bank_ops bpmu_l3_ops = {
	.name = "l3",
	.flag = BPMU_SAMPLE_L3,
	.failure = BPMU_FAILURE_L3,
	.busy = "the L3's counters are in use, as by perf's amd_l3 events: end what counts them",
	.first = BPMU_L3_BASE,
	.counters = BPMU_L3_COUNTERS,
	.shares = bpmu_probe_same_l3,
	UNCORE,
};

const struct bpmu_bank_ops bpmu_df_ops = {
	.name = "df",
	.flag = BPMU_SAMPLE_DF,
	.failure = BPMU_FAILURE_DF,
	.busy = "the data fabric's counters are in use, as by perf's amd_df: end what counts them",
	.first = BPMU_DF_BASE,
	.counters = BPMU_DF_COUNTERS,
	.shares = bpmu_probe_same_df,
	UNCORE,
};
