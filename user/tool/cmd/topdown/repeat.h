/* SPDX-License-Identifier: GPL-2.0 */
/*
 * "barepmu topdown -r".
 */
#ifndef BPMU_REPEAT_H
#define BPMU_REPEAT_H

#include "topdown.h"

/* -r auto */
#define BPMU_REPEAT_AUTO (~0U)

int bpmu_repeat_take(const char *value, unsigned int *repeat, struct bpmu_error *err);
int bpmu_repeat_run(struct bpmu_topdown *topdown,
		    const struct bpmu_target *const targets[BPMU_CORE_TYPES],
		    const struct bpmu_measure *measure, int *status,
		    struct bpmu_error *err);

#endif /* BPMU_REPEAT_H */
