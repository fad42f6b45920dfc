// SPDX-License-Identifier: GPL-2.0
#include "counters.h"

#include <linux/cpumask.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/smp.h>

#include "bank/banks.h"
#include "bank/prefetch.h"
#include "machine/cpu_run.h"

#define FAILURES (BPMU_FAILURE_IIO + 1)

/* what could not be programmed: negative errnos, written under the session's lock */
static DEFINE_PER_CPU(int [FAILURES], failures);

/**
 * struct errand - a bank's groups on their way to a CPU
 * @plan: the groups
 * @bank: which bank
 */
struct errand {
	const struct bpmu_plan *plan;
	enum bpmu_bank_id bank;
};

static int bpmu_take_here(void *data)
{
	const struct errand *errand = data;

	return bpmu_sampler_take(errand->plan, errand->bank);
}

static int bpmu_give_here(void *unused)
{
	bpmu_sampler_give();
	return 0;
}

static int bpmu_start_here(void *flag)
{
	bpmu_sampler_start(*(u32 *)flag);
	return 0;
}

static int bpmu_stop_here(void *flag)
{
	bpmu_sampler_stop(*(u32 *)flag);
	return 0;
}

static int bpmu_fail_here(void *plan)
{
	bpmu_sampler_fail(plan, BPMU_SAMPLE_ONLINE | BPMU_SAMPLE_FAILED);
	return 0;
}

static int bpmu_request_here(void *unused)
{
	bpmu_sampler_request();
	return 0;
}

static int bpmu_swap_here(void *plan)
{
	bpmu_sampler_swap(plan);
	return 0;
}

/*
 * Groups of a shared bank are checked for the first kind of CPUs, unless all kinds
 * have its registers, and so are read by those alone.
 */
static bool may_read(const struct bpmu_settings *settings,
		     const struct bpmu_bank_ops *ops, unsigned int cpu)
{
	return ops->every_kind || bpmu_settings_kind_of(settings, cpu) == 0;
}

/* finds another CPU that reaches the same registers of a bank, or nr_cpu_ids */
static unsigned int other_reader(const struct bpmu_settings *settings,
				 const struct bpmu_bank_ops *ops,
				 unsigned int cpu)
{
	unsigned int other;

	for_each_cpu(other, settings->cpus)
		if (other != cpu && cpu_online(other) &&
		    ops->shares(cpu, other) && may_read(settings, ops, other))
			return other;
	return nr_cpu_ids;
}

/* is this CPU to take that bank: of those who share one the first that can */
static bool takes(const struct bpmu_settings *settings, enum bpmu_bank_id bank,
		  unsigned int cpu)
{
	const struct bpmu_bank_ops *ops = bpmu_bank_ops[bank];
	unsigned int other;

	if (!ops->shares)
		return true;
	for_each_cpu(other, settings->cpus)
		if (bpmu_bank_in_use(bpmu_sampler_bank(other, bank)) &&
		    ops->shares(cpu, other))
			return false;
	return may_read(settings, ops, cpu);
}

static int take_bank(const struct bpmu_counted *counted, unsigned int cpu,
		     enum bpmu_bank_id bank)
{
	struct errand errand = { .plan = counted->plan, .bank = bank };

	return bpmu_cpu_run_on(cpu, bpmu_take_here, &errand);
}

/* all CPUs' own counters at once; the shared ones by one CPU after the other */
static int take_all_of(const struct bpmu_counted *counted,
		       enum bpmu_bank_id bank)
{
	struct errand errand = { .plan = counted->plan, .bank = bank };
	const struct bpmu_settings *settings = counted->settings;
	unsigned int cpu;
	int err = 0;

	if (!bpmu_bank_ops[bank]->shares)
		return bpmu_cpu_run(settings->cpus, bpmu_take_here, &errand);
	for_each_cpu(cpu, settings->cpus)
		if (takes(settings, bank, cpu))
			err = err ?: take_bank(counted, cpu, bank);
	return err;
}

static void give_all(const struct bpmu_counted *counted)
{
	unsigned int cpu;

	for_each_cpu(cpu, counted->settings->cpus)
		if (cpu_online(cpu))
			bpmu_prefetch_give(counted->settings, cpu);
	bpmu_cpu_run(counted->settings->cpus, bpmu_give_here, NULL);
}

