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

/* what separates the name and the filters of an event, in this tool's form and in perf's */
#define SEPARATORS ":/,"
/* Letters of perf's modifiers of precise samples: samples of IBS are precise without them. */
#define PRECISE "pP"

static bool has_name(const char *text, const char *name)
{
	size_t size;

	text += strspn(text, " \t\n");
	size = strcspn(text, SEPARATORS " \t\n");
	return size == strlen(name) && !strncasecmp(text, name, size);
}

/**
 * bpmu_event_is_fetch() - check if an event is that of IBS which samples fetches
 * @text: the event as typed
 *
 * Return: true if the event is ibs_fetch.
 */
bool bpmu_event_is_fetch(const char *text)
{
	return has_name(text, "ibs_fetch");
}

/**
 * bpmu_event_is_ibs() - check if an event is one of instruction-based sampling (IBS)
 * @text: the event as typed
 *
 * Return: true if the event is ibs_op or ibs_fetch.
 */
bool bpmu_event_is_ibs(const char *text)
{
	return has_name(text, "ibs_op") || bpmu_event_is_fetch(text);
}

/**
 * bpmu_event_ibs_filters() - list what events ibs_op may ask for
 * @text: filled in
 * @caps: what IBS can do, &bpmu_pmu.ibs
 *
 * Return: @text: the names of filters, separated by blanks.
 */
const char *bpmu_event_ibs_filters(char text[BPMU_IBS_FILTERS], u32 caps)
{
	u64 legal = bpmu_ibs_legal(caps);

	snprintf(text, BPMU_IBS_FILTERS, "%s%s%s%s", legal & BPMU_IBS_SEL_OPS ? "cnt_ctl" : "",
		 legal & BPMU_IBS_SEL_L3_MISS ? " l3missonly" : "",
		 legal & BPMU_IBS_SEL_LATENCY ? " ldlat" : "",
		 legal & BPMU_IBS_SEL_STREAMS ? " strmst" : "");
	return text;
}

/**
 * bpmu_event_fetch_filters() - list what events ibs_fetch may ask for
 * @caps: what IBS can do, &bpmu_pmu.ibs
 *
 * Return: the names of filters, separated by blanks.
 */
const char *bpmu_event_fetch_filters(u32 caps)
{
	u64 legal = bpmu_ibs_fetch_legal(caps);

	if (legal & BPMU_IBS_SEL_FETCH_LATENCY)
		return "rand_en l3missonly fetchlat";
	return legal & BPMU_IBS_SEL_L3_MISS ? "rand_en l3missonly" : "rand_en";
}

/*
 * Parses N of ldlat=N or fetchlat=N. Returns the threshold in the units of IBS, at most @most, or 0
 * if IBS has none such.
 */
static u64 take_latency(const char *value, unsigned long most)
{
	unsigned long cycles;
	char *end;

	cycles = strtoul(value, &end, 0);
	if (!isdigit((unsigned char)*value) || *end || cycles % BPMU_IBS_LATENCY_UNIT ||
	    cycles > most * BPMU_IBS_LATENCY_UNIT)
		return 0;
	return cycles / BPMU_IBS_LATENCY_UNIT;
}

/*
 * Adds the threshold N of the filter ldlat=N or fetchlat=N of event @text to @select. Returns 0 or
 * -EINVAL.
 */
static int add_latency(const char *text, const char *value, u64 *select, struct bpmu_error *err)
{
	bool fetch = bpmu_event_is_fetch(text);
	unsigned long most = fetch ? BPMU_IBS_FETCH_LATENCY_MOST : BPMU_IBS_LATENCY_MOST;
	const char *name = fetch ? "fetchlat" : "ldlat";
	u64 latency = take_latency(value, most);

	if (!latency)
		return bpmu_error_set(err, -EINVAL,
			"event '%s': %s is a multiple of %d cycles, at most %lu; write %s=%d",
			text, name, BPMU_IBS_LATENCY_UNIT, BPMU_IBS_LATENCY_UNIT * most, name,
			BPMU_IBS_LATENCY_UNIT);
	*select |= latency << BPMU_IBS_SEL_LATENCY_SHIFT;
	return 0;
}

/*
 * Adds what the word @copy of an event's text asks for to @select if it is of ops and fetches alike.
 * Returns true if it is.
 */
