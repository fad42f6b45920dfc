// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of PEBS through the debug store (DS): records go to linear addresses, to the index that is
 * in memory; and the counter is set back by the recorded event.
 */

#include <string.h>

#include "machine.h"

#include "counter/counter.h"
#include "counter/pebs.h"
#include "counter/pmi.h"
#include "counter/store.h"
#include "event/erratum.h"
#include "machine/level.h"
#include "qemu/arguments.h"

/* MSR addresses. Source: SDM Vol. 4, table 2-2 */
#define SELECT 0x186
#define COUNTER_FULL 0x4c1
#define FIXED_CTRL 0x38d
#define FIXED 0x309
#define GLOBAL_CTRL 0x38f
#define METRICS 0x329
#define GLOBAL_STATUS 0x38e
#define GLOBAL_OVF 0x390
#define DS_AREA 0x600
#define PEBS_ENABLE 0x3f1
#define DATA_CFG 0x3f2
#define LATENCY 0x3f6

#define ADAPTIVE VPMU_BIT(34)
#define FIXED_ADAPTIVE VPMU_BIT(32)
#define STATUS_STORE VPMU_BIT(62)
#define NMI 0x400
#define INT VPMU_BIT(20)
#define INSTRUCTIONS 0xc0
#define BRANCHES 0x01c4
#define CYCLES 0x3c
#define SLOTS 0x2c2
/* cycles in which less than 16 uops retire, which have precise records where CYCLES has none */
#define CYCLES_OF_UOPS 0x108001c2
#define MAX48 (VPMU_BIT(48) - 1)

/* the guest's memory: the area, and the buffer behind it */
#define MEMORY 0xfffffe0000001000ull
#define BYTES 8192
#define BUFFER (MEMORY + 4096)
/* size of the basic group */
#define PLAIN 32

static uint8_t memory[BYTES];
static unsigned int records;
static struct vpmu_stored last;

static bool access_memory(struct vpmu_cpu *cpu, uint64_t va, void *bytes, unsigned int size,
			  bool write)
{
	(void)cpu;
	if (va < MEMORY || va + size > MEMORY + BYTES)
		return false;
	if (write)
		memcpy(memory + (va - MEMORY), bytes, size);
	else
		memcpy(bytes, memory + (va - MEMORY), size);
	return true;
}

static void write_record(struct vpmu_cpu *cpu, const struct vpmu_stored *record)
{
	(void)cpu;
	records++;
	last = *record;
}

static void set_field(unsigned int offset, uint64_t value)
{
	memcpy(memory + offset, &value, sizeof(value));
}

static uint64_t field(unsigned int offset)
{
	uint64_t value;

	memcpy(&value, memory + offset, sizeof(value));
	return value;
}

static uint64_t word(unsigned int offset)
{
	uint64_t value;

	memcpy(&value, last.bytes + offset, sizeof(value));
	return value;
}

/* Writes an MSR of the debug store. Returns true if the write is illegal. */
static bool refuses(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value)
{
	uint64_t before = cpu->illegal_writes, now = 0;

	vpmu_counters_settle(cpu);
	assert_true(vpmu_pebs_write(cpu, msr, value));
	assert_true(vpmu_pebs_read(cpu, msr, &now));
	vpmu_counters_restart(cpu);
	assert_int_equal(now == value, cpu->illegal_writes == before);
	return cpu->illegal_writes != before;
}

static void store_wr(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value)
{
	assert_false(refuses(cpu, msr, value));
}

/* A machine with an area whose buffer has @room bytes, and interrupts at @threshold. */
static struct vpmu_cpu *new_machine(const struct vpmu_part *part, uint64_t room, uint64_t threshold)
{
	struct vpmu_cpu *cpu = vpmu_cpus;

	machine_new(part, 1, 1);
	vpmu_store_to(access_memory, write_record);
	vpmu_pmi_init(cpu);
	vpmu_pebs_init(cpu);
	vpmu_pmi_set_lvt(cpu, NMI);
	records = 0;
	memset(memory, 0, sizeof(memory));
	set_field(0x20, BUFFER);
	set_field(0x28, BUFFER);
	set_field(0x30, BUFFER + room);
	set_field(0x38, BUFFER + threshold);
	store_wr(cpu, DS_AREA, MEMORY);
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
static struct vpmu_cpu *count_to_8(uint64_t room, uint64_t threshold, uint64_t select)
{
	struct vpmu_cpu *cpu = new_machine(&vpmu_spr, room, threshold);

