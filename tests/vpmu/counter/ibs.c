// SPDX-License-Identifier: GPL-2.0
/*
 * Instruction-based sampling of ops. An op is a slot of the simulated core: what it issues, and
 * retires, in one piece. The core counts ops of the correct path or cycles, and tags the op that
 * issues when the count reaches the maximum. When that op retires, IBS_OP_CTL.VAL is set, an NMI is
 * raised, and nothing is counted until the guest clears VAL. The NMI comes some hundred
 * instructions later, when the core is simulated, but not after a change of the privilege level:
 * the registers are exact, the interrupted instruction is not.
 *
 * The registers are from Linux' asm/msr-index.h and asm/amd/ibs.h; what they do is from
 * arch/x86/events/amd/ibs.c. Assumptions: ops of the wrong path are neither counted nor tagged; a
 * fused pair has the address of its first instruction; a store is not known to miss the data cache,
 * since it writes the cache only after it has retired; a line that the L3 itself has is owned,
 * whoever has modified it, and one that another core has modified is modified.
 */
#include "ibs.h"

#include "machine/level.h"
#include "machine/options.h"
#include "pmi.h"
#include "truth/truth.h"

/* MSR of IBS_OP_CTL, the other registers of a sample, IBS_CTL, IBS_BR_TARGET, and IBS_OP_CTL2 */
#define OP_CTL 0xc0011033
#define OP_RIP 0xc0011034
#define OP_DATA 0xc0011035
#define OP_DATA2 0xc0011036
#define OP_DATA3 0xc0011037
#define DC_LINEAR 0xc0011038
#define DC_PHYSICAL 0xc0011039
#define IBS_CTL 0xc001103a
#define BR_TARGET 0xc001103b
#define OP_CTL2 0xc001103e

/* IBS_CTL: number of the entry in the extended LVT, which firmware has chosen, and its valid bit */
#define LVT_ENTRY 1
#define LVT_VALID VPMU_BIT(8)

/* entry of the extended LVT: mask bit, delivery mode and its value NMI, writable bits */
#define LVT_MASKED VPMU_BIT(16)
#define LVT_MODE 0x700
#define LVT_NMI 0x400
#define LVT_BITS (LVT_MASKED | LVT_MODE | 0xff)

/*
 * IBS_OP_CTL. MAX: the maximum of the count in units of 16. MAX_HIGH: its bits 26:20, which are in
 * the same bits of the register. COUNT: the current count. OPS: ops are counted, else cycles.
 * L3_MISS: only loads that miss the L3 are sampled. LATENCY: the threshold of the data cache's miss
 * latency, in units of 128 cycles; LATENCY_ON turns it on.
 */
#define MAX 0xffffull
#define L3_MISS VPMU_BIT(16)
#define ON VPMU_BIT(17)
#define VALID VPMU_BIT(18)
#define OPS VPMU_BIT(19)
#define MAX_HIGH 0x7f00000ull
#define COUNT_SHIFT 32
#define COUNT (0x7ffffffull << COUNT_SHIFT)
#define LATENCY(ctl) (((ctl) >> 59 & 0xf) + 1)
#define LATENCY_BITS (0xfull << 59)
#define LATENCY_ON VPMU_BIT(63)
#define LATENCY_UNIT 128

/*
 * IBS_OP_CTL2: nothing is counted, whatever IBS_OP_CTL says; ops at addresses whose bit 63 is 0, or
 * 1, are not sampled; only non-temporal stores are sampled
 */
#define OFF VPMU_BIT(0)
#define NO_LOW VPMU_BIT(1)
#define NO_HIGH VPMU_BIT(2)
#define ONLY_STREAMS VPMU_BIT(3)

/* The count begins at a random number of 7 bits after a sample of ops. */
#define RANDOM 0x7full

/* IBS_OP_DATA */
#define MOST_CYCLES 0xffff
#define RETIRE_SHIFT 16
#define BR_RETURN VPMU_BIT(34)
#define BR_TAKEN VPMU_BIT(35)
#define BR_MISPREDICTED VPMU_BIT(36)
#define BR_RETIRED VPMU_BIT(37)
#define RIP_INVALID VPMU_BIT(38)
#define BR_FUSED VPMU_BIT(39)
#define MICROCODE VPMU_BIT(40)

/*
 * With vpmu_options.ibs_unaddressed one of this number of sampled ops has no valid address, and
 * IBS_OP_RIP has another one.
 */
#define UNADDRESSED 16
#define NO_ADDRESS 0xffffffffdead0000ull

/*
 * IBS_OP_DATA2: source of the data, without and with IBS_CAPS_ZEN4; the line was owned in the cache
 * that had it, not modified
 */
