/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Input files that are pipes, such as <(...) of a shell, and can be read only once.
 */
#ifndef BPMU_PIPE_H
#define BPMU_PIPE_H

#include <stdbool.h>

#include "error.h"

bool bpmu_pipe_waits(const char *path);
int bpmu_pipe_keep(const char *path, struct bpmu_error *err);

#endif /* BPMU_PIPE_H */
