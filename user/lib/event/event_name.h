/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_EVENT_NAME_H
#define BPMU_EVENT_NAME_H

#include <stdbool.h>

#include "arch.h"
#include "base/error.h"
#include "base/nearest.h"

int bpmu_event_compare(const void *a, const void *b);
const struct bpmu_event *bpmu_event_row(const struct bpmu_part *part,
					const char *name);
bool bpmu_event_family(const struct bpmu_part *part, const char *name);
void bpmu_event_nearest(const struct bpmu_part *part,
			struct bpmu_nearest *nearest);
int bpmu_event_refused(const struct bpmu_part *part, const char *name,
		       struct bpmu_error *err);
const char *bpmu_event_other(const char *name);
const char *bpmu_event_no_uncore(const struct bpmu_part *part, const char *name);
int bpmu_event_unknown(const struct bpmu_part *part, const char *name,
		       struct bpmu_error *err);
const char *bpmu_event_category(const struct bpmu_event *row);

#endif /* BPMU_EVENT_NAME_H */
