/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Faults of registers, which a test injects to see how the module handles them: the virtual PMU
 * ignores writes to registers of a CPU, or the instruction RDPMC faults.
 */
#ifndef FAULT_H
#define FAULT_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Faults of a CPU, bits of a set.
 * FAULT_COUNTERS: the CPU ignores writes to counters and to event selects.
 * FAULT_PREFETCH: the CPU ignores writes to the register that turns prefetchers off.
 * FAULT_RDPMC: the instruction RDPMC faults on the CPU.
 * FAULT_VALUES: the CPU ignores writes to counters, but not to event selects.
 */
#define FAULT_COUNTERS 1
#define FAULT_PREFETCH 2
#define FAULT_RDPMC 4
#define FAULT_VALUES 8

bool fault_inject(uint32_t cpu, uint32_t what);
bool fault_ignore(uint32_t cpu, uint64_t value);
bool fault_version(uint32_t version);

#endif /* FAULT_H */
