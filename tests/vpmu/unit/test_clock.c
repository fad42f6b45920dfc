// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the limit of guest time per simulated instruction: 64 ns each, or what the option ns=
 * says, shared by the cores that are simulated. The host's clock is the test's own.
 */
#include "qemu.h"

#include "qemu/clock.h"

/* guest time for the instructions after which a vCPU asks for more, at 64 ns each */
#define STEP (VPMU_CLOCK_STEP * 64)

static void boot(unsigned int cpus)
{
	qemu_boot(&vpmu_ivb, cpus, 1);
	qemu.ns = 1000000007;
}

/* Lets the host's time pass, and a vCPU simulate another 512 instructions. */
static void feed(unsigned int cpu, uint64_t ns)
{
	qemu.ns += ns;
	vpmu_clock_fed(&vpmu_cpus[cpu]);
}

static void assert_ticks(unsigned int stops, unsigned int goes)
{
	assert_int_equal(qemu.stops, stops);
	assert_int_equal(qemu.goes, goes);
}

static void halt(unsigned int cpu)
{
	vpmu_clock_halt(&vpmu_cpus[cpu]);
}

TEST(time_stops_when_the_host_is_ahead)
{
	assert_int_equal(qemu_load(0, NULL), 0);
	boot(2);
	/* what has passed before the simulation does not count */
	feed(0, 5000000000);
	feed(0, STEP);
	assert_ticks(0, 0);
	feed(0, 2 * STEP - 1);
	assert_ticks(0, 0);
	feed(0, STEP);
	assert_ticks(0, 0);
	feed(0, STEP + 1);
	assert_ticks(1, 0);
	/* While guest time stands, that of the host does not count. */
	feed(0, 7000000000);
	assert_ticks(1, 1);
	feed(0, 2 * STEP);
	assert_ticks(2, 1);
	feed(0, 0);
	assert_ticks(2, 2);
	halt(0);
	assert_ticks(2, 2);
}

TEST(cores_share_the_limit)
{
	boot(3);
	feed(0, 0);
	feed(1, 0);
	/* that of core 0 alone, and half of one for each of the others since */
	feed(0, 2 * STEP - 1);
	assert_ticks(0, 0);
	feed(1, STEP / 2 + 1);
	assert_ticks(1, 0);
	halt(0);
	assert_ticks(1, 0);
	/* Core 1 is alone, and gets all of it. */
	feed(1, 0);
	assert_ticks(1, 1);
	feed(1, 2 * STEP - 1);
	assert_ticks(1, 1);
	feed(1, STEP + 1);
	assert_ticks(2, 1);
	/* When the last core has halted, time passes, and debts are forgotten. */
	halt(1);
	assert_ticks(2, 2);
	halt(1);
	assert_ticks(2, 2);
	feed(2, 0);
	assert_ticks(2, 2);
	feed(2, 2 * STEP - 1);
	assert_ticks(2, 2);
	halt(2);
	assert_int_equal(vpmu_cpus[2].core->trace.end, 0);
}

TEST(the_limit_is_an_option)
{
	boot(2);
	vpmu_options.ns = 3;
	feed(0, 0);
	feed(0, 2 * 3 * VPMU_CLOCK_STEP - 1);
	assert_ticks(0, 0);
	feed(0, 3 * VPMU_CLOCK_STEP + 1);
	assert_ticks(1, 0);
	halt(0);
	assert_ticks(1, 1);
}

/* The time of one vCPU follows its instructions: QEMU has -icount. */
TEST(the_time_of_one_vcpu_does_not_stop)
{
	boot(1);
	feed(0, 0);
	feed(0, 1000 * STEP);
	feed(0, 1000 * STEP);
	assert_ticks(0, 0);
}

/* The plugin asks every 512 instructions. The last test: it raises the level. */
TEST(simulated_instructions_let_time_pass)
{
	const struct qemu_plugin_tb *tb;
	unsigned int i;

	boot(2);
	vpmu_model_wanted(vpmu_cpus, VPMU_FOR_CORE);
	qemu_flush();
	tb = qemu_translate(0x401000, "90");
	for (i = 0; i < VPMU_CLOCK_STEP; i++)
		qemu_run(0, tb);
	assert_int_equal(vpmu_cpus->fed, 0);
	qemu.ns += 2 * STEP;
	for (i = 0; i < VPMU_CLOCK_STEP - 1; i++)
		qemu_run(0, tb);
	assert_ticks(0, 0);
	qemu_run(0, tb);
	assert_ticks(1, 0);
	qemu_idle(0);
	assert_ticks(1, 1);
	assert_false(vpmu_cpus->core->open);
}

TEST_GROUP(NULL, machine_free);
