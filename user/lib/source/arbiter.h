/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds out if the second counter of the uncore's arbiter can count occupancy events. Sources
 * disagree about this counter on Sandy Bridge and Ivy Bridge, so it is tried on the machine.
 */
#ifndef BPMU_ARBITER_H
#define BPMU_ARBITER_H

#include <stdbool.h>

#include "event/event.h"
#include "target.h"

int bpmu_arbiter_probe(struct bpmu_target *target,
		       const struct bpmu_event_list *events, bool *both,
		       struct bpmu_error *err);

#endif /* BPMU_ARBITER_H */
