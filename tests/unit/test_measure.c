// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of what a measurement needs to know before it starts: how often it must read the counters,
 * which machine it runs on, whether both counters of the uncore's arbiter work, and which recorded
 * counters have the counts that a report asks for.
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "free.h"
#include "no_memory.h"
#include "source/arbiter.h"
#include "source/live.h"
#include "source/machine.h"
#include "source/measure.h"
#include "source/report_map.h"
#include "unit.h"

#define MS 1000000ULL

/**
 * struct paced - a measurement, and how often it reads the counters
 * @cpus: number of CPUs
 * @nr: number of groups on the counters of the core
 * @ms: length of an interval in ms
 * @tree: only the values of a tree are computed
 * @period_ns: expected time between samples
 * @batches: expected number of batches
 */
struct paced {
	unsigned int cpus;
	unsigned int nr;
	double ms;
	bool tree;
	u64 period_ns;
	unsigned int batches;
};

/*
 * A rotation slice is at most 5 ms long, or 50 us for each CPU if that is more, and at least 2 ms. A
 * group gets one slice more than there is time for in an interval, and at least 16, for a tree 14,
 * or 8 on more than 100 CPUs, but no more than 2 ms allow.
 */
static const struct paced paced[] = {
	{ 4, 1, 0, false, 0, 0 },
	{ 4, 1, 1000, false, 1000 * MS, 0 },
	{ 4, 2, 0, false, 5 * MS, BPMU_BATCHES },
	{ 4, 2, 1000, false, 1000 * MS / (2 * 101), BPMU_BATCHES },
	{ 4, 2, 310, false, 310 * MS / (2 * 32), 32 },
	{ 4, 2, 300, false, 300 * MS / (2 * 31), 31 },
	{ 4, 2, 160, false, 160 * MS / (2 * 17), 17 },
	{ 4, 2, 150, false, 150 * MS / (2 * 16), 16 },
	{ 4, 2, 100, false, 100 * MS / (2 * 16), 16 },
	{ 4, 2, 100, true, 100 * MS / (2 * 14), 14 },
	{ 4, 2, 40, false, 2 * MS, 10 },
	{ 4, 3, 60, false, 2 * MS, 10 },
	{ 4, 3, 5, false, 5 * MS / 3, 1 },
	{ 4, 2, 0.1, false, 100000, 1 },
	{ 100, 2, 100, false, 100 * MS / (2 * 16), 16 },
	{ 101, 2, 100, false, 100 * MS / (2 * 10), 10 },
	{ 200, 2, 100, false, 100 * MS / (2 * 8), 8 },
	{ 200, 2, 100, true, 100 * MS / (2 * 8), 8 },
	{ 200, 2, 1000, false, 1000 * MS / (2 * 51), 32 },
};

TEST(rotation_slices_fit_into_the_interval)
{
	struct bpmu_groups groups = { };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(paced); i++) {
		const struct paced *of = &paced[i];
		const struct bpmu_measure m = {
			.nr_cpus = of->cpus, .groups = { &groups }, .tree = of->tree,
			.interval_ns = of->ms * MS,
		};

		groups.nr_of[BPMU_BANK_CORE] = of->nr;
		groups.nr_of[BPMU_BANK_UNCORE] = 1;
		assert_int_equal(bpmu_measure_period_ns(&m), of->period_ns);
		assert_int_equal(bpmu_measure_batches(&m), of->batches);
	}
}

/*
 * A register of 32 bits may be read every 15 s, with counts of memory accesses every 1.875 s. Those
 * of a thread do not wrap.
 */