	store_wr(cpu, PEBS_ENABLE, 2);
	wr(cpu, SELECT + 1, INSTRUCTIONS | USR | EN | select);
	wr(cpu, COUNTER_FULL + 1, MAX48 - 7);
	wr(cpu, GLOBAL_CTRL, 2);
	return cpu;
}

TEST(a_store_gets_the_instruction_after_the_overflow)
{
	struct vpmu_cpu *cpu = count_to_8(4096, PLAIN, 0);

	arrive(cpu, 0x1000, 8);
	assert_int_equal(records, 0);
	arrive(cpu, 0x1004, 1);
	assert_int_equal(records, 1);
	assert_int_equal(last.va, BUFFER);
	assert_int_equal(last.size, PLAIN);
	assert_int_equal(word(0), (uint64_t)PLAIN << 48);
	assert_int_equal(word(8), 0x1000);
	assert_int_equal(word(16), 2);
	assert_int_equal(last.tsc, 24);
	assert_int_equal(field(0x28), BUFFER + PLAIN);
	assert_int_equal(machine_interrupts, 1);
	assert_int_equal(rd(cpu, GLOBAL_STATUS), STATUS_STORE);
	wr(cpu, GLOBAL_OVF, STATUS_STORE);
	assert_int_equal(rd(cpu, GLOBAL_STATUS), 0);
}

TEST(the_recorded_event_sets_the_counter_back)
{
	struct vpmu_cpu *cpu = count_to_8(4096, 4096, 0);

	set_field(0x40 + 8, MAX48 - 4);
	arrive(cpu, 0x1000, 8);
	arrive(cpu, 0x1001, 1);
	assert_int_equal(rd(cpu, COUNTER_FULL + 1), MAX48 - 4);
	/* What the counter has counted after the recorded event, it keeps. */
	cpu = count_to_8(4096, 4096, 0);
	arrive(cpu, 0x1000, 8);
	arrive(cpu, 0x1001, 3);
	assert_int_equal(rd(cpu, COUNTER_FULL + 1), 2);
}

TEST(a_counter_that_was_set_back_can_have_overflowed_by_then)
{
	struct vpmu_cpu *cpu = count_to_8(4096, 4096, 0);

	set_field(0x40 + 8, MAX48 - 2);
	arrive(cpu, 0x1000, 8);
	arrive(cpu, 0x1001, 5);
	assert_int_equal(records, 1);
	assert_int_equal(rd(cpu, COUNTER_FULL + 1), 1);
	arrive(cpu, 0x1002, 1);
	assert_int_equal(records, 2);
	assert_int_equal(rd(cpu, COUNTER_FULL + 1), MAX48 - 1);
}

/* Lets counter 1 overflow, and count so many events more, before the guest turns PEBS off and on. */
static struct vpmu_cpu *turned_off(const struct vpmu_part *part, unsigned int more)
{
	struct vpmu_cpu *cpu = new_machine(part, 4096, 4096);

