// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of topdown on a hybrid CPU: each core type has a tree of its own, whose events are counted
 * on the CPUs of this core type alone.
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/topdown/topdown.h"
#include "unit.h"

#define CPUS 4
#define CELLS 8

/**
 * struct hybrid - a run of "topdown" on CPUs 0-1 of one core type and CPUs 2-3 of another one
 * @t: what "topdown" is asked to do
 * @file: name of a metric file
 */
struct hybrid {
	struct bpmu_topdown t;
	char file[32];
};

static void begin(struct hybrid *hybrid, const char *first, const char *second)
{
	struct bpmu_analysis *analysis = &hybrid->t.analysis;

	memset(hybrid, 0, sizeof(*hybrid));
	hybrid->t.options.separator = ",";
	unit_core_type(analysis, first, 0);
	unit_core_type(analysis, second, 2);
	analysis->type[0]->target.info.pmu.nr[BPMU_UNIT_IMC] = 2;
	analysis->type[1]->target.info.pmu.nr[BPMU_UNIT_IMC] = 2;
}

/*
 * Begins a call of topdown. @metrics is the text of a metric file. The tree has the metrics of this
 * file instead of those of a method.
 */
static void begin_with(struct hybrid *hybrid, const char *metrics)
{
	struct bpmu_error err;

	begin(hybrid, "adl", "adl-e");
	strcpy(hybrid->file, "/tmp/hybrid.XXXXXX");
	unit_file(hybrid->file, metrics);
	assert_int_equal(bpmu_choice_add_path(&hybrid->t.analysis.choice, hybrid->file,
					      &err), 0);
}

static void end(struct hybrid *hybrid)
{
	if (*hybrid->file)
		unlink(hybrid->file);
	bpmu_topdown_free(&hybrid->t);
}

static void share(struct hybrid *hybrid)
{
	struct bpmu_error err;

	if (bpmu_topdown_schedule(&hybrid->t, &err))
		fail_msg("%s", err.text);
}

static void refuse(struct hybrid *hybrid, int code, const char *why)
{
	struct bpmu_error err;

	assert_int_equal(bpmu_topdown_schedule(&hybrid->t, &err),
			 code);
	if (!strstr(err.text, why))
		fail_msg("'%s' is not in: %s", why, err.text);
	end(hybrid);
}

static void expect_alone(struct hybrid *hybrid, const char *part,
			 const char *cpus)
{
	const struct bpmu_core_type *type;

	share(hybrid);
	type = hybrid->t.analysis.type[0];
	assert_int_equal(hybrid->t.analysis.nr, 1);
	assert_null(type->name);
	assert_string_equal(type->target.info.part, part);
	assert_string_equal(type->target.cpus_text, cpus);
	assert_true(type->tree.groups.nr > 0);
	end(hybrid);
}

/*
 * Only one core type has a tree: first the one with the lower CPU numbers, then the one with the
 * higher CPU numbers.
 */
TEST(measures_one_core_type_if_the_other_has_no_tree)
{
	struct hybrid hybrid;

	begin(&hybrid, "adl", "zen3");
	expect_alone(&hybrid, "adl", "0-1");
	begin(&hybrid, "zen3", "adl");
	expect_alone(&hybrid, "adl", "2-3");
	begin(&hybrid, "zen3", "adl");
	hybrid.t.drill = true;
	expect_alone(&hybrid, "adl", "2-3");
	begin_with(&hybrid, "x = MEM_UOPS_RETIRED.ALL_LOADS / instructions\n");
	expect_alone(&hybrid, "adl-e", "2-3");
	begin_with(&hybrid, "x = UNC_ARB_TRK_REQUESTS.ALL / instructions\n");
	expect_alone(&hybrid, "adl", "0-1");
	begin_with(&hybrid, "x = UNC_M_ACT_COUNT_TOTAL / instructions\n");
	expect_alone(&hybrid, "adl", "0-1");
}

TEST(refuses_levels_and_metrics_that_a_core_type_lacks)
{
	static const char both[] = "x = instructions / branches\n";
	struct hybrid hybrid;
	struct bpmu_error err;

	begin(&hybrid, "adl", "adl-e");
	hybrid.t.level = 9;
	refuse(&hybrid, -ERANGE, "level 9: these metrics have levels 1 to");
	begin_with(&hybrid, "x = NO.SUCH / instructions\n");
	refuse(&hybrid, -ENOENT, "'NO.SUCH' is neither a line nor an event of adl");
	begin_with(&hybrid, both);
	hybrid.t.drill = true;
	refuse(&hybrid, -EINVAL, "-C 0-1 (adl) or -C 2-3 (adl-e)");
	begin_with(&hybrid, both);
	assert_int_equal(bpmu_alerts_add(&hybrid.t.alerts, "x > 1", &err), 0);
	refuse(&hybrid, -EINVAL, "-C 0-1 (adl) or -C 2-3 (adl-e)");
}

/*
 * A memory controller has five counters. With --no-multiplex, metrics that need six of its events
 * are refused, although the core's events fit.
 */
