// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of "barepmu clocks", which measures the cost, the step and the offset of each clock, and
 * warns of defects. The readings are made up, so that the true values are known.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "cmd/clocks/clocks.h"
#include "commands.h"
#include "unit.h"

/*
 * The cost of reading a clock is measured in 31 batches of readings. Here ten batches take much
 * longer than the others, because an interrupt happened in them.
 */
TEST(cost_is_the_median_of_batches)
{
	double batch[BPMU_CLOCKS_BATCHES];
	struct bpmu_clock clock = { };
	unsigned int i;

	for (i = 0; i < BPMU_CLOCKS_BATCHES; i++)
		batch[(7 * i) % BPMU_CLOCKS_BATCHES] = i < 21 ? 100 + i : 9000;
	bpmu_clocks_median(batch, &clock);
	assert_true(clock.cycles == 115);
	assert_true(clock.low == 109);
	assert_true(clock.high == 9000);
	for (i = 0; i < BPMU_CLOCKS_BATCHES; i++)
		batch[i] = 100 + i;
	bpmu_clocks_median(batch, &clock);
	assert_true(clock.high == 121);
}

/* The confidence interval of a median contains the true median, here 0, in 97 % of all cases. */
TEST(the_interval_holds_the_median_in_97_per_cent)
{
	unsigned long long seed = 88172645463325252ULL;
	double batch[BPMU_CLOCKS_BATCHES];
	struct bpmu_clock clock;
	unsigned int r, i;
	unsigned int held = 0;

	for (r = 0; r < 20000; r++) {
		for (i = 0; i < BPMU_CLOCKS_BATCHES; i++) {
			seed ^= seed << 13;
			seed ^= seed >> 7;
			seed ^= seed << 17;
			batch[i] = (seed >> 11) / 9007199254740992.0 - 0.5;
			/* Positive values are stretched: costs have a skewed distribution. */
			if (batch[i] > 0)
				batch[i] *= 100;
		}
		bpmu_clocks_median(batch, &clock);
		held += clock.low <= 0 && clock.high >= 0;
	}
	assert_in_range(held, 19300, 19500);
}

TEST(the_step_is_the_smallest_increase)
{
	static const double reads[] = { 10, 10, 14, 17, 16, 30 };
	static const double still[] = { 5, 5, 5 };
	struct bpmu_clock clock = { }, stands = { };

	bpmu_clocks_steps(reads, NULL, ARRAY_SIZE(reads), 1, &clock);
	assert_true(clock.step == 3);
	assert_int_equal(clock.back, 1);
	bpmu_clocks_steps(still, NULL, ARRAY_SIZE(still), 1, &stands);
	assert_true(stands.step == 0);
	assert_int_equal(stands.back, 0);
	/*
	 * A clock may be read in several sets of readings. The step of the clock is the smallest
	 * step in any of the sets.
	 */
	bpmu_clocks_steps(still, NULL, ARRAY_SIZE(still), 1, &clock);
	assert_true(clock.step == 3);
	assert_false(bpmu_clocks_unclear(&clock, 1));
	assert_true(bpmu_clocks_unclear(&stands, 1));
}

/*
 * The process did not run for 428 ms, in which a clock with steps of 4 ms made 107 steps. The tool
 * must not report a step of 428 ms.
 */
TEST(an_absence_is_not_a_step)
{
	static const double away[] = { 0, 0, 428e6, 428e6 };
	static const double at[] = { 0, 30, 428e6 + 60, 428e6 + 90 };
	/*
	 * The second reading takes 20 us: the timer interrupt that advances the clock happens
	 * during the reading.
	 */
	static const double tick[] = { 428e6, 432e6, 432e6 };
	static const double tick_at[] = { 0, 20e3, 20030 };
	struct bpmu_clock clock = { .stated = 4e6 };

	bpmu_clocks_steps(away, at, ARRAY_SIZE(away), 25, &clock);
	assert_true(clock.step == 0);
	bpmu_clocks_steps(tick, tick_at, ARRAY_SIZE(tick), 25, &clock);
	assert_true(clock.step == 4e6);
	assert_false(bpmu_clocks_unclear(&clock, 25));
	/*
	 * Each reading of a fine clock differs from the last one, so the smallest step that can be
	 * seen is the time that a reading takes.
	 */
	clock = (struct bpmu_clock){ .stated = 1 };
	bpmu_clocks_steps((double[]){ 0, 30, 60 }, (double[]){ 0, 30, 60 }, 3,
			  25, &clock);
	assert_true(clock.step == 30);
	assert_false(bpmu_clocks_unclear(&clock, 25));
}

