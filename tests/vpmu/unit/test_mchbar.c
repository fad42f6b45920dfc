// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the counters of a client's memory controllers at MCHBAR, which count the cache lines
 * that the simulated memory transfers.
 */

#include "machine.h"

#include "box/mchbar.h"
#include "machine/window.h"
#include "memory/controller.h"
#include "memory/hierarchy.h"

/*
 * Offsets of 32-bit counters in MCHBAR (Linux, uncore_snb.c, SNB_UNCORE_PCI_IMC_*_BASE). MCHBAR is
 * the offset of the base address register in the host bridge, whose device and function are DEVFN.
 */
#define GRAPHICS 0x5040
#define CORES 0x5044
#define DEVICES 0x5048
#define READS 0x5050
#define WRITES 0x5054
#define MCHBAR 0x48
#define DEVFN (0x10 << 3)

static uint64_t read_window(uint32_t offset, unsigned int bytes)
{
	return vpmu_window_at(0)->read(vpmu_cpus, offset, bytes);
}

/* Creates an Ivy Bridge, which several tests share: memory windows can be added only once. */
TEST_FIXTURE(power_on)
{
	machine_new(&vpmu_ivb, 2, 1);
	vpmu_mchbar_init();
	assert_null(vpmu_window_at(0));
	vpmu_options.imc = 1;
	vpmu_options.top = 16;
	vpmu_mchbar_init();
	return 0;
}

TEST(mchbar_is_a_window_of_the_host_bridge)
{
	const struct vpmu_window *window = vpmu_window_at(0);

	assert_non_null(window);
	assert_int_equal(window->base, 0xfed10000);
	assert_int_equal(window->size, 0x8000);
	assert_null(vpmu_window_at(1));
	assert_true(vpmu_mchbar_at(0, DEVFN));
	assert_false(vpmu_mchbar_at(1, DEVFN));
	assert_false(vpmu_mchbar_at(0, DEVFN + 1));
	assert_int_equal(vpmu_mchbar_config(MCHBAR), window->base | 1);
	assert_int_equal(vpmu_mchbar_config(MCHBAR + 4), 0);
	vpmu_mchbar_config_set(MCHBAR + 4, 7);
	vpmu_mchbar_config_set(MCHBAR, 0);
	assert_int_equal(vpmu_mchbar_config(MCHBAR), 0);
}

/*
 * The first read of a counter starts the simulation of the core; only lines transferred later are
 * counted.
 */
TEST(lines_are_counted_in_mchbar)
{
	struct vcore_traffic *seen =
		&vpmu_cpus[0].core->memory->controller->tracker.counted;

	assert_false(vpmu_cpus[1].score->model_on);
	assert_int_equal(read_window(READS, 4), 0xfffffff0);
	assert_true(vpmu_cpus[1].score->model_on & VPMU_FOR_MEMORY);
	vpmu_cpus[1].score->model_on = 0;
	read_window(READS, 4);
	assert_int_equal(vpmu_cpus[1].score->model_on, 0);
	seen->requests = 100;
	seen->writes = 30;
	assert_int_equal((uint32_t)read_window(READS, 4), 70 - 16);
	assert_int_equal((uint32_t)read_window(WRITES, 4), 30 - 16);
	assert_int_equal((uint32_t)read_window(CORES, 4), 100 - 16);
	assert_int_equal((uint32_t)read_window(GRAPHICS, 4), 0xfffffff0);
	assert_int_equal((uint32_t)read_window(DEVICES, 4), 0xfffffff0);
	assert_int_equal(read_window(READS, 8), 14ull << 32 | 54);
	assert_int_equal(read_window(GRAPHICS + 1, 1) & 0xff, 0xff);
	assert_int_equal(read_window(CORES + 1, 1) & 0xff, 0);
	assert_int_equal(read_window(CORES, 1) & 0xff, 100 - 16);
	assert_int_equal(read_window(0x4000, 4), 0);
	seen->requests = 0;
	seen->writes = 0;
}

