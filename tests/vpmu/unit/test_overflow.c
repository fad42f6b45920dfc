// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of when counters are looked at for overflows: exactly at the overflow of an event that is
 * counted exactly; of others at half of the distance, which the rate of the event lets expect.
 */
#include "machine.h"

#include "counter/overflow.h"
#include "counter/pmi.h"
#include "decode/decode.h"

#define INSTRUCTIONS 0xc0
#define CYCLES 0x3c
#define INT VPMU_BIT(20)
#define NEVER VPMU_BIT(62)
#define CODE 0x401000
#define KERNEL_CODE 0xffffffff81000000

static struct vpmu_cpu *cpu;
static struct vpmu_snapshot now;

static void create(void)
{
	machine_new(&vpmu_ivb, 1, 1);
	cpu = vpmu_cpus;
	vpmu_pmi_init(cpu);
	now = (struct vpmu_snapshot){ .part = &vpmu_ivb };
}

/* Returns when a counter is looked at that has this rate and overflows after @left + 1 events. */
static uint64_t watched(uint64_t select, uint64_t rate, uint64_t left)
{
	struct vpmu_counter counter = { .rate = rate, .since = 77777, .leak_since = 88888 };

	vpmu_overflow_unwatch(cpu);
	vpmu_overflow_watch(cpu, &counter, &now, select, 0, left);
	assert_int_equal(cpu->score->until[KERNEL], select & OS ? cpu->score->until[USER] : NEVER);
	return cpu->score->until[USER];
}

/* A countdown from n ends before the n-th instruction: it is one more than the overflow needs. */
TEST(exact_events_are_looked_at_when_they_overflow)
{
	create();
	assert_int_equal(watched(INSTRUCTIONS | USR | INT, 0, 100), 102);
	assert_int_equal(watched(INSTRUCTIONS | USR | OS | INT, 0, 0), 2);
	assert_int_equal(watched(INSTRUCTIONS | USR | INT, 1, 100), 102);
	assert_int_equal(watched(INSTRUCTIONS | USR | INT, 256, 100000), 100002);
	/* more than one event per instruction: an instruction may load 16 times */
	assert_int_equal(watched(0x81d0 | USR | INT, 257, 100), 100 / 16 + 2);
	assert_int_equal(watched(0x81d0 | USR | INT, 512, 160), 12);
	assert_int_equal(watched(0x81d0 | USR | INT, 513, 15), 2);
	/* A counter that does not interrupt is not looked at. */
	assert_int_equal(watched(INSTRUCTIONS | USR, 0, 100), NEVER);
}

TEST(events_of_the_core_are_looked_at_before_they_overflow)
{
	create();
	/* half of the distance, but not fewer than 8 instructions, and not more than 256 */
	assert_int_equal(watched(CYCLES | USR | INT, 256, 300), 152);
	assert_int_equal(watched(CYCLES | USR | INT, 0, 300), 152);
	assert_int_equal(watched(CYCLES | USR | OS | INT, 256, 19), 9 + 2);
	assert_int_equal(watched(CYCLES | USR | INT, 256, 18), 9 + 2);
	assert_int_equal(watched(CYCLES | USR | INT, 256, 16), 8 + 2);
	assert_int_equal(watched(CYCLES | USR | INT, 256, 10), 8 + 2);
	assert_int_equal(watched(CYCLES | USR | INT, 256, 0), 8 + 2);
	assert_int_equal(watched(CYCLES | USR | INT, 256, 512), 256 + 2);
	assert_int_equal(watched(CYCLES | USR | INT, 256, 511), 255 + 2);
	assert_int_equal(watched(CYCLES | USR | INT, 256, 1000000), 256 + 2);
	assert_int_equal(watched(CYCLES | USR | INT, 1024, 300), 37 + 2);
	assert_int_equal(watched(CYCLES | USR | INT, 64, 100), 200 + 2);
	/* At a low rate an overflow is far by its events already. */
	assert_int_equal(watched(CYCLES | USR | INT, 1024, 5 * 1024), 256 + 2);
	assert_int_equal(watched(CYCLES | USR | INT, 100000, 5 * 1024), 8 + 2);
}

