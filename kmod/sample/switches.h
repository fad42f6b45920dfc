/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Context switches and executions of programs: what a CPU has recorded of one thread is read or
 * cleared before another thread, or another program, runs.
 */
#ifndef BPMU_SWITCHES_H
#define BPMU_SWITCHES_H

struct netlink_ext_ack;
struct task_struct;

typedef void bpmu_switch_call(const struct task_struct *prev, const struct task_struct *next);
typedef void bpmu_exec_call(void);

int bpmu_switches_claim(struct netlink_ext_ack *extack);
void bpmu_switches_unclaim(void);
void bpmu_switches_begin(bpmu_switch_call *call, bpmu_exec_call *exec);
void bpmu_switches_end(void);

#endif /* BPMU_SWITCHES_H */
