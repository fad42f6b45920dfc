// SPDX-License-Identifier: GPL-2.0
/*
 * Expiry times are absolute: the k-th sample is due k periods after the start,
 * however late one of them came. A period that has passed is left out, and of
 * the timer's also the one after it.
 */
#include "clock.h"

#include <linux/irqflags.h>
#include <linux/jiffies.h>
#include <linux/math64.h>
#include <linux/smp.h>

#include "compat.h"
#include "pmu.h"

static enum hrtimer_restart on_hard(struct hrtimer *timer)
{
	struct bpmu_clock *clock = container_of(timer, struct bpmu_clock, hard);

	clock->on_time(clock);
	/* a CPU that cannot keep up must get on with its work in between */
	if (hrtimer_forward_now(timer, ns_to_ktime(clock->period)) > 1)
		hrtimer_add_expires_ns(timer, clock->period);
	return HRTIMER_RESTART;
}

/* the first tick at which the next sample is due */
static unsigned long next_tick(struct bpmu_clock *clock)
{
	u64 now = jiffies * BPMU_CLOCK_JIFFY;
	u64 missed;

	clock->due += clock->step;
	if (clock->due <= now) {
		missed = div64_u64(now - clock->due, clock->step) + 1;
		clock->due += missed * clock->step;
	}
	return (clock->due + BPMU_CLOCK_JIFFY - 1) / BPMU_CLOCK_JIFFY;
}

/* a stop may have come between the tick and this call */
static void on_tick(struct timer_list *timer)
{
	struct bpmu_clock *clock = container_of(timer, struct bpmu_clock, tick);
	unsigned long flags;

	local_irq_save(flags);
	if (clock->running && clock->ticks) {
		clock->on_time(clock);
		mod_timer(timer, next_tick(clock));
	}
	local_irq_restore(flags);
}

/**
 * bpmu_clock_init() - a clock that stands still
 * @clock: of a CPU
 * @on_time: called with interrupts off when a sample is due
 *
 * Context: any; the clock does not run.
 */
void bpmu_clock_init(struct bpmu_clock *clock,
		     void (*on_time)(struct bpmu_clock *clock))
{
	hrtimer_setup(&clock->hard, on_hard, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS_PINNED_HARD);
	timer_setup(&clock->tick, on_tick, TIMER_DEFERRABLE | TIMER_PINNED);
	clock->on_time = on_time;
	clock->running = false;
}

/**
 * bpmu_clock_free() - wait until nothing of it runs any more
 * @clock: initialised, stopped
 *
 * Context: process, may sleep.
 */
void bpmu_clock_free(struct bpmu_clock *clock)
{
	timer_delete_sync(&clock->tick);
	hrtimer_cancel(&clock->hard);
}

static bool use_tick(const struct bpmu_plan *plan, bool wake)
{
	return plan->tick && plan->interval_ns && !wake;
}

/**
 * bpmu_clock_start() - let it run on this CPU
 * @clock: of this CPU
 * @plan: tells the interval; without one it is the guard against a second wrap
 * @wake: idle or not, a sample is to be taken when it is due
 *
 * Context: this CPU, interrupts off.
 */
void bpmu_clock_start(struct bpmu_clock *clock, const struct bpmu_plan *plan,
		      bool wake)
{
	clock->period = plan->interval_ns ?: bpmu_pmu_guard_ns(plan->pmu);
	clock->step = div_u64(clock->period * BPMU_CLOCK_JIFFY, TICK_NSEC);
	clock->due = jiffies * BPMU_CLOCK_JIFFY;
	clock->ticks = use_tick(plan, wake);
	clock->running = true;
	if (clock->ticks) {
		clock->tick.expires = next_tick(clock);
		add_timer_on(&clock->tick, smp_processor_id());
		return;
	}
	hrtimer_start(&clock->hard, ktime_add_ns(ktime_get(), clock->period),
		      HRTIMER_MODE_ABS_PINNED_HARD);
}

/**
 * bpmu_clock_stop() - let it stand still
 * @clock: of this CPU
 *
 * Context: this CPU, interrupts off. The interrupt is pinned here, so its
 * handler is not running now; the tick's may still come, and finds it stopped.
 */
void bpmu_clock_stop(struct bpmu_clock *clock)
{
	clock->running = false;
	if (clock->ticks)
		timer_delete(&clock->tick);
	else
		WARN_ON_ONCE(hrtimer_try_to_cancel(&clock->hard) < 0);
}
