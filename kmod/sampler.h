/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The sampler of one CPU: programs that CPU's counters, reads them on a timer
 * and on request, and stores the samples in that CPU's buffer.
 */
#ifndef BPMU_SAMPLER_H
#define BPMU_SAMPLER_H

#include <linux/barepmu.h>
#include <linux/types.h>

#include "buffer.h"
#include "plan.h"

int bpmu_sampler_alloc(unsigned int cpu, const struct bpmu_plan *plan);
void bpmu_sampler_free(unsigned int cpu);

int bpmu_sampler_acquire(const struct bpmu_plan *plan);
void bpmu_sampler_release(void);
void bpmu_sampler_reset(unsigned int cpu);
void bpmu_sampler_start(enum bpmu_sample_flag why);
void bpmu_sampler_stop(enum bpmu_sample_flag why);
void bpmu_sampler_request(void);

struct bpmu_buffer *bpmu_sampler_buffer(unsigned int cpu);
u32 bpmu_sampler_record_size(const struct bpmu_plan *plan);

#endif /* BPMU_SAMPLER_H */
