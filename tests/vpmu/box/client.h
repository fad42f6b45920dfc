/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A client package: registers of its uncore, its CBos and what they watch.
 */
#ifndef VPMU_CLIENT_H
#define VPMU_CLIENT_H

#include <stdbool.h>

#include "machine/part.h"
#include "memory/tracker.h"

/* CBos of a part at most */
#define VPMU_CLIENT_BOXES 8

/**
 * struct vpmu_uncore_part - the uncore registers of a client part
 * @global_ctrl: MSR of the global enable bit, or 0: then a select's own is enough
 * @clock_select: MSR; the clock's counter is the next one
 * @arb_select: select of an arbiter's first counter
 * @arb_counter: that counter
 * @arb_counters: counters of an arbiter
 * @arb_boxes: arbiters
 * @arb_step: from one to the next
 * @cbo_select: select of a CBo's first counter
 * @cbo_counter: that counter
 * @cbo_step: from one CBo to the next
 * @cbo_threshold: bits of a select that are its threshold
 * @max_boxes: CBos, but not more than cores
 * @box_counters: counters a CBo
 * @graphics: MSR 0x396 counts the graphics' slice among the CBos
 */
struct vpmu_uncore_part {
	uint32_t global_ctrl;
	uint32_t clock_select;
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
	bool graphics;
};

unsigned int vpmu_client_boxes(void);
bool vpmu_client_slice_in(unsigned int slice, unsigned int box);
void vpmu_client_traffic(struct vcore_traffic *sum);

#endif /* VPMU_CLIENT_H */
