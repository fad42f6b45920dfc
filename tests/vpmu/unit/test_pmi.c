// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of overflow interrupts (PMI): each overflow interrupts once, at the instruction that causes
 * it. Interrupts are masked, and counters frozen, as on the CPU model.
 */

#include "machine.h"

#include "counter/counter.h"
#include "counter/overflow.h"
#include "counter/pmi.h"
#include "event/erratum.h"
#include "qemu/arguments.h"

/* MSR addresses: SDM Vol. 4, table 2-2; KNC_* and ZEN_* from Linux' msr-index.h */
#define APIC_BASE 0x1b
#define SELECT 0x186
#define COUNTER_FULL 0x4c1
#define FIXED 0x309
#define FIXED_CTRL 0x38d
#define GLOBAL_CTRL 0x38f
#define GLOBAL_STATUS 0x38e
#define GLOBAL_OVF 0x390
#define DEBUGCTL 0x1d9
#define TRACE_CTL 0x570
#define X2APIC_LVT 0x834
#define ZEN_SELECT 0xc0010200
#define ZEN_COUNTER 0xc0010201
#define KNC_SELECT 0x28
#define KNC_COUNTER 0x20
#define KNC_GLOBAL_CTRL 0x2f

#define INT VPMU_BIT(20)
#define FREEZE VPMU_BIT(12)
#define MASKED 0x10000
#define NMI 0x400

#define INSTRUCTIONS 0xc0
#define CYCLES 0x3c
#define BRANCHES 0xc4
#define KNC_INSTRUCTIONS 0x16
#define MAX48 (VPMU_BIT(48) - 1)

static struct vpmu_cpu *machine_of(const struct vpmu_part *part)
{
	machine_new(part, 1, 1);
	vpmu_pmi_init(vpmu_cpus);
	vpmu_pmi_set_lvt(vpmu_cpus, NMI);
	return vpmu_cpus;
}

/* Lets the vCPU execute @nr instructions in user space, and then check counters for overflow. */
static void retire(struct vpmu_cpu *cpu, unsigned int nr)
{
	cpu->score->exact[VPMU_INSTRUCTIONS][USER] += nr;
	vpmu_counters_look(cpu);
}

/* Starts counter 0: it overflows at the eighth instruction. @bits are added to its event select. */
static void count_to_8(struct vpmu_cpu *cpu, uint64_t bits)
{
	wr(cpu, GLOBAL_CTRL, 0);
	wr(cpu, SELECT, INSTRUCTIONS | USR | EN | bits);
	wr(cpu, COUNTER_FULL, MAX48 - 7);
	wr(cpu, GLOBAL_CTRL, 1);
}

/*
 * Returns how many instructions the vCPU will execute at a privilege level before it next checks
 * its counters for overflow.
 */
static uint64_t executes(const struct vpmu_cpu *cpu, unsigned int priv)
{
	return cpu->score->until[priv] - 1;
}

/* Must be the first test of the file, because other tests would leave interrupts enabled. */
TEST(the_countdown_ends_at_the_overflow)
{
	struct vpmu_cpu *cpu = machine_of(&vpmu_ivb);

	machine_retranslated = 0;
	count_to_8(cpu, 0);
	assert_false(vpmu_watched());
	assert_true(executes(cpu, USER) > VPMU_BIT(60));
	count_to_8(cpu, INT);
	assert_true(vpmu_watched());
	assert_int_equal(executes(cpu, USER), 8);
	/*
	 * The counter counts in user space only, so the kernel's instructions cannot end the
	 * countdown to its overflow.
	 */
	assert_true(executes(cpu, KERNEL) > VPMU_BIT(60));
	retire(cpu, 3);
	assert_int_equal(executes(cpu, USER), 5);
	/* The countdown ends at the nearest overflow of all counters. */
	wr(cpu, SELECT + 1, INSTRUCTIONS | OS | USR | EN | INT);
	wr(cpu, COUNTER_FULL + 1, MAX48 - 1);
	wr(cpu, GLOBAL_CTRL, 3);
	assert_int_equal(executes(cpu, USER), 2);
	assert_int_equal(executes(cpu, KERNEL), 2);
	wr(cpu, SELECT + 2, INSTRUCTIONS | USR | EN | INT);
	wr(cpu, COUNTER_FULL + 2, MAX48 - 100);
	wr(cpu, GLOBAL_CTRL, 7);
	assert_int_equal(executes(cpu, USER), 2);
	wr(cpu, GLOBAL_CTRL, 0);
	assert_true(executes(cpu, USER) > VPMU_BIT(60));
}

