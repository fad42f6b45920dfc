// SPDX-License-Identifier: GPL-2.0
#include "counters.h"

#include <linux/cpumask.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/sched/isolation.h>
#include <linux/slab.h>
#include <linux/smp.h>

#include "bank/banks.h"
#include "bank/prefetch.h"
#include "machine/cpu_run.h"
#include "machine/refusal.h"
#include "sample/clock.h"
#include "sample/overflow.h"

/* Number of results of programming a CPU: one for each bank, and one for the prefetchers */
#define FAILURES (BPMU_BANKS + 1)

/*
 * Results of programming a CPU, [FAILURES]: one for each bank, the last one for the prefetchers.
 * Each is 0 or a negative errno. A CPU that is not in the session has no valid results.
 */
static DEFINE_PER_CPU(int [FAILURES], failures);

/**
 * struct bank_args - a bank of a plan, as argument of functions that other CPUs run
 * @plan: plan that has the bank's groups
 * @bank: number of the bank
 */
struct bank_args {
	const struct bpmu_plan *plan;
	enum bpmu_bank_id bank;
};

static int bpmu_take_here(void *data)
{
	const struct bank_args *args = data;

	return bpmu_sampler_take(args->plan, args->bank);
}

static int bpmu_try_here(void *data)
{
	const struct bank_args *args = data;

	return bpmu_sampler_try(args->plan, args->bank);
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
	bpmu_sampler_fail(plan, BPMU_SAMPLE_ONLINE);
	return 0;
}

static int bpmu_lose_here(void *data)
{
	const struct bank_args *args = data;

	bpmu_sampler_lose(args->plan, args->bank);
	return 0;
}

static int bpmu_request_here(void *unused)
{
	bpmu_sampler_request();
	return 0;
}

static int bpmu_drop_here(void *id)
{
	bpmu_sampler_drop(*(unsigned int *)id);
	return 0;
}

static int bpmu_swap_here(void *plan)
{
	bpmu_sampler_swap(plan);
	return 0;
}

/*
 * Returns true if a CPU may count with a bank that several CPUs share, such as an uncore box. The
 * bank's groups were checked for the session's first core type only. CPUs of another core type may
 * use the bank only if all core types have its registers.
 */
static bool may_read(const struct bpmu_settings *settings,
		     const struct bpmu_bank_type *type, unsigned int cpu)
{
	return type->all_core_types || bpmu_settings_core_type(settings, cpu) == 0;
}

/*
 * Finds another online CPU of the session that can take over a shared bank from @cpu, because that
 * CPU reaches the same registers. Returns its number; nr_cpu_ids if there is none.
 */
static unsigned int other_reader(const struct bpmu_settings *settings,
				 const struct bpmu_bank_type *type,
				 unsigned int cpu)
{
	unsigned int other;

	for_each_cpu(other, settings->cpus)
		if (other != cpu && cpu_online(other) &&
		    type->shares(cpu, other) && may_read(settings, type, other))
			return other;
	return nr_cpu_ids;
}

/*
 * Returns true if a CPU must take a bank. Of the CPUs that share a bank only one takes it: the
 * first CPU that asks and may read the bank.
 */
static bool must_take(const struct bpmu_settings *settings, enum bpmu_bank_id bank,
		      unsigned int cpu)
{
	const struct bpmu_bank_type *type = &bpmu_bank_types[bank];
	unsigned int other;

	if (!type->shares)
		return true;
	for_each_cpu(other, settings->cpus)
		if (bpmu_bank_in_use(bpmu_sampler_bank(other, bank)) &&
		    type->shares(cpu, other))
			return false;
	return may_read(settings, type, cpu);
}

static int take_bank(const struct bpmu_counted *counted, unsigned int cpu,
		     enum bpmu_bank_id bank)
{
	struct bank_args args = { .plan = counted->plan, .bank = bank };

	return bpmu_cpu_run_on(cpu, bpmu_take_here, &args);
}

/*
 * Takes a bank on all CPUs that need it. Of the CPUs that share a bank only one takes it; these
 * CPUs are asked one after the other. If each CPU has a bank of its own, all CPUs take theirs at
 * once. Returns 0, or the error of the first CPU that failed; banks that were taken stay taken.
 */
static int take_on_all_cpus(const struct bpmu_counted *counted,
			    enum bpmu_bank_id bank)
{
	struct bank_args args = { .plan = counted->plan, .bank = bank };
	const struct bpmu_settings *settings = counted->settings;
	unsigned int cpu;
	int err = 0;

