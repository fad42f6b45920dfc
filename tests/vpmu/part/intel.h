/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Registers of the architectural PMU, and events that several of Intel's CPU models have.
 */
#ifndef VPMU_INTEL_H
#define VPMU_INTEL_H

#include "event/events.h"

/* Registers of versions 3 and 4 of architectural performance monitoring: SDM Vol. 4, table 2-2. */
#define VPMU_INTEL_V3 \
	.width = 48, \
	.fixed_width = 48, \
	.stride = 1, \
	.select = 0x186, \
	.counter = 0xc1, \
	.counter_full = 0x4c1, \
	.fixed = 0x309, \
	.fixed_ctrl = 0x38d, \
	.global_ctrl = 0x38f, \
	.global_status = 0x38e, \
	.global_ovf = 0x390, \
	.capabilities = 0x345

#define VPMU_INTEL_V4 \
	VPMU_INTEL_V3, \
	.global_set = 0x391, \
	.global_inuse = 0x392

extern const struct vpmu_event vpmu_intel_events[];
extern const struct vpmu_event vpmu_skl_events[];

#endif /* VPMU_INTEL_H */