TEST(a_counter_interrupts_at_its_overflow)
{
	struct vpmu_cpu *cpu = machine_of(&vpmu_ivb);

	count_to_8(cpu, INT);
	retire(cpu, 7);
	assert_int_equal(machine_interrupts, 0);
	retire(cpu, 1);
	assert_int_equal(machine_interrupts, 1);
	assert_int_equal(rd(cpu, GLOBAL_STATUS), 1);
	/* After the overflow the counter continues from 0. */
	retire(cpu, 5);
	assert_int_equal(rd(cpu, COUNTER_FULL), 5);
	assert_int_equal(machine_interrupts, 1);
}

TEST(a_counter_without_the_bit_does_not_interrupt)
{
	struct vpmu_cpu *cpu = machine_of(&vpmu_ivb);

	count_to_8(cpu, 0);
	retire(cpu, 8);
	assert_int_equal(rd(cpu, GLOBAL_STATUS), 1);
	assert_int_equal(machine_interrupts, 0);
}

TEST(a_fixed_counter_interrupts_by_its_bit)
{
	struct vpmu_cpu *cpu = machine_of(&vpmu_ivb);
	const uint64_t user_pmi = 0xa;

	wr(cpu, FIXED, MAX48);
	wr(cpu, FIXED_CTRL, user_pmi);
	wr(cpu, GLOBAL_CTRL, VPMU_BIT(32));
	retire(cpu, 1);
	assert_int_equal(machine_interrupts, 1);
	assert_int_equal(rd(cpu, GLOBAL_STATUS), VPMU_BIT(32));
	wr(cpu, GLOBAL_CTRL, 0);
	wr(cpu, GLOBAL_OVF, VPMU_BIT(32));
	wr(cpu, FIXED, MAX48);
	wr(cpu, FIXED_CTRL, 2);
	wr(cpu, GLOBAL_CTRL, VPMU_BIT(32));
	vpmu_pmi_set_lvt(cpu, NMI);
	retire(cpu, 1);
	assert_int_equal(machine_interrupts, 1);
	assert_int_equal(rd(cpu, GLOBAL_STATUS), VPMU_BIT(32));
}

TEST(delivery_masks_the_entry_of_intel)
{
	struct vpmu_cpu *cpu = machine_of(&vpmu_ivb);

	count_to_8(cpu, INT);
	retire(cpu, 8);
	assert_int_equal(cpu->pmi.lvt, NMI | MASKED);
	/*
	 * an overflow while the LVT entry is masked sets the counter's overflow bit, but raises no
	 * interrupt, not even later
	 */
	wr(cpu, GLOBAL_OVF, 1);
	count_to_8(cpu, INT);
	retire(cpu, 8);
	assert_int_equal(machine_interrupts, 1);
	assert_int_equal(rd(cpu, GLOBAL_STATUS), 1);
	vpmu_pmi_set_lvt(cpu, NMI);
	retire(cpu, 1);
	assert_int_equal(machine_interrupts, 1);
	count_to_8(cpu, INT);
	retire(cpu, 8);
	assert_int_equal(machine_interrupts, 2);
}

/* Those of Zen 2, which has no global status, is masked too; that of Zen 4 is not. */
TEST(delivery_masks_the_entry_of_older_amd)
{
	static const struct vpmu_part *const part[] = { &vpmu_zen2, &vpmu_zen4 };
	struct vpmu_cpu *cpu;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		cpu = machine_of(part[i]);
		vpmu_pmi_set_lvt(cpu, NMI);
		vpmu_pmi_raise(cpu);
		assert_int_equal(cpu->pmi.lvt, i ? NMI : NMI | MASKED);
	}
}

