/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Maps the counts of a recording to the events that the user requests. Each requested event must
 * have been recorded, but may have been recorded in another group.
 */
#ifndef BPMU_REPORT_MAP_H
#define BPMU_REPORT_MAP_H

#include "measure.h"

/**
 * struct bpmu_map_core_type - where the requested events of one core type were recorded
 * @wanted: requested groups
 * @recorded: recorded groups
 * @slot: number of the counter of @recorded that counted the same event, [number of the counter of
 *	@wanted]. Counters of all groups are numbered together, from 0
 * @nr_cpus: number of requested CPUs of the core type
 */
struct bpmu_map_core_type {
	const struct bpmu_groups *wanted;
	const struct bpmu_groups *recorded;
	unsigned int *slot;
	unsigned int nr_cpus;
};

/**
 * struct bpmu_map - map from the recorded groups to the requested groups
 * @core_type: map of each core type, [@nr_core_types]
 * @nr_core_types: number of core types
 * @cell: counts of the requested events in the latest interval, [CPU][counter of the requested
 *	groups], core type after core type
 * @batch: the counts of @cell, summed separately for batches (sets of rotation slices),
 *	[number of @cell][@batches]
 * @batches: number of batches; 0 if the recorded groups were not multiplexed
 */
struct bpmu_map {
	struct bpmu_map_core_type core_type[BPMU_CORE_TYPES];
	unsigned int nr_core_types;
	struct bpmu_cell *cell;
	struct bpmu_batch *batch;
	unsigned int batches;
};

int bpmu_map_make(struct bpmu_map *map, const struct bpmu_measure *wanted,
		  const struct bpmu_measure *recorded, unsigned int batches,
		  struct bpmu_error *err);
void bpmu_map_interval(struct bpmu_map *map, struct bpmu_interval *interval);
void bpmu_map_free(struct bpmu_map *map);

#endif /* BPMU_REPORT_MAP_H */