TEST(the_nearest_look_counts)
{
	struct vpmu_counter counter = { .rate = 256 };

	create();
	now.exact[VPMU_INSTRUCTIONS][USER] = 50;
	now.exact[VPMU_INSTRUCTIONS][KERNEL] = 3000;
	vpmu_overflow_unwatch(cpu);
	vpmu_overflow_watch(cpu, &counter, &now, INSTRUCTIONS | USR | INT, 0, 90);
	assert_int_equal(counter.insns_since, 50);
	vpmu_overflow_watch(cpu, &counter, &now, INSTRUCTIONS | OS | INT, 0, 60);
	assert_int_equal(counter.insns_since, 3000);
	vpmu_overflow_watch(cpu, &counter, &now, INSTRUCTIONS | OS | USR | INT, 0, 80);
	assert_int_equal(counter.insns_since, 3050);
	assert_int_equal(cpu->score->until[USER], 82);
	assert_int_equal(cpu->score->until[KERNEL], 62);
	vpmu_overflow_step(cpu, USR);
	assert_int_equal(cpu->score->until[USER], 2);
	assert_int_equal(cpu->score->until[KERNEL], 62);
	vpmu_overflow_watch(cpu, &counter, &now, INSTRUCTIONS, 0, 80);
	assert_int_equal(counter.insns_since, 0);
}

/* Errata: an interrupt that is held back comes after instructions; a ghost after 50 of the kernel. */
TEST(errata_count_down_too)
{
	create();
	cpu->pmi.coming = true;
	cpu->pmi.comes_at[KERNEL] = 1000;
	cpu->pmi.comes_at[USER] = 500;
	cpu->score->exact[VPMU_INSTRUCTIONS][KERNEL] = 900;
	cpu->score->exact[VPMU_INSTRUCTIONS][USER] = 500;
	vpmu_overflow_unwatch(cpu);
	assert_int_equal(cpu->score->until[KERNEL], 100);
	assert_int_equal(cpu->score->until[USER], 1);
	cpu->score->exact[VPMU_INSTRUCTIONS][USER] = 499;
	cpu->pmi.ghost = true;
	vpmu_overflow_unwatch(cpu);
	assert_int_equal(cpu->score->until[KERNEL], 50);
	assert_int_equal(cpu->score->until[USER], 1);
	cpu->pmi.coming = false;
	vpmu_overflow_unwatch(cpu);
	assert_int_equal(cpu->score->until[KERNEL], 50);
	assert_int_equal(cpu->score->until[USER], NEVER);
}

/* Events per 256 instructions, after 8 instructions the first time, and 64 each further time. */
TEST(the_rate_is_that_of_the_last_instructions)
{
	struct vpmu_counter counter = { .insns_since = 100 };

	create();
	now.exact[VPMU_INSTRUCTIONS][USER] = 107;
	vpmu_overflow_pace(&counter, &now, USR, 70);
	assert_int_equal(counter.rate, 0);
	now.exact[VPMU_INSTRUCTIONS][USER] = 108;
	vpmu_overflow_pace(&counter, &now, USR, 16);
	assert_int_equal(counter.rate, 512);
	now.exact[VPMU_INSTRUCTIONS][USER] = 163;
	vpmu_overflow_pace(&counter, &now, USR, 16);
	assert_int_equal(counter.rate, 512);
	now.exact[VPMU_INSTRUCTIONS][USER] = 164;
	vpmu_overflow_pace(&counter, &now, USR, 16);
	assert_int_equal(counter.rate, 64);
	vpmu_overflow_pace(&counter, &now, USR, NEVER / 256);
	assert_int_equal(counter.rate, 64);
	vpmu_overflow_pace(&counter, &now, USR, 0);
	assert_int_equal(counter.rate, 1);
	counter.insns_since = 0;
	now.exact[VPMU_INSTRUCTIONS][KERNEL] = 92;
	vpmu_overflow_pace(&counter, &now, USR | OS, 512);
	assert_int_equal(counter.rate, 512);
}