static void unreserve_banks(const struct bpmu_plan *plan, unsigned int banks)
{
	while (banks--)
		if (bpmu_plan_uses(plan, banks) &&
		    bpmu_bank_ops[banks]->unreserve)
			bpmu_bank_ops[banks]->unreserve();
}

static int reserve(const struct bpmu_counted *counted, const char **why)
{
	unsigned int bank;
	int err;

	for (bank = 0; bank < BPMU_BANKS; bank++) {
		const struct bpmu_bank_ops *ops = bpmu_bank_ops[bank];

		if (!bpmu_plan_uses(counted->plan, bank) || !ops->reserve)
			continue;
		err = ops->reserve(counted->settings, why);
		if (err) {
			unreserve_banks(counted->plan, bank);
			return err;
		}
	}
	return 0;
}

static int take_banks(const struct bpmu_counted *counted, const char **why)
{
	unsigned int bank;
	int err;

	for (bank = 0; bank < BPMU_BANKS; bank++) {
		if (!bpmu_plan_uses(counted->plan, bank))
			continue;
		err = take_all_of(counted, bank);
		if (err == bpmu_bank_ops[bank]->busy_error)
			*why = bpmu_bank_ops[bank]->busy;
		else if (err == -ENODEV)
			*why = bpmu_bank_ops[bank]->unlike;
		else if (err)
			*why = "a counter register took no value; a hypervisor may hide it";
		if (err)
			return err;
	}
	return 0;
}

static int take_prefetchers(const struct bpmu_counted *counted,
			    const char **why)
{
	unsigned int cpu;
	int err;

	for_each_cpu(cpu, counted->settings->cpus) {
		err = bpmu_prefetch_take(counted->settings, cpu);
		if (err) {
			*why = "the prefetchers cannot be switched; firmware may lock them";
			return err;
		}
	}
	return 0;
}

static void remove_samplers(const struct bpmu_settings *settings)
{
	unsigned int cpu;

	for_each_cpu(cpu, settings->cpus)
		bpmu_sampler_remove(cpu);
}

static void unclaim(const struct bpmu_plan *plan, unsigned int banks)
{
	while (banks--)
		if (bpmu_plan_uses(plan, banks) && bpmu_bank_ops[banks]->unclaim)
			bpmu_bank_ops[banks]->unclaim(bpmu_bank_ops[banks]->unit);
}

/**
 * bpmu_counters_claim() - keep drivers off the devices that a session will use
 * @counted: checked, not yet of a session
 * @why: set to a sentence on refusal
 *
 * Context: process, may sleep, no lock held.
 * Return: 0, or -EADDRINUSE if a driver is bound to one of them.
 */
int bpmu_counters_claim(struct bpmu_counted *counted, const char **why)
{
	unsigned int bank;
	int err;

	for (bank = 0; bank < BPMU_BANKS; bank++) {
		if (!bpmu_plan_uses(counted->plan, bank) ||
		    !bpmu_bank_ops[bank]->claim)
			continue;
		err = bpmu_bank_ops[bank]->claim(bpmu_bank_ops[bank]->unit, why);
		if (err) {
			unclaim(counted->plan, bank);
			return err;
		}
	}
	counted->claimed = true;
	return 0;
}

/**
 * bpmu_counters_unclaim() - let drivers in again
 * @counted: no longer of a session; nothing is done if it is not claimed
 *
 * Context: process, may sleep, no lock held.
 */
void bpmu_counters_unclaim(struct bpmu_counted *counted)
{
	if (counted->claimed)
		unclaim(counted->plan, BPMU_BANKS);
	counted->claimed = false;
}

/**
 * bpmu_counters_take() - take and program the counters of a session
 * @counted: checked, with memory; all its CPUs are online
 * @why: set to a sentence on refusal
 *
 * Context: process, may sleep.
 * Return: 0; -EBUSY if the counters are taken, -EADDRINUSE for those of the
 * uncore; -ENODEV if packages are unlike; -EIO or -EROFS if the registers do not work.
 */