	store_wr(cpu, PEBS_ENABLE, 2);
	wr(cpu, SELECT + 1, INSTRUCTIONS | USR | EN);
	wr(cpu, COUNTER_FULL + 1, MAX48);
	set_field(0x40 + 8, MAX48 - 1000);
	wr(cpu, GLOBAL_CTRL, 2);
	cpu->score->exact[VPMU_INSTRUCTIONS][USER] += 1 + more;
	wr(cpu, GLOBAL_CTRL, 0);
	store_wr(cpu, PEBS_ENABLE, 0);
	assert_int_equal(rd(cpu, COUNTER_FULL + 1), more);
	return cpu;
}

static void turn_on(struct vpmu_cpu *cpu)
{
	store_wr(cpu, PEBS_ENABLE, 2);
	wr(cpu, GLOBAL_CTRL, 2);
	arrive(cpu, 0x1000, 1);
}

/* A CPU has written the record of a counter that has counted on after its overflow. */
TEST(a_record_that_is_due_survives_that_pebs_is_turned_off)
{
	struct vpmu_cpu *cpu = turned_off(&vpmu_spr, 5);

	turn_on(cpu);
	assert_int_equal(records, 1);
	assert_int_equal(rd(cpu, COUNTER_FULL + 1), MAX48 - 1000 + 5);
	/* Once it has been set back it has no record to come; nor has one that has not counted on. */
	cpu = turned_off(&vpmu_spr, 5);
	wr(cpu, COUNTER_FULL + 1, MAX48 - 1000);
	turn_on(cpu);
	assert_int_equal(records, 0);
	turn_on(turned_off(&vpmu_spr, 0));
	assert_int_equal(records, 0);
	/* A fixed counter is one, too. */
	cpu = new_machine(&vpmu_spr, 4096, 4096);
	store_wr(cpu, PEBS_ENABLE, VPMU_BIT(32));
	wr(cpu, FIXED_CTRL, 2);
	wr(cpu, FIXED, MAX48);
	wr(cpu, GLOBAL_CTRL, VPMU_BIT(32));
	cpu->score->exact[VPMU_INSTRUCTIONS][USER] += 6;
	wr(cpu, GLOBAL_CTRL, 0);
	store_wr(cpu, PEBS_ENABLE, 0);
	store_wr(cpu, PEBS_ENABLE, VPMU_BIT(32));
	wr(cpu, GLOBAL_CTRL, VPMU_BIT(32));
	arrive(cpu, 0x1000, 1);
	assert_int_equal(records, 1);
	assert_int_equal(word(16), VPMU_BIT(32));
	/* Before the adaptive formats a counter is disarmed in any case. */
	turn_on(turned_off(&vpmu_skl, 5));
	assert_int_equal(records, 0);
}

/* The reset values of fixed counters follow those of 8, or of 32, general-purpose counters. */
static void resets_fixed_counter_at(const struct vpmu_part *part, unsigned int offset)
{
	struct vpmu_cpu *cpu = new_machine(part, 4096, 4096);

	set_field(offset, 1000);
	store_wr(cpu, PEBS_ENABLE, VPMU_BIT(33));
	wr(cpu, FIXED, MAX48);
	store_wr(cpu, PEBS_ENABLE, VPMU_BIT(32));
	wr(cpu, FIXED_CTRL, 2);
	wr(cpu, GLOBAL_CTRL, VPMU_BIT(32));
	arrive(cpu, 0x1000, 1);
	arrive(cpu, 0x1001, 1);
	assert_int_equal(records, 1);
	assert_int_equal(word(16), VPMU_BIT(32));
	assert_int_equal(rd(cpu, FIXED), 1000);
}

TEST(formats_4_and_5_have_the_fixed_counters_reset_values_at_different_places)
{
	resets_fixed_counter_at(vpmu_part_like("icx"), 0x40 + 8 * 8);
	resets_fixed_counter_at(&vpmu_spr, 0x40 + 8 * 32);
}

TEST(a_record_that_does_not_fit_is_lost_silently)
{
	struct vpmu_cpu *cpu = count_to_8(PLAIN - 1, PLAIN, 0);

	arrive(cpu, 0x1000, 8);
	arrive(cpu, 0x1001, 1);
	assert_int_equal(records, 0);
	assert_int_equal(machine_interrupts, 0);
	assert_int_equal(field(0x28), BUFFER);
	assert_int_equal(cpu->illegal_writes, 0);
}

TEST(the_threshold_interrupts_not_each_record)
{
	struct vpmu_cpu *cpu = count_to_8(4096, 2 * PLAIN, 0);

	set_field(0x40 + 8, MAX48 - 7);
	arrive(cpu, 0x1000, 8);
	arrive(cpu, 0x1001, 1);
	assert_int_equal(records, 1);
	assert_int_equal(machine_interrupts, 0);
	arrive(cpu, 0x1000, 8);
	arrive(cpu, 0x1001, 1);
	assert_int_equal(last.va, BUFFER + PLAIN);
	assert_int_equal(machine_interrupts, 1);
}

TEST(memory_that_is_not_mapped_is_an_error_of_the_guest)
{
	struct vpmu_cpu *cpu = count_to_8(4096, PLAIN, 0);

	store_wr(cpu, DS_AREA, MEMORY - 4096);
	arrive(cpu, 0x1000, 8);
	arrive(cpu, 0x1001, 1);
	assert_int_equal(records, 0);
	assert_true(cpu->illegal_writes);
	/* The counter goes on from 0, with what it has counted after the event. */
	cpu = count_to_8(4096, PLAIN, 0);
	store_wr(cpu, DS_AREA, MEMORY - 4096);
	arrive(cpu, 0x1000, 8);
	arrive(cpu, 0x1001, 3);
	assert_int_equal(rd(cpu, COUNTER_FULL + 1), 2);
	cpu = count_to_8(4096, PLAIN, 0);
	set_field(0x28, MEMORY - 4096);
	arrive(cpu, 0x1000, 8);
	arrive(cpu, 0x1001, 1);
	assert_int_equal(records, 0);
	assert_int_equal(cpu->illegal_writes, 1);
}

TEST(a_record_has_the_groups_of_a_counter_that_asks_for_them)
{
	struct vpmu_cpu *cpu = count_to_8(4096, PLAIN, ADAPTIVE);
	unsigned int i;

	for (i = 0; i < 16; i++)
		machine_regs[VPMU_RAX + i] = 100 + i;
	machine_regs[VPMU_EFLAGS] = 0x246;
	cpu->lbr = (struct vpmu_lbr){ .depth = 32, .tos = 1,
				      .branch = { { 1, 2, 3 }, { 4, 5, 6 } } };
	/* memory access, registers, two branch records */
	store_wr(cpu, DATA_CFG, 0xb | 1 << 24);
	arrive(cpu, 0x1000, 8);
	arrive(cpu, 0x1001, 1);
	assert_int_equal(last.size, PLAIN + 32 + 144 + 2 * 24);
	assert_int_equal(word(0), (uint64_t)last.size << 48 | 0xb | 1 << 24);
	assert_int_equal(word(PLAIN + 32), 0x246);
	assert_int_equal(word(PLAIN + 40), 0x1001);
	for (i = 0; i < 16; i++)
		assert_int_equal(word(PLAIN + 48 + 8 * i), 100 + i);
	for (i = 0; i < 3; i++) {
		assert_int_equal(word(PLAIN + 32 + 144 + 8 * i), 4 + i);
		assert_int_equal(word(PLAIN + 32 + 144 + 24 + 8 * i), 1 + i);
	}
	/* A counter that does not ask has the basic group only. */
	cpu = count_to_8(4096, PLAIN, 0);
	store_wr(cpu, DATA_CFG, 2);
	arrive(cpu, 0x1000, 8);
	arrive(cpu, 0x1001, 1);
	assert_int_equal(last.size, PLAIN);
	/* A fixed counter asks for them by a bit of its control register. */
	store_wr(cpu, PEBS_ENABLE, VPMU_BIT(32));
	wr(cpu, FIXED_CTRL, 2 | FIXED_ADAPTIVE);
	wr(cpu, FIXED, MAX48);
	wr(cpu, GLOBAL_CTRL, VPMU_BIT(32));
	arrive(cpu, 0x1000, 1);
	arrive(cpu, 0x1001, 1);
	assert_int_equal(last.size, PLAIN + 144);
}

/* Groups of MSR_PEBS_DATA_CFG from format 6 on: counters, which bits 47:32 and 55:48 name; metrics */
#define WITH_COUNTERS VPMU_BIT(4)
#define WITH_METRICS VPMU_BIT(5)
#define NAMED(gp, fixed) ((uint64_t)(gp) << 32 | (uint64_t)(fixed) << 48)

/* Lets counter 1 of a Lunar Lake write records with the groups of @config after 8 instructions. */
static struct vpmu_cpu *count_with(uint64_t config)
{
	struct vpmu_cpu *cpu = new_machine(vpmu_part_like("lnl"), 4096, 4096);

