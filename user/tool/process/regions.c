// SPDX-License-Identifier: GPL-2.0
#include "regions.h"

#include <string.h>

#define LINE 512

/**
 * bpmu_regions_open() - start to iterate over the memory regions (mappings) of a process
 * @regions: output: the iterator, to be closed with bpmu_regions_close() if true is returned
 * @pid: the process
 *
 * Return: false if there is no such process.
 */
bool bpmu_regions_open(struct bpmu_regions *regions, pid_t pid)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	regions->file = fopen(path, "re");
	return regions->file;
}

/**
 * bpmu_regions_next() - read the next memory region of a process
 * @regions: iterator from bpmu_regions_open()
 * @region: output: the region
 *
 * Return: false if there is no further region.
 */
bool bpmu_regions_next(struct bpmu_regions *regions, struct bpmu_region *region)
{
	unsigned long long start, end;
	char line[LINE];
	bool whole;

	if (!fgets(line, sizeof(line), regions->file))
		return false;
	if (sscanf(line, "%llx-%llx %4s", &start, &end, region->mode) != 3)
		return false;
	region->start = start;
	region->end = end;
	/*
	 * If a line of the file is longer than the buffer, the rest of the line is read and
	 * dropped.
	 */
	for (whole = strchr(line, '\n'); !whole;)
		whole = !fgets(line, sizeof(line), regions->file) ||
			strchr(line, '\n');
	return true;
}

/**
 * bpmu_regions_close() - end the iteration over memory regions
 * @regions: iterator from bpmu_regions_open()
 */
void bpmu_regions_close(struct bpmu_regions *regions)
{
	fclose(regions->file);
}

/**
 * bpmu_regions_equal() - compare the memory regions of two processes
 * @one: the first process
 * @other: the second process
 *
 * Return: true if both processes exist and their mappings have the same addresses and
 * permissions.
 */
bool bpmu_regions_equal(pid_t one, pid_t other)
{
	struct bpmu_regions of_one, of_other;
	struct bpmu_region a, b;
	bool same = true, more = true;

	if (!bpmu_regions_open(&of_one, one))
		return false;
	if (!bpmu_regions_open(&of_other, other)) {
		bpmu_regions_close(&of_one);
		return false;
	}
	while (same && more) {
		more = bpmu_regions_next(&of_one, &a);
		same = bpmu_regions_next(&of_other, &b) == more;
		if (same && more)
			same = a.start == b.start && a.end == b.end &&
			       !strcmp(a.mode, b.mode);
	}
	bpmu_regions_close(&of_one);
	bpmu_regions_close(&of_other);
	return same;
}
