// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the event tables of all CPU models: each event has a name, legal bits and counters, and
 * no two events have the same name. The lines of the published tables, from which the event tables
 * are generated, are compared with the event tables.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "event/event.h"
#include "event/event_name.h"
#include "events.h"
#include "intel.h"
#include "unit.h"

#define ROW_BITS	(BPMU_SEL_EVENT | BPMU_SEL_EVENT_HIGH | \
			 BPMU_SEL_UMASK | BPMU_SEL_CMASK | BPMU_SEL_INV | \
			 BPMU_SEL_EDGE | BPMU_SEL_ANY | BPMU_SEL_UMASK2)
#define UNCORE_END (BPMU_COUNTER_IIO + BPMU_IIO_COUNTERS)

/*
 * Returns how many events a CPU model must have at least. For "arch" this is the number of
 * architectural events; for AMD's CPUs it is the number of events that all of them have.
 */
static size_t least_rows(const struct bpmu_part *part)
{
	if (!strcmp(part->name, "arch"))
		return 10;
	/* Intel has published no file of events for this CPU model. */
	if (!strcmp(part->name, "dmr"))
		return 25;
	if (!strcmp(part->name, "topdown"))
		return 45;
	return part->ids[0].vendor == BPMU_VENDOR_AMD ? 30 : 50;
}

static void rows_are_sorted_by_name(void **state)
{
	const struct bpmu_part *part = *state;
	const struct bpmu_event *rows;
	size_t nr;
	size_t i;

	rows = bpmu_events(part, &nr);
	assert_true(nr >= least_rows(part));
	for (i = 1; i < nr; i++)
		if (bpmu_event_compare(&rows[i - 1], &rows[i]) >= 0)
			fail_msg("%s", rows[i].name);
}

static void rows_have_legal_bits_only(void **state)
{
	const struct bpmu_part *part = *state;
	const struct bpmu_event *rows;
	size_t nr;
	size_t i;

	rows = bpmu_events(part, &nr);
	for (i = 0; i < nr; i++) {
		const struct bpmu_box *box = bpmu_uncore_box(part, rows[i].unit);
		u64 legal = box && box->base ? box->legal :
					       part->legal & ROW_BITS;

		if (rows[i].select & ~legal)
			fail_msg("%s", rows[i].name);
		if (rows[i].select & BPMU_SEL_INV &&
		    !(rows[i].select & BPMU_SEL_CMASK))
			fail_msg("%s", rows[i].name);
	}
}

static void check_core_row(const struct bpmu_part *part,
			   const struct bpmu_event *row)
{
	struct bpmu_pmu pmu = unit_pmu(part->name, 8);
	u64 on = BPMU_BIT(unit_most_counters(part, 1)) - 1;
	u64 off = BPMU_BIT(unit_most_counters(part, 0)) - 1;
	u64 fixed = bpmu_pmu_counters(&pmu) & ~(BPMU_FIXED_BIT(0) - 1);
	u32 c;

	if (row->counters >> BPMU_FIXED_BASE) {
		assert_int_equal(row->counters & (row->counters - 1), 0);
		assert_int_equal(row->counters, row->counters_noht);
		on = fixed;
		off = fixed;
	}
	if (!row->counters || row->counters & ~row->counters_noht ||
	    row->counters & ~on || row->counters_noht & ~off)
		fail_msg("%s: %llx, %llx", row->name, row->counters,
			 row->counters_noht);
	for (c = 0; c < BPMU_COUNTER_UNCORE; c++)
		if (row->counters_noht & BPMU_BIT(c) &&
		    bpmu_select_illegal(&pmu, c, row->select))
			fail_msg("%s on %u", row->name, c);
}