TEST(free_running_registers_are_read_before_they_wrap)
{
	struct bpmu_info info = { };
	struct bpmu_groups groups = { .nr_of[BPMU_BANK_FREE_THREAD] = 1 };
	struct bpmu_measure m = {
		.info = &info, .nr_cpus = 4, .groups = { &groups }, .interval_ns = 60000 * MS,
	};

	assert_int_equal(bpmu_measure_period_ns(&m), 60000 * MS);
	groups.nr_of[BPMU_BANK_FREE_CORE] = 1;
	assert_int_equal(bpmu_measure_period_ns(&m), 15000 * MS);
	groups.nr_of[BPMU_BANK_FREE_CORE] = 0;
	groups.nr_of[BPMU_BANK_FREE_PACKAGE] = 1;
	assert_int_equal(bpmu_measure_period_ns(&m), 15000 * MS);
	m.interval_ns++;
	assert_int_equal(bpmu_measure_period_ns(&m), 12000 * MS);
	m.interval_ns = 15000 * MS;
	assert_int_equal(bpmu_measure_period_ns(&m), 15000 * MS);
	m.interval_ns = 0;
	assert_int_equal(bpmu_measure_period_ns(&m), 0);
	info.pmu.free = BPMU_FREE_MEMORY;
	m.interval_ns = 60000 * MS;
	assert_int_equal(bpmu_measure_period_ns(&m), 1875 * MS);
	/* Multiplexed groups are read far more often. */
	groups.nr_of[BPMU_BANK_CORE] = 2;
	assert_int_equal(bpmu_measure_period_ns(&m), 60000 * MS / (2 * 6001));
}

/* The most groups of a core type count: those that it has, or that it may get. */
TEST(core_types_are_paced_together)
{
	const struct bpmu_groups one = { .nr_of[BPMU_BANK_CORE] = 1 };
	const struct bpmu_groups three = { .nr_of[BPMU_BANK_CORE] = 3 };
	struct bpmu_measure m = {
		.nr_cpus = 6, .groups = { &one, &three }, .first = { 0, 4 }, .interval_ns = 60 * MS,
	};

	assert_int_equal(bpmu_measure_core_types(&m), 2);
	assert_int_equal(bpmu_measure_cpus(&m, 0), 4);
	assert_int_equal(bpmu_measure_cpus(&m, 1), 2);
	assert_int_equal(bpmu_measure_period_ns(&m), 2 * MS);
	assert_int_equal(bpmu_measure_batches(&m), 10);
	m.groups[0] = &three;
	m.groups[1] = &one;
	assert_int_equal(bpmu_measure_period_ns(&m), 2 * MS);
	m.groups[0] = &one;
	m.groups[1] = NULL;
	assert_int_equal(bpmu_measure_core_types(&m), 1);
	assert_int_equal(bpmu_measure_cpus(&m, 0), 6);
	assert_int_equal(bpmu_measure_period_ns(&m), 60 * MS);
	m.most[0] = &three;
	assert_int_equal(bpmu_measure_period_ns(&m), 2 * MS);
	assert_int_equal(bpmu_measure_batches(&m), 0);
}

/* Four CPUs of two cores, which have two threads each. */
static const struct bpmu_topology threads[] = {
	{ .package = 0, .core = 0 }, { .package = 0, .core = 1 },
	{ .package = 0, .core = 0 }, { .package = 0, .core = 1 },
};

static int select_code;

int __wrap_bpmu_cpulist_select(const char *text, struct bpmu_cpulist *list, struct bpmu_error *err);
void __wrap_bpmu_topology_read(const struct bpmu_cpulist *cpus, struct bpmu_topology *topology);

int __wrap_bpmu_cpulist_select(const char *text, struct bpmu_cpulist *list, struct bpmu_error *err)
{
	assert_null(text);
	if (select_code)
		return bpmu_error_set(err, select_code, "no CPUs");
	*list = (struct bpmu_cpulist){ calloc(4, sizeof(u32)), 4 };
	return list->cpu ? 0 : bpmu_error_no_memory(err, "CPUs");
}

void __wrap_bpmu_topology_read(const struct bpmu_cpulist *cpus, struct bpmu_topology *topology)
{
	assert_int_equal(cpus->nr, 4);
	memcpy(topology, threads, sizeof(threads));
}

static int find_machine(void *data, struct bpmu_error *err)
{
	struct bpmu_machine machine;
	int code;

	no_memory_begin();
	code = bpmu_machine_find(&machine, data, err);
	no_memory_end();
	if (!code) {
		assert_int_equal(machine.sockets, 1);
		assert_int_equal(machine.cores, 2);
		assert_int_equal(machine.threads, 2);
	}
	return code;
}

/*
 * The unit of energy is 2^-14 J, that of Haswell servers' DRAM 2^-16 J whatever the register says,
 * and that of Sapphire Rapids' platform 1 J.
 */
