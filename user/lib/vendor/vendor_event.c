// SPDX-License-Identifier: GPL-2.0
#include "vendor_event.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "event/event_counters.h"
#include "intel.h"

#define FIXED "Fixed counter "
#define FIXED_MOST 16
/* value of the key "PEBS" of an event that can be sampled by PEBS, but not counted */
#define PEBS_ONLY 2

static void vendor_event_refuse(struct bpmu_vendor_event *event, enum bpmu_refusal refusal,
				const char *detail)
{
	if (event->refusal)
		return;
	event->refusal = refusal;
	event->detail = detail;
}

/*
 * Checks if @name, in upper or lower case, is Intel's name of the uncore unit of @box in event
 * files.
 */
static bool is_named(const struct bpmu_box *box, const char *name)
{
	unsigned int i;

	for (i = 0; i < BPMU_UNIT_NAMES && bpmu_unit_facts[box->unit].intel[i]; i++)
		if (!strcasecmp(name, bpmu_unit_facts[box->unit].intel[i]))
			return true;
	return false;
}

/*
 * Returns the uncore box of @part whose counters count the event @name. @unit is the name of the
 * event's uncore unit in the file. Returns NULL if @part has no such box.
 */
static const struct bpmu_box *vendor_event_box_of(const struct bpmu_part *part,
						  const char *unit, const char *name)
{
	const struct bpmu_box *box = part->uncore ? part->uncore->boxes : NULL;

	if (!strncasecmp(name, "UNC_CLOCK.", 10))
		return bpmu_uncore_box(part, BPMU_UNIT_CLOCK);
	for (; box && box->unit; box++)
		if (is_named(box, unit))
			return box;
	return NULL;
}

/*
 * Sets @set to the mask of the counters that can count an event. @text is the value of @key: a list
 * such as "0,1,2,3", or "Fixed counter 1". Some files call fixed counter 1 "33", as they number
 * fixed counters from 32.
 */
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

/*
 * Returns the mask of the fixed counter that counts an event with event code 0. The umask of such
 * an event is the number of the fixed counter plus 1.
 */
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

/*
 * Returns the mask of those counters in @set that the uncore box has. If the box has none of them,
 * @set is first shifted to lower counter numbers: some files name counter 1 for a box that has only
 * counter 0.
 */
static u64 in_box(const struct bpmu_box *box, u64 set)
{
	u64 own = BPMU_BIT(box->counters - (box->fixed_select != 0)) - 1;

	while (set && !(set & own))
		set >>= 1;
	return set & own;
}

/*
 * If only the fixed counter of the uncore box counts the event, lets @event be counted by this
 * counter, and returns true. The fixed counter is the last counter of the box, and has no event
 * select. If other counters count the event, returns false.
 */
static bool read_fixed_of_box(const struct bpmu_json_at *at, const struct bpmu_box *box,
			      struct bpmu_vendor_event *event)
{
	const json_t *counter = json_object_get(at->object, "Counter");

	if (!json_is_string(counter) || strcasecmp(json_string_value(counter), "FIXED"))
		return false;
	event->row.select = 0;
	event->row.counters = BPMU_BIT(box->counters - 1);
	event->row.counters_noht = event->row.counters;
	if (!box->fixed_select)
		vendor_event_refuse(event, BPMU_REFUSAL_MODULE, "the fixed counter of its unit");
	return true;
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

	for (i = 0; i < ARRAY_SIZE(fields); i++) {
		ret = bpmu_json_number(at, fields[i].key, fields[i].most,
				       &value);
		if (ret)
			return ret;
		*select |= value << fields[i].shift;
	}
	return 0;
}

