// SPDX-License-Identifier: GPL-2.0
#include "sampler.h"

#include <linux/irqflags.h>
#include <linux/lockdep.h>
#include <linux/percpu.h>
#include <linux/slab.h>
#include <linux/topology.h>

#include <asm/msr.h>

#include "clock.h"
#include "lane.h"
#include "netlink_notify.h"
#include "pmu.h"
#include "tsc.h"
#include "uncore.h"
#include "who.h"

/*
 * Records kept free for the first and the last words of a run: a timer that
 * filled the buffer must not cost the totals.
 */
#define SPARE_RECORDS 4

enum { CORE, UNCORE, LANES };

/**
 * struct sampler - state of one CPU
 * @clock: what takes samples
 * @plan: what to do; NULL while no counters are ours. Everything below is
 *	written by this CPU with interrupts off, or by the session while this
 *	CPU does not sample
 * @lane: the CPU's own counters, and the package's; not in use without groups
 * @turns: memory of the lanes' turns
 * @buffer: where the samples go
 * @scratch: where a sample goes that the buffer has no room for
 * @saved: what the CPU's registers held before
 * @saved_uncore: what the package's registers held before
 * @seq: number of the next sample
 * @started: TSC when sampling was last started
 * @enabled: TSC ticks that it ran before that
 * @spent: TSC ticks spent in taking samples
 * @running: it runs
 */
struct sampler {
	struct bpmu_clock clock;
	const struct bpmu_plan *plan;
	struct bpmu_lane lane[LANES];
	struct bpmu_turn *turns;
	struct bpmu_buffer buffer;
	struct bpmu_sample *scratch;
	struct bpmu_pmu_saved saved;
	struct bpmu_uncore_saved *saved_uncore;
	u64 seq;
	u64 started;
	u64 enabled;
	u64 spent;
	bool running;
};

static DEFINE_PER_CPU(struct sampler, samplers);

static bool in_use(const struct bpmu_lane *lane)
{
	return lane->groups;
}

/* behind the values of a record */
static struct bpmu_who *who_of(const struct sampler *s, void *record)
{
	return record + s->buffer.record_size - sizeof(struct bpmu_who);
}

/* the sampling path: no lock, no allocation, nothing printed */
static __always_inline void take(struct sampler *s, struct bpmu_lane *lane,
				 u64 now, u32 why, u32 spare)
{
	struct bpmu_sample *sample = bpmu_buffer_produce(&s->buffer, spare);
	struct bpmu_sample *to = sample ?: s->scratch;

	bpmu_lane_fill(lane, to, now);
	to->seq = s->seq++;
	to->enabled = s->enabled + (s->running ? now - s->started : 0);
	to->spent = s->spent;
	to->cpu = smp_processor_id();
	to->flags = why | (lane->uncore ? BPMU_SAMPLE_UNCORE : 0);
	to->plan = s->plan->number;
	if (s->plan->who)
		bpmu_who_fill(who_of(s, to));
	if (!sample)
		bpmu_buffer_drop(&s->buffer, now);
	else if (bpmu_buffer_commit(&s->buffer) == s->plan->watermark)
		bpmu_notify_watermark();
}

static void take_all(struct sampler *s, u32 why, u32 spare)
{
	u64 now = bpmu_tsc();
	u64 begin = now;
	unsigned int i;

	for (i = 0; i < LANES; i++) {
		struct bpmu_lane *lane = &s->lane[i];

		if (!in_use(lane))
			continue;
		if (lane->turns)
			now = bpmu_lane_halt(lane);
		take(s, lane, now, why, spare);
		if (lane->turns) {
			bpmu_lane_next(lane);
			bpmu_lane_run(lane);
		}
		now = bpmu_tsc();
	}
	s->spent += now - begin;
}

/**
 * bpmu_clock_on_time() - a sample is due
 * @clock: of this CPU
 *
 * Context: this CPU, interrupts off; the sampling path.
 */
void bpmu_clock_on_time(struct bpmu_clock *clock)
{
	struct sampler *s = container_of(clock, struct sampler, clock);

	take_all(s, BPMU_SAMPLE_TIMER, SPARE_RECORDS);
}

/**
 * bpmu_sampler_alloc() - memory for one CPU
 * @cpu: which
 * @plan: configuration
 *
 * Context: process, may sleep; the CPU does not sample.
 * Return: 0, or -ENOMEM; then bpmu_sampler_free() is still to be called.
 */
