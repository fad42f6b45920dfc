// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of PEBS: the first event after an overflow gets a record of the instruction that caused it,
 * and the CPU is interrupted when the records in the buffer reach the threshold.
 */

#include <string.h>

#include "machine.h"

#include "counter/counter.h"
#include "counter/pebs.h"
#include "counter/pmi.h"
#include "event/erratum.h"
#include "qemu/arguments.h"

/* MSR addresses. Source: SDM Vol. 4, table 2-2; for architectural PEBS Linux, msr-index.h */
#define SELECT 0x186
#define COUNTER_FULL 0x4c1
#define FIXED_CTRL 0x38d
#define FIXED 0x309
#define GLOBAL_CTRL 0x38f
#define GLOBAL_STATUS 0x38e
#define METRICS 0x329
#define GLOBAL_OVF 0x390
#define PEBS_BASE 0x3f4
#define PEBS_INDEX 0x3f5
#define CONFIG 0x1903
#define FIXED_CONFIG 0x1983

#define INDEX_ON VPMU_BIT(32)
#define INDEX_FULL VPMU_BIT(31)
#define THRESHOLD(bytes) ((uint64_t)(bytes) << 32)
/* counters in records: this counter is allowed, those of a kind are wanted */
#define ALLOW VPMU_BIT(35)
#define WITH_GP VPMU_BIT(36)
#define WITH_FIXED VPMU_BIT(37)
#define WITH_METRICS VPMU_BIT(38)
#define GPR VPMU_BIT(61)
#define AUX VPMU_BIT(62)
#define ON VPMU_BIT(63)
/* reload value -8, in 32 bits: the counter overflows after 8 events */
#define RELOAD_8 0xfffffff8ull

#define STATUS_PEBS VPMU_BIT(54)
#define NMI 0x400
#define INSTRUCTIONS 0xc0
#define MAX48 (VPMU_BIT(48) - 1)

/* Physical address of the buffer for records, and its size in bytes: two pages. */
#define BUFFER 0x12345000
#define BUFFER_BYTES 8192
/* size of a record with no group but the basic one: 16 + 48 bytes */
#define PLAIN 64

static unsigned int records;
/* the last record and the one before it */
static struct vpmu_record last, previous;

static void write_record(struct vpmu_cpu *cpu, const struct vpmu_record *record)
{
	(void)cpu;
	records++;
	previous = last;
	last = *record;
}

static uint64_t word(unsigned int offset)
{
	uint64_t value;

	memcpy(&value, last.bytes + offset, sizeof(value));
	return value;
}

static uint64_t pebs_rd(struct vpmu_cpu *cpu, uint32_t msr)
{
	uint64_t value = 0;

	vpmu_counters_settle(cpu);
	assert_true(vpmu_pebs_read(cpu, msr, &value));
	vpmu_counters_restart(cpu);
	return value;
}

static void pebs_wr(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value)
{
	uint64_t before = cpu->illegal_writes;

	vpmu_counters_settle(cpu);
	assert_true(vpmu_pebs_write(cpu, msr, value));
	vpmu_counters_restart(cpu);
	assert_int_equal(cpu->illegal_writes, before);
	assert_int_equal(pebs_rd(cpu, msr), value);
}

static void pebs_wr_refused(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value)
{
	uint64_t before = cpu->illegal_writes;

	vpmu_counters_settle(cpu);
	assert_true(vpmu_pebs_write(cpu, msr, value));
	vpmu_counters_restart(cpu);
	assert_int_equal(cpu->illegal_writes, before + 1);
	assert_int_not_equal(pebs_rd(cpu, msr), value);
}

static struct vpmu_cpu *new_machine(uint64_t threshold)
{
	struct vpmu_cpu *cpu = vpmu_cpus;

	machine_new(vpmu_part_like("dmr"), 1, 1);
	vpmu_pebs_to(write_record);
	vpmu_pmi_init(cpu);
	vpmu_pebs_init(cpu);
	vpmu_pmi_set_lvt(cpu, NMI);
	records = 0;
	pebs_wr(cpu, PEBS_BASE, BUFFER | 1);
	pebs_wr(cpu, PEBS_INDEX, INDEX_ON | THRESHOLD(threshold));
	return cpu;
}

/* Lets the vCPU execute @after instructions, and stop before the instruction at @pc. */
static void arrive(struct vpmu_cpu *cpu, uint64_t pc, unsigned int after)
{
	cpu->score->exact[VPMU_INSTRUCTIONS][USER] += after;
	vpmu_pebs_at(cpu, pc);
	vpmu_counters_look(cpu);
}

