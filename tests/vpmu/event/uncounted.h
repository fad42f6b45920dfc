/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The list of uncounted events: events that the guest selected in a counter, but that neither the
 * simulated core nor a simulated PMU box counts. The counter reads 0.
 */
#ifndef VPMU_UNCOUNTED_H
#define VPMU_UNCOUNTED_H

#include "machine/cpu.h"

void vpmu_uncounted_open(const char *name);
void vpmu_uncounted_see(const struct vpmu_snapshot *now, uint64_t select, unsigned int counter);
void vpmu_uncounted_box(const char *box, uint64_t select, uint64_t filter, bool counted);
void vpmu_uncounted_write(void);

#endif /* VPMU_UNCOUNTED_H */
