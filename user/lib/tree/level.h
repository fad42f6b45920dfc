/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Levels of the Top-Down tree as values of options.
 */
#ifndef BPMU_LEVEL_H
#define BPMU_LEVEL_H

#include "base/error.h"

/* Number of levels of the tree in the Top-Down paper, and of the deepest tree in Intel's files */
#define BPMU_LEVELS 4
#define BPMU_LEVELS_TMA 6
#define BPMU_LEVEL_GROUPS 64

int bpmu_level_take(unsigned int *level, const char *option, const char *text,
		    struct bpmu_error *err);
int bpmu_level_groups(char names[BPMU_LEVEL_GROUPS], const char *method,
		      unsigned int level, struct bpmu_error *err);

#endif /* BPMU_LEVEL_H */
