// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of last branch records: they are in the registers of the CPU model, and an overflow
 * interrupt freezes them.
 */

#include "machine.h"

#include "counter/counter.h"
#include "counter/lbr.h"
#include "counter/pmi.h"

/* MSR addresses: SDM Vol. 4, table 2-2 and Skylake's table. */
#define SELECT 0x186
#define COUNTER_FULL 0x4c1
#define GLOBAL_CTRL 0x38f
#define GLOBAL_STATUS 0x38e
#define GLOBAL_OVF 0x390
#define DEBUGCTL 0x1d9
#define CAPABILITIES 0x345
#define LBR_SELECT 0x1c8
#define TOS 0x1c9
#define FROM 0x680
#define TO 0x6c0
#define INFO 0xdc0
#define ARCH_CTL 0x14ce
#define ARCH_DEPTH 0x14cf
#define ARCH_FROM 0x1500
#define ARCH_TO 0x1600
#define ARCH_INFO 0x1200

#define LBR 1
#define FREEZE_LBR VPMU_BIT(11)
#define INT VPMU_BIT(20)
#define MISPREDICTED VPMU_BIT(63)
#define FROZEN VPMU_BIT(58)
#define KERNEL_CODE 0xffffffff81000000

static struct vcore_insn insn = { .size = 2, .priv = 1 };

static struct vpmu_cpu *machine_of(const struct vpmu_part *part)
{
	machine_new(part, 1, 1);
	vpmu_pmi_init(vpmu_cpus);
	vpmu_lbr_init(vpmu_cpus);
	return vpmu_cpus;
}

static void put(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value)
{
	uint64_t illegal = cpu->illegal_writes;

	assert_true(msr == DEBUGCTL ? vpmu_pmi_write(cpu, msr, value) :
				      vpmu_lbr_write(cpu, msr, value));
	assert_int_equal(cpu->illegal_writes, illegal);
}

static uint64_t get(struct vpmu_cpu *cpu, uint32_t msr)
{
	uint64_t value;

	assert_true(vpmu_lbr_read(cpu, msr, &value));
	return value;
}

/* Lets a branch from @from to @to retire, @cycles cycles after the previous branch. */
static void branches(struct vpmu_cpu *cpu, uint8_t branch, uint64_t from, uint64_t to,
		     unsigned int cycles, bool mispredicted)
{
	static uint64_t now;
	struct vcore_taken taken = {
		.insn = &insn, .from = from, .to = to, .mispredicted = mispredicted
	};

	now += cycles;
	taken.cycle = now;
	insn.branch = branch;
	cpu->core->taken(cpu->core->taken_data, &taken);
}

static void jumps(struct vpmu_cpu *cpu, uint64_t from)
{
	branches(cpu, VCORE_CONDITIONAL, from, 2 * from, 10, false);
}

TEST(skylake_has_a_stack_with_cycles)
{
	struct vpmu_cpu *cpu = machine_of(&vpmu_skl);
	unsigned int i;

	jumps(cpu, 0x1);
	assert_int_equal(get(cpu, TOS), 0);
	put(cpu, DEBUGCTL, LBR);
	assert_true(cpu->score->model_on & VPMU_FOR_BRANCHES);
	for (i = 1; i <= 33; i++)
		jumps(cpu, 0x1000 + i);
	branches(cpu, VCORE_CALL, 0x2000, 0x3000, 77, true);
	assert_int_equal(get(cpu, TOS), 2);
	assert_int_equal(get(cpu, FROM + 2), 0x2000);
	assert_int_equal(get(cpu, TO + 2), 0x3000);
	assert_int_equal(get(cpu, INFO + 2), MISPREDICTED | 77);
	/*
	 * The records are a ring buffer of 32. Branch 33 has overwritten record 1. The oldest
	 * record is record 3, which has branch 3.
	 */
	assert_int_equal(get(cpu, FROM + 1), 0x1021);
	assert_int_equal(get(cpu, TO + 1), 0x2042);
	assert_int_equal(get(cpu, INFO + 1), 10);
	assert_int_equal(get(cpu, FROM + 3), 0x1003);
	/* The cycle count of a record, 16 bits, stays at its maximum instead of wrapping. */
	branches(cpu, VCORE_CALL, 0x2000, 0x3000, 70000, false);
	assert_int_equal(get(cpu, INFO + 3), 0xffff);
	put(cpu, FROM + 3, 0);
	assert_int_equal(get(cpu, FROM + 3), 0);
	put(cpu, DEBUGCTL, 0);
	assert_false(cpu->score->model_on & VPMU_FOR_BRANCHES);
	jumps(cpu, 0x4000);
	assert_int_equal(get(cpu, TOS), 3);
}

