// SPDX-License-Identifier: GPL-2.0
#include "client.h"

#include "machine/options.h"
#include "machine/topology.h"
#include "memory/tracker.h"

/**
 * vpmu_client_boxes() - number of CBos of a client: the option boxes=, else its number of cores
 *
 * Return: the number, at most &vpmu_uncore_part.max_boxes.
 */
unsigned int vpmu_client_boxes(void)
{
	unsigned int most = vpmu_options.part->uncore->max_boxes;
	unsigned int cores = vpmu_options.boxes ?: vpmu_nr_cores();

	return cores < most ? cores : most;
}

/**
 * vpmu_client_slice_in() - check if a CBo of a client counts the lookups of a slice of the L3
 * @slice: number of the slice
 * @box: number of the CBo
 *
 * Return: true if the CBo counts the lookups of the slice.
 */
bool vpmu_client_slice_in(unsigned int slice, unsigned int box)
{
	return slice % vpmu_client_boxes() == box;
}

/**
 * vpmu_client_traffic() - total memory traffic of a client since power on
 * @sum: output: the totals
 */
void vpmu_client_traffic(struct vcore_traffic *sum)
{
	vcore_memory_traffic(vpmu_cpu(0)->core->memory, sum);
}
