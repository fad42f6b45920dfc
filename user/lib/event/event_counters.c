// SPDX-License-Identifier: GPL-2.0
#include "event_counters.h"

#include <math.h>
#include <string.h>

#include "events.h"
#include "free.h"
#include "intel.h"

#define SELECT_CODE	(BPMU_SEL_EVENT | BPMU_SEL_EVENT_HIGH | BPMU_SEL_UMASK | \
			 BPMU_SEL_UMASK2)
#define SELECT_FILTER	(BPMU_SEL_CMASK | BPMU_SEL_INV | BPMU_SEL_EDGE | BPMU_SEL_EQ)

/**
 * bpmu_counters_general() - general-purpose counters on which an event can be placed
 * @pmu: counters of the CPU
 *
 * Return: mask of the counters.
 */
u64 bpmu_counters_general(const struct bpmu_pmu *pmu)
{
	return bpmu_pmu_counters(pmu) & BPMU_COUNTERS_GENERAL;
}

static u64 row_counters(const struct bpmu_event *row, int smt)
{
	return smt ? row->counters : row->counters_noht;
}

/**
 * bpmu_event_fixed() - check if an event can be counted by one of the core's fixed counters
 * @row: the event in the CPU model's table of events, or NULL
 * @smt: true if hyper-threading is on
 *
 * Return: true if a fixed counter of the core, or PERF_METRICS, counts the event.
 */
bool bpmu_event_fixed(const struct bpmu_event *row, int smt)
{
	return row && row->unit == BPMU_UNIT_CORE &&
	       row_counters(row, smt) >> BPMU_FIXED_BASE;
}

static const struct bpmu_free *register_of(const struct bpmu_event *row)
{
	if (!row || !bpmu_unit_is_free(row->unit))
		return NULL;
	return bpmu_free_at(BPMU_COUNTER_FREE + __builtin_ctzll(row->counters));
}

/**
 * bpmu_event_joules() - energy in joules that one count of an event's register (RAPL) stands for
 * @pmu: counters of the CPU
 * @row: the event in the CPU model's table of events, or NULL
 *
 * Return: joules; 0 if the event does not count energy, or if it is unknown in which unit of energy
 * the CPU counts.
 */
double bpmu_event_joules(const struct bpmu_pmu *pmu,
			 const struct bpmu_event *row)
{
	const struct bpmu_free *reg = register_of(row);
	int shift;

	if (!reg || reg->type != BPMU_FREE_JOULES || !pmu->units)
		return 0;
	shift = bpmu_free_energy_shift(pmu->part, __builtin_ctzll(row->counters), pmu->units);
	return pmu->part->quirks & BPMU_QUIRK_MICROJOULES ? ldexp(0.000001, shift) : ldexp(1, -shift);
}

/**
 * bpmu_event_is_gauge() - check if the counter of an event is a gauge (temperature)
 * @row: the event in the CPU model's table of events, or NULL
 *
 * The count of a gauge is its value multiplied by the TSC ticks during which it had this value.
 *
 * Return: true for a gauge; false for an event whose occurrences are counted.
 */
bool bpmu_event_is_gauge(const struct bpmu_event *row)
{
	const struct bpmu_free *reg = register_of(row);

	return reg && reg->type == BPMU_FREE_GAUGE;
}

/**
 * bpmu_event_twins() - check if events of a fixed and a general-purpose counter count the same
 * @row: event of a fixed counter, such as "X"
 * @other: event of general-purpose counters, such as "X_P"
 *
 * Return: true if the names of the events differ only in the "_P" at the end of the second one.
 */
bool bpmu_event_twins(const struct bpmu_event *row,
		      const struct bpmu_event *other)
{
	size_t len = strlen(row->name);

	return !strncmp(other->name, row->name, len) &&
	       !strcmp(other->name + len, "_P");
}

static const struct bpmu_event *twin(const struct bpmu_event *rows, size_t nr,
				     const struct bpmu_event *row)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (bpmu_event_twins(row, &rows[i]))
			return &rows[i];
	return NULL;
}

