// SPDX-License-Identifier: GPL-2.0
/*
 * Locks are taken in this order: cpus_read_lock(), then session_lock. The kernel calls the hotplug
 * callbacks with the hotplug lock held for writing, and they take session_lock as well. Functions
 * that only read the session take session_lock alone. What samplers do with interrupts off takes
 * neither lock. Memory is allocated and devices are claimed before the locks are taken; memory is
 * freed and devices are unclaimed after they were dropped.
 */
#include "session.h"

#include <linux/cpu.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/netlink.h>
#include <linux/string.h>

#include "machine/probe.h"
#include "machine/tsc.h"
#include "owner.h"
#include "sample/slices.h"

/**
 * struct session - the module's only session, protected by session_lock
 * @state: &enum bpmu_state
 * @owner: the socket that configured the session; empty without a session
 * @counted: settings, plan and memory; empty without a session
 * @run: number of the latest run; it is increased by each run and each new session
 * @number: number of the latest session, also in its &bpmu_settings.number
 * @asleep: the machine is suspended or shut down, so that the session does not own the registers
 *	and no other session can begin
 */
struct session {
	enum bpmu_state state;
	struct bpmu_owner owner;
	struct bpmu_counted counted;
	u32 run;
	u64 number;
	bool asleep;
};

static struct session session;

/* Protects the session, and is held while samples are taken out of the buffers. */
static DEFINE_MUTEX(session_lock);

/**
 * struct ended - what is left of a session that has ended, to be freed without session_lock
 * @owner: owner of the session
 * @counted: settings, plan and memory of the session
 * @any: a session has ended, and its reference to the module is to be dropped
 */
struct ended {
	struct bpmu_owner owner;
	struct bpmu_counted counted;
	bool any;
};

static void lock_session(void)
{
	cpus_read_lock();
	mutex_lock(&session_lock);
}

static void unlock_session(void)
{
	mutex_unlock(&session_lock);
	cpus_read_unlock();
}

static void free_counted(struct bpmu_counted *counted)
{
	bpmu_counters_unclaim(counted);
	bpmu_samplers_free(counted->memory);
	bpmu_slices_free(counted->plan);
	bpmu_plan_free(counted->plan);
	bpmu_settings_free(counted->settings);
}

static void free_ended(struct ended *ended)
{
	free_counted(&ended->counted);
	bpmu_owner_clear(&ended->owner);
	if (ended->any)
		module_put(THIS_MODULE);
}

static void set_state(enum bpmu_state state)
{
	lockdep_assert_held(&session_lock);
	session.state = state;
	bpmu_events_state(state);
}

/*
 * Ends the session, whether it runs or not: gives its counters back, and moves its memory and owner
 * to @ended. The caller frees them by free_ended(), after it has dropped the locks.
 */
static void end_session(struct ended *ended)
{
	lockdep_assert_held(&session_lock);
	bpmu_counters_give(&session.counted);
	ended->counted = session.counted;
	ended->owner = session.owner;
	ended->any = true;
	session.counted = (struct bpmu_counted){ };
	session.owner = (struct bpmu_owner){ };
	set_state(BPMU_STATE_IDLE);
}

static int check_owner(const struct sk_buff *request, struct netlink_ext_ack *extack)
{
	lockdep_assert_held(&session_lock);
	if (session.state == BPMU_STATE_IDLE) {
		NL_SET_ERR_MSG(extack, "there is no session; configure one first");
		return -ENOTCONN;
	}
	if (!bpmu_owner_is(&session.owner, bpmu_owner_sender(request))) {
		NL_SET_ERR_MSG(extack, "the counters are in use by another process");
		return -EBUSY;
	}
	bpmu_owner_renew(&session.owner);
	return 0;
}

static int check_configure(const struct sk_buff *request,
			   const struct bpmu_settings *settings,
			   struct netlink_ext_ack *extack)
{
	int err;

	if (session.state != BPMU_STATE_IDLE) {
		err = check_owner(request, extack);
		if (err)
			return err;
	}
	if (session.state == BPMU_STATE_RUNNING) {
		NL_SET_ERR_MSG(extack, "the session is running; stop it first");
		return -EBUSY;
	}
	if (!cpumask_subset(settings->cpus, cpu_online_mask)) {
		NL_SET_ERR_MSG(extack, "a CPU of BPMU_A_CPUS is absent or offline");
		return -ENODEV;
	}
	if (session.asleep) {
		NL_SET_ERR_MSG(extack,
			       "the machine is being suspended or shut down; try again after it resumed");
		return -EBUSY;
	}
	if (settings->siblings != bpmu_settings_have_siblings(settings)) {
		NL_SET_ERR_MSG(extack, "a CPU went offline or came online meanwhile; try again");
		return -EAGAIN;
	}
	return 0;
}