static void check_uncore_row(const struct bpmu_part *part,
			     const struct bpmu_event *row)
{
	const struct bpmu_box *box = bpmu_uncore_box(part, row->unit);
	struct bpmu_pmu pmu = unit_pmu(part->name, 4);
	struct bpmu_place place;
	u32 c;

	assert_non_null(box);
	assert_true(row->counters);
	assert_int_equal(row->counters, row->counters_noht);
	assert_int_equal(row->counters >> box->counters, 0);
	for (c = BPMU_COUNTER_UNCORE; c < UNCORE_END; c++)
		if (bpmu_uncore_place(&pmu, c, &place) && place.box == box &&
		    row->counters >> place.index & 1 &&
		    bpmu_select_illegal(&pmu, c, row->select))
			fail_msg("%s on %u", row->name, c);
}

static void rows_have_existing_counters(void **state)
{
	const struct bpmu_part *part = *state;
	const struct bpmu_event *rows;
	size_t nr;
	size_t i;

	rows = bpmu_events(part, &nr);
	for (i = 0; i < nr; i++) {
		if (rows[i].unit == BPMU_UNIT_CORE)
			check_core_row(part, &rows[i]);
		else
			check_uncore_row(part, &rows[i]);
	}
}

/*
 * Returns the name of an event. If the event can only be counted with a value in the filter of its
 * box, adds a filter field with a value to the name.
 */
static const char *name_of(const struct bpmu_part *part,
			   const struct bpmu_event *row, char *buf, size_t size)
{
	const struct bpmu_box *box = bpmu_uncore_box(part, row->unit);
	const struct bpmu_select_field *field = box ? box->filters : NULL;
	u64 used = bpmu_filter_used(box, row->select);

	for (; field && field->name; field++) {
		if (!field->asked || !(used & field->bits))
			continue;
		snprintf(buf, size, "%s:%s=%u", row->name, field->name, field->asked);
		return buf;
	}
	return row->name;
}

/*
 * Checks that the name of each event is parsed as that event, and that the event then has only
 * counters that the event table allows. @smt: hyper-threading is on.
 */
static void check_names(const struct bpmu_part *part, int smt)
{
	struct bpmu_pmu pmu = unit_pmu(part->name,
				       unit_most_counters(part, smt));
	const struct bpmu_event *rows;
	struct bpmu_event_spec spec;
	struct bpmu_error err;
	char name[128];
	size_t nr;
	size_t i;

	rows = bpmu_events(part, &nr);
	for (i = 0; i < nr; i++) {
		if (bpmu_event_parse(&pmu, smt, name_of(part, &rows[i], name,
							sizeof(name)),
				     &spec, &err))
			fail_msg("%s", err.text);
		assert_ptr_equal(spec.row, &rows[i]);
		assert_int_equal(spec.term[0].unit, rows[i].unit);
		assert_int_equal(spec.term[0].counters & ~(smt ?
				 rows[i].counters : rows[i].counters_noht), 0);
		bpmu_event_free(&spec);
	}
}

static void names_of_rows_are_parsed(void **state)
{
	check_names(*state, 0);
	check_names(*state, 1);
}

static void aliases_name_rows(void **state)
{
	const struct bpmu_part *part = *state;
	const struct bpmu_event_alias *aliases;
	const struct bpmu_event *rows;
	size_t nr_aliases;
	size_t nr;
	size_t i;
	size_t a;

	rows = bpmu_events(part, &nr);
	aliases = bpmu_event_aliases(part, &nr_aliases);
	assert_true(nr_aliases >= 6);
	for (a = 0; a < nr_aliases; a++) {
		for (i = 0; i < nr; i++)
			if (!strcmp(rows[i].name, aliases[a].event))
				break;
		if (i == nr)
			fail_msg("%s", aliases[a].event);
		if (a)
			assert_true(strcmp(aliases[a - 1].name,
					   aliases[a].name) < 0);
	}
}

/*
 * All events of outstanding requests have the same event code and unit mask. They differ only in
 * the counter mask: a cycle is counted if at least as many requests are outstanding as the counter
 * mask says. The name of an event has the same number.
 */