int bpmu_counters_take(const struct bpmu_counted *counted, const char **why)
{
	const struct bpmu_settings *settings = counted->settings;
	unsigned int cpu;
	int err;

	err = reserve(counted, why);
	if (err)
		return err;
	for_each_cpu(cpu, settings->cpus) {
		memset(per_cpu_ptr(&failures, cpu), 0, sizeof(failures));
		bpmu_sampler_install(cpu, settings, &counted->memory[cpu]);
	}
	err = take_banks(counted, why);
	if (!err)
		err = take_prefetchers(counted, why);
	if (err)
		goto err_give;
	return 0;

err_give:
	give_all(counted);
	remove_samplers(settings);
	unreserve_banks(counted->plan, BPMU_BANKS);
	return err;
}

/**
 * bpmu_counters_give() - stop the counters if they run, and give all back
 * @counted: from bpmu_counters_take()
 *
 * Context: process, may sleep.
 */
void bpmu_counters_give(const struct bpmu_counted *counted)
{
	give_all(counted);
	remove_samplers(counted->settings);
	unreserve_banks(counted->plan, BPMU_BANKS);
}

/**
 * bpmu_counters_start() - begin a run; discards the samples of an earlier one
 * @counted: taken
 *
 * Context: process, may sleep.
 */
void bpmu_counters_start(const struct bpmu_counted *counted)
{
	u32 flag = BPMU_SAMPLE_START;
	unsigned int cpu;

	for_each_cpu(cpu, counted->settings->cpus)
		bpmu_sampler_reset(cpu);
	bpmu_cpu_run(counted->settings->cpus, bpmu_start_here, &flag);
}

/**
 * bpmu_counters_stop() - end a run, with a last sample
 * @counted: taken
 *
 * Context: process, may sleep.
 */
void bpmu_counters_stop(const struct bpmu_counted *counted)
{
	u32 flag = BPMU_SAMPLE_STOP;

	bpmu_cpu_run(counted->settings->cpus, bpmu_stop_here, &flag);
}

/**
 * bpmu_counters_request() - take a sample on each CPU now
 * @counted: taken
 *
 * Context: process, may sleep.
 */
void bpmu_counters_request(const struct bpmu_counted *counted)
{
	bpmu_cpu_run(counted->settings->cpus, bpmu_request_here, NULL);
}

/**
 * bpmu_counters_swap() - continue with other groups
 * @counted: taken, its plan replaced; no CPU uses the old plan when this returns
 *
 * Context: process, may sleep.
 */
void bpmu_counters_swap(const struct bpmu_counted *counted)
{
	bpmu_cpu_run(counted->settings->cpus, bpmu_swap_here, counted->plan);
}

/* records the result of programming a CPU, and publishes a failure */
static void note(unsigned int cpu, enum bpmu_failure what, int err)
{
	const struct bpmu_failure_info info = {
		.cpu = cpu, .what = what, .error = err,
	};

	(*per_cpu_ptr(&failures, cpu))[what] = err;
	if (err)
		bpmu_events_failure(&info);
}

/*
 * Programs all that a CPU had. Its failures do not stop the other CPUs. A CPU whose
 * core counters fail is not measured; one that cannot read its package's counters is
 * measured without them; one whose prefetchers cannot be switched has a flag in each
 * sample.
 */
static void come_back(const struct bpmu_counted *counted, unsigned int cpu)
{
	const struct bpmu_settings *settings = counted->settings;
	unsigned int bank;
	int err;

	for (bank = 0; bank < BPMU_BANKS; bank++) {
		if (!bpmu_plan_uses(counted->plan, bank) ||
		    !takes(settings, bank, cpu))
			continue;
		err = take_bank(counted, cpu, bank);
		note(cpu, bpmu_bank_ops[bank]->failure, err);
	}
	err = bpmu_prefetch_take(settings, cpu);
	note(cpu, BPMU_FAILURE_PREFETCH, err);
	bpmu_sampler_flag(cpu, BPMU_SAMPLE_PREFETCH, err);
}

static bool has_counters(const struct bpmu_counted *counted, unsigned int cpu)
{
	return !bpmu_plan_uses(counted->plan, BPMU_BANK_CORE) ||
	       bpmu_bank_in_use(bpmu_sampler_bank(cpu, BPMU_BANK_CORE));
}

/* restarts the sampler, or stores a sample whose flags say why it cannot */
static void run_again(const struct bpmu_counted *counted, unsigned int cpu)
{
	u32 flag = BPMU_SAMPLE_ONLINE;

	if (!has_counters(counted, cpu))
		bpmu_cpu_run_on(cpu, bpmu_fail_here, counted->plan);
	bpmu_cpu_run_on(cpu, bpmu_start_here, &flag);
}

