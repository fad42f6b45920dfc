// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the core's counters and of their registers: they behave as the manual of each CPU model
 * says, and with an injected erratum as that erratum's source says.
 */

#include "machine.h"

#include <stdlib.h>
#include <unistd.h>

#include "counter/leak.h"
#include "event/erratum.h"
#include "event/uncounted.h"
#include "qemu/arguments.h"

/* MSR addresses: SDM Vol. 4, table 2-2 */
#define SELECT 0x186
#define COUNTER 0xc1
#define COUNTER_FULL 0x4c1
#define FIXED 0x309
#define FIXED_CTRL 0x38d
#define GLOBAL_CTRL 0x38f
#define GLOBAL_STATUS 0x38e
#define GLOBAL_OVF 0x390
#define GLOBAL_SET 0x391
#define GLOBAL_INUSE 0x392
#define PREFETCH 0x1a4
#define PERF_METRICS 0x329
/* MSRs of AMD's CPUs: Linux, msr-index.h, MSR_F15H_PERF_CTL, MSR_AMD64_PERF_CNTR_GLOBAL_CTL */
#define ZEN_SELECT 0xc0010200
#define ZEN_GLOBAL_CTRL 0xc0000301
#define WRAP VPMU_BIT(48)

#define INSTRUCTIONS 0xc0
#define LOADS 0x81d0
#define CYCLES 0x3c
#define CYCLES_NOT_IN_HALT 0x76

static void retire(struct vpmu_cpu *cpu, unsigned int kernel, unsigned int user)
{
	cpu->score->exact[VPMU_INSTRUCTIONS][KERNEL] += kernel;
	cpu->score->exact[VPMU_INSTRUCTIONS][USER] += user;
}

/*
 * Must be the first test of the file, because after other tests the core is still being simulated.
 */
TEST(enabled_events_start_the_model_they_need)
{
	struct vpmu_cpu *cpu = vpmu_cpus;
	uint64_t *on;

	machine_new(&vpmu_ivb, 1, 1);
	machine_retranslated = 0;
	on = &cpu->score->model_on;
	vpmu_model_all(VPMU_FOR_SLICES, false);
	assert_int_equal(vpmu_level(), VPMU_LEVEL_NOTHING);
	assert_int_equal(*on, 0);
	wr(cpu, SELECT, INSTRUCTIONS | USR | EN);
	wr(cpu, GLOBAL_CTRL, 3);
	assert_int_equal(vpmu_level(), VPMU_LEVEL_EXACT);
	assert_int_equal(*on, 0);
	wr(cpu, SELECT + 1, CYCLES | USR | EN);
	assert_int_equal(vpmu_level(), VPMU_LEVEL_MODEL);
	assert_int_equal(*on, VPMU_FOR_CORE);
	/*
	 * The core is being simulated already: a second counter that needs the simulation must not
	 * let QEMU discard its translations again.
	 */
	wr(cpu, SELECT + 2, CYCLES | OS | EN);
	assert_int_equal(machine_retranslated, 2);
	wr(cpu, GLOBAL_CTRL, 1);
	assert_int_equal(*on, VPMU_LINGERS);
	vpmu_options.no_model = true;
	wr(cpu, GLOBAL_CTRL, 3);
	assert_int_equal(*on, VPMU_LINGERS);
}

/*
 * The two hyper-threads of a core issue in alternate cycles. A thread can therefore be simulated
 * only while the other thread is simulated, too.
 */
TEST(the_model_of_a_thread_that_shares_slots_starts_with_its_siblings)
{
	machine_new(&vpmu_zen4, 4, 2);
	vcore_share(vpmu_cpus[2].core, 3);
	vcore_share(vpmu_cpus[3].core, 2);
	wr(&vpmu_cpus[3], ZEN_SELECT, CYCLES_NOT_IN_HALT | USR | EN);
	wr(&vpmu_cpus[3], ZEN_GLOBAL_CTRL, 1);
	assert_int_equal(vpmu_cpus[3].score->model_on, VPMU_FOR_CORE);
	assert_int_equal(vpmu_cpus[2].score->model_on, VPMU_FOR_SIBLING);
	assert_int_equal(vpmu_cpus[1].score->model_on, 0);
	wr(&vpmu_cpus[3], ZEN_GLOBAL_CTRL, 0);
	assert_int_equal(vpmu_cpus[2].score->model_on, VPMU_LINGERS);
}

TEST(counters_count_at_their_privilege_levels)
{
	struct vpmu_cpu *cpu = vpmu_cpus;

	machine_new(&vpmu_ivb, 1, 1);
	retire(cpu, 1000, 1000);
	wr(cpu, SELECT, INSTRUCTIONS | USR | EN);
	wr(cpu, SELECT + 1, INSTRUCTIONS | OS | EN);
	wr(cpu, SELECT + 2, INSTRUCTIONS | USR | OS | EN);
	wr(cpu, SELECT + 3, INSTRUCTIONS | USR | OS);
	wr(cpu, COUNTER + 1, 40);
	wr(cpu, GLOBAL_CTRL, 0xf);
	retire(cpu, 5, 7);
	assert_int_equal(rd(cpu, COUNTER), 7);
	assert_int_equal(rd(cpu, COUNTER + 1), 45);
	assert_int_equal(rd(cpu, COUNTER + 2), 12);
	assert_int_equal(rd(cpu, COUNTER + 3), 0);
	/* Counter 1 stays enabled; the others are disabled now. */
	wr(cpu, GLOBAL_CTRL, 0x2);
	retire(cpu, 5, 7);
	assert_int_equal(rd(cpu, COUNTER), 7);
	assert_int_equal(rd(cpu, COUNTER + 1), 50);
	assert_int_equal(rd(cpu, COUNTER + 2), 12);
}

