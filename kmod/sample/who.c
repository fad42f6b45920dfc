// SPDX-License-Identifier: GPL-2.0
#include "who.h"

#include <linux/build_bug.h>
#include <linux/kernel.h>
#include <linux/pid.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/string.h>

/*
 * Sets &bpmu_who.ip to the address of the interrupted instruction. Returns a set of &enum
 * bpmu_who_flag, which say if that address is in the kernel.
 */
static u32 fill_ip(struct bpmu_who *who, struct pt_regs *regs)
{
	if (!regs) {
		who->ip = 0;
		return BPMU_WHO_NOWHERE;
	}
	who->ip = instruction_pointer(regs);
	return user_mode(regs) ? 0 : BPMU_WHO_KERNEL;
}

static u32 mark_of(const struct task_struct *task)
{
	return lower_32_bits(task->start_time);
}

/**
 * bpmu_who_fill() - describe who is interrupted: the task on this CPU and its instruction
 * @who: set to the description
 * @regs: registers of the interrupted code, NULL outside of an interrupt
 *
 * The task's name is copied without its lock. If the name changes meanwhile, the copy may be a
 * mixture of the old and the new name.
 *
 * The process and thread numbers are of the initial PID namespace. A later thread may get the same
 * number while the record is in the buffer; &bpmu_who.pad then holds a mark that tells the two
 * threads apart.
 *
 * Context: any, interrupts off, also NMI.
 */
void bpmu_who_fill(struct bpmu_who *who, struct pt_regs *regs)
{
	BUILD_BUG_ON(sizeof(who->comm) != sizeof(current->comm));

	who->pid = current->pid;
	who->tgid = current->tgid;
	who->flags = fill_ip(who, regs) | (is_idle_task(current) ? BPMU_WHO_IDLE : 0);
	who->pad = mark_of(current);
	memcpy(who->comm, current->comm, sizeof(who->comm));
	who->comm[sizeof(who->comm) - 1] = '\0';
}

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

	return task && mark_of(task) == who->pad ? task : NULL;
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
