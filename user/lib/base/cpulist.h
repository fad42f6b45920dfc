/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lists of CPUs, such as "0-3,8".
 */
#ifndef BPMU_CPULIST_H
#define BPMU_CPULIST_H

#include <stdbool.h>
#include <sys/types.h>

#include "arch.h"
#include "error.h"

#define BPMU_CPULIST_MAX 8192

/**
 * struct bpmu_cpulist - CPUs in ascending order
 * @cpu: [@nr], CPU numbers
 * @nr: number of CPUs
 */
struct bpmu_cpulist {
	u32 *cpu;
	unsigned int nr;
};

/**
 * struct bpmu_cpu_mask - CPUs on which a thread may run
 * @word: a bit for each possible CPU, the lowest first. A cpu_set_t has bits for 1,024 CPUs
 *	only, so that sched_getaffinity() with one fails on kernels for more CPUs
 */
struct bpmu_cpu_mask {
	unsigned long word[BPMU_CPULIST_MAX / (8 * sizeof(long))];
};

int bpmu_cpulist_parse(const char *text, struct bpmu_cpulist *list,
		       struct bpmu_error *err);
int bpmu_cpulist_online(struct bpmu_cpulist *list, struct bpmu_error *err);
int bpmu_cpulist_select(const char *text, struct bpmu_cpulist *list,
			struct bpmu_error *err);
bool bpmu_cpulist_has(const struct bpmu_cpulist *list, u32 cpu);
int bpmu_cpulist_divide(struct bpmu_cpulist *list,
			const struct bpmu_cpulist *stay,
			struct bpmu_cpulist *rest, struct bpmu_error *err);
char *bpmu_cpulist_format(const struct bpmu_cpulist *list);
int bpmu_cpu_allowed(pid_t tid, struct bpmu_cpu_mask *mask);
int bpmu_cpu_allow(pid_t tid, const struct bpmu_cpu_mask *mask);
bool bpmu_cpu_is_in(const struct bpmu_cpu_mask *mask, u32 cpu);
int bpmu_cpu_last(const struct bpmu_cpu_mask *mask);
void bpmu_cpu_leave_out(struct bpmu_cpu_mask *mask, u32 cpu);
int bpmu_cpu_pin_thread(pid_t tid, u32 cpu);
int bpmu_cpu_pin(u32 cpu);
void bpmu_cpulist_free(struct bpmu_cpulist *list);

#endif /* BPMU_CPULIST_H */
