/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The option -r: runs the measured command several times, and prints one result for all runs.
 */
#ifndef BPMU_REPEAT_H
#define BPMU_REPEAT_H

#include "options.h"
#include "source/measure.h"
#include "source/target.h"

/* number of runs that stands for the option "-r auto" */
#define BPMU_REPEAT_AUTO (~0U)

int bpmu_repeat_take(const char *value, unsigned int *repeat, struct bpmu_error *err);
int bpmu_repeat_check(unsigned int repeat, const struct bpmu_options *options,
		      struct bpmu_error *err);
int bpmu_repeat_run(unsigned int repeat, const struct bpmu_options *options,
		    const struct bpmu_target *const targets[BPMU_CORE_TYPES],
		    const struct bpmu_measure *measure, unsigned int *done,
		    int *status, struct bpmu_error *err);

#endif /* BPMU_REPEAT_H */
