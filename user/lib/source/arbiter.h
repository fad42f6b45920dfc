/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The second counter of the uncore's arbiter. Sources disagree whether this counter can count
 * occupancy events on Sandy Bridge and Ivy Bridge. It is therefore tried on the machine.
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
