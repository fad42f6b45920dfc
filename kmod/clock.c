// SPDX-License-Identifier: GPL-2.0
/*
 * Due times are absolute: the k-th sample is due k periods after the start,
 * however late one of them came. A period that has passed is left out; where
 * nothing is slack the one after it too, as a CPU that cannot keep up must get
 * on with its work in between.
 *
 * A timer that may be late by one tick is never the next one to expire on a CPU
 * that ticks: it is found expired by the tick's own interrupt, and none is asked
 * for. On an idle CPU, whose tick stops, it would be one: there a deferrable
 * timer stands in until the CPU is busy again.
 */
#include "clock.h"

#include <linux/jiffies.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/timekeeping.h>

#include <asm/tsc.h>

#include "compat.h"
#include "tsc.h"

/* from then on the sample is due, whichever timer takes it */
static ktime_t due(const struct bpmu_clock *clock)
{
	return hrtimer_get_softexpires(&clock->timer);
}

/* no more TSC ticks than that, however the two clocks are steered */
static u64 ticks_of(u64 ns)
{
	u64 ticks = mul_u64_u32_div(ns, tsc_khz, USEC_PER_SEC);

	return ticks - ticks / 1024;
}

/**
 * bpmu_clock_catch_up() - leave out the samples whose time has passed
 * @clock: of this CPU
 *
 * Context: this CPU, interrupts off.
 */
void bpmu_clock_catch_up(struct bpmu_clock *clock)
{
	s64 late = ktime_get() - due(clock);
	u64 step = clock->period;

	if (late >= 0) {
		step *= div64_u64(late, step) + 1 + !clock->slack;
		hrtimer_add_expires_ns(&clock->timer, step);
		late -= step;
	}
	clock->early = bpmu_tsc() + ticks_of(-late);
}

/**
 * bpmu_clock_doze() - the deferrable timer takes the next sample
 * @clock: of this CPU
 *
 * Context: this CPU, interrupts off.
 */
void bpmu_clock_doze(struct bpmu_clock *clock)
{
	s64 left = max_t(s64, due(clock) - ktime_get_coarse(), 1);

	clock->dozing = true;
	mod_timer(&clock->deferred, jiffies + DIV_ROUND_UP(left, TICK_NSEC));
}

static void run(struct bpmu_clock *clock)
{
	clock->dozing = false;
	hrtimer_start_expires(&clock->timer, HRTIMER_MODE_ABS_PINNED_HARD);
}

/**
 * bpmu_clock_next_deferred() - the deferred timer took a sample
 * @clock: of this CPU, dozing
 * @now: as of bpmu_clock_step()
 *
 * Context: this CPU, interrupts off; the sampling path.
 */
void bpmu_clock_next_deferred(struct bpmu_clock *clock, u64 now)
{
	bpmu_clock_step(clock, now);
	if (is_idle_task(current))
		bpmu_clock_doze(clock);
	else
		run(clock);
}

/**
 * bpmu_clock_init() - a clock that stands still
 * @clock: of a CPU
 * @on_time: takes a sample, and returns bpmu_clock_next()
 * @on_tick: if the clock dozes takes a sample, and calls
 *	bpmu_clock_next_deferred(), interrupts off for both; a stop may have come
 *	before
 *
 * Context: any; the clock does not run.
 */
void bpmu_clock_init(struct bpmu_clock *clock,
		     enum hrtimer_restart (*on_time)(struct hrtimer *),
		     void (*on_tick)(struct timer_list *))
{
	hrtimer_setup(&clock->timer, on_time, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS_PINNED_HARD);
	timer_setup(&clock->deferred, on_tick,
		    TIMER_DEFERRABLE | TIMER_PINNED);
	clock->dozing = false;
}

/**
 * bpmu_clock_free() - wait until nothing of it runs any more
 * @clock: initialised, stopped
 *
 * Context: process, may sleep.
 */
void bpmu_clock_free(struct bpmu_clock *clock)
{
	timer_delete_sync(&clock->deferred);
	hrtimer_cancel(&clock->timer);
}

/**
 * bpmu_clock_start() - let it run on this CPU
 * @clock: of this CPU
 * @settings: tell the interval; without one it is the guard against a second wrap
 * @wake: idle or not, a sample is to be taken when it is due
 *
 * Context: this CPU, interrupts off.
 */
void bpmu_clock_start(struct bpmu_clock *clock,
		      const struct bpmu_settings *settings, bool wake)
{
	bool ticks = settings->tick && settings->interval_ns && !wake;

	clock->period = settings->interval_ns ?:
			bpmu_settings_guard_ns(settings);
	clock->slack = ticks ? TICK_NSEC : 0;
	hrtimer_set_expires_range_ns(&clock->timer,
				     ktime_add_ns(ktime_get(), clock->period),
				     clock->slack);
	clock->ticks = ticks_of(clock->period);
	bpmu_clock_catch_up(clock);
	run(clock);
}

/**
 * bpmu_clock_stop() - let it stand still
 * @clock: of this CPU
 *
 * Context: this CPU, interrupts off. The timer is pinned here, so its handler is
 * not running now; the deferred one's may still come, and finds it stopped.
 */
void bpmu_clock_stop(struct bpmu_clock *clock)
{
	clock->dozing = false;
	timer_delete(&clock->deferred);
	WARN_ON_ONCE(hrtimer_try_to_cancel(&clock->timer) < 0);
}