/*
 * Sets @row->extra to the value that the file gives for the event's extra register, such as an
 * off-core response register. Leaves it 0 if the module does not program this register, or if the
 * register does not allow the value.
 */
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
 * Refuses an event for which an event select is not enough. An event that uses an extra register is
 * not refused, although files say that it must be counted alone ("TakenAlone"). The scheduler
 * ensures that all events of a group need the same value in this register.
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
		{ "Equal", 1, BPMU_REFUSAL_MODULE, "the filter \"equal\"" },
	};
	const char *detail;
	u64 value;
	size_t i;
	int ret;

	for (i = 0; i < ARRAY_SIZE(obstacles); i++) {
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

/*
 * Sets @number to the number at index @i of a list such as "0x01, 0x02". Returns false if the list
 * has no such index.
 */
static bool list_number(const char *list, unsigned int i, u64 *number)
{
	for (; i && list; i--) {
		list = strchr(list, ',');
		list = list ? list + 1 : NULL;
	}
	if (!list)
		return false;
	*number = strtoull(list, NULL, 0);
	return true;
}

/*
 * Checks an event whose JSON object lists two unit masks, such as "0x01,0x02". The event can be
 * counted with either of them, but each needs another extra register ("MSRIndex"). The caller has
 * read the first unit mask, and the scheduler finds the second one in the tool's own table of extra
 * registers. If the JSON object and this table name different registers, the event is refused.
 */
static int read_restriction(const struct bpmu_json_at *at, const struct bpmu_part *part,
			    struct bpmu_vendor_event *event)
{
	const char *restriction, *msrs, *umasks;
	const struct bpmu_extra *extra;
	u64 msr, umask, select;
	unsigned int i;
	int ret;

	ret = bpmu_json_text(at, "ProgrammingRestriction", &restriction);
	if (ret || !*restriction || !strcasecmp(restriction, "None"))
		return ret;
	if (strcasecmp(restriction, "MSRIndex-UMask")) {
		vendor_event_refuse(event, BPMU_REFUSAL_MODULE, restriction);
		return 0;
	}
	if (!event->row.extra)
		return 0;
	ret = bpmu_json_text(at, "MSRIndex", &msrs);
	if (!ret)
		ret = bpmu_json_text(at, "UMask", &umasks);
	for (i = 0; !ret && list_number(msrs, i, &msr); i++) {
		if (!list_number(umasks, i, &umask))
			return bpmu_json_error(at, "UMask",
					       "not as many as in MSRIndex; write one for each");
		select = (event->row.select & BPMU_SEL_EVENT) | umask << BPMU_SEL_UMASK_SHIFT;
		extra = bpmu_extra_of(part, select);
		if (!extra || msr != bpmu_extra_msr(extra->id))
			vendor_event_refuse(event, BPMU_REFUSAL_MSR, msrs);
	}
	return ret;
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

/* Returns -EINVAL, with an error message, if the JSON object of an event lacks a required key. */
static int check_keys(const struct bpmu_json_at *at)
{
	static const char *const keys[] = { "EventCode", "UMask", "Counter" };
	const json_t *value;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(keys); i++) {
		value = json_object_get(at->object, keys[i]);
		if (!value || json_is_null(value) ||
		    (json_is_string(value) && !json_string_length(value)))
			return bpmu_json_error(at, keys[i],
					       "missing or empty; write it");
	}
	return 0;
}

static const struct bpmu_select_field *vendor_event_field(const struct bpmu_box *box,
							  const char *name)
{
	const struct bpmu_select_field *field = box ? box->fields : NULL;

	for (; field && field->name; field++)
		if (!strcmp(field->name, name))
			return field;
	return NULL;
}

/*
 * Adds the fields that only some event selects have: extended umask, port mask, flow control mask.
 * The extended umask of a core's event is UMASK2 (SDM, IA32_PERFEVTSELx, bits 47:40). For IIO
 * stacks the key UMaskExt is ignored, because it repeats the port mask and the flow control mask.
 */
static int read_fields(const struct bpmu_json_at *at, const struct bpmu_part *part,
		       const struct bpmu_box *box, struct bpmu_vendor_event *event)
{
	static const struct {
		const char *key;
		const char *name;
		const char *detail;
	} fields[] = {
		{ "UMaskExt", "umask_ext", "an extended umask" },
		{ "PortMask", "ch_mask", "a port mask" },
		{ "FCMask", "fc_mask", "a flow control mask" },
	};
	const unsigned int umask2 = BPMU_SEL_UMASK_SHIFT + BPMU_SEL_UMASK2_SHIFT;
	bool ports = vendor_event_field(box, "ch_mask");
	const struct bpmu_select_field *field;
	unsigned int shift;
	u64 value;
	size_t i;
	int ret;

	for (i = 0; i < ARRAY_SIZE(fields); i++) {
		ret = bpmu_json_number(at, fields[i].key, ~0ULL, &value);
		if (ret)
			return ret;
		if (!box && !i && value <= BPMU_SEL_UMASK2 >> umask2 &&
		    part->legal & BPMU_SEL_UMASK2) {
			event->row.select |= value << umask2;
			continue;
		}
		field = vendor_event_field(box, fields[i].name);
		if (!value || (!field && ports))
			continue;
		shift = field ? __builtin_ctzll(field->bits) : 0;
		if (!field || value > field->bits >> shift)
			vendor_event_refuse(event, BPMU_REFUSAL_MODULE, fields[i].detail);
		else
			event->row.select |= value << shift;
	}
	return 0;
}

/*
 * Reads the keys of an event for the filter register of @box. Event files have values only for bits
 * 63:32 of a CHA's filter register: opcodes. The user has to give the values of all other filters.
 */
static int read_filter(const struct bpmu_json_at *at, const struct bpmu_box *box,
		       struct bpmu_vendor_event *event)
{
	static const char *const programmed[] = {
		"na", "null", "0", "CBoFilter", "CHAFilter", "Filter1", "PCUFilter",
		"chnl", "fc, chnl", "CtrCtrl"
	};
	const char *filter;
	u64 value;
	size_t i;
	int ret;

	ret = bpmu_json_text(at, "Filter", &filter);
	if (!ret)
		ret = bpmu_json_number(at, "FILTER_VALUE", ~0U, &value);
	if (ret)
		return ret;
	for (i = 0; i < ARRAY_SIZE(programmed) && *filter; i++)
		if (!strncasecmp(filter, programmed[i], strlen(programmed[i])))
			break;
	if (i == ARRAY_SIZE(programmed) || (value && !box->filter_high))
		vendor_event_refuse(event, BPMU_REFUSAL_MODULE, filter);
	event->row.extra = value << 32;
	return 0;
}

static int read_code_of_box(const struct bpmu_json_at *at, const struct bpmu_box *box,
			    struct bpmu_vendor_event *event)
{
	const char *type;
	u64 extended;
	int ret;

	ret = read_filter(at, box, event);
	if (!ret)
		ret = bpmu_json_number(at, "ExtSel", 1, &extended);
	if (!ret)
		ret = bpmu_json_text(at, "CounterType", &type);
	if (ret)
		return ret;
	if (!strcasecmp(type, "FREERUN"))
		vendor_event_refuse(event, BPMU_REFUSAL_FREERUN, NULL);
	if (extended && !(box->legal & BPMU_SEL_ANY))
		vendor_event_refuse(event, BPMU_REFUSAL_MODULE, "an extended event code");
	else if (extended)
		event->row.select |= BPMU_SEL_ANY;
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
		ret = read_fields(at, part, box, event);
	if (!ret)
		ret = box ? read_code_of_box(at, box, event) : read_extra(at, part, row);
	if (!ret)
		ret = read_restriction(at, part, event);
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
	if (!ret && !box)
		ret = read_all_counters(at, NULL, row);
	else if (!ret && !event->refusal && !read_fixed_of_box(at, box, event))
		ret = read_all_counters(at, box, row);
	if (row->counters >> BPMU_FIXED_BASE)
		row->select &= BPMU_SEL_ANY;
	illegal = row->select & ~legal;
	if (illegal)
		vendor_event_refuse(event, BPMU_REFUSAL_FILTER,
				    bpmu_select_bit_name(part, __builtin_ctzll(illegal)));
	return ret;
}

/**
 * bpmu_vendor_event_read() - read an event from a JSON object of the vendor's event file
 * @at: JSON object in the array "Events"
 * @part: CPU model whose counters have to count the event
 * @event: zeroed; filled in. The texts in it are parts of the JSON object and valid as long as this
 *	object
 *
 * Return: 0, also if the event cannot be counted and @event says why; -EINVAL if a value is
 * malformed.
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
	box = vendor_event_box_of(part, unit, row->name);
	if (box) {
		row->unit = box->unit;
		return read_code(at, part, box, event);
	}
	vendor_event_refuse(event, BPMU_REFUSAL_UNIT, unit);
	return 0;
}
