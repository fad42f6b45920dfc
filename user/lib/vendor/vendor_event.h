/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_VENDOR_EVENT_H
#define BPMU_VENDOR_EVENT_H

#include "vendor.h"
#include "vendor_json.h"

int bpmu_vendor_event_read(const struct bpmu_json_at *at,
			   const struct bpmu_part *part,
			   struct bpmu_vendor_event *event);

#endif /* BPMU_VENDOR_EVENT_H */