	if (!bpmu_bank_types[bank].shares)
		return bpmu_cpu_run(settings->cpus, bpmu_take_here, &args);
	for_each_cpu(cpu, settings->cpus)
		if (must_take(settings, bank, cpu))
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

/*
 * Drops the kernel's reservations of all banks that the plan uses and whose numbers are below
 * @banks, in reverse order.
 */
static void unreserve_banks(const struct bpmu_plan *plan, unsigned int banks)
{
	while (banks--)
		if (bpmu_plan_uses(plan, banks) &&
		    bpmu_bank_types[banks].ops->unreserve)
			bpmu_bank_types[banks].ops->unreserve();
}

static int reserve_banks(const struct bpmu_counted *counted, struct netlink_ext_ack *extack)
{
	unsigned int bank;
	int err;

	for (bank = 0; bank < BPMU_BANKS; bank++) {
		const struct bpmu_bank_type *type = &bpmu_bank_types[bank];

		if (!bpmu_plan_uses(counted->plan, bank) || !type->ops->reserve)
			continue;
		err = type->ops->reserve(counted->settings, extack);
		if (err) {
			unreserve_banks(counted->plan, bank);
			return err;
		}
	}
	return 0;
}

/*
 * Returns true if perf's driver uses some boxes of this CPU model without being bound to their PCI
 * device, so that claiming the device does not keep perf away.
 */
static bool has_unbound_boxes(const struct bpmu_part *part)
{
	return part->mchbar || (part->uncore && part->uncore->discovery);
}

static const char *busy_sentence(const struct bpmu_settings *settings,
				 const struct bpmu_bank_type *type)
{
	return type->busy_unbound && has_unbound_boxes(settings->pmu[0]->part) ?
	       type->busy_unbound : type->busy;
}

static const char *dead_sentence(const struct bpmu_settings *settings, unsigned int bank)
{
	return bank == BPMU_BANK_CORE && (settings->ops || settings->fetches) ?
	       "a register of counters or of IBS does not work; a hypervisor may hide it" :
	       "a counter register does not work; a hypervisor may hide it";
}

static int take_banks(const struct bpmu_counted *counted, struct netlink_ext_ack *extack)
{
	unsigned int bank;
	int err;

	for (bank = 0; bank < BPMU_BANKS; bank++) {
		if (!bpmu_plan_uses(counted->plan, bank))
			continue;
		err = take_on_all_cpus(counted, bank);
		if (err == bpmu_bank_types[bank].ops->busy_error)
			bpmu_refuse(extack,
				    busy_sentence(counted->settings, &bpmu_bank_types[bank]));
		else if (err == -ENODEV)
			bpmu_refuse(extack, bpmu_bank_types[bank].unlike);
		else if (err)
			bpmu_refuse(extack, dead_sentence(counted->settings, bank));
		if (err)
			return err;
	}
	return 0;
}

static int take_prefetchers(const struct bpmu_counted *counted,
			    struct netlink_ext_ack *extack)
{
	unsigned int cpu;
	int err;

