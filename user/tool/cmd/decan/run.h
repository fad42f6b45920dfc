/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One run of the loop in a fork of the snapshot, from which nothing gets out.
 */
#ifndef BPMU_RUN_H
#define BPMU_RUN_H

#include "brackets.h"
#include "process/fork.h"

/* threads besides the one that is measured */
#define BPMU_RUN_HELPERS 63

/**
 * enum bpmu_run_mode - what to run
 * @BPMU_RUN_COUNT: a copy that counts iterations, not timed
 * @BPMU_RUN_EMPTY: no loop, only what is around it
 * @BPMU_RUN_TIMED: the loop
 */
enum bpmu_run_mode {
	BPMU_RUN_COUNT,
	BPMU_RUN_EMPTY,
	BPMU_RUN_TIMED
};

/**
 * enum bpmu_run_status - how it ended
 * @BPMU_RUN_OK: by an exit of the loop
 * @BPMU_RUN_SIGNAL: by a signal
 * @BPMU_RUN_CALL: before a system call
 * @BPMU_RUN_TIME: by the limit of time
 * @BPMU_RUN_MEMORY: by the limit of memory
 */
enum bpmu_run_status {
	BPMU_RUN_OK,
	BPMU_RUN_SIGNAL,
	BPMU_RUN_CALL,
	BPMU_RUN_TIME,
	BPMU_RUN_MEMORY
};

/**
 * struct bpmu_run - a run
 * @mode: what to run
 * @edit: what the variant changes
 * @nr: how many instructions
 * @limit_ms: of time
 * @warm: the loop runs once before, unmeasured, and starts again with the same
 *	memory and registers
 * @helpers: threads of the program that run the loop as well, and again and again
 * @fork: that it shares with other runs, or NULL: it gets one of its own; with
 *	helpers it always does
 * @learn: remember which pages it uses
 * @wanted: if it has as many iterations, or any number if this is 0
 * @begin: called before it starts, or NULL
 * @end: called when it has ended, or NULL
 * @data: passed to both
 * @status: how it ended
 * @number: of the signal, or of the system call
 * @times: what the brackets saw
 * @on_cpu: share of the time for which helpers had a CPU, NAN if it is not known
 * @disturbed: others had its CPU meanwhile
 */
struct bpmu_run {
	enum bpmu_run_mode mode;
	const struct bpmu_edit *edit;
	unsigned int nr;
	int limit_ms;
	bool warm;
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
