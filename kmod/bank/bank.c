// SPDX-License-Identifier: GPL-2.0
#include "bank.h"

#include <linux/string.h>

#include "machine/tsc.h"
#include "trace.h"

/*
 * Programs a group, and reads the registers back. Returns 0; -EROFS if a register does not hold
 * what was written; or the negative errno of a write that faulted.
 */
static int program(struct bpmu_bank *bank, u32 group)
{
	int err;

	bpmu_bank_choose(bank, group);
	err = bank->ops->program(bank);
	if (!err && !bank->ops->programmed(bank))
		err = -EROFS;
	return err;
}

/**
 * bpmu_bank_prove() - check that a bank's counters hold what is written, and can be read
 * @bank: with groups
 *
 * Context: this CPU, interrupts off; the registers were saved.
 * Return: 0, or -EIO if a counter does not work.
 */
int bpmu_bank_prove(struct bpmu_bank *bank)
{
	bpmu_bank_choose(bank, 0);
	bank->ops->stop(bank);
	return bank->ops->prove ? bank->ops->prove(bank) : 0;
}

/*
 * Schedules the first group of a bank and initialises the state of multiplexing. Counters that
 * interrupt, or that start below overflow, are set to their first values.
 */
static void begin(struct bpmu_bank *bank)
{
	bpmu_bank_choose(bank, 0);
	bank->stops = bank->groups->nr > 1 || bank->setup->metrics;
	bank->left = bank->groups->nr - 1;
	bank->random = (u32)bpmu_tsc() | 1;
	bank->wary = !bank->type->is_core;
	bank->same = false;
	if ((bank->top || bank->interrupts) && bank->ops->preload)
		bank->ops->preload(bank);
}

/*
 * Programs all groups of the bank in reverse order, so that the first group stays programmed.
 * Returns 0, or the error of the first program() that failed; all groups are programmed in any
 * case.
 */
static int program_all(struct bpmu_bank *bank)
{
	u32 group = bank->groups->nr;
	int err = 0;

	while (group--) {
		int failed = program(bank, group);

		err = err ?: failed;
	}
	trace_bpmu_program(bank->id, bank->groups, bank->at);
	return err;
}

/**
 * bpmu_bank_open() - program the first group of a bank, without starting it
 * @bank: with groups
 *
 * Programs each group once, in reverse order, to check that the registers hold all groups.
 *
 * Context: this CPU, interrupts off; the registers were saved, and the counters are stopped.
 * Return: 0, -EROFS if a register does not hold its value, or another error of
 * &bpmu_bank_ops.program.
 */
int bpmu_bank_open(struct bpmu_bank *bank)
{
	begin(bank);
	return program_all(bank);
}

/**
 * bpmu_bank_reopen() - program a bank's first group again, without starting it
 * @bank: was opened, and is stopped
 *
 * Writes nothing if the bank is the core's and its registers already hold the group, as after
 * bpmu_bank_open().
 *
 * Context: this CPU, interrupts off.
 * Return: 0, -EROFS if a register does not hold its value, or another error of
 * &bpmu_bank_ops.program.
 */
int bpmu_bank_reopen(struct bpmu_bank *bank)
{
	bpmu_bank_choose(bank, 0);
	if (!bank->type->is_core || bank->wary)
		bank->ops->stop(bank);
	begin(bank);
	return bank->ops->programmed(bank) ? 0 : program_all(bank);
}

/**
 * bpmu_bank_try() - check that a bank's registers can hold the groups of another plan
 * @bank: opened by bpmu_bank_open()
 * @groups: groups of the other plan
 * @slice: states of @groups, as &bpmu_bank.slice, [@groups->nr]
 *
 * The counters stop during the check and keep their values. Then the scheduled group goes on;
 * the time of the check is not part of its running time.
 *
 * Context: this CPU, interrupts off.
 * Return: 0, -EROFS if a register does not hold its value, or another error of
 * &bpmu_bank_ops.prove or &bpmu_bank_ops.program.
 */
