/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Faults that the virtual PMU injects into the registers of a CPU.
 */
#ifndef FAULT_H
#define FAULT_H

#include <stdbool.h>
#include <stdint.h>

/*
 * What fails: writes of all registers of counters, of the prefetchers' register or of the counters
 * alone are ignored; RDPMC faults
 */
#define FAULT_COUNTERS 1
#define FAULT_PREFETCH 2
#define FAULT_RDPMC 4
#define FAULT_VALUES 8

bool fault_inject(uint32_t cpu, uint32_t what);
bool fault_ignore(uint32_t cpu, uint64_t value);
bool fault_version(uint32_t version);

#endif /* FAULT_H */