/* Lets counter 1 count instructions, overflow at the eighth instruction, and write PEBS records. */
static struct vpmu_cpu *count_to_8(uint64_t threshold, uint64_t config)
{
	struct vpmu_cpu *cpu = new_machine(threshold);

	pebs_wr(cpu, CONFIG + 4, ON | config);
	wr(cpu, SELECT + 1, INSTRUCTIONS | USR | EN);
	wr(cpu, COUNTER_FULL + 1, MAX48 - 7);
	wr(cpu, GLOBAL_CTRL, 2);
	return cpu;
}

TEST(the_instruction_after_the_overflow_is_recorded)
{
	struct vpmu_cpu *cpu = count_to_8(PLAIN, 0);

	arrive(cpu, 0x1000, 7);
	assert_int_equal(cpu->score->until[USER], 2);
	arrive(cpu, 0x1001, 1);
	assert_int_equal(records, 0);
	/*
	 * The counter has overflowed, so its next event gets a record. Before each instruction the
	 * vCPU checks whether the previous instruction has caused this event.
	 */
	assert_int_equal(cpu->score->until[USER], 2);
	arrive(cpu, 0x1002, 0);
	assert_int_equal(records, 0);
	arrive(cpu, 0x1004, 1);
	assert_int_equal(records, 1);
	assert_int_equal(last.pa, BUFFER);
	assert_int_equal(last.size, PLAIN);
	assert_int_equal(word(0), ON | PLAIN);
	assert_int_equal(word(16), 0x1002);
	assert_int_equal(word(24), 2);
	assert_int_equal(last.tsc, 32);
	assert_true(cpu->score->until[USER] > 1000);
}

TEST(records_of_a_fixed_counter_are_told_apart)
{
	struct vpmu_cpu *cpu = new_machine(PLAIN);
	const uint64_t user = 2;

	pebs_wr(cpu, FIXED_CONFIG, ON);
	wr(cpu, FIXED, MAX48);
	wr(cpu, FIXED_CTRL, user);
	wr(cpu, GLOBAL_CTRL, VPMU_BIT(32));
	arrive(cpu, 0x1000, 1);
	arrive(cpu, 0x1001, 1);
	assert_int_equal(records, 1);
	assert_int_equal(word(16), 0x1000);
	assert_int_equal(word(24), VPMU_BIT(32));
}

TEST(the_threshold_interrupts)
{
	struct vpmu_cpu *cpu = count_to_8(2 * PLAIN, RELOAD_8);

	arrive(cpu, 0x1000, 8);
	arrive(cpu, 0x1001, 1);
	assert_int_equal(records, 1);
	assert_int_equal(machine_interrupts, 0);
	assert_int_equal(rd(cpu, GLOBAL_STATUS), 0);
	assert_int_equal(pebs_rd(cpu, PEBS_INDEX), INDEX_ON | THRESHOLD(2 * PLAIN) | PLAIN);
	arrive(cpu, 0x1000, 8);
	arrive(cpu, 0x1001, 1);
	assert_int_equal(records, 2);
	assert_int_equal(last.pa, BUFFER + PLAIN);
	assert_int_equal(machine_interrupts, 1);
	assert_int_equal(rd(cpu, GLOBAL_STATUS), STATUS_PEBS);
	wr(cpu, GLOBAL_OVF, STATUS_PEBS);
	assert_int_equal(rd(cpu, GLOBAL_STATUS), 0);
}

TEST(a_counter_is_reloaded_when_its_event_is_recorded)
{
	struct vpmu_cpu *cpu = count_to_8(PLAIN, RELOAD_8);

	arrive(cpu, 0x1000, 8);
	assert_int_equal(rd(cpu, COUNTER_FULL + 1), 0);
	arrive(cpu, 0x1001, 1);
	assert_int_equal(rd(cpu, COUNTER_FULL + 1), MAX48 - 7);
	/* Without a reload value the counter continues from 0. */
	cpu = count_to_8(PLAIN, 0);
	arrive(cpu, 0x1000, 8);
	arrive(cpu, 0x1001, 1);
	assert_int_equal(rd(cpu, COUNTER_FULL + 1), 1);
}

