/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A process that is forked from the snapshot, and in which the loop runs once or repeatedly. Each
 * run starts with the memory and registers of the snapshot.
 */
#ifndef BPMU_FORK_H
#define BPMU_FORK_H

#include "snapshot.h"

/**
 * struct bpmu_fork - a fork of the snapshot's process, in which a variant of the loop is run
 * @pid: process of the fork, 0 if there is none
 * @runs: number of runs of this process, including one that bpmu_fork_ready() has prepared
 * @faults: number of page faults of the process, minor and major, when bpmu_fork_fits() last
 *	checked its pages; ULONG_MAX before the first check
 * @switches: number of involuntary context switches before the current run
 */
struct bpmu_fork {
	pid_t pid;
	unsigned int runs;
	unsigned long faults;
	long switches;
};

int bpmu_fork_ready(struct bpmu_fork *fork, struct bpmu_snapshot *snapshot,
		    struct bpmu_error *err);
bool bpmu_fork_fits(struct bpmu_fork *fork,
		    const struct bpmu_snapshot *snapshot);
long bpmu_fork_end(struct bpmu_fork *fork, struct bpmu_snapshot *snapshot);
long bpmu_fork_keep(struct bpmu_fork *fork, struct bpmu_snapshot *snapshot);

#endif /* BPMU_FORK_H */
