/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Groups of events as they are asked for, out of those that were recorded.
 */
#ifndef BPMU_REPORT_MAP_H
#define BPMU_REPORT_MAP_H

#include "measure.h"

/**
 * struct bpmu_map_kind - the same on CPUs of a kind
 * @wanted: groups that are asked for
 * @recorded: groups that were counted
 * @slot: slot of @recorded that has the event, [nr slots of @wanted]
 * @nr_cpus: of the intervals
 */
struct bpmu_map_kind {
	const struct bpmu_groups *wanted;
	const struct bpmu_groups *recorded;
	unsigned int *slot;
	unsigned int nr_cpus;
};

/**
 * struct bpmu_map - where the counts are
 * @kind: on CPUs of each kind, [@nr_kinds]
 * @nr_kinds: how many there are
 * @cell: of an interval of what is asked for
 * @batch: of the same
 * @batches: of each cell
 * @missing: an event that is in no group, or NULL
 */
struct bpmu_map {
	struct bpmu_map_kind kind[BPMU_KINDS];
	unsigned int nr_kinds;
	struct bpmu_cell *cell;
	struct bpmu_batch *batch;
	unsigned int batches;
	const char *missing;
};

int bpmu_map_make(struct bpmu_map *map, const struct bpmu_measure *wanted,
		  const struct bpmu_measure *recorded, unsigned int batches,
		  struct bpmu_error *err);
void bpmu_map_interval(struct bpmu_map *map, struct bpmu_interval *interval);
void bpmu_map_free(struct bpmu_map *map);

#endif /* BPMU_REPORT_MAP_H */
