/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the parts' events have in common.
 */
#ifndef VPMU_EVENTS_H
#define VPMU_EVENTS_H

#include "vpmu.h"

#define CODE(event, umask) ((umask) << 8 | (event))

uint64_t vpmu_per_cycle(const struct vpmu_ring_counts *counts,
			enum vpmu_per_cycle what, uint64_t select);
uint64_t vpmu_intel_activity(const struct vpmu_ring_counts *counts,
			     uint64_t select);
uint64_t vpmu_intel_loads(const struct vpmu_ring_counts *counts,
			  unsigned int code);
uint64_t vpmu_intel_exact(const struct vpmu_snapshot *now, unsigned int ring,
			  unsigned int code);

#endif /* VPMU_EVENTS_H */
