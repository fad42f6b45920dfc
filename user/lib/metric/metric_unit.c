// SPDX-License-Identifier: GPL-2.0
#include "metric_unit.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"

/*
 * The units of metrics. share: values are fractions of the unit, from 0 to 1. below_0: values can
 * be negative. words: other words by which users search for metrics of this unit.
 */
static const struct {
	const char *name;
	bool share;
	bool below_0;
	const char *words;
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
	{ "count/s", false },
	{ "clocks/instruction", false },
	{ "instructions/clock", false },
	{ "uops/clock", false },
	{ "count/1000 instructions", false },
	{ "cycles", false },
	{ "bytes", false },
	{ "bytes/clock", false },
	{ "GB/s", false, .words = "bandwidth, gigabytes per second" },
	{ "GHz", false, .words = "frequency, gigahertz" },
	{ "GFLOP/s", false, .words = "FLOPS" },
	{ "Guop/s", false },
	{ "ns", false, .words = "nanoseconds" },
	{ "s", false, .words = "seconds" },
	{ "W", false, .words = "watts" },
	{ "J", false, .words = "joules" },
	{ "degrees C", false, true, "temperature, Celsius" },
};

/**
 * bpmu_unit_find() - find a unit of metrics by name
 * @name: [@len], name
 * @len: length of the name in bytes
 *
 * Return: the name as a static string, or NULL if there is no such unit.
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
 * bpmu_unit_words() - words by which users may search for metrics of a unit
 * @unit: unit from bpmu_unit_find(), or NULL
 *
 * Return: words separated by commas, or NULL if the unit has no other name.
 */
const char *bpmu_unit_words(const char *unit)
{
	size_t i;

	for (i = 0; unit && i < ARRAY_SIZE(units); i++)
		if (!strcmp(units[i].name, unit))
			return units[i].words;
	return NULL;
}

/**
 * bpmu_unit_is_share() - check if the values of metrics with a unit are fractions of this unit
 * @unit: unit from bpmu_unit_find(), or NULL
 *
 * Return: true if the values are fractions, which must be from 0 to 1.
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
 * bpmu_unit_is_signed() - check if metrics of a unit can be negative
 * @unit: unit from bpmu_unit_find(), or NULL
 *
 * Return: true if metrics of the unit can be negative; also true without a unit.
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
 * bpmu_unit_list() - list all units of metrics
 * @list: set to a text such as "slots, clocks, ..."; truncated if @size is too small
 * @size: size of @list in bytes; BPMU_UNIT_LIST is enough
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
