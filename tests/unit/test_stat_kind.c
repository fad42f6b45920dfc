// SPDX-License-Identifier: GPL-2.0
/* stat on both core types of a hybrid part. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stat/stat.h"
#include "unit.h"

#define CPUS 4

/**
 * struct kinds - a call on CPU 0-1 (adl) and 2-3 (adl-e)
 */
struct kinds {
	struct bpmu_stat stat[BPMU_KINDS];
};

static void begin(struct kinds *kinds, const char *events)
{
	struct bpmu_error err;

	memset(kinds, 0, sizeof(*kinds));
	kinds->stat->options.separator = ",";
	unit_target(&kinds->stat->target, "adl", 0);
	unit_target(&kinds->stat[1].target, "adl-e", 2);
	if (events)
		assert_int_equal(bpmu_wanted_add(&kinds->stat->wanted, events,
						 &err), 0);
}

static void end(struct kinds *kinds)
{
	bpmu_rows_free(&kinds->stat->rows);
	bpmu_rows_free(&kinds->stat[1].rows);
	bpmu_target_close(&kinds->stat->target);
	bpmu_target_close(&kinds->stat[1].target);
	bpmu_stat_release(kinds->stat);
	bpmu_stat_release(&kinds->stat[1]);
}

static void share(struct kinds *kinds)
{
	struct bpmu_error err;

	if (bpmu_stat_share(kinds->stat, &err))
		fail_msg("%s", err.text);
}

/* Events of each core type; NULL for none. */
static void expect_events(const char *events, const char *first,
			  const char *second)
{
	struct kinds kinds;

	begin(&kinds, events);
	share(&kinds);
	assert_string_equal(kinds.stat->wanted.text, first);
	if (second) {
		assert_int_equal(kinds.stat->others, 1);
		assert_string_equal(kinds.stat[1].wanted.text, second);
		assert_string_equal(kinds.stat->kind, "adl");
		assert_string_equal(kinds.stat[1].kind, "adl-e");
	} else {
		assert_int_equal(kinds.stat->others, 0);
		assert_null(kinds.stat->kind);
	}
	end(&kinds);
}

static void test_events(void **state)
{
	(void)state;
	expect_events("{cycles,instructions:u}", "cycles,instructions:u",
		      "cycles,instructions:u");
	expect_events("cpu/event=0xc4,umask=1/,r01c0:[>=2]",
		      "cpu/event=0xc4,umask=1/,r01c0:[>=2]",
		      "cpu/event=0xc4,umask=1/,r01c0:[>=2]");
	expect_events("cycles,slots", "cycles,slots", "cycles");
	expect_events("UNC_ARB_TRK_REQUESTS.ALL,cycles",
		      "UNC_ARB_TRK_REQUESTS.ALL,cycles", "cycles");
	expect_events(NULL, BPMU_WANTED_DEFAULT, BPMU_WANTED_DEFAULT);
}

/* perf's syntax for one core type. */
static void test_named_kinds(void **state)
{
	struct kinds kinds;

	(void)state;
	expect_events("cycles,cpu_core/event=0x3c,umask=0/,cpu_atom/cycles/u",
		      "cycles,cpu_core/event=0x3c,umask=0/",
		      "cycles,cpu_atom/cycles/u");
	expect_events("{cpu_core/cycles/,cpu_core/instructions/}",
		      "cpu_core/cycles/,cpu_core/instructions/", NULL);
	begin(&kinds, "cpu_atom/cycles/");
	share(&kinds);
	assert_int_equal(kinds.stat->others, 0);
	assert_string_equal(kinds.stat->target.info.part, "adl-e");
	end(&kinds);
}

