// SPDX-License-Identifier: GPL-2.0
#include "event_ibs.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "ibs.h"
#include "intel.h"

#define NAME "ibs_op"
/* what separates the name and the filters of an event, in this tool's form and in perf's */
#define SEPARATORS ":/,"
/* Letters of perf's modifiers of precise samples: samples of IBS are precise without them. */
#define PRECISE "pP"

/**
 * bpmu_event_is_ibs() - check if an event is one of instruction-based sampling (IBS)
 * @text: the event as typed
 *
 * Return: true if the event is ibs_op.
 */
bool bpmu_event_is_ibs(const char *text)
{
	size_t size;

	text += strspn(text, " \t\n");
	size = strcspn(text, SEPARATORS " \t\n");
	return size == strlen(NAME) && !strncasecmp(text, NAME, size);
}

/**
 * bpmu_event_ibs_filters() - list what events of instruction-based sampling (IBS) may ask for
 * @text: filled in
 * @caps: what IBS can do, &bpmu_pmu.ibs
 *
 * Return: @text: the names of filters, separated by blanks.
 */
const char *bpmu_event_ibs_filters(char text[BPMU_IBS_FILTERS], u32 caps)
{
	u64 legal = bpmu_ibs_legal(caps);

	snprintf(text, BPMU_IBS_FILTERS, "%s%s%s", legal & BPMU_IBS_SEL_OPS ? "cnt_ctl" : "",
		 legal & BPMU_IBS_SEL_L3_MISS ? " l3missonly" : "",
		 legal & BPMU_IBS_SEL_LATENCY ? " ldlat" : "");
	return text;
}

/* Parses N of ldlat=N. Returns the threshold in the units of IBS, or 0 if IBS has none such. */
static u64 take_latency(const char *value)
{
	unsigned long cycles;
	char *end;

	cycles = strtoul(value, &end, 0);
	if (!isdigit((unsigned char)*value) || *end || cycles % BPMU_IBS_LATENCY_UNIT ||
	    cycles > BPMU_IBS_LATENCY_MOST * BPMU_IBS_LATENCY_UNIT)
		return 0;
	return cycles / BPMU_IBS_LATENCY_UNIT;
}

/* Adds filter @word, of @size characters, of event @text to @select. Returns 0 or -EINVAL. */
static int add_ibs_word(const char *text, const char *word, size_t size, u64 *select,
			struct bpmu_error *err)
{
	char copy[32];
	u64 latency;

	snprintf(copy, sizeof(copy), "%.*s", (int)size, word);
	if (!strcasecmp(copy, "cnt_ctl=1")) {
		*select |= BPMU_IBS_SEL_OPS;
	} else if (!strcasecmp(copy, "l3missonly=1")) {
		*select |= BPMU_IBS_SEL_L3_MISS;
	} else if (!strncasecmp(copy, "ldlat=", 6)) {
		latency = take_latency(copy + 6);
		if (!latency)
			return bpmu_error_set(err, -EINVAL,
				"event '%s': ldlat is a multiple of %d cycles, at most %d; write ldlat=%d",
				text, BPMU_IBS_LATENCY_UNIT,
				BPMU_IBS_LATENCY_UNIT * BPMU_IBS_LATENCY_MOST,
				BPMU_IBS_LATENCY_UNIT);
		*select |= latency << BPMU_IBS_SEL_LATENCY_SHIFT;
	} else if (strspn(copy, "uk" PRECISE) == strlen(copy)) {
		*select |= strchr(copy, 'u') ? BPMU_SEL_USR : 0;
		*select |= strchr(copy, 'k') ? BPMU_SEL_OS : 0;
	} else if (strcasecmp(copy, "cnt_ctl=0") && strcasecmp(copy, "l3missonly=0")) {
		return bpmu_error_set(err, -EINVAL,
			"event '%s': '%s' is no filter of IBS; it has cnt_ctl=1, l3missonly=1, ldlat=N, u and k",
			text, copy);
	}
	return 0;
}

/*
 * Checks that IBS of the CPU has the filters of event @text. A recording does not say what IBS can
 * do; its events have been sampled. Returns 0 or -ENODEV.
 */
static int check_filters(const struct bpmu_pmu *pmu, const char *text, u64 select,
			 struct bpmu_error *err)
{
	u64 lacks = pmu->ibs ? select & ~bpmu_ibs_legal(pmu->ibs) : 0;

	if (!lacks)
		return 0;
	return bpmu_error_set(err, -ENODEV,
		"event '%s': IBS of this CPU has no %s, or a hypervisor hides it; leave it out", text,
		lacks & BPMU_IBS_SEL_LATENCY ? "ldlat" :
		lacks & BPMU_IBS_SEL_L3_MISS ? "l3missonly" : "cnt_ctl");
}

/**
 * bpmu_event_ibs_parse() - parse an event of instruction-based sampling (IBS)
 * @pmu: counters of the CPU
 * @text: the event as typed, for which bpmu_event_is_ibs() is true
 * @select: set to the event select of the count of IBS, %BPMU_IBS_COUNTER
 *
 * Return: 0; -EINVAL for an invalid filter; -ENODEV if the CPU model is not AMD's, or its IBS lacks
 * a filter.
 */
int bpmu_event_ibs_parse(const struct bpmu_pmu *pmu, const char *text,
			 u64 *select, struct bpmu_error *err)
{
	const char *word = text + strcspn(text, SEPARATORS);
	size_t size;
	int code;

	if (pmu->part->ids->vendor != BPMU_VENDOR_AMD)
		return bpmu_error_set(err, -ENODEV,
			"event '%s': IBS is of AMD's parts, and this is %s; use cycles:pp", text,
			pmu->part->title);
	*select = 0;
	while (*word) {
		size = strcspn(++word, SEPARATORS);
		code = size ? add_ibs_word(text, word, size, select, err) : 0;
		if (code)
			return code;
		word += size;
	}
	if (!(*select & (BPMU_SEL_USR | BPMU_SEL_OS)))
		*select |= BPMU_SEL_USR | BPMU_SEL_OS;
	return check_filters(pmu, text, *select, err);
}