TEST(injected_counts_are_added)
{
	assert_true(vpmu_mchbar_move(WRITES, 20, false));
	assert_int_equal((uint32_t)read_window(WRITES, 4), 4);
	assert_true(vpmu_mchbar_move(WRITES, 7, true));
	assert_int_equal((uint32_t)read_window(WRITES, 4), 7);
	assert_false(vpmu_mchbar_move(0x611, 1, false));
	vpmu_window_at(0)->write(vpmu_cpus, WRITES, 4, 1);
	assert_int_equal(vpmu_cpus[0].illegal_writes, 1);
	assert_int_equal((uint32_t)read_window(WRITES, 4), 7);
}

/* Creates an Alder Lake, which has 64-bit counters in each of its two memory controllers. */
TEST_FIXTURE(power_on_64)
{
	machine_new(&vpmu_adl, 2, 1);
	vpmu_options.imc = 3;
	vpmu_options.top = 16;
	vpmu_mchbar_init();
	return 0;
}

#define READS_64 0xd858
#define WRITES_64 0xd8a0
#define REQUESTS_64 0xd840
#define SECOND 0x10000

static uint64_t read_window_64(uint32_t offset, unsigned int bytes)
{
	return vpmu_window_at(1)->read(vpmu_cpus, offset, bytes);
}

TEST_BETWEEN(two_controllers_have_counters_of_64_bits, power_on_64, NULL)
{
	struct vcore_traffic *seen =
		&vpmu_cpus[0].core->memory->controller->tracker.counted;

	/* The base address is above 4 GiB. */
	assert_int_equal(vpmu_window_at(1)->base, 0x4fedc0000);
	assert_int_equal(vpmu_window_at(1)->size, 0x20000);
	assert_int_equal(vpmu_mchbar_config(MCHBAR), 0xfedc0001);
	assert_int_equal(vpmu_mchbar_config(MCHBAR + 4), 4);
	assert_int_equal(vpmu_mchbar_config(MCHBAR + 8), 0);
	assert_int_equal(read_window_64(READS_64, 8), -16ull);
	assert_int_equal((uint32_t)read_window_64(READS_64 + SECOND + 4, 4), 0xffffffff);
	seen->requests = 101;
	seen->writes = 30;
	assert_int_equal(read_window_64(READS_64, 8), 36 - 16);
	assert_int_equal(read_window_64(READS_64 + SECOND, 8), 35 - 16);
	assert_int_equal(read_window_64(WRITES_64, 8), 15ull - 16);
	assert_int_equal(read_window_64(WRITES_64 + SECOND, 8), 15ull - 16);
	assert_int_equal(read_window_64(REQUESTS_64, 8), 51 - 16);
	assert_int_equal(read_window_64(REQUESTS_64 + SECOND, 8), 50 - 16);
	assert_int_equal(read_window_64(0x5050, 8), 0);
	vpmu_options.imc = 2;
	assert_int_equal(read_window_64(READS_64, 8), -1ull);
	assert_int_equal(read_window_64(READS_64 + SECOND, 8), 71 - 16);
	vpmu_options.imc = 3;
	seen->requests = 0;
	seen->writes = 0;
}

TEST(injected_counts_of_64_bits_are_added)
{
	assert_true(vpmu_mchbar_move(WRITES_64 + SECOND, 1u << 31, false));
	assert_true(vpmu_mchbar_move(WRITES_64 + SECOND, 1u << 31, false));
	assert_int_equal(read_window_64(WRITES_64 + SECOND, 8), (1ull << 32) - 16);
	assert_int_equal(read_window_64(WRITES_64, 8), -16ull);
	assert_false(vpmu_mchbar_move(WRITES_64 + 4, 1, false));
	assert_false(vpmu_mchbar_move(WRITES, 1, false));
	assert_false(vpmu_mchbar_move(WRITES_64 + 2 * SECOND, 1, false));
	vpmu_window_at(1)->write(vpmu_cpus, READS_64, 8, 6);
	assert_int_equal(vpmu_cpus[0].illegal_writes, 1);
	vpmu_cpus[0].illegal_writes = 0;
}