TEST(the_select_register_suppresses)
{
	struct vpmu_cpu *cpu = machine_of(&vpmu_skl);
	const struct {
		uint8_t branch;
		bool indirect;
		uint64_t bit;
	} types[] = {
		{ VCORE_CONDITIONAL, false, 0x4 }, { VCORE_CALL, false, 0x8 },
		{ VCORE_CALL, true, 0x10 }, { VCORE_RETURN, false, 0x20 },
		{ VCORE_OTHER, true, 0x40 }, { VCORE_OTHER, false, 0x80 },
		{ VCORE_FAR, false, 0x100 }
	};
	unsigned int i, k;

	put(cpu, DEBUGCTL, LBR);
	for (i = 0; i < 7; i++)
		for (k = 0; k < 7; k++) {
			put(cpu, LBR_SELECT, types[k].bit);
			put(cpu, TOS, 4);
			insn.indirect = types[i].indirect;
			branches(cpu, types[i].branch, 0x1000, 0x2000, 1, false);
			assert_int_equal(get(cpu, TOS), i == k ? 4 : 5);
		}
	insn.indirect = false;
	/*
	 * Bit 0 of LBR_SELECT keeps branches to the kernel from being recorded, and bit 1 keeps
	 * branches to user space from being recorded.
	 */
	put(cpu, LBR_SELECT, 1);
	put(cpu, TOS, 4);
	branches(cpu, VCORE_FAR, 0x1000, KERNEL_CODE, 1, false);
	assert_int_equal(get(cpu, TOS), 4);
	branches(cpu, VCORE_FAR, KERNEL_CODE, 0x1000, 1, false);
	assert_int_equal(get(cpu, TOS), 5);
	put(cpu, LBR_SELECT, 2);
	branches(cpu, VCORE_FAR, KERNEL_CODE, 0x1000, 1, false);
	assert_int_equal(get(cpu, TOS), 5);
	assert_true(vpmu_lbr_write(cpu, LBR_SELECT, 0x400));
	assert_int_equal(cpu->illegal_writes, 1);
	assert_int_equal(get(cpu, LBR_SELECT), 2);
}

TEST(an_interrupt_freezes_the_records)
{
	struct vpmu_cpu *cpu = machine_of(&vpmu_skl);

	put(cpu, DEBUGCTL, LBR | FREEZE_LBR);
	wr(cpu, SELECT, 0xc0 | USR | EN | INT);
	wr(cpu, COUNTER_FULL, VPMU_BIT(48) - 1);
	wr(cpu, GLOBAL_CTRL, 1);
	jumps(cpu, 0x1000);
	cpu->score->exact[VPMU_INSTRUCTIONS][USER]++;
	vpmu_counters_look(cpu);
	assert_int_equal(rd(cpu, GLOBAL_STATUS), FROZEN | 1);
	jumps(cpu, 0x1100);
	assert_int_equal(get(cpu, TOS), 1);
	wr(cpu, GLOBAL_OVF, FROZEN | 1);
	jumps(cpu, 0x1200);
	assert_int_equal(get(cpu, FROM + 2), 0x1200);
}

/*
 * Up to PMU version 3 an overflow interrupt clears the LBR bit of IA32_DEBUGCTL, if this register
 * also has FREEZE_LBRS set: SDM Vol. 3, "Freezing LBR and Performance Counters on PMI".
 */