TEST(a_machine_has_the_constants_of_its_registers)
{
	static struct bpmu_topology sockets[] = { { .package = 0, .core = 0 },
						  { .package = 1, .core = 0 } };
	const struct bpmu_recording_about about = {
		.machine_topology = sockets, .machine_cpus = 2,
	};
	struct bpmu_target target = { .info = { .tsc_khz = 2500000, .pmu = unit_pmu("hsx", 4) } };
	struct bpmu_machine machine;
	struct bpmu_error err;

	target.info.pmu.nr[BPMU_UNIT_CBO] = 2;
	target.info.pmu.nr[BPMU_UNIT_CHA] = 3;
	target.info.pmu.nr[BPMU_UNIT_IMC] = 4;
	target.info.pmu.nr[BPMU_UNIT_HA] = 7;
	target.info.pmu.units = 0xa0e03;
	target.info.pmu.tjmax = 95;
	assert_int_equal(find_machine(&target, &err), 0);
	assert_int_equal(bpmu_machine_find(&machine, &target, &err), 0);
	assert_int_equal(machine.chas, 5);
	assert_int_equal(machine.imcs, 4);
	assert_true(machine.tsc_hz == 2.5e9);
	assert_true(machine.joule == 1 / 16384.0);
	assert_true(machine.joule_dram == 1 / 65536.0);
	assert_true(machine.tjmax == 95);
	/* Memory for the list of CPUs, and for their topology. */
	assert_int_equal(no_memory_each(find_machine, &target), 2);
	target.info.pmu = unit_pmu("spr", 8);
	target.info.pmu.units = 0xa0e03;
	target.recorded = &about;
	assert_int_equal(bpmu_machine_find(&machine, &target, &err), 0);
	assert_true(machine.joule == 1 / 16384.0);
	assert_true(machine.joule_psys == 1);
	assert_int_equal(machine.sockets, 2);
	assert_int_equal(machine.cores, 1);
	assert_int_equal(machine.threads, 1);
	target.recorded = NULL;
	select_code = -ENODEV;
	assert_int_equal(bpmu_machine_find(&machine, &target, &err), -ENODEV);
	assert_string_equal(err.text, "no CPUs");
	select_code = 0;
}

/* Each constant is set but those that are 0: these are not known. */
TEST(a_tree_knows_the_constants_of_the_machine)
{
	const struct bpmu_machine machine = { 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 }, none = { };
	static const enum bpmu_metric_constant constants[] = {
		BPMU_CONSTANT_THREADS, BPMU_CONSTANT_CORES, BPMU_CONSTANT_SOCKETS,
		BPMU_CONSTANT_CHAS, BPMU_CONSTANT_IMCS, BPMU_CONSTANT_TSC_HZ,
		BPMU_CONSTANT_JOULE, BPMU_CONSTANT_JOULE_DRAM, BPMU_CONSTANT_JOULE_PSYS,
		BPMU_CONSTANT_TJMAX,
	};
	const struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	struct bpmu_tree tree;
	struct bpmu_error err;
	unsigned int i;

	assert_int_equal(bpmu_tree_init(&tree, "topdown", &pmu, 0, 1, &err), 0);
	bpmu_machine_set(&none, &tree);
	for (i = 0; i < ARRAY_SIZE(constants); i++)
		assert_false(tree.slot[constants[i]].known);
	bpmu_machine_set(&machine, &tree);
	for (i = 0; i < ARRAY_SIZE(constants); i++)
		assert_true(tree.slot[constants[i]].number == i + 2);
	bpmu_tree_free(&tree);
}

/* The shape is that of the average socket and core; it is not known if that of a CPU is not. */
TEST(the_shape_is_counted_in_sockets_and_cores)
{
	static const struct bpmu_topology uneven[] = {
		{ .package = 0, .core = 0 }, { .package = 0, .core = 1 }, { .package = 1, .core = 0 },
	};
	static const struct bpmu_topology no_core[] = { { .package = 0, .core = -1 } };
	static const struct bpmu_topology no_package[] = { { .package = -1, .core = 0 } };
	static const struct {
		const struct bpmu_topology *topology;
		unsigned int nr, sockets, cores, threads;
	} all[] = {
		{ threads, 4, 1, 2, 2 }, { threads, 3, 1, 2, 1 }, { uneven, 3, 2, 1, 1 },
		{ uneven, 2, 1, 2, 1 }, { uneven, 0, 0, 0, 0 },
	};
	struct bpmu_machine machine;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		bpmu_machine_shape(&machine, all[i].topology, all[i].nr);
		assert_int_equal(machine.sockets, all[i].sockets);
		assert_int_equal(machine.cores, all[i].cores);
		assert_int_equal(machine.threads, all[i].threads);
	}
	bpmu_machine_shape(&machine, no_core, 1);
	assert_int_equal(machine.threads, 0);
	assert_int_equal(machine.cores, 0);
	bpmu_machine_shape(&machine, no_package, 1);
	assert_int_equal(machine.threads, 0);
	assert_int_equal(machine.sockets, 0);
}

