// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the option -r, which runs the command several times: with "auto" there are enough runs
 * for confidence intervals, and the counts of all runs are added up as if there were one long run.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "cmd/topdown/topdown.h"
#include "count/runs.h"
#include "repeat.h"
#include "source/live.h"
#include "unit.h"

#define CPUS 4
#define CELLS 256
#define BATCHES 8
#define TICKS 1000

static struct bpmu_topdown t;
static char file[32];
static char *said;

/*
 * Faked result of a run. slices is the number of time slices in which each group of events was on
 * the counters. slices_of_last is this number for the last CPU. ends_with is the exit status of the
 * program that was run.
 */
static unsigned int slices, slices_of_last;
static int ends_with;
static unsigned int calls;

static void fill(struct bpmu_cell *cell, struct bpmu_batch *batch, unsigned int nr)
{
	unsigned int s;

	for (s = 0; s < nr; s++) {
		bpmu_cell_add_slice(cell, 100, TICKS);
		batch[s % BATCHES].count += 100;
		batch[s % BATCHES].ticks += TICKS;
	}
}

int __wrap_bpmu_live_run(const struct bpmu_measure *m, int *status, struct bpmu_error *err)
{
	static struct bpmu_batch batch[CELLS * BATCHES];
	static struct bpmu_cell cell[CELLS];
	u64 none[CPUS] = { 0 }, enabled[CPUS];
	struct bpmu_interval interval = {
		.last = true, .seconds = 1, .duration = 1, .cell = cell, .batch = batch,
		.batches = BATCHES, .enabled = enabled, .lost = none, .spent = none,
		.shared[BPMU_BANK_UNCORE] = none,
	};
	const struct bpmu_groups *groups;
	unsigned int k, pos, i, at = 0, cpu = 0, nr;

	(void)err;
	memset(cell, 0, sizeof(cell));
	memset(batch, 0, sizeof(batch));
	for (k = 0; k < BPMU_CORE_TYPES && m->groups[k]; k++) {
		groups = m->groups[k];
		for (pos = 0; pos < 2; pos++, cpu++) {
			nr = cpu == CPUS - 1 ? slices_of_last : slices;
			enabled[cpu] = (u64)groups->nr * slices * TICKS;
			assert_in_range(at + groups->slots, 1, CELLS);
			for (i = 0; i < groups->slots; i++, at++)
				fill(&cell[at], &batch[at * BATCHES], nr);
		}
	}
	assert_int_equal(cpu, m->nr_cpus);
	calls++;
	*status = ends_with;
	m->emit(m->data, &interval);
	return 0;
}

/* Begins "topdown -r @value sort" on two core types, with @events events besides instructions. */
static void begin(unsigned int events, const char *value)
{
	static char *argv[] = { "sort", NULL };
	struct bpmu_error err;
	char text[1024];
	unsigned int i;
	int n = 0;

	memset(&t, 0, sizeof(t));
	unit_core_type(&t.analysis, "adl", 0);
	unit_core_type(&t.analysis, "adl-e", 2);
	t.options.separator = ",";
	t.options.argv = argv;
	for (i = 0; i < events; i++)
		n += sprintf(text + n, "Rate%u = r01%02x / instructions\n", i, 0x10 + i);
	assert_int_equal(bpmu_repeat_take(value, &t.repeat, &err), 0);
	strcpy(file, "/tmp/runs.XXXXXX");
	unit_file(file, text);
	if (bpmu_choice_add_path(&t.analysis.choice, file, &err) ||
	    bpmu_topdown_schedule(&t, &err))
		fail_msg("%s", err.text);
	assert_int_equal(t.analysis.nr, 2);
	slices = 5;
	slices_of_last = 5;
	ends_with = 0;
	calls = 0;
}

static void end(void)
{
	unlink(file);
	bpmu_topdown_free(&t);
	free(said);
	said = NULL;
}

static void repeat(void)
{
	struct bpmu_measure m = { .emit = bpmu_topdown_interval, .data = &t };
	struct bpmu_error err;
	int status = 0;
	size_t size;

	t.out = open_memstream(&said, &size);
	assert_non_null(t.out);
	if (bpmu_analysis_measure(&t.analysis, &m, &err) ||
	    bpmu_repeat_run(t.repeat, &t.options, t.analysis.target, &m, &t.runs, &status, &err))
		fail_msg("%s", err.text);
	assert_int_equal(status, ends_with);
	fclose(t.out);
}

static void says(const char *text)
{
	if (!strstr(said, text))
		fail_msg("'%s' is not in: %s", text, said);
}

TEST(a_number_of_runs_gives_one_tree)
{
	begin(20, "3");
	repeat();
	assert_int_equal(calls, 3);
	says("CPU 0-1 during 3 runs of 'sort'; in 3.000 s");
	says("CPU 2-3 during 3 runs of 'sort'; in 3.000 s");
	assert_null(strstr(said, "few-slices"));
	unit_text("runs", strdup(said));
	end();
	begin(20, "2");
	t.options.format = BPMU_JSON;
	repeat();
	says("\"cpus\":\"0-1\",\"runs\":2,\"metric\":\"Rate0\"");
	end();
}