	store_wr(cpu, DATA_CFG, config);
	store_wr(cpu, PEBS_ENABLE, 2);
	set_field(0x40 + 8, MAX48 - 7);
	wr(cpu, SELECT + 1, INSTRUCTIONS | USR | EN | ADAPTIVE);
	wr(cpu, COUNTER_FULL + 1, MAX48 - 7);
	return cpu;
}

/*
 * The group of counters comes last: two bitmaps, then the values of the counters that are named. That
 * of the recorded event is the value before it is set back.
 */
TEST(a_record_of_format_6_has_the_counters_that_are_named)
{
	const uint64_t config = WITH_COUNTERS | NAMED(0xa, 2) | 8;
	struct vpmu_cpu *cpu = count_with(config);

	cpu->lbr = (struct vpmu_lbr){ .depth = 32, .branch = { { 1, 2, 3 } } };
	wr(cpu, SELECT, INSTRUCTIONS | USR | EN);
	wr(cpu, SELECT + 3, INSTRUCTIONS | USR | EN);
	wr(cpu, COUNTER_FULL + 3, 1000);
	wr(cpu, FIXED, 5000);
	wr(cpu, FIXED + 1, 6000);
	wr(cpu, FIXED_CTRL, 2);
	wr(cpu, GLOBAL_CTRL, VPMU_BIT(32) | 0xb);
	arrive(cpu, 0x1000, 8);
	arrive(cpu, 0x1001, 1);
	assert_int_equal(records, 1);
	assert_int_equal(last.size, PLAIN + 24 + 16 + 3 * 8);
	assert_int_equal(word(0), (uint64_t)last.size << 48 | WITH_COUNTERS | 8);
	assert_int_equal(word(PLAIN), 1);
	assert_int_equal(word(PLAIN + 24), VPMU_BIT(33) | 0xa);
	assert_int_equal(word(PLAIN + 32), 0);
	assert_int_equal(word(PLAIN + 40), 1);
	assert_int_equal(word(PLAIN + 48), 1009);
	assert_int_equal(word(PLAIN + 56), 6000);
	assert_int_equal(rd(cpu, COUNTER_FULL + 1), MAX48 - 7);
	/* Counters are named, but the group is not asked for. */
	cpu = count_with(NAMED(0xa, 2));
	wr(cpu, GLOBAL_CTRL, 2);
	arrive(cpu, 0x1000, 8);
	arrive(cpu, 0x1001, 1);
	assert_int_equal(last.size, PLAIN);
	assert_int_equal(word(0), (uint64_t)PLAIN << 48);
}

/* A record does not set PERF_METRICS or its slots back. */
TEST(a_record_of_format_6_has_the_metrics)
{
	struct vpmu_cpu *cpu = count_with(WITH_METRICS | NAMED(2, 0));
	unsigned int i;

	wr(cpu, FIXED_CTRL, 0x2000);
	wr(cpu, FIXED + 3, 0);
	wr(cpu, GLOBAL_CTRL, VPMU_BIT(48) | VPMU_BIT(35) | 2);
	for (i = 1; i <= 2; i++) {
		cpu->core->counts[1].cycles_with[VCORE_RETIRED][4] += 100;
		cpu->core->counts[1].plain[VCORE_CYCLES] += 100;
		arrive(cpu, 0x1000, 8);
		arrive(cpu, 0x1001, 1);
		assert_int_equal(records, i);
		assert_int_equal(last.size, PLAIN + 32);
		assert_int_equal(word(0), (uint64_t)last.size << 48 | WITH_METRICS);
		assert_int_equal(word(PLAIN), 0);
		assert_int_equal(word(PLAIN + 8), 3);
		assert_int_equal(word(PLAIN + 16), 600 * i);
		assert_int_equal(word(PLAIN + 16), rd(cpu, FIXED + 3));
		assert_int_equal(word(PLAIN + 24), rd(cpu, METRICS));
		assert_int_equal(word(PLAIN + 24) & 0xff, 0xff);
	}
}

TEST(a_group_that_was_not_asked_for_can_be_in_each_16th_record)
{
	struct vpmu_cpu *cpu = count_with(WITH_COUNTERS | NAMED(2, 0));
	unsigned int i, longer = 0;

	assert_int_equal(vpmu_argument("pebs=unknown"), 0);
	wr(cpu, GLOBAL_CTRL, 2);
	for (i = 0; i < 32; i++) {
		arrive(cpu, 0x1000, 8);
		arrive(cpu, 0x1001, 1);
		if (last.size == PLAIN + 24)
			continue;
		assert_int_equal(last.size, PLAIN + 256 + 24);
		assert_int_equal(word(0) & 0xffffffff, WITH_COUNTERS | 4);
		assert_int_equal(word(PLAIN + 256), 2);
		longer++;
	}
	assert_int_equal(longer, 2);
}

TEST(which_counters_records_can_have_depends_on_format_and_core_type)
{
	struct vpmu_cpu *cpu = new_machine(vpmu_part_like("lnl"), 4096, PLAIN);

	store_wr(cpu, DATA_CFG, WITH_COUNTERS | WITH_METRICS | NAMED(0x3ff, 0xf));
	assert_true(refuses(cpu, DATA_CFG, NAMED(0x400, 0)));
	assert_true(refuses(cpu, DATA_CFG, NAMED(0, 0x10)));
	cpu = new_machine(vpmu_part_like("lnl-e"), 4096, PLAIN);
	store_wr(cpu, DATA_CFG, WITH_COUNTERS | NAMED(0xff, 7));
	assert_true(refuses(cpu, DATA_CFG, WITH_METRICS));
	assert_true(refuses(cpu, DATA_CFG, NAMED(0, 8)));
	cpu = new_machine(&vpmu_spr, 4096, PLAIN);
	assert_true(refuses(cpu, DATA_CFG, WITH_COUNTERS));
	assert_true(refuses(cpu, DATA_CFG, WITH_METRICS));
	assert_true(refuses(cpu, DATA_CFG, NAMED(1, 0)));
}

/* A load that missed the L1D and both TLBs, and that is locked and was blocked */
static const struct vcore_insn locked_insn = { .locked = true };
static const struct vcore_accessed load = {
	.insn = &locked_insn, .load = true, .load_va = 0x7f0000001040, .level = VCORE_AT_SNOOP_HITM,
	.walked = true, .blocked = true, .cycles = 300, .miss_cycles = 280,
};

/*
 * What an instruction of the kernel has done, which retired after that of an event in user space: the
 * next instruction was interrupted, or its page was absent. It is in no record of the event.
 */
static const struct vcore_accessed in_kernel = {
	.insn = &locked_insn, .load = true, .store = true, .load_va = 0xffff888000001000,
	.store_va = 0xffff888000002000, .level = VCORE_AT_L2, .cycles = 14, .store_hit = true,
};

/* Lets counter 1 of a part count an event after @accessed, so that its next event is recorded. */
static struct vpmu_cpu *record_access(const struct vpmu_part *part, unsigned int code,
				      const struct vcore_accessed *accessed)
{
	unsigned int counter = code == 0x02cd ? 0 : 1;
	struct vpmu_cpu *cpu = new_machine(part, 4096, PLAIN);
	uint64_t select = 0x10000 | VPMU_BIT(22) | ADAPTIVE | code;

	store_wr(cpu, DATA_CFG, 1);
	store_wr(cpu, PEBS_ENABLE, VPMU_BIT(counter));
	wr(cpu, COUNTER_FULL + counter, MAX48);
	wr(cpu, SELECT + counter, select);
	wr(cpu, GLOBAL_CTRL, VPMU_BIT(counter) | VPMU_BIT(2));
	cpu->core->counts[1].plain[VCORE_SLOW_LOADS]++;
	cpu->core->counts[1].plain[VCORE_STORES]++;
	cpu->score->exact[VPMU_STORES][1]++;
	arrive(cpu, 0x1000, 1);
	cpu->core->counts[1].plain[VCORE_SLOW_LOADS]++;
	cpu->core->counts[1].plain[VCORE_STORES]++;
	cpu->score->exact[VPMU_STORES][1]++;
	cpu->core->accessed[USER] = *accessed;
	cpu->core->accessed[KERNEL] = in_kernel;
	arrive(cpu, 0x1001, 1);
	return cpu;
}

TEST(a_record_has_the_memory_access_of_its_instruction)
{
	static const struct {
		const char *part;
		unsigned int code;
		uint64_t source, latency;
	} cases[] = {
		{ "icl", 0x01cd, 7 | 0x30, 300 },
		{ "gnr", 0x01cd, 7 | 0x70, 300 | 280ull << 32 },
		{ "adl-n", 0x05d0, 6 | 0x70, 300 | 280ull << 32 },
		{ "srf", 0x05d0, 8 | 0xe0, 300 | 280ull << 32 },
		{ "lnl", 0x01cd, 0xd | 0x1c00, 300 | 280ull << 32 },
	};
	unsigned int i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		record_access(vpmu_part_like(cases[i].part), cases[i].code, &load);
		assert_int_equal(records, 1);
		assert_int_equal(last.size, PLAIN + 32);
		assert_int_equal(word(PLAIN), 0x7f0000001040);
		assert_int_equal(word(PLAIN + 8), cases[i].source);
		assert_int_equal(word(PLAIN + 16), cases[i].latency);
		assert_int_equal(word(PLAIN + 24), 0);
	}
}

