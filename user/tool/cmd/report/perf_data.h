/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes the interrupts of a recording as the file that perf record writes.
 */
#ifndef BPMU_PERF_DATA_H
#define BPMU_PERF_DATA_H

#include "replay/report_replay.h"

int bpmu_perf_data_write(const char *name, struct bpmu_replay *replay,
			 const struct bpmu_sched_slot *only, const struct bpmu_target *target,
			 struct bpmu_error *err);

#endif /* BPMU_PERF_DATA_H */
