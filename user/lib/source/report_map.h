/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A map by which counts of the recorded groups of events become counts of the requested groups.
 */
#ifndef BPMU_REPORT_MAP_H
#define BPMU_REPORT_MAP_H

#include "measure.h"

/**
 * struct bpmu_map_core_type - map of the groups of one core type
 * @wanted: requested groups
 * @recorded: recorded groups
 * @slot: index of the slot of @recorded that counts the same event, [nr slots of @wanted]
 * @nr_cpus: number of CPUs of the core type in an interval
 */
struct bpmu_map_core_type {
	const struct bpmu_groups *wanted;
	const struct bpmu_groups *recorded;
	unsigned int *slot;
	unsigned int nr_cpus;
};

/**
 * struct bpmu_map - map from recorded to requested groups
 * @core_type: map of each core type, [@nr_core_types]
 * @nr_core_types: number of core types
 * @cell: counts of the mapped interval, [nr CPUs * slots of the requested groups]
 * @batch: these counts by batch of rotation slices, [nr CPUs * slots of the requested
 * groups][@batches]
 * @batches: number of batches
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