/* offsets in MCHBAR of the first controller's PMU box: Linux, uncore_snb.c, ADL_UNCORE_IMC_* */
#define GLOBAL_CTL 0xd9c0
#define BOX_CTL 0xd9c4
#define SELECT(i) (0xd9d0 + 4 * (i))
#define COUNTER(i) (0xd9e8 + 8 * (i))

static void write_box(uint32_t offset, unsigned int bytes, uint64_t value)
{
	vpmu_window_at(1)->write(vpmu_cpus, offset, bytes, value);
}

/* Injects events of a controller; @channels: bitmap of the channels in which they occur. */
static void occurs(unsigned int controller, unsigned int event, unsigned int channels,
		   uint32_t count)
{
	vpmu_mchbar_happen(vpmu_cpus, controller << 16 | channels << 8 | event, 0, count);
}

/*
 * A counter counts the event that its event select selects, in the channels that the event select
 * selects. The control register of a box stops the counters of this box; the global control
 * register stops the counters of all boxes.
 */
TEST(boxes_count_injected_events)
{
	assert_int_equal(read_window_64(COUNTER(0), 8), -16ull);
	write_box(SELECT(0), 4, 0x1c);
	write_box(SELECT(4), 4, 0x21c);
	write_box(COUNTER(4) + SECOND, 8, 7);
	occurs(0, 0x1c, 1, 20);
	occurs(0, 0x1c, 2, 300);
	occurs(0, 0x1d, 2, 5000);
	occurs(1, 0x1c, 2, 60000);
	assert_int_equal(read_window_64(COUNTER(0), 8), 304);
	assert_int_equal(read_window_64(COUNTER(4), 8), 284);
	assert_int_equal(read_window_64(COUNTER(4) + SECOND, 8), 7);
	assert_int_equal((uint32_t)read_window_64(COUNTER(1) + 4, 4), 0xffffffff);
	write_box(BOX_CTL, 4, 1);
	occurs(0, 0x1c, 1, 20);
	write_box(BOX_CTL, 4, 0);
	write_box(GLOBAL_CTL + SECOND, 4, 1);
	occurs(0, 0x1c, 1, 20);
	assert_int_equal(read_window_64(COUNTER(0), 8), 304);
	assert_int_equal((uint32_t)read_window_64(GLOBAL_CTL + SECOND, 4), 1);
	/*
	 * The reset bits of a box's control register reset that box. The reset bits of the global
	 * control register reset the boxes of both controllers.
	 */
	write_box(SELECT(2) + SECOND, 4, 0x40f27);
	write_box(BOX_CTL, 4, 4);
	assert_int_equal(read_window_64(COUNTER(0), 8), 0);
	assert_int_equal((uint32_t)read_window_64(SELECT(4), 4), 0x21c);
	assert_int_equal((uint32_t)read_window_64(SELECT(2) + SECOND, 4), 0x40f27);
	write_box(GLOBAL_CTL + SECOND, 4, 6);
	assert_int_equal((uint32_t)read_window_64(SELECT(4), 4), 0);
	assert_int_equal((uint32_t)read_window_64(SELECT(2) + SECOND, 4), 0);
	assert_int_equal(read_window_64(COUNTER(4) + SECOND, 8), 0);
	assert_int_equal((uint32_t)read_window_64(GLOBAL_CTL + SECOND, 4), 0);
	assert_int_equal(vpmu_cpus[0].illegal_writes, 0);
	/*
	 * Illegal writes: the first controller has no global control register, event selects have
	 * no enable bit, the control register of a box has bits 2:0 only, there is no counter 5,
	 * and a store must have at least 4 bytes.
	 */
	write_box(GLOBAL_CTL, 4, 0);
	write_box(SELECT(0), 4, 0x40001c);
	write_box(BOX_CTL, 4, 8);
	write_box(COUNTER(5), 4, 0);
	write_box(SELECT(0), 2, 0x1c);
	assert_int_equal(vpmu_cpus[0].illegal_writes, 5);
	assert_int_equal((uint32_t)read_window_64(SELECT(0), 4), 0);
	vpmu_cpus[0].illegal_writes = 0;
}