int bpmu_bank_try(struct bpmu_bank *bank, const struct bpmu_plan_groups *groups,
		  struct bpmu_slice *slice)
{
	struct bpmu_slice *own_slice = bank->slice;
	const struct bpmu_plan_groups *own = bank->groups;
	bool running = bank->running;
	u32 at = bank->at;
	int err = 0;
	u32 g;

	if (running) {
		bank->ops->stop(bank);
		bank->active->running += bpmu_tsc() - bank->since;
		bank->running = false;
	}
	bank->groups = groups;
	bank->slice = slice;
	if (bank->ops->prove)
		err = bank->ops->prove(bank);
	for (g = 0; g < groups->nr && !err; g++) {
		err = program(bank, g);
		/*
		 * Stopping some banks clears only the event selects of the scheduled group. Here
		 * the scheduled group is still the one that was just tried.
		 */
		bank->ops->stop(bank);
	}
	bank->groups = own;
	bank->slice = own_slice;
	bpmu_bank_choose(bank, at);
	bank->wary |= !bank->type->is_core;
	bank->ops->reprogram(bank);
	if (!running)
		return err;
	bank->running = true;
	bank->since = bpmu_tsc();
	bank->ops->start(bank);
	return err;
}

/*
 * Returns for each event of the scheduled group the index of its counter in &bpmu_bank.base, [nr
 * events].
 */
static const u8 *slots_of(const struct bpmu_bank *bank)
{
	static const u8 in_order[BPMU_MAX_COUNTERS] = {
		0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
	};

	return bank->type->is_core ? bank->setup->slot : in_order;
}

/**
 * bpmu_bank_read_base() - read the current counter values of a bank's group as new start values
 * @bank: opened by bpmu_bank_open(), with stopped counters; sets &bpmu_bank.base
 *
 * Context: this CPU, interrupts off; the sampling path.
 */
void bpmu_bank_read_base(struct bpmu_bank *bank)
{
	const u8 *slot = bank->setup->slot;
	u64 raw[BPMU_MAX_COUNTERS];
	u32 i;

	if (!bank->type->is_core) {
		bank->ops->read(bank, bank->base);
		return;
	}
	bank->ops->read(bank, raw);
	for (i = 0; i < bank->group->nr; i++)
		bank->base[slot[i]] = raw[i];
}

/**
 * bpmu_bank_base() - let the open group of a bank count from the current counter values
 * @bank: opened by bpmu_bank_open(), with stopped counters
 *
 * The group's values start from what the registers hold, and its running time from 0.
 *
 * Context: this CPU, interrupts off.
 */
void bpmu_bank_base(struct bpmu_bank *bank)
{
	const u8 *slot = slots_of(bank);
	u32 i;

	memset(bank->active, 0, sizeof(*bank->active));
	bpmu_bank_read_base(bank);
	for (i = 0; i < bank->group->nr; i++)
		bank->active->value[i] = bank->base[slot[i]];
}

/**
 * bpmu_bank_resume() - add the new counts of a bank's counters to the group's last values
 * @bank: opened by bpmu_bank_open(), stopped for the sample
 * @values: in: raw values of the counters, [nr events]; out: values of the group's new sample
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
}

/**
 * bpmu_bank_take_metrics() - put SLOTS and PERF_METRICS of a bank into the bank's sample
 * @bank: opened by bpmu_bank_open(), stopped for the sample, of a group with PERF_METRICS
 * @values: values of the group's sample, [nr events]; the values of SLOTS and PERF_METRICS are
 *	overwritten
 *
 * Both registers are reset whenever the counters start. Unlike the other values of a sample, these
 * two are hence counts since the last start, not sums over all slices.
 *
 * Context: this CPU, interrupts off; the sampling path.
 */
void bpmu_bank_take_metrics(const struct bpmu_bank *bank, u64 *values)
{
	const struct bpmu_plan_group *g = bank->group;
	u32 i;

	for (i = 0; i < g->nr; i++)
		if (g->event[i].counter == BPMU_METRICS_COUNTER ||
		    g->event[i].counter == BPMU_COUNTER_FIXED + 3)
			values[i] = bank->base[bank->setup->slot[i]];
}