	for_each_cpu(cpu, counted->settings->cpus) {
		err = bpmu_prefetch_take(counted->settings, cpu);
		if (err) {
			NL_SET_ERR_MSG(extack,
				       "the prefetchers cannot be switched; firmware may lock them");
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

/*
 * Unclaims the PCI devices of all banks that the plan uses and whose numbers are below @banks, in
 * reverse order.
 */
static void unclaim_banks(const struct bpmu_plan *plan, unsigned int banks)
{
	while (banks--)
		if (bpmu_plan_uses(plan, banks) && bpmu_bank_types[banks].ops->unclaim)
			bpmu_bank_types[banks].ops->unclaim(bpmu_bank_types[banks].unit);
}

/**
 * bpmu_counters_claim() - keep other drivers away from a session's counters in PCI devices, and
 *	prepare for its interrupts
 * @counted: checked settings and plan of a session that has not begun; @claimed is set to true on
 *	success
 * @extack: set to a sentence on refusal
 *
 * Context: process, may sleep, no lock held.
 * Return: 0; -EADDRINUSE if another driver uses one of the devices; -ENODEV if one was removed;
 * -EOPNOTSUPP if the kernel lacks what interrupts need.
 */
int bpmu_counters_claim(struct bpmu_counted *counted, struct netlink_ext_ack *extack)
{
	unsigned int bank;
	int err;

	for (bank = 0; bank < BPMU_BANKS; bank++) {
		if (!bpmu_plan_uses(counted->plan, bank) ||
		    !bpmu_bank_types[bank].ops->claim)
			continue;
		err = bpmu_bank_types[bank].ops->claim(bpmu_bank_types[bank].unit,
							counted->settings->cpus, extack);
		if (err)
			goto err_unclaim;
	}
	err = bpmu_overflows_claim(counted->settings, extack);
	if (err)
		goto err_unclaim;
	counted->claimed = true;
	return 0;

err_unclaim:
	unclaim_banks(counted->plan, bank);
	return err;
}

/**
 * bpmu_counters_unclaim() - end a claim of a session's counters, so that drivers may use them
 * @counted: counters of a session that has ended; nothing is done if they are not claimed
 *
 * Context: process, may sleep, no lock held.
 */
void bpmu_counters_unclaim(struct bpmu_counted *counted)
{
	if (!counted->claimed)
		return;
	bpmu_overflows_unclaim(counted->settings);
	unclaim_banks(counted->plan, BPMU_BANKS);
	counted->claimed = false;
}

/**
 * bpmu_counters_take() - take and program the counters of a session on all its CPUs
 * @counted: checked settings and plan, with the samplers' memory; all CPUs are online
 * @extack: set to a sentence on refusal
 *
 * Context: process, may sleep.
 * Return: 0; -EBUSY if core counters or their interrupts are in use, -EADDRINUSE if uncore counters
 * are; -ENODEV if packages differ; -EOPNOTSUPP if a CPU or the kernel lacks what interrupts need;
 * -EIO or -EROFS if a register does not hold its value.
 */
int bpmu_counters_take(const struct bpmu_counted *counted, struct netlink_ext_ack *extack)
{
	const struct bpmu_settings *settings = counted->settings;
	unsigned int cpu;
	int err;

	err = reserve_banks(counted, extack);
	if (err)
		return err;
	err = bpmu_overflows_begin(settings, extack);
	if (err)
		goto err_unreserve;
	for_each_cpu(cpu, settings->cpus) {
		memset(per_cpu_ptr(&failures, cpu), 0, sizeof(int [FAILURES]));
		bpmu_sampler_install(cpu, settings, &counted->memory[cpu]);
	}
	err = take_banks(counted, extack);
	if (!err)
		err = take_prefetchers(counted, extack);
	if (err)
		goto err_give;
	return 0;

err_give:
	give_all(counted);
	bpmu_overflows_end(settings);
	remove_samplers(settings);
err_unreserve:
	unreserve_banks(counted->plan, BPMU_BANKS);
	return err;
}

/**
 * bpmu_counters_give() - give all counters of a session back: stop them and restore their registers
 * @counted: what the session counts, after bpmu_counters_take()
 *
 * Context: process, may sleep.
 */
void bpmu_counters_give(const struct bpmu_counted *counted)
{
	give_all(counted);
	bpmu_overflows_end(counted->settings);
	remove_samplers(counted->settings);
	unreserve_banks(counted->plan, BPMU_BANKS);
}

/* Returns how many of the shared banks that @cpu reads have registers that @other reaches too. */
static unsigned int reached_banks(unsigned int cpu, unsigned int other)
{
	unsigned int nr = 0;
	unsigned int bank;

	for (bank = 0; bank < BPMU_BANKS; bank++)
		nr += bpmu_bank_types[bank].shares &&
		      bpmu_bank_in_use(bpmu_sampler_bank(cpu, bank)) &&
		      bpmu_bank_types[bank].shares(cpu, other);
	return nr;
}

/*
 * Whether a CPU multiplexes groups on a shared bank. The slices of these groups must be equally
 * long.
 */
static bool rotates(unsigned int cpu)
{
	const struct bpmu_bank *shared;
	unsigned int bank;

	for (bank = 0; bank < BPMU_BANKS; bank++) {
		shared = bpmu_sampler_bank(cpu, bank);
		if (bpmu_bank_types[bank].shares && bpmu_bank_in_use(shared) &&
		    shared->groups->nr > 1)
			return true;
	}
	return false;
}

/*
 * Returns true if other CPUs can sample the shared banks that @cpu reads, while @cpu sleeps. While
 * a CPU runs that may cause events in these banks, that CPU takes the samples: it watches @cpu.
 * Each such CPU must have access to the registers of all these banks, belong to the session, not be
 * kept free of interrupts (nohz_full), and not watch another CPU yet.
 */
static bool can_lend(const struct bpmu_settings *settings, unsigned int cpu,
		     const struct cpumask *watching)
{
	unsigned int banks = reached_banks(cpu, cpu);
	unsigned int other, reached;

	for_each_present_cpu(other) {
		if (!cpu_online(other))
			return false;
		reached = reached_banks(cpu, other);
		if (reached && (reached != banks || !cpumask_test_cpu(other, settings->cpus) ||
				cpu_is_isolated(other) || cpumask_test_cpu(other, watching)))
			return false;
	}
	return banks;
}

/*
 * Lets CPUs that read shared banks sleep between samples, if other CPUs can take the samples. If
 * the interval is long, the CPUs are woken for each sample in any case.
 */
static void lend_readers(const struct bpmu_counted *counted)
{
	const struct bpmu_settings *settings = counted->settings;
	cpumask_var_t watching;
	unsigned int cpu, other;
	bool lends;

	for_each_cpu(cpu, settings->cpus) {
		bpmu_sampler_lend(cpu, false);
		bpmu_sampler_watch(cpu, nr_cpu_ids);
	}
	if (!settings->tick || settings->interval_ns >= BPMU_CLOCK_NAP_NS ||
	    !zalloc_cpumask_var(&watching, GFP_KERNEL))
		return;
	for_each_cpu(cpu, settings->cpus) {
		lends = !rotates(cpu) && can_lend(settings, cpu, watching);
		bpmu_sampler_lend(cpu, lends);
		if (!lends)
			continue;
		for_each_cpu(other, settings->cpus) {
			if (other == cpu || !reached_banks(cpu, other))
				continue;
			bpmu_sampler_watch(other, cpu);
			cpumask_set_cpu(other, watching);
		}
		cond_resched();
	}
	free_cpumask_var(watching);
}

/**
 * bpmu_counters_start() - start the counters of a session on all CPUs, without earlier samples
 * @counted: counters that were taken and are stopped; samples of an earlier run are discarded
 *
 * Context: process, may sleep.
 */
void bpmu_counters_start(const struct bpmu_counted *counted)
{
	u32 flag = BPMU_SAMPLE_START;
	unsigned int cpu;

	for_each_cpu(cpu, counted->settings->cpus)
		bpmu_sampler_reset(cpu);
	lend_readers(counted);
	bpmu_cpu_run(counted->settings->cpus, bpmu_start_here, &flag);
}

/**
 * bpmu_counters_stop() - stop a run of the session's counters, with a last sample of each bank
 * @counted: counters of a session, taken by bpmu_counters_take()
 *
 * Context: process, may sleep.
 */
void bpmu_counters_stop(const struct bpmu_counted *counted)
{
	u32 flag = BPMU_SAMPLE_STOP;

	bpmu_cpu_run(counted->settings->cpus, bpmu_stop_here, &flag);
}

/**
 * bpmu_counters_request() - let all CPUs of a session take samples of its counters now
 * @counted: counters of a session, taken by bpmu_counters_take()
 *
 * Context: process, may sleep.
 */
void bpmu_counters_request(const struct bpmu_counted *counted)
{
	bpmu_cpu_run(counted->settings->cpus, bpmu_request_here, NULL);
}

/**
 * bpmu_counters_try() - check on all CPUs if the session's counters can count other groups
 * @counted: counters of a session, taken by bpmu_counters_take()
 * @plan: the other groups, on the same banks
 * @extack: set to a sentence on refusal
 *
 * All CPUs continue with the groups of @counted, whatever the result is.
 *
 * Context: process, may sleep.
 * Return: 0, -ENODEV if a package lacks a register, -EIO if a register does not hold its value.
 */
int bpmu_counters_try(const struct bpmu_counted *counted, const struct bpmu_plan *plan,
		      struct netlink_ext_ack *extack)
{
	struct bank_args args = { .plan = plan };
	unsigned int bank;
	int err;

	for (bank = 0; bank < BPMU_BANKS; bank++) {
		if (!bpmu_plan_uses(plan, bank))
			continue;
		args.bank = bank;
		err = bpmu_cpu_run(counted->settings->cpus, bpmu_try_here, &args);
		if (err == -ENODEV)
			bpmu_refuse(extack, bpmu_bank_types[bank].unlike);
		else if (err)
			NL_SET_ERR_MSG(extack,
				       "a register of the new groups does not work on one of the CPUs; the old groups are counted on");
		if (err)
			return err;
	}
	return 0;
}

/**
 * bpmu_counters_swap() - let the counters of a session count the groups of another plan from now on
 * @counted: what the session counts; its plan is already the new one, for which bpmu_counters_try()
 *	returned 0
 *
 * When the function returns no CPU uses the old plan any more.
 *
 * Context: process, may sleep.
 */
void bpmu_counters_swap(const struct bpmu_counted *counted)
{
	bpmu_cpu_run(counted->settings->cpus, bpmu_swap_here, counted->plan);
}

/*
 * Stores the result of programming a CPU. If the result is an error, also announces it. @what is
 * what was programmed: a number of enum bpmu_bank_id, or BPMU_FAILURE_PREFETCH. @err is 0 or a
 * negative errno.
 */
static void store_result(unsigned int cpu, u32 what, int err)
{
	const struct bpmu_failure_info info = {
		.cpu = cpu, .what = what, .error = err,
	};

	(*per_cpu_ptr(&failures, cpu))[min_t(u32, what, BPMU_BANKS)] = err;
	if (err)
		bpmu_events_failure(&info);
}

/*
 * Takes a bank on a CPU again, after the session has begun. If a shared bank cannot be taken, the
 * CPU is measured without that bank. If its core bank cannot be taken, the CPU is not measured.
 */
static void retake_bank(const struct bpmu_counted *counted, unsigned int cpu,
			enum bpmu_bank_id bank)
{
	struct bank_args args = { .plan = counted->plan, .bank = bank };
	int err = take_bank(counted, cpu, bank);

	if (err && bpmu_bank_types[bank].shares)
		bpmu_cpu_run_on(cpu, bpmu_lose_here, &args);
	store_result(cpu, bank, err);
}

/*
 * Programs a CPU's banks and prefetchers again, after the CPU came online or the machine resumed.
 * An error affects this CPU only, and the CPU's samples say so. If core counters fail, the CPU is
 * not measured. If a shared bank fails, the CPU is measured without that bank. If prefetchers
 * cannot be switched, each sample of the CPU has a flag.
 */
static void retake_cpu(const struct bpmu_counted *counted, unsigned int cpu)
{
	const struct bpmu_settings *settings = counted->settings;
	unsigned int bank;
	int err;

	for (bank = 0; bank < BPMU_BANKS; bank++) {
		if (!bpmu_plan_uses(counted->plan, bank) ||
		    !must_take(settings, bank, cpu))
			continue;
		retake_bank(counted, cpu, bank);
	}
	err = bpmu_prefetch_take(settings, cpu);
	store_result(cpu, BPMU_FAILURE_PREFETCH, err);
	bpmu_sampler_flag(cpu, BPMU_SAMPLE_PREFETCH, err);
}

static bool has_counters(const struct bpmu_counted *counted, unsigned int cpu)
{
	return !bpmu_plan_uses(counted->plan, BPMU_BANK_CORE) ||
	       bpmu_bank_in_use(bpmu_sampler_bank(cpu, BPMU_BANK_CORE));
}

/*
 * Starts to sample a CPU that was programmed again. If its core counters could not be programmed, a
 * last sample is stored whose flags say so.
 */
static void restart_cpu(const struct bpmu_counted *counted, unsigned int cpu)
{
	u32 flag = BPMU_SAMPLE_ONLINE;

	if (!has_counters(counted, cpu))
		bpmu_cpu_run_on(cpu, bpmu_fail_here, counted->plan);
	bpmu_cpu_run_on(cpu, bpmu_start_here, &flag);
}

/**
 * bpmu_counters_suspend() - give all counters of a session back while the machine is suspended
 * @counted: counters of a session, taken by bpmu_counters_take()
 *
 * The session's memory and samples are kept. bpmu_counters_resume() takes the counters again.
 *
 * Context: process, may sleep.
 */
void bpmu_counters_suspend(const struct bpmu_counted *counted)
{
	u32 flag = BPMU_SAMPLE_OFFLINE;

	bpmu_cpu_run(counted->settings->cpus, bpmu_stop_here, &flag);
	give_all(counted);
}

/**
 * bpmu_counters_resume() - take the counters of a session again after bpmu_counters_suspend()
 * @counted: what the session counts, after bpmu_counters_suspend()
 * @running: the session runs, so that the counters are started too
 *
 * Context: process, may sleep.
 */
void bpmu_counters_resume(const struct bpmu_counted *counted, bool running)
{
	unsigned int cpu;

	for_each_cpu(cpu, counted->settings->cpus) {
		if (!cpu_online(cpu))
			continue;
		retake_cpu(counted, cpu);
		if (running)
			restart_cpu(counted, cpu);
		cond_resched();
	}
}

/**
 * bpmu_counters_online() - take the session's counters again on a CPU that came online
 * @counted: what the session counts, taken on the CPUs that were online before
 * @cpu: number of the CPU that runs this, one of the session
 * @running: the session runs, so that the counters are started too
 *
 * Context: that CPU's hotplug thread.
 */
void bpmu_counters_online(const struct bpmu_counted *counted, unsigned int cpu,
			  bool running)
{
	retake_cpu(counted, cpu);
	if (running)
		restart_cpu(counted, cpu);
}

/*
 * Hands over the shared bank that @cpu used until now to another CPU of the session that reaches
 * the same registers, if there is one. If @running is true, the session runs: the other CPU is
 * stopped meanwhile and starts again.
 */
static void hand_over(const struct bpmu_counted *counted, unsigned int cpu,
		      enum bpmu_bank_id bank, bool running)
{
	const struct bpmu_bank_type *type = &bpmu_bank_types[bank];
	unsigned int other = other_reader(counted->settings, type, cpu);
	u32 stop = BPMU_SAMPLE_OFFLINE;
	u32 start = BPMU_SAMPLE_ONLINE;

	if (other == nr_cpu_ids)
		return;
	if (running)
		bpmu_cpu_run_on(other, bpmu_stop_here, &stop);
	retake_bank(counted, other, bank);
	if (running)
		bpmu_cpu_run_on(other, bpmu_start_here, &start);
}

/**
 * bpmu_counters_offline() - give the counters of a session back on one CPU, which goes offline
 * @counted: counters of a session, taken by bpmu_counters_take()
 * @cpu: number of the CPU that runs this, one of the session
 * @running: the session runs, so that CPUs that take over a bank are started again
 *
 * Another CPU takes over the shared banks that this CPU has read.
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
		shared[bank] = bpmu_bank_types[bank].shares &&
			(bpmu_bank_in_use(bpmu_sampler_bank(cpu, bank)) ||
			 bpmu_sampler_bank(cpu, bank)->lost);
	bpmu_cpu_run_on(cpu, bpmu_stop_here, &flag);
	bpmu_cpu_run_on(cpu, bpmu_give_here, NULL);
	bpmu_prefetch_give(counted->settings, cpu);
	for (bank = 0; bank < BPMU_BANKS; bank++)
		if (shared[bank])
			hand_over(counted, cpu, bank, running);
}

/**
 * bpmu_counters_device_removed() - stop the session's counters that need a removed PCI device
 * @counted: counters of a session, taken by bpmu_counters_take()
 * @pci: device that is being removed
 *
 * The banks with counters in the device get a last sample. Later samples of those banks have no
 * values, since a package's sums would be wrong without one of its boxes or memory controllers.
 *
 * Context: process, may sleep.
 */
void bpmu_counters_device_removed(const struct bpmu_counted *counted, const struct pci_dev *pci)
{
	const struct bpmu_bank *bank;
	unsigned int cpu, id;

	for_each_cpu(cpu, counted->settings->cpus)
		for (id = 0; id < BPMU_BANKS; id++) {
			bank = bpmu_sampler_bank(cpu, id);
			if (!bpmu_bank_in_use(bank) || !bank->ops->needs ||
			    !bank->ops->needs(bank, cpu, pci))
				continue;
			bpmu_cpu_run_on(cpu, bpmu_drop_here, &id);
			store_result(cpu, id, -ENODEV);
		}
}

/**
 * bpmu_counters_next_failure() - get the next failure to program the session's counters
 * @counted: counters of a session, taken by bpmu_counters_take()
 * @at: state of the iteration, 0 before the first call
 * @info: set to the next failure
 *
 * Context: process.
 * Return: true if @info was filled in, false if there are no more failures.
 */
bool bpmu_counters_next_failure(const struct bpmu_counted *counted,
				unsigned int *at,
				struct bpmu_failure_info *info)
{
	unsigned int i;

	for (; *at < nr_cpu_ids * FAILURES; (*at)++) {
		i = *at % FAILURES;
		info->cpu = *at / FAILURES;
		info->what = i < BPMU_BANKS ? i : BPMU_FAILURE_PREFETCH;
		if (!cpumask_test_cpu(info->cpu, counted->settings->cpus))
			continue;
		info->error = per_cpu(failures, info->cpu)[i];
		if (!info->error)
			continue;
		(*at)++;
		return true;
	}
	return false;
}