/**
 * bpmu_event_general() - find the general-purpose event that counts what a fixed counter counts
 * @part: descriptor of the CPU model
 * @fixed: mask of the fixed counter
 *
 * Return: the event in the CPU model's table of events, or NULL if there is no such event.
 */
const struct bpmu_event *bpmu_event_general(const struct bpmu_part *part,
					    u64 fixed)
{
	const struct bpmu_event *rows, *found = NULL;
	size_t nr, i;

	rows = bpmu_events(part, &nr);
	for (i = 0; i < nr && !found; i++)
		if (rows[i].counters == fixed)
			found = twin(rows, nr, &rows[i]);
	return found;
}

/*
 * Returns the mask of those counters of a unit that have an event select register: in the core all
 * general-purpose counters. On some CPU models (BPMU_QUIRK_NEEDS_OS) the upper ones of them count
 * only if the event select has the bit OS; they are left out if @select lacks this bit.
 */
static u64 unit_counters(const struct bpmu_pmu *pmu, u8 unit, u64 select)
{
	u64 set = bpmu_counters_general(pmu);
	const struct bpmu_box *box;

	if (unit != BPMU_UNIT_CORE) {
		box = bpmu_uncore_box(pmu->part, unit);
		return box ? BPMU_BIT(bpmu_box_counters(pmu, box)) - 1 : 0;
	}
	if (pmu->part->quirks & BPMU_QUIRK_NEEDS_OS &&
	    !(select & BPMU_SEL_OS))
		set &= BPMU_BIT(BPMU_NEEDS_OS_FIRST) - 1;
	return set;
}

/* Checks if an event is counted by the fixed counter that each instance of its uncore unit has. */
static bool is_box_fixed(const struct bpmu_pmu *pmu, const struct bpmu_event *row)
{
	return row && row->unit != BPMU_UNIT_CORE &&
	       row->counters == bpmu_box_fixed(bpmu_uncore_box(pmu->part, row->unit));
}

/**
 * bpmu_event_counters() - counters that can count an event
 * @pmu: counters of the CPU
 * @smt: true if hyper-threading is on
 * @row: the event in the CPU model's table of events; NULL for raw events and names of libpfm4
 * @select: event select with filters and privilege levels
 *
 * Which counters can count an event depends on the event code and the filters. The result has those
 * counters that can count all events in the table with the same code and filters. If the table has
 * no such event, the result has those counters that can count all events with the same code.
 *
 * Return: mask of the counters; for an uncore event, mask of the counters of one box (instance of
 * the uncore unit). 0 if no counter can count the event.
 */
u64 bpmu_event_counters(const struct bpmu_pmu *pmu, int smt,
			const struct bpmu_event *row, u64 select)
{
	u64 masks[2] = { SELECT_CODE | SELECT_FILTER, SELECT_CODE };
	u8 unit = row ? row->unit : BPMU_UNIT_CORE;
	const struct bpmu_event *rows;
	bool found = row;
	size_t nr;
	size_t i;
	u64 set;
	int m;

	if (bpmu_event_fixed(row, smt))
		return row_counters(row, smt) & bpmu_pmu_counters(pmu);
	if (bpmu_unit_is_free(unit))
		return row->counters & pmu->free;
	set = unit_counters(pmu, unit, select);
	if (row)
		set &= row_counters(row, smt);
	if (is_box_fixed(pmu, row))
		return set;
	if (unit == BPMU_UNIT_CORE && bpmu_extra_of(pmu->part, select))
		set &= bpmu_extra_of(pmu->part, select)->counters;
	rows = bpmu_events(pmu->part, &nr);
	for (m = 0; m < 2 && (!m || !found); m++) {
		for (i = 0; i < nr; i++) {
			if (((rows[i].select ^ select) & masks[m]) ||
			    rows[i].unit != unit ||
			    bpmu_event_fixed(&rows[i], smt) ||
			    is_box_fixed(pmu, &rows[i]))
				continue;
			set &= row_counters(&rows[i], smt);
			found = true;
		}
	}
	return set;
}
