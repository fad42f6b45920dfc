// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of instruction-based sampling: when a tagged op retires, the registers have what the core
 * tells of it, and the entry of the extended LVT raises the interrupt.
 */

#include "machine.h"

#include "counter/ibs.h"
#include "counter/pmi.h"

/* MSR addresses: Linux, asm/msr-index.h */
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

#define ON VPMU_BIT(17)
#define VALID VPMU_BIT(18)
#define OPS VPMU_BIT(19)
#define L3_MISS VPMU_BIT(16)
#define COUNT(ctl) ((ctl) >> 32 & 0x7ffffff)
#define WITH_COUNT(count) ((uint64_t)(count) << 32)

#define NMI 0x400
#define MASKED 0x10000

/* QEMU has decoded it for another virtual address than that at which it is executed. */
static struct vcore_insn insn = { .pc = 0x401000, .size = 4, .priv = 1 };

static uint64_t get(struct vpmu_cpu *cpu, uint32_t msr)
{
	uint64_t value = 0;

	assert_true(vpmu_ibs_read(cpu, msr, &value));
	return value;
}

static void set(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value)
{
	uint64_t before = cpu->illegal_writes;

	assert_true(vpmu_ibs_write(cpu, msr, value));
	assert_int_equal(cpu->illegal_writes, before);
}

static void set_refused(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value)
{
	uint64_t held = get(cpu, msr), before = cpu->illegal_writes;

	assert_true(vpmu_ibs_write(cpu, msr, value));
	assert_int_equal(cpu->illegal_writes, before + 1);
	assert_int_equal(get(cpu, msr), held);
}

/* Creates a machine that samples ops, after 16 * 0x100 of them. */
static struct vpmu_cpu *sampling(const struct vpmu_part *part)
{
	struct vpmu_cpu *cpu = vpmu_cpus;

	machine_new(part, 1, 1);
	vpmu_ibs_init(cpu);
	vpmu_ibs_set_lvt(cpu, get(cpu, IBS_CTL) & 0xf, NMI);
	set(cpu, OP_CTL, ON | OPS | 0x100);
	return cpu;
}

/* The tagged op retires. */
static void retire(struct vpmu_cpu *cpu, const struct vcore_tagged *op)
{
	struct vcore_tagged tagged = *op;

	assert_true(cpu->core->tag.on);
	cpu->core->tag.issued = op->issued;
	vcore_tag_retire(&cpu->core->tag, &tagged);
}

static const struct vcore_tagged plain = { .insn = &insn, .pc = 0x7f401000, .issued = 100, .done = 105,
					   .retired = 112 };

TEST(an_op_has_its_address_and_its_cycles)
{
	struct vpmu_cpu *cpu = sampling(&vpmu_zen4);

	retire(cpu, &plain);
	assert_int_equal(get(cpu, OP_RIP), 0x7f401000);
	assert_int_equal(get(cpu, OP_DATA), 12 << 16 | 7);
	assert_int_equal(get(cpu, OP_DATA2), 0);
	assert_int_equal(get(cpu, OP_DATA3), 0);
	assert_int_equal(machine_interrupts, 1);
}

/* Without a simulated core, or while it is not simulated in the kernel, there is no IBS. */
TEST(ibs_needs_the_core)
{
	struct vpmu_cpu *cpu = sampling(&vpmu_zen4);
	uint64_t value;

	assert_int_equal(get(cpu, IBS_CTL), 0x101);
	assert_int_equal(vpmu_ibs_caps(cpu), vpmu_zen4.ibs);
	vpmu_options.no_model = true;
	assert_int_equal(vpmu_ibs_caps(cpu), 0);
	assert_false(vpmu_ibs_read(cpu, OP_CTL, &value));
	vpmu_options.no_model = false;
	vpmu_options.user_model = true;
	assert_int_equal(vpmu_ibs_caps(cpu), 0);
	assert_false(vpmu_ibs_write(cpu, OP_CTL, 0));
	vpmu_options.user_model = false;
	/* Each vCPU has its own sequence of random numbers, and its own entries, all masked. */
	machine_new(&vpmu_zen4, 3, 1);
	vpmu_ibs_init(&vpmu_cpus[2]);
	assert_int_equal(vpmu_cpus[2].ibs.random, 3);
	assert_int_equal(vpmu_cpus[2].ibs.fetch_random, 2);
	assert_int_equal(vpmu_cpus[2].ibs.lvt[3], MASKED);
	assert_ptr_equal(vpmu_cpus[2].core->tag.data, &vpmu_cpus[2]);
}

/*
 * After a sample of ops the count goes on from random bits: G. Marsaglia, "Xorshift RNGs", with 13, 17
 * and 5, whose first two numbers after 1 these are. Cycles begin at 0.
 */
