/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The child process that executes the measured command. It is forked before the counters are
 * enabled, and executes the command after they were enabled, so that counts include the command
 * from its first instruction on.
 */
#ifndef BPMU_CHILD_H
#define BPMU_CHILD_H

#include <sys/types.h>

#include "base/error.h"
#include "base/signals.h"

/**
 * struct bpmu_child - child process that executes the measured command
 * @pid: process ID, 0 if there is no child
 * @go: read end of a pipe; the child blocks in a write to this pipe until the parent reads it
 * @failed: read end of a pipe to which the child writes the errno if exec() fails
 */
struct bpmu_child {
	pid_t pid;
	int go;
	int failed;
};

int bpmu_child_create(struct bpmu_child *child, char **argv,
		      const struct bpmu_signals *signals,
		      struct bpmu_error *err);
int bpmu_child_go(struct bpmu_child *child, const char *name, int *status,
		  struct bpmu_error *err);
int bpmu_child_ended(struct bpmu_child *child, int *status);
void bpmu_child_end(struct bpmu_child *child);

#endif /* BPMU_CHILD_H */