static void outstanding_requests_are_one_event(void **state)
{
	static const char family[] = "OFFCORE_REQUESTS_OUTSTANDING.";
	const struct bpmu_part *part = *state;
	const struct bpmu_event *rows;
	u64 code = 0, least;
	size_t nr, i;

	rows = bpmu_events(part, &nr);
	for (i = 0; i < nr; i++) {
		const char *name = rows[i].name + strlen(family);

		if (strncmp(rows[i].name, family, strlen(family)))
			continue;
		least = strstr(name, "_C6") || strstr(name, "_GE_6") ? 6 :
			!strncmp(name, "CYCLES_WITH", 11) || strstr(name, "_NOT_EMPTY");
		if ((rows[i].select & BPMU_SEL_CMASK) >> BPMU_SEL_CMASK_SHIFT !=
		    least || (code && code != (rows[i].select & BPMU_SEL_EVENT)))
			fail_msg("%s", rows[i].name);
		code = rows[i].select & BPMU_SEL_EVENT;
	}
}

/* Each event has a description, which is not just its name. */
static void rows_have_descriptions(void **state)
{
	const struct bpmu_part *part = *state;
	const struct bpmu_event *rows;
	size_t nr;
	size_t i;

	rows = bpmu_events(part, &nr);
	for (i = 0; i < nr; i++) {
		if (!rows[i].desc || !strchr(rows[i].desc, ' ') ||
		    strstr(rows[i].desc, rows[i].name))
			fail_msg("%s: %s", rows[i].name, rows[i].desc ?: "");
	}
}

/* The tables from which arch/gen-events generates the event tables. */
#define PUBLISHED TOP "/arch/intel_events.tsv"
#define OWN TOP "/arch/intel_own.tsv"

/* Columns of the file PUBLISHED, which has a line for each of Intel's events. */
enum column {
	NAME, PARTS, UNIT, CODE, UMASK, COUNTERS, COUNTERS_NOHT, CMASK, INV, EDGE, ANY, ERRATA,
	MSR_INDEX, MSR_VALUE, PEBS, TAKEN_ALONE, EQ, UMASK_EXT, NR_COLUMNS
};

/* Splits a text line at its tabs; columns that it lacks are empty. */
static void split(char *line, char *column[NR_COLUMNS])
{
	size_t i;

	line[strcspn(line, "\n")] = '\0';
	for (i = 0; i < NR_COLUMNS; i++)
		column[i] = strsep(&line, "\t") ?: "";
}

/*
 * Returns whether the CPU model is in a list of names, which are separated by blanks and have "_"
 * in place of "-".
 */
static bool is_of(const struct bpmu_part *part, const char *list)
{
	size_t length = strlen(part->name);
	size_t i;

	for (; *list; list += strcspn(list, " "), list += *list == ' ') {
		for (i = 0; i < length; i++)
			if (list[i] != part->name[i] &&
			    (list[i] != '_' || part->name[i] != '-'))
				break;
		if (i == length && strchr(" ", list[i]))
			return true;
	}
	return false;
}

/*
 * Returns the unit that counts an event. For events of the uncore the beginning of the event's name
 * tells the unit. All other events are counted by the core.
 */
static u8 unit_of(const char *name)
{
	static const struct {
		const char *prefix;
		u8 unit;
	} units[] = {
		{ "UNC_QMC_", BPMU_UNIT_GQ }, { "UNC_LLC_", BPMU_UNIT_GQ },
		{ "UNC_CLOCK.", BPMU_UNIT_CLOCK }, { "UNC_ARB_", BPMU_UNIT_ARB },
		{ "UNC_CBO_", BPMU_UNIT_CBO }, { "UNC_M_U_", BPMU_UNIT_IMC_UCLK },
		{ "UNC_M_", BPMU_UNIT_IMC }, { "UNC_M2P_", BPMU_UNIT_M2PCIE },
		{ "UNC_E_U_", BPMU_UNIT_EDC_UCLK }, { "UNC_E_EDC_", BPMU_UNIT_EDC_UCLK },
		{ "UNC_E_", BPMU_UNIT_EDC_ECLK },
		{ "UNC_C_", BPMU_UNIT_CHA }, { "UNC_CHA_", BPMU_UNIT_CHA },
		{ "UNC_IIO_", BPMU_UNIT_IIO },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(units); i++)
		if (!strncmp(name, units[i].prefix, strlen(units[i].prefix)))
			return units[i].unit;
	return BPMU_UNIT_CORE;
}

