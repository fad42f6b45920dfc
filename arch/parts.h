/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_PARTS_H
#define BPMU_PARTS_H

#include "arch.h"

extern const struct bpmu_part bpmu_intel_ivb;
extern const struct bpmu_part bpmu_intel_knc;

#endif /* BPMU_PARTS_H */
