/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Call stacks of threads that do not run, of which a CPU has recorded the calls (call-stack mode of
 * the branch records).
 */
#ifndef BPMU_CALLS_H
#define BPMU_CALLS_H

struct bpmu_bank;
struct netlink_ext_ack;
struct task_struct;

int bpmu_calls_begin(struct netlink_ext_ack *extack);
void bpmu_calls_end(void);
void bpmu_calls_switch(const struct bpmu_bank *bank, const struct task_struct *prev,
		       const struct task_struct *next);

#endif /* BPMU_CALLS_H */
