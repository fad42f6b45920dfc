// SPDX-License-Identifier: GPL-2.0
/*
 * The counter registers. A write that raises #GP on a real CPU is ignored and counted: a
 * plugin cannot raise an exception.
 */
#include "msr.h"

#include "counter.h"
#include "event/erratum.h"
#include "event/events.h"
#include "lbr.h"
#include "machine/options.h"
#include "machine/topology.h"
#include "metrics.h"
#include "prefetch.h"

#define ENABLE_METRICS VPMU_BIT(48)
#define INUSE_PMI VPMU_BIT(63)
#define OLD_NAMES 4
/* General-purpose counters 8 and up exist only from PMU version 6 on, and have no legacy MSRs. */
#define WITH_OLD_MSR 8
/*
 * Bits from PMU version 6 on. SEL_VERSION_6, bits of an event select: UMASK2 (47:40), EQ (36), and
 * bit 37, which forbids RDPMC of the counter in user space. FIXED_NO_USER, a bit of
 * IA32_FIXED_CTR_CTRL, forbids RDPMC of fixed counter 0 in user space; the bit of fixed counter i
 * is 4 * i higher.
 */
#define SEL_VERSION_6 0xff3000000000ull
#define FIXED_NO_USER VPMU_BIT(33)

/*
 * From PMU version 6 on each counter and event select has a second MSR: IA32_PMC_GPn_CTR,
 * IA32_PMC_GPn_CFG_A, IA32_PMC_FXn_CTR (SDM Vol. 4). NEW_COUNTER, NEW_SELECT and NEW_FIXED are the
 * MSRs of counter 0; the MSRs of each further counter are NEW_STRIDE higher.
 */
#define NEW_COUNTER 0x1900
#define NEW_SELECT 0x1901
#define NEW_FIXED 0x1980
#define NEW_STRIDE 4

/* PERF_METRICS, as MSR and as ECX of RDPMC; the same on all CPU models that have the register */
#define METRICS_MSR 0x329
#define METRICS_INDEX 0x20000000
/* MSR_MISC_FEATURE_CONTROL, the same on all CPU models; the threads of a core share the register */
#define PREFETCH_MSR 0x1a4

enum reg {
	NONE, SELECT, COUNTER, COUNTER_FULL, FIXED, FIXED_CTRL, GLOBAL_CTRL,
	GLOBAL_STATUS, GLOBAL_OVF, GLOBAL_SET, GLOBAL_INUSE, CAPABILITIES,
	METRICS, PREFETCH, EXTRA_VALUE
};

static const uint32_t extra_msr[VPMU_EXTRAS] = {
	0x1a6, 0x1a7, 0x3f7, 0x3e0, 0x3e1, 0x3e2, 0x3e3
};

static bool msr_in(uint32_t msr, uint32_t base, unsigned int stride,
		   unsigned int nr, unsigned int *i)
{
	if (!base || msr < base || (msr - base) % stride)
		return false;
	*i = (msr - base) / stride;
	return *i < nr;
}

static enum reg new_reg(const struct vpmu_cpu *cpu, uint32_t msr,
			unsigned int *i)
{
	if (vpmu_version(cpu->part) < 6)
		return NONE;
	if (msr_in(msr, NEW_COUNTER, NEW_STRIDE, vpmu_nr_gp(cpu->part), i))
		return COUNTER_FULL;
	if (msr_in(msr, NEW_SELECT, NEW_STRIDE, vpmu_nr_gp(cpu->part), i))
		return SELECT;
	if (msr_in(msr, NEW_FIXED, NEW_STRIDE, cpu->part->nr_fixed, i))
		return FIXED;
	return NONE;
}

static enum reg counter_reg(const struct vpmu_cpu *cpu, uint32_t msr,
			    unsigned int *i)
{
	const struct vpmu_part *p = cpu->part;
	unsigned int nr = vpmu_nr_gp(p) < WITH_OLD_MSR ? vpmu_nr_gp(p) : WITH_OLD_MSR;

	if (msr_in(msr, p->select, p->stride, nr, i) ||
	    msr_in(msr, p->old_select, 1, OLD_NAMES, i))
		return SELECT;
	if (msr_in(msr, p->counter, p->stride, nr, i) ||
	    msr_in(msr, p->old_counter, 1, OLD_NAMES, i))
		return COUNTER;
	if (msr_in(msr, p->counter_full, p->stride, nr, i))
		return COUNTER_FULL;
	if (msr_in(msr, p->fixed, 1, p->nr_fixed, i))
		return FIXED;
	return new_reg(cpu, msr, i);
}

