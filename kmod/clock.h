/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The clock of one CPU's sampler: an interrupt of its own, or the timer tick.
 */
#ifndef BPMU_CLOCK_H
#define BPMU_CLOCK_H

#include <linux/bits.h>
#include <linux/hrtimer.h>
#include <linux/timer.h>

#include "plan.h"

/* fractions of a jiffy */
#define BPMU_CLOCK_JIFFY BIT_ULL(20)

/**
 * struct bpmu_clock - state of one CPU's clock
 * @hard: the interrupt of its own
 * @tick: rides the timer tick
 * @period: nanoseconds
 * @due: when the next sample is due, in 1 / BPMU_CLOCK_JIFFY of a jiffy
 * @step: the period in this unit
 * @on_time: called with interrupts off
 * @ticks: @tick is in use, not @hard
 * @running: it runs
 */
struct bpmu_clock {
	struct hrtimer hard;
	struct timer_list tick;
	u64 period;
	u64 due;
	u64 step;
	void (*on_time)(struct bpmu_clock *clock);
	bool ticks;
	bool running;
};

void bpmu_clock_init(struct bpmu_clock *clock,
		     void (*on_time)(struct bpmu_clock *clock));
void bpmu_clock_free(struct bpmu_clock *clock);
void bpmu_clock_start(struct bpmu_clock *clock, const struct bpmu_plan *plan,
		      bool wake);
void bpmu_clock_stop(struct bpmu_clock *clock);

#endif /* BPMU_CLOCK_H */
