// SPDX-License-Identifier: GPL-2.0
#include "metric_unit.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"

/*
 * A share is a fraction of this whole, bounded by 0 and 1. Values of other units
 * are only bounded by 0, if @below_0 is false.
 */
static const struct {
	const char *name;
	bool share;
	bool below_0;
} units[] = {
	{ "slots", true },
	{ "clocks", true },
	{ "core clocks", true },
	{ "uncore clocks", true },
	{ "system-wide clocks", true },
	{ "instructions", true },
	{ "uops", true },
	{ "share", true },
	{ "ratio", false },
	{ "count", false },
	{ "clocks/instruction", false },
	{ "instructions/clock", false },
	{ "uops/clock", false },
	{ "count/1000 instructions", false },
	{ "cycles", false },
	{ "bytes", false },
	{ "bytes/clock", false },
	{ "GB/s", false },
	{ "GHz", false },
	{ "GFLOP/s", false },
	{ "Guop/s", false },
	{ "ns", false },
	{ "s", false },
	{ "W", false },
	{ "J", false },
	{ "degrees C", false, true },
};

/**
 * bpmu_unit_find() - the unit of a name
 * @name: as written, in any length
 * @len: its length
 *
 * Return: the unit's own name, which lives for ever, or NULL.
 */
const char *bpmu_unit_find(const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(units); i++)
		if (strlen(units[i].name) == len &&
		    !strncmp(units[i].name, name, len))
			return units[i].name;
	return NULL;
}

/**
 * bpmu_unit_is_share() - check if a value of a unit is a fraction
 * @unit: unit from bpmu_unit_find(), or NULL
 *
 * Return: whether a value below 0 or above 1 is impossible.
 */
bool bpmu_unit_is_share(const char *unit)
{
	size_t i;

	for (i = 0; unit && i < ARRAY_SIZE(units); i++)
		if (!strcmp(units[i].name, unit))
			return units[i].share;
	return false;
}

/**
 * bpmu_unit_is_signed() - check if a value of a unit can be negative
 * @unit: unit from bpmu_unit_find(), or NULL
 *
 * Return: true if so, and if nothing is known of it.
 */
bool bpmu_unit_is_signed(const char *unit)
{
	size_t i;

	for (i = 0; unit && i < ARRAY_SIZE(units); i++)
		if (!strcmp(units[i].name, unit))
			return units[i].below_0;
	return true;
}

/**
 * bpmu_unit_list() - all units in one text
 * @list: "slots, clocks, ..."; a longer text is cut
 * @size: room in @list, BPMU_UNIT_LIST is enough
 */
void bpmu_unit_list(char *list, size_t size)
{
	size_t len = 0;
	size_t i;

	*list = '\0';
	for (i = 0; i < ARRAY_SIZE(units) && len < size; i++)
		len += snprintf(list + len, size - len, "%s%s", i ? ", " : "",
				units[i].name);
}
