// SPDX-License-Identifier: GPL-2.0
#include "report_map.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "event/counted.h"

static bool is_term(const struct bpmu_part *part, const struct bpmu_sched_slot *slot,
		    const struct bpmu_event_spec *spec)
{
	unsigned int t;

	for (t = 0; t < spec->nr; t++)
		if (bpmu_sched_is(part, slot, &spec->term[t]))
			return true;
	return false;
}

/*
 * Finds the counters of the recorded group @recorded that counted what the counters of the
 * requested group @wanted are to count, and sets @type->slot. If @spec is not NULL, does this only
 * for the event @spec. Returns false, and sets nothing, if @recorded lacks one of the events.
 */
static bool take_from(struct bpmu_map_core_type *type, const struct bpmu_group *recorded,
		      const struct bpmu_group *wanted,
		      const struct bpmu_event_spec *spec)
{
	const struct bpmu_part *part = type->recorded->pmu->part;
	int found[BPMU_MAX_COUNTERS];
	unsigned int i;

	if (recorded->sched.bank != wanted->sched.bank)
		return false;
	for (i = 0; i < wanted->sched.nr; i++) {
		if (spec && !is_term(part, &wanted->sched.slot[i], spec))
			continue;
		found[i] = bpmu_counted_slot(part, &recorded->sched,
					     &wanted->sched, i);
		if (found[i] < 0)
			return false;
	}
	for (i = 0; i < wanted->sched.nr; i++)
		if (!spec || is_term(part, &wanted->sched.slot[i], spec))
			type->slot[wanted->first + i] =
				recorded->first + found[i];
	return true;
}

/*
 * Checks if each requested group has only events of the recorded group with the same index. This is
 * so if the requested groups were made from the recorded groups.
 */
static bool by_group(const struct bpmu_map_core_type *type)
{
	return type->wanted->of || type->wanted == type->recorded;
}

/*
 * Finds the recorded group that counted the event @spec of the requested group @wanted, and sets
 * @type->slot to its counters. If @spec is NULL, finds the recorded group that counted all events
 * of @wanted. Returns false if there is no such recorded group.
 */
static bool map_take(struct bpmu_map_core_type *type, const struct bpmu_group *wanted,
		     const struct bpmu_event_spec *spec)
{
	const struct bpmu_groups *recorded = type->recorded;
	unsigned int g = wanted - type->wanted->group;

	if (by_group(type))
		return g < recorded->nr &&
		       take_from(type, &recorded->group[g], wanted, spec);
	for (g = 0; g < recorded->nr; g++)
		if (take_from(type, &recorded->group[g], wanted, spec))
			return true;
	return false;
}

/*
 * Finds the recorded counters of the events of the requested group @wanted: those of a single
 * recorded group if one group has all events, otherwise, for each event, those of the first
 * recorded group that has the event.
 */
static int map_find_group(struct bpmu_map_core_type *type, const struct bpmu_group *wanted,
			  struct bpmu_error *err)
{
	unsigned int i;

	if (map_take(type, wanted, NULL))
		return 0;
	for (i = 0; i < wanted->events.nr; i++)
		if (!map_take(type, wanted, &wanted->events.spec[i]))
			return bpmu_counted_lacks(type->recorded->pmu, type->recorded->live,
						  wanted->events.spec[i].text, err);
	return 0;
}

/*
 * Checks that there are as many recorded groups as requested groups if the requested groups were
 * made from the groups of a session. The numbers differ if another session has begun since then.
 */
static int map_check_groups(const struct bpmu_map_core_type *type, struct bpmu_error *err)
{
	const struct bpmu_groups *wanted = type->wanted;
	unsigned int g;

	if (!wanted->of || wanted->nr == type->recorded->nr)
		return 0;
	for (g = 0; !wanted->group[g].events.nr; g++)
		;
	return bpmu_counted_lacks(type->recorded->pmu, type->recorded->live,
				  wanted->group[g].events.spec[0].text, err);
}

