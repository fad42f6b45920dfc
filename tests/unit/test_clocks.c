// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of "barepmu clocks", which measures the cost, the step and the offset of each clock, and
 * warns of defects. The readings are made up, so that the true values are known.
 */
#include <errno.h>
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

/* Checks all warnings: @expected, or none if it is NULL. */
static void warnings(const struct bpmu_clocks *clocks, const char *expected)
{
	*said = '\0';
	bpmu_clocks_warnings(clocks, collect, NULL);
	assert_string_equal(said, expected ?: "");
}

/* Each warning is printed if its cause is there, and only then. */
TEST(each_warning_has_its_cause)
{
	struct bpmu_clocks clocks = good();

	warnings(&clocks, NULL);
	clocks.invariant = false;
	warnings(&clocks, "TSC: not invariant: its rate follows the core clock; measure time with CLOCK_MONOTONIC\n");
	clocks = good();
	clocks.away = 2;
	clocks.offset = 350;
	warnings(&clocks, "TSC: on 2 of 4 CPUs not the first CPU's, by up to 350 ns; compare readings of one CPU only\n");
	clocks = good();
	strcpy(clocks.current, "hpet");
	warnings(&clocks, "clocksource: the kernel uses hpet, though it could use tsc, not the TSC; its clocks may cost a system call\n");
	strcpy(clocks.available, "hpet acpi_pm");
	warnings(&clocks, "clocksource: the kernel uses hpet, not the TSC; its clocks may cost a system call\n");
	*clocks.current = '\0';
	warnings(&clocks, NULL);
	clocks = good();
	clocks.clock[1].back = 3;
	warnings(&clocks, "clock_gettime(CLOCK_MONOTONIC): went back 3 times on one CPU; do not compute time differences from it\n");
	clocks = good();
	clocks.clock[1].across = 120;
	warnings(&clocks, "clock_gettime(CLOCK_MONOTONIC): goes back by up to 120 ns from one CPU to another; compare readings of one CPU only\n");
	clocks.clock[1].across = 0;
	warnings(&clocks, NULL);
	/* A reading takes 60 cycles, 30 ns: ten times that is not coarse yet. */
	clocks = good();
	clocks.clock[1].stated = 300;
	warnings(&clocks, NULL);
	clocks.clock[1].stated = 301;
	warnings(&clocks, "clock_gettime(CLOCK_MONOTONIC): steps of 301 ns, far longer than its cost; too coarse for short times\n");
	clocks.clock[1].type = BPMU_CLOCK_TICKS;
	warnings(&clocks, NULL);
	clocks = good();
	clocks.clock[1].disturbed = true;
	warnings(&clocks, "clock_gettime(CLOCK_MONOTONIC): its step is not known: others disturbed the measurement; repeat on an idle machine\n");
	/* A clock that cannot be read causes no warning, whatever its other values are. */
	strcpy(clocks.clock[1].why, "not allowed");
	warnings(&clocks, NULL);
	/* Clocks have their warnings in their order, after those of the TSC. */
	clocks = good();
	clocks.invariant = false;
	clocks.clock[0].back = 1;
	clocks.clock[1].back = 2;
	warnings(&clocks, "TSC: not invariant: its rate follows the core clock; measure time with CLOCK_MONOTONIC\n"
		 "rdtsc: went back 1 times on one CPU; do not compute time differences from it\n"
		 "clock_gettime(CLOCK_MONOTONIC): went back 2 times on one CPU; do not compute time differences from it\n");
}

