// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel does not export the tracepoint of context switches by name, but lets modules iterate
 * over all tracepoints. The probe is registered only while a session needs it, because a tracepoint
 * without a probe costs nothing.
 */
#include "switches.h"

#include <linux/errno.h>
#include <linux/netlink.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include <trace/events/sched.h>

static struct tracepoint *sched_switch;
static void (*on_switch)(void);

static void bpmu_switches_probe(void *data, bool preempt, struct task_struct *prev,
				struct task_struct *next, unsigned int prev_state)
{
	on_switch();
}

#ifdef CONFIG_TRACEPOINTS

static void take_if_switch(struct tracepoint *tracepoint, void *found)
{
	if (!strcmp(tracepoint->name, "sched_switch"))
		*(struct tracepoint **)found = tracepoint;
}

static int add_probe(void)
{
	check_trace_callback_type_sched_switch(bpmu_switches_probe);
	for_each_kernel_tracepoint(take_if_switch, &sched_switch);
	return sched_switch ? tracepoint_probe_register(sched_switch, bpmu_switches_probe, NULL) :
			      -ENOENT;
}

static void remove_probe(void)
{
	tracepoint_probe_unregister(sched_switch, bpmu_switches_probe, NULL);
	tracepoint_synchronize_unregister();
}

#else

static int add_probe(void)
{
	return -ENOENT;
}

static void remove_probe(void)
{
}

#endif

/**
 * bpmu_switches_begin() - let a function be called at each context switch of each CPU
 * @call: the function; its context is the CPU, interrupts off, before the next thread runs
 * @extack: set to a sentence on refusal
 *
 * Context: process, may sleep; not called again before bpmu_switches_end().
 * Return: 0, or -EOPNOTSUPP if the kernel tells modules of no context switches.
 */
int bpmu_switches_begin(void (*call)(void), struct netlink_ext_ack *extack)
{
	on_switch = call;
	if (!add_probe())
		return 0;
	NL_SET_ERR_MSG(extack,
		       "the kernel has no tracepoint sched_switch, by which records of different threads are told apart");
	return -EOPNOTSUPP;
}

/**
 * bpmu_switches_end() - end the calls at context switches that bpmu_switches_begin() has begun
 *
 * Context: process, may sleep; afterwards no call runs.
 */
void bpmu_switches_end(void)
{
	remove_probe();
}
