/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_PFM_H
#define BPMU_PFM_H

#include "arch.h"
#include "base/error.h"

int bpmu_pfm_encode(const struct bpmu_part *part, const char *name, u64 *select,
		    u64 *extra, struct bpmu_error *err);

#endif /* BPMU_PFM_H */
