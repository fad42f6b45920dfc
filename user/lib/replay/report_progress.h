/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Display of the progress of a long task, only if standard error is a terminal.
 */
#ifndef BPMU_REPORT_PROGRESS_H
#define BPMU_REPORT_PROGRESS_H

#include <stdbool.h>

/**
 * struct bpmu_progress - progress display of one task
 * @what: name of the task
 * @shown: true if standard error is a terminal
 * @began: start of the task, in seconds of CLOCK_MONOTONIC
 * @last: latest update, in seconds of CLOCK_MONOTONIC; 0 before the first update
 * @dirty: true if the display has written a line on the terminal that must be cleared
 */
struct bpmu_progress {
	const char *what;
	bool shown;
	double began;
	double last;
	bool dirty;
};

void bpmu_progress_begin(struct bpmu_progress *progress, const char *what);
void bpmu_progress_fraction(struct bpmu_progress *progress, double fraction);
void bpmu_progress_time(struct bpmu_progress *progress, double seconds);
void bpmu_progress_end(struct bpmu_progress *progress);

#endif /* BPMU_REPORT_PROGRESS_H */
