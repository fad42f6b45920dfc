// SPDX-License-Identifier: GPL-2.0
/*
 * Free-running registers: energy, APERF and MPERF, C-state residency, temperature. They do not run
 * by themselves: they change only when the guest executes CPUID with a leaf that no CPU has, so
 * that a test knows their values.
 *
 * Source of the MSRs: Linux, asm/msr-index.h. The energy of the graphics always reads 0, as on
 * boards without this energy domain.
 */
#include "free.h"

#include "machine/options.h"
#include "machine/topology.h"

enum scope { THREAD, CORE, PACKAGE };

static const struct {
	uint32_t msr;
	enum scope scope;
	bool energy;
} registers[] = {
	{ 0xe7, THREAD, false }, { 0xe8, THREAD, false },
	{ 0x64e, THREAD, false }, { 0x34, THREAD, false },
	{ 0xc00000e9, THREAD, false }, { 0x660, CORE, false },
	{ 0x3fc, CORE, false }, { 0x3fd, CORE, false }, { 0x3fe, CORE, false },
	{ 0x19c, CORE, false }, { 0xc001029a, CORE, true },
	{ 0x611, PACKAGE, true }, { 0x639, PACKAGE, true },
	{ 0x619, PACKAGE, true }, { 0x64d, PACKAGE, true },
	{ 0xc001029b, PACKAGE, true }, { 0x641, PACKAGE, false },
	{ 0x60d, PACKAGE, false }, { 0x3f8, PACKAGE, false },
	{ 0x3f9, PACKAGE, false }, { 0x3fa, PACKAGE, false },
	{ 0x630, PACKAGE, false }, { 0x631, PACKAGE, false },
	{ 0x632, PACKAGE, false }, { 0x1b1, PACKAGE, false },
	{ 0x621, PACKAGE, false },
};

#define NR (sizeof(registers) / sizeof(*registers))
#define INTEL_UNITS 0x606
#define AMD_UNITS 0xc0010299
#define TJMAX 0x1a2

/* values of MSR_RAPL_POWER_UNIT: energy units of 2^-14 J, as on servers, and 2^-16 J, on clients */
#define UNITS_14 0xa0e03
#define UNITS_16 0xa1003

static uint64_t moved[NR][VPMU_MAX_CPUS];

static int find_free(uint32_t msr)
{
	unsigned int i;

	for (i = 0; vpmu_options.free && i < NR; i++)
		if (registers[i].msr == msr)
			return i;
	return -1;
}

static uint64_t *value_of(const struct vpmu_cpu *cpu, unsigned int i)
{
	switch (registers[i].scope) {
	case THREAD:
		return &moved[i][cpu->index];
	case CORE:
		return &moved[i][cpu->index / vpmu_threads()];
	default:
		return &moved[i][0];
	}
}

/**
 * vpmu_free_read() - execute RDMSR of a free-running register
 * @cpu: the calling vCPU
 * @msr: number of the MSR
 * @value: set to the value of the register
 *
 * Return: false if the MSR is not a free-running register.
 */
bool vpmu_free_read(struct vpmu_cpu *cpu, uint32_t msr, uint64_t *value)
{
	int i = find_free(msr);

	if (i >= 0) {
		*value = *value_of(cpu, i);
		if (registers[i].energy)
			*value = (*value + vpmu_options.free) & 0xffffffff;
		return true;
	}
	if (!vpmu_options.free)
		return false;
	switch (msr) {
	case INTEL_UNITS:
		*value = vpmu_options.server_units ? UNITS_14 : UNITS_16;
		return true;
	case AMD_UNITS:
		*value = UNITS_16;
		return true;
	case TJMAX:
		*value = 100 << 16;
		return true;
	default:
		return false;
	}
}

/**
 * vpmu_free_write() - execute WRMSR of a free-running register: only counts an illegal write
 * @cpu: the calling vCPU
 * @msr: number of the MSR
 * @value: value to write
 *
 * Return: false if the MSR is not a free-running register.
 */
bool vpmu_free_write(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value)
{
	if (find_free(msr) < 0)
		return false;
	cpu->illegal_writes++;
	(void)value;
	return true;
}

/**
 * vpmu_free_move() - inject a change of a free-running register, which is an MSR
 * @cpu: the calling vCPU, whose thread, core or package has the register
 * @msr: number of the MSR
 * @by: value to add to the register, or the register's new value
 * @set: true to set the register to @by, false to add @by
 */
void vpmu_free_move(const struct vpmu_cpu *cpu, uint32_t msr, uint64_t by,
		    bool set)
{
	int i = find_free(msr);

	if (i >= 0)
		*value_of(cpu, i) = set ? by : *value_of(cpu, i) + by;
}
