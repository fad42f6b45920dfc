// SPDX-License-Identifier: GPL-2.0
#include "rival.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <linux/barepmu.h>

#include "base/array.h"

#define DEVICES "/sys/bus/event_source/devices"
/*
 * Appends to @text the names of the PMUs that perf's drivers have for an uncore unit, except those
 * for which @wanted returns false.
 */
static void rival_append(u32 unit, bool (*wanted)(const char *pmu), char *text)
{
	const char *const *perf = bpmu_unit_facts[unit].perf;
	size_t len = strlen(text);
	unsigned int i;

	for (i = 0; i < BPMU_UNIT_NAMES && perf[i]; i++)
		if (wanted(perf[i]))
			len += snprintf(text + len, BPMU_RIVAL_TEXT - len, "%s%s",
					len ? ", " : "", perf[i]);
}

static bool rival_is_any(const char *pmu)
{
	(void)pmu;
	return true;
}

/*
 * Checks if sysfs has a PMU of perf with the name @pmu. A PMU with several instances (uncore_imc_0,
 * uncore_imc_1) has a number in its name: then @pmu with "_0" behind it is looked for.
 */
static bool rival_is_present(const char *pmu)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), DEVICES "/%s", pmu);
	if (!access(path, F_OK))
		return true;
	strcat(path, "_0");
	return !access(path, F_OK);
}

/**
 * bpmu_rivals_of() - name rivals: PMUs of perf that use the same uncore counters as some banks
 * @banks: mask of banks (sets of counters, such as those of the memory controllers): bit n stands
 *	for bank n of &enum bpmu_bank_id
 * @text: set to all names that Linux gives such PMUs, whether or not this machine has them, for
 *	example "uncore_qpi, uncore_upi"; empty if perf has no PMU with these counters
 */
void bpmu_rivals_of(u32 banks, char text[BPMU_RIVAL_TEXT])
{
	u32 unit;

	*text = 0;
	for (unit = 0; unit < BPMU_UNITS; unit++)
		if (banks >> bpmu_unit_facts[unit].bank & 1)
			rival_append(unit, rival_is_any, text);
}

/**
 * bpmu_rivals_of_unit() - name rivals: PMUs of perf that use the counters of an uncore unit
 * @unit: &enum bpmu_unit
 * @text: set to all names that Linux gives such PMUs, whether or not this machine has them; empty
 *	if perf has no PMU with these counters
 */
void bpmu_rivals_of_unit(u32 unit, char text[BPMU_RIVAL_TEXT])
{
	*text = 0;
	rival_append(unit, rival_is_any, text);
}

/**
 * bpmu_rivals_present() - name rivals on this machine: the PMUs that perf has for an uncore unit
 * @unit: &enum bpmu_unit
 * @text: set to the names, such as "amd_l3"; empty if perf has no PMU for the unit here
 */
void bpmu_rivals_present(u32 unit, char text[BPMU_RIVAL_TEXT])
{
	*text = 0;
	rival_append(unit, rival_is_present, text);
}
