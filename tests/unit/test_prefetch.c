// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of how the module switches prefetchers, by a register that the threads of a core share. The
 * source of the module is compiled unchanged; each core of the made-up machine has two threads.
 */
#include "kernel/module.h"

#include "../../kmod/bank/prefetch.c"

#include "kernel/registers.h"

/* CPUs 0 and 2 are of one core, 1 and 3 of the other; bit 8 is of no prefetcher */
#define CPUS 4
#define MASK 0xf

unsigned int nr_cpu_ids = CPUS;

static const struct bpmu_part part = { .prefetch = MASK };
static const struct bpmu_pmu pmu = { .part = &part };
static struct cpumask cpus;
static struct bpmu_settings settings;
static unsigned int this_cpu;
/* registers of the two cores: one is in @registers, the other one here meanwhile */
static u64 elsewhere;

const struct bpmu_pmu *bpmu_pmu_of(unsigned int cpu)
{
	assert_true(cpu < CPUS);
	return &pmu;
}

const struct cpumask *topology_sibling_cpumask(unsigned int cpu)
{
	static const struct cpumask threads[] = { { 0x5 }, { 0xa } };

	return &threads[cpu & 1];
}

/* Lets MSRs be those of a CPU. */
static void go_to(unsigned int cpu)
{
	struct unit_register *here = register_at(0, BPMU_MSR_PREFETCH);
	u64 value;

	if (here && (cpu ^ this_cpu) & 1) {
		value = here->value;
		here->value = elsewhere;
		elsewhere = value;
	}
	this_cpu = cpu;
}

int smp_call_function_single(int cpu, void (*fn)(void *arg), void *arg, int wait)
{
	assert_true(wait);
	go_to(cpu);
	fn(arg);
	return 0;
}

int bpmu_cpu_run_on(unsigned int cpu, int (*fn)(void *arg), void *arg)
{
	go_to(cpu);
	return fn(arg);
}

TEST_FIXTURE(setup)
{
	forget_registers();
	memset(prefetch_states, 0, sizeof(prefetch_states));
	put(0, BPMU_MSR_PREFETCH, 0x102);
	this_cpu = 0;
	elsewhere = 0x104;
	cpus.bits = 0xf;
	settings = (struct bpmu_settings){ .cpus = &cpus, .prefetchers = true, .prefetch = 0x9 };
	return 0;
}

TEST_BETWEEN(the_last_thread_of_a_core_restores_the_register, setup, NULL)
{
	assert_int_equal(bpmu_prefetch_take(&settings, 0), 0);
	wrote("1a4=109 ");
	assert_int_equal(bpmu_prefetch_take(&settings, 1), 0);
	assert_int_equal(bpmu_prefetch_take(&settings, 2), 0);
	wrote("1a4=109 1a4=109 ");
	/* it is taken once */
	assert_int_equal(bpmu_prefetch_take(&settings, 2), 0);
	wrote("");
	bpmu_prefetch_give(&settings, 0);
	wrote("");
	bpmu_prefetch_give(&settings, 1);
	wrote("1a4=104 ");
	go_to(0);
	/* another bit has changed meanwhile */
	put(0, BPMU_MSR_PREFETCH, 0x309);
	bpmu_prefetch_give(&settings, 2);
	wrote("1a4=302 ");
	bpmu_prefetch_give(&settings, 2);
	bpmu_prefetch_give(&settings, 3);
	wrote("");
}

TEST_BETWEEN(a_thread_that_is_not_measured_has_no_part, setup, NULL)
{
	cpus.bits = 1;
	prefetch_states[2].held = true;
	prefetch_states[2].before = 0x6;
	assert_int_equal(bpmu_prefetch_take(&settings, 0), 0);
	bpmu_prefetch_give(&settings, 0);
	wrote("1a4=109 1a4=102 ");
}

TEST_BETWEEN(a_session_may_leave_prefetchers_alone, setup, NULL)
{
	settings.prefetchers = false;
	assert_int_equal(bpmu_prefetch_take(&settings, 0), 0);
	bpmu_prefetch_give(&settings, 0);
	wrote("");
}

TEST_BETWEEN(a_register_that_does_not_hold_its_value_is_told, setup, NULL)
{
	register_at(0, BPMU_MSR_PREFETCH)->stuck = 8;
	assert_int_equal(bpmu_prefetch_take(&settings, 0), -EROFS);
	bpmu_prefetch_give(&settings, 0);
	/* bits of no prefetcher may do what they want */
	register_at(0, BPMU_MSR_PREFETCH)->stuck = 0x100;
	assert_int_equal(bpmu_prefetch_take(&settings, 0), 0);
	bpmu_prefetch_give(&settings, 0);
	register_at(0, BPMU_MSR_PREFETCH)->number = 0xdead;
	assert_int_equal(bpmu_prefetch_take(&settings, 0), -EROFS);
}
