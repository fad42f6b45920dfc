/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The debug store (DS): an area of the guest's memory into which the core writes precise records
 * (PEBS) by linear addresses, on CPU models without architectural PEBS. The adaptive formats of
 * records, 4 and 5.
 */
#ifndef VPMU_STORE_H
#define VPMU_STORE_H

#include "machine/cpu.h"

/*
 * size in bytes of the longest record: basic group, memory access, general registers, branch
 * records
 */
#define VPMU_STORED_MOST (32 + 32 + 144 + 24 * VPMU_MAX_LBR)

/**
 * struct vpmu_happened - an event that gets a precise record
 * @number: number of the counter that has counted the event
 * @counters: bitmap of the counters that the record names
 * @pc: address of the instruction that the record names
 * @next: address of the instruction that the vCPU executes next
 */
struct vpmu_happened {
	unsigned int number;
	uint64_t counters;
	uint64_t pc;
	uint64_t next;
};

/**
 * struct vpmu_stored - a record that will be written into the guest's debug store
 * @va: linear address to which the record is written
 * @size: size of the record in bytes
 * @tsc: offset in @bytes of the field that gets the guest's TSC
 * @bytes: the record, [@size]
 */
struct vpmu_stored {
	uint64_t va;
	unsigned int size;
	unsigned int tsc;
	uint8_t bytes[VPMU_STORED_MOST];
};

void vpmu_store_to(bool (*access)(struct vpmu_cpu *cpu, uint64_t va, void *bytes,
				  unsigned int size, bool write),
		   void (*write)(struct vpmu_cpu *cpu, const struct vpmu_stored *record));
void vpmu_store_init(struct vpmu_cpu *cpu);
bool vpmu_store_has(const struct vpmu_cpu *cpu, unsigned int number);
void vpmu_store_deposit(struct vpmu_cpu *cpu, const struct vpmu_happened *event);
uint64_t vpmu_store_reset(struct vpmu_cpu *cpu, unsigned int number, uint64_t value);
bool vpmu_store_read(const struct vpmu_cpu *cpu, uint32_t msr, uint64_t *value);
bool vpmu_store_write(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value);

#endif /* VPMU_STORE_H */
