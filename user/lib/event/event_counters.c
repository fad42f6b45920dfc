// SPDX-License-Identifier: GPL-2.0
#include "event_counters.h"

#include <math.h>
#include <string.h>

#include "events.h"
#include "free.h"
#include "intel.h"
#include "side.h"

#define SELECT_CODE	(BPMU_SEL_EVENT | BPMU_SEL_EVENT_HIGH | BPMU_SEL_UMASK)
#define SELECT_FILTER	(BPMU_SEL_CMASK | BPMU_SEL_INV | BPMU_SEL_EDGE)

/**
 * bpmu_counters_general() - the general counters that a PMU has
 * @pmu: as found
 *
 * Return: one bit per counter number.
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
 * bpmu_event_fixed() - check if a row means a fixed counter
 * @row: the part's row, or NULL
 * @smt: whether threads share a core
 *
 * Return: whether it does; PERF_METRICS counts as one.
 */
bool bpmu_event_fixed(const struct bpmu_event *row, int smt)
{
	return row && row->unit == BPMU_UNIT_CORE &&
	       row_counters(row, smt) >> BPMU_FIXED_BASE;
}

static const struct bpmu_free *register_of(const struct bpmu_event *row)
{
	if (!row || !bpmu_side_is_free(bpmu_side_of_unit(row->unit)))
		return NULL;
	return bpmu_free_at(BPMU_FREE_BASE + __builtin_ctzll(row->counters));
}

/**
 * bpmu_event_joules() - energy per count
 * @pmu: as found
 * @row: the part's row, or NULL
 *
 * Return: joules; 0 if the event does not count energy or its unit is unknown.
 */
double bpmu_event_joules(const struct bpmu_pmu *pmu,
			 const struct bpmu_event *row)
{
	const struct bpmu_free *reg = register_of(row);

	if (!reg || reg->type != BPMU_FREE_JOULES || !pmu->units)
		return 0;
	return ldexp(1, -(int)bpmu_free_energy_shift(pmu->part,
				__builtin_ctzll(row->counters), pmu->units));
}

/**
 * bpmu_event_is_gauge() - check if a count is the integral of a value over TSC ticks
 * @row: the part's row, or NULL
 *
 * Return: true if so.
 */
bool bpmu_event_is_gauge(const struct bpmu_event *row)
{
	const struct bpmu_free *reg = register_of(row);

	return reg && reg->type == BPMU_FREE_GAUGE;
}

/**
 * bpmu_event_twins() - check if two rows count the same
 * @row: "X", which is on a fixed counter
 * @other: "X_P" is the same on a general one
 *
 * Return: whether it does, by their names.
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
 * bpmu_event_general() - event of general counters that counts as a fixed counter does
 * @part: descriptor
 * @fixed: the fixed counter, as a set
 *
 * Return: the part's row, or NULL if it has none.
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

/* all counters of a unit that have an event select */
static u64 unit_counters(const struct bpmu_pmu *pmu, u8 unit, u64 select)
{
	u64 set = bpmu_counters_general(pmu);
	const struct bpmu_box *box;

	if (unit != BPMU_UNIT_CORE) {
		box = bpmu_uncore_box(pmu->part, unit);
		if (!box || (unit == BPMU_UNIT_CBO && !pmu->cbos))
			return 0;
		return BPMU_BIT(bpmu_box_counters(pmu, box)) - 1;
	}
	if (pmu->part->quirks & BPMU_QUIRK_NEEDS_OS &&
	    !(select & BPMU_SEL_OS))
		set &= BPMU_BIT(BPMU_NEEDS_OS_FIRST) - 1;
	return set;
}

/* is the event's counter a fixed one of its box */
static bool is_alone(const struct bpmu_pmu *pmu, const struct bpmu_event *row)
{
	return row && row->unit != BPMU_UNIT_CORE &&
	       row->counters == bpmu_box_fixed(bpmu_uncore_box(pmu->part, row->unit));
}

/**
 * bpmu_event_counters() - the counters that can hold an event
 * @pmu: as found
 * @smt: whether threads share a core
 * @row: the part's row, or NULL for raw events and names of libpfm4
 * @select: with filters and privilege levels
 *
 * A limit of the hardware belongs to the code, whatever name it has: all rows
 * with the same code and filters apply, and if there is none of these, all
 * rows with the same code.
 *
 * Return: the set, of one box for an event of the uncore; 0 if none can.
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
	if (bpmu_side_is_free(bpmu_side_of_unit(unit)))
		return row->counters & pmu->free;
	set = unit_counters(pmu, unit, select);
	if (row)
		set &= row_counters(row, smt);
	if (is_alone(pmu, row))
		return set;
	if (unit == BPMU_UNIT_CORE && bpmu_extra_of(pmu->part, select))
		set &= bpmu_extra_of(pmu->part, select)->counters;
	rows = bpmu_events(pmu->part, &nr);
	for (m = 0; m < 2 && (!m || !found); m++) {
		for (i = 0; i < nr; i++) {
			if (((rows[i].select ^ select) & masks[m]) ||
			    rows[i].unit != unit ||
			    bpmu_event_fixed(&rows[i], smt) ||
			    is_alone(pmu, &rows[i]))
				continue;
			set &= row_counters(&rows[i], smt);
			found = true;
		}
	}
	return set;
}
