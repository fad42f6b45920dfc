// SPDX-License-Identifier: GPL-2.0
#include "metric_constant.h"

#include <string.h>

static const char *const names[BPMU_NR_CONSTANTS] = {
	"SMT", "THREADS", "CORES", "SOCKETS", "CHAS", "IMCS", "TSC_HZ", "TSC",
	"SECONDS", "JOULE", "JOULE_DRAM", "JOULE_PSYS", "TJMAX"
};

/**
 * bpmu_metric_constant() - find a constant of metric formulas by name
 * @name: name in metric files
 *
 * Return: &enum bpmu_metric_constant, or -1 if no constant has this name.
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
 * bpmu_metric_constant_name() - name of a constant of metric formulas
 * @constant: the constant
 *
 * Return: the name in metric files.
 */
const char *bpmu_metric_constant_name(enum bpmu_metric_constant constant)
{
	return names[constant];
}
