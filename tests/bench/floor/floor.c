// SPDX-License-Identifier: GPL-2.0
/*
 * Kernel module that shows how little sampling can cost, as a reference for the cost of barepmu. On
 * each CPU, a pinned hard timer reads all counters and stores their values in memory; nobody reads
 * this memory. insmod returns when every CPU has taken all its samples.
 */
#include <linux/completion.h>
#include <linux/cpu.h>
#include <linux/hrtimer.h>
#include <linux/module.h>
#include <linux/percpu.h>

/*
 * Number of Ivy Bridge's general-purpose counters, number of all its counters, and the number by
 * which RDPMC reads the first fixed counter.
 */
#define NR_GENERAL 4
#define NR_COUNTERS 7
#define FIXED_NUMBER 0x40000000
#define MAX_EVENTS 64

struct floor_cpu {
	struct hrtimer timer;
	unsigned int left;
	u64 counts[MAX_EVENTS];
};

static unsigned int interval_ms = 10;
module_param(interval_ms, uint, 0444);
MODULE_PARM_DESC(interval_ms, "time from one sample to the next");

static unsigned int events = 8;
module_param(events, uint, 0444);
MODULE_PARM_DESC(events, "counters to read for each sample");

static unsigned int samples = 1;
module_param(samples, uint, 0444);
MODULE_PARM_DESC(samples, "how many on each CPU");

static DEFINE_PER_CPU(struct floor_cpu, floor_cpus);
static DECLARE_COMPLETION(all_done);
static atomic_t cpus_left;

static u32 counter_number(unsigned int event)
{
	unsigned int i = event % NR_COUNTERS;

	return i < NR_GENERAL ? i : FIXED_NUMBER + i - NR_GENERAL;
}

static enum hrtimer_restart sample(struct hrtimer *timer)
{
	struct floor_cpu *cpu = container_of(timer, struct floor_cpu, timer);
	unsigned int i;

	for (i = 0; i < events; i++)
		rdpmcl(counter_number(i), cpu->counts[i]);
	if (--cpu->left) {
		hrtimer_forward_now(timer, ms_to_ktime(interval_ms));
		return HRTIMER_RESTART;
	}
	if (atomic_dec_and_test(&cpus_left))
		complete(&all_done);
	return HRTIMER_NORESTART;
}

static void start(void *unused)
{
	struct floor_cpu *cpu = this_cpu_ptr(&floor_cpus);

	cpu->left = samples;
	hrtimer_init(&cpu->timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	cpu->timer.function = sample;
	hrtimer_start(&cpu->timer, ms_to_ktime(interval_ms),
		      HRTIMER_MODE_REL_PINNED_HARD);
}

static int __init floor_init(void)
{
	if (!interval_ms || !samples || events > MAX_EVENTS)
		return -EINVAL;
	cpus_read_lock();
	atomic_set(&cpus_left, num_online_cpus());
	on_each_cpu(start, NULL, 1);
	wait_for_completion(&all_done);
	cpus_read_unlock();
	return 0;
}
module_init(floor_init);

/* The handler of a CPU's timer may still run here. hrtimer_cancel() waits until it has returned. */
static void __exit floor_exit(void)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		if (per_cpu(floor_cpus, cpu).timer.function)
			hrtimer_cancel(&per_cpu(floor_cpus, cpu).timer);
}
module_exit(floor_exit);

MODULE_DESCRIPTION("barepmu benchmark: the bare cost of a sample");
MODULE_LICENSE("GPL");
