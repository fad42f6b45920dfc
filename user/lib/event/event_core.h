/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_EVENT_CORE_H
#define BPMU_EVENT_CORE_H

#include <stddef.h>

#include "arch.h"
#include "base/error.h"

enum bpmu_core bpmu_event_core_of(const struct bpmu_part *part);
size_t bpmu_event_core_end(const char *text);
int bpmu_event_core_check(const struct bpmu_part *part, const char *text,
			  struct bpmu_error *err);

#endif /* BPMU_EVENT_CORE_H */
