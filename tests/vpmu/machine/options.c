// SPDX-License-Identifier: GPL-2.0
#include "options.h"

struct vpmu_options vpmu_options;

/**
 * vpmu_version() - version of the architectural PMU of a vCPU, by the plugin's options
 * @part: its CPU model
 *
 * Return: the version, 0 if it has no such PMU.
 */
unsigned int vpmu_version(const struct vpmu_part *part)
{
	return vpmu_options.version ?: part->version;
}

/**
 * vpmu_nr_gp() - number of general-purpose counters of a vCPU, by the plugin's options
 * @part: CPU model of the vCPU
 *
 * Return: more if threads=1 was given and a lone thread has more of them.
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
 * Return: 0, or &vpmu_options.top below overflow.
 */
uint64_t vpmu_start_value(unsigned int width)
{
	return -vpmu_options.top & ~0ull >> (64 - width);
}
