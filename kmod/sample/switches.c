// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel does not export the tracepoints of context switches and of executed programs by name,
 * but lets modules iterate over all tracepoints. The probes are registered only while a session
 * needs them or tries to begin, because a tracepoint without a probe costs nothing.
 *
 * To register a probe and to remove it takes the hotplug lock for reading, since the kernel patches
 * its code (static_call_update()). A session that begins or ends holds this lock already, and a
 * task that takes it twice waits for ever if a CPU goes offline in between. So the probes are
 * registered before a session begins, and removed after it has ended. A session that ends waits for
 * running calls by synchronize_rcu(), because tracepoint_synchronize_unregister() may wait for a
 * thread that takes the hotplug lock (from Linux 6.13 on, until Tasks Trace RCU was done by SRCU).
 */
#include "switches.h"

#include <linux/errno.h>
#include <linux/irqflags.h>
#include <linux/mutex.h>
#include <linux/netlink.h>
#include <linux/rcupdate.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include <trace/events/sched.h>

/* Number of claims: the owner of a session has one, as have others that try to begin one. */
static DEFINE_MUTEX(claims_lock);
static unsigned int claims;

static bpmu_switch_call *on_switch;
static bpmu_exec_call *on_exec;

#ifdef CONFIG_TRACEPOINTS

static struct tracepoint *sched_switch, *sched_process_exec;

static void bpmu_switches_probe(void *data, bool preempt, struct task_struct *prev,
				struct task_struct *next, unsigned int prev_state)
{
	bpmu_switch_call *call = READ_ONCE(on_switch);

	if (call)
		call(prev, next);
}

static void bpmu_exec_probe(void *data, struct task_struct *task, pid_t old_pid,
			    struct linux_binprm *program)
{
	bpmu_exec_call *exec;
	unsigned long flags;

	local_irq_save(flags);
	exec = READ_ONCE(on_exec);
	if (exec)
		exec();
	local_irq_restore(flags);
}

static void take_if_ours(struct tracepoint *tracepoint, void *unused)
{
	if (!strcmp(tracepoint->name, "sched_switch"))
		sched_switch = tracepoint;
	else if (!strcmp(tracepoint->name, "sched_process_exec"))
		sched_process_exec = tracepoint;
}

static int add_probes(void)
{
	int err;

	check_trace_callback_type_sched_switch(bpmu_switches_probe);
	check_trace_callback_type_sched_process_exec(bpmu_exec_probe);
	for_each_kernel_tracepoint(take_if_ours, NULL);
	if (!sched_switch || !sched_process_exec)
		return -ENOENT;
	err = tracepoint_probe_register(sched_switch, bpmu_switches_probe, NULL);
	if (err)
		return err;
	err = tracepoint_probe_register(sched_process_exec, bpmu_exec_probe, NULL);
	if (!err)
		return 0;
	tracepoint_probe_unregister(sched_switch, bpmu_switches_probe, NULL);
	tracepoint_synchronize_unregister();
	return err;
}

static void remove_probes(void)
{
	tracepoint_probe_unregister(sched_process_exec, bpmu_exec_probe, NULL);
	tracepoint_probe_unregister(sched_switch, bpmu_switches_probe, NULL);
	tracepoint_synchronize_unregister();
}

#else

static int add_probes(void)
{
	return -ENOENT;
}

static void remove_probes(void)
{
}

#endif

/**
 * bpmu_switches_claim() - let the kernel tell the module of context switches and executed programs
 * @extack: set to a sentence on refusal
 *
 * Context: process, may sleep, no lock held.
 * Return: 0, or -EOPNOTSUPP if the kernel tells modules of no context switches, or lacks memory for
 * the probes.
 */
int bpmu_switches_claim(struct netlink_ext_ack *extack)
{
	int err = 0;

	mutex_lock(&claims_lock);
	if (!claims)
		err = add_probes();
	if (!err)
		claims++;
	mutex_unlock(&claims_lock);
	if (!err)
		return 0;
	NL_SET_ERR_MSG(extack,
		       "the kernel has no tracepoint sched_switch, by which records of different threads are told apart");
	return -EOPNOTSUPP;
}

/**
 * bpmu_switches_unclaim() - end a claim of bpmu_switches_claim()
 *
 * Context: process, may sleep, no lock held; with the last claim the module's probes are removed,
 * and none of them runs afterwards.
 */
void bpmu_switches_unclaim(void)
{
	mutex_lock(&claims_lock);
	if (!--claims)
		remove_probes();
	mutex_unlock(&claims_lock);
}

/**
 * bpmu_switches_begin() - let functions be called at context switches and executions of programs
 * @call: called at each context switch of each CPU, with the previous thread and the next one; its
 *	context is the CPU, interrupts off, before the next thread runs
 * @exec: called when a thread has begun to execute another program; its context is the thread's
 *	CPU, interrupts off, before the program runs. May be NULL
 *
 * Context: with a claim of bpmu_switches_claim(); not called again before bpmu_switches_end().
 */
void bpmu_switches_begin(bpmu_switch_call *call, bpmu_exec_call *exec)
{
	WRITE_ONCE(on_exec, exec);
	WRITE_ONCE(on_switch, call);
}

/**
 * bpmu_switches_end() - end the calls that bpmu_switches_begin() has begun
 *
 * Context: process, may sleep, also with the hotplug lock held; afterwards no call runs.
 */
void bpmu_switches_end(void)
{
	WRITE_ONCE(on_switch, NULL);
	WRITE_ONCE(on_exec, NULL);
	synchronize_rcu();
}