TEST(the_entry_must_say_nmi)
{
	struct vpmu_cpu *cpu = machine_of(&vpmu_ivb);

	vpmu_pmi_set_lvt(cpu, 0xef);
	count_to_8(cpu, INT);
	retire(cpu, 8);
	assert_int_equal(machine_interrupts, 0);
	vpmu_pmi_init(cpu);
	assert_int_equal(cpu->pmi.lvt, MASKED);
}

TEST(several_overflows_are_one_interrupt)
{
	struct vpmu_cpu *cpu = machine_of(&vpmu_ivb);

	wr(cpu, SELECT + 1, INSTRUCTIONS | USR | EN | INT);
	wr(cpu, COUNTER_FULL + 1, MAX48 - 7);
	count_to_8(cpu, INT);
	wr(cpu, GLOBAL_CTRL, 3);
	retire(cpu, 8);
	assert_int_equal(machine_interrupts, 1);
	assert_int_equal(rd(cpu, GLOBAL_STATUS), 3);
}

/*
 * If several counters have overflowed, only one interrupt is raised. How late it is, is given by
 * the counter that has counted the most events since its overflow.
 */
TEST(an_interrupt_is_as_late_as_its_latest_counter)
{
	struct vpmu_cpu *cpu = machine_of(&vpmu_ivb);

	vpmu_pmi_overflow(cpu, 1, 5);
	vpmu_pmi_overflow(cpu, 33, 2);
	assert_int_equal(cpu->pmi.due, VPMU_BIT(1) | VPMU_BIT(33));
	assert_int_equal(cpu->pmi.late, 5);
	vpmu_pmi_raise(cpu);
	assert_int_equal(machine_interrupts, 1);
	assert_int_equal(cpu->pmi.due, 0);
	assert_int_equal(cpu->pmi.late, 0);
}

TEST(a_register_access_finds_an_overflow)
{
	struct vpmu_cpu *cpu = machine_of(&vpmu_ivb);

	count_to_8(cpu, INT);
	cpu->score->exact[VPMU_INSTRUCTIONS][USER] += 8;
	assert_int_equal(rd(cpu, GLOBAL_STATUS), 1);
	assert_int_equal(machine_interrupts, 1);
}

TEST(version_3_freezes_by_the_global_control)
{
	struct vpmu_cpu *cpu = machine_of(&vpmu_ivb);

	assert_true(vpmu_pmi_write(cpu, DEBUGCTL, FREEZE));
	count_to_8(cpu, INT);
	retire(cpu, 10);
	assert_int_equal(rd(cpu, GLOBAL_CTRL), 0);
	retire(cpu, 10);
	assert_int_equal(rd(cpu, COUNTER_FULL), 2);
	/* The overflow of a counter that does not interrupt freezes nothing. */
	count_to_8(cpu, 0);
	retire(cpu, 10);
	assert_int_equal(rd(cpu, GLOBAL_CTRL), 1);
}

TEST(version_4_freezes_by_a_status_bit)
{
	struct vpmu_cpu *cpu = machine_of(&vpmu_skl);
	const uint64_t frozen = VPMU_BIT(59);

	assert_true(vpmu_pmi_write(cpu, DEBUGCTL, FREEZE));
	count_to_8(cpu, INT);
	retire(cpu, 8);
	assert_int_equal(rd(cpu, GLOBAL_CTRL), 1);
	assert_int_equal(rd(cpu, GLOBAL_STATUS), frozen | 1);
	retire(cpu, 10);
	assert_int_equal(rd(cpu, COUNTER_FULL), 0);
	wr(cpu, GLOBAL_OVF, frozen | 1);
	assert_int_equal(rd(cpu, GLOBAL_STATUS), 0);
	retire(cpu, 10);
	assert_int_equal(rd(cpu, COUNTER_FULL), 10);
}