TEST(a_record_of_stores_has_their_address)
{
	const struct vcore_accessed both = {
		.insn = &locked_insn, .load = true, .load_va = 0x1000, .store = true,
		.store_va = 0x2000, .level = VCORE_AT_L1, .cycles = 5,
	};

	record_access(vpmu_part_like("gnr"), 0x02cd, &both);
	assert_int_equal(records, 1);
	assert_int_equal(word(PLAIN), 0x2000);
	assert_int_equal(word(PLAIN + 8), 0x20);
	assert_int_equal(word(PLAIN + 16), 0);
	record_access(vpmu_part_like("gnr"), 0x01cd, &both);
	assert_int_equal(word(PLAIN), 0x1000);
	assert_int_equal(word(PLAIN + 8), 0x21);
}

TEST(without_the_auxiliary_event_a_record_lacks_the_source)
{
	struct vpmu_cpu *cpu = record_access(&vpmu_spr, 0x01cd, &load);

	assert_int_equal(word(PLAIN), 0x7f0000001040);
	assert_int_equal(word(PLAIN + 8), 0);
	wr(cpu, SELECT + 2, 0x10000 | VPMU_BIT(22) | 0x8203);
	set_field(0x28, BUFFER);
	wr(cpu, COUNTER_FULL + 1, MAX48);
	cpu->core->counts[1].plain[VCORE_SLOW_LOADS]++;
	arrive(cpu, 0x1002, 1);
	cpu->core->counts[1].plain[VCORE_SLOW_LOADS]++;
	arrive(cpu, 0x1003, 1);
	assert_int_equal(records, 2);
	assert_int_equal(word(PLAIN + 8), 7 | 0x70);
}

TEST(the_core_notes_accesses_while_records_have_them)
{
	struct vpmu_cpu *cpu = new_machine(&vpmu_spr, 4096, PLAIN);

	store_wr(cpu, LATENCY, 70);
	assert_int_equal(cpu->core->slow, 70);
	store_wr(cpu, DATA_CFG, 1);
	assert_false(cpu->core->follows);
	store_wr(cpu, PEBS_ENABLE, 1);
	assert_true(cpu->core->follows);
	assert_true(cpu->score->model_on & VPMU_FOR_ACCESSES);
	store_wr(cpu, DATA_CFG, 2);
	assert_false(cpu->core->follows);
	assert_false(cpu->score->model_on & VPMU_FOR_ACCESSES);
	assert_true(refuses(cpu, LATENCY, 0x10000));
}

