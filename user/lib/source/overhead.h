/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What taking a sample costs on this machine.
 */
#ifndef BPMU_OVERHEAD_H
#define BPMU_OVERHEAD_H

#include "arch.h"
#include "base/error.h"
#include "base/fields.h"

#define BPMU_OVERHEAD_FIELDS 6

/**
 * struct bpmu_overhead - TSC ticks of a sample on the first CPU
 * @events: counters read
 * @samples: taken to find out
 * @median: of all that the handler does
 * @least: the cheapest one
 * @most: the dearest one
 * @reading: median of reading the counters alone
 * @reading_low: of its 95 % interval
 * @reading_high: of its 95 % interval
 */
struct bpmu_overhead {
	unsigned int events;
	unsigned int samples;
	u64 median;
	u64 least;
	u64 most;
	u64 reading;
	u64 reading_low;
	u64 reading_high;
};

void bpmu_overhead_fields(const struct bpmu_overhead *overhead,
			  struct bpmu_field field[BPMU_OVERHEAD_FIELDS]);
int bpmu_overhead_measure(struct bpmu_overhead *overhead,
			  struct bpmu_error *err);

#endif /* BPMU_OVERHEAD_H */