TEST(debugctl_and_the_entry_are_registers)
{
	struct vpmu_cpu *cpu = machine_of(&vpmu_ivb);
	uint64_t value;

	assert_true(vpmu_pmi_write(cpu, DEBUGCTL, 0x1801));
	assert_true(vpmu_pmi_read(cpu, DEBUGCTL, &value));
	assert_int_equal(value, 0x1801);
	assert_true(vpmu_pmi_write(cpu, DEBUGCTL, 0x1804));
	assert_int_equal(cpu->illegal_writes, 1);
	assert_int_equal(cpu->pmi.debugctl, 0x1801);
	/* The MSR of the LVT entry exists in x2APIC mode only. */
	assert_false(vpmu_pmi_read(cpu, X2APIC_LVT, &value));
	assert_false(vpmu_pmi_write(cpu, X2APIC_LVT, MASKED));
	assert_int_equal(cpu->pmi.lvt, NMI);
	assert_false(vpmu_pmi_write(cpu, APIC_BASE, 0xfee00d00));
	assert_true(vpmu_pmi_write(cpu, X2APIC_LVT, MASKED | 0x14fe));
	assert_true(vpmu_pmi_read(cpu, X2APIC_LVT, &value));
	assert_int_equal(value, MASKED | 0x4fe);
	assert_true(vpmu_pmi_write(cpu, X2APIC_LVT, 0x20400));
	assert_int_equal(cpu->illegal_writes, 2);
	assert_int_equal(cpu->pmi.lvt, MASKED | 0x4fe);
}

TEST(the_control_of_intel_pt_is_a_register)
{
	struct vpmu_cpu *cpu = machine_of(&vpmu_ivb);
	uint64_t value;

	assert_true(vpmu_pmi_write(cpu, TRACE_CTL, 0x2005));
	assert_true(vpmu_pmi_read(cpu, TRACE_CTL, &value));
	assert_int_equal(value, 0x2005);
	assert_false(vpmu_pmi_read(machine_of(&vpmu_zen2), TRACE_CTL, &value));
}

/* A counter of a part without a global status interrupts again when software has written the entry. */
TEST(older_amd_interrupts_after_the_entry_was_written)
{
	struct vpmu_cpu *cpu = machine_of(&vpmu_zen2);
	uint64_t value;

	wr(cpu, ZEN_COUNTER, MAX48 - 7);
	wr(cpu, ZEN_SELECT, INSTRUCTIONS | USR | EN | INT);
	retire(cpu, 8);
	assert_int_equal(machine_interrupts, 1);
	wr(cpu, ZEN_COUNTER, MAX48 - 7);
	retire(cpu, 8);
	assert_int_equal(machine_interrupts, 1);
	vpmu_pmi_set_lvt(cpu, NMI);
	wr(cpu, ZEN_COUNTER, MAX48 - 7);
	retire(cpu, 8);
	assert_int_equal(machine_interrupts, 2);
	assert_false(vpmu_pmi_read(cpu, DEBUGCTL, &value));
}

TEST(knights_corner_does_not_mask_the_entry)
{
	struct vpmu_cpu *cpu = machine_of(&vpmu_knc);

	wr(cpu, KNC_COUNTER, VPMU_BIT(40) - 8);
	wr(cpu, KNC_SELECT, KNC_INSTRUCTIONS | USR | EN | INT);
	wr(cpu, KNC_GLOBAL_CTRL, 1);
	retire(cpu, 7);
	assert_int_equal(machine_interrupts, 0);
	retire(cpu, 1);
	assert_int_equal(machine_interrupts, 1);
	assert_int_equal(cpu->pmi.lvt, NMI);
}

