/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_PREFETCHERS_H
#define BPMU_PREFETCHERS_H

#include "arch.h"
#include "base/error.h"

/*
 * Mask of all prefetchers, while it is not known which ones the CPU model has.
 * bpmu_prefetchers_check() replaces it.
 */
#define BPMU_PREFETCHERS_ALL 0xffffffffU

int bpmu_prefetchers_parse(const char *text, u32 *off, struct bpmu_error *err);
int bpmu_prefetchers_check(u32 legal, u32 *off, struct bpmu_error *err);

#endif /* BPMU_PREFETCHERS_H */