TEST(the_count_begins_at_random_numbers)
{
	struct vpmu_cpu *cpu = sampling(&vpmu_zen4);

	assert_int_equal(cpu->ibs.random, 1);
	retire(cpu, &plain);
	assert_int_equal(cpu->ibs.random, 270369);
	assert_int_equal(COUNT(get(cpu, OP_CTL)), 270369 & 0x7f);
	set(cpu, OP_CTL, ON | OPS | 0x100);
	retire(cpu, &plain);
	assert_int_equal(cpu->ibs.random, 67634689);
	set(cpu, OP_CTL, ON | 0x100);
	retire(cpu, &plain);
	assert_int_equal(cpu->ibs.random, 67634689);
	assert_int_equal(COUNT(get(cpu, OP_CTL)), 0);
}

TEST(nothing_is_counted_until_the_sample_is_taken)
{
	struct vpmu_cpu *cpu = sampling(&vpmu_zen4);
	uint64_t ctl;

	assert_true(cpu->score->model_on & VPMU_FOR_IBS);
	retire(cpu, &plain);
	ctl = get(cpu, OP_CTL);
	assert_int_equal(ctl & (ON | VALID | OPS | 0xffff), ON | VALID | OPS | 0x100);
	assert_false(cpu->core->tag.on);
	assert_false(cpu->score->model_on & VPMU_FOR_IBS);
	set(cpu, OP_CTL, ON | OPS | 0x200);
	assert_true(cpu->core->tag.on);
	assert_int_equal(cpu->core->tag.limit, 0x2000);
	set(cpu, OP_CTL, OPS | 0x200);
	assert_false(cpu->core->tag.on);
}

TEST(the_next_count_of_ops_begins_at_a_random_number)
{
	struct vpmu_cpu *cpu = sampling(&vpmu_zen4);
	unsigned int i, differ = 0;
	uint64_t count, before = 0;

	for (i = 0; i < 100; i++) {
		retire(cpu, &plain);
		count = COUNT(get(cpu, OP_CTL));
		assert_in_range(count, 0, 127);
		differ += count != before;
		before = count;
		set(cpu, OP_CTL, ON | OPS | WITH_COUNT(count) | 0x100);
		assert_int_equal(cpu->core->tag.count, count);
	}
	assert_true(differ > 90);
	set(cpu, OP_CTL, ON | 0x100);
	retire(cpu, &plain);
	assert_int_equal(COUNT(get(cpu, OP_CTL)), 0);
}

TEST(the_maximum_has_27_bits)
{
	struct vpmu_cpu *cpu = sampling(&vpmu_zen4);

	set(cpu, OP_CTL, ON | 0x7f0ffff);
	assert_true(cpu->core->tag.cycles);
	assert_int_equal(cpu->core->tag.limit, 0x7fffff0);
	set(cpu, OP_CTL, ON);
	assert_false(cpu->core->tag.on);
}

TEST(an_op_interrupts_only_through_its_entry)
{
	struct vpmu_cpu *cpu = sampling(&vpmu_zen4);
	const uint32_t silent[] = { MASKED | NMI, MASKED, 0x20 };
	unsigned int i;

	for (i = 0; i < 3; i++) {
		vpmu_ibs_set_lvt(cpu, 1, silent[i]);
		retire(cpu, &plain);
		assert_int_equal(machine_interrupts, 0);
		set(cpu, OP_CTL, ON | OPS | 0x100);
	}
	vpmu_ibs_set_lvt(cpu, 1, NMI);
	vpmu_ibs_set_lvt(cpu, 0, MASKED);
	retire(cpu, &plain);
	assert_int_equal(machine_interrupts, 1);
	assert_int_equal(cpu->ibs.lvt[1], NMI);
}

TEST(a_branch_is_told)
{
	struct vpmu_cpu *cpu = sampling(&vpmu_zen4);
	struct vcore_insn jump = { .pc = 0x401004, .size = 2, .priv = 1,
				   .branch = VCORE_CONDITIONAL };
	struct vcore_step step = { .insn = &jump, .to = 0x7f400000, .jumped = true };
	struct vcore_tagged op = plain;

	op.branch = &step;
	op.mispredicted = true;
	op.fused = true;
	retire(cpu, &op);
	assert_int_equal(get(cpu, OP_DATA) >> 32, 1 << 3 | 1 << 4 | 1 << 5 | 1 << 7);
	assert_int_equal(get(cpu, BR_TARGET), 0x7f400000);
	step.jumped = false;
	jump.branch = VCORE_RETURN;
	op.mispredicted = false;
	op.fused = false;
	op.microcode = true;
	set(cpu, OP_CTL, ON | OPS | 0x100);
	retire(cpu, &op);
	assert_int_equal(get(cpu, OP_DATA) >> 32, 1 << 2 | 1 << 5 | 1 << 8);
}