/*
 * Refuses BPMU_CMD_CONFIGURE if there is a session now: the sender's old session has ended, but
 * another thread may have configured a new session since. Returns 0, or a negative errno after a
 * sentence was set.
 */
static int check_still_idle(const struct sk_buff *request,
			    const struct bpmu_settings *settings,
			    struct netlink_ext_ack *extack)
{
	int err = check_configure(request, settings, extack);

	if (!err && session.state != BPMU_STATE_IDLE) {
		NL_SET_ERR_MSG(extack,
			       "another thread has configured a session meanwhile; try again");
		return -EAGAIN;
	}
	return err;
}

static int begin_session(struct sk_buff *request, const struct bpmu_counted *counted,
			 struct netlink_ext_ack *extack)
{
	int err;

	if (!try_module_get(THIS_MODULE)) {
		NL_SET_ERR_MSG(extack, "the module is being unloaded");
		return -ENODEV;
	}
	bpmu_tsc_begin();
	err = bpmu_counters_take(counted, extack);
	if (err) {
		module_put(THIS_MODULE);
		return err;
	}
	counted->settings->number = ++session.number;
	session.counted = *counted;
	session.run++;
	bpmu_owner_set(&session.owner, request);
	set_state(BPMU_STATE_READY);
	return 0;
}

/**
 * bpmu_session_configure() - begin the session that a request configures
 * @request: message of the caller, who becomes the owner
 * @counted: @settings and @plan, which are checked; @memory is allocated here. On success the
 *	session owns them; on failure @settings and @plan still belong to the caller.
 * @extack: set to a sentence on refusal
 *
 * A stopped session of the same owner is ended first.
 *
 * Context: process, may sleep; takes the session's lock.
 * Return: 0; -EBUSY if another process owns the session or the machine is suspended;
 * -ENODEV for an offline CPU; -EAGAIN if CPUs or the session changed meanwhile; -ENOMEM; or an
 * error of bpmu_counters_claim() or bpmu_counters_take().
 */
int bpmu_session_configure(struct sk_buff *request,
			   struct bpmu_counted *counted, struct netlink_ext_ack *extack)
{
	struct ended ended = { };
	int err;

	lock_session();
	err = check_configure(request, counted->settings, extack);
	if (!err && session.state == BPMU_STATE_READY)
		end_session(&ended);
	unlock_session();
	free_ended(&ended);
	if (err)
		return err;
	counted->memory = bpmu_samplers_alloc(counted->settings, counted->plan,
					      extack);
	if (!counted->memory)
		return -ENOMEM;
	err = bpmu_slices_alloc(counted->plan, counted->settings, extack);
	if (err)
		goto err_memory;
	err = bpmu_counters_claim(counted, extack);
	if (err)
		goto err_slices;
	lock_session();
	err = check_still_idle(request, counted->settings, extack);
	if (!err)
		err = begin_session(request, counted, extack);
	unlock_session();
	if (!err)
		return 0;
	bpmu_counters_unclaim(counted);
err_slices:
	bpmu_slices_free(counted->plan);
err_memory:
	bpmu_samplers_free(counted->memory);
	counted->memory = NULL;
	return err;
}

/**
 * bpmu_session_start() - start a run of the session
 * @request: message of the caller
 * @extack: set to a sentence on refusal
 *
 * Context: process, may sleep; takes the session's lock.
 * Return: 0, -ENOTCONN without a session, -EBUSY if the caller does not own the session or if the
 * session runs already.
 */
int bpmu_session_start(struct sk_buff *request, struct netlink_ext_ack *extack)
{
	int err;

	lock_session();
	err = check_owner(request, extack);
	if (!err && session.state == BPMU_STATE_RUNNING) {
		NL_SET_ERR_MSG(extack, "the session is running already");
		err = -EBUSY;
	}
	if (!err) {
		session.run++;
		bpmu_counters_start(&session.counted);
		set_state(BPMU_STATE_RUNNING);
	}
	unlock_session();
	return err;
}

