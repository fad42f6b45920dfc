// SPDX-License-Identifier: GPL-2.0
/*
 * Lock order: cpus_read_lock(), then session_lock. The hotplug callbacks come
 * with the hotplug lock held for writing and take session_lock as well. What
 * the samplers do with interrupts off takes no lock at all.
 */
#include "session.h"

#include <linux/cpu.h>
#include <linux/err.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/string.h>

#include "cpu.h"
#include "netlink_notify.h"
#include "pmu.h"
#include "sampler.h"

/**
 * struct session - there is one, under session_lock
 * @state: &enum bpmu_state
 * @owner: netlink port, valid unless idle
 * @pid: owner's process
 * @comm: its name
 * @plan: configuration, valid unless idle
 */
struct session {
	enum bpmu_state state;
	u32 owner;
	pid_t pid;
	char comm[TASK_COMM_LEN];
	struct bpmu_plan plan;
};

static struct session session;

/* protects the session, and is the consumer's side of all buffers */
static DEFINE_MUTEX(session_lock);

static void lock(void)
{
	cpus_read_lock();
	mutex_lock(&session_lock);
}

static void unlock(void)
{
	mutex_unlock(&session_lock);
	cpus_read_unlock();
}

static int acquire_here(void *arg)
{
	return bpmu_sampler_acquire(arg);
}

static int release_here(void *arg)
{
	bpmu_sampler_release();
	return 0;
}

static int start_here(void *arg)
{
	bpmu_sampler_start(BPMU_SAMPLE_START);
	return 0;
}

static int stop_here(void *arg)
{
	bpmu_sampler_stop(BPMU_SAMPLE_STOP);
	return 0;
}

static int request_here(void *arg)
{
	bpmu_sampler_request();
	return 0;
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
		if (err)
			goto err_free_samplers;
	}
	return 0;

err_free_samplers:
	free_samplers(plan);
	return err;
}

static const char *acquire_refusal(int err)
{
	if (err == -EBUSY)
		return "someone unknown has enabled a counter; stop tools that write MSRs";
	return "a counter register did not take its value; a hypervisor may hide the counters";
}

/* the counters and the memory of session.plan, and nothing else */
static int take_counters(const char **why)
{
	struct bpmu_plan *plan = &session.plan;
	int err;

	err = bpmu_pmu_reserve();
	if (err) {
		*why = "perf or the NMI watchdog holds the counters; stop perf and the watchdog";
		return err;
	}
	err = alloc_samplers(plan);
	if (err) {
		*why = "no memory for the sample buffers; ask for fewer samples";
		goto err_release_pmu;
	}
	err = bpmu_cpu_run(plan->cpus, acquire_here, plan);
	if (err) {
		*why = acquire_refusal(err);
		goto err_release_samplers;
	}
	return 0;

err_release_samplers:
	bpmu_cpu_run(plan->cpus, release_here, NULL);
	free_samplers(plan);
err_release_pmu:
	bpmu_pmu_release();
	return err;
}

static void set_state(enum bpmu_state state)
{
	struct bpmu_session_info info;

	session.state = state;
	info.state = state;
	info.pid = session.pid;
	memcpy(info.comm, session.comm, sizeof(info.comm));
	bpmu_notify_state(&info);
}

static void set_owner(u32 owner)
{
	session.owner = owner;
	session.pid = task_tgid_nr(current);
	get_task_comm(session.comm, current);
}

static void clear_owner(void)
{
	session.owner = 0;
	session.pid = 0;
	memset(session.comm, 0, sizeof(session.comm));
}

/* back to idle from any state; the module may go once this is done */
static void end(void)
{
	lockdep_assert_held(&session_lock);
	bpmu_cpu_run(session.plan.cpus, release_here, NULL);
	free_samplers(&session.plan);
	bpmu_pmu_release();
	free_cpumask_var(session.plan.cpus);
	clear_owner();
	set_state(BPMU_STATE_IDLE);
	module_put(THIS_MODULE);
}

static int check_owner(u32 owner, const char **why)
{
	lockdep_assert_held(&session_lock);
	if (session.state == BPMU_STATE_IDLE) {
		*why = "there is no session; configure one first";
		return -ENOTCONN;
	}
	if (session.owner != owner) {
		*why = "the session belongs to another process; BPMU_CMD_GET_INFO names it";
		return -EBUSY;
	}
	return 0;
}

