// SPDX-License-Identifier: GPL-2.0
#include "sampler.h"

#include <linux/hrtimer.h>
#include <linux/irqflags.h>
#include <linux/lockdep.h>
#include <linux/percpu.h>
#include <linux/topology.h>

#include <asm/msr.h>

#include "compat.h"
#include "netlink_notify.h"
#include "pmu.h"

/*
 * Records kept free for the first and the last word of a run: a timer that
 * filled the buffer must not cost the totals.
 */
#define SPARE_RECORDS 2

/**
 * struct sampler - state of one CPU
 * @timer: the interval, or the guard against a second wrap
 * @plan: what to do; NULL while the counters are not ours. Everything below is
 *	written by this CPU with interrupts off, or by the session while this
 *	CPU does not sample
 * @buffer: where the samples go
 * @saved: what the registers held before
 * @seq: number of the next sample
 * @started: TSC when the counters were last started
 * @enabled: TSC ticks counted before that
 * @running: the counters count and the timer ticks
 */
struct sampler {
	struct hrtimer timer;
	const struct bpmu_plan *plan;
	struct bpmu_buffer buffer;
	struct bpmu_pmu_saved saved;
	u64 seq;
	u64 started;
	u64 enabled;
	bool running;
};

static DEFINE_PER_CPU(struct sampler, samplers);

static void fill(struct sampler *s, struct bpmu_sample *sample, u64 tsc)
{
	sample->seq = s->seq;
	sample->enabled = s->enabled;
	if (s->running)
		sample->enabled += tsc - s->started;
	sample->running = sample->enabled;
	sample->cpu = smp_processor_id();
	sample->group = 0;
	sample->tsc_begin = tsc;
	bpmu_pmu_read(&s->plan->group[0], (u64 *)(sample + 1));
	sample->tsc_end = rdtsc_ordered();
}

/* the sampling path: no lock, no allocation, nothing printed */
static void take(struct sampler *s, enum bpmu_sample_flag why, u32 spare)
{
	struct bpmu_sample *sample = bpmu_buffer_produce(&s->buffer, spare);
	u64 tsc = rdtsc_ordered();

	if (sample) {
		fill(s, sample, tsc);
		sample->flags = why;
		if (bpmu_buffer_commit(&s->buffer) == s->plan->watermark)
			bpmu_notify_watermark();
	} else {
		bpmu_buffer_drop(&s->buffer, tsc);
	}
	s->seq++;
}

static u64 period_ns(const struct bpmu_plan *plan)
{
	return plan->interval_ns ?: bpmu_pmu_guard_ns();
}

/* absolute expiry times: no drift, however late one tick came */
static enum hrtimer_restart tick(struct hrtimer *timer)
{
	struct sampler *s = container_of(timer, struct sampler, timer);

	take(s, BPMU_SAMPLE_TIMER, SPARE_RECORDS);
	hrtimer_forward_now(timer, ns_to_ktime(period_ns(s->plan)));
	return HRTIMER_RESTART;
}

/**
 * bpmu_sampler_record_size() - bytes of a sample record
 * @plan: configuration
 *
 * Context: any.
 * Return: bytes, the same for all groups.
 */
u32 bpmu_sampler_record_size(const struct bpmu_plan *plan)
{
	u32 nr = 0;
	u32 i;

	for (i = 0; i < plan->nr_groups; i++)
		nr = max(nr, plan->group[i].nr);
	return sizeof(struct bpmu_sample) + nr * sizeof(u64);
}

/**
 * bpmu_sampler_alloc() - a buffer for one CPU
 * @cpu: which
 * @plan: configuration
 *
 * Context: process, may sleep; the CPU does not sample.
 * Return: 0, or -ENOMEM.
 */
int bpmu_sampler_alloc(unsigned int cpu, const struct bpmu_plan *plan)
{
	struct sampler *s = per_cpu_ptr(&samplers, cpu);

	hrtimer_setup(&s->timer, tick, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS_PINNED_HARD);
	return bpmu_buffer_alloc(&s->buffer, plan->buffer_samples,
				 bpmu_sampler_record_size(plan),
				 cpu_to_node(cpu));
}

/**
 * bpmu_sampler_free() - free what bpmu_sampler_alloc() took
 * @cpu: which
 *
 * Context: process; the CPU does not sample.
 */
