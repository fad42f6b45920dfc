/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The session: who measures what on which CPUs, from configuration to release.
 */
#ifndef BPMU_SESSION_H
#define BPMU_SESSION_H

#include <linux/barepmu.h>
#include <linux/sched.h>
#include <linux/types.h>

#include "plan.h"

/**
 * struct bpmu_session_info - the session as others may see it
 * @state: &enum bpmu_state
 * @pid: owner's process in the initial PID namespace, 0 if none
 * @comm: its name, "" if none
 */
struct bpmu_session_info {
	enum bpmu_state state;
	pid_t pid;
	char comm[TASK_COMM_LEN];
};

void bpmu_session_get_info(struct bpmu_session_info *info);
bool bpmu_session_counters_busy(void);

int bpmu_session_configure(u32 owner, struct bpmu_plan *plan,
			   const char **why);
int bpmu_session_start(u32 owner, const char **why);
int bpmu_session_stop(u32 owner, const char **why);
int bpmu_session_sample(u32 owner, const char **why);
int bpmu_session_swap_cpus(u32 owner, struct bpmu_plan *plan,
			   const char **why);
int bpmu_session_swap(u32 owner, struct bpmu_plan *plan, const char **why);
int bpmu_session_release(u32 owner, const char **why);
void bpmu_session_owner_gone(u32 owner);

const struct bpmu_plan *bpmu_session_read_begin(u32 owner, bool reader,
						bool *consume,
						const char **why);
void bpmu_session_describe(struct bpmu_session_info *info);
void bpmu_session_read_end(void);

void bpmu_session_cpu_online(unsigned int cpu);
void bpmu_session_cpu_offline(unsigned int cpu);
void bpmu_session_sleep(void);
void bpmu_session_wake(void);

#endif /* BPMU_SESSION_H */