TEST(auto_runs_until_each_group_has_enough_slices)
{
	begin(20, "auto");
	repeat();
	assert_int_equal(calls, 3);
	assert_null(strstr(said, "few-slices"));
	end();
	begin(20, "auto");
	slices = 12;
	slices_of_last = 12;
	repeat();
	assert_int_equal(calls, 1);
	says("during 1 run of 'sort'");
	end();
	/*
	 * On one CPU of the second core type fewer time slices were counted than on the other CPUs.
	 * This CPU decides how many runs are needed.
	 */
	begin(20, "auto");
	slices_of_last = 2;
	repeat();
	assert_int_equal(calls, 6);
	end();
	/*
	 * These events fit on the counters together, so they are not multiplexed, and the number of
	 * time slices does not matter.
	 */
	begin(2, "auto");
	slices = 1;
	slices_of_last = 1;
	repeat();
	assert_int_equal(calls, 1);
	end();
}

TEST(auto_gives_up_after_a_minute)
{
	begin(20, "auto");
	slices_of_last = 0;
	repeat();
	assert_int_equal(calls, 60);
	says("during 60 runs of 'sort'");
	end();
}

TEST(a_command_that_is_absent_or_killed_is_not_repeated)
{
	static const char *const values[] = { "auto", "5" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(values); i++) {
		begin(20, values[i]);
		ends_with = 127;
		repeat();
		assert_int_equal(calls, 1);
		end();
		begin(20, values[i]);
		ends_with = 1;
		repeat();
		assert_int_equal(calls, i ? 5 : 3);
		end();
	}
}

TEST(other_values_are_refused)
{
	static const char *const values[] = { "0", "automatic", "-1", "" };
	struct bpmu_error err;
	unsigned int number;
	char text[96];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(values); i++) {
		assert_int_equal(bpmu_repeat_take(values[i], &number, &err), -EINVAL);
		snprintf(text, sizeof(text),
			 "-r '%s': neither auto nor a number from 1 to 1000000; write one", values[i]);
		assert_string_equal(err.text, text);
	}
}

TEST(without_a_command_or_with_intervals_there_is_nothing_to_repeat)
{
	char *command[] = { (char *)"sort", NULL };
	struct bpmu_options options = { };
	struct bpmu_error err;

	assert_int_equal(bpmu_repeat_check(0, &options, &err), 0);
	assert_int_equal(bpmu_repeat_check(3, &options, &err), -EINVAL);
	assert_string_equal(err.text, "-r: repeats a command, without -I, and is not recorded; name the command, or leave -r out");
	options.argv = command;
	assert_int_equal(bpmu_repeat_check(3, &options, &err), 0);
	assert_int_equal(bpmu_repeat_check(BPMU_REPEAT_AUTO, &options, &err), 0);
	options.interval_ns = 100;
	assert_int_equal(bpmu_repeat_check(3, &options, &err), -EINVAL);
	options.interval_ns = 0;
	options.recorder = (struct bpmu_recorder *)command;
	assert_int_equal(bpmu_repeat_check(3, &options, &err), -EINVAL);
}

/*
 * The output advises how to measure longer. If "topdown" runs a program without the option -r, it
 * advises this option. With -r it advises more runs.
 */
TEST(the_way_to_more_slices_is_one_that_the_command_has)
{
	char *command[] = { (char *)"sort", NULL };
	struct bpmu_replay *replay = (struct bpmu_replay *)command;
	struct bpmu_topdown t = { };

	assert_int_equal(bpmu_topdown_longer(&t), BPMU_LONGER_RUN);
	t.options.argv = command;
	assert_int_equal(bpmu_topdown_longer(&t), BPMU_LONGER_REPEAT);
	t.repeat = 5;
	assert_int_equal(bpmu_topdown_longer(&t), BPMU_LONGER_RUN);
	t.repeat = 0;
	t.drill = true;
	assert_int_equal(bpmu_topdown_longer(&t), BPMU_LONGER_RUN);
	t.options.interval_ns = 100;
	assert_int_equal(bpmu_topdown_longer(&t), BPMU_LONGER_INTERVAL);
	/*
	 * In a report on a recording with -I the advice is longer intervals. Without -I the whole
	 * recording is one interval, so the advice is a longer recording.
	 */
	t.options.replay = replay;
	assert_int_equal(bpmu_topdown_longer(&t), BPMU_LONGER_REPLAY);
	t.options.interval_ns = 0;
	assert_int_equal(bpmu_topdown_longer(&t), BPMU_LONGER_RECORDING);
}

/*
 * Each of two runs counts five time slices. The slices are divided into batches, to estimate the
 * error: in each run slice k belongs to batch k modulo BATCHES.
 */
