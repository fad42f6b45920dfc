/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Iterates over the memory mappings of a process, as /proc/PID/maps lists them.
 */
#ifndef BPMU_REGIONS_H
#define BPMU_REGIONS_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "arch.h"

/**
 * struct bpmu_region - a memory mapping of a process, a line of /proc/PID/maps
 * @start: first address
 * @end: first address after the mapping
 * @mode: permissions, such as "rw-p"; the last character is "s" for a shared mapping
 */
struct bpmu_region {
	u64 start;
	u64 end;
	char mode[5];
};

/**
 * struct bpmu_regions - iterator over the memory mappings of a process
 * @file: /proc/PID/maps, from which the line of the next mapping will be read
 */
struct bpmu_regions {
	FILE *file;
};

bool bpmu_regions_open(struct bpmu_regions *regions, pid_t pid);
bool bpmu_regions_next(struct bpmu_regions *regions,
		       struct bpmu_region *region);
void bpmu_regions_close(struct bpmu_regions *regions);
bool bpmu_regions_equal(pid_t one, pid_t other);

#endif /* BPMU_REGIONS_H */
