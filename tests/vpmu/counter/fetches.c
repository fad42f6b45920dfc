// SPDX-License-Identifier: GPL-2.0
/*
 * Instruction-based sampling of fetches. The front end of the core counts fetches of the correct
 * path, see vcore_fetches_start(), and tags the one at which the count reaches the maximum. When
 * its code has come, IBS_FETCH_CTL.VAL is set, an NMI is raised, and nothing is counted until the
 * guest clears VAL.
 *
 * The registers are from Linux' asm/msr-index.h and asm/amd/ibs.h; what they do is from
 * arch/x86/events/amd/ibs.c. Assumptions: fetches of the wrong path are neither counted nor tagged,
 * so that each tagged fetch completes; the address is that of the first instruction of the fetch;
 * all pages have 4 KiB; the count has its maximum when a sample is valid, as perf expects it; the
 * ITLB's refill latency is the time from its miss until a hit in the L1I would have had the code.
 */
#include "fetches.h"

#include "ibs.h"
#include "machine/level.h"
#include "machine/options.h"
#include "truth/truth.h"

/*
 * MSR of IBS_FETCH_CTL, IBS_FETCH_LINADDR, IBS_FETCH_PHYSADDR, the fetch control extension, and
 * IBS_FETCH_CTL2
 */
#define FETCH_CTL 0xc0011030
#define FETCH_LINEAR 0xc0011031
#define FETCH_PHYSICAL 0xc0011032
#define FETCH_EXT 0xc001103c
#define FETCH_CTL2 0xc001103f

/*
 * IBS_FETCH_CTL: maximum of the count and current count, in units of 16; latency in cycles; on; a
 * sample is valid; the fetch has completed; it missed the L1I; the physical address is valid; it
 * missed the first-level ITLB; the second-level ITLB; the count begins at a random number of 4
 * bits; it missed the L2. From Zen 4 on: only fetches that miss the L3 are sampled; the fetch
 * missed the uop cache; the L3.
 */
#define MAX 0xffffull
#define COUNT 0xffff0000ull
#define COUNT_SHIFT 16
#define LATENCY_SHIFT 32
#define MOST_LATENCY 0xffff
#define MOST_REFILL 0xffff
#define ON VPMU_BIT(48)
#define VALID VPMU_BIT(49)
#define COMPLETE VPMU_BIT(50)
#define L1_MISS VPMU_BIT(51)
#define PHYSICAL_VALID VPMU_BIT(52)
#define L1_TLB_MISS VPMU_BIT(55)
#define L2_TLB_MISS VPMU_BIT(56)
#define RANDOM VPMU_BIT(57)
#define L2_MISS VPMU_BIT(58)
#define ONLY_L3_MISS VPMU_BIT(59)
#define UOP_CACHE_MISS VPMU_BIT(60)
#define L3_MISS VPMU_BIT(61)
/* bits that a sample sets, with the page size in bits 54:53; a guest may write them back */
#define SAMPLE 0x1feffff00000000ull
#define ZEN4 (ONLY_L3_MISS | UOP_CACHE_MISS | L3_MISS)

/*
 * IBS_FETCH_CTL2: nothing is counted, whatever IBS_FETCH_CTL says; the least latency of fetches that
 * are sampled, in units of 128 cycles; fetches from addresses whose bit 63 is 1, or 0, are not
 * sampled
 */
#define FETCH_OFF VPMU_BIT(0)
#define LEAST_LATENCY(ctl2) (((ctl2) >> 1 & 0xf) * 128)
#define LATENCY_BITS 0x1eull
#define NO_HIGH VPMU_BIT(5)
#define NO_LOW VPMU_BIT(6)

static uint64_t *fetch_reg(struct vpmu_cpu *cpu, uint32_t msr)
{
	return &cpu->ibs.reg[msr - VPMU_IBS_FIRST];
}

static bool has_zen4(const struct vpmu_cpu *cpu)
{
	return vpmu_ibs_caps(cpu) & VPMU_IBS_ZEN4;
}

static uint64_t fetch_random(struct vpmu_cpu *cpu)
{
	uint32_t *random = &cpu->ibs.fetch_random;

	*random = *random * 1664525 + 1013904223;
	return *random >> 28;
}

/* Starts the count from the value in IBS_FETCH_CTL, or stops it, as the control registers say. */
static void count_fetches(struct vpmu_cpu *cpu)
{
	uint64_t ctl = *fetch_reg(cpu, FETCH_CTL);

	if (!(ctl & ON) || ctl & VALID || !(ctl & MAX) || *fetch_reg(cpu, FETCH_CTL2) & FETCH_OFF) {
		vcore_fetches_stop(&cpu->core->fetches);
		vpmu_model_unwanted(cpu, VPMU_FOR_FETCHES);
		return;
	}
	vcore_fetches_start(&cpu->core->fetches, (ctl & MAX) << 4,
			    (ctl & COUNT) >> COUNT_SHIFT << 4 |
			    (ctl & RANDOM ? fetch_random(cpu) : 0));
	vpmu_model_wanted(cpu, VPMU_FOR_FETCHES);
}

/* Returns the bits of IBS_FETCH_CTL that say what a fetch has found. */
static uint64_t found(const struct vpmu_cpu *cpu, const struct vcore_fetched *fetched)
{
	uint64_t cycles = fetched->cycles < MOST_LATENCY ? fetched->cycles : MOST_LATENCY;
	uint64_t bits = VALID | COMPLETE | PHYSICAL_VALID | cycles << LATENCY_SHIFT;

	if (fetched->missed)
		bits |= L1_MISS;
	if (fetched->stlb_hit || fetched->walked)
		bits |= L1_TLB_MISS;
	if (fetched->walked)
		bits |= L2_TLB_MISS;
	if (fetched->from > VCORE_AT_L2)
		bits |= L2_MISS;
	if (has_zen4(cpu) && !fetched->decoded)
		bits |= UOP_CACHE_MISS;
	if (has_zen4(cpu) && fetched->from == VCORE_AT_MEMORY)
		bits |= L3_MISS;
	return bits;
}

