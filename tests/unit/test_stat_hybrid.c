// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of stat on a hybrid CPU: the events of each core type are counted on the CPUs of this core
 * type, and a note names what the other core type does not have.
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stat/stat.h"
#include "unit.h"

#define CPUS 4

/**
 * struct hybrid - a call of stat on CPUs 0-1 (adl) and 2-3 (adl-e)
 */
struct hybrid {
	struct bpmu_stat stat;
};

static void begin(struct hybrid *hybrid, const char *events)
{
	struct bpmu_analysis *analysis = &hybrid->stat.analysis;
	struct bpmu_error err;

	memset(hybrid, 0, sizeof(*hybrid));
	hybrid->stat.options.separator = ",";
	unit_core_type(analysis, "adl", 0);
	unit_core_type(analysis, "adl-e", 2);
	analysis->type[0]->target.info.pmu.nr[BPMU_UNIT_IMC] = 2;
	analysis->type[1]->target.info.pmu.nr[BPMU_UNIT_IMC] = 2;
	if (events)
		assert_int_equal(bpmu_wanted_add(&analysis->wanted, events, &err), 0);
}

static void end(struct hybrid *hybrid)
{
	bpmu_stat_free(&hybrid->stat);
}

static int try_share(struct hybrid *hybrid, struct bpmu_error *err)
{
	int code = bpmu_stat_share(&hybrid->stat, err);

	return code ? code : bpmu_stat_prepare(&hybrid->stat, err);
}

static void share(struct hybrid *hybrid)
{
	struct bpmu_error err;

	if (try_share(hybrid, &err))
		fail_msg("%s", err.text);
}

static struct bpmu_core_type *type_of(struct hybrid *hybrid, unsigned int k)
{
	assert_in_range(k, 0, hybrid->stat.analysis.nr - 1);
	return hybrid->stat.analysis.type[k];
}

/*
 * Checks which events of the list @events are counted: @first on the first core type and @second on
 * the second one; NULL for none.
 */
static void expect_events(const char *events, const char *first,
			  const char *second)
{
	struct hybrid hybrid;

	begin(&hybrid, events);
	share(&hybrid);
	assert_string_equal(type_of(&hybrid, 0)->wanted.text, first);
	if (second) {
		assert_int_equal(hybrid.stat.analysis.nr, 2);
		assert_string_equal(type_of(&hybrid, 1)->wanted.text, second);
		assert_string_equal(type_of(&hybrid, 0)->name, "adl");
		assert_string_equal(type_of(&hybrid, 1)->name, "adl-e");
	} else {
		assert_int_equal(hybrid.stat.analysis.nr, 1);
		assert_null(type_of(&hybrid, 0)->name);
	}
	end(&hybrid);
}

TEST(events_are_given_to_each_core_type)
{
	expect_events("{cycles,instructions:u}", "cycles,instructions:u",
		      "cycles,instructions:u");
	expect_events("cpu/event=0xc4,umask=1/,r01c0:[>=2]",
		      "cpu/event=0xc4,umask=1/,r01c0:[>=2]",
		      "cpu/event=0xc4,umask=1/,r01c0:[>=2]");
	expect_events("cycles,slots", "cycles,slots", "cycles");
	expect_events("UNC_ARB_TRK_REQUESTS.ALL,cycles",
		      "UNC_ARB_TRK_REQUESTS.ALL,cycles", "cycles");
	expect_events("UNC_M_ACT_COUNT_TOTAL,cycles",
		      "UNC_M_ACT_COUNT_TOTAL,cycles", "cycles");
	expect_events("UNC_M_ACT_COUNT_TOTAL", "UNC_M_ACT_COUNT_TOTAL", NULL);
	expect_events("POWER.PKG,cycles", "POWER.PKG,cycles", "cycles");
	expect_events(NULL, BPMU_WANTED_DEFAULT, BPMU_WANTED_DEFAULT);
}

/* perf's syntax cpu_core/.../ and cpu_atom/.../ chooses one core type. */
TEST(perf_s_names_choose_the_core_type)
{
	struct hybrid hybrid;

	expect_events("cycles,cpu_core/event=0x3c,umask=0/,cpu_atom/cycles/u",
		      "cycles,cpu_core/event=0x3c,umask=0/",
		      "cycles,cpu_atom/cycles/u");
	expect_events("{cpu_core/cycles/,cpu_core/instructions/}",
		      "cpu_core/cycles/,cpu_core/instructions/", NULL);
	begin(&hybrid, "cpu_atom/cycles/");
	share(&hybrid);
	assert_int_equal(hybrid.stat.analysis.nr, 1);
	assert_string_equal(type_of(&hybrid, 0)->target.info.part, "adl-e");
	end(&hybrid);
}

