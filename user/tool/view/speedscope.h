/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_SPEEDSCOPE_H
#define BPMU_SPEEDSCOPE_H

#include <jansson.h>
#include <stdio.h>

#include "replay/report_replay.h"

json_t *bpmu_speedscope_make(const char *name, const struct bpmu_event_shares *events,
			     unsigned int nr);
int bpmu_speedscope_write(FILE *out, const char *name, const struct bpmu_event_shares *events,
			  unsigned int nr, struct bpmu_error *err);

#endif /* BPMU_SPEEDSCOPE_H */
