// SPDX-License-Identifier: GPL-2.0
/*
 * The k-th sample is due k periods after the start, however late an earlier sample was. If a sample
 * comes so late that further ones are due already, those are skipped. If the timer has no slack,
 * one more sample is skipped, so that a CPU that cannot keep up still does other work between
 * samples.
 *
 * An hrtimer with a slack of one tick needs no interrupt of its own on a CPU whose tick runs: the
 * tick's interrupt handles the timer. On an idle CPU the tick is stopped, and the hrtimer would
 * wake the CPU. There a deferrable timer replaces the hrtimer until the CPU is busy again. If the
 * CPU reads counters that count while it sleeps, a second timer wakes it from time to time.
 */
#include "clock.h"

#include <linux/jiffies.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/timekeeping.h>

#include <asm/tsc.h>

#include "compat.h"
#include "machine/tsc.h"

/* Returns the time on CLOCK_MONOTONIC, in ns, at which the next sample is due. */
static ktime_t due_time(const struct bpmu_clock *clock)
{
	return hrtimer_get_softexpires(&clock->timer);
}

/*
 * Returns a lower bound of the TSC ticks that pass while CLOCK_MONOTONIC advances by @ns
 * nanoseconds. NTP changes the rate of CLOCK_MONOTONIC by at most 0.05 %.
 */
static u64 min_ticks(u64 ns)
{
	u64 ticks = mul_u64_u32_div(ns, tsc_khz, USEC_PER_SEC);

	return ticks - ticks / 1024;
}

/**
 * bpmu_clock_catch_up() - let a sampling clock skip samples that are due already
 * @clock: clock of the CPU that runs this
 *
 * Context: this CPU, interrupts off.
 */
void bpmu_clock_catch_up(struct bpmu_clock *clock)
{
	s64 late = ktime_get() - due_time(clock);
	u64 step = clock->period;

	if (late >= 0) {
		step *= div64_u64(late, step) + 1 + !clock->slack;
		hrtimer_add_expires_ns(&clock->timer, step);
		late -= step;
	}
	clock->not_before = bpmu_tsc() + min_ticks(-late);
}

/**
 * bpmu_clock_defer() - let the deferrable timer of a sampling clock take the next sample
 * @clock: clock of the CPU that runs this
 *
 * Context: this CPU, interrupts off.
 */
void bpmu_clock_defer(struct bpmu_clock *clock)
{
	s64 left = max_t(s64, due_time(clock) - ktime_get_coarse(), 1);

	clock->is_deferred = true;
	mod_timer(&clock->deferred, jiffies + DIV_ROUND_UP(left, TICK_NSEC));
	if (clock->nap)
		mod_timer(&clock->waker, jiffies + clock->nap);
}

static void start_hrtimer(struct bpmu_clock *clock)
{
	clock->is_deferred = false;
	if (clock->nap) {
		timer_delete(&clock->deferred);
		timer_delete(&clock->waker);
	}
	hrtimer_start_expires(&clock->timer, HRTIMER_MODE_ABS_PINNED_HARD);
}

/**
 * bpmu_clock_next_deferred() - arm a sampling clock again after its deferrable timer or waker ran
 * @clock: clock of the CPU that runs this; its &bpmu_clock.is_deferred is true, and its next sample
 *	is not due
 *
 * Context: this CPU, interrupts off; the sampling path.
 */
void bpmu_clock_next_deferred(struct bpmu_clock *clock)
{
	if (is_idle_task(current))
		bpmu_clock_defer(clock);
	else
		start_hrtimer(clock);
}

/**
 * bpmu_clock_init() - initialise a stopped sampling clock
 * @clock: clock of any CPU
 * @on_time: handler of the hrtimer, which takes a sample and returns bpmu_clock_next()
 * @on_tick: handler of the deferrable timer; if &bpmu_clock.is_deferred is still set, it takes a
 *	sample with interrupts off, then calls bpmu_clock_step() and bpmu_clock_next_deferred()
 * @on_nap: handler of the timer that wakes an idle CPU; does the same
 *
 * Context: any; the clock does not run.
 */
void bpmu_clock_init(struct bpmu_clock *clock,
		     enum hrtimer_restart (*on_time)(struct hrtimer *),
		     void (*on_tick)(struct timer_list *), void (*on_nap)(struct timer_list *))
{
	hrtimer_setup(&clock->timer, on_time, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS_PINNED_HARD);
	timer_setup(&clock->deferred, on_tick,
		    TIMER_DEFERRABLE | TIMER_PINNED);
	timer_setup(&clock->waker, on_nap, TIMER_PINNED);
	clock->is_deferred = false;
}

/**
 * bpmu_clock_free() - wait until no handler of a sampling clock runs any more
 * @clock: initialised, stopped
 *
 * Context: process, may sleep.
 */
void bpmu_clock_free(struct bpmu_clock *clock)
{
	timer_delete_sync(&clock->deferred);
	timer_delete_sync(&clock->waker);
	hrtimer_cancel(&clock->timer);
}

/**
 * bpmu_clock_start() - start the sampling clock on this CPU
 * @clock: clock of the CPU that runs this
 * @settings: settings of the session; their interval is the period. In the counting mode, which has
 *	no interval, the period is bpmu_settings_guard_ns(), so that no counter wraps twice
 *	between two samples
 * @sleep: how long the CPU sleeps if it is idle
 *
 * Context: this CPU, interrupts off.
 */
void bpmu_clock_start(struct bpmu_clock *clock, const struct bpmu_settings *settings,
		      enum bpmu_clock_sleep sleep)
{
	bool ticks = settings->tick && settings->interval_ns && sleep != BPMU_CLOCK_WAKES;

	clock->period = settings->interval_ns ?:
			bpmu_settings_guard_ns(settings);
	clock->slack = ticks ? TICK_NSEC : 0;
	clock->nap = ticks && sleep == BPMU_CLOCK_NAPS ? nsecs_to_jiffies(BPMU_CLOCK_NAP_NS) : 0;
	hrtimer_set_expires_range_ns(&clock->timer,
				     ktime_add_ns(ktime_get(), clock->period),
				     clock->slack);
	clock->ticks = min_ticks(clock->period);
	bpmu_clock_catch_up(clock);
	start_hrtimer(clock);
}

/**
 * bpmu_clock_stop() - stop the sampling clock
 * @clock: clock of the CPU that runs this
 *
 * Context: this CPU, interrupts off. The hrtimer is pinned to this CPU, so its handler is not
 * running. The handler of the deferrable timer may still run later, and finds the clock stopped.
 */
void bpmu_clock_stop(struct bpmu_clock *clock)
{
	clock->is_deferred = false;
	timer_delete(&clock->deferred);
	timer_delete(&clock->waker);
	WARN_ON_ONCE(hrtimer_try_to_cancel(&clock->timer) < 0);
}