static const struct vcore_access access8 = { .va = 0x7000, .pa = 0x123000, .size = 8 };

static const struct vcore_tagged missing = {
	.insn = &insn, .issued = 100, .done = 405, .retired = 412, .load = &access8,
	.level = VCORE_AT_MEMORY, .from = VCORE_AT_MEMORY, .tlb_missed = true,
	.walked = true, .miss_cycles = 280, .tlb_cycles = 20
};

TEST(a_load_has_its_address_source_and_latency)
{
	struct vpmu_cpu *cpu = sampling(&vpmu_zen4);

	retire(cpu, &missing);
	assert_int_equal(get(cpu, OP_DATA2), 3);
	/* load, both TLBs missed, DC missed, addresses valid, L2 missed, 8 bytes */
	assert_int_equal(get(cpu, OP_DATA3), 20ull << 48 | 280ull << 32 | 4 << 22 | 1 << 20 |
			 3 << 17 | 1 << 7 | 1 << 3 | 1 << 2 | 1);
	assert_int_equal(get(cpu, DC_LINEAR), 0x7000);
	assert_int_equal(get(cpu, DC_PHYSICAL), 0x123000);
}

TEST(a_source_in_the_l3_has_a_number_of_the_family)
{
	const struct vpmu_part *const part[] = { &vpmu_zen2, &vpmu_zen4 };
	const unsigned int source[] = { 2, 1 }, owned = 1 << 5;
	struct vcore_tagged op = missing;
	struct vpmu_cpu *cpu;
	unsigned int i;

	op.level = VCORE_AT_FILL;
	op.from = VCORE_AT_L3;
	for (i = 0; i < 2; i++) {
		cpu = sampling(part[i]);
		retire(cpu, &op);
		assert_int_equal(get(cpu, OP_DATA2), source[i] | owned);
		/* DC missed, without a fill buffer of its own */
		assert_int_equal(get(cpu, OP_DATA3) & (1 << 20 | 1 << 16 | 1 << 7),
				 1 << 20 | 1 << 16 | 1 << 7);
	}
}

TEST(a_line_that_another_core_has_modified_is_not_owned)
{
	struct vpmu_cpu *cpu = sampling(&vpmu_zen4);
	struct vcore_tagged op = missing;

	op.level = VCORE_AT_SNOOP_HITM;
	op.from = VCORE_AT_SNOOP_HITM;
	retire(cpu, &op);
	assert_int_equal(get(cpu, OP_DATA2), 1);
}

TEST(a_store_has_its_address_and_no_source)
{
	struct vpmu_cpu *cpu = sampling(&vpmu_zen4);
	struct vcore_access device = { .va = 0x8000, .pa = 0xfee00000, .size = 4, .store = true,
				       .device = true };
	struct vcore_tagged op = plain;

	op.store = &device;
	retire(cpu, &op);
	assert_int_equal(get(cpu, OP_DATA2), 0);
	/* store, uncached, linear address valid, 4 bytes */
	assert_int_equal(get(cpu, OP_DATA3), 3 << 22 | 1 << 17 | 1 << 14 | 2);
	assert_int_equal(get(cpu, DC_LINEAR), 0x8000);
	assert_int_equal(get(cpu, DC_PHYSICAL), 0);
}

TEST(a_filter_discards_ops)
{
	struct vpmu_cpu *cpu = sampling(&vpmu_zen5);
	struct vcore_tagged op = missing;

	set(cpu, OP_CTL, ON | OPS | L3_MISS | 0x100);
	retire(cpu, &plain);
	op.from = VCORE_AT_L3;
	retire(cpu, &op);
	assert_int_equal(machine_interrupts, 0);
	assert_false(get(cpu, OP_CTL) & VALID);
	/* threshold 2: a latency of 3 * 128 cycles and more */
	set(cpu, OP_CTL, VPMU_BIT(63) | 2ull << 59 | ON | OPS | L3_MISS | 0x100);
	retire(cpu, &missing);
	assert_int_equal(machine_interrupts, 0);
	op = missing;
	op.miss_cycles = 384;
	retire(cpu, &op);
	assert_int_equal(machine_interrupts, 1);
	assert_true(get(cpu, OP_CTL) & VALID);
}