/* Checks if a filter of the control registers discards the sample of a fetch. */
static bool is_filtered(struct vpmu_cpu *cpu, const struct vcore_fetched *fetched)
{
	uint64_t ctl2 = *fetch_reg(cpu, FETCH_CTL2);

	if (*fetch_reg(cpu, FETCH_CTL) & ONLY_L3_MISS && fetched->from != VCORE_AT_MEMORY)
		return true;
	return ctl2 & (fetched->pc >> 63 ? NO_HIGH : NO_LOW) ||
	       fetched->cycles < LEAST_LATENCY(ctl2);
}

/* Called when the tagged fetch has its code. */
static void tell_fetch(void *data, const struct vcore_fetched *fetched)
{
	struct vpmu_cpu *cpu = data;
	uint64_t *ctl = fetch_reg(cpu, FETCH_CTL);
	uint64_t kept = MAX | ON | RANDOM | ONLY_L3_MISS;

	if (is_filtered(cpu, fetched)) {
		*ctl &= ~COUNT;
		count_fetches(cpu);
		return;
	}
	*ctl = (*ctl & kept) | (*ctl & MAX) << COUNT_SHIFT | found(cpu, fetched);
	*fetch_reg(cpu, FETCH_LINEAR) = fetched->pc;
	*fetch_reg(cpu, FETCH_PHYSICAL) = fetched->insn->pa;
	*fetch_reg(cpu, FETCH_EXT) = fetched->refill < MOST_REFILL ? fetched->refill : MOST_REFILL;
	vpmu_model_unwanted(cpu, VPMU_FOR_FETCHES);
	vpmu_truth_fetch(cpu, &cpu->ibs);
	vpmu_ibs_interrupt(cpu);
}

/**
 * vpmu_fetches_init() - set the registers of sampled fetches to their values at power on
 * @cpu: the vCPU, after vpmu_ibs_init()
 */
void vpmu_fetches_init(struct vpmu_cpu *cpu)
{
	vcore_fetches_stop(&cpu->core->fetches);
	cpu->core->fetches.tell = tell_fetch;
	cpu->core->fetches.data = cpu;
}

static bool fetches_have(const struct vpmu_cpu *cpu, uint32_t msr)
{
	if (msr == FETCH_EXT)
		return vpmu_ibs_caps(cpu) & VPMU_IBS_REFILL;
	if (msr == FETCH_CTL2)
		return vpmu_ibs_caps(cpu) & VPMU_IBS_CTL2;
	return vpmu_ibs_caps(cpu) & VPMU_IBS_FETCHES && msr >= FETCH_CTL && msr <= FETCH_PHYSICAL;
}

/* Brings the count in IBS_FETCH_CTL up to date. */
static void settle_fetches(struct vpmu_cpu *cpu)
{
	uint64_t *ctl = fetch_reg(cpu, FETCH_CTL);

	vcore_settle(cpu->core);
	if (cpu->core->fetches.on)
		*ctl = (*ctl & ~COUNT) | (cpu->core->fetches.count >> 4 << COUNT_SHIFT & COUNT);
}

/* Returns the bits of a control register that a write may set; all bits of another register. */
static uint64_t fetch_bits(const struct vpmu_cpu *cpu, uint32_t msr)
{
	uint32_t caps = vpmu_ibs_caps(cpu);

	if (msr == FETCH_CTL2)
		return FETCH_OFF | (caps & VPMU_IBS_FETCH_LATENCY ? LATENCY_BITS : 0) |
		       (caps & VPMU_IBS_LEVELS ? NO_HIGH | NO_LOW : 0);
	if (msr != FETCH_CTL)
		return ~0ull;
	return MAX | COUNT | ON | RANDOM | L2_MISS | SAMPLE | (has_zen4(cpu) ? ZEN4 : 0);
}

/**
 * vpmu_fetches_read() - execute RDMSR of a register of sampled fetches
 * @cpu: the calling vCPU
 * @msr: number of the MSR
 * @value: set to the value of the register
 *
 * Return: false if the MSR is not such a register, or if the CPU model lacks it.
 */
bool vpmu_fetches_read(struct vpmu_cpu *cpu, uint32_t msr, uint64_t *value)
{
	if (!fetches_have(cpu, msr))
		return false;
	if (msr == FETCH_CTL)
		settle_fetches(cpu);
	*value = *fetch_reg(cpu, msr);
	return true;
}

/**
 * vpmu_fetches_write() - execute WRMSR of a register of sampled fetches
 * @cpu: the calling vCPU
 * @msr: number of the MSR
 * @value: value to write
 *
 * Return: false if the MSR is not such a register, or if the CPU model lacks it.
 */
bool vpmu_fetches_write(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value)
{
	bool controls = msr == FETCH_CTL || msr == FETCH_CTL2;
	bool counted;

	if (!fetches_have(cpu, msr))
		return false;
	if (value & ~fetch_bits(cpu, msr)) {
		cpu->illegal_writes++;
		return true;
	}
	if (controls)
		settle_fetches(cpu);
	counted = cpu->core->fetches.on;
	*fetch_reg(cpu, msr) = value;
	if (controls)
		count_fetches(cpu);
	if (vpmu_options.ibs_late && msr == FETCH_CTL && counted && !(value & ON))
		vpmu_ibs_interrupt(cpu);
	return true;
}