TEST(looks_at_the_core_model_follow_its_pace)
{
	struct vpmu_cpu *cpu = machine_of(&vpmu_ivb);
	uint64_t *cycles = &cpu->core->counts[USER].plain[VCORE_CYCLES];

	wr(cpu, SELECT, CYCLES | USR | EN | INT);
	wr(cpu, COUNTER_FULL, MAX48 - 100000);
	wr(cpu, GLOBAL_CTRL, 1);
	/*
	 * While the overflow is far away, the virtual PMU checks the counter without stopping it.
	 */
	assert_in_range(executes(cpu, USER), 256, 257);
	*cycles += 96000;
	retire(cpu, 48000);
	assert_in_range(executes(cpu, USER), 256, 258);
	/*
	 * The counter counts cycles, and an instruction takes two cycles. 800 cycles before the
	 * overflow are therefore 400 instructions, and the counter is checked again after half of
	 * them.
	 */
	*cycles += 3200;
	retire(cpu, 1600);
	assert_in_range(executes(cpu, USER), 200, 202);
	*cycles += 790;
	retire(cpu, 395);
	/* Near the overflow the virtual PMU waits for the instruction that causes it. */
	assert_in_range(executes(cpu, USER), 5, 7);
	/* The counter was never stopped. */
	assert_true(cpu->gp[0].running);
	assert_int_equal(cpu->gp[0].value, MAX48 - 100000);
	assert_int_equal(machine_interrupts, 0);
	*cycles += 12;
	retire(cpu, 6);
	assert_int_equal(machine_interrupts, 1);
	assert_int_equal(rd(cpu, COUNTER_FULL), 1);
}

/*
 * Of 100 instructions of the kernel that the simulated core has not retired yet it is expected that
 * they take two cycles each. An overflow in user space is not taken before it has occurred: 128
 * cycles may be those of a single instruction.
 */
TEST(an_overflow_in_user_space_is_found_where_it_occurs)
{
	struct vpmu_cpu *cpu = machine_of(&vpmu_ivb);
	unsigned int priv;

	for (priv = 0; priv < 2; priv++) {
		cpu->core->priv = priv;
		wr(cpu, GLOBAL_CTRL, 0);
		wr(cpu, SELECT, CYCLES | USR | OS | EN | INT);
		wr(cpu, COUNTER_FULL, MAX48 - 800);
		wr(cpu, GLOBAL_CTRL, 1);
		cpu->core->counts[priv].plain[VCORE_CYCLES] += 400;
		cpu->score->exact[VPMU_INSTRUCTIONS][priv] += 300;
		cpu->core->trace.retired -= 100;
		vpmu_counters_look(cpu);
		cpu->core->trace.retired += 100;
		assert_in_range(executes(cpu, priv), priv ? 4 : 50, priv ? 5 : 52);
	}
}

/*
 * An interrupt by cycles names the oldest instruction that had not retired when the counter
 * overflowed, although two more have retired since.
 */
TEST(an_interrupt_names_the_instruction_of_the_overflow)
{
	static const struct vcore_insn insns[4] = {
		{ .pc = 0x1000, .priv = 1 }, { .pc = 0x1001, .priv = 1 },
		{ .pc = 0x1002, .priv = 1 }, { .pc = 0x1003, .priv = 1 },
	};
	const struct vpmu_counter counter = { .glanced = 1000, .glanced_at = 1000 };
	struct vpmu_cpu *cpu = machine_of(&vpmu_ivb);
	struct vcore_trace *trace = &cpu->core->trace;
	unsigned int priv = cpu->core->priv;
	uint64_t end = trace->end;
	unsigned int i;

	cpu->core->priv = USER;
	for (i = 0; i < 4; i++) {
		vcore_step(trace, end + i)->insn = &insns[i];
		vcore_step(trace, end + i)->pc = insns[i].pc;
		vcore_step(trace, end + i)->retired = 1100 + 50 * i;
	}
	trace->end = end + 4;
	trace->retired = end + 3;
	cpu->core->cycle = 1220;
	assert_int_equal(vpmu_overflow_place(cpu, &counter, 1220, 71), 0x1001);
	assert_int_equal(vpmu_overflow_place(cpu, &counter, 1220, 69), 0x1002);
	/* Of another event, with two a cycle, the cycle is estimated. */
	assert_int_equal(vpmu_overflow_place(cpu, &counter, 1440, 142), 0x1001);
	assert_int_equal(vpmu_overflow_place(cpu, &counter, 1220, 0), 0x1003);
	/* Branch records are of where the vCPU is: so is the interrupt beside them. */
	assert_true(vpmu_overflow_names(cpu, CYCLES | USR | EN | INT, 0));
	cpu->pmi.debugctl = 1;
	assert_false(vpmu_overflow_names(cpu, CYCLES | USR | EN | INT, 0));
	cpu->pmi.debugctl = 0;
	trace->end = end;
	trace->retired = end;
	cpu->core->priv = priv;
}

