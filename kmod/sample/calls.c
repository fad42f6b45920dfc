// SPDX-License-Identifier: GPL-2.0
/*
 * When a CPU switches to another thread, the calls of the previous one are put into a table, and
 * those of the next one are put back into the CPU's registers. perf has room for them in its own
 * data of each thread. A module has none, and to allocate some is not possible here: a table of
 * fixed size holds those of threads that ran on whichever CPU. Threads whose PIDs have the same
 * lowest bits have one place in it: the later one drives out the other, whose callers are then
 * missing.
 *
 * What is in the table is of the thread only as long as the thread has not run again, on a CPU
 * without the session or with its counters stopped. The kernel counts the switches of each thread,
 * and the table has the count.
 */
#include "calls.h"

#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/netlink.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "bank/bank.h"
#include "bank/branches.h"

/* Number of threads that the table has room for: at least LEAST, and PER_CPU for each CPU. */
#define LEAST 256u
#define PER_CPU 32u

/**
 * struct kept - place in the table for the calls of a thread that does not run
 * @busy: 1 while a CPU reads or writes the place, else 0
 * @pid: the thread, in the initial PID namespace; 0 if the place is empty
 * @started: when the thread started, as a PID is used again
 * @switches: how often the CPU has switched from the thread to others
 * @calls: its calls that have not returned
 */
struct kept {
	atomic_t busy;
	pid_t pid;
	u64 started;
	unsigned long switches;
	struct bpmu_calls calls;
};

static struct kept *table;
static u32 places;

/**
 * bpmu_calls_begin() - allocate the table of the call stacks of threads
 * @extack: set to a sentence on refusal
 *
 * Context: process, may sleep; not called again before bpmu_calls_end().
 * Return: 0, or -ENOMEM.
 */
int bpmu_calls_begin(struct netlink_ext_ack *extack)
{
	places = roundup_pow_of_two(max(LEAST, num_possible_cpus() * PER_CPU));
	table = kvcalloc(places, sizeof(*table), GFP_KERNEL_ACCOUNT);
	if (table)
		return 0;
	NL_SET_ERR_MSG(extack, "there is no memory for the call stacks of threads");
	return -ENOMEM;
}

/**
 * bpmu_calls_end() - free the table of the call stacks of threads
 *
 * Context: process, may sleep; no call of bpmu_calls_switch() runs.
 */
void bpmu_calls_end(void)
{
	kvfree(table);
	table = NULL;
}

static unsigned long switches_of(const struct task_struct *task)
{
	return task->nvcsw + task->nivcsw;
}

/*
 * Returns the place of a thread in the table, which no other CPU uses until release_place(); or
 * NULL if another CPU uses it.
 */
static struct kept *take_place(const struct task_struct *task)
{
	struct kept *kept = table + (task->pid & (places - 1));

	return atomic_xchg_acquire(&kept->busy, 1) ? NULL : kept;
}

static void release_place(struct kept *kept)
{
	atomic_set_release(&kept->busy, 0);
}

static void keep_calls(const struct bpmu_bank *bank, const struct task_struct *prev)
{
	struct kept *kept = take_place(prev);

	if (!kept)
		return;
	kept->pid = prev->pid;
	kept->started = prev->start_time;
	kept->switches = switches_of(prev);
	bpmu_branches_take_calls(bank, &kept->calls);
	release_place(kept);
}

static void put_back(const struct bpmu_bank *bank, const struct task_struct *next)
{
	struct kept *kept = take_place(next);
	bool found = kept && kept->pid == next->pid && kept->started == next->start_time &&
		     kept->switches == switches_of(next);

	bpmu_branches_put_calls(bank, found ? &kept->calls : NULL, next);
	if (kept)
		release_place(kept);
}

/**
 * bpmu_calls_switch() - exchange the recorded calls of a thread for those of the next one
 * @bank: core bank of this CPU, whose branch records are a call stack
 * @prev: the thread that has run
 * @next: the thread that runs next
 *
 * Calls are recorded in user space only: a thread of the kernel has none, and leaves the
 * registers as they are.
 *
 * Context: this CPU, interrupts off, before the switch from @prev to @next; the sampling path.
 */
void bpmu_calls_switch(const struct bpmu_bank *bank, const struct task_struct *prev,
		       const struct task_struct *next)
{
	if (prev->mm)
		keep_calls(bank, prev);
	if (next->mm)
		put_back(bank, next);
}
