// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "event/event.h"
#include "intel.h"
#include "vendor.h"

#define MODIFIERS (BPMU_SEL_UMASK | BPMU_SEL_CMASK | BPMU_SEL_INV | \
		   BPMU_SEL_EDGE | BPMU_SEL_ANY)
#define FILTERS (BPMU_SEL_CMASK | BPMU_SEL_INV | BPMU_SEL_EDGE | BPMU_SEL_ANY)

/**
 * struct name - parts of an event's name in a metric file, such as "NAME:c1:e1"
 * @v: contents of the loaded files
 * @base: the event's name without modifiers
 * @row: the event in the event table; NULL if it cannot be counted
 * @given: bits of the event select that the modifiers set or clear
 * @bits: values of the bits in @given
 * @privilege: ":u", ":k" or ""
 * @equal: the modifier ":eq1": count cycles with exactly as many events as the counter mask
 * @not_equal: the modifiers ":eq1:i1": count cycles with any other number of events, by the bit EQ
 *	of the event select
 * @extra: value for the extra register instead of the value in @row; 0 to keep that value
 * @filter: fields of the box's filter in the tool's syntax, each after a colon; "" for none
 * @why: receives the reason if the event cannot be counted
 */
struct name {
	const struct bpmu_vendor_set *v;
	char base[BPMU_VENDOR_NAME];
	const struct bpmu_event *row;
	u64 given;
	u64 bits;
	const char *privilege;
	bool equal;
	bool not_equal;
	u64 extra;
	char filter[BPMU_VENDOR_NAME];
	char *why;
};

static int vendor_name_refuse(struct name *n, const char *what)
{
	snprintf(n->why, BPMU_VENDOR_WHY, "%s", what);
	return -ENOTSUP;
}

/* Sets the reason why an event with the modifier @word cannot be counted. Returns -ENOTSUP. */
static int obstacle(struct name *n, const char *word)
{
	static const struct {
		const char *word;
		const char *why;
	} obstacles[] = {
		{ "retire_latency", "needs mean retire latency, which needs PEBS" },
		{ "opc=", "needs an opcode filter, which the unit of its event lacks" },
		{ "tid=", "needs a thread filter, which the unit of its event lacks" },
		{ "filter1=", "needs a filter of 64 bits, which the unit of its event lacks" },
		{ "percore", "needs the sum of a core's threads, which this CPU model does not count" },
	};
	char what[BPMU_VENDOR_WHY];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(obstacles); i++)
		if (!strncasecmp(word, obstacles[i].word,
				 strlen(obstacles[i].word)))
			return vendor_name_refuse(n, obstacles[i].why);
	snprintf(what, sizeof(what),
		 "needs modifier \"%.40s\", which this tool does not know",
		 word);
	return vendor_name_refuse(n, what);
}

static int set_field(struct name *n, const char *word, const char *digits,
		     unsigned int shift)
{
	unsigned long value;
	char *end;

	value = strtoul(digits, &end, 0);
	if (!isdigit((unsigned char)*digits) || *end || value > 0xff)
		return obstacle(n, word);
	n->given |= 0xffULL << shift;
	n->bits |= (u64)value << shift;
	return 0;
}

static int set_switch(struct name *n, u64 bit, bool on)
{
	n->given |= bit;
	n->bits |= on ? bit : 0;
	return 0;
}

static int set_privilege(struct name *n, const char *privilege)
{
	n->privilege = privilege;
	return 0;
}

static int set_extra(struct name *n, const char *word)
{
	const char *digits = strchr(word, '=') + 1;
	char *end;

	n->extra = strtoull(digits, &end, 0);
	if (!n->extra || *end)
		return obstacle(n, word);
	if (n->row && !n->row->extra)
		return vendor_name_refuse(n, "needs an off-core response register, which its event has not");
	return 0;
}

/*
 * Refuses the modifier ":one_unit", which means the count of a single box, for a unit with several
 * boxes, because this tool adds up the counts of all boxes. (For most events of CBos, CHAs and
 * memory channels bpmu_vendor_expression() has replaced the modifier by the mean of all boxes.)
 */
static int one_unit(struct name *n)
{
	const struct bpmu_box *box = n->row ? bpmu_uncore_box(n->v->part, n->row->unit) : NULL;

	if (!box || box->nr == 1)
		return 0;
	return vendor_name_refuse(n, "needs one of several units, which this tool adds up");
}

/*
 * Returns the bits of the field @field in the filter register of the event's uncore box; 0 if there
 * is no such field.
 */
