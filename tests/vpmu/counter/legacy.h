/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Precise records (PEBS) of the formats before the adaptive ones: 1 (Nehalem to Ivy Bridge), 2
 * (Haswell, Broadwell) and 3 (Skylake).
 */
#ifndef VPMU_LEGACY_H
#define VPMU_LEGACY_H

#include "stored.h"

bool vpmu_legacy_formats(const struct vpmu_part *part);
bool vpmu_legacy_records(const struct vpmu_part *part, uint64_t select);
bool vpmu_legacy_names(const struct vpmu_part *part);
void vpmu_legacy_mark(struct vpmu_cpu *cpu, unsigned int number, bool overflowed);
bool vpmu_legacy_accesses(const struct vpmu_part *part, uint64_t select);
void vpmu_legacy_fill(const struct vpmu_cpu *cpu, const struct vpmu_happened *event,
		      const uint64_t *access, struct vpmu_stored *record);

#endif /* VPMU_LEGACY_H */