/* A difference that is as long as is allowed after a pause, and the least one that is longer. */
TEST(a_step_after_a_pause_is_eight_times_the_pause)
{
	static const double at[] = { 0, 251 }, brief[] = { 0, 250 };
	struct bpmu_clock clock = { };

	bpmu_clocks_steps((double[]){ 0, 2007 }, at, 2, 25, &clock);
	assert_true(clock.step == 0);
	bpmu_clocks_steps((double[]){ 0, 2008 }, at, 2, 25, &clock);
	assert_true(clock.step == 2008);
	/* Ten times the cost is no pause. */
	bpmu_clocks_steps((double[]){ 0, 1 }, brief, 2, 25, &clock);
	assert_true(clock.step == 1);
	/* A clock whose step is stated is unclear from 1.5 of them on, if readings are shorter. */
	clock = (struct bpmu_clock){ .stated = 1000, .step = 1500 };
	assert_false(bpmu_clocks_unclear(&clock, 25));
	clock.step = 1501;
	assert_true(bpmu_clocks_unclear(&clock, 25));
	assert_false(bpmu_clocks_unclear(&clock, 100));
	assert_true(bpmu_clocks_unclear(&clock, 99));
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
/* what measurements return */
static int measured_code, compared_code;
/* number of CPUs that are measured, the first of them, and that on which clocksources are compared */
static unsigned int nr_cpus;
static u32 first_cpu, compared_cpu;
/* The first clocksource cannot be used. */
static bool first_unusable;

int __wrap_bpmu_clocks_measure(struct bpmu_clocks *clocks, const struct bpmu_cpulist *cpus,
			       struct bpmu_error *err)
{
	*clocks = given;
	nr_cpus = cpus->nr;
	first_cpu = cpus->cpu[0];
	return measured_code ? bpmu_error_set(err, measured_code, "the clocks stand still") : 0;
}

int __wrap_bpmu_clocks_compare(struct bpmu_clocks *clocks, u32 cpu, struct bpmu_error *err)
{
	static const double cycles[3][2] = { { 60, 64 }, { 900, 960 } };
	static const char *const names[] = { "tsc", "hpet", "acpi_pm" };
	unsigned int i, k;

	compared_cpu = cpu;
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
	if (first_unusable)
		strcpy(clocks->source[0].why, "the kernel has left it");
	return compared_code ? bpmu_error_set(err, compared_code, "the kernel keeps it") : 0;
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
	first_unusable = true;
	run(out, "--clocksources");
	first_unusable = false;
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

/* Runs "barepmu clocks" with the arguments @argv, which prints nothing and says @error. */
static void fails(char **argv, int argc, int status, const char *error)
{
	struct bpmu_ctx ctx = { .evaluation = NULL };
	char *printed;
	int code;

	unit_capture_begin(stdout);
	code = bpmu_cmd_clocks(&ctx, argc, argv);
	printed = unit_capture_end();
	assert_int_equal(code, status);
	assert_string_equal(printed, "");
	free(printed);
	assert_string_equal(ctx.err.text, error);
}

TEST(a_measurement_that_fails_prints_nothing)
{
	struct bpmu_cpulist list = { };
	struct bpmu_error err;
	char *plain[] = { "clocks", NULL };
	char *compared[] = { "clocks", "--clocksources", NULL };
	char *kept[] = { "clocks", "--clocksources", NULL };
	char *only[] = { "clocks", "-C", "0", NULL };
	char *absent[] = { "clocks", "-C", "9999", NULL };
	char *unknown[] = { "clocks", "--kilometres", NULL };

	assert_int_not_equal(bpmu_cpulist_select("9999", &list, &err), 0);
	bpmu_cpulist_free(&list);
	given = good();
	compared_cpu = 77;
	measured_code = -EINVAL;
	fails(compared, 2, BPMU_EXIT_FAILED, "the clocks stand still");
	assert_int_equal(compared_cpu, 77);
	assert_true(nr_cpus > 0);
	fails(plain, 1, BPMU_EXIT_FAILED, "the clocks stand still");
	measured_code = 0;
	compared_code = -EIO;
	fails(kept, 2, BPMU_EXIT_FAILED, "the kernel keeps it");
	assert_int_equal(compared_cpu, first_cpu);
	compared_code = 0;
	measured_code = -EINVAL;
	fails(only, 3, BPMU_EXIT_FAILED, "the clocks stand still");
	assert_int_equal(nr_cpus, 1);
	assert_int_equal(first_cpu, 0);
	measured_code = 0;
	nr_cpus = 77;
	fails(absent, 3, BPMU_EXIT_FAILED, err.text);
	assert_int_equal(nr_cpus, 77);
	fails(unknown, 2, BPMU_EXIT_USAGE, "option '--kilometres': not known; see 'barepmu clocks --help'");
}
