/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Progress display of a long task, on a terminal only.
 */
#ifndef BPMU_REPORT_PROGRESS_H
#define BPMU_REPORT_PROGRESS_H

#include <stdbool.h>

/**
 * struct bpmu_progress - progress display of one task
 * @what: name of the task
 * @shown: standard error is a terminal
 * @began: start of the task in seconds
 * @last: time of the last update in seconds
 * @dirty: the line is not empty
 */
struct bpmu_progress {
	const char *what;
	bool shown;
	double began;
	double last;
	bool dirty;
};

void bpmu_progress_begin(struct bpmu_progress *progress, const char *what);
void bpmu_progress_part(struct bpmu_progress *progress, double part);
void bpmu_progress_time(struct bpmu_progress *progress, double seconds);
void bpmu_progress_end(struct bpmu_progress *progress);

#endif /* BPMU_REPORT_PROGRESS_H */