#define OLD_L3 2
#define NEW_L3 1
#define FROM_MEMORY 3
#define OWNED VPMU_BIT(5)

/* IBS_OP_DATA3 */
#define IS_LOAD VPMU_BIT(0)
#define IS_STORE VPMU_BIT(1)
#define L1_TLB_MISS VPMU_BIT(2)
#define L2_TLB_MISS VPMU_BIT(3)
#define DC_MISS VPMU_BIT(7)
#define MISALIGNED VPMU_BIT(8)
#define UNCACHED VPMU_BIT(14)
#define LOCKED VPMU_BIT(15)
#define NO_MAB VPMU_BIT(16)
#define LINEAR_VALID VPMU_BIT(17)
#define PHYSICAL_VALID VPMU_BIT(18)
#define L2_MISS VPMU_BIT(20)
#define PREFETCH VPMU_BIT(21)
#define WIDTH_SHIFT 22
#define MISS_SHIFT 32
#define TLB_SHIFT 48

static uint64_t *ibs_reg(struct vpmu_cpu *cpu, uint32_t msr)
{
	return &cpu->ibs.reg[msr - VPMU_IBS_FIRST];
}

/**
 * vpmu_ibs_caps() - what IBS can do: EAX of CPUID leaf 0x8000001B
 * @cpu: the vCPU
 *
 * Return: 0 if the CPU model has no IBS, or without simulated cores, which supply the samples.
 */
uint32_t vpmu_ibs_caps(const struct vpmu_cpu *cpu)
{
	return vpmu_options.no_model || vpmu_options.user_model ? 0 : cpu->part->ibs;
}

/* Returns the bits of IBS_OP_CTL that a write may set. */
static uint64_t ctl_bits(const struct vpmu_cpu *cpu)
{
	uint32_t caps = vpmu_ibs_caps(cpu);
	uint64_t bits = MAX | ON | VALID;

	if (caps & VPMU_IBS_READ_WRITE)
		bits |= COUNT;
	if (caps & VPMU_IBS_COUNT_OPS)
		bits |= OPS;
	if (caps & VPMU_IBS_LONG)
		bits |= MAX_HIGH;
	if (caps & VPMU_IBS_ZEN4)
		bits |= L3_MISS;
	if (caps & VPMU_IBS_LATENCY)
		bits |= LATENCY_BITS | LATENCY_ON;
	return bits;
}

/* Returns the bits of IBS_OP_CTL2 that a write may set. */
static uint64_t ctl2_bits(const struct vpmu_cpu *cpu)
{
	uint32_t caps = vpmu_ibs_caps(cpu);
	uint64_t bits = OFF;

	if (caps & VPMU_IBS_LEVELS)
		bits |= NO_LOW | NO_HIGH;
	if (caps & VPMU_IBS_STREAMS)
		bits |= ONLY_STREAMS;
	return bits;
}

static uint64_t next_random(struct vpmu_cpu *cpu)
{
	uint32_t *random = &cpu->ibs.random;

	*random ^= *random << 13;
	*random ^= *random >> 17;
	*random ^= *random << 5;
	return *random & RANDOM;
}

/* Starts the count from the value in IBS_OP_CTL, or stops it, as the control registers say. */
static void run(struct vpmu_cpu *cpu)
{
	uint64_t ctl = *ibs_reg(cpu, OP_CTL);
	uint64_t most = (ctl & MAX) << 4 | (ctl & MAX_HIGH);

	if (!(ctl & ON) || ctl & VALID || !most || *ibs_reg(cpu, OP_CTL2) & OFF) {
		vcore_tag_stop(&cpu->core->tag);
		vpmu_model_unwanted(cpu, VPMU_FOR_IBS);
		return;
	}
	vcore_tag_start(&cpu->core->tag, cpu->core->cycle, most, (ctl & COUNT) >> COUNT_SHIFT,
			!(ctl & OPS));
	vpmu_model_wanted(cpu, VPMU_FOR_IBS);
}

static void set_count(struct vpmu_cpu *cpu, uint64_t count)
{
	uint64_t *ctl = ibs_reg(cpu, OP_CTL);

	*ctl = (*ctl & ~COUNT) | count << COUNT_SHIFT;
}

/* Checks if a filter of the control registers discards the sample of an op. */
static bool is_discarded(struct vpmu_cpu *cpu, const struct vcore_tagged *op)
{
	uint64_t ctl = *ibs_reg(cpu, OP_CTL), ctl2 = *ibs_reg(cpu, OP_CTL2);
	bool missed = op->load && op->from == VCORE_AT_MEMORY;

	if (ctl2 & (op->pc >> 63 ? NO_HIGH : NO_LOW))
		return true;
	if (ctl2 & ONLY_STREAMS && !(op->store && op->insn->streams))
		return true;
	if (ctl & L3_MISS && !missed)
		return true;
	return ctl & LATENCY_ON && op->miss_cycles < LATENCY(ctl) * LATENCY_UNIT;
}

