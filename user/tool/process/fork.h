/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A fork of the snapshot in which the loop runs, once or again and again: each run
 * begins with the memory and registers of the snapshot.
 */
#ifndef BPMU_FORK_H
#define BPMU_FORK_H

#include "snapshot.h"

/**
 * struct bpmu_fork - a fork
 * @pid: 0 if there is none
 * @runs: that it is ready for, or has gone through
 * @faults: page faults of its own that are known to have written nothing new
 * @switches: how often others had its CPU before the run
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