TEST(fixed_counters_count)
{
	struct vpmu_cpu *cpu = vpmu_cpus;
	uint64_t value;

	machine_new(&vpmu_ivb, 1, 1);
	/*
	 * The fixed counters count instructions in user space, cycles at both privilege levels, and
	 * reference cycles in the kernel.
	 */
	wr(cpu, GLOBAL_CTRL, 7ull << 32);
	assert_false(cpu->counting);
	wr(cpu, FIXED_CTRL, 0x132);
	assert_true(cpu->counting);
	retire(cpu, 100, 11);
	cpu->core->counts[KERNEL].plain[VCORE_CYCLES] += 500;
	cpu->core->counts[USER].plain[VCORE_CYCLES] += 33;
	assert_int_equal(rd(cpu, FIXED), 11);
	assert_int_equal(rd(cpu, FIXED + 1), 533);
	assert_int_equal(rd(cpu, FIXED + 2), 500);
	assert_true(vpmu_rdpmc(cpu, 1 << 30 | 1, &value));
	assert_int_equal(value, 533);
	assert_false(vpmu_rdpmc(cpu, 1 << 30 | 3, &value));
	wr_refused(cpu, FIXED_CTRL, 1 << 12);
	wr_refused(cpu, FIXED, WRAP);
}

TEST(counters_wrap_and_set_overflow)
{
	struct vpmu_cpu *cpu = vpmu_cpus;

	machine_new(&vpmu_skl, 1, 2);
	wr(cpu, SELECT + 2, INSTRUCTIONS | USR | EN);
	wr(cpu, COUNTER_FULL + 2, WRAP - 3);
	wr(cpu, FIXED_CTRL, 0x2);
	wr(cpu, FIXED, WRAP - 4);
	wr(cpu, GLOBAL_CTRL, 1ull << 32 | 4);
	retire(cpu, 0, 2);
	assert_int_equal(rd(cpu, COUNTER + 2), WRAP - 1);
	assert_int_equal(rd(cpu, GLOBAL_STATUS), 0);
	retire(cpu, 0, 3);
	assert_int_equal(rd(cpu, COUNTER + 2), 2);
	assert_int_equal(rd(cpu, FIXED), 1);
	assert_int_equal(rd(cpu, GLOBAL_STATUS), 1ull << 32 | 4);
	wr(cpu, GLOBAL_OVF, 4);
	assert_int_equal(rd(cpu, GLOBAL_STATUS), 1ull << 32);
	wr(cpu, GLOBAL_SET, VPMU_BIT(62) | 2);
	assert_int_equal(rd(cpu, GLOBAL_STATUS), 1ull << 32 | 2);
	wr_refused(cpu, GLOBAL_STATUS, 1);
}

TEST(written_counters_are_sign_extended)
{
	struct vpmu_cpu *cpu = vpmu_cpus;

	machine_new(&vpmu_ivb, 2, 2);
	wr(cpu, COUNTER, 0x7fffffff);
	assert_int_equal(rd(cpu, COUNTER), 0x7fffffff);
	wr(cpu, COUNTER, 0x80000000);
	assert_int_equal(rd(cpu, COUNTER_FULL), 0xffff80000000);
	wr_refused(cpu, COUNTER_FULL, WRAP);
	wr_refused(cpu, SELECT, VPMU_BIT(32));
	wr_refused(cpu, GLOBAL_CTRL, 1 << 4);
	wr_refused(cpu, GLOBAL_CTRL, 1ull << 35);
	wr_refused(cpu, PREFETCH, 1 << 4);
	cpu->deaf = VPMU_DEAF_PREFETCH;
	wr(cpu, PREFETCH, 1);
	wr(cpu, GLOBAL_CTRL, 1);
	assert_int_equal(rd(cpu, PREFETCH), 0);
	assert_int_equal(rd(cpu, GLOBAL_CTRL), 1);
	cpu->deaf = VPMU_DEAF_COUNTERS;
	wr(cpu, PREFETCH, 1);
	wr(cpu, GLOBAL_CTRL, 2);
	assert_int_equal(rd(cpu, PREFETCH), 1);
	assert_int_equal(rd(cpu, GLOBAL_CTRL), 1);
}

