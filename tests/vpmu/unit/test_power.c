// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of power loss, as in S3: all registers of counters have their values at power on
 * afterwards, and the TSC restarts.
 */
#include "machine.h"

#include <string.h>

#include "machine/regs.h"
#include "machine/window.h"
#include "qemu/power.h"
#include "qemu/tsc.h"

/* MSR addresses: SDM Vol. 4, table 2-2 */
#define SELECT 0x186
#define COUNTER 0xc1
#define FIXED 0x309
#define FIXED_CTRL 0x38d
#define GLOBAL_STATUS 0x38e
#define GLOBAL_CTRL 0x38f
#define GLOBAL_SET 0x391
#define PREFETCH 0x1a4
#define OFFCORE 0x1a6
#define FRONTEND 0x3f7
#define PERF_METRICS 0x329
#define FROZEN VPMU_BIT(59)

/*
 * The firmware's first instruction is executed at power-on, when no register need be reset. If it
 * is executed again, the machine has lost power in the meantime.
 */
TEST(a_reset_is_power_loss_from_the_second_one_on)
{
	assert_true(vpmu_is_reset(0xfffffff0));
	assert_false(vpmu_is_reset(0xfffffffffffffff0));
	assert_false(vpmu_is_reset(0xffff0));
	machine_new(&vpmu_spr, 1, 1);
	wr(vpmu_cpus, SELECT, 0xc0);
	assert_false(vpmu_power());
	assert_false(vpmu_tsc_differs());
	assert_int_equal(rd(vpmu_cpus, SELECT), 0xc0);
	assert_true(vpmu_power());
	assert_int_equal(rd(vpmu_cpus, SELECT), 0);
	assert_true(vpmu_tsc_differs());
}

TEST(registers_of_a_cpu_have_their_values_at_power_on)
{
	struct vpmu_cpu *cpu = &vpmu_cpus[1];
	unsigned int i;

	machine_new(&vpmu_spr, 2, 1);
	vpmu_options.top = 16;
	for (i = 0; i < 8; i++) {
		wr(cpu, SELECT + i, 0xc0 | USR | EN);
		wr(cpu, 0x4c1 + i, 100 + i);
	}
	for (i = 0; i < 4; i++)
		wr(cpu, FIXED + i, 255);
	wr(cpu, PERF_METRICS, 0x80);
	wr(cpu, OFFCORE, 1);
	wr(cpu, OFFCORE + 1, 1);
	wr(cpu, FRONTEND, 1);
	wr(cpu, PREFETCH, 0xf);
	wr(cpu, FIXED_CTRL, 0x3333);
	wr(cpu, GLOBAL_CTRL, VPMU_BIT(48) | 0xfull << 32 | 0xff);
	wr(cpu, GLOBAL_SET, 0xfull << 32 | 0xff);
	assert_true(cpu->counting);
	assert_int_equal(rd(cpu, PERF_METRICS), 0x7f000080);
	assert_true(vpmu_power());
	for (i = 0; i < 8; i++) {
		assert_int_equal(rd(cpu, SELECT + i), 0);
		assert_int_equal(rd(cpu, COUNTER + i), VPMU_BIT(48) - 16);
	}
	for (i = 0; i < 4; i++)
		assert_int_equal(rd(cpu, FIXED + i), VPMU_BIT(48) - 16);
	assert_int_equal(rd(cpu, PERF_METRICS), 0);
	assert_int_equal(rd(cpu, OFFCORE), 0);
	assert_int_equal(rd(cpu, OFFCORE + 1), 0);
	assert_int_equal(rd(cpu, FRONTEND), 0);
	assert_int_equal(rd(cpu, PREFETCH), 0);
	assert_int_equal(rd(cpu, FIXED_CTRL), 0);
	assert_int_equal(rd(cpu, GLOBAL_CTRL), 0);
	assert_int_equal(rd(cpu, GLOBAL_STATUS), 0);
	assert_false(cpu->counting);
	/* Counters that were frozen are not frozen after the power loss. */
	wr(cpu, GLOBAL_SET, FROZEN);
	assert_int_equal(rd(cpu, GLOBAL_STATUS), FROZEN);
	vpmu_power();
	assert_int_equal(rd(cpu, GLOBAL_STATUS), 0);
}

/* Registers of boxes, here of an IIO stack and a PCU, lose their values, too. */
TEST(registers_of_boxes_have_their_values_at_power_on)
{
	machine_new(vpmu_part_like("skx"), 2, 1);
	vpmu_options.fabric = 1;
	vpmu_boxes_init();
	box_wr(&vpmu_cpus[1], 0xa48, 0x100400104);
	box_wr(&vpmu_cpus[1], 0xa41, 99);
	box_wr(&vpmu_cpus[1], 0xa40, 0x100);
	box_wr(vpmu_cpus, 0x711, 0x400000);
	box_wr(vpmu_cpus, 0x715, 0x10);
	vpmu_power();
	assert_int_equal(box_rd(&vpmu_cpus[1], 0xa48), 0);
	assert_int_equal(box_rd(&vpmu_cpus[1], 0xa41), 0);
	assert_int_equal(box_rd(&vpmu_cpus[1], 0xa40), 0);
	assert_int_equal(box_rd(vpmu_cpus, 0x711), 0);
	assert_int_equal(box_rd(vpmu_cpus, 0x715), 0);
}

