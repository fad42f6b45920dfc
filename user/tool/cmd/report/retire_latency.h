/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_RETIRE_LATENCY_H
#define BPMU_RETIRE_LATENCY_H

#include <stdio.h>

#include "replay/report_replay.h"

int bpmu_retire_latency_write(FILE *out, const char *name, const struct bpmu_event_shares *events,
			      unsigned int nr, struct bpmu_error *err);

#endif /* BPMU_RETIRE_LATENCY_H */
