/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A record is a line of the input that has one count. Collects records into sets: the counts of a
 * set have the same time stamp and CPUs.
 */
#ifndef BPMU_EVAL_RECORD_H
#define BPMU_EVAL_RECORD_H

#include "eval.h"

/**
 * struct bpmu_eval_record - a count in the input, as read from a line
 * @time: time stamp of the interval as text, or "" without intervals
 * @where: CPUs, core or socket that the count is of, as text; "" for all
 * @event: name of the event
 * @count: the count, NAN if it was not counted
 * @percent: percentage of the time for which the event was counted
 * @half: half-width of the 95 % confidence interval of @count
 * @clock: unhalted cycles in the time for which the event was counted (the rotation slices of its
 *	group). They are scaled by the same factor as @count; 0 if unknown
 * @running: time for which the event was counted, in nanoseconds; 0 if unknown
 * @of_groups: the input may have further counts of the event for the same interval and CPUs, from
 *	other event groups
 * @of_box: the count is of one of several uncore boxes, whose counts are added up
 */
struct bpmu_eval_record {
	const char *time;
	const char *where;
	const char *event;
	double count;
	double percent;
	double half;
	double clock;
	double running;
	bool of_groups;
	bool of_box;
};

struct bpmu_eval_sets;

struct bpmu_eval_sets *bpmu_eval_sets_new(struct bpmu_eval *eval);
int bpmu_eval_sets_add(struct bpmu_eval_sets *sets,
		       const struct bpmu_eval_record *record);
int bpmu_eval_sets_flush(struct bpmu_eval_sets *sets);
void bpmu_eval_sets_free(struct bpmu_eval_sets *sets);

#endif /* BPMU_EVAL_RECORD_H */