void bpmu_sampler_free(unsigned int cpu)
{
	bpmu_buffer_free(&per_cpu_ptr(&samplers, cpu)->buffer);
}

/**
 * bpmu_sampler_reset() - forget the samples of an earlier run
 * @cpu: which
 *
 * Context: process; the CPU does not sample.
 */
void bpmu_sampler_reset(unsigned int cpu)
{
	struct sampler *s = per_cpu_ptr(&samplers, cpu);

	bpmu_buffer_reset(&s->buffer);
	s->seq = 0;
	s->enabled = 0;
}

/**
 * bpmu_sampler_acquire() - take this CPU's counters and program them
 * @plan: configuration, stays valid until bpmu_sampler_release()
 *
 * Context: this CPU, interrupts off.
 * Return: 0, -EBUSY if someone unknown has a counter enabled, -EIO if the
 * registers cannot be read or do not take their values.
 */
int bpmu_sampler_acquire(const struct bpmu_plan *plan)
{
	struct sampler *s = this_cpu_ptr(&samplers);
	int err;

	lockdep_assert_irqs_disabled();
	if (bpmu_pmu_foreign())
		return -EBUSY;
	err = bpmu_pmu_save(&s->saved);
	if (err)
		return err;
	err = bpmu_pmu_program(&plan->group[0]);
	if (err) {
		bpmu_pmu_restore(&s->saved);
		return err;
	}
	s->plan = plan;
	return 0;
}

/**
 * bpmu_sampler_release() - stop and give this CPU's counters back
 *
 * Does nothing on a CPU whose counters are not ours.
 *
 * Context: this CPU, interrupts off.
 */
void bpmu_sampler_release(void)
{
	struct sampler *s = this_cpu_ptr(&samplers);

	if (!s->plan)
		return;
	bpmu_sampler_stop(BPMU_SAMPLE_STOP);
	bpmu_pmu_restore(&s->saved);
	s->plan = NULL;
}

/**
 * bpmu_sampler_start() - first sample, then let the counters run
 * @why: flag of that sample
 *
 * Does nothing on a CPU whose counters are not ours.
 *
 * Context: this CPU, interrupts off.
 */
void bpmu_sampler_start(enum bpmu_sample_flag why)
{
	struct sampler *s = this_cpu_ptr(&samplers);
	u64 period;

	lockdep_assert_irqs_disabled();
	if (!s->plan || s->running)
		return;
	take(s, why, 0);
	period = period_ns(s->plan);
	hrtimer_start(&s->timer, ktime_add_ns(ktime_get(), period),
		      HRTIMER_MODE_ABS_PINNED_HARD);
	s->running = true;
	s->started = rdtsc_ordered();
	bpmu_pmu_start(&s->plan->group[0]);
}

/**
 * bpmu_sampler_stop() - stop the counters, then a last sample
 * @why: flag of that sample
 *
 * Does nothing on a CPU that does not run.
 *
 * Context: this CPU, interrupts off. The timer is pinned here, so its handler
 * is not running now and does not run again.
 */
void bpmu_sampler_stop(enum bpmu_sample_flag why)
{
	struct sampler *s = this_cpu_ptr(&samplers);

	lockdep_assert_irqs_disabled();
	if (!s->running)
		return;
	bpmu_pmu_stop();
	s->enabled += rdtsc_ordered() - s->started;
	s->running = false;
	WARN_ON_ONCE(hrtimer_try_to_cancel(&s->timer) < 0);
	take(s, why, 0);
}

/**
 * bpmu_sampler_request() - a sample now
 *
 * Context: this CPU, interrupts off.
 */
void bpmu_sampler_request(void)
{
	struct sampler *s = this_cpu_ptr(&samplers);

	lockdep_assert_irqs_disabled();
	if (s->running)
		take(s, BPMU_SAMPLE_REQUEST, SPARE_RECORDS);
}

/**
 * bpmu_sampler_buffer() - the buffer of a CPU
 * @cpu: which
 *
 * Context: any.
 * Return: never NULL; without storage unless bpmu_sampler_alloc() gave it.
 */
struct bpmu_buffer *bpmu_sampler_buffer(unsigned int cpu)
{
	return &per_cpu_ptr(&samplers, cpu)->buffer;
}