static void test_one_kind(void **state)
{
	struct kinds kinds;

	(void)state;
	expect_events("slots", "slots", NULL);
	begin(&kinds, "MEM_UOPS_RETIRED.ALL_LOADS");
	share(&kinds);
	assert_int_equal(kinds.stat->others, 0);
	assert_string_equal(kinds.stat->target.info.part, "adl-e");
	assert_string_equal(kinds.stat->target.cpus_text, "2-3");
	assert_string_equal(kinds.stat->wanted.text,
			    "MEM_UOPS_RETIRED.ALL_LOADS");
	end(&kinds);
}

static void refuse(struct kinds *kinds, int code, const char *why)
{
	struct bpmu_error err;

	assert_int_equal(bpmu_stat_share(kinds->stat, &err),
			 code);
	if (!strstr(err.text, why))
		fail_msg("'%s' is not in: %s", why, err.text);
	end(kinds);
}

static void unlink_and_refuse(struct kinds *kinds, int code, const char *why)
{
	const char *file = kinds->stat->choice.path[0];

	refuse(kinds, code, why);
	unlink(file);
}

static void begin_with(struct kinds *kinds, const char *metrics)
{
	static char file[32];

	begin(kinds, NULL);
	strcpy(file, "/tmp/kinds.XXXXXX");
	unit_file(file, metrics);
	kinds->stat->choice.path[kinds->stat->choice.nr_paths++] = file;
}

static void end_with(struct kinds *kinds)
{
	unlink(kinds->stat->choice.path[0]);
	end(kinds);
}

/*
 * Metrics of a file, which both or one of the types can measure, or of one type's
 * method.
 */
static void test_metrics(void **state)
{
	struct bpmu_error err;
	struct kinds kinds;

	(void)state;
	begin_with(&kinds, "x = instructions / branches\n");
	assert_int_equal(bpmu_wanted_add(&kinds.stat->wanted, "cycles", &err),
			 0);
	share(&kinds);
	assert_int_equal(kinds.stat->others, 1);
	assert_int_equal(kinds.stat[1].choice.nr_paths, 1);
	assert_string_equal(kinds.stat[1].wanted.text, "cycles");
	end_with(&kinds);
	begin_with(&kinds, "x = MEM_UOPS_RETIRED.ALL_LOADS / instructions\n");
	share(&kinds);
	assert_int_equal(kinds.stat->others, 0);
	assert_string_equal(kinds.stat->target.info.part, "adl-e");
	end_with(&kinds);
	begin_with(&kinds, "x = MEM_UOPS_RETIRED.ALL_LOADS / instructions\n");
	assert_int_equal(bpmu_wanted_add(&kinds.stat->wanted, "cycles", &err),
			 0);
	unlink_and_refuse(&kinds, -EINVAL, "-C 0-1 (adl) or -C 2-3 (adl-e)");
	begin(&kinds, NULL);
	assert_int_equal(bpmu_choice_add_names(&kinds.stat->choice, "Retiring",
					       &err), 0);
	share(&kinds);
	assert_int_equal(kinds.stat->others, 1);
	end(&kinds);
	begin(&kinds, NULL);
	assert_int_equal(bpmu_choice_add_names(&kinds.stat->choice, "Divider",
					       &err), 0);
	share(&kinds);
	assert_int_equal(kinds.stat->others, 0);
	assert_string_equal(kinds.stat->target.info.part, "adl");
	end(&kinds);
	begin_with(&kinds, "x = NO.SUCH / instructions\n");
	unlink_and_refuse(&kinds, -ENOENT, "an event of adl");
}

static void test_refused(void **state)
{
	struct kinds kinds;

	(void)state;
	begin(&kinds, "cycles,nonsense");
	refuse(&kinds, -ENOENT, "not known on adl;");
	begin(&kinds, "cpu_core/nonsense/");
	refuse(&kinds, -ENOENT, "'nonsense': not known on adl;");
	begin(&kinds, "cpu_atom/nonsense/");
	refuse(&kinds, -ENOENT, "'nonsense': not known on adl-e;");
	begin(&kinds, "cycles");
	kinds.stat->choice.events = "/tmp";
	refuse(&kinds, -EINVAL, "-C 0-1 (adl) or -C 2-3 (adl-e)");
}

