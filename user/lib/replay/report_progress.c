// SPDX-License-Identifier: GPL-2.0
#include "report_progress.h"

#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"

/* Time in seconds from the start of a task to the first display of its progress */
#define AFTER_S 2.0
/* Time in seconds between two updates of the progress display */
#define EVERY_S 0.5

static double progress_now(void)
{
	return bpmu_clock_ns(CLOCK_MONOTONIC) / 1e9;
}

/**
 * bpmu_progress_begin() - start the progress display of a task
 * @progress: filled in
 * @what: name of the task, such as "reading"
 */
void bpmu_progress_begin(struct bpmu_progress *progress, const char *what)
{
	*progress = (struct bpmu_progress){
		.what = what, .shown = isatty(STDERR_FILENO), .began = progress_now(),
	};
}

/*
 * Checks if the progress display has to be updated now. If so, sets @passed to the time in seconds
 * since the start of the task.
 */
static bool due(struct bpmu_progress *progress, double *passed)
{
	double time;

	if (!progress->shown)
		return false;
	time = progress_now();
	*passed = time - progress->began;
	if (*passed < AFTER_S || time - progress->last < EVERY_S)
		return false;
	progress->last = time;
	progress->dirty = true;
	return true;
}

/**
 * bpmu_progress_fraction() - show the progress of a task as a fraction
 * @progress: from bpmu_progress_begin()
 * @fraction: part of the task that is done, 0 to 1; 0 if the size of the task is unknown
 *
 * The remaining time is estimated as if progress were uniform.
 */
void bpmu_progress_fraction(struct bpmu_progress *progress, double fraction)
{
	double passed;

	if (!due(progress, &passed))
		return;
	if (fraction > 0)
		fprintf(stderr, "\r%s: %.0f %%, %.0f s left\033[K",
			progress->what, 100 * fraction,
			passed * (1 - fraction) / fraction);
	else
		fprintf(stderr, "\r%s: %.0f s\033[K", progress->what, passed);
}

/**
 * bpmu_progress_time() - show the progress of a task as elapsed time
 * @progress: from bpmu_progress_begin()
 * @seconds: expected duration of the task in seconds, 0 if unknown
 */
void bpmu_progress_time(struct bpmu_progress *progress, double seconds)
{
	double passed;

	if (!due(progress, &passed))
		return;
	fprintf(stderr, "\r%s: %.0f s", progress->what, passed);
	if (seconds > passed)
		fprintf(stderr, ", %.0f s left", seconds - passed);
	fputs("\033[K", stderr);
}

/**
 * bpmu_progress_end() - clear the progress display
 * @progress: from bpmu_progress_begin()
 */
void bpmu_progress_end(struct bpmu_progress *progress)
{
	if (progress->dirty)
		fputs("\r\033[K", stderr);
}
