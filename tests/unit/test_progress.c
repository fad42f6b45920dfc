// SPDX-License-Identifier: GPL-2.0
/* Tests of the progress that a terminal shows during long tasks. The test sets the clock. */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "replay/report_progress.h"
#include "unit.h"

static double seconds;
static int terminal;

u64 __wrap_bpmu_clock_ns(clockid_t clock)
{
	assert_int_equal(clock, CLOCK_MONOTONIC);
	return (1000 + seconds) * 1e9;
}

int __wrap_isatty(int fd)
{
	assert_int_equal(fd, 2);
	return terminal;
}

/*
 * Shows the progress of a task whose finished fraction is known. Each element of @at has a time in
 * seconds, and the fraction of the task that is finished at this time.
 */
static void run_by_fraction(void)
{
	static const double at[][2] = {
		{ 0, 0 }, { 1.9, 0.1 }, { 2, 0.125 }, { 2.4, 0.2 }, { 2.5, 0.25 },
		{ 10, 0.5 }, { 10.4, 0.6 }, { 15, 0.625 }, { 90, 1 },
	};
	struct bpmu_progress progress;
	size_t i;

	seconds = 0;
	bpmu_progress_begin(&progress, "reading");
	for (i = 0; i < sizeof(at) / sizeof(*at); i++) {
		seconds = at[i][0];
		bpmu_progress_fraction(&progress, at[i][1]);
	}
	bpmu_progress_end(&progress);
}

/*
 * Shows the progress of three tasks whose finished fraction is not known. The duration of the first
 * task is not known. The second task takes 20 s, which is known in advance. The size of the third
 * task is not known.
 */
static void run_by_time(void)
{
	static const double lengths[] = { 0, 20 };
	struct bpmu_progress progress;
	size_t i;

	for (i = 0; i < 2; i++) {
		seconds = 0;
		bpmu_progress_begin(&progress, i ? "recording" : "waiting");
		for (seconds = 1; seconds < 25; seconds += 4)
			bpmu_progress_time(&progress, lengths[i]);
		bpmu_progress_end(&progress);
	}
	seconds = 0;
	bpmu_progress_begin(&progress, "piped");
	seconds = 7;
	bpmu_progress_fraction(&progress, 0);
	bpmu_progress_end(&progress);
}

TEST(a_terminal_shows_the_time_that_is_left)
{
	terminal = 1;
	unit_capture_begin(stderr);
	run_by_fraction();
	run_by_time();
	unit_text("progress", unit_capture_end());
}

/*
 * No progress is shown if standard error is a file, or while the task has taken less than two
 * seconds.
 */
TEST(a_file_shows_no_progress)
{
	struct bpmu_progress progress;
	char *text;

	unit_capture_begin(stderr);
	terminal = 0;
	run_by_fraction();
	run_by_time();
	terminal = 1;
	seconds = 0;
	bpmu_progress_begin(&progress, "reading");
	seconds = 1.9;
	bpmu_progress_fraction(&progress, 0.5);
	bpmu_progress_time(&progress, 3);
	bpmu_progress_end(&progress);
	text = unit_capture_end();
	assert_string_equal(text, "");
	free(text);
}