/* Of a counter that starts near its overflow the rate is not known: it is taken as one. */
TEST(a_counter_that_starts_near_its_overflow_is_looked_at_soon)
{
	struct vpmu_cpu *cpu = machine_of(&vpmu_ivb);

	wr(cpu, SELECT, CYCLES | USR | EN | INT);
	wr(cpu, COUNTER_FULL, MAX48 - 400);
	wr(cpu, GLOBAL_CTRL, 1);
	assert_in_range(executes(cpu, USER), 200, 202);
	wr(cpu, COUNTER_FULL, MAX48 - 4);
	assert_in_range(executes(cpu, USER), 8, 10);
}

/*
 * The rate was measured in a few instructions without a cycle, as behind a precise record: those that
 * follow may take many.
 */
TEST(a_counter_that_seemed_slow_is_looked_at_soon)
{
	struct vpmu_cpu *cpu = machine_of(&vpmu_ivb);

	wr(cpu, SELECT, CYCLES | USR | EN | INT);
	wr(cpu, COUNTER_FULL, MAX48 - 1000);
	wr(cpu, GLOBAL_CTRL, 1);
	cpu->score->exact[VPMU_INSTRUCTIONS][USER] += 8;
	wr(cpu, COUNTER_FULL, MAX48 - 1000);
	assert_int_equal(cpu->gp[0].rate, 1);
	assert_in_range(executes(cpu, USER), 8, 260);
}

/* Events that QEMU counts are known without emptying the core: the counter stops at its overflow. */
TEST(exact_counts_are_looked_at_while_the_counter_runs)
{
	struct vpmu_cpu *cpu = machine_of(&vpmu_ivb);
	unsigned int i;

	wr(cpu, SELECT, BRANCHES | USR | EN | INT);
	wr(cpu, COUNTER_FULL, MAX48 - 99);
	wr(cpu, GLOBAL_CTRL, 1);
	for (i = 0; i < 99; i++) {
		cpu->score->exact[VPMU_BR_CONDITIONAL][USER]++;
		retire(cpu, 3);
		assert_true(cpu->gp[0].running);
		assert_int_equal(cpu->gp[0].value, MAX48 - 99);
		assert_in_range(executes(cpu, USER), 99 - i, 101 - i);
	}
	assert_int_equal(machine_interrupts, 0);
	cpu->score->exact[VPMU_BR_CONDITIONAL][USER]++;
	retire(cpu, 3);
	assert_int_equal(machine_interrupts, 1);
}

TEST(a_ghost_follows_an_interrupt)
{
	struct vpmu_cpu *cpu = machine_of(&vpmu_ivb);

	vpmu_options.errata = VPMU_BIT(VPMU_GHOST_PMI);
	count_to_8(cpu, INT);
	retire(cpu, 8);
	assert_int_equal(machine_interrupts, 1);
	/*
	 * The ghost interrupt comes within 100 kernel instructions, whatever registers the
	 * handler of the first interrupt writes.
	 */
	assert_in_range(executes(cpu, KERNEL), 1, 100);
	wr(cpu, GLOBAL_CTRL, 0);
	wr(cpu, GLOBAL_OVF, 1);
	assert_in_range(executes(cpu, KERNEL), 1, 100);
	retire(cpu, 0);
	assert_int_equal(machine_interrupts, 2);
	assert_int_equal(rd(cpu, GLOBAL_STATUS), 0);
	assert_true(executes(cpu, KERNEL) > VPMU_BIT(60));
	retire(cpu, 0);
	assert_int_equal(machine_interrupts, 2);
}

