/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Who was interrupted: the task that ran on a CPU when the CPU's timer took a sample, or when a
 * counter overflowed.
 */
#ifndef BPMU_WHO_H
#define BPMU_WHO_H

#include <linux/barepmu.h>

struct pt_regs;
struct task_struct;

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

void bpmu_who_fill(struct bpmu_who *who, struct pt_regs *regs);
void bpmu_who_hide(struct bpmu_who *who);
struct task_struct *bpmu_who_task(const struct bpmu_who *who);
void bpmu_who_hide_task(struct bpmu_who *who);

#endif /* BPMU_WHO_H */