TEST(a_record_has_the_groups_that_are_asked_for)
{
	struct vpmu_cpu *cpu = count_to_8(PLAIN, GPR | AUX);
	unsigned int i;

	for (i = 0; i < 16; i++)
		machine_regs[VPMU_RAX + i] = 100 + i;
	machine_regs[VPMU_EFLAGS] = 0x246;
	arrive(cpu, 0x1000, 8);
	arrive(cpu, 0x1001, 1);
	assert_int_equal(last.size, PLAIN + 64 + 160);
	assert_int_equal(word(0), (ON | GPR | AUX) + PLAIN + 64 + 160);
	assert_int_equal(word(PLAIN + 64), 0x246);
	assert_int_equal(word(PLAIN + 72), 0x1001);
	for (i = 0; i < 16; i++)
		assert_int_equal(word(PLAIN + 80 + 8 * i), 100 + i);
}

/*
 * The group of counters: two bitmaps, then the values of the allowed counters, before the reload.
 * The record is filled up to a multiple of 16 bytes.
 */
TEST(a_record_has_the_counters_that_are_allowed)
{
	struct vpmu_cpu *cpu = count_to_8(PLAIN, WITH_GP | WITH_FIXED | ALLOW | RELOAD_8);
	const uint64_t user = 2;

	pebs_wr(cpu, CONFIG + 4 * 3, ALLOW);
	pebs_wr(cpu, FIXED_CONFIG + 4, ALLOW);
	wr(cpu, SELECT, INSTRUCTIONS | USR | EN);
	wr(cpu, SELECT + 3, INSTRUCTIONS | USR | EN);
	wr(cpu, COUNTER_FULL + 3, 1000);
	wr(cpu, FIXED, 5000);
	wr(cpu, FIXED + 1, 6000);
	wr(cpu, FIXED_CTRL, user);
	wr(cpu, GLOBAL_CTRL, VPMU_BIT(32) | 0xb);
	arrive(cpu, 0x1000, 8);
	arrive(cpu, 0x1001, 1);
	assert_int_equal(records, 1);
	assert_int_equal(last.size, PLAIN + 16 + 3 * 8 + 8);
	assert_int_equal(word(0), (ON | ALLOW | WITH_GP | WITH_FIXED) + last.size);
	assert_int_equal(word(PLAIN), VPMU_BIT(33) | 0xa);
	assert_int_equal(word(PLAIN + 8), 0);
	assert_int_equal(word(PLAIN + 16), 1);
	assert_int_equal(word(PLAIN + 24), 1009);
	assert_int_equal(word(PLAIN + 32), 6000);
	assert_int_equal(word(PLAIN + 40), 0);
	assert_int_equal(rd(cpu, COUNTER_FULL + 1), MAX48 - 7);
	assert_int_equal(pebs_rd(cpu, PEBS_INDEX) & (BUFFER_BYTES - 1), last.size);
}

TEST(a_record_has_the_metrics)
{
	struct vpmu_cpu *cpu = count_to_8(PLAIN, WITH_METRICS);

	wr(cpu, FIXED_CTRL, 0x2000);
	wr(cpu, FIXED + 3, 0);
	wr(cpu, GLOBAL_CTRL, VPMU_BIT(48) | VPMU_BIT(35) | 2);
	cpu->core->counts[USER].cycles_with[VCORE_RETIRED][4] += 100;
	arrive(cpu, 0x1000, 8);
	arrive(cpu, 0x1001, 1);
	assert_int_equal(last.size, PLAIN + 32);
	assert_int_equal(word(0), (ON | WITH_METRICS) + last.size);
	assert_int_equal(word(PLAIN), 0);
	assert_int_equal(word(PLAIN + 8), 3);
	assert_int_equal(word(PLAIN + 16), rd(cpu, FIXED + 3));
	assert_int_equal(word(PLAIN + 24), rd(cpu, METRICS));
	assert_int_equal(word(PLAIN + 24) & 0xff, 0xff);
}

/* The header of a null record has only the size. A null record does not interrupt by itself. */
TEST(a_null_record_precedes_the_first_if_asked_for)
{
	struct vpmu_cpu *cpu = count_to_8(16, RELOAD_8);
	const uint64_t null[6] = { sizeof(null), 0, ~0ull, ~0ull, ~0ull, ~0ull };

	assert_int_equal(vpmu_argument("pebs=null"), 0);
	arrive(cpu, 0x1000, 8);
	arrive(cpu, 0x1001, 1);
	assert_int_equal(records, 2);
	assert_int_equal(previous.pa, BUFFER);
	assert_int_equal(previous.size, sizeof(null));
	assert_memory_equal(previous.bytes, null, sizeof(null));
	assert_int_equal(last.pa, BUFFER + sizeof(null));
	assert_int_equal(machine_interrupts, 1);
	arrive(cpu, 0x1000, 8);
	arrive(cpu, 0x1001, 1);
	assert_int_equal(records, 3);
}

