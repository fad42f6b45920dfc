/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which counters this machine has, and their reservation.
 */
#ifndef BPMU_PROBE_H
#define BPMU_PROBE_H

#include <linux/types.h>

bool bpmu_probe_full_width(void);

#endif /* BPMU_PROBE_H */
