/* SPDX-License-Identifier: GPL-2.0 */
/*
 * CPUs: run something on some of them, and follow them as they come and go.
 */
#ifndef BPMU_CPU_H
#define BPMU_CPU_H

#include <linux/cpumask.h>

int bpmu_cpu_init(void);
void bpmu_cpu_exit(void);

int bpmu_cpu_run(const struct cpumask *cpus, int (*fn)(void *arg), void *arg);

#endif /* BPMU_CPU_H */