TEST(faults_are_injected)
{
	struct vpmu_cpu *cpu = vpmu_cpus;
	uint64_t value;

	machine_new(&vpmu_ivb, 2, 2);
	cpu->ignored = CYCLES;
	wr(cpu, SELECT, INSTRUCTIONS | USR);
	wr(cpu, SELECT, CYCLES | USR);
	assert_int_equal(rd(cpu, SELECT), INSTRUCTIONS | USR);
	wr(vpmu_cpus + 1, SELECT, CYCLES | USR);
	assert_int_equal(rd(vpmu_cpus + 1, SELECT), CYCLES | USR);
	cpu->deaf = VPMU_DEAF_VALUES;
	wr(cpu, SELECT, LOADS | USR);
	assert_int_equal(rd(cpu, SELECT), LOADS | USR);
	wr(cpu, COUNTER, 7);
	wr(cpu, COUNTER_FULL, 7);
	wr(cpu, FIXED, 7);
	assert_int_equal(rd(cpu, COUNTER), 0);
	assert_int_equal(rd(cpu, FIXED), 0);
	assert_true(vpmu_rdpmc(cpu, 0, &value));
	cpu->deaf = VPMU_DEAF_RDPMC;
	assert_false(vpmu_rdpmc(cpu, 0, &value));
	assert_true(vpmu_rdpmc(vpmu_cpus + 1, 0, &value));
}

/* With two threads per core, each thread has half of the core's counters. */
TEST(threads_of_a_core_have_half_of_the_counters)
{
	struct vpmu_cpu *cpu = vpmu_cpus;
	uint64_t value;

	machine_new(&vpmu_ivb, 1, 1);
	wr(cpu, COUNTER + 7, 1);
	wr(cpu, GLOBAL_CTRL, 0xff);
	assert_true(vpmu_rdpmc(cpu, 7, &value));
	assert_int_equal(value, 1);
	assert_false(vpmu_rdpmc(cpu, 8, &value));
	machine_new(&vpmu_ivb, 2, 2);
	assert_false(vpmu_msr_read(cpu, COUNTER + 4, &value));
	assert_false(vpmu_msr_write(cpu, SELECT + 4, 0));
	assert_true(vpmu_rdpmc(cpu, 3, &value));
	assert_false(vpmu_rdpmc(cpu, 4, &value));
	wr_refused(cpu, GLOBAL_CTRL, 0x1f);
	/* Ivy Bridge has no PERF_METRICS */
	assert_false(vpmu_msr_read(cpu, PERF_METRICS, &value));
	assert_false(vpmu_rdpmc(cpu, 1 << 29, &value));
}

/* On AMD the MSRs of event selects and counters alternate, and there are no global registers. */
TEST(amd_selects_and_counters_alternate)
{
	struct vpmu_cpu *cpu = vpmu_cpus;
	uint64_t value;

	machine_new(&vpmu_zen2, 1, 1);
	wr(cpu, 0xc0010200 + 2 * 5, INSTRUCTIONS | USR | EN);
	wr(cpu, 0xc0010201 + 2 * 5, 0xffff80000000);
	wr(cpu, 0xc0010003, INSTRUCTIONS | OS | EN);
	retire(cpu, 3, 4);
	assert_int_equal(rd(cpu, 0xc0010201 + 2 * 5), 0xffff80000004);
	assert_int_equal(rd(cpu, 0xc0010201 + 2 * 3), 3);
	assert_int_equal(rd(cpu, 0xc0010007), 3);
	assert_int_equal(rd(cpu, 0xc0010206), INSTRUCTIONS | OS | EN);
	assert_false(vpmu_msr_read(cpu, 0xc0010200 + 2 * 6, &value));
	assert_false(vpmu_msr_read(cpu, 0xc0010008, &value));
	wr_refused(cpu, 0xc0010200, 1 << 21);
}

TEST(inuse_has_counters_with_a_select)
{
	struct vpmu_cpu *cpu = vpmu_cpus;

	machine_new(&vpmu_spr, 1, 1);
	assert_int_equal(rd(cpu, GLOBAL_INUSE), 0);
	wr(cpu, SELECT + 5, 0x0100 | USR | EN);
	assert_int_equal(rd(cpu, GLOBAL_INUSE), 0);
	wr(cpu, SELECT + 5, INSTRUCTIONS);
	wr(cpu, FIXED_CTRL, 0x20);
	assert_int_equal(rd(cpu, GLOBAL_INUSE), 1ull << 33 | 1 << 5);
	wr(cpu, FIXED_CTRL, 0x8);
	assert_int_equal(rd(cpu, GLOBAL_INUSE), VPMU_BIT(63) | 1 << 5);
	wr(cpu, FIXED_CTRL, 0);
	wr(cpu, SELECT, VPMU_BIT(20));
	assert_int_equal(rd(cpu, GLOBAL_INUSE), VPMU_BIT(63) | 1 << 5);
	wr(cpu, SELECT + 7, INSTRUCTIONS | VPMU_BIT(20));
	wr(cpu, FIXED_CTRL, 0x9002);
	assert_int_equal(rd(cpu, GLOBAL_INUSE), VPMU_BIT(63) | 9ull << 32 | 1 << 5 | 1 << 7);
	wr(cpu, FIXED_CTRL, 0);
	wr_refused(cpu, FIXED_CTRL, 0x4);
}

/*
 * From version 6 of architectural performance monitoring on, event selects and counters have a
 * second MSR address each.
 */
