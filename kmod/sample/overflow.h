/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Overflow interrupts: when a counter overflows, an NMI writes a record of the interrupted task
 * into a buffer that only these records use. If the CPU itself writes many precise records before
 * it interrupts, they are also taken at each switch of threads and at each sample.
 */
#ifndef BPMU_OVERFLOW_H
#define BPMU_OVERFLOW_H

#include "bank/plan.h"

struct bpmu_bank;
struct bpmu_buffer;
struct netlink_ext_ack;

u32 bpmu_overflow_obstacles(const struct cpumask *cpus);
int bpmu_overflows_claim(const struct bpmu_settings *settings, struct netlink_ext_ack *extack);
void bpmu_overflows_unclaim(const struct bpmu_settings *settings);
int bpmu_overflows_begin(const struct bpmu_settings *settings, struct netlink_ext_ack *extack);
void bpmu_overflows_end(const struct bpmu_settings *settings);

u32 bpmu_overflow_buffer_size(const struct bpmu_settings *settings);
int bpmu_overflow_alloc(struct bpmu_buffer *buffer, const struct bpmu_settings *settings,
			int node);

void bpmu_overflow_attach(unsigned int cpu, const struct bpmu_bank *bank,
			  struct bpmu_buffer *buffer, const struct bpmu_settings *settings);
void bpmu_overflow_detach(unsigned int cpu);
void bpmu_overflow_drain(void);
void bpmu_overflow_reset(unsigned int cpu);

#endif /* BPMU_OVERFLOW_H */
