// SPDX-License-Identifier: GPL-2.0
/*
 * Tests that a register has what the guest has executed up to its access. The core simulates
 * instructions in batches, which the guest must not notice: it reads what they count, and what it
 * writes holds for those behind the write alone.
 */
#include "machine.h"

#include <string.h>

#include "box/imc.h"
#include "counter/fetches.h"
#include "counter/ibs.h"
#include "counter/lbr.h"
#include "counter/pmi.h"
#include "decode/decode.h"
#include "machine/window.h"

/* fewer instructions than the core simulates at once */
#define LOADS 40
#define LINE 64
#define CODE 0xffffffff81000000
#define GLOBAL_ON VPMU_BIT(29)

static struct vcore_insn insns[4 * LOADS];
static uint64_t next_line;

static struct vcore_insn *begin(unsigned int i, const uint8_t *bytes, unsigned int size, uint64_t pc)
{
	assert_true(i < sizeof(insns) / sizeof(*insns));
	vcore_decode(&insns[i], bytes, size, pc, pc & 0xffffff);
	vcore_begin(vpmu_cpus->core, &insns[i]);
	return &insns[i];
}

/* Lets vCPU 0 load from lines that it has not accessed before; @part: of those of @insns to use. */
static void load_lines(unsigned int part)
{
	static const uint8_t load[] = { 0x8b, 0x03 };
	struct vcore_access access = { .size = 4 };
	unsigned int i;

	for (i = 0; i < LOADS; i++) {
		begin(part * LOADS + i, load, 2, CODE + 2 * i);
		next_line += 37 * LINE;
		access.va = 0x10000000 + next_line;
		access.pa = access.va;
		vcore_access(vpmu_cpus->core, &access);
	}
}

static void create(const struct vpmu_part *part)
{
	machine_new(part, 1, 1);
	vpmu_options.ideal.l1i = true;
	vpmu_options.imc = 1;
	vpmu_options.boxes = 1;
	vpmu_boxes_init();
	vpmu_pmi_init(vpmu_cpus);
	vpmu_lbr_init(vpmu_cpus);
	vpmu_ibs_init(vpmu_cpus);
	vpmu_fetches_init(vpmu_cpus);
	if (part->prefetch)
		wr(vpmu_cpus, 0x1a4, 0xf);
	next_line = 0;
}

static const struct vpmu_window *window_of(const char *name)
{
	unsigned int i = 0;

	while (strcmp(vpmu_window_at(i)->name, name))
		i++;
	return vpmu_window_at(i);
}

/* Fails unless a counter has counted the lines that have been loaded @times times LOADS loads. */
static void assert_lines(uint64_t value, unsigned int times)
{
	assert_in_range(value, times * (LOADS - 1), times * (LOADS + 20));
}

/* Arbiter, slices and channels: a read counts the loads before it; what they were told stops them. */
TEST(an_arbiter_counts_up_to_the_access)
{
	struct vpmu_cpu *cpu = vpmu_cpus;

	create(&vpmu_ivb);
	box_wr(cpu, 0x3b2, 0x0181 | EN);
	load_lines(0);
	box_wr(cpu, 0x391, GLOBAL_ON);
	assert_int_equal(box_rd(cpu, 0x3b0), 0);
	load_lines(1);
	assert_lines(box_rd(cpu, 0x3b0), 1);
	load_lines(2);
	box_wr(cpu, 0x391, 0);
	assert_lines(box_rd(cpu, 0x3b0), 2);
	load_lines(3);
	box_wr(cpu, 0x391, GLOBAL_ON);
	assert_lines(box_rd(cpu, 0x3b0), 2);
}

TEST(a_slice_counts_up_to_the_access)
{
	struct vpmu_cpu *cpu = vpmu_cpus;
	uint64_t first;

	create(vpmu_part_like("ivt"));
	box_wr(cpu, 0xd14, 0x3f << 17);
	load_lines(0);
	box_wr(cpu, 0xd10, 0x1134 | EN);
	assert_int_equal(box_rd(cpu, 0xd16), 0);
	load_lines(1);
	first = box_rd(cpu, 0xd16);
	assert_lines(first, 1);
	load_lines(2);
	box_wr(cpu, 0xd10, 0);
	assert_lines(box_rd(cpu, 0xd16), 2);
}

TEST(a_channel_counts_up_to_the_access)
{
	create(vpmu_part_like("ivt"));
	load_lines(0);
	vpmu_imc_write(vpmu_cpus, 0, 0, 0xd8, 0x0304 | EN);
	assert_int_equal(vpmu_imc_read(vpmu_cpus, 0, 0, 0xa0), 0);
	load_lines(1);
	assert_lines(vpmu_imc_read(vpmu_cpus, 0, 0, 0xa0), 1);
	load_lines(2);
	vpmu_imc_write(vpmu_cpus, 0, 0, 0xd8, 0);
	assert_lines(vpmu_imc_read(vpmu_cpus, 0, 0, 0xa0), 2);
}