static u64 filter_bits(const struct name *n, const char *field)
{
	const struct bpmu_box *box = n->row ? bpmu_uncore_box(n->v->part, n->row->unit) : NULL;
	const struct bpmu_select_field *filter = box ? box->filters : NULL;

	for (; filter && filter->name; filter++)
		if (!strcmp(filter->name, field))
			return filter->bits;
	return 0;
}

static int vendor_name_add_filter(struct name *n, const char *text)
{
	size_t len = strlen(n->filter);

	snprintf(n->filter + len, sizeof(n->filter) - len, ":%s", text);
	return 0;
}

/*
 * Translates the modifier @word to the tool's syntax, and appends the result to @n->filter. Of
 * "tid=0x3e" it makes ":tid_en=1:filter_tid=0x3e": @field is the name of the filter field, here
 * "filter_tid"; @enable is the field that enables this filter, with a colon, or "" for none.
 */
static int set_filter(struct name *n, const char *word, const char *field, const char *enable)
{
	const char *digits = strchr(word, '=') + 1;
	u64 bits = filter_bits(n, field);
	char text[64];
	u64 value;
	char *end;

	value = strtoull(digits, &end, 0);
	if (n->row && (!bits || !isdigit((unsigned char)*digits) || *end ||
		       value > bits >> __builtin_ctzll(bits)))
		return obstacle(n, word);
	snprintf(text, sizeof(text), "%s%s=0x%llx", enable, field, (unsigned long long)value);
	return vendor_name_add_filter(n, text);
}

/*
 * Translates a modifier such as "filter1=0x40432", the value of bits 63:32 of a CHA's filter
 * register, to filter fields in the tool's syntax, and appends these fields to @n->filter.
 */
static int set_filter_high(struct name *n, const char *word)
{
	const struct bpmu_box *box = n->row ? bpmu_uncore_box(n->v->part, n->row->unit) : NULL;
	const char *digits = strchr(word, '=') + 1;
	char text[BPMU_VENDOR_NAME];
	u64 value;
	char *end;

	value = strtoull(digits, &end, 0);
	if (!n->row)
		return 0;
	if (!box || !box->filter_high || !isdigit((unsigned char)*digits) || *end ||
	    value > ~0U ||
	    !bpmu_event_filter_write(box, n->row->select, value << 32, text, sizeof(text)))
		return obstacle(n, word);
	return vendor_name_add_filter(n, text);
}

static int read_modifier(struct name *n, const char *word)
{
	bool any = n->v->part->legal & BPMU_SEL_ANY;

	if (!strcasecmp(word, "sup"))
		return set_privilege(n, ":k");
	if (!strcasecmp(word, "user"))
		return set_privilege(n, ":u");
	if (!strcasecmp(word, "perf_metrics") && n->v->part->metrics)
		return 0;
	if (!strcasecmp(word, "perf_metrics"))
		return vendor_name_refuse(n, "needs PERF_METRICS, which this CPU model lacks");
	if (!strncasecmp(word, "ocr_msr_val=", 12))
		return set_extra(n, word);
	if (!strcasecmp(word, "one_unit"))
		return one_unit(n);
	if (!strncasecmp(word, "opc=", 4))
		return set_filter(n, word, "filter_opc", "");
	if (!strncasecmp(word, "tid=", 4))
		return set_filter(n, word, "filter_tid", "tid_en=1:");
	if (!strncasecmp(word, "filter1=", 8))
		return set_filter_high(n, word);
	if (!strcasecmp(word, "percore") && any)
		return set_switch(n, BPMU_SEL_ANY, true);
	if (!strcasecmp(word, "eq0") || !strcasecmp(word, "eq1")) {
		n->equal = word[2] == '1';
		return 0;
	}
	if (!strcasecmp(word, "e0") || !strcasecmp(word, "e1"))
		return set_switch(n, BPMU_SEL_EDGE, word[1] == '1');
	if (!strcasecmp(word, "i0") || !strcasecmp(word, "i1"))
		return set_switch(n, BPMU_SEL_INV, word[1] == '1');
	if (tolower((unsigned char)*word) == 'c')
		return set_field(n, word, word + 1, BPMU_SEL_CMASK_SHIFT);
	if (tolower((unsigned char)*word) == 'u')
		return set_field(n, word, word + 1, BPMU_SEL_UMASK_SHIFT);
	return obstacle(n, word);
}

/*
 * Finds the event with the name @n->base in the event table. If the name ends in _PS, for the
 * precise form of an event, the event without _PS is found as well. Returns -ENOTSUP, with the
 * reason in @n->why, if no such event can be counted.
 */