TEST(a_record_has_the_retire_latency_on_models_that_write_it)
{
	struct vpmu_cpu *cpu = new_machine(vpmu_part_like("gnr"), 4096, PLAIN);

	cpu->core->retire_latency[USER] = 77;
	cpu->core->retire_latency[KERNEL] = 5;
	store_wr(cpu, PEBS_ENABLE, VPMU_BIT(32));
	wr(cpu, FIXED, MAX48);
	wr(cpu, FIXED_CTRL, 2);
	wr(cpu, GLOBAL_CTRL, VPMU_BIT(32));
	arrive(cpu, 0x1000, 1);
	arrive(cpu, 0x1001, 1);
	assert_int_equal(word(0), (uint64_t)PLAIN << 48 | 77ull << 32);
	/* It is that of the recorded instruction, also if the record names one of the kernel. */
	vpmu_options.errata = VPMU_BIT(VPMU_PEBS_ADDRESS);
	wr(cpu, FIXED, MAX48);
	arrive(cpu, 0x1002, 1);
	arrive(cpu, 0xffffffff81000000, 1);
	assert_int_equal(records, 2);
	assert_int_equal(word(0), (uint64_t)PLAIN << 48 | 77ull << 32);
	cpu = count_to_8(4096, PLAIN, 0);
	cpu->core->retire_latency[USER] = 77;
	cpu->core->retire_latency[KERNEL] = 5;
	arrive(cpu, 0x1000, 8);
	arrive(cpu, 0x1001, 1);
	assert_int_equal(word(0), (uint64_t)PLAIN << 48);
}

/* Lets counter 0 count branches, its first event overflow it and its second one write a record. */
static struct vpmu_cpu *record_branch(const struct vpmu_part *part)
{
	struct vpmu_cpu *cpu = new_machine(part, 4096, 8);
	unsigned int i;

	for (i = 0; i < 16; i++)
		machine_regs[VPMU_RAX + i] = 100 + i;
	machine_regs[VPMU_EFLAGS] = 0x246;
	store_wr(cpu, PEBS_ENABLE, 1);
	wr(cpu, SELECT, BRANCHES | USR | EN);
	wr(cpu, COUNTER_FULL, MAX48);
	wr(cpu, GLOBAL_CTRL, 3);
	cpu->score->exact[VPMU_BR_CONDITIONAL][USER]++;
	arrive(cpu, 0x1000, 1);
	cpu->score->exact[VPMU_BR_CONDITIONAL][USER]++;
	arrive(cpu, 0x1004, 1);
	return cpu;
}

/* A record of a format before the adaptive ones has @words words, the TSC only with 25. */
static void has_words(const struct vpmu_part *part, unsigned int words)
{
	static const unsigned int order[] = { 0, 3, 1, 2, 6, 7, 5, 4 };
	struct vpmu_cpu *cpu = record_branch(part);
	unsigned int i;

	assert_int_equal(records, 1);
	assert_int_equal(last.va, BUFFER);
	assert_int_equal(last.size, 8 * words);
	assert_int_equal(word(0), 0x246);
	assert_int_equal(word(8), 0x1004);
	for (i = 0; i < 8; i++) {
		assert_int_equal(word(16 + 8 * i), 100 + order[i]);
		assert_int_equal(word(80 + 8 * i), 108 + i);
	}
	assert_int_equal(word(8 * 18), 1);
	assert_int_equal(word(8 * 22), words > 22 ? 0x1000 : 0);
	assert_int_equal(last.tsc, 8 * 24);
	assert_int_equal(field(0x28), BUFFER + 8 * words);
	assert_int_equal(rd(cpu, GLOBAL_STATUS), STATUS_STORE);
}

TEST(each_format_before_the_adaptive_ones_has_its_fields)
{
	has_words(&vpmu_ivb, 22);
	has_words(vpmu_part_like("ivt"), 22);
	has_words(vpmu_part_like("hsw"), 24);
	has_words(vpmu_part_like("bdx"), 24);
	has_words(&vpmu_skl, 25);
	has_words(vpmu_part_like("skx"), 25);
}

/*
 * Two counters overflow together: up to format 2 the first record has the bits of both. That of the
 * counter without a record stays until software clears it, also if the counter is disarmed.
 */
static void has_status(const struct vpmu_part *part, uint64_t status)
{
	struct vpmu_cpu *cpu = new_machine(part, 4096, 4096);

	store_wr(cpu, PEBS_ENABLE, 3);
	wr(cpu, SELECT, BRANCHES | USR | EN);
	wr(cpu, COUNTER_FULL, MAX48);
	wr(cpu, SELECT + 1, INSTRUCTIONS | USR | EN);
	wr(cpu, COUNTER_FULL + 1, MAX48);
	wr(cpu, GLOBAL_CTRL, 3);
	cpu->score->exact[VPMU_BR_CONDITIONAL][USER]++;
	arrive(cpu, 0x1000, 1);
	arrive(cpu, 0x1004, 1);
	assert_int_equal(records, 1);
	assert_int_equal(word(8 * 18), status);
	assert_int_equal(rd(cpu, GLOBAL_STATUS), status & 1);
	store_wr(cpu, PEBS_ENABLE, 0);
	store_wr(cpu, PEBS_ENABLE, 2);
	assert_int_equal(rd(cpu, GLOBAL_STATUS), status & 1);
	wr(cpu, COUNTER_FULL + 1, MAX48);
	arrive(cpu, 0x1008, 1);
	arrive(cpu, 0x100c, 1);
	assert_int_equal(records, 2);
	assert_int_equal(word(8 * 18), status);
	wr(cpu, GLOBAL_OVF, 3);
	assert_int_equal(rd(cpu, GLOBAL_STATUS), 0);
}

TEST(up_to_format_2_a_record_has_the_counters_that_have_overflowed)
{
	has_status(&vpmu_ivb, 3);
	has_status(vpmu_part_like("hsw"), 3);
	has_status(&vpmu_skl, 2);
}

/*
 * The overflow of slots is found late, too: the record names the instruction that was to retire next
 * when it happened, as with cycles. That of another event is of the instruction that executed last.
 */
