// SPDX-License-Identifier: GPL-2.0
/*
 * The instructions that the virtual PMU executes in QEMU's place, or whose
 * result it amends.
 */
#include "special.h"

#include "regs.h"

/* a leaf that no CPU has: marks a region from inside the guest */
#define MAGIC_LEAF 0x42504d55
#define REGION_BEGIN 1
#define REGION_END 2

/* CPUID.1:ECX, bit 15: IA32_PERF_CAPABILITIES exists */
#define PDCM 0x8000u

static void write_pair(uint64_t value)
{
	vpmu_reg_write(VPMU_RAX, value & 0xffffffff);
	vpmu_reg_write(VPMU_RDX, value >> 32);
}

static bool rdmsr(struct vpmu_cpu *cpu)
{
	uint64_t value;

	if (!vpmu_msr_read(cpu, vpmu_reg_read(VPMU_RCX), &value))
		return false;
	write_pair(value);
	return true;
}

static bool wrmsr(struct vpmu_cpu *cpu)
{
	uint64_t value = (vpmu_reg_read(VPMU_RAX) & 0xffffffff) |
			 vpmu_reg_read(VPMU_RDX) << 32;

	return vpmu_msr_write(cpu, vpmu_reg_read(VPMU_RCX), value);
}

static bool rdpmc(struct vpmu_cpu *cpu)
{
	uint64_t value;

	if (!vpmu_rdpmc(cpu, vpmu_reg_read(VPMU_RCX), &value))
		return false;
	write_pair(value);
	return true;
}

/* leaf 0xA, SDM Vol. 2A; EBX 0: all architectural events exist */
static bool perfmon_leaf(void)
{
	const struct vpmu_part *p = vpmu_part;

	if (!p->fixed)
		return false;
	vpmu_reg_write(VPMU_RAX, 7 << 24 | p->width << 16 | p->nr_gp << 8 | 3);
	vpmu_reg_write(VPMU_RBX, 0);
	vpmu_reg_write(VPMU_RCX, 0);
	vpmu_reg_write(VPMU_RDX, p->width << 5 | p->nr_fixed);
	return true;
}

static bool magic_leaf(void)
{
	uint32_t what = vpmu_reg_read(VPMU_RCX);

	if (what == REGION_BEGIN || what == REGION_END)
		vpmu_truth_region(vpmu_reg_read(VPMU_RBX),
				  what == REGION_BEGIN);
	vpmu_reg_write(VPMU_RAX, 0);
	return true;
}

static bool cpuid(struct vpmu_cpu *cpu)
{
	switch ((uint32_t)vpmu_reg_read(VPMU_RAX)) {
	case 1:
		cpu->amend_cpuid = vpmu_part->capabilities;
		return false;
	case 0xa:
		return perfmon_leaf();
	case MAGIC_LEAF:
		return magic_leaf();
	default:
		return false;
	}
}

/**
 * vpmu_special() - execute an instruction
 * @cpu: the calling vCPU
 * @op: as from vpmu_is_special()
 *
 * Return: false if QEMU shall execute it.
 */
bool vpmu_special(struct vpmu_cpu *cpu, uint8_t op)
{
	switch (op) {
	case 0x30:
		return wrmsr(cpu);
	case 0x32:
		return rdmsr(cpu);
	case 0x33:
		return rdpmc(cpu);
	default:
		return cpuid(cpu);
	}
}

/**
 * vpmu_cpuid_amend() - the instruction before this one was CPUID leaf 1
 * @cpu: the calling vCPU
 */
void vpmu_cpuid_amend(struct vpmu_cpu *cpu)
{
	if (!cpu->amend_cpuid)
		return;
	cpu->amend_cpuid = false;
	vpmu_reg_write(VPMU_RCX, (uint32_t)vpmu_reg_read(VPMU_RCX) | PDCM);
}
