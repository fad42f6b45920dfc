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
#define NAMES 3

/**
 * struct rival - PMUs of perf with the counters of a unit
 * @unit: &enum bpmu_unit
 * @flag: &enum bpmu_sample_flag of the unit's samples
 * @pmu: names without an instance's number, on different parts; NULL if there are fewer
 */
struct rival {
	u32 unit;
	u32 flag;
	const char *pmu[NAMES];
};

/* source: Linux, arch/x86/events/intel/uncore*.c and arch/x86/events/amd/uncore.c */
static const struct rival rivals[] = {
	{ BPMU_UNIT_CLOCK, BPMU_SAMPLE_UNCORE, { "uncore_clock" } },
	{ BPMU_UNIT_ARB, BPMU_SAMPLE_UNCORE, { "uncore_arb" } },
	{ BPMU_UNIT_CBO, BPMU_SAMPLE_UNCORE, { "uncore_cbox" } },
	{ BPMU_UNIT_L3, BPMU_SAMPLE_L3, { "amd_l3" } },
	{ BPMU_UNIT_DF, BPMU_SAMPLE_DF, { "amd_df" } },
	{ BPMU_UNIT_UMC, BPMU_SAMPLE_UMC, { "amd_umc" } },
	{ BPMU_UNIT_CHA, BPMU_SAMPLE_CHA, { "uncore_cbox", "uncore_cha" } },
	{ BPMU_UNIT_PCU, BPMU_SAMPLE_PCU, { "uncore_pcu" } },
	{ BPMU_UNIT_UBOX, BPMU_SAMPLE_UBOX, { "uncore_ubox", "uncore_type_5" } },
	{ BPMU_UNIT_IMC, BPMU_SAMPLE_IMC, { "uncore_imc" } },
	{ BPMU_UNIT_HA, BPMU_SAMPLE_HA, { "uncore_ha", "uncore_m2m", "uncore_b2cmi" } },
	{ BPMU_UNIT_LINK, BPMU_SAMPLE_LINK, { "uncore_qpi", "uncore_upi" } },
	{ BPMU_UNIT_IIO, BPMU_SAMPLE_IIO, { "uncore_iio" } },
};

static void rival_append(const struct rival *rival, bool (*wanted)(const char *pmu), char *text)
{
	size_t len = strlen(text);
	unsigned int i;

	for (i = 0; i < NAMES && rival->pmu[i]; i++)
		if (wanted(rival->pmu[i]))
			len += snprintf(text + len, BPMU_RIVAL_TEXT - len, "%s%s",
					len ? ", " : "", rival->pmu[i]);
}

static bool rival_is_any(const char *pmu)
{
	(void)pmu;
	return true;
}

/* Of several instances, one has the number 0. */
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
 * bpmu_rival_flags() - flags that say which box a sample is of
 * @flags: flags of a sample
 *
 * Return: those of boxes that perf may use too.
 */
u32 bpmu_rival_flags(u32 flags)
{
	u32 all = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rivals); i++)
		all |= rivals[i].flag;
	return flags & all;
}

/**
 * bpmu_rivals_of() - names of the PMUs of perf that use the same boxes as samples
 * @flags: flags of the samples
 * @text: set to the names that Linux has for them on any part, "uncore_qpi, uncore_upi"; empty if
 *	there are none
 */
void bpmu_rivals_of(u32 flags, char text[BPMU_RIVAL_TEXT])
{
	size_t i;

	*text = 0;
	for (i = 0; i < ARRAY_SIZE(rivals); i++)
		if (flags & rivals[i].flag)
			rival_append(&rivals[i], rival_is_any, text);
}

/**
 * bpmu_rivals_of_unit() - names of the PMUs of perf that use the boxes of a unit
 * @unit: &enum bpmu_unit
 * @text: set to the names that Linux has for them on any part; empty if there are none
 */
void bpmu_rivals_of_unit(u32 unit, char text[BPMU_RIVAL_TEXT])
{
	size_t i;

	*text = 0;
	for (i = 0; i < ARRAY_SIZE(rivals); i++)
		if (rivals[i].unit == unit)
			rival_append(&rivals[i], rival_is_any, text);
}

/**
 * bpmu_rivals_present() - names of the PMUs of perf that this machine has for a unit
 * @unit: &enum bpmu_unit
 * @text: set to the names, "amd_l3"; empty if there are none
 */
void bpmu_rivals_present(u32 unit, char text[BPMU_RIVAL_TEXT])
{
	size_t i;

	*text = 0;
	for (i = 0; i < ARRAY_SIZE(rivals); i++)
		if (rivals[i].unit == unit)
			rival_append(&rivals[i], rival_is_present, text);
}