static uint64_t cycles_field(uint64_t cycles)
{
	return cycles < MOST_CYCLES ? cycles : MOST_CYCLES;
}

static uint64_t op_data(const struct vcore_tagged *op)
{
	uint64_t data = cycles_field(op->retired - op->done) |
			cycles_field(op->retired - op->issued) << RETIRE_SHIFT;

	if (op->microcode)
		data |= MICROCODE;
	if (!op->branch)
		return data;
	data |= BR_RETIRED;
	if (op->branch->insn->branch == VCORE_RETURN)
		data |= BR_RETURN;
	if (op->branch->jumped && !op->branch->interrupted)
		data |= BR_TAKEN;
	if (op->mispredicted)
		data |= BR_MISPREDICTED;
	return op->fused ? data | BR_FUSED : data;
}

static uint64_t op_data2(const struct vpmu_cpu *cpu, const struct vcore_tagged *op)
{
	if (!op->load || op->from < VCORE_AT_L3)
		return 0;
	if (op->from == VCORE_AT_MEMORY)
		return FROM_MEMORY;
	return (cpu->part->ibs & VPMU_IBS_ZEN4 ? NEW_L3 : OLD_L3) |
	       (op->from == VCORE_AT_SNOOP_HITM ? 0 : OWNED);
}

static uint64_t load_bits(const struct vcore_tagged *op)
{
	uint64_t data = IS_LOAD;

	if (op->tlb_missed)
		data |= L1_TLB_MISS;
	if (op->walked)
		data |= L2_TLB_MISS;
	if (op->split)
		data |= MISALIGNED;
	if (op->insn->prefetch)
		data |= PREFETCH;
	if (op->level == VCORE_AT_FILL)
		data |= NO_MAB;
	if (op->level > VCORE_AT_L1)
		data |= DC_MISS;
	if (op->from > VCORE_AT_L2)
		data |= L2_MISS;
	return data | cycles_field(op->miss_cycles) << MISS_SHIFT |
	       cycles_field(op->tlb_cycles) << TLB_SHIFT;
}

static uint64_t op_data3(const struct vcore_tagged *op)
{
	const struct vcore_access *access = op->load ?: op->store;
	uint64_t data = op->load ? load_bits(op) : 0;

	if (!access)
		return 0;
	if (op->store)
		data |= IS_STORE;
	if (op->insn->locked)
		data |= LOCKED;
	data |= access->device ? UNCACHED : PHYSICAL_VALID;
	return data | LINEAR_VALID | (uint64_t)(__builtin_ctz(access->size) + 1) << WIDTH_SHIFT;
}

static void fill_sample(struct vpmu_cpu *cpu, const struct vcore_tagged *op)
{
	const struct vcore_access *access = op->load ?: op->store;

	*ibs_reg(cpu, OP_RIP) = op->pc;
	*ibs_reg(cpu, OP_DATA) = op_data(op);
	*ibs_reg(cpu, OP_DATA2) = op_data2(cpu, op);
	*ibs_reg(cpu, OP_DATA3) = op_data3(op);
	*ibs_reg(cpu, DC_LINEAR) = access ? access->va : 0;
	*ibs_reg(cpu, DC_PHYSICAL) = access && !access->device ? access->pa : 0;
	if (op->branch)
		*ibs_reg(cpu, BR_TARGET) = op->branch->to;
	if (++cpu->ibs.nr % UNADDRESSED || !vpmu_options.ibs_unaddressed)
		return;
	*ibs_reg(cpu, OP_RIP) = NO_ADDRESS;
	*ibs_reg(cpu, OP_DATA) |= RIP_INVALID;
}

/**
 * vpmu_ibs_interrupt() - raise the NMI of IBS, if its entry of the extended LVT lets it
 * @cpu: the calling vCPU
 */
void vpmu_ibs_interrupt(struct vpmu_cpu *cpu)
{
	uint32_t lvt = cpu->ibs.lvt[LVT_ENTRY];

	if (!(lvt & LVT_MASKED) && (lvt & LVT_MODE) == LVT_NMI)
		vpmu_pmi_nmi(cpu);
}

/*
 * Called when the tagged op retires. As long as the sample is valid, the core need not be simulated
 * for IBS. The local APIC does not mask the entry: Linux' handler never unmasks it.
 */