TEST(no_multiplex_refuses_groups_of_memory_controllers)
{
	static const char six[] =
		"x = UNC_M_CAS_COUNT_RD / UNC_M_CLOCKTICKS\n"
		"y = UNC_M_ACT_COUNT_RD / UNC_M_ACT_COUNT_WR\n"
		"z = UNC_M_DRAM_PAGE_EMPTY_RD / UNC_M_DRAM_PAGE_EMPTY_WR\n";
	struct hybrid hybrid;

	begin_with(&hybrid, six);
	hybrid.t.together = true;
	refuse(&hybrid, -ENOSPC, "level 1: needs 2 groups of events, which would be multiplexed");
	begin_with(&hybrid, six);
	expect_alone(&hybrid, "adl", "0-1");
}

/*
 * Returns what topdown prints for two intervals of a tree with one metric, Per_Branch. Each CPU
 * counts the two events of this metric.
 */
static char *output(enum bpmu_format format)
{
	u64 ticks[CPUS] = { 1000, 1000, 1000, 1000 };
	u64 lost[CPUS] = { 0, 1, 2, 4 };
	u64 none[CPUS] = { 0 };
	struct bpmu_cell cell[CELLS] = { };
	struct bpmu_interval interval = {
		.last = true, .seconds = 1, .duration = 1, .enabled = ticks,
		.shared[BPMU_BANK_UNCORE] = none, .lost = lost, .spent = none, .cell = cell,
	};
	struct hybrid hybrid;
	char *text = NULL;
	unsigned int i;
	size_t size;

	begin_with(&hybrid, "Per_Branch = instructions / branches\n");
	hybrid.t.options.format = format;
	share(&hybrid);
	assert_int_equal(hybrid.t.analysis.nr, 2);
	for (i = 0; i < CELLS; i++)
		cell[i].count = (i + 1) * (i + 1);
	hybrid.t.out = open_memstream(&text, &size);
	assert_non_null(hybrid.t.out);
	bpmu_topdown_interval(&hybrid.t, &interval);
	interval.seconds = 2;
	bpmu_topdown_interval(&hybrid.t, &interval);
	fclose(hybrid.t.out);
	end(&hybrid);
	return text;
}

static void expect(enum bpmu_format format, const char *const *parts)
{
	char *text = output(format);
	const char *at = text;

	for (; *parts; parts++) {
		at = strstr(at, *parts);
		if (!at)
			fail_msg("'%s' is not in, or not there: %s", *parts,
				 text);
	}
	free(text);
}

TEST(text_has_a_tree_per_core_type)
{
	unit_text("topdown-hybrid", output(BPMU_TEXT));
}

/* The lines of both core types have one heading, and each line names its core type. */
TEST(csv_has_rows_that_name_their_core_type)
{
	static const char *const parts[] = {
		"time,part,cpus,metric,level,",
		"\n1.000000,adl,0-1,Per_Branch,1,0.500000,",
		"\n1.000000,adl-e,2-3,Per_Branch,1,0.740000,",
		"\n2.000000,adl,0-1,Per_Branch,1,0.500000,",
		"\n2.000000,adl-e,2-3,Per_Branch,1,0.740000,", NULL
	};
	char *text = output(BPMU_CSV);

	assert_null(strstr(text + 1, "time,"));
	free(text);
	expect(BPMU_CSV, parts);
}

TEST(json_has_objects_that_name_their_core_type)
{
	static const char *const parts[] = {
		",\"part\":\"adl\",\"cpus\":\"0-1\",\"metric\":\"Per_Branch\",\"level\":1,\"value\":0.500000,",
		",\"part\":\"adl-e\",\"cpus\":\"2-3\",\"metric\":\"Per_Branch\",\"level\":1,\"value\":0.740000,",
		NULL
	};

	expect(BPMU_JSON, parts);
}

/*
 * The scheduler gives fixed counters to the events that have one, and other events the lowest
 * counters that can count them.
 */
TEST(groups_are_printed_with_the_counter_of_each_event)
{
	struct hybrid hybrid;
	char *said;

	begin_with(&hybrid, "x = instructions / branches\n"
			    "y = UNC_M_ACT_COUNT_TOTAL / branches\n"
			    "z = POWER.PKG / instructions\n");
	hybrid.t.analysis.type[0]->target.info.pmu.free = BPMU_FREE(PKG);
	share(&hybrid);
	unit_capture_begin(stdout);
	bpmu_topdown_groups(&hybrid.t);
	said = unit_capture_end();
	assert_string_equal(said,
			    "group 1\n"
			    "  fixed   counter 0  instructions\n"
			    "  general counter 0  branches\n"
			    "group 2\n"
			    "  free    counter 14  POWER.PKG\n"
			    "group 3\n"
			    "  imc     counter 0  UNC_M_ACT_COUNT_TOTAL\n");
	free(said);
	end(&hybrid);
	begin_with(&hybrid, "x = instructions / (branches - BR_MISP_RETIRED.ALL_BRANCHES)\n");
	share(&hybrid);
	unit_capture_begin(stdout);
	bpmu_topdown_groups(&hybrid.t);
	said = unit_capture_end();
	assert_string_equal(said,
			    "CPU 0-1 (adl)\n"
			    "group 1\n"
			    "  fixed   counter 0  instructions\n"
			    "  general counter 0  branches\n"
			    "  general counter 1  BR_MISP_RETIRED.ALL_BRANCHES\n"
			    "CPU 2-3 (adl-e)\n"
			    "group 1\n"
			    "  fixed   counter 0  instructions\n"
			    "  general counter 0  branches\n"
			    "  general counter 1  BR_MISP_RETIRED.ALL_BRANCHES\n");
	free(said);
	end(&hybrid);
}
