// SPDX-License-Identifier: GPL-2.0
#include "uncore.h"

#include <linux/kernel.h>

#include "compat.h"

static u32 select_msr(const struct bpmu_place *at)
{
	return at->box->select + at->instance * at->box->step + at->index;
}

static u32 counter_msr(const struct bpmu_place *at)
{
	return at->box->counter + at->instance * at->box->step + at->index;
}

/* without a register for all, a select with this bit counts at once */
static u64 select_of(const struct bpmu_uncore *uncore,
		     const struct bpmu_plan_event *event)
{
	return event->select | (uncore->global_ctrl ? uncore->enable : 0);
}

/**
 * bpmu_uncore_foreign() - does someone else use the package's counters
 * @pmu: of this CPU, with an uncore
 *
 * Linux' own driver keeps the global enable bit set as long as it is loaded.
 * Where there is no global register, an enabled select tells.
 *
 * Context: a CPU of the package, interrupts off.
 * Return: true if so.
 */
bool bpmu_uncore_foreign(const struct bpmu_pmu *pmu)
{
	const struct bpmu_uncore *uncore = pmu->part->uncore;
	struct bpmu_place at;
	u64 value = 0;
	u32 i;

	if (uncore->global_ctrl) {
		rdmsrq_safe(uncore->global_ctrl, &value);
		return value & uncore->global_start;
	}
	for (i = 0; i < BPMU_UNCORE_REGISTERS; i++) {
		if (!bpmu_uncore_place(pmu, BPMU_UNCORE_BASE + i, &at))
			continue;
		value = 0;
		rdmsrq_safe(select_msr(&at), &value);
		if (value & uncore->enable)
			return true;
	}
	return false;
}

/**
 * bpmu_uncore_save() - note what the package's registers hold
 * @pmu: of this CPU
 * @saved: filled in
 *
 * Context: a CPU of the package, interrupts off.
 * Return: 0, or -EIO if a register cannot be read.
 */
int bpmu_uncore_save(const struct bpmu_pmu *pmu,
		     struct bpmu_uncore_saved *saved)
{
	const struct bpmu_uncore *uncore = pmu->part->uncore;
	struct bpmu_place at;
	int err = 0;
	u32 i;

	for (i = 0; i < BPMU_UNCORE_REGISTERS; i++) {
		if (!bpmu_uncore_place(pmu, BPMU_UNCORE_BASE + i, &at))
			continue;
		err |= rdmsrq_safe(select_msr(&at), &saved->select[i]);
		err |= rdmsrq_safe(counter_msr(&at), &saved->counter[i]);
	}
	if (uncore->global_ctrl)
		err |= rdmsrq_safe(uncore->global_ctrl, &saved->global_ctrl);
	return err ? -EIO : 0;
}

/**
 * bpmu_uncore_restore() - put back what bpmu_uncore_save() noted
 * @pmu: of this CPU
 * @saved: from the same package
 *
 * Context: a CPU of the package, interrupts off.
 */
void bpmu_uncore_restore(const struct bpmu_pmu *pmu,
			 const struct bpmu_uncore_saved *saved)
{
	const struct bpmu_uncore *uncore = pmu->part->uncore;
	struct bpmu_place at;
	u32 i;

	if (uncore->global_ctrl)
		wrmsrq_safe(uncore->global_ctrl, 0);
	for (i = 0; i < BPMU_UNCORE_REGISTERS; i++) {
		if (!bpmu_uncore_place(pmu, BPMU_UNCORE_BASE + i, &at))
			continue;
		wrmsrq_safe(select_msr(&at), saved->select[i]);
		wrmsrq_safe(counter_msr(&at), saved->counter[i]);
	}
	if (uncore->global_ctrl)
		wrmsrq_safe(uncore->global_ctrl, saved->global_ctrl);
}

/**
 * bpmu_uncore_program() - write a group's selects
 * @pmu: of this CPU
 * @group: events with legal selects on counters that exist
 *
 * Context: a CPU of the package, interrupts off, counters stopped; the
 * sampling path.
 * Return: 0, or -EIO if a register did not take its value: firmware can switch
 * the uncore's counters off.
 */
int bpmu_uncore_program(const struct bpmu_pmu *pmu,
			const struct bpmu_plan_group *group)
{
	const struct bpmu_uncore *uncore = pmu->part->uncore;
	struct bpmu_place at;
	u64 select, now;
	int err = 0;
	u32 i;

	for (i = 0; i < group->nr; i++) {
		if (!bpmu_uncore_place(pmu, group->event[i].counter, &at))
			continue;
		select = select_of(uncore, &group->event[i]);
		err |= wrmsrq_safe(select_msr(&at), select);
		err |= rdmsrq_safe(select_msr(&at), &now);
		err |= now != select;
	}
	return err ? -EIO : 0;
}

/**
 * bpmu_uncore_start() - let a programmed group count
 * @pmu: of this CPU
 * @group: programmed
 *
 * Context: as bpmu_uncore_program().
 */
void bpmu_uncore_start(const struct bpmu_pmu *pmu,
		       const struct bpmu_plan_group *group)
{
	const struct bpmu_uncore *uncore = pmu->part->uncore;
	struct bpmu_place at;
	u32 i;

	if (uncore->global_ctrl) {
		wrmsrq_safe(uncore->global_ctrl, uncore->global_start);
		return;
	}
	for (i = 0; i < group->nr; i++)
		if (bpmu_uncore_place(pmu, group->event[i].counter, &at))
			wrmsrq_safe(select_msr(&at),
				    group->event[i].select | uncore->enable);
}

/**
 * bpmu_uncore_stop() - stop a group's counters and free their selects
 * @pmu: of this CPU
 * @group: programmed
 *
 * Context: as bpmu_uncore_program().
 */
void bpmu_uncore_stop(const struct bpmu_pmu *pmu,
		      const struct bpmu_plan_group *group)
{
	const struct bpmu_uncore *uncore = pmu->part->uncore;
	struct bpmu_place at;
	u32 i;

	if (uncore->global_ctrl)
		wrmsrq_safe(uncore->global_ctrl, 0);
	for (i = 0; i < group->nr; i++)
		if (bpmu_uncore_place(pmu, group->event[i].counter, &at))
			wrmsrq_safe(select_msr(&at), 0);
}

/**
 * bpmu_uncore_read() - raw values of a group's counters
 * @pmu: of this CPU
 * @group: programmed, or about to be
 * @values: filled in, one for each event
 *
 * Context: a CPU of the package, interrupts off; the sampling path.
 */
void bpmu_uncore_read(const struct bpmu_pmu *pmu,
		      const struct bpmu_plan_group *group, u64 *values)
{
	struct bpmu_place at;
	u32 i;

	for (i = 0; i < group->nr; i++) {
		values[i] = 0;
		if (bpmu_uncore_place(pmu, group->event[i].counter, &at))
			rdmsrq_safe(counter_msr(&at), &values[i]);
	}
}