/*
 * A timer interrupt advances the clock by 4 ms each time. Here the clock advances by 16 ms at once,
 * because the interrupt was late. The tool cannot know whether the clock always has steps of 16 ms,
 * so the step must be unclear.
 */
TEST(a_late_tick_is_not_a_step)
{
	static const double late[] = { 0, 0, 16e6, 16e6 };
	static const double at[] = { 0, 30, 60, 90 };
	struct bpmu_clock clock = { .stated = 4e6 };

	bpmu_clocks_steps(late, at, ARRAY_SIZE(late), 25, &clock);
	assert_true(clock.step == 16e6);
	assert_true(bpmu_clocks_unclear(&clock, 25));
}

/*
 * The other CPU's TSC is 1000 ticks ahead. A message to the other CPU arrives after 300 to 900
 * ticks, and its answer arrives 400 ticks after that.
 */
TEST(round_trips_bound_the_offset)
{
	struct bpmu_clocks_offset offset = { -INFINITY, INFINITY };
	double there;

	for (there = 900; there >= 300; there -= 100)
		bpmu_clocks_trip(&offset, 5000, 5000 + there + 1000,
				 5000 + there + 400);
	assert_true(offset.low == 600);
	assert_true(offset.high == 1300);
	/* If both CPUs' TSCs are equal, the bounds of the offset include 0. */
	offset = (struct bpmu_clocks_offset){ -INFINITY, INFINITY };
	bpmu_clocks_trip(&offset, 5000, 5300, 5700);
	assert_true(offset.low == -400 && offset.high == 300);
}

static char said[4096];

static void collect(void *ctx, const char *text)
{
	(void)ctx;
	strcat(said, text);
	strcat(said, "\n");
}

static struct bpmu_clocks good(void)
{
	return (struct bpmu_clocks){
		.khz = 2000000, .invariant = true, .current = "tsc",
		.available = "tsc hpet acpi_pm", .cpus = 4, .nr = 2,
		.clock = {
			{ .name = "rdtsc", .type = BPMU_CLOCK_TICKS,
			  .cycles = 20, .across = NAN },
			{ .name = "clock_gettime(CLOCK_MONOTONIC)",
			  .type = BPMU_CLOCK_CALL, .cycles = 60, .stated = 1 },
		},
	};
}

static void warnings(const struct bpmu_clocks *clocks, const char *part)
{
	*said = '\0';
	bpmu_clocks_warnings(clocks, collect, NULL);
	if (!part)
		assert_string_equal(said, "");
	else if (!strstr(said, part))
		fail_msg("'%s' is not in: %s", part, said);
}

/* Each warning is printed if its cause is there, and only then. */
TEST(each_warning_has_its_cause)
{
	struct bpmu_clocks clocks = good();

	warnings(&clocks, NULL);
	clocks.invariant = false;
	warnings(&clocks, "TSC: not invariant");
	clocks = good();
	clocks.away = 2;
	clocks.offset = 350;
	warnings(&clocks, "on 2 of 4 CPUs not the first CPU's, by up to 350 ns");
	clocks = good();
	strcpy(clocks.current, "hpet");
	warnings(&clocks, "uses hpet, though it could use tsc, not the TSC");
	strcpy(clocks.available, "hpet acpi_pm");
	warnings(&clocks, "uses hpet, not the TSC");
	clocks = good();
	clocks.clock[1].back = 3;
	warnings(&clocks, "CLOCK_MONOTONIC): went back 3 times");
	clocks = good();
	clocks.clock[1].across = 120;
	warnings(&clocks, "goes back by up to 120 ns from one CPU");
	clocks = good();
	clocks.clock[1].stated = 4000000;
	warnings(&clocks, "steps of 4000000 ns");
	clocks = good();
	clocks.clock[1].disturbed = true;
	warnings(&clocks, "CLOCK_MONOTONIC): its step is not known: others disturbed");
	/* A clock that cannot be read causes no warning, whatever its other values are. */
	strcpy(clocks.clock[1].why, "not allowed");
	warnings(&clocks, NULL);
}