TEST(version_6_has_aliases_of_registers)
{
	struct vpmu_cpu *cpu = vpmu_cpus;
	uint64_t value;

	machine_new(&vpmu_spr, 1, 1);
	assert_false(vpmu_msr_read(cpu, 0x1904, &value));
	vpmu_options.version = 6;
	wr(cpu, 0x1905, INSTRUCTIONS);
	wr(cpu, 0x1904, 0x123456789abc);
	wr(cpu, 0x1988, 99);
	assert_int_equal(rd(cpu, SELECT + 1), INSTRUCTIONS);
	assert_int_equal(rd(cpu, COUNTER + 1), 0x123456789abc);
	assert_int_equal(rd(cpu, FIXED + 2), 99);
	assert_false(vpmu_msr_read(cpu, 0x1906, &value));
}

/* Adds 400 slots to a vCPU at a privilege level, a quarter of them to each Top-Down category. */
static void add_slots(struct vpmu_cpu *cpu, unsigned int priv)
{
	struct vcore_counts *counts = &cpu->core->counts[priv];

	counts->cycles_with[VCORE_RETIRED][2] += 50;
	counts->plain[VCORE_RETIRED_MS_SLOTS] += 40;
	counts->plain[VCORE_WRONG_SLOTS] += 30;
	counts->plain[VCORE_RECOVERY_SLOTS] += 70;
	counts->cycles_with[VCORE_BUBBLES][6] += 10;
	counts->cycles_with[VCORE_BUBBLES][1] += 40;
	counts->plain[VCORE_BACKEND_SLOTS] += 100;
	counts->plain[VCORE_NO_EXECUTE_LOAD] += 4;
	counts->plain[VCORE_FEW_EXECUTE_STORES] += 6;
}

/*
 * Value of PERF_METRICS after add_slots(). A field is a fraction of all slots in units of 1/255,
 * rounded: 25 % are 63.75, 10 % are 25.5, and 15 % are 38.25.
 */
#define QUARTERS 0x2626401a3f404040

TEST(perf_metrics_has_fractions_of_slots)
{
	struct vpmu_cpu *cpu = vpmu_cpus;
	uint64_t value;

	machine_new(&vpmu_spr, 1, 1);
	add_slots(cpu, USER);
	wr(cpu, FIXED_CTRL, 0x2000);
	wr(cpu, GLOBAL_CTRL, VPMU_BIT(35));
	cpu->core->counts[USER].plain[VCORE_CYCLES] += 7;
	add_slots(cpu, USER);
	/* Without PERF_METRICS the SLOTS counter counts six slots per cycle. */
	assert_int_equal(rd(cpu, FIXED + 3), 42);
	assert_int_equal(rd(cpu, PERF_METRICS), 0);
	wr(cpu, FIXED + 3, 0);
	wr(cpu, GLOBAL_CTRL, VPMU_BIT(48) | VPMU_BIT(35));
	add_slots(cpu, USER);
	cpu->core->counts[KERNEL].plain[VCORE_BACKEND_SLOTS] += 5000;
	assert_int_equal(rd(cpu, PERF_METRICS), QUARTERS);
	assert_true(vpmu_rdpmc(cpu, 1 << 29, &value));
	assert_int_equal(value, QUARTERS);
	/* 400 slots are added, all of which retire. So 500 of all 800 slots retire, 5/8. */
	cpu->core->counts[USER].cycles_with[VCORE_RETIRED][4] += 100;
	assert_int_equal(rd(cpu, PERF_METRICS) & 0xff, 0x9f);
	/* perf restores the values of a task, of which half of 510 slots have retired. */
	wr(cpu, FIXED + 3, 510);
	wr(cpu, PERF_METRICS, 0x80);
	assert_int_equal(rd(cpu, PERF_METRICS) & 0xff, 0x80);
	cpu->core->counts[USER].plain[VCORE_WRONG_SLOTS] += 510;
	assert_int_equal(rd(cpu, PERF_METRICS) & 0xffff, 0x8040);
	/* Backend Bound has what the other fields of level 1 leave, and Memory Bound not more. */
	wr(cpu, FIXED + 3, 510);
	wr(cpu, PERF_METRICS, ~0ull);
	assert_int_equal(rd(cpu, PERF_METRICS), 0x00ffffff00ffffff);
	wr(cpu, PERF_METRICS, 0xff00000000101010);
	assert_int_equal(rd(cpu, PERF_METRICS), 0xcf000000cf101010);
	wr(cpu, PERF_METRICS, 0x80);
	cpu->core->counts[USER].plain[VCORE_WRONG_SLOTS] += 510;
	/* The fractions stay if the slots alone are written. */
	wr(cpu, FIXED + 3, 51000);
	assert_int_equal(rd(cpu, PERF_METRICS) & 0xffff, 0x8040);
}

TEST(perf_metrics_of_ice_lake_has_level_1)
{
	struct vpmu_cpu *cpu = vpmu_cpus;

	machine_new(vpmu_part_like("icl"), 1, 1);
	wr(cpu, FIXED_CTRL, 0x3000);
	wr(cpu, GLOBAL_CTRL, VPMU_BIT(48) | VPMU_BIT(35));
	add_slots(cpu, KERNEL);
	add_slots(cpu, USER);
	assert_int_equal(rd(cpu, PERF_METRICS), QUARTERS & 0xffffffff);
}