static enum reg reg_of(const struct vpmu_cpu *cpu, uint32_t msr,
		       unsigned int *i)
{
	const struct vpmu_part *p = cpu->part;
	const struct {
		uint32_t msr;
		enum reg reg;
	} single[] = {
		{ p->fixed_ctrl, FIXED_CTRL },
		{ p->global_ctrl, GLOBAL_CTRL },
		{ p->global_status, GLOBAL_STATUS },
		{ p->global_ovf, GLOBAL_OVF },
		{ p->global_set, GLOBAL_SET },
		{ p->global_inuse, GLOBAL_INUSE },
		{ p->capabilities, CAPABILITIES },
		{ p->metrics ? METRICS_MSR : 0, METRICS },
		{ p->prefetch ? PREFETCH_MSR : 0, PREFETCH },
	};
	unsigned int k;

	for (k = 0; k < sizeof(single) / sizeof(*single); k++)
		if (single[k].msr && single[k].msr == msr)
			return single[k].reg;
	for (k = 0; k < VPMU_EXTRAS; k++)
		if (p->extra[k] && extra_msr[k] == msr) {
			*i = k;
			return EXTRA_VALUE;
		}
	return counter_reg(cpu, msr, i);
}

/* Returns IA32_PERF_GLOBAL_INUSE: a counter is in use if its event code is not 0 (SDM Vol. 4). */
static uint64_t inuse(const struct vpmu_cpu *cpu)
{
	uint64_t value = 0;
	unsigned int i;

	for (i = 0; i < vpmu_nr_gp(cpu->part); i++) {
		if (cpu->select[i] & 0xff)
			value |= VPMU_BIT(i);
		if (cpu->select[i] & VPMU_SEL_INT)
			value |= INUSE_PMI;
	}
	for (i = 0; i < cpu->part->nr_fixed; i++) {
		if (cpu->fixed_ctrl >> (4 * i) & 3)
			value |= VPMU_BIT(32 + i);
		if (cpu->fixed_ctrl >> (4 * i) & 8)
			value |= INUSE_PMI;
	}
	return value;
}

static uint64_t metrics(struct vpmu_cpu *cpu)
{
	uint64_t value;

	vpmu_counters_settle(cpu);
	value = vpmu_metrics_read(cpu);
	vpmu_counters_restart(cpu);
	return value;
}

/* Returns IA32_PERF_CAPABILITIES: LBR_FMT only if there are branch records. */
static uint64_t shown_capabilities(const struct vpmu_part *part)
{
	return vpmu_lbr_shown(part) ? part->capable : part->capable & ~VPMU_LBR_FORMAT(~0ull);
}

/**
 * vpmu_msr_read() - execute RDMSR of any MSR of the core's PMU
 * @cpu: the calling vCPU
 * @msr: number of the MSR
 * @value: set to the value of the register
 *
 * Return: false if the MSR is no MSR of the core's PMU: QEMU executes the instruction.
 */
bool vpmu_msr_read(struct vpmu_cpu *cpu, uint32_t msr, uint64_t *value)
{
	unsigned int i;

	switch (reg_of(cpu, msr, &i)) {
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
	case GLOBAL_SET:
		*value = 0;
		break;
	case GLOBAL_INUSE:
		*value = inuse(cpu);
		break;
	case CAPABILITIES:
		*value = shown_capabilities(cpu->part);
		break;
	case METRICS:
		*value = metrics(cpu);
		break;
	case PREFETCH:
		*value = vpmu_prefetch_off(cpu);
		break;
	case EXTRA_VALUE:
		*value = cpu->extra[i];
		break;
	}
	return true;
}

