// SPDX-License-Identifier: GPL-2.0
#include "fault.h"

/*
 * CPUID leaf by which a guest calls functions of the virtual PMU, and the numbers of the functions
 * that inject faults.
 */
#define MAGIC_LEAF 0x42504d55
#define DEAF 5
#define IGNORE 16
#define VERSION 17

static bool call(uint32_t function, uint32_t ebx, uint32_t edx)
{
	uint32_t eax = MAGIC_LEAF;

	asm volatile("cpuid"
		     : "+a" (eax), "+b" (ebx), "+c" (function), "+d" (edx));
	return !eax;
}

/**
 * fault_inject() - inject a fault: a CPU ignores writes to certain registers, or RDPMC faults
 * @cpu: number of the CPU
 * @what: set of FAULT_*; 0 to end all faults of the CPU
 *
 * Return: false if there is no virtual PMU.
 */
bool fault_inject(uint32_t cpu, uint32_t what)
{
	return call(DEAF, what << 16 | cpu, 0);
}

/**
 * fault_ignore() - inject a fault: the counter registers of a CPU ignore writes of some values
 * @cpu: number of the CPU
 * @value: writes of all values with these bits 15:0 are ignored; 0 to end the fault
 *
 * Return: false if there is no virtual PMU.
 */
bool fault_ignore(uint32_t cpu, uint64_t value)
{
	return call(IGNORE, cpu, (uint16_t)value);
}

/**
 * fault_version() - inject a fault: CPUID leaf 0xA reports another version of the PMU
 * @version: version to report; 0 for the version of the simulated CPU
 *
 * Return: false if there is no virtual PMU.
 */
bool fault_version(uint32_t version)
{
	return call(VERSION, version, 0);
}