static int find_row(struct name *n)
{
	const struct bpmu_vendor_event *refused;
	size_t len = strlen(n->base);
	char what[BPMU_VENDOR_WHY];

	n->row = bpmu_vendor_row(n->v, n->base);
	refused = bpmu_vendor_refused(n->v, n->base);
	if (!n->row && !refused && len > 3 &&
	    !strcasecmp(n->base + len - 3, "_PS")) {
		n->base[len - 3] = '\0';
		return find_row(n);
	}
	if (n->row)
		return 0;
	if (refused)
		bpmu_vendor_why(refused, what, sizeof(what));
	else if (!strncasecmp(n->base, "PERF_METRICS.", 13))
		return vendor_name_refuse(n, "needs PERF_METRICS, which this CPU model lacks");
	else
		return vendor_name_refuse(n, "is in no event file and not in this tool's table; load its events by --events");
	return vendor_name_refuse(n, what);
}

static u64 cmask_of(u64 select)
{
	return (select & BPMU_SEL_CMASK) >> BPMU_SEL_CMASK_SHIFT;
}

/*
 * Sets @text to the event in the form cpu/event=...,umask=.../, with the fields of @select. The
 * event's name does not suffice, because modifiers have replaced fields of its event select.
 */
static int write_numbers(struct name *n, u64 select, char *text)
{
	char cmask[16] = "";

	if (n->row->unit != BPMU_UNIT_CORE || n->equal)
		return vendor_name_refuse(n, "needs fields replaced of an event that has filters of its own");
	if (cmask_of(select))
		snprintf(cmask, sizeof(cmask), ",cmask=%llu",
			 (unsigned long long)cmask_of(select));
	snprintf(text, BPMU_VENDOR_TEXT,
		 "cpu/event=0x%llx,umask=0x%llx%s%s%s%s%s/%s",
		 (unsigned long long)(select & BPMU_SEL_EVENT),
		 (unsigned long long)((select & BPMU_SEL_UMASK) >> BPMU_SEL_UMASK_SHIFT |
				      (n->row->select & BPMU_SEL_UMASK2) >> BPMU_SEL_UMASK2_SHIFT),
		 cmask,
		 select & BPMU_SEL_INV ? ",inv" : "",
		 n->not_equal ? ",eq" : "",
		 select & BPMU_SEL_EDGE ? ",edge" : "",
		 select & BPMU_SEL_ANY ? ",any" : "",
		 *n->privilege ? n->privilege + 1 : "");
	return 0;
}

static int write_filters(struct name *n, u64 select, char *text)
{
	char cmask[16] = "";

	if (cmask_of(select))
		snprintf(cmask, sizeof(cmask), n->equal ? ":[=%llu]" : ":c%llu",
			 (unsigned long long)cmask_of(select));
	snprintf(text, BPMU_VENDOR_TEXT, "%.90s%s%s%s%s%s%s%s", n->row->name, cmask,
		 select & BPMU_SEL_INV ? ":i" : "",
		 n->not_equal ? ":eq" : "",
		 select & BPMU_SEL_EDGE ? ":e" : "",
		 select & BPMU_SEL_ANY ? ":t" : "", n->filter, n->privilege);
	return 0;
}

static int write_event(struct name *n, char *text)
{
	u64 own = n->row->select & MODIFIERS;
	u64 select = (n->row->select & ~n->given) | n->bits;
	const struct bpmu_box *box = bpmu_uncore_box(n->v->part, n->row->unit);
	u64 legal = box ? box->legal : n->v->part->legal;
	bool fixed = n->row->counters >> BPMU_FIXED_BASE;

	n->not_equal = n->equal && !box && cmask_of(select) && select & BPMU_SEL_INV &&
		       legal & BPMU_SEL_EQ;
	n->equal &= !n->not_equal;
	if (n->equal && (!cmask_of(select) || select & BPMU_SEL_INV))
		return vendor_name_refuse(n, "needs the filter \"not equal\", which this CPU model lacks");
	if (fixed && (select & (FILTERS & ~BPMU_SEL_ANY)))
		return vendor_name_refuse(n, "needs a filter on a fixed counter, which has none");
	if (select & FILTERS & ~legal)
		return vendor_name_refuse(n, "needs a filter that this part lacks");
	if (own == (select & MODIFIERS) && !n->equal) {
		snprintf(text, BPMU_VENDOR_TEXT, "%.90s%s%s", n->row->name,
			 n->filter, n->privilege);
		if (n->extra)
			snprintf(text + strlen(text), BPMU_VENDOR_TEXT - strlen(text),
				 ":offcore_rsp=0x%llx", n->extra);
		return 0;
	}
	if (n->extra)
		return vendor_name_refuse(n, "needs fields replaced of an event with an extra register");
	if (own & FILTERS || (own ^ select) & BPMU_SEL_UMASK)
		return write_numbers(n, select, text);
	return write_filters(n, select, text);
}

