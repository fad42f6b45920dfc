/* SPDX-License-Identifier: GPL-2.0 */
/*
 * AMD's uncore counters: pairs of MSRs, an event select and its counter. Several vCPUs
 * share them.
 */
#ifndef VPMU_PAIRS_H
#define VPMU_PAIRS_H

#include "machine/cpu.h"

/* enable bit of the event selects of AMD's L3 and data fabric; UMCs have another enable bit */
#define VPMU_PAIR_EN VPMU_BIT(22)

/**
 * struct vpmu_pair - an event select of AMD's, and its counter, which is the next MSR
 * @select: event select
 * @counter: value of the counter
 */
struct vpmu_pair {
	uint64_t select;
	uint64_t counter;
};

/**
 * struct vpmu_pairs - the pairs of event select and counter of a box that one vCPU can access
 * @box: name of the box in the list of events that the guest selects, but that never occur;
 *	argument of vpmu_uncounted_box()
 * @first: MSR of the first event select
 * @nr: number of pairs, 0 if the CPU model has none
 * @legal: legal bits of an event select
 * @enable: enable bit of an event select
 * @event: bits of an event select that distinguish events; the other bits restrict the threads and
 *	slices whose events are counted
 * @saturates: a counter stays at its maximum; if false, it wraps to 0
 * @pair: the pairs, [@nr]
 */
struct vpmu_pairs {
	const char *box;
	uint32_t first;
	unsigned int nr;
	uint64_t legal;
	uint64_t enable;
	uint64_t event;
	bool saturates;
	struct vpmu_pair *pair;
};

void vpmu_pairs_init(struct vpmu_pair *pair, unsigned int nr);
bool vpmu_pairs_read(const struct vpmu_pairs *pairs, uint32_t msr,
		     uint64_t *value);
bool vpmu_pairs_write(const struct vpmu_pairs *pairs, struct vpmu_cpu *cpu,
		      uint32_t msr, uint64_t value);
uint64_t vpmu_pairs_value(const struct vpmu_pairs *pairs, unsigned int i);
void vpmu_pairs_add(const struct vpmu_pairs *pairs, unsigned int i, uint32_t count);

#endif /* VPMU_PAIRS_H */
