/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The sampler of one CPU: programs the counter banks that this CPU reads, takes
 * samples by a timer and on request, and stores them in the CPU's buffer.
 */
#ifndef BPMU_SAMPLER_H
#define BPMU_SAMPLER_H

#include <linux/barepmu.h>
#include <linux/types.h>

#include "bank/bank.h"
#include "bank/plan.h"
#include "buffer.h"

/**
 * struct bpmu_sampler_memory - a sampler's memory; allocated without any lock
 * @saved: values of the registers before the session, [BPMU_BANKS], each
 *	&bpmu_bank_ops.saved_size bytes; NULL for banks without groups or with size 0
 * @scratch: record for a sample that does not fit into the buffer
 * @buffer: buffer of the CPU's samples
 * @interrupts: overflow interrupts of the CPU; NULL if no event interrupts
 * @overflows: buffer of the records of overflow interrupts; unallocated if @interrupts is NULL
 */
struct bpmu_sampler_memory {
	void *saved[BPMU_BANKS];
	void *scratch;
	struct bpmu_buffer buffer;
	struct bpmu_interrupts *interrupts;
	struct bpmu_buffer overflows;
};

struct bpmu_sampler_memory *
bpmu_samplers_alloc(const struct bpmu_settings *settings,
		    const struct bpmu_plan *plan, struct netlink_ext_ack *extack);
void bpmu_samplers_free(struct bpmu_sampler_memory *memory);

void bpmu_sampler_install(unsigned int cpu,
			  const struct bpmu_settings *settings,
			  struct bpmu_sampler_memory *memory);
void bpmu_sampler_remove(unsigned int cpu);
void bpmu_sampler_reset(unsigned int cpu);
void bpmu_sampler_flag(unsigned int cpu, u32 flag, bool set);

void bpmu_sampler_lend(unsigned int cpu, bool lends);
void bpmu_sampler_watch(unsigned int cpu, unsigned int watched);

int bpmu_sampler_take(const struct bpmu_plan *plan, enum bpmu_bank_id bank);
void bpmu_sampler_lose(const struct bpmu_plan *plan, enum bpmu_bank_id id);
void bpmu_sampler_drop(enum bpmu_bank_id id);
void bpmu_sampler_give(void);
void bpmu_sampler_start(u32 why);
void bpmu_sampler_stop(u32 why);
void bpmu_sampler_fail(const struct bpmu_plan *plan, u32 why);
void bpmu_sampler_request(void);
int bpmu_sampler_try(const struct bpmu_plan *plan, enum bpmu_bank_id id);
void bpmu_sampler_swap(const struct bpmu_plan *plan);

const struct bpmu_bank *bpmu_sampler_bank(unsigned int cpu,
					  enum bpmu_bank_id bank);
struct bpmu_buffer *bpmu_sampler_buffer(unsigned int cpu);
struct bpmu_buffer *bpmu_sampler_overflows(unsigned int cpu);

#endif /* BPMU_SAMPLER_H */
