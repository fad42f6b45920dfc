/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_EVENT_NAME_H
#define BPMU_EVENT_NAME_H

#include <stdbool.h>

#include "arch.h"
#include "error.h"

const struct bpmu_event *bpmu_event_row(const struct bpmu_part *part,
					const char *name);
bool bpmu_event_family(const struct bpmu_part *part, const char *name);
int bpmu_event_unknown(const struct bpmu_part *part, const char *name,
		       struct bpmu_error *err);

#endif /* BPMU_EVENT_NAME_H */