int bpmu_sampler_alloc(unsigned int cpu, const struct bpmu_plan *plan)
{
	struct sampler *s = per_cpu_ptr(&samplers, cpu);
	u32 record_size = bpmu_plan_record_size(plan);

	bpmu_clock_init(&s->clock);
	s->turns = kvcalloc(LANES * BPMU_MAX_GROUPS, sizeof(*s->turns),
			    GFP_KERNEL_ACCOUNT);
	s->scratch = kmalloc(record_size, GFP_KERNEL_ACCOUNT);
	s->saved_uncore = plan->uncore.nr ?
		kvzalloc(sizeof(*s->saved_uncore), GFP_KERNEL_ACCOUNT) : NULL;
	if (!s->turns || !s->scratch || (plan->uncore.nr && !s->saved_uncore))
		return -ENOMEM;
	return bpmu_buffer_alloc(&s->buffer, plan->buffer_samples, record_size,
				 cpu_to_node(cpu));
}

/**
 * bpmu_sampler_free() - free what bpmu_sampler_alloc() took
 * @cpu: which
 *
 * Context: process, may sleep; the CPU does not sample.
 */
void bpmu_sampler_free(unsigned int cpu)
{
	struct sampler *s = per_cpu_ptr(&samplers, cpu);

	if (s->turns)
		bpmu_clock_free(&s->clock);
	bpmu_buffer_free(&s->buffer);
	kvfree(s->saved_uncore);
	kfree(s->scratch);
	kvfree(s->turns);
	s->saved_uncore = NULL;
	s->scratch = NULL;
	s->turns = NULL;
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
	s->spent = 0;
}

/* of the second thread of a core a leak asks for other counters */
static u8 thread_of_core(unsigned int cpu)
{
	return cpumask_first(topology_sibling_cpumask(cpu)) != cpu;
}

static const struct bpmu_plan_kind *kind_here(const struct bpmu_plan *plan)
{
	return bpmu_plan_kind_of(plan, smp_processor_id());
}

static void set_plan(struct sampler *s, const struct bpmu_plan *plan)
{
	const struct bpmu_pmu *pmu = kind_here(plan)->pmu;
	unsigned int i;

	s->plan = plan;
	for (i = 0; i < LANES; i++) {
		struct bpmu_lane *lane = &s->lane[i];

		lane->pmu = pmu;
		lane->turn = s->turns + i * BPMU_MAX_GROUPS;
		lane->thread = thread_of_core(smp_processor_id());
		lane->uncore = i == UNCORE;
		lane->top = i == CORE ? plan->top : 0;
	}
}

static int acquire_core(struct sampler *s, const struct bpmu_plan *plan)
{
	int err;

	if (bpmu_pmu_foreign())
		return -EBUSY;
	err = bpmu_pmu_save(&s->saved);
	if (err)
		return err;
	/* the overflow bits are then the plan's own, whoever set them */
	if (plan->top)
		s->saved.global_status = 0;
	s->lane[CORE].groups = &kind_here(plan)->core;
	err = bpmu_lane_open(&s->lane[CORE]);
	if (!err || plan->check & BPMU_CHECK_SELECT)
		return 0;
	bpmu_pmu_restore(&s->saved);
	s->lane[CORE].groups = NULL;
	return err;
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
	int err = 0;

	lockdep_assert_irqs_disabled();
	set_plan(s, plan);
	if (plan->kind[0].core.nr)
		err = acquire_core(s, plan);
	if (err)
		s->plan = NULL;
	return err;
}

/**
 * bpmu_sampler_acquire_uncore() - take this CPU's package's counters too
 * @plan: configuration, the same
 *
 * Context: this CPU, interrupts off, after bpmu_sampler_acquire().
 * Return: 0, -EADDRINUSE if someone else uses them, -EIO as above.
 */
int bpmu_sampler_acquire_uncore(const struct bpmu_plan *plan)
{
	struct sampler *s = this_cpu_ptr(&samplers);
	struct bpmu_lane *lane = &s->lane[UNCORE];
	int err;

	lockdep_assert_irqs_disabled();
	if (!s->plan || in_use(lane))
		return 0;
	if (bpmu_uncore_foreign(lane->pmu))
		return -EADDRINUSE;
	err = bpmu_uncore_save(lane->pmu, s->saved_uncore);
	if (err)
		return err;
	lane->groups = &plan->uncore;
	err = bpmu_lane_open(lane);
	if (!err)
		return 0;
	bpmu_uncore_restore(lane->pmu, s->saved_uncore);
	lane->groups = NULL;
	return err;
}

/**
 * bpmu_sampler_release() - stop and give back the counters this CPU has taken
 *
 * Does nothing on a CPU that has taken none.
 *
 * Context: this CPU, interrupts off.
 */
