// SPDX-License-Identifier: GPL-2.0
#include "vendor_event.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "event/event_counters.h"
#include "intel.h"

#define FIXED "Fixed counter "
#define FIXED_MOST 16
/* Values of PEBS for an event that is meaningless without it. */
#define PEBS_ONLY 2

static void vendor_event_refuse(struct bpmu_vendor_event *event, enum bpmu_refusal refusal,
				const char *detail)
{
	if (event->refusal)
		return;
	event->refusal = refusal;
	event->detail = detail;
}

static u8 vendor_event_unit_of(const char *unit, const char *name)
{
	if (!strcasecmp(unit, "ARB"))
		return BPMU_UNIT_ARB;
	if (!strcasecmp(unit, "CBO"))
		return BPMU_UNIT_CBO;
	return !strncasecmp(name, "UNC_CLOCK.", 10) ? BPMU_UNIT_CLOCK :
						      BPMU_UNIT_CORE;
}

/* "0,1,2,3", "2", "Fixed counter 1" and, if numbers continue, "33". */
static int read_set(const struct bpmu_json_at *at, const char *key,
		    const char *text, u64 *set)
{
	unsigned long first = 0;
	unsigned long number;
	char *end;

	*set = 0;
	if (!strncasecmp(text, FIXED, strlen(FIXED))) {
		text += strlen(FIXED);
		first = BPMU_FIXED_BASE;
	}
	while (*text) {
		number = strtoul(text, &end, 10);
		end += strspn(end, ", ");
		if (!isdigit((unsigned char)*text) ||
		    number >= BPMU_FIXED_BASE + FIXED_MOST - first)
			return bpmu_json_error(at, key,
					       "not a list of counters; write \"0,1\" or \"Fixed counter 0\"");
		*set |= BPMU_BIT(first + number);
		text = end;
	}
	return 0;
}

/* The umask of a fixed counter is its number, from 1. */
static u64 fixed_by_umask(u64 select)
{
	u64 umask = (select & BPMU_SEL_UMASK) >> BPMU_SEL_UMASK_SHIFT;

	return umask && umask <= FIXED_MOST ? BPMU_FIXED_BIT(umask - 1) :
					      BPMU_FIXED_BIT(0);
}

static int read_counters(const struct bpmu_json_at *at, const char *key,
			 u64 select, u64 *set)
{
	const char *text;
	int ret;

	ret = bpmu_json_text(at, key, &text);
	if (ret || !*text)
		return ret;
	if (!strcasecmp(text, "FIXED")) {
		*set = fixed_by_umask(select);
		return 0;
	}
	return read_set(at, key, text, set);
}

/* A box with one counter may have kept the number of the second one. */
static u64 in_box(const struct bpmu_box *box, u64 set)
{
	u64 own = BPMU_BIT(box->counters) - 1;

	while (set && !(set & own))
		set >>= 1;
	return set & own;
}

static int read_all_counters(const struct bpmu_json_at *at,
			     const struct bpmu_box *box,
			     struct bpmu_event *row)
{
	int ret;

	row->counters = BPMU_COUNTERS_GENERAL;
	ret = read_counters(at, "Counter", row->select, &row->counters);
	row->counters_noht = row->counters;
	if (!ret)
		ret = read_counters(at, "CounterHTOff", row->select,
				    &row->counters_noht);
	if (ret)
		return ret;
	if (box) {
		row->counters = in_box(box, row->counters);
		row->counters_noht = in_box(box, row->counters_noht);
	}
	if (row->counters && row->counters_noht)
		return 0;
	return bpmu_json_error(at, "Counter",
			       "no counter of this unit; name one");
}

static int read_select(const struct bpmu_json_at *at, u64 *select)
{
	static const struct {
		const char *key;
		u64 most;
		unsigned int shift;
	} fields[] = {
		{ "EventCode", 0xff, 0 },
		{ "UMask", 0xff, BPMU_SEL_UMASK_SHIFT },
		{ "EdgeDetect", 1, 18 },
		{ "AnyThread", 1, 21 },
		{ "Invert", 1, 23 },
		{ "CounterMask", 0xff, BPMU_SEL_CMASK_SHIFT },
	};
	u64 value;
	size_t i;
	int ret;

	for (i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		ret = bpmu_json_number(at, fields[i].key, fields[i].most,
				       &value);
		if (ret)
			return ret;
		*select |= value << fields[i].shift;
	}
	return 0;
}

/* Returns the value of the extra register, if the module programs it for this event. */
static int read_extra(const struct bpmu_json_at *at,
		      const struct bpmu_part *part, struct bpmu_event *row)
{
	const struct bpmu_extra *extra = row->unit == BPMU_UNIT_CORE ?
					 bpmu_extra_of(part, row->select) : NULL;
	u64 msr;
	u64 value;
	int ret;

	ret = bpmu_json_number(at, "MSRIndex", ~0ULL, &msr);
	if (!ret)
		ret = bpmu_json_number(at, "MSRValue", ~0ULL, &value);
	if (!ret && extra && msr == bpmu_extra_msr(extra->id) &&
	    !(value & ~extra->legal))
		row->extra = value;
	return ret;
}

