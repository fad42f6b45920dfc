/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Who was interrupted: the task that ran on a CPU when the CPU's timer took a sample, or when a
 * counter overflowed.
 */
#ifndef BPMU_WHO_H
#define BPMU_WHO_H

#include <linux/barepmu.h>
#include <linux/build_bug.h>
#include <linux/kernel.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/string.h>

/**
 * bpmu_who_mark() - mark that tells two threads apart which have had the same number
 * @task: a thread
 *
 * Context: any.
 * Return: the mark.
 */
static inline u32 bpmu_who_mark(const struct task_struct *task)
{
	return lower_32_bits(task->start_time);
}

/**
 * bpmu_who_fill_ip() - describe where a task is interrupted
 * @who: its address is set
 * @regs: registers of the interrupted code, NULL outside of an interrupt
 *
 * Context: any, also NMI.
 * Return: set of &enum bpmu_who_flag, which say if that address is in the kernel.
 */
static __always_inline u32 bpmu_who_fill_ip(struct bpmu_who *who, struct pt_regs *regs)
{
	if (!regs) {
		who->ip = 0;
		return BPMU_WHO_NOWHERE;
	}
	who->ip = instruction_pointer(regs);
	return user_mode(regs) ? 0 : BPMU_WHO_KERNEL;
}

/**
 * bpmu_who_fill_task() - describe who is interrupted: the task on this CPU
 * @who: set to the description, but for the address
 * @flags: set of &enum bpmu_who_flag of the address
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
static __always_inline void bpmu_who_fill_task(struct bpmu_who *who, u32 flags)
{
	const struct task_struct *task = current;

	BUILD_BUG_ON(sizeof(who->comm) != sizeof(task->comm));

	who->pid = task->pid;
	who->tgid = task->tgid;
	who->flags = flags | (is_idle_task(task) ? BPMU_WHO_IDLE : 0);
	who->pad = bpmu_who_mark(task);
	memcpy(who->comm, task->comm, sizeof(who->comm));
	who->comm[sizeof(who->comm) - 1] = '\0';
}

/**
 * bpmu_who_fill() - describe who is interrupted: the task on this CPU and its instruction
 * @who: set to the description, as bpmu_who_fill_task() does
 * @regs: registers of the interrupted code, NULL outside of an interrupt
 *
 * Context: any, interrupts off, also NMI.
 */
static __always_inline void bpmu_who_fill(struct bpmu_who *who, struct pt_regs *regs)
{
	bpmu_who_fill_task(who, bpmu_who_fill_ip(who, regs));
}

/**
 * bpmu_who_fill_at() - describe who is interrupted: the task on this CPU, at a precise address
 * @who: set to the description, as bpmu_who_fill_task() does
 * @ip: address of the instruction that caused the event
 *
 * Context: any, interrupts off, also NMI.
 */
static __always_inline void bpmu_who_fill_at(struct bpmu_who *who, u64 ip)
{
	who->ip = ip;
	bpmu_who_fill_task(who, (s64)ip < 0 ? BPMU_WHO_KERNEL : 0);
}

/**
 * bpmu_who_at() - who was interrupted: replace the address by the one in a precise record
 * @who: from bpmu_who_fill()
 * @ip: address of the instruction that caused the event
 *
 * Context: any.
 */
static inline void bpmu_who_at(struct bpmu_who *who, u64 ip)
{
	who->ip = ip;
	who->flags &= ~(BPMU_WHO_KERNEL | BPMU_WHO_NOWHERE);
	if ((s64)ip < 0)
		who->flags |= BPMU_WHO_KERNEL;
}

/**
 * bpmu_who_forget_task() - clear the mark by which bpmu_who_task() recognises an interrupted thread
 * @who: copy that is sent to a reader
 *
 * Context: any.
 */
static inline void bpmu_who_forget_task(struct bpmu_who *who)
{
	who->pad = 0;
}

void bpmu_who_hide(struct bpmu_who *who);
struct task_struct *bpmu_who_task(const struct bpmu_who *who);
void bpmu_who_hide_task(struct bpmu_who *who);

#endif /* BPMU_WHO_H */