/*
 * Returns results that make the output use each of its forms: costs, steps, reasons why a clock was
 * not read, and disturbances.
 */
static struct bpmu_clocks measured(void)
{
	struct bpmu_clocks clocks = good();
	unsigned int i;

	clocks.khz_half = 250;
	clocks.rdtscp = true;
	clocks.window = 90;
	clocks.nr = 6;
	for (i = 0; i < clocks.nr; i++)
		clocks.clock[i] = (struct bpmu_clock){
			.name = "rdtsc", .type = BPMU_CLOCK_TICKS, .cycles = 20.4 + i,
			.low = 19, .high = 23, .step = 0.5, .across = NAN,
		};
	clocks.clock[1].name = "clock_gettime(CLOCK_MONOTONIC_COARSE)";
	clocks.clock[1].type = BPMU_CLOCK_CALL;
	clocks.clock[1].step = 0;
	clocks.clock[2].name = "gettimeofday";
	clocks.clock[2].type = BPMU_CLOCK_CALL;
	clocks.clock[2].step = 0;
	clocks.clock[2].disturbed = true;
	/* The largest step back from one CPU to another, and one that is none. */
	clocks.clock[2].across = 120;
	clocks.clock[1].across = -30;
	clocks.clock[3].name = "ftime";
	clocks.clock[3].back = 2;
	clocks.clock[4].name = "barepmu, 8 counters";
	clocks.clock[4].type = BPMU_CLOCK_MODULE;
	clocks.clock[4].step = 0;
	clocks.clock[5].name = "rdpmc";
	strcpy(clocks.clock[5].why, "not allowed: /sys/devices/cpu/rdpmc");
	return clocks;
}

static struct bpmu_clocks given;

int __wrap_bpmu_clocks_measure(struct bpmu_clocks *clocks, const struct bpmu_cpulist *cpus,
			       struct bpmu_error *err)
{
	(void)cpus;
	(void)err;
	*clocks = given;
	return 0;
}

int __wrap_bpmu_clocks_compare(struct bpmu_clocks *clocks, u32 cpu, struct bpmu_error *err)
{
	static const double cycles[3][2] = { { 60, 64 }, { 900, 960 } };
	static const char *const names[] = { "tsc", "hpet", "acpi_pm" };
	unsigned int i, k;

	(void)cpu;
	(void)err;
	clocks->nr_sources = 3;
	for (i = 0; i < 3; i++) {
		strcpy(clocks->source[i].name, names[i]);
		for (k = 0; k < 2; k++)
			clocks->source[i].clock[k] = (struct bpmu_clock){
				.name = k ? "gettimeofday" : "clock_gettime(CLOCK_REALTIME)",
				.cycles = cycles[i][k], .low = cycles[i][k] - 1,
				.high = cycles[i][k] + 2,
			};
	}
	strcpy(clocks->source[2].why, "the kernel refuses it");
	return 0;
}

/*
 * Runs "barepmu clocks" with an option on faked readings, and appends all that it prints to @out.
 * @option is NULL for no option.
 */
static void run(FILE *out, const char *option)
{
	char *argv[] = { "clocks", "-C", "0", (char *)option, NULL };
	struct bpmu_ctx ctx = { .evaluation = NULL };
	char *printed;

	fprintf(out, "$ clocks -C 0%s%s\n", option ? " " : "", option ?: "");
	unit_capture_begin(stdout);
	assert_int_equal(bpmu_cmd_clocks(&ctx, option ? 4 : 3, argv), 0);
	printed = unit_capture_end();
	fputs(printed, out);
	free(printed);
}

TEST(all_clocks_have_a_line)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	given = measured();
	run(out, NULL);
	run(out, "--clocksources");
	run(out, "-j");
	/*
	 * The first output is for one CPU. The kernel's files do not name its clock sources, and
	 * there is no warning. The second output has two warnings.
	 */
	given = good();
	given.cpus = 1;
	given.rdtscp = true;
	*given.current = '\0';
	*given.available = '\0';
	run(out, NULL);
	given = good();
	given.invariant = false;
	given.away = 2;
	given.offset = 350;
	run(out, NULL);
	fclose(out);
	unit_text("clocks", text);
}