static int check_running(const struct sk_buff *request, struct netlink_ext_ack *extack)
{
	int err = check_owner(request, extack);

	if (!err && session.state != BPMU_STATE_RUNNING) {
		NL_SET_ERR_MSG(extack, "the session is not running; start it first");
		err = -EINVAL;
	}
	return err;
}

/**
 * bpmu_session_stop() - stop the run of the session; its samples stay readable
 * @request: message of the caller
 * @extack: set to a sentence on refusal
 *
 * Context: process, may sleep; takes the session's lock.
 * Return: 0, -ENOTCONN without a session, -EBUSY if the caller does not own the session, -EINVAL if
 * the session is not running.
 */
int bpmu_session_stop(struct sk_buff *request, struct netlink_ext_ack *extack)
{
	int err;

	lock_session();
	err = check_running(request, extack);
	if (!err) {
		bpmu_counters_stop(&session.counted);
		set_state(BPMU_STATE_READY);
	}
	unlock_session();
	return err;
}

/**
 * bpmu_session_sample() - take a sample of the session on all its CPUs now
 * @request: message of the caller
 * @extack: set to a sentence on refusal
 *
 * Context: process, may sleep; takes the session's lock.
 * Return: 0, -ENOTCONN without a session, -EBUSY if the caller does not own the session, -EINVAL if
 * the session is not running.
 */
int bpmu_session_sample(struct sk_buff *request, struct netlink_ext_ack *extack)
{
	int err;

	lock_session();
	err = check_running(request, extack);
	if (!err)
		bpmu_counters_request(&session.counted);
	unlock_session();
	return err;
}

/**
 * bpmu_session_swap_settings() - copy the session's settings, by which a swap parses its groups
 * @request: message of the caller
 * @settings: set to a copy of the session's settings
 * @extack: set to a sentence on refusal
 *
 * Context: process, may sleep; takes the session's lock.
 * Return: 0, -ENOTCONN without a session, -EBUSY if the caller does not own the session, -EINVAL if
 * the session is not running.
 */
int bpmu_session_swap_settings(struct sk_buff *request,
			       struct bpmu_settings *settings,
			       struct netlink_ext_ack *extack)
{
	int err;

	lock_session();
	err = check_running(request, extack);
	if (!err)
		bpmu_settings_copy(settings, session.counted.settings);
	unlock_session();
	return err;
}

static int check_swap(const struct sk_buff *request,
		      const struct bpmu_settings *settings,
		      const struct bpmu_plan *plan, struct netlink_ext_ack *extack)
{
	const struct bpmu_plan *old = session.counted.plan;
	int err = check_running(request, extack);
	unsigned int bank;

	if (err)
		return err;
	if (settings->number != session.counted.settings->number) {
		NL_SET_ERR_MSG(extack,
			       "another thread has configured a session meanwhile; try again");
		return -EAGAIN;
	}
	if (settings->overflows || bpmu_plan_interrupts(plan)) {
		NL_SET_ERR_MSG(extack,
			       "groups with an event that interrupts cannot be swapped; stop and configure");
		return -EINVAL;
	}
	for (bank = 0; bank < BPMU_BANKS; bank++)
		if (bpmu_plan_uses(plan, bank) != bpmu_plan_uses(old, bank)) {
			NL_SET_ERR_MSG(extack,
				       "a swap must keep the set of banks: core, uncore, free-running");
			return -EINVAL;
		}
	if (bpmu_plan_extras_clash(settings, plan, old)) {
		NL_SET_ERR_MSG(extack,
			       "the threads of a core share the off-core registers of this part: a swap must keep their values");
		return -EINVAL;
	}
	if (bpmu_plan_record_size(plan, settings) > settings->record_size) {
		NL_SET_ERR_MSG(extack,
			       "a group has more events than the session's records can hold");
		return -EINVAL;
	}
	return 0;
}

/**
 * bpmu_session_swap() - replace the plan of the session, which goes on with other groups
 * @request: message of the caller
 * @settings: copy of the session's settings for which the groups were checked
 * @plan: checked groups, which belong to the session on success
 * @extack: set to a sentence on refusal
 *
 * The swap is a transaction: all CPUs change to the groups of @plan, or all continue with the old
 * groups.
 *
 * Context: process, may sleep; takes the session's lock.
 * Return: 0; -ENOTCONN without a session; -EBUSY if the caller does not own the session; -EINVAL if
 * the session is not running or the groups cannot be swapped in; -EAGAIN if the session is not the
 * one of @settings any more; -ENOMEM; or an error of bpmu_counters_try().
 */