TEST(events_of_one_core_type_measure_only_it)
{
	struct hybrid hybrid;

	expect_events("slots", "slots", NULL);
	begin(&hybrid, "MEM_UOPS_RETIRED.ALL_LOADS");
	share(&hybrid);
	assert_int_equal(hybrid.stat.analysis.nr, 1);
	assert_string_equal(type_of(&hybrid, 0)->target.info.part, "adl-e");
	assert_string_equal(type_of(&hybrid, 0)->target.cpus_text, "2-3");
	assert_string_equal(type_of(&hybrid, 0)->wanted.text,
			    "MEM_UOPS_RETIRED.ALL_LOADS");
	end(&hybrid);
}

static void refuse(struct hybrid *hybrid, int code, const char *why)
{
	struct bpmu_error err;

	assert_int_equal(try_share(hybrid, &err), code);
	if (!strstr(err.text, why))
		fail_msg("'%s' is not in: %s", why, err.text);
	end(hybrid);
}

static void unlink_and_refuse(struct hybrid *hybrid, int code, const char *why)
{
	const char *file = hybrid->stat.analysis.choice.path[0];

	refuse(hybrid, code, why);
	unlink(file);
}

static void begin_with(struct hybrid *hybrid, const char *metrics)
{
	static char file[32];

	begin(hybrid, NULL);
	strcpy(file, "/tmp/hybrid.XXXXXX");
	unit_file(file, metrics);
	hybrid->stat.analysis.choice.path[hybrid->stat.analysis.choice.nr_paths++] = file;
}

static void end_with(struct hybrid *hybrid)
{
	unlink(hybrid->stat.analysis.choice.path[0]);
	end(hybrid);
}

/*
 * Each metric of a file is computed on each core type that can count its events. That may be one
 * core type or both.
 */
TEST(metrics_are_given_to_the_core_types_that_have_them)
{
	struct bpmu_error err;
	struct hybrid hybrid;

	begin_with(&hybrid, "x = instructions / branches\n");
	assert_int_equal(bpmu_wanted_add(&hybrid.stat.analysis.wanted, "cycles", &err),
			 0);
	share(&hybrid);
	assert_int_equal(hybrid.stat.analysis.nr, 2);
	assert_int_equal(type_of(&hybrid, 1)->choice.nr_paths, 1);
	assert_string_equal(type_of(&hybrid, 1)->wanted.text, "cycles");
	end_with(&hybrid);
	begin_with(&hybrid, "x = MEM_UOPS_RETIRED.ALL_LOADS / instructions\n");
	share(&hybrid);
	assert_int_equal(hybrid.stat.analysis.nr, 1);
	assert_string_equal(type_of(&hybrid, 0)->target.info.part, "adl-e");
	end_with(&hybrid);
	begin_with(&hybrid, "x = MEM_UOPS_RETIRED.ALL_LOADS / instructions\n");
	assert_int_equal(bpmu_wanted_add(&hybrid.stat.analysis.wanted, "cycles", &err),
			 0);
	unlink_and_refuse(&hybrid, -EINVAL, "-C 0-1 (adl) or -C 2-3 (adl-e)");
	begin(&hybrid, NULL);
	assert_int_equal(bpmu_choice_add_names(&hybrid.stat.analysis.choice, "Retiring",
					       &err), 0);
	share(&hybrid);
	assert_int_equal(hybrid.stat.analysis.nr, 2);
	end(&hybrid);
	begin(&hybrid, NULL);
	assert_int_equal(bpmu_choice_add_names(&hybrid.stat.analysis.choice, "Divider",
					       &err), 0);
	share(&hybrid);
	assert_int_equal(hybrid.stat.analysis.nr, 1);
	assert_string_equal(type_of(&hybrid, 0)->target.info.part, "adl");
	end(&hybrid);
	begin_with(&hybrid, "x = NO.SUCH / instructions\n");
	unlink_and_refuse(&hybrid, -ENOENT, "an event of adl");
}