void bpmu_sampler_release(void)
{
	struct sampler *s = this_cpu_ptr(&samplers);

	if (!s->plan)
		return;
	bpmu_sampler_stop(BPMU_SAMPLE_STOP);
	if (in_use(&s->lane[CORE]))
		bpmu_pmu_restore(&s->saved);
	if (in_use(&s->lane[UNCORE]))
		bpmu_uncore_restore(s->lane[UNCORE].pmu, s->saved_uncore);
	s->lane[CORE].groups = NULL;
	s->lane[UNCORE].groups = NULL;
	s->plan = NULL;
}

/* each group's first word: what its registers hold before it counts */
static void take_bases(struct sampler *s, struct bpmu_lane *lane, u32 why)
{
	u32 g;

	for (g = 0; g < lane->groups->nr; g++) {
		bpmu_lane_choose(lane, g);
		bpmu_lane_base(lane);
		take(s, lane, bpmu_tsc(), why, 0);
	}
	bpmu_lane_choose(lane, 0);
}

static void start_lanes(struct sampler *s, u32 why)
{
	unsigned int i;

	for (i = 0; i < LANES; i++) {
		struct bpmu_lane *lane = &s->lane[i];

		if (!in_use(lane))
			continue;
		if (bpmu_lane_open(lane))
			why |= BPMU_SAMPLE_DISTURBED;
		take_bases(s, lane, why);
	}
	for (i = 0; i < LANES; i++)
		if (in_use(&s->lane[i]))
			bpmu_lane_run(&s->lane[i]);
}

static void stop_lanes(struct sampler *s, u32 why)
{
	unsigned int i;

	for (i = 0; i < LANES; i++) {
		struct bpmu_lane *lane = &s->lane[i];
		u32 disturbed = 0;

		if (!in_use(lane))
			continue;
		if (bpmu_lane_disturbed(lane))
			disturbed = BPMU_SAMPLE_DISTURBED;
		take(s, lane, bpmu_lane_halt(lane), why | disturbed, 0);
	}
}

/**
 * bpmu_sampler_start() - first samples, then let the counters run
 * @why: &enum bpmu_sample_flag of these
 *
 * Does nothing on a CPU that has taken no counters.
 *
 * Context: this CPU, interrupts off.
 */
void bpmu_sampler_start(u32 why)
{
	struct sampler *s = this_cpu_ptr(&samplers);
	bool uncore = in_use(&s->lane[UNCORE]);

	lockdep_assert_irqs_disabled();
	if (!s->plan || s->running || (!uncore && !in_use(&s->lane[CORE])))
		return;
	bpmu_clock_start(&s->clock, s->plan, uncore);
	s->started = bpmu_tsc();
	s->running = true;
	start_lanes(s, why);
}

/**
 * bpmu_sampler_stop() - stop the counters, then the last samples
 * @why: &enum bpmu_sample_flag of these
 *
 * Does nothing on a CPU that does not run.
 *
 * Context: this CPU, interrupts off.
 */
void bpmu_sampler_stop(u32 why)
{
	struct sampler *s = this_cpu_ptr(&samplers);

	lockdep_assert_irqs_disabled();
	if (!s->running)
		return;
	stop_lanes(s, why);
	bpmu_clock_stop(&s->clock);
	s->enabled += bpmu_tsc() - s->started;
	s->running = false;
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
		take_all(s, BPMU_SAMPLE_REQUEST, SPARE_RECORDS);
}

/**
 * bpmu_sampler_swap() - go on with another plan
 * @plan: has groups where the old one has, stays valid as it did
 *
 * The clock goes on; nothing is counted between the last samples of the old
 * plan and the first ones of the new.
 *
 * Context: this CPU, interrupts off.
 */
void bpmu_sampler_swap(const struct bpmu_plan *plan)
{
	struct sampler *s = this_cpu_ptr(&samplers);
	bool running = s->running;

	lockdep_assert_irqs_disabled();
	if (!s->plan)
		return;
	if (running)
		stop_lanes(s, BPMU_SAMPLE_SWAP);
	s->plan = plan;
	if (in_use(&s->lane[CORE]))
		s->lane[CORE].groups = &kind_here(plan)->core;
	if (in_use(&s->lane[UNCORE]))
		s->lane[UNCORE].groups = &plan->uncore;
	if (running)
		start_lanes(s, BPMU_SAMPLE_START);
}

/**
 * bpmu_sampler_reads_uncore() - is this the CPU that reads its package
 * @cpu: which
 *
 * Context: any.
 * Return: true if so.
 */
bool bpmu_sampler_reads_uncore(unsigned int cpu)
{
	return in_use(&per_cpu_ptr(&samplers, cpu)->lane[UNCORE]);
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