TEST(each_eighth_interrupt_is_lost)
{
	struct vpmu_cpu *cpu = machine_of(&vpmu_ivb);
	unsigned int i;

	/*
	 * The first eight interrupts are raised without the erratum lost-pmi. All later interrupts
	 * are raised with the erratum, which loses every eighth interrupt.
	 */
	for (i = 1; i <= 24; i++) {
		if (i == 9)
			vpmu_options.errata = VPMU_BIT(VPMU_LOST_PMI);
		vpmu_pmi_set_lvt(cpu, NMI);
		wr(cpu, GLOBAL_OVF, 1);
		count_to_8(cpu, INT);
		retire(cpu, 8);
		assert_int_equal(machine_interrupts, i <= 8 ? i : i - i / 8 + 1);
		assert_int_equal(rd(cpu, GLOBAL_STATUS), 1);
	}
}

TEST(a_late_interrupt_comes_after_2000_instructions)
{
	struct vpmu_cpu *cpu = machine_of(&vpmu_ivb);

	assert_int_equal(vpmu_argument("erratum=late-pmi"), 0);
	count_to_8(cpu, INT);
	retire(cpu, 8);
	assert_int_equal(machine_interrupts, 0);
	assert_int_equal(rd(cpu, GLOBAL_STATUS), 1);
	assert_int_equal(executes(cpu, USER), 1999);
	/* Other looks and register accesses do not put it off. */
	retire(cpu, 1000);
	assert_int_equal(machine_interrupts, 0);
	assert_int_equal(executes(cpu, USER), 999);
	retire(cpu, 999);
	assert_int_equal(machine_interrupts, 1);
	assert_true(executes(cpu, USER) > VPMU_BIT(40));
	retire(cpu, 1);
	assert_int_equal(machine_interrupts, 1);
}

TEST(an_interrupt_comes_without_the_overflow_bit_of_counter_2)
{
	struct vpmu_cpu *cpu = machine_of(&vpmu_ivb);

	assert_int_equal(vpmu_argument("erratum=lost-overflow"), 0);
	wr(cpu, SELECT + 2, INSTRUCTIONS | USR | EN | INT);
	wr(cpu, COUNTER_FULL + 2, MAX48 - 7);
	count_to_8(cpu, 0);
	wr(cpu, GLOBAL_CTRL, 5);
	retire(cpu, 8);
	assert_int_equal(machine_interrupts, 1);
	assert_int_equal(rd(cpu, GLOBAL_STATUS), 1);
}

TEST(a_counter_loses_50_counts_before_its_overflow)
{
	struct vpmu_cpu *cpu = machine_of(&vpmu_ivb);
	unsigned int i;

	assert_int_equal(vpmu_argument("erratum=overflow-loss"), 0);
	for (i = 0; i < 2; i++) {
		wr(cpu, GLOBAL_OVF, 1);
		vpmu_pmi_set_lvt(cpu, NMI);
		count_to_8(cpu, INT);
		retire(cpu, 8);
		assert_int_equal(machine_interrupts, i);
		assert_int_equal(executes(cpu, USER), 50);
		retire(cpu, 50);
		assert_int_equal(machine_interrupts, i + 1);
		assert_int_equal(rd(cpu, COUNTER_FULL), 0);
	}
	/* A counter that does not interrupt loses nothing. */
	count_to_8(cpu, 0);
	retire(cpu, 8);
	assert_int_equal(rd(cpu, COUNTER_FULL), 0);
}

TEST(counters_count_on_that_should_freeze)
{
	struct vpmu_cpu *cpu = machine_of(&vpmu_skl);

	assert_int_equal(vpmu_argument("erratum=freeze-counts"), 0);
	assert_true(vpmu_pmi_write(cpu, DEBUGCTL, FREEZE));
	count_to_8(cpu, INT);
	retire(cpu, 8);
	assert_int_equal(rd(cpu, GLOBAL_STATUS), 1);
	retire(cpu, 10);
	assert_int_equal(rd(cpu, COUNTER_FULL), 10);
}

TEST(an_nmi_can_come_from_elsewhere)
{
	vpmu_pmi_nmi(machine_of(&vpmu_ivb));
	assert_int_equal(machine_interrupts, 1);
	assert_int_equal(vpmu_cpus->pmi.lvt, NMI);
}

TEST_GROUP(NULL, machine_free);