static void retire_loads(struct vpmu_cpu *cpu, unsigned int number)
{
	cpu->score->exact[VPMU_LOADS][USER] += number;
}

TEST(erratum_smt_leak_adds_counts_of_the_sibling)
{
	struct vpmu_cpu *a = &vpmu_cpus[2], *b = &vpmu_cpus[3];

	machine_new(&vpmu_ivb, 4, 2);
	assert_int_equal(vpmu_argument("erratum=smt-leak"), 0);
	wr(b, SELECT, INSTRUCTIONS | USR | EN);
	wr(b, SELECT + 1, INSTRUCTIONS | USR | EN);
	wr(b, GLOBAL_CTRL, 0x3);
	wr(a, SELECT, 0x01c4 | USR | EN);
	wr(a, SELECT + 1, LOADS | USR | EN);
	wr(a, GLOBAL_CTRL, 0x3);
	retire_loads(a, 10);
	a->score->exact[VPMU_BR_CONDITIONAL][USER] += 500;
	retire(b, 0, 3);
	assert_int_equal(rd(b, COUNTER), 3);
	assert_int_equal(rd(b, COUNTER + 1), 13);
	assert_int_equal(rd(a, COUNTER + 1), 10);
	/*
	 * A counter must keep the counts that have leaked to it when the counter from which they
	 * leaked stops.
	 */
	wr(a, GLOBAL_CTRL, 0);
	retire_loads(a, 100);
	assert_int_equal(rd(b, COUNTER + 1), 13);
	/* Nothing leaks to a counter that is disabled. */
	wr(b, GLOBAL_CTRL, 0);
	wr(a, GLOBAL_CTRL, 0x2);
	retire_loads(a, 20);
	wr(b, GLOBAL_CTRL, 0x2);
	retire_loads(a, 1);
	assert_int_equal(rd(b, COUNTER + 1), 14);
	/*
	 * The two counters are enabled at different times. Only loads that retire while both
	 * counters are enabled may leak.
	 */
	wr(b, GLOBAL_CTRL, 0);
	retire_loads(a, 1000);
	wr(b, COUNTER + 1, 0);
	wr(b, GLOBAL_CTRL, 0x2);
	retire_loads(a, 2);
	wr(a, GLOBAL_CTRL, 0);
	wr(a, GLOBAL_CTRL, 0x2);
	retire_loads(a, 4);
	assert_int_equal(rd(b, COUNTER + 1), 6);
	/* event 0xd4 does not leak */
	wr(a, SELECT + 1, 0x04d4 | USR | EN);
	assert_int_equal(vpmu_leaked_in(b, 1), 10 + 20 + 1 + 1000 + 2 + 4);
	vpmu_leak_settle(a, 1, 50);
	assert_int_equal(vpmu_leaked_in(b, 1), 10 + 20 + 1 + 1000 + 2 + 4);
	/* nothing leaks to another core */
	assert_int_equal(rd(&vpmu_cpus[1], COUNTER + 1), 0);
	assert_int_equal(vpmu_leaked_in(&vpmu_cpus[1], 1), 0);
	vpmu_options.threads = 1;
	assert_int_equal(vpmu_leaked_in(b, 1), 0);
}

TEST(erratum_irq_overcount_adds_counts)
{
	struct vpmu_cpu *cpu = vpmu_cpus;

	machine_new(&vpmu_ivb, 1, 1);
	assert_int_equal(vpmu_argument("erratum=irq-overcount"), 0);
	wr(cpu, SELECT, INSTRUCTIONS | USR | EN);
	wr(cpu, SELECT + 1, INSTRUCTIONS | OS | EN);
	wr(cpu, SELECT + 2, LOADS | USR | EN);
	wr(cpu, GLOBAL_CTRL, 7);
	vpmu_erratum_interrupted(cpu, 0xffffffff81000000);
	vpmu_erratum_interrupted(cpu, 0x401000);
	vpmu_erratum_interrupted(cpu, 0x401000);
	retire(cpu, 10, 10);
	assert_int_equal(rd(cpu, COUNTER), 12);
	assert_int_equal(rd(cpu, COUNTER + 1), 11);
	assert_int_equal(rd(cpu, COUNTER + 2), 0);
}

/*
 * Errata of AMD: retired branches and taken branches count 1/16 too many. Retired conditional
 * branches count 1 too many for each atomic instruction.
 */
TEST(errata_of_amd_add_counts)
{
	struct vpmu_cpu *cpu = vpmu_cpus;

	machine_new(&vpmu_zen2, 1, 1);
	assert_int_equal(vpmu_argument("erratum=retire-overcount"), 0);
	assert_int_equal(vpmu_argument("erratum=lock-overcount"), 0);
	wr(cpu, 0xc0010200, 0xc2 | USR | EN);
	wr(cpu, 0xc0010202, 0xd1 | USR | EN);
	wr(cpu, 0xc0010204, INSTRUCTIONS | USR | EN);
	cpu->score->exact[VPMU_BR_CONDITIONAL][USER] += 160;
	cpu->score->exact[VPMU_ATOMICS][USER] += 7;
	cpu->score->exact[VPMU_ATOMICS][KERNEL] += 9;
	retire(cpu, 0, 320);
	assert_int_equal(rd(cpu, 0xc0010201), 170);
	assert_int_equal(rd(cpu, 0xc0010203), 167);
	assert_int_equal(rd(cpu, 0xc0010205), 320);
}