static void tell_op(void *data, const struct vcore_tagged *op)
{
	struct vpmu_cpu *cpu = data;
	uint64_t *ctl = ibs_reg(cpu, OP_CTL);

	set_count(cpu, *ctl & OPS ? next_random(cpu) : 0);
	if (is_discarded(cpu, op)) {
		run(cpu);
		return;
	}
	fill_sample(cpu, op);
	*ctl |= VALID;
	vpmu_model_unwanted(cpu, VPMU_FOR_IBS);
	vpmu_truth_op(cpu, &cpu->ibs);
	vpmu_ibs_interrupt(cpu);
}

/**
 * vpmu_ibs_init() - set the registers of IBS to their values at power on
 * @cpu: the vCPU
 */
void vpmu_ibs_init(struct vpmu_cpu *cpu)
{
	unsigned int i;

	cpu->ibs = (struct vpmu_ibs){ .random = cpu->index + 1, .fetch_random = cpu->index };
	for (i = 0; i < VPMU_IBS_LVTS; i++)
		cpu->ibs.lvt[i] = LVT_MASKED;
	vcore_tag_stop(&cpu->core->tag);
	cpu->core->tag.tell = tell_op;
	cpu->core->tag.data = cpu;
}

/**
 * vpmu_ibs_set_lvt() - write an entry of the extended LVT, by which IBS interrupts
 * @cpu: the calling vCPU
 * @entry: number of the entry, below VPMU_IBS_LVTS
 * @value: value to write; reserved bits are ignored
 */
void vpmu_ibs_set_lvt(struct vpmu_cpu *cpu, unsigned int entry, uint32_t value)
{
	cpu->ibs.lvt[entry] = value & LVT_BITS;
}

/* Returns where the value of an MSR of IBS is; NULL if the CPU model has no such register. */
static uint64_t *ibs_reg_of(struct vpmu_cpu *cpu, uint32_t msr)
{
	uint32_t caps = vpmu_ibs_caps(cpu);

	if (!caps || msr < OP_CTL || msr > OP_CTL2)
		return NULL;
	if (msr == OP_CTL2)
		return caps & VPMU_IBS_CTL2 ? ibs_reg(cpu, msr) : NULL;
	if (msr > BR_TARGET || (msr == BR_TARGET && !(caps & VPMU_IBS_TARGET)))
		return NULL;
	return ibs_reg(cpu, msr);
}

/* Brings the count in IBS_OP_CTL up to date. */
static void settle(struct vpmu_cpu *cpu)
{
	vcore_settle(cpu->core);
	if (cpu->core->tag.on)
		set_count(cpu, vcore_tag_count(&cpu->core->tag, cpu->core->cycle));
}

/* Checks if a guest may not write a value to a register of IBS. */
static bool is_illegal(const struct vpmu_cpu *cpu, uint32_t msr, uint64_t value)
{
	if (msr == OP_CTL)
		return value & ~ctl_bits(cpu);
	return msr == IBS_CTL || (msr == OP_CTL2 && value & ~ctl2_bits(cpu));
}

/**
 * vpmu_ibs_read() - execute RDMSR of a register of IBS
 * @cpu: the calling vCPU
 * @msr: number of the MSR
 * @value: set to the value of the register
 *
 * Return: false if the MSR is not a register of IBS that the CPU model has.
 */
bool vpmu_ibs_read(struct vpmu_cpu *cpu, uint32_t msr, uint64_t *value)
{
	const uint64_t *reg = ibs_reg_of(cpu, msr);

	if (!reg)
		return false;
	if (msr == OP_CTL)
		settle(cpu);
	*value = msr == IBS_CTL ? LVT_VALID | LVT_ENTRY : *reg;
	return true;
}

/**
 * vpmu_ibs_write() - execute WRMSR of a register of IBS
 * @cpu: the calling vCPU
 * @msr: number of the MSR
 * @value: value to write
 *
 * Return: false if the MSR is not a register of IBS that the CPU model has.
 */
bool vpmu_ibs_write(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value)
{
	uint64_t *reg = ibs_reg_of(cpu, msr);
	bool stops;

	if (!reg)
		return false;
	if (is_illegal(cpu, msr, value)) {
		cpu->illegal_writes++;
		return true;
	}
	if (msr == OP_CTL || msr == OP_CTL2)
		settle(cpu);
	stops = msr == OP_CTL && cpu->core->tag.on && !(value & ON);
	*reg = value;
	if (msr == OP_CTL || msr == OP_CTL2)
		run(cpu);
	if (stops && vpmu_options.ibs_late)
		vpmu_ibs_interrupt(cpu);
	return true;
}