/*
 * Fields beyond the select register that prevent counting. Because of the extra
 * register the files want such an event alone: a group has one value for it.
 */
static int read_obstacles(const struct bpmu_json_at *at,
			  struct bpmu_vendor_event *event)
{
	static const struct {
		const char *key;
		u64 from;
		u8 refusal;
		const char *detail;
	} obstacles[] = {
		{ "MSRIndex", 1, BPMU_REFUSAL_MSR, NULL },
		{ "PEBS", PEBS_ONLY, BPMU_REFUSAL_PEBS, NULL },
		{ "TakenAlone", 1, BPMU_REFUSAL_ALONE, NULL },
		{ "UMaskExt", 1, BPMU_REFUSAL_FILTER, "an extended umask" },
		{ "Equal", 1, BPMU_REFUSAL_FILTER, "the filter \"equal\"" },
	};
	const char *detail;
	u64 value;
	size_t i;
	int ret;

	for (i = 0; i < sizeof(obstacles) / sizeof(obstacles[0]); i++) {
		ret = bpmu_json_number(at, obstacles[i].key, ~0ULL, &value);
		if (ret)
			return ret;
		if (value < obstacles[i].from)
			continue;
		if (event->row.extra &&
		    (obstacles[i].refusal == BPMU_REFUSAL_MSR ||
		     obstacles[i].refusal == BPMU_REFUSAL_ALONE))
			continue;
		detail = obstacles[i].detail;
		if (obstacles[i].refusal == BPMU_REFUSAL_MSR)
			detail = json_string_value(json_object_get(at->object,
								   "MSRIndex"));
		vendor_event_refuse(event, obstacles[i].refusal, detail);
	}
	return 0;
}

static int read_errata(const struct bpmu_json_at *at, struct bpmu_event *row)
{
	const char *text;
	int ret;

	ret = bpmu_json_text(at, "Errata", &text);
	if (!ret && *text && strcmp(text, "0") && strcasecmp(text, "null"))
		row->errata = text;
	return ret;
}

/* Without these an event would count something else. */
static int check_keys(const struct bpmu_json_at *at)
{
	static const char *const keys[] = { "EventCode", "UMask", "Counter" };
	const json_t *value;
	size_t i;

	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		value = json_object_get(at->object, keys[i]);
		if (!value || json_is_null(value) ||
		    (json_is_string(value) && !json_string_length(value)))
			return bpmu_json_error(at, keys[i],
					       "missing or empty; write it");
	}
	return 0;
}

static int read_code(const struct bpmu_json_at *at,
		     const struct bpmu_part *part, const struct bpmu_box *box,
		     struct bpmu_vendor_event *event)
{
	struct bpmu_event *row = &event->row;
	u64 legal = box ? box->legal : part->legal;
	u64 illegal;
	int ret;

	ret = read_select(at, &row->select);
	if (!ret)
		ret = read_extra(at, part, row);
	if (!ret)
		ret = read_obstacles(at, event);
	if (!ret)
		ret = read_errata(at, row);
	if (!ret)
		ret = check_keys(at);
	if (row->unit == BPMU_UNIT_CLOCK) {
		row->select = 0;
		row->counters = 1;
		row->counters_noht = 1;
		return ret;
	}
	if (!ret)
		ret = read_all_counters(at, box, row);
	if (row->counters >> BPMU_FIXED_BASE)
		row->select &= BPMU_SEL_ANY;
	illegal = row->select & ~legal;
	if (illegal)
		vendor_event_refuse(event, BPMU_REFUSAL_FILTER,
				    bpmu_select_bit_name(__builtin_ctzll(illegal)));
	return ret;
}

/**
 * bpmu_vendor_event_read() - convert an object of "Events"
 * @at: the object
 * @part: part of the CPU
 * @event: zeroed; filled in, with texts that are valid as long as the object
 *
 * Return: 0, also for an event that is refused, or -EINVAL.
 */
int bpmu_vendor_event_read(const struct bpmu_json_at *at,
			   const struct bpmu_part *part,
			   struct bpmu_vendor_event *event)
{
	struct bpmu_event *row = &event->row;
	const struct bpmu_box *box;
	const char *unit;
	int ret;

	ret = bpmu_json_name(at, "EventName", &row->name);
	if (!ret && strlen(row->name) >= BPMU_VENDOR_NAME)
		ret = bpmu_json_error(at, "EventName",
				      "longer than 127 letters; shorten it");
	if (!ret)
		ret = bpmu_json_text(at, "BriefDescription", &row->desc);
	if (!ret)
		ret = bpmu_json_text(at, "Unit", &unit);
	if (ret)
		return ret;
	if (!*unit)
		return read_code(at, part, NULL, event);
	row->unit = vendor_event_unit_of(unit, row->name);
	box = row->unit ? bpmu_uncore_box(part, row->unit) : NULL;
	if (box)
		return read_code(at, part, box, event);
	vendor_event_refuse(event, BPMU_REFUSAL_UNIT, unit);
	return 0;
}
