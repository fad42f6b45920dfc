/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Precise event-based sampling (PEBS): after a counter has overflowed, the core writes a record
 * of the instruction that causes the next event. The record goes to the guest's memory.
 */
#ifndef VPMU_PEBS_H
#define VPMU_PEBS_H

#include "held.h"
#include "machine/cpu.h"

/*
 * size in bytes of the longest record: header, basic group, auxiliary data, general and vector
 * registers, group of counters, what fills it up
 */
#define VPMU_RECORD_MOST (16 + 48 + 64 + 160 + 256 + 8 * VPMU_HELD_MOST + 8)

/**
 * struct vpmu_record - a precise record that will be written to the guest's memory
 * @pa: physical address to which the record is written
 * @size: size of the record in bytes
 * @tsc: offset in @bytes of the field that gets the guest's TSC
 * @bytes: the record, [@size]
 */
struct vpmu_record {
	uint64_t pa;
	unsigned int size;
	unsigned int tsc;
	uint8_t bytes[VPMU_RECORD_MOST];
};

void vpmu_pebs_to(void (*write)(struct vpmu_cpu *cpu, const struct vpmu_record *record));
void vpmu_pebs_init(struct vpmu_cpu *cpu);
bool vpmu_pebs_has(const struct vpmu_cpu *cpu, unsigned int number);
bool vpmu_pebs_armed(const struct vpmu_cpu *cpu, unsigned int number);
void vpmu_pebs_arm(struct vpmu_cpu *cpu, unsigned int number);
uint64_t vpmu_pebs_take(struct vpmu_cpu *cpu, unsigned int number, uint64_t others,
			const uint64_t *values);
void vpmu_pebs_at(struct vpmu_cpu *cpu, uint64_t pc);
bool vpmu_pebs_read(struct vpmu_cpu *cpu, uint32_t msr, uint64_t *value);
bool vpmu_pebs_write(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value);

#endif /* VPMU_PEBS_H */