/**
 * struct probe - a trial session of the arbiter, which the test fakes
 * @code: its error code
 * @count: counts of both counters, in each of two intervals
 * @ran: number of sessions so far
 */
static struct probe {
	int code;
	u64 count[2][2];
	unsigned int ran;
} probe;

int __wrap_bpmu_live_run(const struct bpmu_measure *m, int *status, struct bpmu_error *err);

int __wrap_bpmu_live_run(const struct bpmu_measure *m, int *status, struct bpmu_error *err)
{
	const struct bpmu_sched *sched = &m->groups[0]->group[0].sched;
	struct bpmu_interval interval = { };
	struct bpmu_cell cell[2] = { };
	unsigned int i;

	(void)status;
	probe.ran++;
	assert_ptr_equal(m->client, &probe);
	assert_string_equal(m->info->part, "ivb");
	assert_int_equal(m->nr_cpus, 1);
	assert_int_equal(m->cpus[0], 4);
	assert_int_equal(m->timeout_ns, 20 * MS);
	assert_int_equal(m->groups[0]->slots, 2);
	assert_int_equal(sched->nr, 2);
	assert_int_equal(sched->values, 2);
	assert_int_equal(sched->slot[1].counter, sched->slot[0].counter + 1);
	assert_int_equal(sched->slot[1].sibling, sched->slot[0].sibling + 1);
	assert_int_equal(sched->slot[1].value, sched->slot[0].value + 1);
	assert_int_equal(sched->slot[1].select, sched->slot[0].select);
	interval.cell = cell;
	for (i = 0; i < 2 && !probe.code; i++) {
		cell[0].count = probe.count[i][0];
		cell[1].count = probe.count[i][1];
		m->emit(m->data, &interval);
	}
	return probe.code ? bpmu_error_set(err, probe.code, "no session") : 0;
}

#define REQUESTS "UNC_ARB_TRK_OCCUPANCY.CYCLES_WITH_ANY_REQUEST"
#define HALF_FULL "UNC_ARB_TRK_OCCUPANCY.CYCLES_OVER_HALF_FULL"

/* Asks on CPU model @part if both counters of the arbiter work, for @events. */
static int ask(const char *part, const char *events, bool *both, struct bpmu_error *err)
{
	struct bpmu_event_list list = { };
	struct bpmu_target target;
	int code;

	memset(&target, 0, sizeof(target));
	unit_target(&target, part, 4);
	target.client = (struct bpmu_client *)&probe;
	target.info.pmu.nr[BPMU_UNIT_ARB] = 1;
	assert_int_equal(bpmu_event_list_parse(&target.info.pmu, 0, events, &list, err), 0);
	probe.ran = 0;
	*both = true;
	code = bpmu_arbiter_probe(&target, &list, both, err);
	bpmu_event_list_free(&list);
	free(target.cpus_text);
	bpmu_cpulist_free(&target.cpus);
	return code;
}

TEST(both_counters_of_the_arbiter_work_if_they_count_alike)
{
	static const struct {
		u64 count[2][2];
		bool both;
	} all[] = {
		{ { { 60, 50 }, { 40, 50 } }, true },
		{ { { 60, 60 }, { 40, 39 } }, false },
		{ { { 60, 61 }, { 40, 40 } }, false },
		{ { { 60, 0 }, { 40, 0 } }, false },
		{ { { 0, 0 }, { 0, 0 } }, false },
	};
	struct bpmu_error err;
	unsigned int i;
	bool both;

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		memcpy(probe.count, all[i].count, sizeof(probe.count));
		assert_int_equal(ask("ivb", REQUESTS "," HALF_FULL, &both, &err), 0);
		assert_int_equal(probe.ran, 1);
		assert_int_equal(both, all[i].both);
	}
	probe.code = -EBUSY;
	assert_int_equal(ask("ivb", REQUESTS "," HALF_FULL, &both, &err), -EBUSY);
	assert_string_equal(err.text, "no session");
	assert_false(both);
	probe.code = 0;
}