int bpmu_session_swap(struct sk_buff *request, const struct bpmu_settings *settings,
		      struct bpmu_plan *plan, struct netlink_ext_ack *extack)
{
	struct bpmu_plan *old = plan;
	int err;

	err = bpmu_slices_alloc(plan, settings, extack);
	if (err)
		return err;
	lock_session();
	err = check_swap(request, settings, plan, extack);
	if (!err)
		err = bpmu_counters_try(&session.counted, plan, extack);
	if (!err) {
		old = session.counted.plan;
		plan->number = old->number + 1;
		session.counted.plan = plan;
		bpmu_counters_swap(&session.counted);
	}
	unlock_session();
	bpmu_slices_free(old);
	if (!err)
		bpmu_plan_free(old);
	return err;
}

/**
 * bpmu_session_release() - end the session at its owner's request
 * @request: message of the caller
 * @extack: set to a sentence on refusal
 *
 * Context: process, may sleep; takes the session's lock.
 * Return: 0, also without a session; -EBUSY if the caller does not own the session.
 */
int bpmu_session_release(struct sk_buff *request, struct netlink_ext_ack *extack)
{
	struct ended ended = { };
	int err = 0;

	lock_session();
	if (session.state != BPMU_STATE_IDLE) {
		err = check_owner(request, extack);
		if (!err)
			end_session(&ended);
	}
	unlock_session();
	free_ended(&ended);
	return err;
}

/**
 * bpmu_session_port_closed() - end the session if the socket that was closed was its owner's
 * @port: port number of the netlink socket that was closed
 *
 * No lock is taken unless the owner's socket had that port number.
 *
 * Context: process, may sleep; takes the session's lock.
 */
void bpmu_session_port_closed(u32 port)
{
	struct ended ended = { };

	if (!bpmu_owner_had_port(&session.owner, port))
		return;
	lock_session();
	if (session.state != BPMU_STATE_IDLE &&
	    bpmu_owner_is_closed(&session.owner))
		end_session(&ended);
	unlock_session();
	free_ended(&ended);
}

static void fill_view(struct bpmu_session_view *view)
{
	view->state = session.state;
	view->owner = &session.owner;
	view->counted = &session.counted;
	view->run = session.run;
}

/**
 * bpmu_session_view_begin() - lock the session and show it to any reader
 * @to: set to state and data of the session, valid until bpmu_session_view_end()
 *
 * Context: process, may sleep; takes the session's lock and keeps it.
 */
void bpmu_session_view_begin(struct bpmu_session_view *to)
{
	mutex_lock(&session_lock);
	fill_view(to);
}

/*
 * Refuses a reader that does not own the session, if its samples name interrupted processes.
 * Returns 0, or -EPERM after a sentence was set.
 */
static int check_reader(struct netlink_ext_ack *extack)
{
	if (!session.counted.settings->who && !session.counted.settings->overflows)
		return 0;
	NL_SET_ERR_MSG(extack,
		       "the session's samples name processes: only its owner may read them");
	return -EPERM;
}

/**
 * bpmu_session_read_begin() - lock the session and its buffers for reading samples
 * @request: message of the caller
 * @reader: the caller may read samples even if it is not the owner
 * @to: set to state and data of the session, valid until bpmu_session_view_end()
 * @owner: set to true if the caller is the owner, who takes the samples out of the buffers
 * @extack: set to a sentence on refusal
 *
 * Context: process, may sleep; takes the session's lock and keeps it until
 * bpmu_session_view_end(), unless it refuses.
 * Return: 0, -ENOTCONN without a session, -EBUSY if the caller does not own the session and @reader
 * is false, -EPERM if only the owner may read the session's samples.
 */
int bpmu_session_read_begin(struct sk_buff *request, bool reader,
			    struct bpmu_session_view *to, bool *owner,
			    struct netlink_ext_ack *extack)
{
	int err;

	mutex_lock(&session_lock);
	err = check_owner(request, extack);
	*owner = !err;
	if (err == -EBUSY && reader)
		err = check_reader(extack);
	if (err) {
		mutex_unlock(&session_lock);
		return err;
	}
	fill_view(to);
	return 0;
}

