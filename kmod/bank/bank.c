// SPDX-License-Identifier: GPL-2.0
#include "bank.h"

#include <linux/string.h>

#include "trace.h"

static bool has_metrics(const struct bpmu_bank *bank)
{
	return bank->setup->metrics;
}

/**
 * bpmu_bank_choose() - schedule a group, without programming it
 * @bank: with groups, not running
 * @group: index of the group
 *
 * Context: this CPU, interrupts off; the sampling path.
 */
void bpmu_bank_choose(struct bpmu_bank *bank, u32 group)
{
	bank->at = group;
	bank->group = &bank->groups->group[group];
	bank->setup = &bank->group->setup[bank->thread];
	bank->active = &bank->slice[group];
}

/**
 * bpmu_bank_open() - put the first group on the counters, without starting it
 * @bank: with groups
 *
 * All groups are tried, the first one last.
 *
 * Context: this CPU, interrupts off; the registers were saved, or the bank was
 * open before and is stopped.
 * Return: 0, or -EIO if a register did not take its value.
 */
int bpmu_bank_open(struct bpmu_bank *bank)
{
	u32 group = bank->groups->nr;
	int err = 0;

	bpmu_bank_choose(bank, 0);
	bank->stops = bank->groups->nr > 1 || has_metrics(bank);
	bank->left = bank->groups->nr - 1;
	bank->random = (u32)bpmu_tsc() | 1;
	bank->ops->stop(bank);
	if (bank->top && bank->ops->preload)
		bank->ops->preload(bank);
	while (group--) {
		bpmu_bank_choose(bank, group);
		if (bank->ops->program(bank) || !bank->ops->intact(bank))
			err = -EIO;
	}
	trace_bpmu_program(bank->ops->name, bank->at, bank->group->nr);
	return err;
}

/**
 * bpmu_bank_base() - the group's values begin with what the registers hold
 * @bank: open, not running
 *
 * Its time begins at 0.
 *
 * Context: this CPU, interrupts off.
 */
void bpmu_bank_base(struct bpmu_bank *bank)
{
	memset(bank->active, 0, sizeof(*bank->active));
	bank->ops->read(bank, bank->active->value);
}

/* wherever the registers stand, the group's values go on from its last slice */
static void align(struct bpmu_bank *bank)
{
	struct bpmu_slice *slice = bank->active;
	u64 raw[BPMU_MAX_COUNTERS];
	u32 i;

	if (!bank->stops)
		return;
	bank->ops->read(bank, raw);
	for (i = 0; i < bank->group->nr; i++)
		slice->offset[i] = slice->value[i] - raw[i];
}

/**
 * bpmu_bank_start() - let the scheduled group count
 * @bank: open, not running
 *
 * Context: this CPU, interrupts off; the sampling path.
 */
void bpmu_bank_start(struct bpmu_bank *bank)
{
	if (has_metrics(bank))
		bank->ops->reset_metrics(bank);
	align(bank);
	bank->running = true;
	bank->since = bpmu_tsc();
	bank->ops->start(bank);
	trace_bpmu_start(bank->ops->name, bank->at, bank->group->nr);
}

/**
 * bpmu_bank_stop() - stop the counters
 * @bank: running
 *
 * Context: this CPU, interrupts off; the sampling path.
 * Return: TSC then.
 */
u64 bpmu_bank_stop(struct bpmu_bank *bank)
{
	u64 now;

	bank->ops->stop(bank);
	now = bpmu_tsc();
	bank->active->running += now - bank->since;
	bank->running = false;
	return now;
}

/* slots and fractions since the reset are the interval's own */
static void metrics_begin_at_0(const struct bpmu_bank *bank, u64 *values)
{
	const struct bpmu_plan_group *g = bank->group;
	u32 i;

	for (i = 0; i < g->nr; i++)
		if (g->event[i].counter == BPMU_METRICS_COUNTER ||
		    g->event[i].counter == BPMU_COUNTER_FIXED + 3)
			values[i] -= bank->active->offset[i];
}

/**
 * bpmu_bank_resume() - values of a group that is not scheduled all the time
 * @bank: open, its counters stop at a sample
 * @values: raw ones, [nr events]; made to go on from the group's latest sample
 *
 * Context: this CPU, interrupts off; the sampling path.
 */
void bpmu_bank_resume(struct bpmu_bank *bank, u64 *values)
{
	struct bpmu_slice *slice = bank->active;
	u32 nr = bank->group->nr;
	u32 i;

	for (i = 0; i < nr; i++)
		values[i] += slice->offset[i];
	if (has_metrics(bank))
		metrics_begin_at_0(bank, values);
	memcpy(slice->value, values, nr * sizeof(*values));
}

/* Marsaglia's xorshift: good enough to be in step with nothing */
static u32 any_of(struct bpmu_bank *bank, u32 nr)
{
	bank->random ^= bank->random << 13;
	bank->random ^= bank->random >> 17;
	bank->random ^= bank->random << 5;
	return (u64)bank->random * nr >> 32;
}

/**
 * bpmu_bank_next() - schedule and program the next group
 * @bank: open, not running
 *
 * Each group has one slice in each round. Which one begins is random: in a fixed
 * order a load that is periodic in the round would always be seen at the same
 * phase.
 *
 * Context: this CPU, interrupts off; the sampling path.
 */
void bpmu_bank_next(struct bpmu_bank *bank)
{
	u32 nr = bank->groups->nr;

	if (nr == 1)
		return;
	if (bank->left) {
		bank->left--;
		bpmu_bank_choose(bank, bank->at + 1 == nr ? 0 : bank->at + 1);
	} else {
		bank->left = nr - 1;
		bpmu_bank_choose(bank, any_of(bank, nr));
	}
	bank->ops->reprogram(bank);
	trace_bpmu_program(bank->ops->name, bank->at, bank->group->nr);
}
