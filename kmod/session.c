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
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "counters.h"
#include "netlink_notify.h"
#include "pmu.h"
#include "tsc.h"

/**
 * struct session - there is one, under session_lock
 * @state: &enum bpmu_state
 * @owner: netlink port, valid unless idle
 * @pid: owner's process
 * @comm: its name
 * @plan: configuration, NULL if idle
 * @runs: numbers given to runs so far
 * @asleep: the machine is about to sleep or wakes up: the registers are not ours
 */
struct session {
	enum bpmu_state state;
	u32 owner;
	pid_t pid;
	char comm[TASK_COMM_LEN];
	struct bpmu_plan *plan;
	u32 runs;
	bool asleep;
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

/**
 * bpmu_session_describe() - the session as others may see it
 * @info: filled in
 *
 * Context: process; with the session's lock, as between
 * bpmu_session_read_begin() and bpmu_session_read_end().
 */
void bpmu_session_describe(struct bpmu_session_info *info)
{
	lockdep_assert_held(&session_lock);
	info->state = session.state;
	info->pid = session.pid;
	memcpy(info->comm, session.comm, sizeof(info->comm));
}

static void set_state(enum bpmu_state state)
{
	struct bpmu_session_info info;

	session.state = state;
	bpmu_session_describe(&info);
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
	bpmu_counters_give(session.plan);
	bpmu_plan_free(session.plan);
	session.plan = NULL;
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
	if (session.asleep) {
		*why = "the machine is going to sleep; try again when it is awake";
		return -EBUSY;
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
	bpmu_tsc_begin();
	err = bpmu_counters_take(plan, why);
	if (err) {
		module_put(THIS_MODULE);
		return err;
	}
	plan->run = ++session.runs;
	session.plan = plan;
	set_owner(owner);
	set_state(BPMU_STATE_READY);
	return 0;
}

/**
 * bpmu_session_configure() - take the counters for a new configuration
 * @owner: netlink port of the caller
 * @plan: checked configuration; belongs to the session on success
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
	int err;

	lock();
	err = check_owner(owner, why);
	if (!err && session.state == BPMU_STATE_RUNNING) {
		*why = "the session is running already";
		err = -EBUSY;
	}
	if (!err) {
		session.plan->run = ++session.runs;
		bpmu_counters_start(session.plan, BPMU_SAMPLE_START);
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
		bpmu_counters_stop(session.plan, BPMU_SAMPLE_STOP);
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
		bpmu_counters_request(session.plan);
	unlock();
	return err;
}

static void set_kinds(struct bpmu_plan *plan, const struct bpmu_plan *old)
{
	u32 i;

	plan->nr_kinds = old->nr_kinds;
	for (i = 0; i < old->nr_kinds; i++)
		plan->kind[i].pmu = old->kind[i].pmu;
}

/**
 * bpmu_session_swap_cpus() - what a plan to swap in has to fit
 * @owner: netlink port of the caller
 * @plan: empty; gets the session's CPUs and their counters
 * @why: set to a sentence on refusal
 *
 * Context: process, may sleep; takes the session's lock.
 * Return: as bpmu_session_stop().
 */
int bpmu_session_swap_cpus(u32 owner, struct bpmu_plan *plan,
			   const char **why)
{
	int err;

	lock();
	err = check_running(owner, why);
	if (!err) {
		cpumask_copy(plan->cpus, session.plan->cpus);
		set_kinds(plan, session.plan);
		plan->interval_ns = session.plan->interval_ns;
		plan->check = session.plan->check;
		plan->who = session.plan->who;
	}
	unlock();
	return err;
}

static int check_swap(u32 owner, const struct bpmu_plan *plan, const char **why)
{
	const struct bpmu_plan *old = session.plan;
	int err = check_running(owner, why);

	if (err)
		return err;
	if (!old->kind[0].core.nr != !plan->kind[0].core.nr ||
	    !old->uncore.nr != !plan->uncore.nr) {
		*why = "the kinds of groups, of the core and of the uncore, cannot change";
		return -EINVAL;
	}
	if (bpmu_plan_record_size(plan) > bpmu_plan_record_size(old)) {
		*why = "an uncore group has more events than the session's records can hold";
		return -EINVAL;
	}
	return 0;
}

/**
 * bpmu_session_swap() - go on with other groups
 * @owner: netlink port of the caller
 * @plan: checked groups; takes over the other settings of the session, and
 *	belongs to it on success
 * @why: set to a sentence on refusal
 *
 * Context: process, may sleep; takes the session's lock.
 * Return: as bpmu_session_stop(), or -EINVAL if the groups cannot be swapped in.
 */
int bpmu_session_swap(u32 owner, struct bpmu_plan *plan, const char **why)
{
	struct bpmu_plan *old;
	int err;

	lock();
	err = check_swap(owner, plan, why);
	if (!err) {
		old = session.plan;
		cpumask_copy(plan->cpus, old->cpus);
		plan->number = old->number + 1;
		plan->run = old->run;
		plan->interval_ns = old->interval_ns;
		plan->tick = old->tick;
		plan->buffer_samples = old->buffer_samples;
		plan->watermark = old->watermark;
		plan->prefetchers = old->prefetchers;
		plan->prefetch = old->prefetch;
		plan->top = old->top;
		bpmu_counters_swap(plan);
		session.plan = plan;
		bpmu_plan_free(old);
	}
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

/* a reader may be anyone, and need not see others' processes */
static int check_reader(const char **why)
{
	if (!session.plan->who)
		return 0;
	*why = "the session's samples name processes; these are for its owner only";
	return -EPERM;
}

/**
 * bpmu_session_read_begin() - have the session and its buffers stay as they are
 * @owner: netlink port of the caller
 * @reader: the caller may read though it is not the owner
 * @consume: set if it is the owner: then it is the buffers' consumer
 * @why: set to a sentence on refusal
 *
 * Context: process, may sleep; takes the session's lock and keeps it until
 * bpmu_session_read_end(), unless it refuses.
 * Return: the session's plan, or ERR_PTR(): -ENOTCONN without a session, -EBUSY
 * if it is someone else's, -EPERM if that one's samples are for nobody else.
 */
const struct bpmu_plan *bpmu_session_read_begin(u32 owner, bool reader,
						bool *consume, const char **why)
{
	int err;

	lock();
	err = check_owner(owner, why);
	*consume = !err;
	if (err == -EBUSY && reader)
		err = check_reader(why);
	if (err) {
		unlock();
		return ERR_PTR(err);
	}
	return session.plan;
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
	bpmu_session_describe(info);
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

static bool is_ours(unsigned int cpu)
{
	return session.state != BPMU_STATE_IDLE && !session.asleep &&
	       cpumask_test_cpu(cpu, session.plan->cpus);
}

/**
 * bpmu_session_cpu_online() - a CPU came up
 * @cpu: this CPU
 *
 * Context: that CPU's hotplug thread; takes the session's lock.
 */
void bpmu_session_cpu_online(unsigned int cpu)
{
	mutex_lock(&session_lock);
	if (is_ours(cpu))
		bpmu_counters_online(session.plan, cpu,
				     session.state == BPMU_STATE_RUNNING);
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
	mutex_lock(&session_lock);
	if (is_ours(cpu))
		bpmu_counters_offline(session.plan, cpu,
				      session.state == BPMU_STATE_RUNNING);
	mutex_unlock(&session_lock);
}

/**
 * bpmu_session_sleep() - the machine is about to sleep
 *
 * The first CPU's registers would come back empty without it having gone
 * offline, so all counters are given back until it is awake.
 *
 * Context: process, may sleep; takes the session's lock.
 */
void bpmu_session_sleep(void)
{
	lock();
	session.asleep = true;
	if (session.state != BPMU_STATE_IDLE)
		bpmu_counters_leave(session.plan);
	bpmu_tsc_sleep();
	unlock();
}

/**
 * bpmu_session_wake() - it is awake
 *
 * A CPU whose counters turn out to be taken stays out; its samples end.
 *
 * Context: process, may sleep; takes the session's lock.
 */
void bpmu_session_wake(void)
{
	lock();
	session.asleep = false;
	bpmu_tsc_wake();
	if (session.state != BPMU_STATE_IDLE)
		bpmu_counters_return(session.plan);
	if (session.state == BPMU_STATE_RUNNING)
		bpmu_counters_start(session.plan, BPMU_SAMPLE_ONLINE);
	unlock();
}
