/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The uncore of Intel's clients: addresses of its registers, and which L3 slices belong to a CBo.
 */
#ifndef VPMU_CLIENT_H
#define VPMU_CLIENT_H

#include <stdbool.h>

#include "machine/part.h"
#include "memory/tracker.h"

/* maximum number of CBos of a CPU model */
#define VPMU_CLIENT_BOXES 8

/**
 * struct vpmu_uncore_part - uncore registers of a client
 * @global_ctrl: MSR with the global enable bit; 0 if the enable bit of an event select suffices
 * @clock_select: MSR of the control register of the clock's counter
 * @clock_counter: MSR of the clock's counter, 0 for the MSR after @clock_select
 * @arb_select: MSR of event select 0 of the first arbiter
 * @arb_counter: MSR of counter 0 of the first arbiter
 * @arb_counters: number of counters per arbiter
 * @arb_boxes: number of arbiters
 * @arb_step: distance between the event selects of two arbiters, in MSRs
 * @cbo_select: MSR of event select 0 of the first CBo
 * @cbo_counter: MSR of counter 0 of the first CBo
 * @cbo_step: distance between the event selects of two CBos, in MSRs
 * @cbo_threshold: threshold field of a CBo's event select
 * @max_boxes: maximum number of CBos
 * @box_counters: number of counters per CBo
 * @queue_select: MSR of event select 0 of the global queue
 * @queue_counter: MSR of counter 0 of the global queue
 * @queue_counters: number of the global queue's counters, 0 for a part with arbiters and CBos
 * @graphics: the number of CBos that MSR 0x396 reports includes the L3 slice of the graphics
 */
struct vpmu_uncore_part {
	uint32_t global_ctrl;
	uint32_t clock_select;
	uint32_t clock_counter;
	uint32_t arb_select;
	uint32_t arb_counter;
	unsigned int arb_counters;
	unsigned int arb_boxes;
	uint32_t arb_step;
	uint32_t cbo_select;
	uint32_t cbo_counter;
	uint32_t cbo_step;
	uint64_t cbo_threshold;
	unsigned int max_boxes;
	unsigned int box_counters;
	uint32_t queue_select;
	uint32_t queue_counter;
	unsigned int queue_counters;
	bool graphics;
};

unsigned int vpmu_client_boxes(void);
bool vpmu_client_slice_in(unsigned int slice, unsigned int box);
void vpmu_client_traffic(struct vcore_traffic *sum);

#endif /* VPMU_CLIENT_H */
