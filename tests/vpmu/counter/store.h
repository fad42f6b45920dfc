/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The debug store (DS): an area of the guest's memory into which the core writes precise records
 * (PEBS) by linear addresses, on CPU models without architectural PEBS.
 */
#ifndef VPMU_STORE_H
#define VPMU_STORE_H

#include "stored.h"

void vpmu_store_to(bool (*access)(struct vpmu_cpu *cpu, uint64_t va, void *bytes,
				  unsigned int size, bool write),
		   void (*write)(struct vpmu_cpu *cpu, const struct vpmu_stored *record));
void vpmu_store_init(struct vpmu_cpu *cpu);
bool vpmu_store_has(const struct vpmu_cpu *cpu, unsigned int number);
void vpmu_store_deposit(struct vpmu_cpu *cpu, const struct vpmu_happened *event,
			const uint64_t *values);
uint64_t vpmu_store_reset(struct vpmu_cpu *cpu, unsigned int number, uint64_t value);
bool vpmu_store_read(const struct vpmu_cpu *cpu, uint32_t msr, uint64_t *value);
bool vpmu_store_write(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value);

#endif /* VPMU_STORE_H */