static uint64_t global_bits(const struct vpmu_cpu *cpu)
{
	const struct vpmu_part *p = cpu->part;
	uint64_t bits = ((1ull << vpmu_nr_gp(p)) - 1) |
			((1ull << p->nr_fixed) - 1) << 32;

	return p->metrics ? bits | ENABLE_METRICS : bits;
}

/* Returns the bits of IA32_FIXED_CTR_CTRL that version 6 defines and older versions reserve. */
static uint64_t fixed_no_user(const struct vpmu_part *p)
{
	uint64_t bits = 0;
	unsigned int i;

	for (i = 0; i < p->nr_fixed; i++)
		bits |= FIXED_NO_USER << 4 * i;
	return vpmu_version(p) >= 6 ? bits : 0;
}

/*
 * Returns the bits of IA32_FIXED_CTR_CTRL that the adaptive formats of PEBS define, and that are
 * reserved otherwise.
 */
static uint64_t fixed_adaptive(const struct vpmu_part *p)
{
	uint64_t bits = 0;
	unsigned int i;

	for (i = 0; i < p->nr_fixed; i++)
		bits |= VPMU_FIXED_ADAPTIVE << 4 * i;
	return p->capable & VPMU_CAP_PEBS_BASELINE ? bits : 0;
}

static uint64_t msr_reserved(const struct vpmu_cpu *cpu, enum reg reg,
			     unsigned int i)
{
	const struct vpmu_part *p = cpu->part;

	switch (reg) {
	case SELECT:
		return p->select_reserved & ~(vpmu_version(p) >= 6 ? SEL_VERSION_6 : 0) &
		       ~(p->capable & VPMU_CAP_PEBS_BASELINE ? VPMU_SEL_ADAPTIVE : 0);
	case COUNTER_FULL:
		return ~((1ull << p->width) - 1);
	case FIXED:
		return ~((1ull << p->fixed_width) - 1);
	case FIXED_CTRL:
		return (~((1ull << (4 * p->nr_fixed)) - 1) | p->fixed_reserved) &
		       ~fixed_no_user(p) & ~fixed_adaptive(p);
	case GLOBAL_CTRL:
		return ~global_bits(cpu);
	case GLOBAL_STATUS:
	case GLOBAL_INUSE:
	case CAPABILITIES:
		return ~0ull;
	case PREFETCH:
		return ~p->prefetch;
	case EXTRA_VALUE:
		return ~p->extra[i];
	default:
		return 0;
	}
}

/*
 * Returns what a counter is set to when @value is written to its legacy MSR: bits 31:0 of @value,
 * sign-extended, if the CPU model also has full-width MSRs; otherwise all bits of @value.
 */
static uint64_t legacy(uint64_t value)
{
	uint64_t width = (1ull << vpmu_options.part->width) - 1;

	if (!vpmu_options.part->counter_full)
		return value & width;
	return (uint64_t)(int64_t)(int32_t)value & width;
}

static void store_extra(struct vpmu_cpu *cpu, unsigned int i, uint64_t value)
{
	unsigned int k;

	cpu->extra[i] = value;
	for (k = 0; cpu->part->extra_shared && k < vpmu_threads(); k++)
		vpmu_core_of(cpu)[k].extra[i] = value;
}

static void store(struct vpmu_cpu *cpu, enum reg reg, unsigned int i,
		  uint64_t value)
{
	switch (reg) {
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
		if (i == 3)
			vpmu_metrics_slots(cpu, value);
		break;
	case FIXED_CTRL:
		cpu->fixed_ctrl = value;
		break;
	case GLOBAL_CTRL:
		cpu->global_ctrl = value;
		break;
	case GLOBAL_OVF:
		cpu->status &= ~value | vpmu_erratum_stuck();
		break;
	case GLOBAL_SET:
		cpu->status |= value & (global_bits(cpu) | VPMU_STATUS_FROZEN);
		break;
	case METRICS:
		vpmu_metrics_write(cpu, value);
		break;
	case PREFETCH:
		vpmu_prefetch_write(cpu, value);
		break;
	case EXTRA_VALUE:
		store_extra(cpu, i, value);
		break;
	default:
		break;
	}
}

/*
 * A test can inject the fault that writes of a register have no effect. Returns the bits
 * VPMU_DEAF_* of those faults that concern the register @reg.
 */