/*
 * A controller's PMU box counts the requests of the simulated cores; its events for DRAM commands
 * count the same requests. A power loss clears the registers of the boxes.
 */
TEST(boxes_count_requests_of_the_model)
{
	struct vcore_traffic *seen =
		&vpmu_cpus[0].core->memory->controller->tracker.counted;

	write_box(SELECT(0) + SECOND, 4, 0x22);
	write_box(SELECT(1) + SECOND, 4, 0x23);
	write_box(SELECT(2) + SECOND, 4, 0x122);
	write_box(SELECT(3) + SECOND, 4, 0x222);
	write_box(SELECT(4) + SECOND, 4, 0x01);
	seen->requests = 101;
	seen->writes = 30;
	seen->cycles_with[1] = 4000;
	assert_int_equal(read_window_64(COUNTER(0) + SECOND, 8), 35);
	assert_int_equal(read_window_64(COUNTER(1) + SECOND, 8), 15);
	assert_int_equal(read_window_64(COUNTER(2) + SECOND, 8), 35);
	assert_int_equal(read_window_64(COUNTER(3) + SECOND, 8), 0);
	assert_int_equal(read_window_64(COUNTER(4) + SECOND, 8), 4000);
	write_box(SELECT(0) + SECOND, 4, 0x03);
	seen->writes = 40;
	write_box(SELECT(0) + SECOND, 4, 0);
	seen->writes = 60;
	assert_int_equal(read_window_64(COUNTER(0) + SECOND, 8), 35 + 5);
	vpmu_mchbar_lose();
	assert_int_equal(read_window_64(COUNTER(0) + SECOND, 8), -16ull);
	assert_int_equal((uint32_t)read_window_64(SELECT(1) + SECOND, 4), 0);
	seen->requests = 0;
	seen->writes = 0;
	seen->cycles_with[1] = 0;
}

/* Only a controller that exists has events: neither a third one, nor one that imc= leaves out. */
TEST_BETWEEN(absent_controllers_count_nothing, power_on_64, NULL)
{
	write_box(SELECT(1), 4, 0x1c);
	write_box(SELECT(1) + SECOND, 4, 0x1c);
	occurs(2, 0x1c, 1, 100);
	occurs(3, 0x1c, 1, 100);
	assert_int_equal(read_window_64(COUNTER(1), 8), -16ull);
	assert_int_equal(read_window_64(COUNTER(1) + SECOND, 8), -16ull);
	vpmu_options.imc = 2;
	occurs(0, 0x1c, 1, 100);
	occurs(1, 0x1c, 1, 3);
	/* A write to it has no effect, and is not illegal. */
	write_box(SELECT(1), 4, 0x1d);
	write_box(SELECT(1), 4, 0x400000);
	assert_int_equal((uint32_t)read_window_64(SELECT(1), 4), 0xffffffff);
	vpmu_options.imc = 3;
	assert_int_equal((uint32_t)read_window_64(SELECT(1), 4), 0x1c);
	assert_int_equal(read_window_64(COUNTER(1), 8), -16ull);
	assert_int_equal(read_window_64(COUNTER(1) + SECOND, 8), -13ull);
	assert_int_equal(vpmu_cpus[0].illegal_writes, 0);
	/* a CPU model without MCHBAR, and one without PMU boxes */
	vpmu_options.part = &vpmu_spr;
	occurs(1, 0x1c, 1, 100);
	assert_false(vpmu_mchbar_at(0, DEVFN));
	assert_false(vpmu_mchbar_move(READS_64, 1, false));
	vpmu_options.part = vpmu_part_like("tgl");
	write_box(SELECT(1), 4, 0x1c);
	assert_int_equal(vpmu_cpus[0].illegal_writes, 1);
	assert_int_equal(read_window_64(SELECT(1), 4), 0);
	vpmu_options.part = &vpmu_adl;
	assert_int_equal(read_window_64(COUNTER(1) + SECOND, 8), -13ull);
}