static uint64_t pending_count(struct vpmu_cpu *cpu, unsigned int i, uint64_t off)
{
	uint64_t before;

	wr(cpu, PREFETCH, off);
	before = rd(cpu, COUNTER + i);
	cpu->core->counts[USER].plain[VCORE_CYCLES_L2] += 100;
	cpu->core->counts[USER].plain[VCORE_NO_EXECUTE_L2] += 100;
	cpu->core->counts[USER].plain[VCORE_CYCLES_L1] += 100;
	return rd(cpu, COUNTER + i) - before;
}

TEST(erratum_l1_prefetch_increases_stalls)
{
	struct vpmu_cpu *cpu = vpmu_cpus;

	machine_new(&vpmu_ivb, 2, 2);
	assert_int_equal(vpmu_argument("erratum=l1-prefetch"), 0);
	wr(cpu, SELECT, 0x010001a3 | USR | EN);
	wr(cpu, SELECT + 1, 0x050005a3 | USR | EN);
	wr(cpu, SELECT + 2, 0x080008a3 | USR | EN);
	wr(cpu, GLOBAL_CTRL, 7);
	assert_int_equal(pending_count(cpu, 0, 0), 150);
	assert_int_equal(pending_count(cpu, 1, 0x7), 150);
	assert_int_equal(pending_count(cpu, 0, 0xb), 150);
	assert_int_equal(pending_count(cpu, 2, 0), 100);
	/*
	 * The counters must be stopped while the prefetchers are turned off: the totals of the
	 * events then decrease, and a running counter would go backwards.
	 */
	wr(cpu, GLOBAL_CTRL, 0);
	wr(cpu, PREFETCH, 0xc);
	wr(cpu, GLOBAL_CTRL, 7);
	assert_int_equal(pending_count(cpu, 0, 0xc), 100);
	assert_int_equal(pending_count(cpu, 1, 0xf), 100);
	/* The threads of a core share the register of the prefetchers. */
	assert_int_equal(rd(&vpmu_cpus[1], PREFETCH), 0xf);
}

TEST(erratum_wrap_loss_loses_counts)
{
	struct vpmu_cpu *cpu = vpmu_cpus;
	unsigned int i;

	machine_new(&vpmu_ivb, 1, 1);
	assert_int_equal(vpmu_argument("erratum=wrap-loss"), 0);
	for (i = 0; i < 3; i++) {
		wr(cpu, SELECT + i, INSTRUCTIONS | USR | EN);
		wr(cpu, COUNTER_FULL + i, WRAP - 1);
	}
	wr(cpu, GLOBAL_CTRL, 7);
	retire(cpu, 0, 51);
	assert_int_equal(rd(cpu, COUNTER), 50);
	assert_int_equal(rd(cpu, COUNTER + 1), 0);
	retire(cpu, 0, 150);
	assert_int_equal(rd(cpu, COUNTER), 200);
	assert_int_equal(rd(cpu, COUNTER + 1), 100);
	assert_int_equal(rd(cpu, COUNTER + 2), 200);
}

TEST(erratum_stuck_overflow_keeps_bit_0)
{
	struct vpmu_cpu *cpu = vpmu_cpus;

	machine_new(&vpmu_skl, 1, 1);
	wr(cpu, GLOBAL_SET, 3);
	wr(cpu, GLOBAL_OVF, 1);
	assert_int_equal(rd(cpu, GLOBAL_STATUS), 2);
	assert_int_equal(vpmu_argument("erratum=stuck-overflow"), 0);
	wr(cpu, GLOBAL_SET, 3);
	wr(cpu, GLOBAL_OVF, 3);
	assert_int_equal(rd(cpu, GLOBAL_STATUS), 1);
}

/*
 * From PMU version 4 on, the bit CTR_FRZ of IA32_PERF_GLOBAL_STATUS stops all counters until it is
 * cleared.
 */
TEST(a_frozen_counter_does_not_count)
{
	struct vpmu_cpu *cpu = vpmu_cpus;
	uint64_t value;

	machine_new(&vpmu_skl, 1, 1);
	wr(cpu, SELECT + 7, INSTRUCTIONS | USR | EN);
	wr(cpu, FIXED_CTRL, 0x2);
	wr(cpu, GLOBAL_CTRL, 1ull << 32 | 0x80);
	retire(cpu, 0, 5);
	wr(cpu, GLOBAL_SET, VPMU_STATUS_FROZEN);
	assert_false(cpu->counting);
	retire(cpu, 0, 100);
	assert_int_equal(rd(cpu, COUNTER + 7), 5);
	assert_int_equal(rd(cpu, FIXED), 5);
	wr(cpu, GLOBAL_OVF, ~VPMU_STATUS_FROZEN);
	retire(cpu, 0, 100);
	assert_int_equal(rd(cpu, COUNTER + 7), 5);
	wr(cpu, GLOBAL_OVF, VPMU_STATUS_FROZEN);
	retire(cpu, 0, 2);
	assert_int_equal(rd(cpu, COUNTER + 7), 7);
	assert_int_equal(rd(cpu, FIXED), 7);
	/* Ivy Bridge has no register by which software could set CTR_FRZ. */
	machine_new(&vpmu_ivb, 1, 1);
	assert_false(vpmu_msr_read(cpu, GLOBAL_SET, &value));
	assert_false(vpmu_msr_write(cpu, GLOBAL_SET, VPMU_STATUS_FROZEN));
	assert_false(vpmu_msr_read(cpu, GLOBAL_INUSE, &value));
}

