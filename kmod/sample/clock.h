/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The sampling clock of one CPU: the timer by which the CPU's sampler takes samples. It is an
 * hrtimer that has an interrupt of its own, or that the interrupt of the timer tick handles.
 */
#ifndef BPMU_CLOCK_H
#define BPMU_CLOCK_H

#include <linux/hrtimer.h>
#include <linux/sched.h>
#include <linux/time64.h>
#include <linux/timer.h>

#include "bank/plan.h"

/**
 * enum bpmu_clock_sleep - how long a sampling clock lets an idle CPU sleep
 * @BPMU_CLOCK_WAKES: each sample wakes the CPU
 * @BPMU_CLOCK_NAPS: for at most %BPMU_CLOCK_NAP_NS, if the session's samples come with the tick
 * @BPMU_CLOCK_SLEEPS: until the CPU runs again, if the session's samples come with the tick
 */
enum bpmu_clock_sleep {
	BPMU_CLOCK_WAKES,
	BPMU_CLOCK_NAPS,
	BPMU_CLOCK_SLEEPS,
};

#define BPMU_CLOCK_NAP_NS (100 * NSEC_PER_MSEC)

/**
 * struct bpmu_clock - timer of one CPU's sampler
 * @timer: hrtimer that takes the samples
 * @deferred: deferrable timer that takes the samples on an idle CPU, at its next tick
 * @waker: timer that wakes an idle CPU for a sample, armed together with @deferred if @nap is not 0
 * @nap: longest time in jiffies for which an idle CPU is not woken for a sample; 0: any time
 * @period: nanoseconds between samples
 * @slack: nanoseconds that a sample may be late: the length of a tick if the tick's interrupt
 *	handles @timer, 0 if @timer has an interrupt of its own
 * @not_before: the next sample is not due before bpmu_tsc() has this value. To compare bpmu_tsc()
 *	with this value costs less than to read CLOCK_MONOTONIC
 * @ticks: lower bound of the TSC ticks of a period
 * @is_deferred: @deferred is armed instead of @timer
 */
struct bpmu_clock {
	struct hrtimer timer;
	struct timer_list deferred;
	struct timer_list waker;
	unsigned long nap;
	u64 period;
	u64 slack;
	u64 not_before;
	u64 ticks;
	bool is_deferred;
};

void bpmu_clock_init(struct bpmu_clock *clock,
		     enum hrtimer_restart (*on_time)(struct hrtimer *),
		     void (*on_tick)(struct timer_list *), void (*on_nap)(struct timer_list *));
void bpmu_clock_free(struct bpmu_clock *clock);
void bpmu_clock_start(struct bpmu_clock *clock, const struct bpmu_settings *settings,
		      enum bpmu_clock_sleep sleep);
void bpmu_clock_stop(struct bpmu_clock *clock);
void bpmu_clock_catch_up(struct bpmu_clock *clock);
void bpmu_clock_defer(struct bpmu_clock *clock);
void bpmu_clock_next_deferred(struct bpmu_clock *clock);

/**
 * bpmu_clock_step() - let the next sample of a sampling clock be due one period after this one
 * @clock: clock of the CPU that runs this
 * @now: bpmu_tsc() at the end of the sample
 *
 * Context: this CPU, interrupts off; the sampling path.
 */
static __always_inline void bpmu_clock_step(struct bpmu_clock *clock, u64 now)
{
	hrtimer_add_expires_ns(&clock->timer, clock->period);
	clock->not_before += clock->ticks;
	if (now >= clock->not_before)
		bpmu_clock_catch_up(clock);
}

/**
 * bpmu_clock_is_due() - check if the next sample of a sampling clock is due
 * @clock: clock of any CPU
 * @now: bpmu_tsc()
 *
 * The clocks of a session start one after the other, so that one CPU's clock may be a bit ahead of
 * another's. A sample therefore counts as due from a 16th of a period before its time on.
 *
 * Context: any; the sampling path.
 * Return: true if the sample is due.
 */
static __always_inline bool bpmu_clock_is_due(const struct bpmu_clock *clock, u64 now)
{
	return now + clock->ticks / 16 >= READ_ONCE(clock->not_before);
}

/**
 * bpmu_clock_next() - choose a sampling clock's next timer after the hrtimer took a sample
 * @clock: clock of the CPU that runs this
 * @now: bpmu_tsc() at the end of the sample
 *
 * Context: this CPU, interrupts off; the sampling path.
 * Return: the value that the hrtimer's handler must return to the kernel.
 */
static __always_inline enum hrtimer_restart
bpmu_clock_next(struct bpmu_clock *clock, u64 now)
{
	bpmu_clock_step(clock, now);
	if (clock->slack && is_idle_task(current)) {
		bpmu_clock_defer(clock);
		return HRTIMER_NORESTART;
	}
	return HRTIMER_RESTART;
}

#endif /* BPMU_CLOCK_H */