/* The group comes before that of counters, and has the size of vector registers. */
TEST(some_records_have_an_unknown_group_if_asked_for)
{
	struct vpmu_cpu *cpu = count_to_8(16, RELOAD_8 | ALLOW | WITH_GP);
	const uint64_t unknown = VPMU_BIT(49);
	unsigned int i, odd = 0;

	assert_int_equal(vpmu_argument("pebs=unknown"), 0);
	for (i = 0; i < 32; i++) {
		arrive(cpu, 0x1000, 8);
		arrive(cpu, 0x1001, 1);
		assert_int_equal(last.size, PLAIN + 16 + 8 + 8 + (word(0) & unknown ? 256 : 0));
		assert_int_equal(word(last.size - 32), 2);
		odd += !!(word(0) & unknown);
		pebs_wr(cpu, PEBS_INDEX, INDEX_ON | THRESHOLD(16));
	}
	assert_int_equal(odd, 2);
}

/* Lets counters 1 and 3 overflow at the same instruction, and then count the same one. */
static struct vpmu_cpu *record_of_two(bool merged)
{
	struct vpmu_cpu *cpu = count_to_8(16, RELOAD_8);

	if (merged)
		assert_int_equal(vpmu_argument("pebs=merged"), 0);
	pebs_wr(cpu, CONFIG + 4 * 3, ON | RELOAD_8);
	wr(cpu, SELECT + 3, INSTRUCTIONS | USR | EN);
	wr(cpu, COUNTER_FULL + 3, MAX48 - 7);
	wr(cpu, GLOBAL_CTRL, 10);
	arrive(cpu, 0x1000, 8);
	arrive(cpu, 0x1001, 1);
	return cpu;
}

TEST(events_of_two_counters_have_a_record_each)
{
	record_of_two(false);
	assert_int_equal(records, 2);
	assert_int_equal(word(24), 8);
}

TEST(events_of_two_counters_share_a_record_if_asked_for)
{
	struct vpmu_cpu *cpu = record_of_two(true);

	assert_int_equal(records, 1);
	assert_int_equal(word(24), 10);
	assert_int_equal(rd(cpu, COUNTER_FULL + 1), MAX48 - 7);
	assert_int_equal(rd(cpu, COUNTER_FULL + 3), MAX48 - 7);
	arrive(cpu, 0x1000, 8);
	arrive(cpu, 0x1001, 1);
	assert_int_equal(records, 2);
	assert_int_equal(word(24), 10);
}

/* The word of the basic group: the cycles in bits 15:0, bit 16 if they are known. */
TEST(a_record_has_the_retire_latency_if_the_core_is_simulated)
{
	struct vpmu_cpu *cpu = count_to_8(16, RELOAD_8);

	cpu->core->retire_latency[USER] = 7;
	cpu->core->retire_latency[KERNEL] = 5;
	arrive(cpu, 0x1000, 8);
	arrive(cpu, 0x1001, 1);
	assert_int_equal(word(40), 0);
	cpu->score->model_on = 1;
	arrive(cpu, 0x1000, 8);
	arrive(cpu, 0x1001, 1);
	assert_int_equal(word(40), VPMU_BIT(16) | 7);
	cpu->core->retire_latency[USER] = 0x10000;
	arrive(cpu, 0x1000, 8);
	arrive(cpu, 0x1001, 1);
	assert_int_equal(word(40), VPMU_BIT(16) | 0xffff);
}

/* The instruction behind, whose address the record has, may be the kernel's. */
TEST(a_record_with_a_wrong_address_has_the_latency_of_the_right_instruction)
{
	struct vpmu_cpu *cpu = count_to_8(16, RELOAD_8);

	vpmu_options.errata = VPMU_BIT(VPMU_PEBS_ADDRESS);
	cpu->score->model_on = 1;
	cpu->core->retire_latency[USER] = 7;
	cpu->core->retire_latency[KERNEL] = 5;
	arrive(cpu, 0x1000, 8);
	arrive(cpu, 0xffffffff81000000, 1);
	assert_int_equal(word(16), 0xffffffff81000000);
	assert_int_equal(word(40), VPMU_BIT(16) | 7);
}

