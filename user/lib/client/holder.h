/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Other users of the counters: perf events and the NMI watchdog.
 */
#ifndef BPMU_HOLDER_H
#define BPMU_HOLDER_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"

#define BPMU_HOLDER_MAX 8

/**
 * struct bpmu_holder - a process with perf events
 * @pid: process id
 * @comm: command name
 */
struct bpmu_holder {
	pid_t pid;
	char comm[32];
};

/**
 * struct bpmu_holders - processes that may hold the counters
 * @watchdog: the NMI watchdog is on
 * @process: processes with perf events, [@nr]
 * @nr: number of processes found, at most %BPMU_HOLDER_MAX
 */
struct bpmu_holders {
	bool watchdog;
	struct bpmu_holder process[BPMU_HOLDER_MAX];
	unsigned int nr;
};

void bpmu_holders_find(struct bpmu_holders *holders);
int bpmu_holder_uncore(struct bpmu_error *err);
void bpmu_holder_explain(struct bpmu_error *err);

#endif /* BPMU_HOLDER_H */