/* Looks at a counter that started at 0 instructions; returns when it is looked at again, 0 for now. */
static uint64_t far(struct vpmu_counter *counter, uint64_t select, uint64_t left)
{
	vpmu_overflow_unwatch(cpu);
	if (!vpmu_overflow_is_far(cpu, counter, &now, select, 0, left)) {
		assert_int_equal(cpu->score->until[KERNEL], NEVER);
		return 0;
	}
	return cpu->score->until[select & USR ? USER : KERNEL];
}

TEST(a_look_says_when_to_look_again)
{
	struct vpmu_counter counter = { .rate = 256, .since = 100 };

	create();
	/* An exact count has not overflowed. */
	assert_int_equal(far(&counter, INSTRUCTIONS | OS | INT, 0), 2);
	assert_int_equal(far(&counter, INSTRUCTIONS | OS | INT, 40), 42);
	/* One of the core has if it must have by its rate: here no instruction is in flight. */
	assert_int_equal(far(&counter, CYCLES | OS | INT, 0), 0);
	assert_int_equal(far(&counter, CYCLES | OS | INT, 1), 1 + 2);
	assert_int_equal(far(&counter, CYCLES | OS | INT, 16), 16 + 2);
	assert_int_equal(far(&counter, CYCLES | OS | INT, 17), 8 + 2);
	assert_int_equal(far(&counter, CYCLES | OS | INT, 511), 255 + 2);
	assert_int_equal(far(&counter, CYCLES | OS | INT, 1000), 256 + 2);
	assert_int_equal(far(&counter, CYCLES | OS | INT, 5000), 256 + 2);
	counter.rate = 512;
	assert_int_equal(far(&counter, CYCLES | OS | INT, 16), 8 + 2);
	assert_int_equal(far(&counter, CYCLES | OS | INT, 3 * 1024 - 1), 256 + 2);
	/* The rate is measured anew after 64 instructions. */
	now.exact[VPMU_INSTRUCTIONS][KERNEL] = 63;
	now.priv[KERNEL].plain[VCORE_CYCLES] = 200;
	far(&counter, CYCLES | OS | INT, 16);
	assert_int_equal(counter.rate, 512);
	now.exact[VPMU_INSTRUCTIONS][KERNEL] = 64;
	assert_int_equal(far(&counter, CYCLES | OS | INT, 16), 16 * 256 / 400 + 2);
	assert_int_equal(counter.rate, 400);
	counter.since = 200;
	assert_int_equal(far(&counter, CYCLES | OS | INT, 1), 128 + 2);
	assert_int_equal(counter.rate, 1);
}

/* In user space the interrupt names the instruction of the overflow: one may have 128 events. */
TEST(an_interrupt_that_names_its_instruction_needs_more_looks)
{
	struct vpmu_counter counter = { .rate = 256 };

	create();
	assert_false(vpmu_overflow_names(cpu, CYCLES | USR | INT, 0));
	cpu->core->priv = USER;
	assert_true(vpmu_overflow_names(cpu, CYCLES | USR | INT, 0));
	assert_false(vpmu_overflow_names(cpu, INSTRUCTIONS | USR | INT, 0));
	assert_int_equal(far(&counter, CYCLES | USR | INT, 0), 2);
	assert_int_equal(far(&counter, CYCLES | USR | INT, 127), 2);
	assert_int_equal(far(&counter, CYCLES | USR | INT, 128), 3);
	assert_int_equal(far(&counter, CYCLES | USR | INT, 2047), 2047 / 128 + 2);
	assert_int_equal(far(&counter, CYCLES | USR | INT, 2048), 256 + 2);
	counter.rate = 256 * 1000;
	assert_int_equal(far(&counter, CYCLES | USR | INT, 255 * 128), 255 + 2);
	assert_int_equal(far(&counter, CYCLES | USR | INT, 300 * 128), 256 + 2);
	cpu->pmi.debugctl = 1;
	assert_false(vpmu_overflow_names(cpu, CYCLES | USR | INT, 0));
	machine_new(&vpmu_knc, 1, 1);
	cpu->core->priv = USER;
	assert_false(vpmu_overflow_names(cpu, 0x2a | USR | INT, 0));
}