static int check_configure(u32 owner, const struct bpmu_plan *plan,
			   const char **why)
{
	int err;

	if (session.state != BPMU_STATE_IDLE) {
		err = check_owner(owner, why);
		if (err)
			return err;
	}
	if (session.state == BPMU_STATE_RUNNING) {
		*why = "the session is running; stop it first";
		return -EBUSY;
	}
	if (!cpumask_subset(plan->cpus, cpu_online_mask)) {
		*why = "a CPU of BPMU_A_CPUS is absent or offline";
		return -ENODEV;
	}
	return 0;
}

static int begin(u32 owner, struct bpmu_plan *plan, const char **why)
{
	int err;

	if (!try_module_get(THIS_MODULE)) {
		*why = "the module is being unloaded";
		return -ENODEV;
	}
	session.plan = *plan;
	err = take_counters(why);
	if (err) {
		module_put(THIS_MODULE);
		return err;
	}
	set_owner(owner);
	set_state(BPMU_STATE_READY);
	return 0;
}

/**
 * bpmu_session_configure() - take the counters for a new configuration
 * @owner: netlink port of the caller
 * @plan: checked configuration; its CPU mask belongs to the session on success
 * @why: set to a sentence on refusal
 *
 * A session of the same owner that is not running ends first.
 *
 * Context: process, may sleep; takes the session's lock.
 * Return: 0, -EBUSY if the session or the counters are taken, -ENODEV for an
 * absent CPU, -ENOMEM, or -EIO if the registers do not work.
 */
int bpmu_session_configure(u32 owner, struct bpmu_plan *plan,
			   const char **why)
{
	int err;

	lock();
	err = check_configure(owner, plan, why);
	if (!err && session.state == BPMU_STATE_READY)
		end();
	if (!err)
		err = begin(owner, plan, why);
	unlock();
	return err;
}

/**
 * bpmu_session_start() - start all counters
 * @owner: netlink port of the caller
 * @why: set to a sentence on refusal
 *
 * Context: process, may sleep; takes the session's lock.
 * Return: 0, -ENOTCONN without a session, -EBUSY if it is someone else's or
 * runs already.
 */
int bpmu_session_start(u32 owner, const char **why)
{
	unsigned int cpu;
	int err;

	lock();
	err = check_owner(owner, why);
	if (!err && session.state == BPMU_STATE_RUNNING) {
		*why = "the session is running already";
		err = -EBUSY;
	}
	if (!err) {
		for_each_cpu(cpu, session.plan.cpus)
			bpmu_sampler_reset(cpu);
		bpmu_cpu_run(session.plan.cpus, start_here, NULL);
		set_state(BPMU_STATE_RUNNING);
	}
	unlock();
	return err;
}

static int check_running(u32 owner, const char **why)
{
	int err = check_owner(owner, why);

	if (!err && session.state != BPMU_STATE_RUNNING) {
		*why = "the session is not running; start it first";
		err = -EINVAL;
	}
	return err;
}

/**
 * bpmu_session_stop() - stop all counters; the samples stay readable
 * @owner: netlink port of the caller
 * @why: set to a sentence on refusal
 *
 * Context: process, may sleep; takes the session's lock.
 * Return: 0, -ENOTCONN without a session, -EBUSY if it is someone else's,
 * -EINVAL if it is not running.
 */
int bpmu_session_stop(u32 owner, const char **why)
{
	int err;

	lock();
	err = check_running(owner, why);
	if (!err) {
		bpmu_cpu_run(session.plan.cpus, stop_here, NULL);
		set_state(BPMU_STATE_READY);
	}
	unlock();
	return err;
}

/**
 * bpmu_session_sample() - a sample on each CPU now
 * @owner: netlink port of the caller
 * @why: set to a sentence on refusal
 *
 * Context: process, may sleep; takes the session's lock.
 * Return: as bpmu_session_stop().
 */
int bpmu_session_sample(u32 owner, const char **why)
{
	int err;

	lock();
	err = check_running(owner, why);
	if (!err)
		bpmu_cpu_run(session.plan.cpus, request_here, NULL);
	unlock();
	return err;
}

