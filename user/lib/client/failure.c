// SPDX-License-Identifier: GPL-2.0
#include "failure.h"

#include <stdio.h>

static const struct {
	const char *name;
	const char *words;
} causes[] = {
	[BPMU_FAILURE_CORE] = {
		"core", "its counters could not be programmed, it is not measured",
	},
	[BPMU_FAILURE_UNCORE] = {
		"uncore", "its package's uncore could not be programmed, it is not measured",
	},
	[BPMU_FAILURE_PREFETCH] = {
		"prefetch", "its prefetchers could not be set, it is measured as they are",
	},
	[BPMU_FAILURE_FREE_THREAD] = {
		"free-thread", "its free-running registers cannot be read",
	},
	[BPMU_FAILURE_FREE_CORE] = {
		"free-core", "its core's free-running registers cannot be read",
	},
	[BPMU_FAILURE_FREE_PACKAGE] = {
		"free-package", "its package's free-running registers cannot be read",
	},
	[BPMU_FAILURE_L3] = {
		"l3", "the counters of its L3 could not be programmed, they are not read",
	},
	[BPMU_FAILURE_DF] = {
		"df", "the counters of its data fabric could not be programmed, they are not read",
	},
	[BPMU_FAILURE_UMC] = {
		"umc", "the counters of its memory controllers could not be programmed, they are not read",
	},
	[BPMU_FAILURE_CHA] = {
		"cha", "the counters of its package's CBos or CHAs could not be programmed, they are not read",
	},
	[BPMU_FAILURE_PCU] = {
		"pcu", "the counters of its package's PCU could not be programmed, they are not read",
	},
	[BPMU_FAILURE_UBOX] = {
		"ubox", "the counters of its package's UBox could not be programmed, they are not read",
	},
	[BPMU_FAILURE_IMC] = {
		"imc", "the counters of its memory channels or controllers could not be programmed, they are not read",
	},
	[BPMU_FAILURE_HA] = {
		"ha", "the counters of its home agents could not be programmed, they are not read",
	},
	[BPMU_FAILURE_LINK] = {
		"link", "the counters of its links could not be programmed, they are not read",
	},
	[BPMU_FAILURE_IIO] = {
		"iio", "the counters of its IIO stacks could not be programmed, they are not read",
	},
};

#define NR_CAUSES (sizeof(causes) / sizeof(causes[0]))

/**
 * bpmu_failure_name() - name of a failure, for JSON and CSV
 * @what: &enum bpmu_failure
 *
 * Return: the name, "unknown" for one that this tool does not know.
 */
const char *bpmu_failure_name(u32 what)
{
	return what < NR_CAUSES ? causes[what].name : "unknown";
}

/**
 * bpmu_failure_words() - description of a failure, for the user
 * @what: &enum bpmu_failure
 *
 * Return: the description, a clause to be printed after the CPU number.
 */
const char *bpmu_failure_words(u32 what)
{
	return what < NR_CAUSES ? causes[what].words :
				 "something that this tool does not know failed";
}

/**
 * bpmu_counters_text() - format a set of counters
 * @counters: mask of counter numbers
 * @text: filled in, as in "general 0, fixed 1"; truncated if @size is too small
 * @size: size of @text in bytes
 */
void bpmu_counters_text(u64 counters, char *text, size_t size)
{
	size_t len = 0;
	unsigned int i;

	*text = 0;
	for (i = 0; i < 64 && len < size; i++)
		if (counters >> i & 1)
			len += snprintf(text + len, size - len, "%s%s %u",
					len ? ", " : "",
					i < BPMU_COUNTER_FIXED ? "general" :
								 "fixed",
					i < BPMU_COUNTER_FIXED ? i :
					i - BPMU_COUNTER_FIXED);
}