/*
 * Returns whether an event must be in the event table: its event select fits in 32 bits, and
 * barepmu can program the unit that counts the event.
 */
static bool can_be_programmed(const struct bpmu_part *part, char *const column[NR_COLUMNS])
{
	u8 unit = unit_of(column[NAME]);

	if (*column[MSR_INDEX] || *column[EQ] || strchr(column[CODE], ',') ||
	    strlen(column[UMASK]) > strlen("0x00") || strstr(column[NAME], "_FREERUN"))
		return false;
	/*
	 * The event UOPS_RETIRED.X87 needs UMASK_EXT, which the files from Linux lack. The file OWN
	 * has a line for this event instead.
	 */
	if (*column[UMASK_EXT] || !strcmp(column[NAME], "UOPS_RETIRED.X87"))
		return false;
	return unit == BPMU_UNIT_CORE ? !strcmp(column[UNIT], "core") :
					!!bpmu_uncore_box(part, unit);
}

static void check_listed(const struct bpmu_part *part, const char *name)
{
	const struct bpmu_event *rows;
	size_t nr, i;

	rows = bpmu_events(part, &nr);
	for (i = 0; i < nr; i++)
		if (!strcmp(rows[i].name, name))
			return;
	fail_msg("%s: no row", name);
}

/*
 * Checks each line of PUBLISHED for this CPU model. If the module can program the line's event, the
 * event table must have the event. Returns the number of lines for this CPU model.
 */
static unsigned int check_published(const struct bpmu_part *part)
{
	FILE *stream = fopen(PUBLISHED, "r");
	unsigned int nr = 0, promised = 0;
	char *column[NR_COLUMNS];
	char line[1024];

	assert_non_null(stream);
	while (fgets(line, sizeof(line), stream)) {
		split(line, column);
		if (!strcmp(column[0], "!part") && is_of(part, column[1]))
			promised = strtoul(column[2], NULL, 10);
		if (strchr("#!", line[0]) || !is_of(part, column[PARTS]))
			continue;
		nr++;
		if (can_be_programmed(part, column))
			check_listed(part, column[NAME]);
	}
	fclose(stream);
	assert_int_equal(nr, promised);
	return nr;
}

static void check_own(const struct bpmu_part *part)
{
	FILE *stream = fopen(OWN, "r");
	char *column[NR_COLUMNS];
	char line[1024];

	assert_non_null(stream);
	while (fgets(line, sizeof(line), stream)) {
		split(line, column);
		if (!strcmp(column[0], "!add") && is_of(part, column[1]))
			check_listed(part, column[2]);
	}
	fclose(stream);
}

/*
 * The event tables are generated from the files PUBLISHED and OWN. This test reads the files with a
 * parser of its own, so that it finds an error of the generator's parser.
 */
static void lines_of_the_tables_are_rows(void **state)
{
	const struct bpmu_part *part = *state;

	check_own(part);
	/*
	 * PUBLISHED has no line for these CPU models. Their event tables are written by hand, or
	 * are copies of the event table of another CPU model, or are for AMD's CPUs.
	 */
	if (!check_published(part))
		assert_non_null(strstr(" avn lkf-e dmr k10 bulldozer jaguar knc topdown arch zen1 zen2 zen3 zen4 zen5 zen6 ",
				       part->name));
}

static const struct unit_check checks[] = {
	{ "rows are sorted and unique", rows_are_sorted_by_name },
	{ "rows have legal bits only", rows_have_legal_bits_only },
	{ "lines of the tables are rows", lines_of_the_tables_are_rows },
	{ "rows have descriptions", rows_have_descriptions },
	{ "rows have existing counters", rows_have_existing_counters },
	{ "names of rows are parsed", names_of_rows_are_parsed },
	{ "aliases are sorted and name rows", aliases_name_rows },
	{ "outstanding requests are one event with masks", outstanding_requests_are_one_event },
};

int main(void)
{
	return unit_run_parts("tables", checks, ARRAY_SIZE(checks));
}
