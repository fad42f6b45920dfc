// SPDX-License-Identifier: GPL-2.0
#include "options.h"

struct vpmu_options vpmu_options;

/**
 * vpmu_version() - version of the architectural PMU of a vCPU, by the plugin's options
 * @part: CPU model of the vCPU
 *
 * Return: the version, 0 if the CPU model has no architectural PMU.
 */
unsigned int vpmu_version(const struct vpmu_part *part)
{
	return vpmu_options.version ?: part->version;
}

/**
 * vpmu_nr_gp() - number of general-purpose counters of a vCPU, by the plugin's options
 * @part: CPU model of the vCPU
 *
 * Return: &vpmu_part.nr_gp or, with the option threads=1, &vpmu_part.nr_gp_alone if that is not 0.
 */
unsigned int vpmu_nr_gp(const struct vpmu_part *part)
{
	if (vpmu_options.threads == 1 && part->nr_gp_alone)
		return part->nr_gp_alone;
	return part->nr_gp;
}

/**
 * vpmu_start_value() - value of a counter at power on, by the plugin's options
 * @width: width of the counter in bits
 *
 * Return: 0 or, with the option top=N, 2^width - N: the counter overflows after N events.
 */
uint64_t vpmu_start_value(unsigned int width)
{
	return -vpmu_options.top & ~0ull >> (64 - width);
}