TEST(a_record_of_slots_names_the_instruction_of_the_overflow)
{
	static const uint64_t selects[] = { SLOTS, INSTRUCTIONS };
	unsigned int i;

	for (i = 0; i < 2; i++) {
		struct vpmu_cpu *cpu = new_machine(&vpmu_spr, 4096, 4096);

		store_wr(cpu, PEBS_ENABLE, 2);
		wr(cpu, SELECT + 1, selects[i] | USR | EN);
		wr(cpu, COUNTER_FULL + 1, MAX48);
		wr(cpu, GLOBAL_CTRL, 2);
		vpmu_pebs_at(cpu, 0x1001);
		cpu->score->exact[VPMU_INSTRUCTIONS][USER]++;
		cpu->core->counts[USER].cycles_with[VCORE_RETIRED][1]++;
		cpu->pmi.place = 0x1234;
		vpmu_counters_settle(cpu);
		vpmu_counters_restart(cpu);
		cpu->core->counts[USER].cycles_with[VCORE_RETIRED][1]++;
		arrive(cpu, 0x1002, 1);
		assert_int_equal(records, 1);
		assert_int_equal(word(8), i ? 0x1001 : 0x1234);
	}
}

/*
 * Lets counter 3 of a part, whose bits in IA32_PEBS_ENABLE are @enable, count an event after
 * @accessed, so that its next event is recorded if it can be.
 */
static struct vpmu_cpu *record_legacy_access(const struct vpmu_part *part, unsigned int code,
					     uint64_t enable, const struct vcore_accessed *accessed)
{
	struct vpmu_cpu *cpu = new_machine(part, 4096, 8);
	unsigned int i;

	wr(cpu, SELECT + 3, USR | EN | code);
	store_wr(cpu, PEBS_ENABLE, enable);
	wr(cpu, COUNTER_FULL + 3, MAX48);
	wr(cpu, GLOBAL_CTRL, VPMU_BIT(3));
	for (i = 0; i < 2; i++) {
		cpu->core->accessed[USER] = *accessed;
		cpu->core->accessed[KERNEL] = in_kernel;
		cpu->core->counts[USER].plain[VCORE_SLOW_LOADS]++;
		cpu->core->counts[USER].plain[VCORE_STORES]++;
		cpu->score->exact[VPMU_STORES][USER]++;
		cpu->score->exact[VPMU_BR_CONDITIONAL][USER]++;
		cpu->core->counts[USER].plain[VCORE_L1_HIT]++;
		arrive(cpu, 0x1000 + i, 1);
	}
	return cpu;
}

TEST(before_the_adaptive_formats_a_record_has_the_memory_access)
{
	const struct vcore_accessed from_memory = {
		.insn = &(const struct vcore_insn){ 0 }, .load = true, .load_va = 0x5008,
		.level = VCORE_AT_MEMORY, .cycles = 200,
	};
	const struct {
		const struct vpmu_part *part;
		unsigned int memory;
	} parts[] = {
		{ &vpmu_ivb, 0xc }, { vpmu_part_like("bdw"), 0xc }, { &vpmu_skl, 0xa },
	};
	const uint64_t both = VPMU_BIT(3) | VPMU_BIT(35);
	unsigned int i;

	for (i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		assert_true(record_legacy_access(parts[i].part, 0x01cd, both,
						 &load)->core->follows);
		assert_int_equal(records, 1);
		assert_int_equal(word(8 * 19), 0x7f0000001040);
		assert_int_equal(word(8 * 20), 7 | 0x30);
		assert_int_equal(word(8 * 21), 300);
		record_legacy_access(parts[i].part, 0x01cd, both, &from_memory);
		assert_int_equal(word(8 * 20), parts[i].memory);
		/* Without the bit of the load latency it has none. */
		record_legacy_access(parts[i].part, 0x01cd, VPMU_BIT(3), &load);
		assert_int_equal(records, 0);
		/* Records of other events have none. */
		assert_false(record_legacy_access(parts[i].part, BRANCHES, VPMU_BIT(3),
						  &load)->core->follows);
		assert_int_equal(records, 1);
		assert_int_equal(word(8 * 19), 0);
		/* Before Haswell those of other events of loads have no address. */
		record_legacy_access(parts[i].part, 0x01d1, VPMU_BIT(3), &load);
		assert_int_equal(records, 1);
		assert_int_equal(word(8 * 19), i ? 0x7f0000001040 : 0);
		assert_int_equal(word(8 * 20) | word(8 * 21), 0);
	}
}

/* Nehalem's load latency has another code, and other sources; its records say nothing of TLBs. */
TEST(nehalem_records_the_load_latency_by_its_own_code)
{
	const uint64_t both = VPMU_BIT(3) | VPMU_BIT(35);
	const struct vpmu_part *part = vpmu_part_like("nhm");

	assert_true(record_legacy_access(part, 0x100b, both, &load)->core->follows);
	assert_int_equal(records, 1);
	assert_int_equal(last.size, 176);
	assert_int_equal(word(8 * 19), 0x7f0000001040);
	assert_int_equal(word(8 * 20), 6);
	assert_int_equal(word(8 * 21), 300);
	record_legacy_access(part, 0x100b, VPMU_BIT(3), &load);
	assert_int_equal(records, 0);
	/* Records of other events of loads have no access; it has no precise stores. */
	record_legacy_access(part, 0x01cb, VPMU_BIT(3), &load);
	assert_int_equal(records, 1);
	assert_int_equal(word(8 * 19), 0);
	record_legacy_access(part, 0x01d1, VPMU_BIT(3), &load);
	assert_int_equal(records, 0);
	assert_true(refuses(new_machine(part, 4096, 8), PEBS_ENABLE, VPMU_BIT(63)));
	assert_false(vpmu_has_store(vpmu_part_like("bnl")));
}

/* A store that hit the L1D, missed both TLBs, and is locked */
static const struct vcore_accessed store = {
	.insn = &locked_insn, .store = true, .store_va = 0x7f0000002040, .store_hit = true,
	.store_walked = true,
};

