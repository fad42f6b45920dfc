// SPDX-License-Identifier: GPL-2.0
#include "counters.h"

#include <linux/cpumask.h>
#include <linux/smp.h>
#include <linux/topology.h>

#include "cpu.h"
#include "pmu.h"
#include "prefetch.h"
#include "sampler.h"
#include "uncore.h"

static int acquire_here(void *plan)
{
	return bpmu_sampler_acquire(plan);
}

static int acquire_uncore_here(void *plan)
{
	return bpmu_sampler_acquire_uncore(plan);
}

static int release_here(void *unused)
{
	bpmu_sampler_release();
	return 0;
}

static int start_here(void *flag)
{
	bpmu_sampler_start(*(u32 *)flag);
	return 0;
}

static int stop_here(void *flag)
{
	bpmu_sampler_stop(*(u32 *)flag);
	return 0;
}

static int request_here(void *unused)
{
	bpmu_sampler_request();
	return 0;
}

static int swap_here(void *plan)
{
	bpmu_sampler_swap(plan);
	return 0;
}

static int foreign_here(void *unused)
{
	return bpmu_pmu_foreign() ? -EBUSY : 0;
}

/*
 * The uncore's groups are checked for the first kind of CPUs, and so are read by
 * those alone.
 */
static bool may_read(const struct bpmu_plan *plan, unsigned int cpu)
{
	return bpmu_plan_kind_of(plan, cpu) == &plan->kind[0];
}

/* the CPU that is to read the package of this one: the first that can */
static unsigned int reader_of(const struct bpmu_plan *plan, unsigned int cpu,
			      unsigned int except)
{
	unsigned int other;

	for_each_cpu_and(other, plan->cpus, topology_core_cpumask(cpu))
		if (other != except && cpu_online(other) &&
		    may_read(plan, other))
			return other;
	return nr_cpu_ids;
}

static int acquire_uncores(struct bpmu_plan *plan)
{
	unsigned int cpu;
	int err = 0;

	if (!plan->uncore.nr)
		return 0;
	for_each_cpu(cpu, plan->cpus)
		if (cpu_online(cpu) &&
		    reader_of(plan, cpu, nr_cpu_ids) == cpu)
			err = err ?: bpmu_cpu_run(cpumask_of(cpu),
						  acquire_uncore_here, plan);
	return err;
}

static int acquire(struct bpmu_plan *plan)
{
	int err;

	err = bpmu_cpu_run(plan->cpus, acquire_here, plan);
	if (!err)
		err = acquire_uncores(plan);
	if (!err)
		err = bpmu_prefetch_take(plan);
	return err;
}

static void free_samplers(const struct bpmu_plan *plan)
{
	unsigned int cpu;

	for_each_cpu(cpu, plan->cpus)
		bpmu_sampler_free(cpu);
}

static int alloc_samplers(const struct bpmu_plan *plan)
{
	unsigned int cpu;
	int err;

	for_each_cpu(cpu, plan->cpus) {
		err = bpmu_sampler_alloc(cpu, plan);
		if (err) {
			free_samplers(plan);
			return err;
		}
	}
	return 0;
}

static const char *acquire_refusal(int err)
{
	if (err == -EADDRINUSE)
		return "the uncore's counters are in use: unload intel_uncore";
	if (err == -EROFS)
		return "the prefetchers cannot be switched; firmware or a hypervisor may hold them";
	if (err == -EBUSY)
		return "someone unknown has enabled a counter; stop tools that write MSRs";
	return "a counter register did not take its value; a hypervisor may hide it";
}

/* from version 6 on nothing keeps perf away but that it is idle now */
static int reserve(const struct bpmu_plan *plan, const char **why)
{
	int err;

	if (!plan->kind[0].core.nr)
		return 0;
	err = bpmu_pmu_reserve();
	if (err) {
		*why = "perf or the NMI watchdog holds the counters; stop perf and the watchdog";
		return err;
	}
	if (bpmu_pmu_reservation_works())
		return 0;
	err = bpmu_cpu_run(cpu_online_mask, foreign_here, NULL);
	if (!err)
		return 0;
	*why = "a counter is enabled, and here perf cannot be kept out; stop perf first";
	bpmu_pmu_release();
	return err;
}

static void unreserve(const struct bpmu_plan *plan)
{
	if (plan->kind[0].core.nr)
		bpmu_pmu_release();
}

/**
 * bpmu_counters_take() - the counters and the memory for a plan
 * @plan: checked
 * @why: set to a sentence on refusal
 *
 * Context: process, may sleep.
 * Return: 0; -EBUSY if the counters are taken, -EADDRINUSE for those of the
 * uncore; -ENOMEM; -EIO or -EROFS if the registers do not work.
 */
int bpmu_counters_take(struct bpmu_plan *plan, const char **why)
{
	int err;

	err = reserve(plan, why);
	if (err)
		return err;
	err = alloc_samplers(plan);
	if (err) {
		*why = "no memory for the sample buffers; ask for fewer samples";
		goto err_unreserve;
	}
	err = acquire(plan);
	if (err) {
		*why = acquire_refusal(err);
		goto err_release;
	}
	return 0;

err_release:
	bpmu_prefetch_give(plan);
	bpmu_cpu_run(plan->cpus, release_here, NULL);
	free_samplers(plan);
err_unreserve:
	unreserve(plan);
	return err;
}

