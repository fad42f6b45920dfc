// SPDX-License-Identifier: GPL-2.0
#include "who.h"

#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/string.h>

/**
 * bpmu_who_hide() - who was interrupted: hide a kernel address
 * @who: copy that is sent to a reader
 *
 * Context: any.
 */
void bpmu_who_hide(struct bpmu_who *who)
{
	if (!(who->flags & BPMU_WHO_KERNEL))
		return;
	who->ip = 0;
	who->flags |= BPMU_WHO_HIDDEN;
}

/**
 * bpmu_who_task() - find who was interrupted: the thread that a sample names
 * @who: interrupted task of a sample in the buffer
 *
 * Context: any, under RCU.
 * Return: the thread, NULL if it has ended.
 */
struct task_struct *bpmu_who_task(const struct bpmu_who *who)
{
	struct pid *pid = find_pid_ns(who->pid, &init_pid_ns);
	struct task_struct *task = pid_task(pid, PIDTYPE_PID);

	return task && bpmu_who_mark(task) == who->pad ? task : NULL;
}

/**
 * bpmu_who_hide_task() - hide who was interrupted: clear the fields that identify the thread
 * @who: copy that is sent to a reader
 *
 * Context: any.
 */
void bpmu_who_hide_task(struct bpmu_who *who)
{
	who->pid = 0;
	who->tgid = 0;
	memset(who->comm, 0, sizeof(who->comm));
	who->flags |= BPMU_WHO_UNNAMED;
	if (!(who->flags & BPMU_WHO_KERNEL))
		who->ip = 0;
}
