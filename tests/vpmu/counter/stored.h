/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A precise record (PEBS) for the guest's debug store (DS), and the event that it is of.
 */
#ifndef VPMU_STORED_H
#define VPMU_STORED_H

#include "held.h"
#include "machine/cpu.h"

/*
 * size in bytes of the longest record: basic group, memory access, general and vector registers,
 * branch records, group of counters
 */
#define VPMU_STORED_MOST (32 + 32 + 144 + 256 + 24 * VPMU_MAX_LBR + 8 * VPMU_HELD_MOST)

/**
 * struct vpmu_happened - an event that gets a precise record
 * @number: number of the counter that has counted the event
 * @counters: bitmap of the counters that the record names
 * @pc: address of the instruction that the record names
 * @next: address of the instruction that the vCPU executes next
 * @unknown: the record, if its format has groups, has one more than the guest has asked for
 */
struct vpmu_happened {
	unsigned int number;
	uint64_t counters;
	uint64_t pc;
	uint64_t next;
	bool unknown;
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

#endif /* VPMU_STORED_H */
