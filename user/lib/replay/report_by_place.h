/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Places: found by what a sample says, made when they are first met.
 */
#ifndef BPMU_REPORT_BY_PLACE_H
#define BPMU_REPORT_BY_PLACE_H

#include "report_by.h"

struct bpmu_by_place *bpmu_by_place(struct bpmu_by *by,
				    const struct bpmu_recording_sample *sample);
void bpmu_by_free_places(struct bpmu_by *by);

#endif /* BPMU_REPORT_BY_PLACE_H */