TEST(a_memory_mapped_counter_counts_up_to_the_access)
{
	const struct vpmu_window *window;
	uint64_t before;

	create(&vpmu_ivb);
	window = window_of("mchbar");
	load_lines(0);
	before = (uint32_t)window->read(vpmu_cpus, 0x5050, 4);
	assert_lines(before - 4096, 1);
	load_lines(1);
	assert_lines((uint32_t)window->read(vpmu_cpus, 0x5050, 4) - before, 1);
	create(vpmu_part_like("icx"));
	window = window_of("imc");
	before = window->read(vpmu_cpus, 0x102290, 8);
	load_lines(0);
	assert_lines(window->read(vpmu_cpus, 0x102290, 8) - before, 1);
	create(&vpmu_spr);
	window = window_of("discovered");
	load_lines(0);
	window->write(vpmu_cpus, 0x4040, 4, 0x105);
	assert_int_equal(window->read(vpmu_cpus, 0x4008, 8), 0);
	load_lines(1);
	assert_lines(window->read(vpmu_cpus, 0x4008, 8), 1);
	load_lines(2);
	window->write(vpmu_cpus, 0x4040, 4, 0);
	assert_lines(window->read(vpmu_cpus, 0x4008, 8), 2);
}

/* Lets vCPU 0 jump @nr times, from one jump to the next. */
static void jump(unsigned int nr)
{
	static const uint8_t jmp[] = { 0xeb, 0x0e };
	unsigned int i;

	for (i = 0; i < nr; i++)
		begin(i, jmp, 2, CODE + 16 * i);
	vcore_next(vpmu_cpus->core, CODE + 16 * nr, KERNEL);
}

static uint64_t newest(void)
{
	uint64_t tos = 0;

	assert_true(vpmu_lbr_read(vpmu_cpus, 0x1c9, &tos));
	return tos;
}

TEST(branches_are_recorded_up_to_the_access)
{
	struct vpmu_cpu *cpu = vpmu_cpus;

	create(&vpmu_skl);
	jump(3);
	/* What has been executed before the records are turned on is not in them. */
	assert_true(vpmu_pmi_write(cpu, 0x1d9, 1));
	assert_int_equal(newest(), 0);
	jump(5);
	assert_int_equal(newest(), 5);
	jump(4);
	/* Jumps are suppressed from here on. */
	assert_true(vpmu_lbr_write(cpu, 0x1c8, 0x1fc));
	assert_int_equal(newest(), 9);
	jump(4);
	assert_int_equal(newest(), 9);
	assert_true(vpmu_lbr_write(cpu, 0x1c8, 0));
	assert_int_equal(newest(), 9);
	jump(2);
	assert_true(vpmu_pmi_write(cpu, 0x1d9, 0));
	assert_int_equal(newest(), 11);
}

/* Lets vCPU 0 execute @nr NOPs. */
static void idle(unsigned int nr)
{
	static const uint8_t nop[] = { 0x90 };
	unsigned int i;

	for (i = 0; i < nr; i++)
		begin(i, nop, 1, CODE + i);
}

static uint64_t ops(void)
{
	uint64_t ctl = 0;

	assert_true(vpmu_ibs_read(vpmu_cpus, 0xc0011033, &ctl));
	return ctl >> 32;
}

/* IBS counts ops from the write that turns it on. */
TEST(ops_are_counted_up_to_the_access)
{
	struct vpmu_cpu *cpu = vpmu_cpus;

	create(&vpmu_zen4);
	idle(100);
	assert_true(vpmu_ibs_write(cpu, 0xc0011033, VPMU_BIT(17) | VPMU_BIT(19) | 0x1000));
	assert_int_equal(ops(), 0);
	idle(100);
	assert_in_range(ops(), 96, 100);
	idle(60);
	assert_in_range(ops(), 156, 160);
	assert_int_equal(cpu->illegal_writes, 0);
}

TEST(counters_of_the_core_count_up_to_the_access)
{
	struct vpmu_cpu *cpu = vpmu_cpus;
	uint64_t cycles;

	create(&vpmu_ivb);
	idle(100);
	wr(cpu, 0x186, 0x3c | OS | EN);
	wr(cpu, 0x38f, 1);
	assert_int_equal(rd(cpu, 0xc1), 0);
	idle(100);
	cycles = rd(cpu, 0xc1);
	assert_in_range(cycles, 20, 200);
	idle(100);
	wr(cpu, 0x38f, 0);
	assert_true(rd(cpu, 0xc1) >= cycles + 20);
}

TEST_GROUP(NULL, machine_free);
