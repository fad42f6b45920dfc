// SPDX-License-Identifier: GPL-2.0
#include "metric_constant.h"

#include <string.h>

static const char *const names[BPMU_NR_CONSTANTS] = {
	"SMT", "THREADS", "CORES", "SOCKETS", "CHAS", "TSC_HZ", "TSC", "SECONDS",
	"JOULE", "JOULE_DRAM", "JOULE_PSYS", "TJMAX"
};

/**
 * bpmu_metric_constant() - the constant of a name
 * @name: as in a metric file
 *
 * Return: &enum bpmu_metric_constant, or -1 if it is none.
 */
int bpmu_metric_constant(const char *name)
{
	int i;

	for (i = 0; i < BPMU_NR_CONSTANTS; i++)
		if (!strcmp(names[i], name))
			return i;
	return -1;
}

/**
 * bpmu_metric_constant_name() - the name of a constant
 * @constant: number of the constant
 *
 * Return: as in a metric file.
 */
const char *bpmu_metric_constant_name(enum bpmu_metric_constant constant)
{
	return names[constant];
}