/**
 * bpmu_counters_leave() - leave the registers alone while the machine sleeps
 * @counted: taken
 *
 * Samples and memory stay.
 *
 * Context: process, may sleep.
 */
void bpmu_counters_leave(const struct bpmu_counted *counted)
{
	u32 flag = BPMU_SAMPLE_OFFLINE;

	bpmu_cpu_run(counted->settings->cpus, bpmu_stop_here, &flag);
	give_all(counted);
}

/**
 * bpmu_counters_return() - take the counters again after bpmu_counters_leave()
 * @counted: taken before
 * @running: the session runs
 *
 * Context: process, may sleep.
 */
void bpmu_counters_return(const struct bpmu_counted *counted, bool running)
{
	unsigned int cpu;

	for_each_cpu(cpu, counted->settings->cpus) {
		if (!cpu_online(cpu))
			continue;
		come_back(counted, cpu);
		if (running)
			run_again(counted, cpu);
		cond_resched();
	}
}

/**
 * bpmu_counters_online() - a CPU of the session came up
 * @counted: taken
 * @cpu: this CPU
 * @running: the session runs
 *
 * The CPU is programmed as before and sampled again.
 *
 * Context: that CPU's hotplug thread.
 */
void bpmu_counters_online(const struct bpmu_counted *counted, unsigned int cpu,
			  bool running)
{
	come_back(counted, cpu);
	if (running)
		run_again(counted, cpu);
}

/* hands the shared banks that a CPU has read to another CPU, if there is one */
static void hand_over(const struct bpmu_counted *counted, unsigned int cpu,
		      enum bpmu_bank_id bank, bool running)
{
	const struct bpmu_bank_ops *ops = bpmu_bank_ops[bank];
	unsigned int other = other_reader(counted->settings, ops, cpu);
	u32 stop = BPMU_SAMPLE_OFFLINE;
	u32 start = BPMU_SAMPLE_ONLINE;

	if (other == nr_cpu_ids)
		return;
	if (running)
		bpmu_cpu_run_on(other, bpmu_stop_here, &stop);
	note(other, ops->failure, take_bank(counted, other, bank));
	if (running)
		bpmu_cpu_run_on(other, bpmu_start_here, &start);
}

/**
 * bpmu_counters_offline() - a CPU of the session goes down
 * @counted: taken
 * @cpu: this CPU
 * @running: the session runs
 *
 * Context: that CPU's hotplug thread.
 */
void bpmu_counters_offline(const struct bpmu_counted *counted,
			   unsigned int cpu, bool running)
{
	u32 flag = BPMU_SAMPLE_OFFLINE;
	bool shared[BPMU_BANKS];
	unsigned int bank;

	for (bank = 0; bank < BPMU_BANKS; bank++)
		shared[bank] = bpmu_bank_ops[bank]->shares &&
			bpmu_bank_in_use(bpmu_sampler_bank(cpu, bank));
	bpmu_cpu_run_on(cpu, bpmu_stop_here, &flag);
	bpmu_cpu_run_on(cpu, bpmu_give_here, NULL);
	bpmu_prefetch_give(counted->settings, cpu);
	for (bank = 0; bank < BPMU_BANKS; bank++)
		if (shared[bank])
			hand_over(counted, cpu, bank, running);
}

/**
 * bpmu_counters_next_failure() - iterate over what could not be programmed
 * @counted: taken
 * @at: position, 0 to begin with; advanced
 * @info: filled in
 *
 * Context: process.
 * Return: false if there are no more.
 */
bool bpmu_counters_next_failure(const struct bpmu_counted *counted,
				unsigned int *at,
				struct bpmu_failure_info *info)
{
	for (; *at < nr_cpu_ids * FAILURES; (*at)++) {
		info->cpu = *at / FAILURES;
		info->what = *at % FAILURES;
		if (!cpumask_test_cpu(info->cpu, counted->settings->cpus))
			continue;
		info->error = per_cpu(failures, info->cpu)[info->what];
		if (!info->error)
			continue;
		(*at)++;
		return true;
	}
	return false;
}