static int map_find_type(struct bpmu_map_core_type *type, struct bpmu_error *err)
{
	unsigned int g;
	int code;

	type->slot = calloc(type->wanted->slots + 1, sizeof(*type->slot));
	if (!type->slot)
		return bpmu_error_no_memory(err, "report");
	code = map_check_groups(type, err);
	for (g = 0; g < type->wanted->nr && !code; g++)
		code = map_find_group(type, &type->wanted->group[g], err);
	return code;
}

/**
 * bpmu_map_make() - map events that a report requests to the recorded counters that counted them
 * @map: filled in; free it with bpmu_map_free(), on an error too
 * @wanted: requested groups with their events, and the requested CPUs
 * @recorded: recorded groups, with the core types in the same order
 * @batches: number of batches (sets of rotation slices) for which each count is summed separately
 *
 * Return: 0, -ENODATA if an event was not recorded, or -ENOMEM.
 */
int bpmu_map_make(struct bpmu_map *map, const struct bpmu_measure *wanted,
		  const struct bpmu_measure *recorded, unsigned int batches,
		  struct bpmu_error *err)
{
	struct bpmu_map_core_type *type;
	size_t cells = 0;
	unsigned int k;
	int code = 0;

	*map = (struct bpmu_map){
		.nr_core_types = bpmu_measure_core_types(wanted), .batches = batches,
	};
	for (k = 0; k < map->nr_core_types; k++) {
		type = &map->core_type[k];
		type->wanted = wanted->groups[k];
		type->recorded = recorded->groups[k];
		type->nr_cpus = bpmu_measure_cpus(wanted, k);
		cells += (size_t)type->nr_cpus * type->wanted->slots;
	}
	map->cell = calloc(cells + 1, sizeof(*map->cell));
	map->batch = calloc(cells * batches + 1, sizeof(*map->batch));
	if (!map->cell || !map->batch)
		return bpmu_error_no_memory(err, "report");
	for (k = 0; k < map->nr_core_types && !code; k++)
		code = map_find_type(&map->core_type[k], err);
	return code;
}

/*
 * Copies the counts of a CPU in @interval, from index @from on, to the counts of the requested
 * events in @map, from index @to on.
 */
static void move_cells(struct bpmu_map *map, const struct bpmu_map_core_type *type,
		       const struct bpmu_interval *interval, size_t from,
		       size_t to)
{
	size_t batches = map->batches;
	unsigned int i;

	for (i = 0; i < type->wanted->slots; i++) {
		map->cell[to + i] = interval->cell[from + type->slot[i]];
		if (batches)
			memcpy(map->batch + (to + i) * batches,
			       interval->batch +
			       (from + type->slot[i]) * batches,
			       batches * sizeof(*map->batch));
	}
}

/**
 * bpmu_map_interval() - map an interval's counts of recorded events to those of requested events
 * @map: from bpmu_map_make()
 * @interval: its counts are replaced by the counts of the requested events, which are in memory of
 *	@map and valid until the next call
 */
void bpmu_map_interval(struct bpmu_map *map, struct bpmu_interval *interval)
{
	const struct bpmu_map_core_type *type;
	size_t from = 0, to = 0;
	unsigned int k, pos, bank;

	for (k = 0; k < map->nr_core_types; k++) {
		type = &map->core_type[k];
		for (pos = 0; pos < type->nr_cpus; pos++) {
			move_cells(map, type, interval, from, to);
			from += type->recorded->slots;
			to += type->wanted->slots;
		}
		for (bank = 0; bank < BPMU_BANKS && !interval->interrupts; bank++) {
			interval->multiplexed[k][bank] =
				bpmu_groups_multiplexed(type->recorded, bank);
			interval->sampled[k][bank] =
				interval->multiplexed[k][bank] && !by_group(type);
		}
	}
	interval->cell = map->cell;
	interval->batch = map->batches ? map->batch : NULL;
}

void bpmu_map_free(struct bpmu_map *map)
{
	unsigned int k;

	for (k = 0; k < map->nr_core_types; k++)
		free(map->core_type[k].slot);
	free(map->cell);
	free(map->batch);
	memset(map, 0, sizeof(*map));
}
