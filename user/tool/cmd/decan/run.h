/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A run of the loop in a fork of the snapshot. It has no effect outside of the fork.
 */
#ifndef BPMU_RUN_H
#define BPMU_RUN_H

#include "brackets.h"
#include "process/fork.h"

/* Maximum number of threads besides the one that is measured. */
#define BPMU_RUN_HELPERS 63

/**
 * enum bpmu_run_mode - what to run
 * @BPMU_RUN_COUNT: a copy that counts iterations, not timed
 * @BPMU_RUN_EMPTY: the brackets without the loop
 * @BPMU_RUN_TIMED: the loop, which is timed
 */
enum bpmu_run_mode {
	BPMU_RUN_COUNT,
	BPMU_RUN_EMPTY,
	BPMU_RUN_TIMED
};

/**
 * enum bpmu_run_status - reason for the end of a run
 * @BPMU_RUN_OK: the loop was left by an exit
 * @BPMU_RUN_SIGNAL: the loop raised a signal
 * @BPMU_RUN_CALL: the loop made a system call, which was not executed
 * @BPMU_RUN_TIME: the timeout expired
 * @BPMU_RUN_MEMORY: the limit of additional memory was exceeded
 */
enum bpmu_run_status {
	BPMU_RUN_OK,
	BPMU_RUN_SIGNAL,
	BPMU_RUN_CALL,
	BPMU_RUN_TIME,
	BPMU_RUN_MEMORY
};

/**
 * struct bpmu_run - a run of a variant of the loop: parameters and results
 * @mode: what to run
 * @edit: changes of the variant, [@nr]
 * @nr: number of changed instructions
 * @limit_ms: timeout in ms of CPU time, so that it does not depend on the load of the host
 * @warm: number of runs of the loop before, unmeasured, from the same memory and
 *	registers
 * @helpers: number of further threads that run the loop repeatedly in parallel
 * @fork: fork shared with other runs; NULL for a fork of its own, which a run
 *	with helpers always gets
 * @learn: add the pages that the run uses to those of the snapshot
 * @wanted: required number of iterations, or 0 for any number
 * @begin: called before the run, or NULL
 * @end: called after the run, or NULL
 * @data: argument of @begin and @end
 * @status: reason for the end of the run
 * @number: number of the signal or of the system call
 * @times: times that the brackets around the loop have read
 * @on_cpu: fraction of the time in which helpers had a CPU, NAN if unknown
 * @disturbed: the run was interrupted by other processes on its CPU
 */
struct bpmu_run {
	enum bpmu_run_mode mode;
	const struct bpmu_edit *edit;
	unsigned int nr;
	int limit_ms;
	unsigned int warm;
	unsigned int helpers;
	struct bpmu_fork *fork;
	bool learn;
	u64 wanted;
	int (*begin)(void *data, struct bpmu_error *err);
	int (*end)(void *data, struct bpmu_error *err);
	void *data;
	enum bpmu_run_status status;
	int number;
	struct bpmu_times times;
	double on_cpu;
	bool disturbed;
};

int bpmu_run(const struct bpmu_brackets *brackets, struct bpmu_run *run,
	     struct bpmu_error *err);
const char *bpmu_run_status_text(const struct bpmu_run *run, char text[64]);

#endif /* BPMU_RUN_H */
