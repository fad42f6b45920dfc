/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The sampler of one CPU: takes that CPU's counters, and its package's if it is
 * to read them, takes samples by a timer and on request, and stores them in that
 * CPU's buffer.
 */
#ifndef BPMU_SAMPLER_H
#define BPMU_SAMPLER_H

#include <linux/barepmu.h>
#include <linux/types.h>

#include "buffer.h"
#include "plan.h"

int bpmu_sampler_alloc(unsigned int cpu, const struct bpmu_plan *plan);
void bpmu_sampler_free(unsigned int cpu);
void bpmu_sampler_reset(unsigned int cpu);

int bpmu_sampler_acquire(const struct bpmu_plan *plan);
int bpmu_sampler_acquire_uncore(const struct bpmu_plan *plan);
void bpmu_sampler_release(void);
void bpmu_sampler_start(u32 why);
void bpmu_sampler_stop(u32 why);
void bpmu_sampler_request(void);
void bpmu_sampler_swap(const struct bpmu_plan *plan);

bool bpmu_sampler_reads_uncore(unsigned int cpu);
struct bpmu_buffer *bpmu_sampler_buffer(unsigned int cpu);

#endif /* BPMU_SAMPLER_H */
