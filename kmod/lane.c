// SPDX-License-Identifier: GPL-2.0
#include "lane.h"

#include <linux/string.h>

static bool has_metrics(const struct bpmu_lane *lane)
{
	return !lane->uncore && lane->setup->metrics;
}

static int program(struct bpmu_lane *lane)
{
	if (lane->uncore)
		return bpmu_uncore_program(lane->pmu, lane->group);
	bpmu_pmu_program(lane->setup);
	return 0;
}

/**
 * bpmu_lane_choose() - which group is meant from now on
 * @lane: with groups, not running
 * @group: its number
 *
 * Context: this CPU, interrupts off; the sampling path.
 */
void bpmu_lane_choose(struct bpmu_lane *lane, u32 group)
{
	lane->at = group;
	lane->group = &lane->groups->group[group];
	lane->setup = &lane->group->setup[lane->thread];
	lane->mine = &lane->turn[group];
}

/**
 * bpmu_lane_open() - put the first group on the counters, without starting it
 * @lane: with groups
 *
 * Context: this CPU, interrupts off; the registers were saved, or the lane was
 * open before and is halted.
 * Return: 0, or -EIO if a register did not take its value.
 */
int bpmu_lane_open(struct bpmu_lane *lane)
{
	int err;

	bpmu_lane_choose(lane, 0);
	lane->turns = lane->groups->nr > 1 || has_metrics(lane);
	lane->left = lane->groups->nr - 1;
	lane->random = (u32)bpmu_tsc() | 1;
	if (!lane->uncore)
		bpmu_pmu_stop();
	if (lane->top)
		bpmu_pmu_begin_near_top(lane->top);
	err = program(lane);
	return lane->uncore ? err : bpmu_pmu_check(lane->setup);
}

/**
 * bpmu_lane_base() - the group's values begin with what the registers hold
 * @lane: open, not running
 *
 * Its time begins at 0.
 *
 * Context: this CPU, interrupts off.
 */
void bpmu_lane_base(struct bpmu_lane *lane)
{
	memset(lane->mine, 0, sizeof(*lane->mine));
	bpmu_lane_read(lane, lane->mine->value);
}

/* the registers stand somewhere: the group's values go on from their own place */
static void align(struct bpmu_lane *lane)
{
	struct bpmu_turn *turn = lane->mine;
	u64 raw[BPMU_MAX_COUNTERS];
	u32 i;

	if (!lane->turns)
		return;
	bpmu_lane_read(lane, raw);
	for (i = 0; i < lane->group->nr; i++)
		turn->offset[i] = turn->value[i] - raw[i];
}

/**
 * bpmu_lane_run() - let the current group count
 * @lane: open, not running
 *
 * Context: this CPU, interrupts off; the sampling path.
 */
void bpmu_lane_run(struct bpmu_lane *lane)
{
	if (has_metrics(lane))
		bpmu_pmu_reset_metrics();
	align(lane);
	lane->running = true;
	lane->since = bpmu_tsc();
	if (lane->uncore)
		bpmu_uncore_start(lane->pmu, lane->group);
	else
		bpmu_pmu_start(lane->setup);
}

/**
 * bpmu_lane_halt() - stop the counters
 * @lane: running
 *
 * Context: this CPU, interrupts off; the sampling path.
 * Return: TSC then.
 */
u64 bpmu_lane_halt(struct bpmu_lane *lane)
{
	u64 now;

	if (lane->uncore)
		bpmu_uncore_stop(lane->pmu, lane->group);
	else
		bpmu_pmu_stop();
	now = bpmu_tsc();
	lane->mine->running += now - lane->since;
	lane->running = false;
	return now;
}

/* slots and fractions since the reset are the interval's own */
static void metrics_begin_at_0(const struct bpmu_lane *lane, u64 *values)
{
	const struct bpmu_plan_group *g = lane->group;
	u32 i;

	for (i = 0; i < g->nr; i++)
		if (g->event[i].counter == BPMU_METRICS_COUNTER ||
		    g->event[i].counter == BPMU_COUNTER_FIXED + 3)
			values[i] -= lane->mine->offset[i];
}

/**
 * bpmu_lane_go_on() - values of a group that does not count all the time
 * @lane: open, its counters stop at a sample
 * @values: raw ones; go on from the group's latest sample
 *
 * Context: this CPU, interrupts off; the sampling path.
 */
void bpmu_lane_go_on(struct bpmu_lane *lane, u64 *values)
{
	struct bpmu_turn *turn = lane->mine;
	u32 nr = lane->group->nr;
	u32 i;

	for (i = 0; i < nr; i++)
		values[i] += turn->offset[i];
	if (has_metrics(lane))
		metrics_begin_at_0(lane, values);
	memcpy(turn->value, values, nr * sizeof(*values));
}

/* Marsaglia's xorshift: good enough to be in step with nothing */
static u32 any_of(struct bpmu_lane *lane, u32 nr)
{
	lane->random ^= lane->random << 13;
	lane->random ^= lane->random >> 17;
	lane->random ^= lane->random << 5;
	return (u64)lane->random * nr >> 32;
}

/**
 * bpmu_lane_next() - the next group's turn
 * @lane: open, not running
 *
 * In each round each group has one turn. Who begins is left to chance: always
 * the same order would see a load that is in step with it always at the same
 * place.
 *
 * Context: this CPU, interrupts off; the sampling path.
 */
void bpmu_lane_next(struct bpmu_lane *lane)
{
	u32 nr = lane->groups->nr;

	if (nr == 1)
		return;
	if (lane->left) {
		lane->left--;
		bpmu_lane_choose(lane, lane->at + 1 == nr ? 0 : lane->at + 1);
	} else {
		lane->left = nr - 1;
		bpmu_lane_choose(lane, any_of(lane, nr));
	}
	program(lane);
}

/**
 * bpmu_lane_disturbed() - has someone else written the registers
 * @lane: running
 *
 * Context: this CPU, interrupts off.
 * Return: true if they do not hold what was programmed.
 */
bool bpmu_lane_disturbed(const struct bpmu_lane *lane)
{
	return !lane->uncore && bpmu_pmu_check(lane->setup);
}
