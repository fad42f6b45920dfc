/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_SHARE_DIFF_H
#define BPMU_SHARE_DIFF_H

#include <stdio.h>

#include "options.h"
#include "view/share_set.h"

int bpmu_share_diff(FILE *out, const struct bpmu_options *options,
		    const struct bpmu_share_set sets[2], struct bpmu_error *err);

#endif /* BPMU_SHARE_DIFF_H */