TEST(counts_and_batches_are_those_of_one_long_run)
{
	u64 ticks[1] = { 9000 }, lost[1] = { 2 }, spent[1] = { 3 }, flaw[1] = { 4 };
	struct bpmu_batch batch[BATCHES] = { };
	struct bpmu_cell cell = { };
	struct bpmu_interval interval = {
		.last = true, .seconds = 1.5, .duration = 1.25, .cell = &cell,
		.batch = batch, .batches = BATCHES, .enabled = ticks, .lost = lost,
		.spent = spent, .shared[BPMU_BANK_UNCORE] = lost,
	};
	struct bpmu_runs runs;
	unsigned int r;

	fill(&cell, batch, 5);
	bpmu_runs_init(&runs, 1, 1);
	bpmu_runs_add(&runs, &interval);
	assert_null(runs.sum.flaws);
	interval.flaws = flaw;
	bpmu_runs_add(&runs, &interval);
	assert_false(runs.failed);
	assert_int_equal(runs.nr, 2);
	assert_int_equal(runs.sum.cell->count, 1000);
	assert_int_equal(runs.sum.cell->running, 10 * TICKS);
	assert_int_equal(runs.sum.cell->slices, 10);
	assert_true(runs.sum.cell->sum_tt == 10.0 * TICKS * TICKS);
	assert_true(runs.sum.cell->sum_tx == 10.0 * TICKS * 100);
	assert_true(runs.sum.cell->sum_xx == 10.0 * 100 * 100);
	assert_true(runs.sum.cell->top[0] == 100 && runs.sum.cell->top[8] == 100);
	for (r = 0; r < BATCHES; r++) {
		assert_int_equal(runs.sum.batch[r].count, r < 2 ? 200 : 100);
		assert_int_equal(runs.sum.batch[r].ticks, (r < 2 ? 2 : 1) * TICKS);
	}
	assert_true(runs.sum.seconds == 3 && runs.sum.duration == 2.5);
	assert_int_equal(runs.sum.enabled[0], 18000);
	assert_int_equal(runs.sum.lost[0], 4);
	assert_int_equal(runs.sum.spent[0], 6);
	assert_int_equal(runs.sum.flaws[0], 4);
	assert_int_equal(runs.sum.shared[BPMU_BANK_UNCORE][0], 4);
	/* A flaw of any run is one of all of them. */
	flaw[0] = 1;
	bpmu_runs_add(&runs, &interval);
	assert_int_equal(runs.sum.flaws[0], 5);
	bpmu_runs_free(&runs);
}

/*
 * Two groups of core counters, of two slots each, on two CPUs, and an empty one. A group has enough
 * slices if each of its CPUs has, or if it was counted all the time there. Groups whose counters
 * are not shared with others need none.
 */
TEST(each_group_needs_enough_slices_on_each_cpu)
{
	static const struct {
		unsigned int group[2][2], running;
		bool enough;
	} cases[] = {
		{ { { 12, 12 }, { 12, 12 } }, 10, true }, { { { 11, 12 }, { 12, 12 } }, 10, false },
		{ { { 12, 11 }, { 12, 12 } }, 10, false }, { { { 12, 12 }, { 11, 12 } }, 10, false },
		{ { { 12, 12 }, { 12, 11 } }, 10, false }, { { { 13, 99 }, { 13, 13 } }, 10, true },
		{ { { 1, 1 }, { 1, 1 } }, 1000, true }, { { { 1, 1 }, { 1, 1 } }, 999, false },
	};
	u64 enabled[2] = { 1000, 1000 };
	struct bpmu_cell cell[12];
	struct bpmu_interval interval = { .cell = cell, .enabled = enabled };
	struct bpmu_group group[3] = {
		{ .first = 0, .sched = { .nr = 2, .bank = BPMU_BANK_CORE } },
		{ .first = 2, .sched = { .nr = 2, .bank = BPMU_BANK_CORE } },
		{ .first = 4, .sched = { .nr = 0, .bank = BPMU_BANK_CORE } },
	};
	struct bpmu_groups groups = { .group = group, .nr = 3, .slots = 6 };
	unsigned int g, pos;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		memset(cell, 0, sizeof(cell));
		for (g = 0; g < 2; g++) {
			for (pos = 0; pos < 2; pos++) {
				cell[pos * 6 + g * 2].slices = cases[i].group[g][pos];
				cell[pos * 6 + g * 2].running = cases[i].running;
			}
		}
		groups.nr_of[BPMU_BANK_CORE] = 2;
		assert_int_equal(bpmu_runs_enough(&interval, &groups, 2), cases[i].enough);
		groups.nr_of[BPMU_BANK_CORE] = 1;
		assert_true(bpmu_runs_enough(&interval, &groups, 2));
	}
	/* The times of a kind of counters may be other ones than those of the CPU. */
	interval.shared[BPMU_BANK_CORE] = (u64[]){ 999, 999 };
	groups.nr_of[BPMU_BANK_CORE] = 2;
	assert_true(bpmu_runs_enough(&interval, &groups, 2));
}