/* So do those of discovered units, here of a CHA, and of a memory channel that counts lines. */
TEST(registers_of_discovered_units_have_their_values_at_power_on)
{
	const struct vpmu_window *window;
	unsigned int i = 0;

	machine_new(&vpmu_spr, 2, 1);
	vpmu_options.imc = 1;
	vpmu_boxes_init();
	while (strcmp(vpmu_window_at(i)->name, "discovered"))
		i++;
	window = vpmu_window_at(i);
	box_wr(vpmu_cpus, 0x2002, 0x0136);
	box_wr(vpmu_cpus, 0x2008, 99);
	box_wr(vpmu_cpus, 0x2000, 1);
	window->write(vpmu_cpus, 0x4040, 4, 0x105);
	assert_int_equal(window->read(vpmu_cpus, 0x4040, 4), 0x105);
	assert_true(vpmu_cpus[1].score->model_on & VPMU_FOR_UNCORE);
	vpmu_power();
	assert_int_equal(box_rd(vpmu_cpus, 0x2002), 0);
	assert_int_equal(box_rd(vpmu_cpus, 0x2008), 0);
	assert_int_equal(box_rd(vpmu_cpus, 0x2000), 0);
	assert_int_equal(window->read(vpmu_cpus, 0x4040, 4), 0);
	assert_false(vpmu_cpus[1].score->model_on & VPMU_FOR_UNCORE);
	/* A counter that counts lines again lets the core be simulated again. */
	window->write(vpmu_cpus, 0x4040, 4, 0x105);
	assert_true(vpmu_cpus[1].score->model_on & VPMU_FOR_UNCORE);
	vpmu_power();
}

static uint64_t rdtsc(uint64_t qemu)
{
	vpmu_reg_write_pair(qemu);
	vpmu_cpus->score->tsc_read = 1;
	vpmu_tsc_amend(vpmu_cpus);
	assert_int_equal(vpmu_cpus->score->tsc_read, 0);
	return machine_regs[VPMU_RDX] << 32 | machine_regs[VPMU_RAX];
}

/* After a power loss the first RDTSC on any CPU reads 0, and the TSCs of all CPUs are equal. */
TEST(the_tsc_restarts_at_0)
{
	static const uint8_t code[] = { 0x0f, 0x31 }, serialising[] = { 0x0f, 0x01, 0xf9 };
	static const uint8_t others[] = { 0x0f, 0x30, 0x0f, 0x01, 0xf8 };

	machine_new(&vpmu_ivb, 1, 1);
	vpmu_power();
	assert_true(vpmu_tsc_is_read(code, 2));
	assert_true(vpmu_tsc_is_read(serialising, 3));
	assert_false(vpmu_tsc_is_read(code, 1));
	assert_false(vpmu_tsc_is_read(serialising, 2));
	assert_false(vpmu_tsc_is_read(others, 2));
	assert_false(vpmu_tsc_is_read(others + 2, 3));
	assert_int_equal(rdtsc(0x1fffffff0), 0);
	assert_int_equal(rdtsc(0x200000010), 0x20);
	assert_int_equal(rdtsc(0x300000000), 0x100000010);
	vpmu_power();
	assert_int_equal(rdtsc(0x400000000), 0);
	assert_int_equal(rdtsc(0x400000007), 7);
}

/*
 * The guest's TSC has 2.4 ticks for a tick of QEMU's TSC. The guest's value is rounded down, and is
 * right even if the product of QEMU's TSC and the rate exceeds 64 bits.
 */
TEST(the_tsc_has_a_rate_of_its_own)
{
	static const uint8_t code[] = { 0x0f, 0x31 };

	machine_new(&vpmu_ivb, 1, 1);
	vpmu_options.tsc = 2400;
	vpmu_power();
	assert_int_equal(rdtsc(1000), 0);
	assert_int_equal(rdtsc(1003), 7);
	assert_int_equal(rdtsc(1000 + 5000000000), 12000000000);
	assert_int_equal(rdtsc(1000 + 7000000000000000005), 16800000000000000012ull);
	/*
	 * With the option s3=tsc the TSC does not restart after a power loss. The option tsc= still
	 * sets the rate of the TSC. If neither is given, the guest's TSC is QEMU's TSC.
	 */
	vpmu_options.tsc_runs_on = true;
	vpmu_power();
	assert_true(vpmu_tsc_is_read(code, 2));
	assert_int_equal(rdtsc(1000), 2400);
	vpmu_options.tsc = 0;
	assert_false(vpmu_tsc_is_read(code, 2));
	assert_false(vpmu_tsc_differs());
}

TEST_GROUP(NULL, machine_free);