/**
 * bpmu_counters_give() - give all back, whatever state it is in
 * @plan: from bpmu_counters_take()
 *
 * Context: process, may sleep.
 */
void bpmu_counters_give(const struct bpmu_plan *plan)
{
	bpmu_prefetch_give(plan);
	bpmu_cpu_run(plan->cpus, release_here, NULL);
	free_samplers(plan);
	unreserve(plan);
}

/**
 * bpmu_counters_start() - let all counters run
 * @plan: taken
 * @flag: &enum bpmu_sample_flag of the first samples; with START those of an
 *	earlier run are forgotten
 *
 * Context: process, may sleep.
 */
void bpmu_counters_start(const struct bpmu_plan *plan, u32 flag)
{
	unsigned int cpu;

	if (flag & BPMU_SAMPLE_START)
		for_each_cpu(cpu, plan->cpus)
			bpmu_sampler_reset(cpu);
	bpmu_cpu_run(plan->cpus, start_here, &flag);
}

/**
 * bpmu_counters_stop() - stop all counters, with a last sample
 * @plan: taken
 * @flag: &enum bpmu_sample_flag of these
 *
 * Context: process, may sleep.
 */
void bpmu_counters_stop(const struct bpmu_plan *plan, u32 flag)
{
	bpmu_cpu_run(plan->cpus, stop_here, &flag);
}

/**
 * bpmu_counters_request() - a sample on each CPU now
 * @plan: taken
 *
 * Context: process, may sleep.
 */
void bpmu_counters_request(const struct bpmu_plan *plan)
{
	bpmu_cpu_run(plan->cpus, request_here, NULL);
}

/**
 * bpmu_counters_swap() - go on with the groups of another plan
 * @plan: with the same CPUs and kinds of groups; the old one is not used any
 *	more when this returns
 *
 * Context: process, may sleep.
 */
void bpmu_counters_swap(const struct bpmu_plan *plan)
{
	bpmu_cpu_run(plan->cpus, swap_here, (void *)plan);
}

/**
 * bpmu_counters_leave() - leave the registers alone while the machine sleeps
 * @plan: taken
 *
 * Samples and memory stay.
 *
 * Context: process, may sleep.
 */
void bpmu_counters_leave(const struct bpmu_plan *plan)
{
	bpmu_counters_stop(plan, BPMU_SAMPLE_OFFLINE);
	bpmu_prefetch_give(plan);
	bpmu_cpu_run(plan->cpus, release_here, NULL);
}

/**
 * bpmu_counters_return() - take them again after bpmu_counters_leave()
 * @plan: taken before
 *
 * Context: process, may sleep.
 * Return: 0, or the first error of a CPU; that CPU stays out.
 */
int bpmu_counters_return(struct bpmu_plan *plan)
{
	return acquire(plan);
}

/**
 * bpmu_counters_online() - a CPU of the plan came up
 * @plan: taken
 * @cpu: this CPU
 * @running: the session runs
 *
 * It is programmed as before and goes on. If its counters turn out to be taken
 * it stays out; its samples end.
 *
 * Context: that CPU's hotplug thread.
 */
void bpmu_counters_online(struct bpmu_plan *plan, unsigned int cpu,
			  bool running)
{
	unsigned long flags;

	bpmu_prefetch_online(plan, cpu);
	local_irq_save(flags);
	if (!bpmu_sampler_acquire(plan)) {
		if (plan->uncore.nr && may_read(plan, cpu) &&
		    reader_of(plan, cpu, cpu) == nr_cpu_ids)
			bpmu_sampler_acquire_uncore(plan);
		if (running)
			bpmu_sampler_start(BPMU_SAMPLE_ONLINE);
	}
	local_irq_restore(flags);
}

/* the package goes to another CPU of the plan, if there is one */
static void hand_over(struct bpmu_plan *plan, unsigned int cpu, bool running)
{
	unsigned int other = reader_of(plan, cpu, cpu);
	u32 stop = BPMU_SAMPLE_OFFLINE;
	u32 start = BPMU_SAMPLE_ONLINE;

	if (other == nr_cpu_ids)
		return;
	if (running)
		bpmu_cpu_run(cpumask_of(other), stop_here, &stop);
	bpmu_cpu_run(cpumask_of(other), acquire_uncore_here, plan);
	if (running)
		bpmu_cpu_run(cpumask_of(other), start_here, &start);
}

/**
 * bpmu_counters_offline() - a CPU of the plan goes down
 * @plan: taken
 * @cpu: this CPU
 * @running: the session runs
 *
 * Context: that CPU's hotplug thread.
 */
void bpmu_counters_offline(struct bpmu_plan *plan, unsigned int cpu,
			   bool running)
{
	bool reader = bpmu_sampler_reads_uncore(cpu);
	unsigned long flags;

	local_irq_save(flags);
	bpmu_sampler_stop(BPMU_SAMPLE_OFFLINE);
	bpmu_sampler_release();
	local_irq_restore(flags);
	bpmu_prefetch_offline(plan, cpu);
	if (reader)
		hand_over(plan, cpu, running);
}
