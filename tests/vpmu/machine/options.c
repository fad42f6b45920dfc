// SPDX-License-Identifier: GPL-2.0
#include "options.h"

struct vpmu_options vpmu_options;

/**
 * vpmu_nr_gp() - number of general counters of a vCPU
 * @part: its part
 */
unsigned int vpmu_nr_gp(const struct vpmu_part *part)
{
	if (vpmu_options.threads == 1 && part->nr_gp_alone)
		return part->nr_gp_alone;
	return part->nr_gp;
}

/**
 * vpmu_start_value() - value of a counter at power on
 * @width: its width in bits
 */
uint64_t vpmu_start_value(unsigned int width)
{
	return -vpmu_options.top & ~0ull >> (64 - width);
}