/**
 * bpmu_session_release() - end the session
 * @owner: netlink port of the caller
 * @why: set to a sentence on refusal
 *
 * Context: process, may sleep; takes the session's lock.
 * Return: 0, also without a session; -EBUSY if it is someone else's.
 */
int bpmu_session_release(u32 owner, const char **why)
{
	int err = 0;

	lock();
	if (session.state != BPMU_STATE_IDLE) {
		err = check_owner(owner, why);
		if (!err)
			end();
	}
	unlock();
	return err;
}

/**
 * bpmu_session_owner_gone() - a netlink port was closed
 * @owner: the port, of whoever
 *
 * Context: process, may sleep; takes the session's lock.
 */
void bpmu_session_owner_gone(u32 owner)
{
	lock();
	if (session.state != BPMU_STATE_IDLE && session.owner == owner)
		end();
	unlock();
}

/**
 * bpmu_session_read_begin() - become the consumer of the session's buffers
 * @owner: netlink port of the caller
 * @why: set to a sentence on refusal
 *
 * Context: process, may sleep; takes the session's lock and keeps it until
 * bpmu_session_read_end(), unless it refuses.
 * Return: the session's CPUs, or ERR_PTR(): -ENOTCONN without a session, -EBUSY
 * if it is someone else's.
 */
const struct cpumask *bpmu_session_read_begin(u32 owner, const char **why)
{
	int err;

	lock();
	err = check_owner(owner, why);
	if (err) {
		unlock();
		return ERR_PTR(err);
	}
	return session.plan.cpus;
}

/**
 * bpmu_session_read_end() - end what bpmu_session_read_begin() began
 *
 * Context: process; drops the session's lock.
 */
void bpmu_session_read_end(void)
{
	unlock();
}

/**
 * bpmu_session_get_info() - the session as others may see it
 * @info: filled in
 *
 * Context: process, may sleep; takes the session's lock.
 */
void bpmu_session_get_info(struct bpmu_session_info *info)
{
	lock();
	info->state = session.state;
	info->pid = session.pid;
	memcpy(info->comm, session.comm, sizeof(info->comm));
	unlock();
}

/**
 * bpmu_session_counters_busy() - would a reservation be refused now
 *
 * Tries it. For that moment perf would be refused, so it is only for callers
 * who could take the counters anyway.
 *
 * Context: process, may sleep; takes the session's lock.
 * Return: true if perf or the NMI watchdog holds the counters.
 */
bool bpmu_session_counters_busy(void)
{
	bool busy = false;

	lock();
	if (session.state == BPMU_STATE_IDLE) {
		busy = bpmu_pmu_reserve();
		if (!busy)
			bpmu_pmu_release();
	}
	unlock();
	return busy;
}

/**
 * bpmu_session_cpu_online() - a CPU came up
 * @cpu: this CPU
 *
 * If it belongs to the session it is programmed as before and goes on. If its
 * counters turn out to be taken it stays out; its samples end.
 *
 * Context: that CPU's hotplug thread; takes the session's lock.
 */
void bpmu_session_cpu_online(unsigned int cpu)
{
	unsigned long flags;

	mutex_lock(&session_lock);
	if (session.state != BPMU_STATE_IDLE &&
	    cpumask_test_cpu(cpu, session.plan.cpus)) {
		local_irq_save(flags);
		if (!bpmu_sampler_acquire(&session.plan) &&
		    session.state == BPMU_STATE_RUNNING)
			bpmu_sampler_start(BPMU_SAMPLE_ONLINE);
		local_irq_restore(flags);
	}
	mutex_unlock(&session_lock);
}

/**
 * bpmu_session_cpu_offline() - a CPU goes down
 * @cpu: this CPU
 *
 * Context: that CPU's hotplug thread; takes the session's lock.
 */
void bpmu_session_cpu_offline(unsigned int cpu)
{
	unsigned long flags;

	mutex_lock(&session_lock);
	if (session.state != BPMU_STATE_IDLE &&
	    cpumask_test_cpu(cpu, session.plan.cpus)) {
		local_irq_save(flags);
		bpmu_sampler_stop(BPMU_SAMPLE_OFFLINE);
		bpmu_sampler_release();
		local_irq_restore(flags);
	}
	mutex_unlock(&session_lock);
}
