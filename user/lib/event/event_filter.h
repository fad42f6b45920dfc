/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_EVENT_FILTER_H
#define BPMU_EVENT_FILTER_H

#include <stdbool.h>

#include "event.h"

/**
 * struct bpmu_event_filter - what was said behind an event's name
 * @given: bits of the select register that were said
 * @bits: their values
 * @rings: BPMU_SEL_USR, BPMU_SEL_OS, both, or 0 if not said
 * @cmask_max: highest counter mask that the event's unit takes
 * @equal: @bits hold the mask N of [=N]
 */
struct bpmu_event_filter {
	u64 given;
	u64 bits;
	u64 rings;
	u64 cmask_max;
	bool equal;
};

bool bpmu_event_filter_known(const char *word);
int bpmu_event_filter_add(struct bpmu_event_filter *filter, const char *event,
			  const char *word, struct bpmu_error *err);
int bpmu_event_filter_apply(const struct bpmu_event_filter *filter,
			    const char *event, const struct bpmu_event *row,
			    u64 *select, struct bpmu_error *err);

#endif /* BPMU_EVENT_FILTER_H */