/* One such event needs one counter, and of other models it is known what the counters can do. */
TEST(the_arbiter_is_probed_only_if_needed)
{
	const struct bpmu_recording_about about = { .arb_both = true };
	struct bpmu_target target = { .recorded = &about };
	struct bpmu_event_list list = { };
	struct bpmu_error err;
	bool both;

	assert_int_equal(ask("ivb", REQUESTS, &both, &err), 0);
	assert_false(both);
	assert_int_equal(probe.ran, 0);
	assert_int_equal(ask("ivb", REQUESTS ",UNC_ARB_TRK_OCCUPANCY.ALL", &both, &err), 0);
	assert_int_equal(probe.ran, 0);
	assert_int_equal(ask("ivb", REQUESTS ",UNC_ARB_TRK_REQUESTS.ALL,instructions,r01c4:c=1",
			     &both, &err), 0);
	assert_int_equal(probe.ran, 0);
	assert_int_equal(ask("hsw", "UNC_ARB_TRK_OCCUPANCY.CYCLES_WITH_ANY_REQUEST,"
			     "UNC_ARB_TRK_OCCUPANCY.CYCLES_WITH_ANY_REQUEST", &both, &err), 0);
	assert_false(both);
	assert_int_equal(probe.ran, 0);
	assert_int_equal(bpmu_arbiter_probe(&target, &list, &both, &err), 0);
	assert_true(both);
}

#define BATCHES 2
#define MOST 16

/**
 * struct side - the groups of one side of a map, made from a list of events
 */
struct side {
	struct bpmu_event_list list;
	struct bpmu_groups groups;
};

static void make_side(struct side *side, const struct bpmu_pmu *pmu, const char *events)
{
	const struct bpmu_groups_wish wish = { };
	struct bpmu_error err;

	memset(side, 0, sizeof(*side));
	assert_int_equal(bpmu_event_list_parse(pmu, 0, events, &side->list, &err), 0);
	assert_int_equal(bpmu_groups_make(&side->groups, pmu, &side->list, &wish, &err), 0);
}

static void free_side(struct side *side)
{
	bpmu_groups_free(&side->groups);
	bpmu_event_list_free(&side->list);
}

/* Returns the number of the recorded counter of an event. */
static unsigned int place_of(const struct bpmu_groups *groups, const char *event)
{
	unsigned int g, i;

	for (g = 0; g < groups->nr; g++)
		for (i = 0; i < groups->group[g].sched.nr; i++)
			if (!strcmp(groups->group[g].sched.slot[i].text, event))
				return groups->group[g].first + i;
	fail_msg("no %s", event);
	return 0;
}

/**
 * struct mapped - a map for two CPUs, and the interval that it maps
 */
struct mapped {
	struct bpmu_map map;
	struct bpmu_measure wanted;
	struct bpmu_measure recorded;
};

static int make_map(void *data, struct bpmu_error *err)
{
	struct mapped *m = data;
	int code;

	no_memory_begin();
	code = bpmu_map_make(&m->map, &m->wanted, &m->recorded, BATCHES, err);
	no_memory_end();
	bpmu_map_free(&m->map);
	return code;
}

/*
 * Checks that an interval gets, for each of the wanted events, the count of the recorded counter of
 * the same event, on both CPUs. The count of counter n of the first CPU is n, its batches n / 2 and
 * n / 4; those of the second CPU are 100 more.
 */
