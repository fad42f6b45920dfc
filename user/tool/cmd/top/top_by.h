/* SPDX-License-Identifier: GPL-2.0 */
/*
 * "barepmu top --by": a live view of where an event happens. The event interrupts, and what each
 * interval's interrupts have interrupted is summed by a key, as "barepmu report --by" does.
 */
#ifndef BPMU_TOP_BY_H
#define BPMU_TOP_BY_H

#include "options.h"
#include "source/analysis.h"
#include "top_by_draw.h"

int bpmu_top_by_run(struct bpmu_options *options, struct bpmu_analysis *analysis,
		    enum bpmu_by_type type, struct bpmu_error *err);

#endif /* BPMU_TOP_BY_H */
