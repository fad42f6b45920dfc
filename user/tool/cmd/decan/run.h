/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A run of a variant of the loop, in a process that is forked from the snapshot. The run changes
 * nothing outside of that process.
 */
#ifndef BPMU_RUN_H
#define BPMU_RUN_H

#include "brackets.h"
#include "process/fork.h"

/* maximum number of helpers, threads that run the loop besides the thread that is measured */
#define BPMU_RUN_HELPERS 63

/**
 * enum bpmu_run_mode - what a run of a variant executes
 * @BPMU_RUN_COUNT: a copy of the loop that counts its iterations, and is not timed
 * @BPMU_RUN_EMPTY: only the code around the loop (brackets), to measure how long it takes
 * @BPMU_RUN_TIMED: the loop, which is timed
 */
enum bpmu_run_mode {
	BPMU_RUN_COUNT,
	BPMU_RUN_EMPTY,
	BPMU_RUN_TIMED
};

/**
 * enum bpmu_run_status - why a run of a variant of the loop ended
 * @BPMU_RUN_OK: the loop was left by an exit
 * @BPMU_RUN_SIGNAL: the loop raised a signal, such as SIGSEGV
 * @BPMU_RUN_CALL: the loop made a system call, which was not executed
 * @BPMU_RUN_TIME: the timeout expired
 * @BPMU_RUN_MEMORY: the memory of the process grew beyond a limit
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
 * @mode: what the run executes
 * @edit: instructions that the variant changes, [@nr]
 * @nr: number of changed instructions
 * @limit_ms: timeout in ms of CPU time, so that it does not depend on the load of the host
 * @warm: number of unmeasured runs to make first, with the same memory and registers
 * @helpers: number of further threads that run the loop repeatedly in parallel
 * @fork: fork of the program, which other runs also use; NULL for a new fork. A run with @helpers
 *	always gets a new fork
 * @learn: add the pages that the run accesses to those that the snapshot knows
 * @wanted: required number of iterations, or 0 for any number
 * @begin: called just before the measured run, or NULL
 * @end: called just after the measured run, or NULL
 * @data: argument of @begin and @end
 * @status: reason for the end of the run
 * @number: number of the signal or of the system call
 * @times: what the code around the loop has measured
 * @on_cpu: fraction of the run's time for which helpers ran on a CPU, mean of all helpers; NAN if
 *	unknown
 * @disturbed: other processes on the run's CPU interrupted the run
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