TEST(refuses_events_that_no_core_type_has)
{
	struct hybrid hybrid;

	begin(&hybrid, "cycles,nonsense");
	refuse(&hybrid, -ENOENT, "not known on adl;");
	begin(&hybrid, "cpu_core/nonsense/");
	refuse(&hybrid, -ENOENT, "'nonsense': not known on adl;");
	begin(&hybrid, "cpu_atom/nonsense/");
	refuse(&hybrid, -ENOENT, "'nonsense': not known on adl-e;");
	begin(&hybrid, "cycles");
	hybrid.stat.analysis.choice.events = "/tmp";
	refuse(&hybrid, -EINVAL, "-C 0-1 (adl) or -C 2-3 (adl-e)");
}

static char *output(struct hybrid *hybrid)
{
	u64 ticks[CPUS] = { 1000, 1000, 1000, 1000 };
	u64 lost[CPUS] = { 0, 1, 2, 4 };
	u64 none[CPUS] = { 0 };
	struct bpmu_interval interval = {
		.last = true, .seconds = 1, .duration = 1, .enabled = ticks,
		.shared[BPMU_BANK_UNCORE] = none, .lost = lost, .spent = none,
	};
	struct bpmu_cell *cell;
	char *text = NULL;
	unsigned int i;
	size_t size;

	share(hybrid);
	cell = calloc(64, sizeof(*cell));
	assert_non_null(cell);
	for (i = 0; i < 64; i++)
		cell[i].count = 1 << i % 16;
	interval.cell = cell;
	hybrid->stat.out = open_memstream(&text, &size);
	assert_non_null(hybrid->stat.out);
	bpmu_stat_interval(&hybrid->stat, &interval);
	fclose(hybrid->stat.out);
	free(cell);
	end(hybrid);
	return text;
}

static void expect(struct hybrid *hybrid, const char *const *parts)
{
	unit_says(output(hybrid), parts);
}

/*
 * A CPU of the first core type has the counts of two events. A CPU of the second core type has the
 * count of one event.
 */
TEST(text_has_the_counts_of_both_core_types)
{
	struct hybrid hybrid;

	begin(&hybrid, "cycles,slots");
	unit_text("stat-hybrid", output(&hybrid));
}

TEST(text_has_the_notes_of_either_core_type)
{
	static const char *const absent[] = { "\n  absent: this CPU does not count", NULL };
	static const char *const shared[] = { "\n  shared: counts of a whole package", NULL };
	struct hybrid hybrid;
	unsigned int k;

	for (k = 0; k < 2; k++) {
		begin(&hybrid, "cycles");
		hybrid.stat.view[k].absent = true;
		expect(&hybrid, absent);
		begin(&hybrid, "cycles");
		hybrid.stat.view[k].shared = true;
		expect(&hybrid, shared);
	}
}

/*
 * In CSV a metric has one line for each core type, after the lines of events. Its value is 0.5 on
 * both core types: 5 / 10 on one, and 80 / 160 on the other.
 */
TEST(csv_has_the_metrics_of_both_core_types)
{
	static const char *const parts[] = {
		",adl,0-1,,,,,,,,,metric,,,,,,,x,1,0.500000,0\n",
		",adl-e,2-3,,,,,,,,,metric,,,,,,,x,1,0.500000,0\n", NULL
	};
	struct hybrid hybrid;
	const char *file;

	begin_with(&hybrid, "x = instructions / branches\n");
	file = hybrid.stat.analysis.choice.path[0];
	hybrid.stat.options.format = BPMU_CSV;
	expect(&hybrid, parts);
	unlink(file);
}

TEST(csv_has_the_counts_of_both_core_types)
{
	static const char *const parts[] = {
		"time,part,cpus,event,",
		",adl,1,cycles,4,events,100.00,1,,,,count,,",
		",adl-e,3,cycles,32,events,100.00,4,,,,count,,", NULL
	};
	struct hybrid hybrid;

	begin(&hybrid, "cycles,slots");
	hybrid.stat.options.format = BPMU_CSV;
	hybrid.stat.by = BPMU_ROWS_CPU;
	expect(&hybrid, parts);
}

TEST(json_has_the_counts_of_both_core_types)
{
	static const char *const parts[] = {
		",\"part\":\"adl\",\"cpus\":\"0-1\",\"event\":\"cycles\",\"count\":5,",
		",\"part\":\"adl-e\",\"cpus\":\"2-3\",\"event\":\"cycles\",\"count\":48,",
		",\"lost\":7,", NULL
	};
	struct hybrid hybrid;

	begin(&hybrid, "cycles,slots");
	hybrid.stat.options.format = BPMU_JSON;
	expect(&hybrid, parts);
}