static bool add_common_word(const char *copy, u64 *select)
{
	if (!strcasecmp(copy, "l3missonly=1")) {
		*select |= BPMU_IBS_SEL_L3_MISS;
		return true;
	}
	if (strspn(copy, "uk" PRECISE) == strlen(copy)) {
		*select |= strchr(copy, 'u') ? BPMU_SEL_USR : 0;
		*select |= strchr(copy, 'k') ? BPMU_SEL_OS : 0;
		return true;
	}
	return !strcasecmp(copy, "l3missonly=0");
}

/* Adds the word @copy of event @text, which samples ops, to @select. Returns 0 or -EINVAL. */
static int add_op_word(const char *text, const char *copy, u64 *select, struct bpmu_error *err)
{
	if (!strcasecmp(copy, "cnt_ctl=1"))
		*select |= BPMU_IBS_SEL_OPS;
	else if (!strncasecmp(copy, "ldlat=", 6))
		return add_latency(text, copy + 6, select, err);
	else if (!strcasecmp(copy, "strmst=1"))
		*select |= BPMU_IBS_SEL_STREAMS;
	else if (strcasecmp(copy, "cnt_ctl=0") && strcasecmp(copy, "strmst=0"))
		return bpmu_error_set(err, -EINVAL,
			"event '%s': '%s' is no filter of IBS; it has cnt_ctl=1, l3missonly=1, ldlat=N, strmst=1, u and k",
			text, copy);
	return 0;
}

/* Adds the word @copy of event @text, which samples fetches, to @select. Returns 0 or -EINVAL. */
static int add_fetch_word(const char *text, const char *copy, u64 *select,
			  struct bpmu_error *err)
{
	if (!strcasecmp(copy, "rand_en=1"))
		*select |= BPMU_IBS_SEL_RANDOM;
	else if (!strncasecmp(copy, "fetchlat=", 9))
		return add_latency(text, copy + 9, select, err);
	else if (strcasecmp(copy, "rand_en=0"))
		return bpmu_error_set(err, -EINVAL,
			"event '%s': '%s' is no filter of fetches; they have rand_en=1, l3missonly=1, fetchlat=N, u and k",
			text, copy);
	return 0;
}

/* Adds filter @word, of @size characters, of event @text to @select. Returns 0 or -EINVAL. */
static int add_ibs_word(const char *text, const char *word, size_t size, u64 *select,
			struct bpmu_error *err)
{
	char copy[32];

	snprintf(copy, sizeof(copy), "%.*s", (int)size, word);
	if (add_common_word(copy, select))
		return 0;
	return bpmu_event_is_fetch(text) ? add_fetch_word(text, copy, select, err) :
					   add_op_word(text, copy, select, err);
}

/*
 * Checks that IBS of the CPU has the filters of event @text. A recording does not say what IBS can
 * do; its events have been sampled. Returns 0 or -ENODEV.
 */
static int check_filters(const struct bpmu_pmu *pmu, const char *text, u64 select,
			 struct bpmu_error *err)
{
	u64 legal = bpmu_event_is_fetch(text) ? bpmu_ibs_fetch_legal(pmu->ibs) :
						bpmu_ibs_legal(pmu->ibs);
	u64 lacks = pmu->ibs ? select & ~legal : 0;

	if (!lacks)
		return 0;
	return bpmu_error_set(err, -ENODEV,
		"event '%s': IBS of this CPU has no %s, or a hypervisor hides it; leave it out", text,
		lacks & BPMU_IBS_SEL_LATENCY ? bpmu_event_is_fetch(text) ? "fetchlat" : "ldlat" :
		lacks & BPMU_IBS_SEL_STREAMS ? "strmst" :
		lacks & BPMU_IBS_SEL_L3_MISS ? "l3missonly" : "cnt_ctl");
}

/**
 * bpmu_event_ibs_parse() - parse an event of instruction-based sampling (IBS)
 * @pmu: counters of the CPU
 * @text: the event as typed, for which bpmu_event_is_ibs() is true
 * @select: set to the event select of the count of IBS, %BPMU_IBS_COUNTER, or of that of fetches,
 *	%BPMU_FETCH_COUNTER
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
