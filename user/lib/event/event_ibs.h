/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events of AMD's instruction-based sampling (IBS) of ops and fetches:
 *
 *   ibs_op[:FILTER...]               cycles, at the end of which an op is sampled
 *   ibs_op/cnt_ctl=1/                perf's form
 *   ibs_fetch[:FILTER...]            fetches of code, after which one is sampled
 *
 * FILTER is l3missonly=1 (only loads, or fetches, that miss the L3), u or k; of ops also cnt_ctl=1
 * (ops are counted, not cycles), ldlat=N (only loads whose data cache miss takes N cycles or more) and
 * strmst=1 (only non-temporal stores); of fetches also rand_en=1 (the count begins at a random
 * number) and fetchlat=N (only fetches that take N cycles or more).
 */
#ifndef BPMU_EVENT_IBS_H
#define BPMU_EVENT_IBS_H

#include <stdbool.h>

#include "arch.h"
#include "base/error.h"

/* Size in bytes, with the NUL, of the text of bpmu_event_ibs_filters() */
#define BPMU_IBS_FILTERS 40

bool bpmu_event_is_ibs(const char *text);
bool bpmu_event_is_fetch(const char *text);
const char *bpmu_event_ibs_filters(char text[BPMU_IBS_FILTERS], u32 caps);
const char *bpmu_event_fetch_filters(u32 caps);
int bpmu_event_ibs_parse(const struct bpmu_pmu *pmu, const char *text,
			 u64 *select, struct bpmu_error *err);

#endif /* BPMU_EVENT_IBS_H */
