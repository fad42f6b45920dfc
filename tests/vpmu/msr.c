// SPDX-License-Identifier: GPL-2.0
/*
 * The counter registers. A write that a real part answers with a fault is
 * ignored and counted: a plugin cannot raise an exception.
 */
#include "vpmu.h"

/* full-width counter writes, SDM Vol. 4 IA32_PERF_CAPABILITIES bit 13 */
#define CAP_FULL_WRITE VPMU_BIT(13)

enum kind {
	NONE, SELECT, COUNTER, COUNTER_FULL, FIXED, FIXED_CTRL, GLOBAL_CTRL,
	GLOBAL_STATUS, GLOBAL_OVF, CAPABILITIES
};

static bool in(uint32_t msr, uint32_t base, unsigned int nr, unsigned int *i)
{
	*i = msr - base;
	return base && msr >= base && *i < nr;
}

static enum kind kind_of(uint32_t msr, unsigned int *i)
{
	const struct vpmu_part *p = vpmu_part;

	if (in(msr, p->select, p->nr_gp, i))
		return SELECT;
	if (in(msr, p->counter, p->nr_gp, i))
		return COUNTER;
	if (in(msr, p->counter_full, p->nr_gp, i))
		return COUNTER_FULL;
	if (in(msr, p->fixed, p->nr_fixed, i))
		return FIXED;
	if (in(msr, p->fixed_ctrl, 1, i))
		return FIXED_CTRL;
	if (in(msr, p->global_ctrl, 1, i))
		return GLOBAL_CTRL;
	if (in(msr, p->global_status, 1, i))
		return GLOBAL_STATUS;
	if (in(msr, p->global_ovf, 1, i))
		return GLOBAL_OVF;
	return in(msr, p->capabilities, 1, i) ? CAPABILITIES : NONE;
}

/**
 * vpmu_msr_read() - rdmsr
 * @cpu: the calling vCPU
 * @msr: which
 * @value: set if it is ours
 *
 * Return: false if QEMU shall execute it.
 */
bool vpmu_msr_read(struct vpmu_cpu *cpu, uint32_t msr, uint64_t *value)
{
	unsigned int i;

	switch (kind_of(msr, &i)) {
	case NONE:
		return false;
	case SELECT:
		*value = cpu->select[i];
		break;
	case COUNTER:
	case COUNTER_FULL:
		*value = vpmu_counter_read(cpu, i);
		break;
	case FIXED:
		*value = vpmu_counter_read(cpu, 32 + i);
		break;
	case FIXED_CTRL:
		*value = cpu->fixed_ctrl;
		break;
	case GLOBAL_CTRL:
		*value = cpu->global_ctrl;
		break;
	case GLOBAL_STATUS:
		vpmu_counters_settle(cpu);
		*value = cpu->status;
		vpmu_counters_restart(cpu);
		break;
	case GLOBAL_OVF:
		*value = 0;
		break;
	case CAPABILITIES:
		*value = CAP_FULL_WRITE;
		break;
	}
	return true;
}

static uint64_t all_counters(void)
{
	return ((1ull << vpmu_part->nr_gp) - 1) |
	       ((1ull << vpmu_part->nr_fixed) - 1) << 32;
}

static uint64_t reserved(enum kind kind)
{
	switch (kind) {
	case SELECT:
		return vpmu_part->select_reserved;
	case COUNTER_FULL:
	case FIXED:
		return ~((1ull << vpmu_part->width) - 1);
	case FIXED_CTRL:
		return ~((1ull << (4 * vpmu_part->nr_fixed)) - 1);
	case GLOBAL_CTRL:
		return ~all_counters();
	case GLOBAL_STATUS:
	case CAPABILITIES:
		return ~0ull;
	default:
		return 0;
	}
}

/* legacy writes take 32 bits, sign-extended, where full ones exist beside */
static uint64_t legacy(uint64_t value)
{
	uint64_t width = (1ull << vpmu_part->width) - 1;

	if (!vpmu_part->counter_full)
		return value & width;
	return (uint64_t)(int64_t)(int32_t)value & width;
}

static void store(struct vpmu_cpu *cpu, enum kind kind, unsigned int i,
		  uint64_t value)
{
	switch (kind) {
	case SELECT:
		cpu->select[i] = value;
		break;
	case COUNTER:
		cpu->gp[i].value = legacy(value);
		break;
	case COUNTER_FULL:
		cpu->gp[i].value = value;
		break;
	case FIXED:
		cpu->fixed[i].value = value;
		break;
	case FIXED_CTRL:
		cpu->fixed_ctrl = value;
		break;
	case GLOBAL_CTRL:
		cpu->global_ctrl = value;
		break;
	case GLOBAL_OVF:
		cpu->status &= ~value;
		break;
	default:
		break;
	}
}

/**
 * vpmu_msr_write() - wrmsr
 * @cpu: the calling vCPU
 * @msr: which
 * @value: what to write
 *
 * Return: false if QEMU shall execute it.
 */
bool vpmu_msr_write(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value)
{
	enum kind kind;
	unsigned int i;

	kind = kind_of(msr, &i);
	if (kind == NONE)
		return false;
	if (value & reserved(kind)) {
		cpu->illegal_writes++;
		return true;
	}
	vpmu_counters_settle(cpu);
	store(cpu, kind, i, value);
	vpmu_counters_restart(cpu);
	return true;
}

/**
 * vpmu_rdpmc() - rdpmc
 * @cpu: the calling vCPU
 * @index: bit 30 selects the fixed counters
 * @value: set if there is such a counter
 *
 * Return: false if QEMU shall execute it, which faults.
 */
bool vpmu_rdpmc(struct vpmu_cpu *cpu, uint32_t index, uint64_t *value)
{
	unsigned int i = index & 0x3fffffff;
	bool fixed = index & 0x40000000;

	if (i >= (fixed ? vpmu_part->nr_fixed : vpmu_part->nr_gp))
		return false;
	*value = vpmu_counter_read(cpu, fixed ? 32 + i : i);
	return true;
}
