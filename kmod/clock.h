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
 * @early: TSC until which the next sample is surely not due: reading it costs
 *	less than the time
 * @ticks: by how much it grows in a period
 * @dozing: @deferred is in use, not @timer
 */
struct bpmu_clock {
	struct hrtimer timer;
	struct timer_list deferred;
	u64 period;
	u64 slack;
	u64 early;
	u64 ticks;
	bool dozing;
};

void bpmu_clock_init(struct bpmu_clock *clock,
		     enum hrtimer_restart (*on_time)(struct hrtimer *),
		     void (*on_tick)(struct timer_list *));
void bpmu_clock_free(struct bpmu_clock *clock);
void bpmu_clock_start(struct bpmu_clock *clock,
		      const struct bpmu_settings *settings, bool wake);
void bpmu_clock_stop(struct bpmu_clock *clock);
enum hrtimer_restart bpmu_clock_next(struct bpmu_clock *clock);
void bpmu_clock_next_deferred(struct bpmu_clock *clock);

#endif /* BPMU_CLOCK_H */
