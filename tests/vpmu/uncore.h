/* SPDX-License-Identifier: GPL-2.0 */
#ifndef VPMU_UNCORE_H
#define VPMU_UNCORE_H

#include "memory/tracker.h"

void vpmu_uncore_traffic(struct vcore_traffic *sum);
bool vpmu_uncore_slice_in(unsigned int slice, unsigned int box);
unsigned int vpmu_uncore_boxes(void);

#endif /* VPMU_UNCORE_H */