static uint32_t faults_of(enum reg reg)
{
	switch (reg) {
	case PREFETCH:
		return VPMU_DEAF_PREFETCH;
	case COUNTER:
	case COUNTER_FULL:
	case FIXED:
		return VPMU_DEAF_COUNTERS | VPMU_DEAF_VALUES;
	default:
		return VPMU_DEAF_COUNTERS;
	}
}

/**
 * vpmu_msr_write() - execute WRMSR of any MSR of the core's PMU
 * @cpu: the calling vCPU
 * @msr: number of the MSR
 * @value: value to write
 *
 * Return: false if the MSR is no MSR of the core's PMU: QEMU executes the instruction.
 */
bool vpmu_msr_write(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value)
{
	enum reg reg;
	unsigned int i;

	reg = reg_of(cpu, msr, &i);
	if (reg == NONE)
		return false;
	if (value & msr_reserved(cpu, reg, i)) {
		cpu->illegal_writes++;
		return true;
	}
	if (cpu->deaf & faults_of(reg) || vpmu_cpu_ignores(cpu, value))
		return true;
	vpmu_counters_settle(cpu);
	store(cpu, reg, i, value);
	vpmu_counters_restart(cpu);
	return true;
}

/* MSR_PEBS_FRONTEND: fields EVTSEL, IDQ_Bubble_Length, IDQ_Bubble_Width (SDM Vol. 3) */
#define FRONTEND_WHAT 0xffull
#define FRONTEND_CYCLES 0xfff00ull
#define FRONTEND_SLOTS 0x700000ull

static bool extra_passes(enum vpmu_extra i, uint64_t extra, uint64_t bits)
{
	if (i != VPMU_FRONTEND)
		return !(bits & ~extra);
	return (bits & FRONTEND_WHAT) == (extra & FRONTEND_WHAT) &&
	       (bits & FRONTEND_CYCLES) >= (extra & FRONTEND_CYCLES) &&
	       (bits & FRONTEND_SLOTS) >= (extra & FRONTEND_SLOTS);
}

/**
 * vpmu_extra_happen() - inject an event that an MSR filters: off-core request or front-end event
 * @cpu: the calling vCPU
 * @frontend: true for a front-end event, false for an off-core request
 * @bits: for an off-core request, the bits of the request: an off-core event counts it if all these
 *	bits are 1 in the event's extra register, such as MSR_OFFCORE_RSP_0. For a front-end event,
 *	the fields of MSR_PEBS_FRONTEND, with length and width of the bubble that occurs
 * @count: number of occurrences
 */
void vpmu_extra_happen(struct vpmu_cpu *cpu, bool frontend, uint64_t bits,
		       uint32_t count)
{
	bool of_frontend;
	unsigned int i;

	for (i = 0; i < VPMU_EXTRAS; i++) {
		of_frontend = i == VPMU_FRONTEND;
		if (of_frontend != frontend)
			continue;
		vpmu_events_inject(i);
		if (extra_passes(i, cpu->extra[i], bits))
			cpu->passed[i] += count;
	}
}

/**
 * vpmu_rdpmc() - execute RDPMC, which reads the MSR of a counter of the core
 * @cpu: the calling vCPU
 * @index: bit 30 selects the fixed counters, bit 29 PERF_METRICS
 * @value: set to the value of the counter
 *
 * Return: false if there is no such counter, or if VPMU_DEAF_RDPMC is set: QEMU then executes the
 * instruction and raises a fault.
 */
bool vpmu_rdpmc(struct vpmu_cpu *cpu, uint32_t index, uint64_t *value)
{
	unsigned int i = index & ~0x40000000u;
	bool fixed = index & 0x40000000;

	if (cpu->deaf & VPMU_DEAF_RDPMC)
		return false;
	if (index == METRICS_INDEX && cpu->part->metrics) {
		*value = metrics(cpu);
		return true;
	}
	if (i >= (fixed ? cpu->part->nr_fixed : vpmu_nr_gp(cpu->part)))
		return false;
	*value = vpmu_counter_read(cpu, fixed ? 32 + i : i);
	return true;
}