/**
 * bpmu_vendor_name() - translate a vendor's name of an event to the tool's syntax
 * @v: contents of the loaded files, with their events
 * @name: name of the event with modifiers of the vendor's metric files, such as "NAME:c1:e1"
 * @text: set to the event in the syntax of bpmu_event_parse(), or to @name if the event cannot be
 *	counted; BPMU_VENDOR_TEXT bytes
 * @why: set to the reason if the event cannot be counted; BPMU_VENDOR_WHY bytes
 *
 * Return: 0, or -ENOTSUP if the event cannot be counted.
 */
int bpmu_vendor_name(const struct bpmu_vendor_set *v, const char *name,
		     char *text, char *why)
{
	struct name n = { .v = v, .privilege = "", .why = why };
	char *rest = n.base;
	char *word;
	int ret;

	snprintf(text, BPMU_VENDOR_TEXT, "%.*s", BPMU_VENDOR_TEXT - 1, name);
	if (!strcmp(name, "TSC"))
		return 0;
	if (strlen(name) >= sizeof(n.base))
		return vendor_name_refuse(&n, "has a name of more than 127 letters");
	strcpy(n.base, name);
	strsep(&rest, ":");
	ret = find_row(&n);
	while (rest && (!ret || !n.row)) {
		word = strsep(&rest, ":");
		if (!strcasecmp(word, "retire_latency"))
			ret = obstacle(&n, word);
		else if (!ret)
			ret = read_modifier(&n, word);
	}
	return ret ? ret : write_event(&n, text);
}

/*
 * Energy events of the vendor's metric files, and expressions that convert their counts to the unit
 * in which formulas of these files expect energy. The result of package_joules() replaces "%s".
 */
static const struct {
	const char *name;
	const char *text;
} energies[] = {
	{ "UNC_PKG_ENERGY_STATUS", "POWER.PKG * JOULE / %s" },
	{ "FREERUN_PKG_ENERGY_STATUS", "POWER.PKG * JOULE / %s" },
	{ "FREERUN_DRAM_ENERGY_STATUS", "POWER.DRAM * JOULE_DRAM / 15.6e-6" },
};

/*
 * Returns the unit, in joules, in which the vendor's formulas expect the energy of the package:
 * 15.6 uJ on CPU models up to Ivy Bridge, 61 uJ on later ones.
 */
static const char *package_joules(const struct bpmu_part *part)
{
	static const char *const fine[] = { "snb", "jkt", "ivb", "ivt" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(fine); i++)
		if (!strcmp(part->name, fine[i]))
			return "15.6e-6";
	return "61e-6";
}

/*
 * Returns the constant that formulas use for the number of boxes of @unit in a package, such as
 * "CHAS"; NULL if there is no such constant.
 */
static const char *boxes_of(u8 unit)
{
	switch (unit) {
	case BPMU_UNIT_CBO:
	case BPMU_UNIT_CHA:
		return "CHAS";
	case BPMU_UNIT_IMC:
		return "IMCS";
	default:
		return NULL;
	}
}

/**
 * bpmu_vendor_expression() - translate a vendor's name that is an expression in the tool's syntax
 * @v: contents of the loaded files, with their events
 * @name: name of an event in a metric file, with modifiers
 * @text: set to the expression; BPMU_VENDOR_TEXT bytes
 *
 * Two kinds of events become expressions. The count of a single CBo, CHA or memory channel
 * (":one_unit") becomes the mean over all of them. A count of energy is converted to the unit that
 * the vendor's formulas assume: 15.6 uJ for memory, 61 uJ for the package, but 15.6 uJ for the
 * package of CPU models up to Ivy Bridge.
 *
 * Return: 1 if @text was set; 0 if the event is of neither kind, or if counts come from another
 * tool.
 */
int bpmu_vendor_expression(const struct bpmu_vendor_set *v, const char *name,
			   char *text)
{
	static const char mark[] = ":one_unit";
	size_t len = strlen(name);
	char base[BPMU_VENDOR_NAME];
	const struct bpmu_event *row;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(energies) && !v->given; i++) {
		if (strcasecmp(name, energies[i].name))
			continue;
		snprintf(text, BPMU_VENDOR_TEXT, energies[i].text, package_joules(v->part));
		return 1;
	}
	if (v->given || len >= sizeof(base) || len < sizeof(mark) ||
	    strcasecmp(name + len - strlen(mark), mark))
		return 0;
	snprintf(base, sizeof(base), "%.*s", (int)(len - strlen(mark)), name);
	row = bpmu_vendor_row(v, base);
	if (!row || !boxes_of(row->unit))
		return 0;
	snprintf(text, BPMU_VENDOR_TEXT, "%s / %s / SOCKETS", row->name, boxes_of(row->unit));
	return 1;
}