/* Linux, perf_event.h, IBS_OP_2_*: bit 0 turns IBS off, bits 1 and 2 leave out bit 63 = 0 and 1 */
TEST(the_second_control_register_turns_ibs_off_and_filters)
{
	static struct vcore_insn streaming = { .pc = 0x401000, .size = 4, .priv = 1, .streams = true };
	struct vcore_access line = { .va = 0x8000, .pa = 0x9000, .size = 16, .store = true };
	struct vpmu_cpu *cpu = sampling(vpmu_part_like("zen6"));
	struct vcore_tagged op = plain;

	assert_int_equal(vpmu_ibs_caps(cpu), 0x1fbff);
	cpu->core->tag.count = 0x123;
	set(cpu, OP_CTL2, 1);
	assert_false(cpu->core->tag.on);
	assert_int_equal(COUNT(get(cpu, OP_CTL)), 0x123);
	assert_true(get(cpu, OP_CTL) & ON);
	set(cpu, OP_CTL2, 0);
	assert_true(cpu->core->tag.on);
	assert_int_equal(cpu->core->tag.count, 0x123);
	set(cpu, OP_CTL2, 2);
	retire(cpu, &plain);
	assert_int_equal(machine_interrupts, 0);
	op.pc |= VPMU_BIT(63);
	retire(cpu, &op);
	assert_int_equal(machine_interrupts, 1);
	set(cpu, OP_CTL, ON | OPS | 0x100);
	set(cpu, OP_CTL2, 4);
	retire(cpu, &op);
	assert_int_equal(machine_interrupts, 1);
	retire(cpu, &plain);
	assert_int_equal(machine_interrupts, 2);
	set(cpu, OP_CTL, ON | OPS | 0x100);
	set(cpu, OP_CTL2, 8);
	op = plain;
	op.store = &line;
	retire(cpu, &op);
	assert_int_equal(machine_interrupts, 2);
	op.insn = &streaming;
	retire(cpu, &op);
	assert_int_equal(machine_interrupts, 3);
	set_refused(cpu, OP_CTL2, 16);
}

TEST(bits_that_a_model_lacks_are_reserved)
{
	struct vpmu_cpu *cpu = sampling(&vpmu_zen4);

	set_refused(cpu, OP_CTL, VPMU_BIT(63) | ON | 0x100);
	set_refused(cpu, OP_CTL, VPMU_BIT(27));
	set_refused(cpu, IBS_CTL, 0);
	cpu = sampling(&vpmu_zen2);
	set_refused(cpu, OP_CTL, L3_MISS | ON | 0x100);
}

TEST(only_some_models_have_ibs)
{
	struct vpmu_cpu *cpu = sampling(&vpmu_zen4);
	uint64_t value;

	assert_int_equal(vpmu_ibs_caps(cpu), 0xbff);
	assert_false(vpmu_ibs_read(cpu, 0xc0011030, &value));
	assert_false(vpmu_ibs_read(cpu, 0xc001103e, &value));
	vpmu_options.no_model = true;
	assert_int_equal(vpmu_ibs_caps(cpu), 0);
	assert_false(vpmu_ibs_read(cpu, OP_CTL, &value));
	machine_new(&vpmu_ivb, 1, 1);
	assert_int_equal(vpmu_ibs_caps(cpu), 0);
	assert_false(vpmu_ibs_write(cpu, OP_CTL, ON));
	machine_new(&vpmu_zen2, 1, 1);
	assert_int_equal(vpmu_ibs_caps(cpu), 0x3ff);
}

TEST(an_op_without_an_address_says_so)
{
	struct vpmu_cpu *cpu = sampling(&vpmu_zen4);
	unsigned int i;

	vpmu_options.ibs_unaddressed = true;
	for (i = 1; i <= 32; i++) {
		retire(cpu, &plain);
		assert_int_equal(get(cpu, OP_DATA) >> 38 & 1, i % 16 == 0);
		assert_int_equal(get(cpu, OP_RIP) == plain.pc, i % 16 != 0);
		set(cpu, OP_CTL, ON | OPS | 0x100);
	}
	vpmu_options.ibs_unaddressed = false;
}

TEST(a_late_nmi_comes_when_ibs_is_stopped)
{
	struct vpmu_cpu *cpu = sampling(&vpmu_zen4);

	machine_interrupts = 0;
	set(cpu, OP_CTL, 0);
	assert_int_equal(machine_interrupts, 0);
	vpmu_options.ibs_late = true;
	set(cpu, OP_CTL, ON | OPS | 0x100);
	assert_int_equal(machine_interrupts, 0);
	set(cpu, OP_CTL, 0x100);
	assert_int_equal(machine_interrupts, 1);
	set(cpu, OP_CTL, 0);
	assert_int_equal(machine_interrupts, 1);
	set(cpu, OP_CTL, ON | OPS | 0x100);
	retire(cpu, &plain);
	assert_int_equal(machine_interrupts, 2);
	set(cpu, OP_CTL, 0);
	assert_int_equal(machine_interrupts, 2);
	/* Nothing comes if the second control register had stopped it before. */
	cpu = sampling(vpmu_part_like("zen6"));
	machine_interrupts = 0;
	set(cpu, OP_CTL2, 1);
	set(cpu, OP_CTL, 0);
	assert_int_equal(machine_interrupts, 0);
	vpmu_options.ibs_late = false;
}