static char *output(struct kinds *kinds)
{
	u64 ticks[CPUS] = { 1000, 1000, 1000, 1000 };
	u64 lost[CPUS] = { 0, 1, 2, 4 };
	u64 none[CPUS] = { 0 };
	struct bpmu_interval interval = {
		.last = true, .seconds = 1, .duration = 1, .enabled = ticks,
		.shared[BPMU_SIDE_UNCORE] = none, .lost = lost, .spent = none,
	};
	struct bpmu_error err;
	struct bpmu_cell *cell;
	char *text = NULL;
	unsigned int i;
	size_t size;

	share(kinds);
	if (bpmu_stat_prepare(kinds->stat, &err))
		fail_msg("%s", err.text);
	cell = calloc(64, sizeof(*cell));
	assert_non_null(cell);
	for (i = 0; i < 64; i++)
		cell[i].count = 1 << i % 16;
	interval.cell = cell;
	kinds->stat->out = open_memstream(&text, &size);
	assert_non_null(kinds->stat->out);
	bpmu_stat_interval(kinds->stat, &interval);
	fclose(kinds->stat->out);
	free(cell);
	end(kinds);
	return text;
}

static void expect(struct kinds *kinds, const char *const *parts)
{
	unit_says(output(kinds), parts);
}

/* Two cells per CPU of the first type, one per CPU of the other. */
static void test_text(void **state)
{
	static const char *const parts[] = {
		"on CPU 0-1 (Big) and 2-3 (Small):\n",
		"  adl                         5  cycles  (1 samples lost)\n",
		"  adl                        10  slots  (1 samples lost)\n",
		"  adl-e                      48  cycles  (6 samples lost)\n",
		"  7 samples lost", NULL
	};
	struct kinds kinds;

	(void)state;
	begin(&kinds, "cycles,slots");
	expect(&kinds, parts);
}

/* A metric's row for each type after its events: 5 / 10 and 80 / 160. */
static void test_metric_rows(void **state)
{
	static const char *const parts[] = {
		",adl,0-1,x,0.500000,,,,,,metric,",
		",adl-e,2-3,x,0.500000,,,,,,metric,", NULL
	};
	struct kinds kinds;
	const char *file;

	(void)state;
	begin_with(&kinds, "x = instructions / branches\n");
	file = kinds.stat->choice.path[0];
	kinds.stat->options.format = BPMU_CSV;
	expect(&kinds, parts);
	unlink(file);
}

static void test_csv(void **state)
{
	static const char *const parts[] = {
		"time,part,cpus,event,",
		",adl,1,cycles,4,events,100.00,1,,,event,\n",
		",adl-e,3,cycles,32,events,100.00,4,,,event,\n", NULL
	};
	struct kinds kinds;

	(void)state;
	begin(&kinds, "cycles,slots");
	kinds.stat->options.format = BPMU_CSV;
	kinds.stat->by = BPMU_ROWS_CPU;
	expect(&kinds, parts);
}

static void test_json(void **state)
{
	static const char *const parts[] = {
		",\"part\":\"adl\",\"cpus\":\"0-1\",\"event\":\"cycles\",\"count\":5,",
		",\"part\":\"adl-e\",\"cpus\":\"2-3\",\"event\":\"cycles\",\"count\":48,",
		",\"lost\":7,", NULL
	};
	struct kinds kinds;

	(void)state;
	begin(&kinds, "cycles,slots");
	kinds.stat->options.format = BPMU_JSON;
	expect(&kinds, parts);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_events),
		cmocka_unit_test(test_named_kinds),
		cmocka_unit_test(test_one_kind),
		cmocka_unit_test(test_metrics),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_csv),
		cmocka_unit_test(test_metric_rows),
		cmocka_unit_test(test_json),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("stat_kind", tests, NULL, NULL);
}