/* Lets the vCPU execute @nr NOPs, which the core simulates later. */
static void execute(uint64_t pc, unsigned int nr)
{
	static const uint8_t nop[] = { 0x90 };
	static struct vcore_insn insns[1000];
	unsigned int i;

	assert_true(nr <= 1000);
	for (i = 0; i < nr; i++) {
		vcore_decode(&insns[i], nop, 1, pc + i, 0x1000 + i);
		vcore_begin(cpu->core, &insns[i]);
	}
}

/* The instructions in flight are taken to have as many events as the rate says. */
TEST(instructions_in_flight_may_have_overflowed_a_counter)
{
	struct vpmu_counter counter = { .rate = 512 };
	uint64_t behind;

	create();
	execute(KERNEL_CODE, 20);
	behind = vcore_behind(cpu->core);
	assert_true(behind >= 19);
	assert_int_equal(far(&counter, CYCLES | OS | INT, 2 * behind), 0);
	assert_int_equal(far(&counter, CYCLES | OS | INT, 2 * behind + 1), 2);
	assert_int_equal(far(&counter, CYCLES | OS | INT, 2 * behind + 8), 4 + 2);
	/* Those of the kernel are none of user space. */
	assert_int_equal(far(&counter, CYCLES | USR | INT, 2 * behind), behind / 2 + 2);
	/* They are not measured either. */
	now.exact[VPMU_INSTRUCTIONS][KERNEL] = behind + 63;
	now.priv[KERNEL].plain[VCORE_CYCLES] = 64;
	far(&counter, CYCLES | OS | INT, 1000);
	assert_int_equal(counter.rate, 512);
	now.exact[VPMU_INSTRUCTIONS][KERNEL] = behind + 64;
	far(&counter, CYCLES | OS | INT, 1000);
	assert_int_equal(counter.rate, 256);
}

/*
 * Which instruction has caused an overflow: of 100 events in the last 50 cycles the last 20 came
 * after it, so 10 cycles ago.
 */
TEST(the_place_of_an_overflow_is_between_two_looks)
{
	struct vpmu_counter counter = { .glanced = 1000 };
	uint64_t at;

	create();
	vpmu_options.ideal.l1i = true;
	execute(CODE, 1000);
	vcore_advance(cpu->core);
	at = cpu->core->cycle;
	assert_true(at > 100);
	counter.glanced_at = at - 50;
	assert_int_not_equal(vcore_oldest(cpu->core, at - 11), vcore_oldest(cpu->core, at - 10));
	assert_int_equal(vpmu_overflow_place(cpu, &counter, 1100, 20),
			 vcore_oldest(cpu->core, at - 11));
	assert_int_equal(vpmu_overflow_place(cpu, &counter, 1100, 0),
			 vcore_oldest(cpu->core, at - 1));
	assert_int_equal(vpmu_overflow_place(cpu, &counter, 1100, 99),
			 vcore_oldest(cpu->core, at - 50));
	/* The counter has been set back, or has not counted as much: where the vCPU is. */
	assert_int_equal(vpmu_overflow_place(cpu, &counter, 1100, 100), vcore_oldest(cpu->core, at));
	assert_int_equal(vpmu_overflow_place(cpu, &counter, 1000, 0), vcore_oldest(cpu->core, at));
	assert_int_equal(vpmu_overflow_place(cpu, &counter, 900, 20), vcore_oldest(cpu->core, at));
}

TEST_GROUP(NULL, machine_free);