TEST(a_full_buffer_takes_no_record)
{
	struct vpmu_cpu *cpu = count_to_8(BUFFER_BYTES, RELOAD_8);

	pebs_wr(cpu, PEBS_INDEX, INDEX_ON | (BUFFER_BYTES - PLAIN));
	arrive(cpu, 0x1000, 8);
	arrive(cpu, 0x1001, 1);
	assert_int_equal(records, 1);
	assert_int_equal(last.pa, BUFFER + BUFFER_BYTES - PLAIN);
	assert_int_equal(pebs_rd(cpu, PEBS_INDEX), INDEX_ON | BUFFER_BYTES);
	arrive(cpu, 0x1000, 8);
	arrive(cpu, 0x1001, 1);
	assert_int_equal(records, 1);
	assert_int_equal(pebs_rd(cpu, PEBS_INDEX), INDEX_ON | INDEX_FULL | BUFFER_BYTES);
	assert_int_equal(rd(cpu, COUNTER_FULL + 1), MAX48 - 7);
}

TEST(without_records_a_counter_overflows_as_others_do)
{
	struct vpmu_cpu *cpu = count_to_8(PLAIN, 0);

	pebs_wr(cpu, PEBS_INDEX, 0);
	arrive(cpu, 0x1000, 8);
	arrive(cpu, 0x1001, 1);
	assert_int_equal(records, 0);
	assert_int_equal(rd(cpu, GLOBAL_STATUS), 2);
	cpu = count_to_8(PLAIN, 0);
	arrive(cpu, 0x1000, 8);
	/*
	 * PEBS is turned off for the counter after the counter has overflowed, and before the event
	 * that would have been recorded.
	 */
	pebs_wr(cpu, CONFIG + 4, 0);
	arrive(cpu, 0x1001, 1);
	assert_int_equal(records, 0);
}

TEST(other_counters_go_on)
{
	struct vpmu_cpu *cpu = count_to_8(PLAIN, RELOAD_8);

	wr(cpu, SELECT, INSTRUCTIONS | USR | EN);
	wr(cpu, GLOBAL_CTRL, 3);
	arrive(cpu, 0x1000, 8);
	arrive(cpu, 0x1001, 1);
	assert_int_equal(rd(cpu, COUNTER_FULL), 9);
	assert_int_equal(records, 1);
}

/* Errata: a record has the address of the next instruction, or names another counter. */
TEST(records_can_be_wrong)
{
	struct vpmu_cpu *cpu = count_to_8(PLAIN, 0);

	assert_int_equal(vpmu_argument("erratum=pebs-address"), 0);
	assert_int_equal(vpmu_argument("erratum=pebs-event"), 0);
	pebs_wr(cpu, CONFIG, ON);
	wr(cpu, SELECT, INSTRUCTIONS | USR | EN);
	wr(cpu, COUNTER_FULL, MAX48 - 7);
	wr(cpu, GLOBAL_CTRL, 1);
	arrive(cpu, 0x1000, 8);
	arrive(cpu, 0x1002, 0);
	arrive(cpu, 0x1004, 1);
	assert_int_equal(records, 1);
	assert_int_equal(word(16), 0x1004);
	assert_int_equal(word(24), 2);
}

TEST(reserved_bits_are_illegal)
{
	struct vpmu_cpu *cpu = new_machine(PLAIN);

	pebs_wr_refused(cpu, PEBS_BASE, BUFFER | 0x10);
	pebs_wr_refused(cpu, PEBS_BASE, VPMU_BIT(46));
	pebs_wr_refused(cpu, PEBS_INDEX, VPMU_BIT(33));
	pebs_wr_refused(cpu, PEBS_INDEX, 8);
	/* Bit 49 is a group of records that this CPU model does not have: the bit is reserved. */
	pebs_wr_refused(cpu, CONFIG, VPMU_BIT(49));
	pebs_wr(cpu, CONFIG + 4 * 9, ON | GPR | AUX | RELOAD_8);
	assert_false(vpmu_pebs_write(cpu, CONFIG + 4 * 10, 0));
	pebs_wr(cpu, FIXED_CONFIG + 4 * 3, ON);
	assert_false(vpmu_pebs_write(cpu, FIXED_CONFIG + 4 * 4, 0));
}

TEST(only_parts_with_architectural_pebs_have_the_registers)
{
	uint64_t value;

	machine_new(&vpmu_spr, 1, 1);
	assert_false(vpmu_pebs_read(vpmu_cpus, PEBS_BASE, &value));
	assert_false(vpmu_pebs_write(vpmu_cpus, PEBS_INDEX, INDEX_ON));
	assert_false(vpmu_pebs_write(vpmu_cpus, CONFIG, ON));
}

TEST_GROUP(NULL, machine_free);
