/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Runs a measurement in a session of the module, and passes the counts of each interval to the
 * caller.
 */
#ifndef BPMU_LIVE_H
#define BPMU_LIVE_H

#include "measure.h"

int bpmu_live_configure(const struct bpmu_measure *m, struct bpmu_error *err);
int bpmu_live_run(const struct bpmu_measure *measure, int *exit_status,
		  struct bpmu_error *err);

#endif /* BPMU_LIVE_H */