/**
 * bpmu_session_view_end() - unlock the session
 *
 * Context: process; drops the session's lock.
 */
void bpmu_session_view_end(void)
{
	mutex_unlock(&session_lock);
}

/**
 * bpmu_session_counters_busy() - check if no session can begin, because perf holds the counters
 *
 * Without a session the function reserves the counters and releases them at once. In between perf
 * would be refused. The function is therefore called only for senders that may program counters.
 *
 * Context: process, may sleep; takes the session's lock.
 * Return: true if perf or the NMI watchdog holds the counters; false also if there is a session.
 */
bool bpmu_session_counters_busy(void)
{
	bool busy = false;

	mutex_lock(&session_lock);
	if (session.state == BPMU_STATE_IDLE) {
		busy = bpmu_pmu_reserve();
		if (!busy)
			bpmu_pmu_release();
	}
	mutex_unlock(&session_lock);
	return busy;
}

static bool is_measured(unsigned int cpu)
{
	return session.state != BPMU_STATE_IDLE && !session.asleep &&
	       cpumask_test_cpu(cpu, session.counted.settings->cpus);
}

static bool is_running(void)
{
	return session.state == BPMU_STATE_RUNNING;
}

/**
 * bpmu_session_cpu_online() - extend the session to a CPU that came online
 * @cpu: number of the CPU that runs this
 *
 * Context: that CPU's hotplug thread; takes the session's lock.
 */
void bpmu_session_cpu_online(unsigned int cpu)
{
	mutex_lock(&session_lock);
	if (is_measured(cpu))
		bpmu_counters_online(&session.counted, cpu, is_running());
	mutex_unlock(&session_lock);
}

/**
 * bpmu_session_cpu_offline() - let the session give up a CPU that goes offline
 * @cpu: number of the CPU that runs this
 *
 * Context: that CPU's hotplug thread; takes the session's lock.
 */
void bpmu_session_cpu_offline(unsigned int cpu)
{
	mutex_lock(&session_lock);
	if (is_measured(cpu))
		bpmu_counters_offline(&session.counted, cpu, is_running());
	mutex_unlock(&session_lock);
}

/**
 * bpmu_session_device_removed() - let the session lose its boxes in a PCI device that is removed
 * @pci: the device
 *
 * The session loses the boxes whose registers are in the device, or whose registers' address the
 * device holds.
 *
 * Context: process, may sleep; takes the session's lock.
 */
void bpmu_session_device_removed(struct pci_dev *pci)
{
	lock_session();
	if (session.state != BPMU_STATE_IDLE && !session.asleep)
		bpmu_counters_device_removed(&session.counted, pci);
	unlock_session();
}

/**
 * bpmu_session_sleep() - let the session give its counters up before the machine suspends
 *
 * The boot CPU does not go offline, yet a suspend resets its registers. Therefore the counters of
 * all CPUs are given back until the machine has resumed.
 *
 * Context: process, may sleep; takes the session's lock.
 */
void bpmu_session_sleep(void)
{
	lock_session();
	session.asleep = true;
	if (session.state != BPMU_STATE_IDLE)
		bpmu_counters_suspend(&session.counted);
	bpmu_tsc_sleep();
	unlock_session();
}

/**
 * bpmu_session_wake() - let the session take its counters again after the machine resumed
 *
 * A CPU that cannot be programmed again is not measured any more, as a flag of its last sample
 * says.
 *
 * Context: process, may sleep; takes the session's lock.
 */
void bpmu_session_wake(void)
{
	lock_session();
	session.asleep = false;
	bpmu_tsc_wake();
	if (session.state != BPMU_STATE_IDLE)
		bpmu_counters_resume(&session.counted, is_running());
	unlock_session();
}

/**
 * bpmu_session_shutdown() - end any session and refuse new ones, because the machine reboots
 *
 * No session can begin afterwards, so the next kernel finds the values that the registers had
 * before the session.
 *
 * Context: process, may sleep; takes the session's lock.
 */
void bpmu_session_shutdown(void)
{
	struct ended ended = { };

	lock_session();
	session.asleep = true;
	if (session.state != BPMU_STATE_IDLE)
		end_session(&ended);
	unlock_session();
	free_ended(&ended);
}