TEST(an_interrupt_of_version_3_ends_the_records)
{
	struct vpmu_cpu *cpu = machine_of(&vpmu_skl);
	uint64_t value;

	vpmu_options.version = 3;
	put(cpu, DEBUGCTL, LBR | FREEZE_LBR);
	vpmu_pmi_overflow(cpu, 0, 0);
	vpmu_pmi_raise(cpu);
	jumps(cpu, 0x1100);
	assert_int_equal(get(cpu, TOS), 0);
	assert_true(vpmu_pmi_read(cpu, DEBUGCTL, &value));
	assert_int_equal(value, FREEZE_LBR);
	assert_int_equal(rd(cpu, GLOBAL_STATUS), 0);
}

TEST(architectural_records_begin_with_the_newest)
{
	struct vpmu_cpu *cpu = machine_of(&vpmu_spr);
	const uint64_t all = 0x7f0007, valid = VPMU_BIT(60);

	put(cpu, DEBUGCTL, LBR);
	jumps(cpu, 0x1000);
	assert_int_equal(get(cpu, ARCH_FROM), 0);
	put(cpu, ARCH_CTL, all);
	assert_int_equal(get(cpu, ARCH_CTL), all);
	put(cpu, ARCH_DEPTH, 8);
	jumps(cpu, 0x1000);
	branches(cpu, VCORE_RETURN, 0x2000, 0x3000, 5, true);
	assert_int_equal(get(cpu, ARCH_FROM), 0x2000);
	assert_int_equal(get(cpu, ARCH_TO), 0x3000);
	assert_int_equal(get(cpu, ARCH_INFO), MISPREDICTED | valid | 5ull << 56 | 5);
	assert_int_equal(get(cpu, ARCH_FROM + 1), 0x1000);
	assert_int_equal(get(cpu, ARCH_INFO + 1) & ~0xffffull, valid);
	assert_int_equal(get(cpu, ARCH_FROM + 7), 0);
	/* A branch of a type that is not selected is not recorded. */
	put(cpu, ARCH_CTL, 0x10005);
	branches(cpu, VCORE_RETURN, 0x4000, 0x3000, 5, false);
	branches(cpu, VCORE_CONDITIONAL, 0x5000, KERNEL_CODE, 5, false);
	assert_int_equal(get(cpu, ARCH_FROM), 0x2000);
	/* Writing the depth clears all records. */
	put(cpu, ARCH_DEPTH, 32);
	assert_int_equal(get(cpu, ARCH_DEPTH), 32);
	assert_int_equal(get(cpu, ARCH_FROM), 0);
	assert_true(vpmu_lbr_write(cpu, ARCH_DEPTH, 12));
	assert_int_equal(cpu->illegal_writes, 1);
	assert_int_equal(get(cpu, ARCH_DEPTH), 32);
}

/* A return removes the record of its call; calls deeper than the stack overwrite the outermost. */
static void stacks_calls(struct vpmu_cpu *cpu, uint32_t newest, bool arch)
{
	unsigned int i;

	branches(cpu, VCORE_CALL, 0x1000, 0x2000, 5, false);
	branches(cpu, VCORE_CALL, 0x2010, 0x3000, 5, false);
	branches(cpu, VCORE_RETURN, 0x3020, 0x2015, 5, false);
	assert_int_equal(get(cpu, newest + (arch ? 0 : get(cpu, TOS))), 0x1000);
	branches(cpu, VCORE_RETURN, 0x2030, 0x1005, 5, false);
	assert_int_equal(get(cpu, newest + (arch ? 0 : get(cpu, TOS))), 0);
	for (i = 0; i < 33; i++)
		branches(cpu, VCORE_CALL, 0x1000 + i, 0x2000, 5, false);
	assert_int_equal(get(cpu, newest + (arch ? 0 : get(cpu, TOS))), 0x1020);
	assert_int_equal(get(cpu, newest + (arch ? 31 : (get(cpu, TOS) + 1) % 32)), 0x1001);
}

