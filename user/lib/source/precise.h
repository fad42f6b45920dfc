/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Precise events, whose samples have the address of an instruction that caused the event: which of
 * them AMD's parts sample by IBS.
 */
#ifndef BPMU_PRECISE_H
#define BPMU_PRECISE_H

#include "event/event.h"

int bpmu_precise_choose(const struct bpmu_pmu *pmu, struct bpmu_event_spec *spec,
			struct bpmu_error *err);

#endif /* BPMU_PRECISE_H */
