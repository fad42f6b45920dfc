/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lists of CPUs, such as "0-3,8".
 */
#ifndef BPMU_CPULIST_H
#define BPMU_CPULIST_H

#include <stdbool.h>

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
void bpmu_cpulist_free(struct bpmu_cpulist *list);

#endif /* BPMU_CPULIST_H */
