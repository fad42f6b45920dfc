// SPDX-License-Identifier: GPL-2.0
#include "bank.h"

#include <linux/string.h>

#include "random.h"
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

/* programs a group and checks that the registers hold it; registers that fault are not read */
static int program(struct bpmu_bank *bank, u32 group)
{
	int err;

	bpmu_bank_choose(bank, group);
	err = bank->ops->program(bank);
	if (!err && !bank->ops->intact(bank))
		err = -EROFS;
	return err;
}

/**
 * bpmu_bank_prove() - check that the counters take values, and that they can be read
 * @bank: with groups
 *
 * Context: this CPU, interrupts off; the registers were saved.
 * Return: 0, or -EIO if a counter does not work.
 */
int bpmu_bank_prove(struct bpmu_bank *bank)
{
	bpmu_bank_choose(bank, 0);
	if (!bank->ops->prove)
		return 0;
	bank->ops->stop(bank);
	return bank->ops->prove(bank);
}

/**
 * bpmu_bank_open() - program the first group, without starting it
 * @bank: with groups
 *
 * Programs all groups once, the first one last, to check that the registers hold them.
 *
 * Context: this CPU, interrupts off; the registers were saved, or the bank was
 * open before and is stopped.
 * Return: 0, -EROFS if a register does not hold its value, or another error of
 * &bpmu_bank_ops.program.
 */
int bpmu_bank_open(struct bpmu_bank *bank)
{
	u32 group = bank->groups->nr;
	int err = 0;

	bpmu_bank_choose(bank, 0);
	bank->stops = bank->groups->nr > 1 || has_metrics(bank);
	bank->left = bank->groups->nr - 1;
	bank->random = (u32)bpmu_tsc() | 1;
	bank->wary = true;
	bank->ops->stop(bank);
	if ((bank->top || bank->interrupts) && bank->ops->preload)
		bank->ops->preload(bank);
	while (group--) {
		int failed = program(bank, group);

		err = err ?: failed;
	}
	trace_bpmu_program(bpmu_bank_facts[bank->id].name, bank->at, bank->group->nr);
	return err;
}

/**
 * bpmu_bank_try() - check that the registers hold the groups of another plan
 * @bank: open
 * @groups: groups of the other plan
 *
 * The counters stop during the check and keep their values. Then the scheduled group goes on;
 * the time of the check is not part of its running time.
 *
 * Context: this CPU, interrupts off.
 * Return: as bpmu_bank_open().
 */
int bpmu_bank_try(struct bpmu_bank *bank, const struct bpmu_plan_groups *groups)
{
	const struct bpmu_plan_groups *own = bank->groups;
	bool running = bank->running;
	u32 at = bank->at;
	int err = 0;
	u32 g;

	if (running)
		bpmu_bank_stop(bank);
	bank->groups = groups;
	for (g = 0; g < groups->nr && !err; g++) {
		err = program(bank, g);
		/* some banks clear the event selects of the scheduled group only */
		bank->ops->stop(bank);
	}
	bank->groups = own;
	bpmu_bank_choose(bank, at);
	bank->wary = true;
	bank->ops->reprogram(bank);
	if (!running)
		return err;
	bank->running = true;
	bank->since = bpmu_tsc();
	bank->ops->start(bank);
	return err;
}

/* returns the indices of the group's counters in &bpmu_bank.base, [nr events] */
static const u8 *slots_of(const struct bpmu_bank *bank)
{
	static const u8 in_order[BPMU_MAX_COUNTERS] = {
		0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
	};

	return bank->type->is_core ? bank->setup->slot : in_order;
}

/* notes the values from which the group's counters go on */
static void read_base(struct bpmu_bank *bank)
{
	const u8 *slot = slots_of(bank);
	u64 raw[BPMU_MAX_COUNTERS];
	u32 i;

	bank->ops->read(bank, raw);
	for (i = 0; i < bank->group->nr; i++)
		bank->base[slot[i]] = raw[i];
}

/**
 * bpmu_bank_base() - let the group's values start from the registers' current ones
 * @bank: open, not running
 *
 * Its running time starts at 0.
 *
 * Context: this CPU, interrupts off.
 */
void bpmu_bank_base(struct bpmu_bank *bank)
{
	const u8 *slot = slots_of(bank);
	u32 i;

	memset(bank->active, 0, sizeof(*bank->active));
	read_base(bank);
	for (i = 0; i < bank->group->nr; i++)
		bank->active->value[i] = bank->base[slot[i]];
}

/**
 * bpmu_bank_start() - start the counters of the scheduled group
 * @bank: open, not running
 *
 * A counter of the core that no group has used since stands where it was last read. Elsewhere the
 * counters of other groups may count on, and an agent that writes registers may have written these.
 *
 * Context: this CPU, interrupts off; the sampling path.
 */
void bpmu_bank_start(struct bpmu_bank *bank)
{
	if (has_metrics(bank))
		bank->ops->reset_metrics(bank);
	if (bank->stops && (bank->wary || !bank->type->is_core || has_metrics(bank)))
		read_base(bank);
	bank->running = true;
	bank->since = bpmu_tsc();
	bank->ops->start(bank);
	trace_bpmu_start(bpmu_bank_facts[bank->id].name, bank->at, bank->group->nr);
}

/**
 * bpmu_bank_stop() - stop the counters
 * @bank: running
 *
 * Context: this CPU, interrupts off; the sampling path.
 * Return: bpmu_tsc() after the stop.
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

/*
 * SLOTS and PERF_METRICS are reset at each start: a sample has their values since then, not
 * sums over slices.
 */
static void take_metrics(const struct bpmu_bank *bank, u64 *values)
{
	const struct bpmu_plan_group *g = bank->group;
	u32 i;

	for (i = 0; i < g->nr; i++)
		if (g->event[i].counter == BPMU_METRICS_COUNTER ||
		    g->event[i].counter == BPMU_COUNTER_FIXED + 3)
			values[i] = bank->base[bank->setup->slot[i]];
}

/**
 * bpmu_bank_resume() - continue a group's values from its previous sample
 * @bank: open, stopped for the sample
 * @values: raw values of the registers, [nr events]; replaced by the group's values
 *
 * Context: this CPU, interrupts off; the sampling path.
 */
void bpmu_bank_resume(struct bpmu_bank *bank, u64 *values)
{
	u64 *value = bank->active->value;
	const u8 *slot = slots_of(bank);
	u32 nr = bank->group->nr;
	u32 i;

	for (i = 0; i < nr; i++) {
		u64 *base = &bank->base[slot[i]];
		u64 raw = values[i];
		u64 sum = value[i] + raw - *base;

		*base = raw;
		value[i] = sum;
		values[i] = sum;
	}
	if (has_metrics(bank))
		take_metrics(bank, values);
}

/**
 * bpmu_bank_next() - schedule and program the next group
 * @bank: open, not running
 *
 * Each group has one slice per round. The first group of a round is random: with a
 * fixed order a group would always see the same phase of a load that is periodic in the
 * round.
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
		bpmu_bank_choose(bank, bpmu_random_below(&bank->random, nr));
	}
	bank->ops->reprogram(bank);
	trace_bpmu_program(bpmu_bank_facts[bank->id].name, bank->at, bank->group->nr);
}