static void maps(struct mapped *m, bool sampled)
{
	struct bpmu_cell cell[2 * MOST] = { };
	struct bpmu_batch batch[2 * MOST * BATCHES] = { };
	struct bpmu_interval interval = { .cell = cell, .batch = batch };
	const struct bpmu_groups *from = m->recorded.groups[0], *to = m->wanted.groups[0];
	unsigned int pos, g, i, b, at, place;
	struct bpmu_error err;

	for (pos = 0; pos < 2; pos++)
		for (i = 0; i < from->slots; i++) {
			at = pos * from->slots + i;
			cell[at].count = 100 * pos + i;
			for (b = 0; b < BATCHES; b++)
				batch[at * BATCHES + b].count = 1000 * (b + 1) + 100 * pos + i;
		}
	assert_int_equal(bpmu_map_make(&m->map, &m->wanted, &m->recorded, BATCHES, &err), 0);
	bpmu_map_interval(&m->map, &interval);
	for (pos = 0; pos < 2; pos++)
		for (g = 0; g < to->nr; g++)
			for (i = 0; i < to->group[g].sched.nr; i++) {
				at = pos * to->slots + to->group[g].first + i;
				place = 100 * pos + place_of(from, to->group[g].sched.slot[i].text);
				assert_int_equal(interval.cell[at].count, place);
				for (b = 0; b < BATCHES; b++)
					assert_int_equal(interval.batch[at * BATCHES + b].count,
							 1000 * (b + 1) + place);
			}
	assert_int_equal(interval.multiplexed[0][BPMU_BANK_CORE], from->nr > 1);
	assert_false(interval.multiplexed[0][BPMU_BANK_UNCORE]);
	assert_int_equal(interval.sampled[0][BPMU_BANK_CORE], sampled);
	bpmu_map_free(&m->map);
	assert_int_equal(no_memory_each(make_map, m), 3);
}

#define RECORDED "r01c4,r02c4,r04c4,r08c4,r10c4,r20c4,r40c4,r80c4"

/*
 * Eight events were recorded in two groups of four. Requested events are found in either group, and
 * a request of the same groups has its counts in the same places.
 */
TEST(requested_events_have_the_counts_of_recorded_ones)
{
	const struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	struct side recorded, wanted;
	struct mapped m = {
		.wanted = { .nr_cpus = 2, .groups = { &wanted.groups } },
		.recorded = { .nr_cpus = 2, .groups = { &recorded.groups } },
	};

	make_side(&recorded, &pmu, RECORDED);
	assert_int_equal(recorded.groups.nr, 2);
	make_side(&wanted, &pmu, "r80c4,r02c4");
	maps(&m, true);
	free_side(&wanted);
	make_side(&wanted, &pmu, "r40c4,r20c4");
	maps(&m, true);
	m.wanted.groups[0] = &recorded.groups;
	maps(&m, false);
	free_side(&wanted);
	free_side(&recorded);
	make_side(&recorded, &pmu, "r01c4,r02c4,r04c4");
	make_side(&wanted, &pmu, "r04c4,r01c4");
	m.wanted.groups[0] = &wanted.groups;
	maps(&m, false);
	free_side(&wanted);
	free_side(&recorded);
}

/*
 * Groups that were made from those of a session are mapped group by group. If another session has
 * begun, with another number of groups, the first event is told.
 */
TEST(an_event_that_was_not_counted_is_told)
{
	const struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	struct side recorded, wanted;
	struct mapped m = {
		.wanted = { .nr_cpus = 2, .groups = { &wanted.groups } },
		.recorded = { .nr_cpus = 2, .groups = { &recorded.groups } },
	};
	struct bpmu_error err;

	make_side(&recorded, &pmu, RECORDED);
	make_side(&wanted, &pmu, "r80c4,r00c0,r01c4");
	assert_int_equal(make_map(&m, &err), -ENODATA);
	assert_string_equal(err.text,
			    "event 'r00c0': was not recorded on ivb; record it with 'barepmu record -e', or choose one that 'barepmu report --header' lists");
	free_side(&wanted);
	recorded.groups.live = true;
	make_side(&wanted, &pmu, "r04c4,r01c4");
	wanted.groups.of = &recorded.groups;
	assert_int_equal(make_map(&m, &err), -ENODATA);
	assert_string_equal(err.text,
			    "event 'r04c4': the session does not count it; start one that does, or leave it out");
	free_side(&wanted);
	/* Groups of the same number, but with other events. */
	make_side(&wanted, &pmu, "r10c4,r20c4,r40c4,r80c4,r01c4,r02c4,r04c4,r08c4");
	assert_int_equal(make_map(&m, &err), 0);
	wanted.groups.of = &recorded.groups;
	assert_int_equal(make_map(&m, &err), -ENODATA);
	free_side(&wanted);
	free_side(&recorded);
}