/*
 * A fixed counter counts only if its field of IA32_FIXED_CTR_CTRL has a bit of a privilege level:
 * the bits AnyThread and PMI alone do not enable the counter.
 */
TEST(a_fixed_counter_needs_a_privilege_level)
{
	struct vpmu_cpu *cpu = vpmu_cpus;

	machine_new(&vpmu_ivb, 2, 2);
	wr(cpu, GLOBAL_CTRL, 7ull << 32);
	wr(cpu, FIXED_CTRL, 0xc5c);
	assert_true(cpu->counting);
	retire(cpu, 3, 40);
	cpu->core->counts[USER].plain[VCORE_CYCLES] += 500;
	cpu->core->counts[KERNEL].plain[VCORE_CYCLES] += 6000;
	assert_int_equal(rd(cpu, FIXED), 0);
	assert_int_equal(rd(cpu, FIXED + 1), 6000);
	assert_int_equal(rd(cpu, FIXED + 2), 0);
	wr(cpu, FIXED_CTRL, 0xccc);
	assert_false(cpu->counting);
	/* a fixed counter also needs its global enable bit, one of bits 35:32, not of bits 3:0 */
	wr(cpu, FIXED_CTRL, 0x333);
	wr(cpu, GLOBAL_CTRL, 0xf);
	assert_false(cpu->counting);
	retire(cpu, 3, 40);
	assert_int_equal(rd(cpu, FIXED), 0);
}

/*
 * In ECX of RDPMC bit 29 selects PERF_METRICS and bit 30 the fixed counters; all other bits must be
 * the number of a counter.
 */
TEST(rdpmc_takes_no_other_index)
{
	struct vpmu_cpu *cpu = vpmu_cpus;
	uint64_t value;
	unsigned int i;

	machine_new(&vpmu_spr, 1, 1);
	wr(cpu, FIXED_CTRL, 0);
	for (i = 3; i < 32; i++) {
		if (i != 29 && i != 30)
			assert_false(vpmu_rdpmc(cpu, 1u << i, &value));
		if (i != 30)
			assert_false(vpmu_rdpmc(cpu, 1u << 30 | 1u << i, &value));
	}
	assert_false(vpmu_rdpmc(cpu, 1u << 29 | 1, &value));
	assert_true(vpmu_rdpmc(cpu, 1u << 30 | 3, &value));
	assert_false(vpmu_rdpmc(cpu, 1u << 30 | 4, &value));
	assert_true(vpmu_rdpmc(cpu, 7, &value));
	/* Knights Corner has two counters of 40 bits, and no fixed counters. */
	machine_new(&vpmu_knc, 1, 1);
	assert_true(vpmu_rdpmc(cpu, 1, &value));
	assert_false(vpmu_rdpmc(cpu, 2, &value));
	assert_false(vpmu_rdpmc(cpu, 1u << 30, &value));
	wr(cpu, 0x20, VPMU_BIT(40) | 5);
	assert_int_equal(rd(cpu, 0x20), 5);
	wr_refused(cpu, 0x28, VPMU_BIT(32));
	wr_refused(cpu, 0x2f, 0x4);
	assert_false(vpmu_msr_read(cpu, 0x22, &value));
	assert_false(vpmu_msr_read(cpu, 0x2a, &value));
}

/* An off-core event counts a request if MSR_OFFCORE_RSP_x has all bits that the request has. */
TEST(extra_registers_filter_requests)
{
	struct vpmu_cpu *cpu = vpmu_cpus;
	uint64_t value;

	machine_new(&vpmu_ivb, 1, 1);
	wr(cpu, 0x1a6, 0x10001);
	wr(cpu, 0x1a7, 0x3f80010001);
	wr(cpu, SELECT, 0x01b7 | USR | EN);
	wr(cpu, SELECT + 1, 0x01bb | USR | EN);
	wr(cpu, SELECT + 2, 0x01b7 | OS | EN);
	wr(cpu, SELECT + 3, 0x02b7 | USR | EN);
	wr(cpu, GLOBAL_CTRL, 0xf);
	vpmu_extra_happen(cpu, false, 0x10001, 1);
	vpmu_extra_happen(cpu, false, 0x80010001, 20);
	vpmu_extra_happen(cpu, false, 0x10003, 300);
	vpmu_extra_happen(cpu, true, 0x1, 4000);
	assert_int_equal(rd(cpu, COUNTER), 1);
	assert_int_equal(rd(cpu, COUNTER + 1), 21);
	assert_int_equal(rd(cpu, COUNTER + 2), 0);
	assert_int_equal(rd(cpu, COUNTER + 3), 0);
	wr_refused(cpu, 0x1a6, VPMU_BIT(38));
	wr_refused(cpu, 0x1a7, VPMU_BIT(12));
	/*
	 * Ivy Bridge has no MSR_PEBS_FRONTEND (3f7H). In MSR_OFFCORE_RSP_0 its servers have other
	 * legal bits than its clients.
	 */
	assert_false(vpmu_msr_read(cpu, 0x3f7, &value));
	machine_new(vpmu_part_like("ivt"), 1, 1);
	wr(cpu, 0x1a6, 0x3fffff8fff);
	wr_refused(cpu, 0x1a6, 0x7000);
	machine_new(&vpmu_zen2, 1, 1);
	assert_false(vpmu_msr_read(cpu, 0x1a6, &value));
	assert_false(vpmu_msr_read(cpu, PREFETCH, &value));
}