/* Each half of a register is written by itself; what is no register reads 0, and cannot be written. */
TEST_BETWEEN(memory_controllers_have_these_registers_only, power_on_64, NULL)
{
	static const uint32_t absent[] = {
		GLOBAL_CTL, GLOBAL_CTL - 4, GLOBAL_CTL + 8, SELECT(0) - 4, SELECT(5), COUNTER(5),
		COUNTER(5) + 4, 0xdafc, 0xdb00, 0xd8fc,
	};
	unsigned int i;

	for (i = 0; i < sizeof(absent) / sizeof(*absent); i++) {
		write_box(absent[i], 4, 1);
		assert_int_equal(vpmu_cpus[0].illegal_writes, i + 1);
		assert_int_equal(read_window_64(absent[i], 4), 0);
	}
	vpmu_cpus[0].illegal_writes = 0;
	write_box(COUNTER(4), 8, 0x1122334455667788);
	write_box(COUNTER(4) + 4, 4, 0xaabbccdd);
	assert_int_equal(read_window_64(COUNTER(4), 8), 0xaabbccdd55667788);
	write_box(COUNTER(4), 4, 0x99);
	assert_int_equal(read_window_64(COUNTER(4), 8), 0xaabbccdd00000099);
	assert_int_equal(read_window_64(COUNTER(3), 8), -16ull);
	write_box(SELECT(0), 8, 0x40fffull << 32 | 0x1d);
	assert_int_equal(read_window_64(SELECT(0), 8), 0x40fffull << 32 | 0x1d);
	assert_int_equal((uint32_t)read_window_64(SELECT(2), 4), 0);
	write_box(SELECT(4), 4, 0x0f);
	assert_int_equal((uint32_t)read_window_64(SELECT(4), 4), 0x0f);
	write_box(BOX_CTL, 4, 7);
	assert_int_equal((uint32_t)read_window_64(BOX_CTL, 4), 1);
	assert_int_equal((uint32_t)read_window_64(BOX_CTL + SECOND, 4), 0);
	write_box(GLOBAL_CTL + SECOND, 4, 1);
	assert_int_equal((uint32_t)read_window_64(BOX_CTL + SECOND, 4), 0);
	assert_int_equal(vpmu_cpus[0].illegal_writes, 0);
	/* A power loss clears all of them. */
	write_box(SELECT(4) + SECOND, 4, 0x0f);
	vpmu_mchbar_lose();
	assert_int_equal((uint32_t)read_window_64(SELECT(4) + SECOND, 4), 0);
	assert_int_equal((uint32_t)read_window_64(BOX_CTL, 4), 0);
	assert_int_equal((uint32_t)read_window_64(GLOBAL_CTL + SECOND, 4), 0);
	assert_int_equal(read_window_64(COUNTER(4) + SECOND, 8), -16ull);
}

/* Without the option top= a free-running counter begins at 4096, and one of a box at 0. */
TEST(counters_begin_where_the_options_say)
{
	machine_new(vpmu_part_like("tgl"), 1, 1);
	vpmu_options.imc = 1;
	vpmu_mchbar_init();
	assert_int_equal(vpmu_mchbar_config(MCHBAR), 0xfedc0001);
	assert_int_equal(vpmu_mchbar_config(MCHBAR + 4), 0);
	assert_int_equal(read_window_64(0x5058, 8), 4096);
	assert_int_equal(read_window_64(0x50a0, 8), 4096);
	assert_int_equal(read_window_64(0x5040, 8), 4096);
	assert_int_equal(read_window_64(0x5048, 8), 0);
	assert_true(vpmu_mchbar_move(0x5058, 5, true));
	assert_int_equal(read_window_64(0x5058, 8), 5);
	assert_int_equal(read_window_64(0x5040, 8), 4096);
	assert_false(vpmu_mchbar_move(0x25058, 5, true));
}

TEST_GROUP(power_on, machine_free);
