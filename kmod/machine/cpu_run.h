/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions that run on other CPUs by inter-processor interrupt (IPI), and whose errors are
 * returned to the caller.
 */
#ifndef BPMU_CPU_RUN_H
#define BPMU_CPU_RUN_H

#include <linux/cpumask.h>

int bpmu_cpu_run(const struct cpumask *cpus, int (*fn)(void *arg), void *arg);
int bpmu_cpu_run_on(unsigned int cpu, int (*fn)(void *arg), void *arg);

#endif /* BPMU_CPU_RUN_H */