TEST(a_return_removes_the_record_of_its_call)
{
	struct vpmu_cpu *cpu = machine_of(&vpmu_skl);

	put(cpu, LBR_SELECT, 0x3c5);
	put(cpu, DEBUGCTL, LBR);
	stacks_calls(cpu, FROM, false);
	/* The ring has no end: a return without a call goes from the first record to the last. */
	put(cpu, TOS, 0);
	branches(cpu, VCORE_RETURN, 0x3020, 0x2015, 5, false);
	assert_int_equal(get(cpu, TOS), 31);
	assert_int_equal(get(cpu, FROM), 0);
	assert_int_equal(get(cpu, TO), 0);
	branches(cpu, VCORE_CALL, 0x1000, 0x2000, 5, false);
	assert_int_equal(get(cpu, TOS), 0);
	assert_int_equal(get(cpu, FROM), 0x1000);
	cpu = machine_of(&vpmu_spr);
	put(cpu, ARCH_CTL, 0x38000d);
	stacks_calls(cpu, ARCH_FROM, true);
}

/* Before Skylake the uppermost bits of a branch's address are flags; there is no third register. */
static void has_flags(const struct vpmu_part *part, uint64_t flags)
{
	struct vpmu_cpu *cpu = machine_of(part);
	uint64_t value;

	put(cpu, DEBUGCTL, LBR);
	branches(cpu, VCORE_CALL, 0x1000, 0x2000, 5, true);
	assert_int_equal(get(cpu, FROM + 1), MISPREDICTED | 0x1000);
	assert_int_equal(get(cpu, TO + 1), 0x2000);
	branches(cpu, VCORE_CALL, KERNEL_CODE, KERNEL_CODE + 2, 5, false);
	assert_int_equal(get(cpu, FROM + 2), KERNEL_CODE & ~flags);
	assert_int_equal(get(cpu, TO + 2), KERNEL_CODE + 2);
	assert_int_equal(get(cpu, FROM + 15), 0);
	assert_false(vpmu_lbr_read(cpu, FROM + 16, &value));
	assert_false(vpmu_lbr_read(cpu, INFO, &value));
}

TEST(before_skylake_flags_are_in_the_address_of_the_branch)
{
	has_flags(&vpmu_ivb, MISPREDICTED);
	has_flags(vpmu_part_like("hsw"), 7ull << 61);
	/* Only from Haswell on the records can be a call stack. */
	put(vpmu_cpus, LBR_SELECT, 0x3c5);
	assert_true(vpmu_lbr_write(machine_of(&vpmu_ivb), LBR_SELECT, 0x3c5));
	assert_int_equal(vpmu_cpus->illegal_writes, 1);
}

TEST(there_are_none_without_simulated_cores)
{
	struct vpmu_cpu *cpu = machine_of(&vpmu_ivb);
	uint64_t value;

	assert_int_equal(rd(cpu, CAPABILITIES) & 0x3f, 3);
	vpmu_options.no_model = true;
	vpmu_lbr_init(cpu);
	assert_false(vpmu_lbr_read(cpu, TOS, &value));
	assert_int_equal(rd(cpu, CAPABILITIES), 0x21c0);
	vpmu_options.no_model = false;
}

TEST(other_parts_have_none)
{
	struct vpmu_cpu *cpu = machine_of(&vpmu_nhm);
	uint64_t value;

	assert_false(vpmu_lbr_read(cpu, TOS, &value));
	assert_false(vpmu_lbr_write(cpu, TOS, 0));
	assert_null(cpu->core->taken);
	/* The bit that would turn them on is kept, and starts nothing. */
	put(cpu, DEBUGCTL, LBR);
	assert_false(cpu->score->model_on & VPMU_FOR_BRANCHES);
	/* Those of a small core are architectural ones. */
	cpu = machine_of(&vpmu_adl_e);
	assert_int_equal(get(cpu, ARCH_DEPTH), 32);
	assert_false(vpmu_lbr_read(cpu, TOS, &value));
}

TEST_GROUP(NULL, machine_free);
