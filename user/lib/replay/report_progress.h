/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How far something long is, on a terminal; nothing elsewhere.
 */
#ifndef BPMU_REPORT_PROGRESS_H
#define BPMU_REPORT_PROGRESS_H

#include <stdbool.h>

/**
 * struct bpmu_progress - progress display of one task
 * @what: name of the task
 * @shown: standard error is a terminal
 * @began: seconds
 * @last: seconds, when it was shown last
 * @dirty: something stands in the line
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
