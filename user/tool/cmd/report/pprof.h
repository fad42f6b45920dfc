/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_PPROF_H
#define BPMU_PPROF_H

#include <stdio.h>

#include "replay/report_replay.h"

int bpmu_pprof_write(FILE *out, struct bpmu_replay *replay, const struct bpmu_sched_slot *only,
		     const struct bpmu_target *target, struct bpmu_error *err);

#endif /* BPMU_PPROF_H */