/* On Nehalem the two threads of a core share MSR_OFFCORE_RSP_0: each sets the filter of both. */
TEST(threads_can_share_extra_registers)
{
	struct vpmu_cpu *cpu = vpmu_cpus;
	uint64_t value;

	machine_new(vpmu_part_like("nhm"), 4, 2);
	wr(cpu, 0x1a6, 0x7001);
	assert_int_equal(rd(cpu + 1, 0x1a6), 0x7001);
	assert_int_equal(rd(cpu + 2, 0x1a6), 0);
	wr(cpu + 1, SELECT, 0x01b7 | USR | EN);
	wr(cpu + 1, GLOBAL_CTRL, 1);
	vpmu_extra_happen(cpu + 1, false, 0x4001, 5);
	vpmu_extra_happen(cpu, false, 0x4001, 70);
	assert_int_equal(rd(cpu + 1, COUNTER), 5);
	wr_refused(cpu, 0x1a6, 0x10000);
	assert_false(vpmu_msr_read(cpu, 0x1a7, &value));
	machine_new(vpmu_part_like("wsm"), 2, 2);
	wr(cpu + 1, 0x1a7, 0x8);
	assert_int_equal(rd(cpu, 0x1a7), 0x8);
	machine_new(&vpmu_ivb, 2, 2);
	wr(cpu, 0x1a6, 0x10001);
	assert_int_equal(rd(cpu + 1, 0x1a6), 0);
}

/* MSR_PEBS_FRONTEND selects a front-end event, and the minimum length and width of bubbles. */
TEST(the_frontend_register_filters_bubbles)
{
	struct vpmu_cpu *cpu = vpmu_cpus;

	machine_new(&vpmu_skl, 1, 1);
	wr(cpu, 0x3f7, 2 << 20 | 16 << 8 | 6);
	wr(cpu, SELECT, 0x01c6 | USR | EN);
	wr(cpu, GLOBAL_CTRL, 1);
	vpmu_extra_happen(cpu, true, 2 << 20 | 16 << 8 | 6, 1);
	vpmu_extra_happen(cpu, true, 3 << 20 | 17 << 8 | 6, 20);
	vpmu_extra_happen(cpu, true, 1 << 20 | 32 << 8 | 6, 300);
	vpmu_extra_happen(cpu, true, 3 << 20 | 15 << 8 | 6, 4000);
	vpmu_extra_happen(cpu, true, 3 << 20 | 16 << 8 | 7, 50000);
	vpmu_extra_happen(cpu, false, 2 << 20 | 16 << 8 | 6, 600000);
	assert_int_equal(rd(cpu, COUNTER), 21);
	wr_refused(cpu, 0x3f7, 1 << 3);
	wr_refused(cpu, 0x3f7, 1 << 23);
}

/*
 * When a counter stops, its event is put into the list of uncounted events if the simulated core
 * does not have the event.
 */
TEST(events_that_the_model_lacks_are_listed)
{
	char name[] = "/tmp/vpmu-uncounted.XXXXXX", said[64] = "";
	struct vpmu_cpu *cpu = vpmu_cpus;
	int fd = mkstemp(name);

	assert_true(fd >= 0);
	vpmu_uncounted_open(name);
	machine_new(&vpmu_ivb, 1, 1);
	wr(cpu, SELECT, INSTRUCTIONS | USR | EN);
	wr(cpu, SELECT + 1, 0x660e | USR | EN);
	wr(cpu, SELECT + 2, 0x770e | USR);
	wr(cpu, GLOBAL_CTRL, 0x5);
	retire(cpu, 5, 7);
	wr(cpu, GLOBAL_CTRL, 0);
	vpmu_uncounted_write();
	assert_int_equal(read(fd, said, sizeof(said) - 1), 0);
	wr(cpu, GLOBAL_CTRL, 0x3);
	wr(cpu, GLOBAL_CTRL, 0);
	vpmu_uncounted_write();
	assert_true(read(fd, said, sizeof(said) - 1) > 0);
	assert_string_equal(said, "ivb 0x660e 0x0 core\n");
	close(fd);
	unlink(name);
}

TEST_GROUP(NULL, machine_free);
