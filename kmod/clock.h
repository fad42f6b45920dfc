/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The clock of one CPU's sampler: an interrupt of its own, or the timer tick.
 */
#ifndef BPMU_CLOCK_H
#define BPMU_CLOCK_H

#include <linux/hrtimer.h>
#include <linux/timer.h>

#include "plan.h"

/**
 * struct bpmu_clock - state of one CPU's clock
 * @timer: takes the samples
 * @deferred: takes them instead on an idle CPU, when it next ticks
 * @period: nanoseconds
 * @slack: nanoseconds that a sample may be late: one tick to ride it, or 0
 * @on_time: called with interrupts off
 * @dozing: @deferred is in use, not @timer
 */
struct bpmu_clock {
	struct hrtimer timer;
	struct timer_list deferred;
	u64 period;
	u64 slack;
	void (*on_time)(struct bpmu_clock *clock);
	bool dozing;
};

void bpmu_clock_init(struct bpmu_clock *clock,
		     void (*on_time)(struct bpmu_clock *clock));
void bpmu_clock_free(struct bpmu_clock *clock);
void bpmu_clock_start(struct bpmu_clock *clock, const struct bpmu_plan *plan,
		      bool wake);
void bpmu_clock_stop(struct bpmu_clock *clock);

#endif /* BPMU_CLOCK_H */