TEST(a_precise_store_tells_of_the_l1_the_tlbs_and_its_lock)
{
	const uint64_t both = VPMU_BIT(3) | VPMU_BIT(63);
	struct vcore_accessed missed = store;
	struct vpmu_cpu *cpu = record_legacy_access(&vpmu_ivb, 0x02cd, both, &store);

	assert_true(cpu->core->follows);
	assert_int_equal(records, 1);
	assert_int_equal(word(8 * 19), 0x7f0000002040);
	assert_int_equal(word(8 * 20), 0x31);
	assert_int_equal(word(8 * 21), 0);
	missed.insn = &(const struct vcore_insn){ 0 };
	missed.store_hit = false;
	missed.store_walked = false;
	record_legacy_access(&vpmu_ivb, 0x02cd, both, &missed);
	assert_int_equal(word(8 * 20), 0);
	/* Without the bit of precise stores it has no record. */
	record_legacy_access(&vpmu_ivb, 0x02cd, VPMU_BIT(3), &store);
	assert_int_equal(records, 0);
	record_legacy_access(&vpmu_ivb, 0x02cd, VPMU_BIT(3) | VPMU_BIT(35), &store);
	assert_int_equal(records, 0);
	/* Only these parts have the facility. */
	assert_true(refuses(new_machine(vpmu_part_like("bdw"), 4096, 8), PEBS_ENABLE, both));
	assert_true(refuses(new_machine(&vpmu_skl, 4096, 8), PEBS_ENABLE, both));
}

TEST(from_haswell_on_records_of_stores_say_whether_they_hit_the_l1)
{
	const struct vpmu_part *parts[] = { vpmu_part_like("bdw"), &vpmu_skl };
	struct vcore_accessed missed = store;
	unsigned int i;

	missed.store_hit = false;
	for (i = 0; i < 2; i++) {
		record_legacy_access(parts[i], 0x82d0, VPMU_BIT(3), &store);
		assert_int_equal(records, 1);
		assert_int_equal(word(8 * 19), 0x7f0000002040);
		assert_int_equal(word(8 * 20), 1);
		record_legacy_access(parts[i], 0x82d0, VPMU_BIT(3), &missed);
		assert_int_equal(word(8 * 20), 0);
	}
	record_access(vpmu_part_like("gnr"), 0x82d0, &store);
	assert_int_equal(word(PLAIN + 8), 1);
	/* An event of loads and stores does not say it, and neither do E-cores. */
	record_access(vpmu_part_like("gnr"), 0x83d0, &store);
	assert_int_equal(word(PLAIN + 8), 0);
	record_access(vpmu_part_like("adl-n"), 0x82d0, &store);
	assert_int_equal(word(PLAIN), 0x7f0000002040);
	assert_int_equal(word(PLAIN + 8), 0);
	record_access(vpmu_part_like("gnr"), 0x02cd, &store);
	assert_int_equal(word(PLAIN + 8), 0x20);
}

/* Lets a counter of cycles overflow, and count one cycle more. */
static void have_cycles(struct vpmu_cpu *cpu)
{
	cpu->core->counts[USER].plain[VCORE_CYCLES]++;
	arrive(cpu, 0x1000, 100);
	cpu->core->counts[USER].plain[VCORE_CYCLES]++;
	arrive(cpu, 0x1001, 100);
}

/* The counter of an event without precise records overflows as ever. */
TEST(before_the_adaptive_formats_some_events_have_no_records)
{
	struct vpmu_cpu *cpu = new_machine(&vpmu_ivb, 4096, 8);

	store_wr(cpu, PEBS_ENABLE, 1);
	wr(cpu, SELECT, CYCLES | USR | EN | INT);
	wr(cpu, COUNTER_FULL, MAX48);
	wr(cpu, GLOBAL_CTRL, 1);
	have_cycles(cpu);
	assert_int_equal(records, 0);
	assert_int_equal(machine_interrupts, 1);
	assert_int_equal(rd(cpu, GLOBAL_STATUS), 1);
	cpu = new_machine(&vpmu_ivb, 4096, 8);
	store_wr(cpu, PEBS_ENABLE, 1);
	wr(cpu, SELECT, CYCLES_OF_UOPS | USR | EN);
	wr(cpu, COUNTER_FULL, MAX48);
	wr(cpu, GLOBAL_CTRL, 1);
	have_cycles(cpu);
	assert_int_equal(records, 1);
	assert_int_equal(rd(cpu, GLOBAL_STATUS), STATUS_STORE);
	/* A fixed counter has none either. */
	cpu = new_machine(&vpmu_skl, 4096, 8);
	assert_true(refuses(cpu, PEBS_ENABLE, VPMU_BIT(36)));
	assert_true(refuses(cpu, PEBS_ENABLE, VPMU_BIT(4)));
	assert_false(vpmu_pebs_write(cpu, DATA_CFG, 0));
	assert_false(vpmu_pebs_read(cpu, DATA_CFG, &(uint64_t){ 0 }));
}

TEST(reserved_bits_of_a_store_are_refused)
{
	struct vpmu_cpu *cpu = new_machine(&vpmu_spr, 4096, PLAIN);

	assert_true(refuses(cpu, DS_AREA, VPMU_BIT(50)));
	assert_true(refuses(cpu, PEBS_ENABLE, VPMU_BIT(8)));
	assert_true(refuses(cpu, PEBS_ENABLE, VPMU_BIT(36)));
	assert_true(refuses(cpu, DATA_CFG, 4));
	store_wr(cpu, PEBS_ENABLE, 0xf000000ffull);
}

TEST(a_part_without_a_debug_store_has_no_such_register)
{
	struct vpmu_cpu *cpu = vpmu_cpus;
	uint64_t value;

	machine_new(&vpmu_nhm, 1, 1);
	assert_false(vpmu_pebs_read(cpu, DS_AREA, &value));
	assert_false(vpmu_pebs_write(cpu, DS_AREA, 0));
	machine_new(vpmu_part_like("dmr"), 1, 1);
	assert_false(vpmu_pebs_write(cpu, PEBS_ENABLE, 0));
}
