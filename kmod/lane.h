/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A lane: groups that take turns on one set of counters, a CPU's own or a
 * package's. It belongs to one sampler and is used on that CPU alone.
 */
#ifndef BPMU_LANE_H
#define BPMU_LANE_H

#include <linux/barepmu.h>
#include <linux/types.h>

#include "plan.h"
#include "pmu.h"
#include "tsc.h"
#include "uncore.h"

/**
 * struct bpmu_turn - what a lane remembers of a group
 * @running: TSC ticks for which it was on the counters, up to its last turn
 * @offset: for each event what to add to the register so that the group's value
 *	goes on from its last turn
 * @value: of its latest sample
 */
struct bpmu_turn {
	u64 running;
	u64 offset[BPMU_MAX_COUNTERS];
	u64 value[BPMU_MAX_COUNTERS];
};

/**
 * struct bpmu_lane - groups and whose turn it is
 * @groups: the groups, NULL while the lane is not in use
 * @pmu: their counters
 * @turn: one for each group
 * @at: number of the group on the counters
 * @group: that group
 * @setup: its registers on this CPU
 * @mine: its turn
 * @turns: the counters stop at a sample, as groups take turns, or registers
 *	begin at 0 after it
 * @left: groups that still have their turn in this round
 * @random: state of the choice who begins a round
 * @thread: which thread of its core this CPU is
 * @uncore: the counters are the package's
 * @top: counters begin so much below their wrap, 0: where they are
 * @running: they count
 * @since: TSC when they last started
 */
struct bpmu_lane {
	const struct bpmu_plan_groups *groups;
	const struct bpmu_pmu *pmu;
	struct bpmu_turn *turn;
	u32 at;
	const struct bpmu_plan_group *group;
	const struct bpmu_setup *setup;
	struct bpmu_turn *mine;
	bool turns;
	u32 left;
	u32 random;
	u8 thread;
	bool uncore;
	u32 top;
	bool running;
	u64 since;
};

int bpmu_lane_open(struct bpmu_lane *lane);
void bpmu_lane_choose(struct bpmu_lane *lane, u32 group);
void bpmu_lane_base(struct bpmu_lane *lane);
void bpmu_lane_run(struct bpmu_lane *lane);
u64 bpmu_lane_halt(struct bpmu_lane *lane);
void bpmu_lane_go_on(struct bpmu_lane *lane, u64 *values);
void bpmu_lane_next(struct bpmu_lane *lane);
bool bpmu_lane_disturbed(const struct bpmu_lane *lane);

/**
 * bpmu_lane_read() - raw values of the chosen group
 * @lane: open
 * @values: filled in, one for each event
 *
 * Context: this CPU, interrupts off; the sampling path.
 */
static inline void bpmu_lane_read(const struct bpmu_lane *lane, u64 *values)
{
	if (lane->uncore)
		bpmu_uncore_read(lane->pmu, lane->group, values);
	else
		bpmu_pmu_read(lane->setup, lane->group->nr, values);
}

/**
 * bpmu_lane_fill() - the chosen group's part of a sample
 * @lane: open, running or not
 * @sample: filled in but for what the sampler knows
 * @now: TSC
 *
 * Context: this CPU, interrupts off; the sampling path.
 */
static inline void bpmu_lane_fill(struct bpmu_lane *lane,
				  struct bpmu_sample *sample, u64 now)
{
	u64 *values = (u64 *)(sample + 1);

	sample->group = lane->at;
	sample->nr = lane->group->nr;
	sample->running = lane->mine->running +
			  (lane->running ? now - lane->since : 0);
	sample->tsc_begin = now;
	bpmu_lane_read(lane, values);
	sample->tsc_end = bpmu_tsc();
	if (lane->turns)
		bpmu_lane_go_on(lane, values);
}

#endif /* BPMU_LANE_H */
