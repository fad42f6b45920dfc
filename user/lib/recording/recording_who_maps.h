/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads the executable mappings of processes and the functions of the kernel. A recording contains
 * them, so that its reader can name the functions that samples interrupted.
 */
#ifndef BPMU_RECORDING_WHO_MAPS_H
#define BPMU_RECORDING_WHO_MAPS_H

#include <jansson.h>
#include <stdbool.h>

#include "arch.h"

json_t *bpmu_who_maps(u32 tgid);
bool bpmu_who_maps_have(const json_t *maps, u64 ip);

json_t *bpmu_who_functions(const u64 *ip, size_t nr);

#endif /* BPMU_RECORDING_WHO_MAPS_H */
