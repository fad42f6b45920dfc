// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel does not export the tracepoints of context switches and of executed programs by name,
 * but lets modules iterate over all tracepoints. The probes are registered only while a session
 * needs them, because a tracepoint without a probe costs nothing.
 */
#include "switches.h"

#include <linux/errno.h>
#include <linux/irqflags.h>
#include <linux/netlink.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include <trace/events/sched.h>

static struct tracepoint *sched_switch, *sched_process_exec;
static bpmu_switch_call *on_switch;
static void (*on_exec)(void);

static void bpmu_switches_probe(void *data, bool preempt, struct task_struct *prev,
				struct task_struct *next, unsigned int prev_state)
{
	on_switch(prev, next);
}

static void bpmu_exec_probe(void *data, struct task_struct *task, pid_t old_pid,
			    struct linux_binprm *program)
{
	unsigned long flags;

	local_irq_save(flags);
	on_exec();
	local_irq_restore(flags);
}

#ifdef CONFIG_TRACEPOINTS

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
	if (err || !on_exec)
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
	if (on_exec)
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
 * bpmu_switches_begin() - let functions be called at context switches and executions of programs
 * @call: called at each context switch of each CPU, with the previous thread and the next one; its
 *	context is the CPU, interrupts off, before the next thread runs
 * @exec: called when a thread has begun to execute another program; its context is the thread's
 *	CPU, interrupts off, before the program runs. May be NULL
 * @extack: set to a sentence on refusal
 *
 * Context: process, may sleep; not called again before bpmu_switches_end().
 * Return: 0, or -EOPNOTSUPP if the kernel tells modules of no context switches.
 */
int bpmu_switches_begin(bpmu_switch_call *call, void (*exec)(void),
			struct netlink_ext_ack *extack)
{
	on_switch = call;
	on_exec = exec;
	if (!add_probes())
		return 0;
	NL_SET_ERR_MSG(extack,
		       "the kernel has no tracepoint sched_switch, by which records of different threads are told apart");
	return -EOPNOTSUPP;
}

/**
 * bpmu_switches_end() - end the calls that bpmu_switches_begin() has begun
 *
 * Context: process, may sleep; afterwards no call runs.
 */
void bpmu_switches_end(void)
{
	remove_probes();
}
