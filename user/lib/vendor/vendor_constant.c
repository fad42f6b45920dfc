// SPDX-License-Identifier: GPL-2.0
#include "vendor_constant.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <strings.h>

#include "base/array.h"

/* Names in "Constants", some of which are also used directly in formulas. */
static const struct {
	const char *name;
	const char *text;
} constants[] = {
	{ "HYPERTHREADING_ON", "SMT" },
	{ "smt_on", "SMT" },
	{ "THREADS_PER_CORE", "THREADS" },
	{ "CORES_PER_SOCKET", "CORES" },
	{ "SOCKET_COUNT", "SOCKETS" },
	{ "CHAS_PER_SOCKET", "CHAS" },
	{ "SYSTEM_TSC_FREQ", "TSC_HZ" },
	{ "TSC", "TSC" },
	{ "DURATIONTIMEINMILLISECONDS", "SECONDS * 1000" },
	{ "DURATIONTIMEINSECONDS", "SECONDS" },
	{ "dependentloadsweight", "20" },
	{ "system.sockets[0].cpus.count", "THREADS * CORES" },
	{ "system.socket_count", "SOCKETS" },
	{ "system.sockets[0].cpus.count * system.socket_count",
	  "THREADS * CORES * SOCKETS" },
	/* A division by zero has no value. */
	{ "NA", "0 / 0" },
};

static bool vendor_constant_is_number(const char *name)
{
	char *end;

	strtod(name, &end);
	return isdigit((unsigned char)*name) && !*end;
}

/**
 * bpmu_vendor_constant_text() - a constant of the files in our words
 * @name: as in the files, in any case
 * @ticks: SYSTEM_TSC_FREQ means the ticks of the interval
 *
 * Return: an expression, or NULL if the constant is not known.
 */
const char *bpmu_vendor_constant_text(const char *name, bool ticks)
{
	size_t i;

	if (ticks && !strcasecmp(name, "SYSTEM_TSC_FREQ"))
		return "TSC_HZ * SECONDS";
	for (i = 0; i < ARRAY_SIZE(constants); i++)
		if (!strcasecmp(name, constants[i].name))
			return constants[i].text;
	return vendor_constant_is_number(name) ? name : NULL;
}
