// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the module's plans, of the memory that they take, of the steps by which a bank is opened
 * and tried, and of free-running registers. The sources of the module are compiled unchanged.
 */
#include "kernel/module.h"

#include "../../kmod/bank/bank.c"
#include "../../kmod/bank/free_running.c"
#include "../../kmod/bank/plan.c"
#include "../../kmod/sample/budget.c"
#include "../../kmod/sample/slices.c"

#include "kernel/log.h"
#include "kernel/registers.h"

#define OFFCORE BIT(BPMU_EXTRA_OFFCORE_1)

unsigned int tsc_khz = 1000000;
unsigned int nr_cpu_ids = 6;
u64 bpmu_tsc_shift;
struct cpuinfo_x86 boot_cpu_data;

static struct bpmu_part part, other_part;
static struct bpmu_pmu pmus[2];
static struct bpmu_settings settings;
static struct bpmu_plan plan, next;
static u64 tsc;
/* CPUs that share a core, a die, and a package with CPU 2 */
static struct cpumask core = { 0x14 }, die = { 0x1c }, package = { 0x3c };
static bool memory_is_here;
static unsigned int searches;

u64 rdtsc_ordered(void)
{
	return tsc += 10;
}

unsigned long totalram_pages(void)
{
	return 256;
}

const struct cpumask *topology_die_cpumask(unsigned int cpu)
{
	assert_int_equal(cpu, 2);
	return &die;
}

const struct cpumask *topology_core_cpumask(unsigned int cpu)
{
	assert_int_equal(cpu, 2);
	return &package;
}

const struct cpumask *topology_sibling_cpumask(unsigned int cpu)
{
	static struct cpumask alone;

	alone.bits = BIT(cpu);
	return cpumask_test_cpu(cpu, &core) ? &core : &alone;
}

/* CPUs from 4 on are of another core type. */
const struct bpmu_pmu *bpmu_pmu_of(unsigned int cpu)
{
	return &pmus[cpu >= 4];
}

bool bpmu_memory_has(unsigned int cpu, const struct pci_dev *pci)
{
	return cpu == 2 && (uintptr_t)pci == 0x10;
}

bool bpmu_memory_here(void)
{
	return memory_is_here;
}

u64 bpmu_memory_read(const struct bpmu_free *reg)
{
	return reg->mchbar * 1000;
}

void bpmu_memory_find_again(void)
{
	searches++;
}

TEST_FIXTURE(setup)
{
	memset(pmus, 0, sizeof(pmus));
	memset(&plan, 0, sizeof(plan));
	memset(&next, 0, sizeof(next));
	part = (struct bpmu_part){ };
	other_part = (struct bpmu_part){ };
	pmus[0].part = &part;
	pmus[1].part = &other_part;
	settings = (struct bpmu_settings){
		.pmu = { &pmus[0], &pmus[1] }, .nr_core_types = 2,
	};
	assert_true(zalloc_cpumask_var(&settings.cpus, GFP_KERNEL));
	buffer_mib = 0;
	tsc = 1000;
	return 0;
}

static void free_groups(struct bpmu_plan *of)
{
	unsigned int bank, type;

	for (bank = 0; bank < BPMU_BANKS; bank++)
		for (type = 0; type < BPMU_CORE_TYPES; type++)
			kvfree(of->groups[bank][type].group);
}

TEST_FIXTURE(teardown)
{
	free_cpumask_var(settings.cpus);
	free_groups(&plan);
	free_groups(&next);
	return 0;
}

/* Adds a group with @nr events to a plan. */
static struct bpmu_plan_group *group_with(struct bpmu_plan *to, unsigned int bank,
					  unsigned int type, u32 nr)
{
	struct bpmu_plan_group *group = bpmu_plan_add(&to->groups[bank][type]);

	assert_non_null(group);
	group->nr = nr;
	return group;
}

TEST(settings_are_copied_with_their_cpus)
{
	struct bpmu_settings *from = bpmu_settings_alloc(), *to = bpmu_settings_alloc();
	struct cpumask *cpus = to->cpus;

	from->cpus->bits = 0x15;
	from->top = 7;
	bpmu_settings_copy(to, from);
	assert_int_equal(to->top, 7);
	assert_ptr_equal(to->cpus, cpus);
	assert_int_equal(to->cpus->bits, 0x15);
	bpmu_settings_free(from);
	bpmu_settings_free(to);
	bpmu_settings_free(NULL);
	memory_left = 1;
	assert_null(bpmu_settings_alloc());
	memory_left = 2;
	assert_null(bpmu_settings_alloc());
	memory_left = 0;
}

TEST_BETWEEN(settings_know_core_types_and_siblings, setup, teardown)
{
	assert_int_equal(bpmu_settings_core_type(&settings, 3), 0);
	assert_int_equal(bpmu_settings_core_type(&settings, 4), 1);
	settings.nr_core_types = 1;
	assert_int_equal(bpmu_settings_core_type(&settings, 4), 0);
	settings.cpus->bits = 0x2f;
	assert_false(bpmu_settings_have_siblings(&settings));
	settings.cpus->bits = 0x14;
	assert_true(bpmu_settings_have_siblings(&settings));
}

TEST_BETWEEN(the_guard_is_that_of_the_fastest_counter, setup, teardown)
{
	/* 2^(width - 7) cycles of a nanosecond */
	pmus[0].gp_width = 40;
	pmus[1].gp_width = 38;
	assert_int_equal(bpmu_settings_guard_ns(&settings), 1ULL << 31);
	settings.nr_core_types = 1;
	assert_int_equal(bpmu_settings_guard_ns(&settings), 1ULL << 33);
	settings.free = true;
	assert_int_equal(bpmu_settings_guard_ns(&settings), 1ULL << 33);
	pmus[0].free = BPMU_FREE(MEMORY_READS);
	assert_int_equal(bpmu_settings_guard_ns(&settings), 2000000000);
	settings.free = false;
	assert_int_equal(bpmu_settings_guard_ns(&settings), 1ULL << 33);
}

TEST_BETWEEN(groups_are_added_to_a_plan, setup, teardown)
{
	struct bpmu_plan *own = bpmu_plan_alloc();
	struct bpmu_plan_group *first;

	first = bpmu_plan_add(&own->groups[BPMU_BANKS - 1][1]);
	assert_int_equal(first->nr, 0);
	assert_ptr_equal(bpmu_plan_add(&own->groups[BPMU_BANKS - 1][1]), first + 1);
	assert_int_equal(own->groups[BPMU_BANKS - 1][1].nr, 2);
	first[BPMU_MAX_GROUPS - 1].nr = 1;
	bpmu_plan_add(&own->groups[0][0]);
	assert_true(bpmu_plan_uses(own, 0));
	assert_false(bpmu_plan_uses(own, BPMU_BANKS - 1));
	memory_left = 1;
	assert_null(bpmu_plan_add(&own->groups[1][0]));
	assert_int_equal(own->groups[1][0].nr, 0);
	memory_left = 1;
	assert_null(bpmu_plan_alloc());
	memory_left = 0;
	bpmu_plan_free(own);
	bpmu_plan_free(NULL);
}

TEST_BETWEEN(a_plan_knows_its_interrupts, setup, teardown)
{
	struct bpmu_plan_group *last;
	struct bpmu_plan_event *event;

	group_with(&plan, BPMU_BANK_CORE, 0, 1)->event[0].counter = 4;
	group_with(&plan, BPMU_BANK_CORE, 1, 2);
	last = group_with(&plan, BPMU_BANK_CORE, 1, 2);
	event = &last->event[1];
	assert_false(bpmu_plan_interrupts(&plan));
	assert_true(bpmu_plan_can_batch(&plan));
	/* without a period nothing interrupts, however precise it is */
	event->precise = true;
	assert_false(bpmu_plan_is_precise(&plan));
	event->precise = false;
	event->period = 1000;
	assert_true(bpmu_plan_interrupts(&plan));
	assert_false(bpmu_plan_is_precise(&plan));
	assert_false(bpmu_plan_can_batch(&plan));
	event->precise = true;
	assert_true(bpmu_plan_interrupts(&plan));
	assert_true(bpmu_plan_is_precise(&plan));
	assert_true(bpmu_plan_can_batch(&plan));
	event->frequency = 99;
	assert_false(bpmu_plan_can_batch(&plan));
	event->frequency = 0;
	plan.groups[BPMU_BANK_CORE][0].group[0].event[0].period = 7;
	assert_false(bpmu_plan_can_batch(&plan));
	/* what stands after the events does not count */
	last->nr = 1;
	plan.groups[BPMU_BANK_CORE][0].group[0].event[0].period = 0;
	assert_false(bpmu_plan_interrupts(&plan));
	assert_true(bpmu_plan_can_batch(&plan));
	last->event[1].precise = false;
	assert_true(bpmu_plan_can_batch(&plan));
}

TEST_BETWEEN(a_plan_knows_its_data_and_counters, setup, teardown)
{
	struct bpmu_plan_group *group;

	group_with(&plan, BPMU_BANK_CORE, 0, 1)->event[0].counter = 4;
	group = group_with(&plan, BPMU_BANK_CORE, 0, 2);
	group->event[0].counter = 5;
	group->event[1].counter = BPMU_IBS_COUNTER;
	group->event[2].counter = 6;
	group->event[2].data = true;
	assert_false(bpmu_plan_group_has_data(group));
	assert_false(bpmu_plan_has_data(&plan));
	assert_false(bpmu_plan_has_counter(&plan, 6));
	assert_true(bpmu_plan_has_counter(&plan, 4));
	assert_true(bpmu_plan_has_counter(&plan, BPMU_IBS_COUNTER));
	assert_false(bpmu_plan_has_counter(&plan, 0));
	group->event[1].data = true;
	assert_true(bpmu_plan_group_has_data(group));
	assert_true(bpmu_plan_has_data(&plan));
	group->event[1].data = false;
	group = group_with(&plan, BPMU_BANK_CORE, 1, 1);
	assert_false(bpmu_plan_has_data(&plan));
	group->event[0].data = true;
	assert_true(bpmu_plan_has_data(&plan));
}

static struct bpmu_core_setup *setup_of(struct bpmu_plan *of, unsigned int type, unsigned int i)
{
	return &of->groups[BPMU_BANK_CORE][type].group[i].setup[0];
}

TEST_BETWEEN(threads_cannot_have_two_values_in_one_register, setup, teardown)
{
	struct bpmu_core_setup *a, *b;

	settings.siblings = true;
	part.quirks = BPMU_QUIRK_SHARED_EXTRAS;
	other_part.quirks = BPMU_QUIRK_SHARED_EXTRAS;
	group_with(&plan, BPMU_BANK_CORE, 0, 1);
	group_with(&plan, BPMU_BANK_CORE, 0, 1);
	group_with(&plan, BPMU_BANK_CORE, 1, 1);
	group_with(&next, BPMU_BANK_CORE, 0, 1);
	group_with(&next, BPMU_BANK_CORE, 0, 1);
	group_with(&next, BPMU_BANK_CORE, 0, 1);
	a = setup_of(&plan, 0, 1);
	b = setup_of(&next, 0, 2);
	/* one of them does not use the register */
	a->extras = OFFCORE | BIT(BPMU_EXTRA_LATENCY);
	b->extras = BIT(BPMU_EXTRA_OFFCORE_0) | BIT(BPMU_EXTRA_LATENCY);
	a->extra[BPMU_EXTRA_OFFCORE_1] = 1;
	/* each thread has a threshold of its own */
	a->extra[BPMU_EXTRA_LATENCY] = 1;
	assert_false(bpmu_plan_extras_clash(&settings, &plan, &next));
	b->extras |= OFFCORE;
	assert_true(bpmu_plan_extras_clash(&settings, &plan, &next));
	assert_true(bpmu_plan_extras_clash(&settings, &next, &plan));
	settings.siblings = false;
	assert_false(bpmu_plan_extras_clash(&settings, &plan, &next));
	settings.siblings = true;
	part.quirks = 0;
	assert_false(bpmu_plan_extras_clash(&settings, &plan, &next));
	part.quirks = BPMU_QUIRK_SHARED_EXTRAS;
	b->extra[BPMU_EXTRA_OFFCORE_1] = 1;
	assert_false(bpmu_plan_extras_clash(&settings, &plan, &next));
	/* of two registers the first has one value */
	a->extras |= BIT(BPMU_EXTRA_OFFCORE_0);
	assert_false(bpmu_plan_extras_clash(&settings, &plan, &next));
	b->extra[BPMU_EXTRA_OFFCORE_1] = 2;
	assert_true(bpmu_plan_extras_clash(&settings, &plan, &next));
	b->extra[BPMU_EXTRA_OFFCORE_1] = 1;
	/* a clash of the other core type */
	group_with(&next, BPMU_BANK_CORE, 1, 1);
	a = setup_of(&plan, 1, 0);
	b = setup_of(&next, 1, 0);
	a->extras = OFFCORE;
	b->extras = OFFCORE;
	b->extra[BPMU_EXTRA_OFFCORE_1] = 3;
	assert_true(bpmu_plan_extras_clash(&settings, &plan, &next));
	settings.nr_core_types = 1;
	assert_false(bpmu_plan_extras_clash(&settings, &plan, &next));
}

TEST_BETWEEN(records_have_room_for_all_counters, setup, teardown)
{
	const u32 head = sizeof(struct bpmu_sample);

	assert_int_equal(bpmu_plan_record_size(&plan, &settings), head);
	pmus[0].gp_counters = 4;
	pmus[0].fixed_counters = 3;
	pmus[1].gp_counters = 8;
	assert_int_equal(bpmu_plan_record_size(&plan, &settings), head + 8 * 8);
	settings.nr_core_types = 1;
	assert_int_equal(bpmu_plan_record_size(&plan, &settings), head + 7 * 8);
	settings.who = true;
	assert_int_equal(bpmu_plan_record_size(&plan, &settings),
			 head + 7 * 8 + sizeof(struct bpmu_who));
	/* groups of other banks may have more events, those of the core have none */
	group_with(&plan, BPMU_BANK_CORE, 0, 15);
	group_with(&plan, BPMU_BANKS - 1, 0, 9);
	group_with(&plan, BPMU_BANKS - 1, 0, 8);
	group_with(&plan, BPMU_BANK_CORE + 1, 0, 8);
	settings.who = false;
	assert_int_equal(bpmu_plan_record_size(&plan, &settings), head + 9 * 8);
	group_with(&plan, BPMU_BANK_CORE + 1, 0, 10);
	assert_int_equal(bpmu_plan_record_size(&plan, &settings), head + 10 * 8);
	/* a record has at most 16 values of the core */
	pmus[0].gp_counters = 16;
	assert_int_equal(bpmu_plan_record_size(&plan, &settings), head + 16 * 8);
}

TEST_BETWEEN(slices_have_room_for_all_groups, setup, teardown)
{
	struct netlink_ext_ack ack = { };
	const u64 each = 7 * sizeof(struct bpmu_slice);
	const u64 size = sizeof(u64) + 6 * sizeof(void *) + 2 * each;
	unsigned int i;

	for (i = 0; i < 3; i++)
		group_with(&plan, BPMU_BANK_CORE, 0, 1);
	for (i = 0; i < 4; i++)
		group_with(&plan, BPMU_BANK_CORE, 1, 1);
	group_with(&plan, BPMU_BANK_UNCORE, 0, 1);
	for (i = 0; i < 2; i++)
		group_with(&plan, BPMU_BANKS - 1, 0, 1);
	assert_int_equal(bpmu_plan_most_groups(&plan, BPMU_BANK_CORE), 4);
	assert_int_equal(bpmu_plan_most_groups(&plan, BPMU_BANK_UNCORE), 1);
	assert_int_equal(bpmu_plan_first_samples(&plan), 7);
	settings.cpus->bits = 0x24;
	assert_int_equal(bpmu_slices_alloc(&plan, &settings, &ack), 0);
	assert_int_equal(taken.counter, size);
	assert_ptr_equal(bpmu_slices_of(&plan, 5, BPMU_BANK_CORE), plan.slices->cpu[5]);
	assert_ptr_equal(bpmu_slices_of(&plan, 5, BPMU_BANK_UNCORE), plan.slices->cpu[5] + 4);
	assert_ptr_equal(bpmu_slices_of(&plan, 2, BPMU_BANKS - 1), plan.slices->cpu[2] + 5);
	bpmu_slices_of(&plan, 2, BPMU_BANKS - 1)[1].turn = 1;
	for (i = 0; i < nr_cpu_ids; i++)
		assert_int_equal(!!plan.slices->cpu[i], settings.cpus->bits >> i & 1);
	bpmu_slices_free(&plan);
	assert_null(plan.slices);
	assert_int_equal(taken.counter, 0);
	bpmu_slices_free(&plan);
	bpmu_slices_free(NULL);
	for (i = 1; i <= 3; i++) {
		memory_left = i;
		ack._msg = NULL;
		assert_int_equal(bpmu_slices_alloc(&plan, &settings, &ack), -ENOMEM);
		assert_string_equal(ack._msg,
				    "no memory for the state of the groups; ask for fewer groups");
		assert_null(plan.slices);
		assert_int_equal(taken.counter, 0);
	}
	memory_left = 0;
	/* the budget is not large enough */
	taken.counter = 256 * 4096 / 8 - size + 1;
	assert_int_equal(bpmu_slices_alloc(&plan, &settings, &ack), -ENOMEM);
	assert_string_equal(ack._msg,
			    "other requests hold the memory that buffer_mib allows; try again, or ask for fewer samples");
	taken.counter--;
	assert_int_equal(bpmu_slices_alloc(&plan, &settings, &ack), 0);
	bpmu_slices_free(&plan);
	taken.counter = 0;
}

TEST_BETWEEN(the_budget_is_an_eighth_of_memory_or_what_was_set, setup, teardown)
{
	struct netlink_ext_ack ack = { };

	assert_true(bpmu_budget_take(0x20000, &ack));
	assert_null(ack._msg);
	assert_false(bpmu_budget_take(1, &ack));
	bpmu_budget_give(0x20000);
	assert_false(bpmu_budget_take(0x20001, &ack));
	assert_string_equal(ack._msg,
			    "the buffers are larger than buffer_mib allows; ask for fewer samples");
	buffer_mib = 3;
	assert_false(bpmu_budget_take(0x300001, &ack));
	assert_true(bpmu_budget_take(0x300000, &ack));
	bpmu_budget_give(0x300000);
	assert_int_equal(taken.counter, 0);
}

/* What a made-up bank was asked to do, and what it answers. */
static char calls[512];
static u32 failing;
static int bad_program, bad_prove;
static bool holds;
static u64 raw[2];

static void call(const char *name)
{
	strcat(strcat(calls, name), " ");
}

static void called(const char *expected)
{
	assert_string_equal(calls, expected);
	calls[0] = '\0';
}

static void note_stop(struct bpmu_bank *bank)
{
	(void)bank;
	call("stop");
}

static void note_start(struct bpmu_bank *bank)
{
	call(bank->running ? "start" : "start-not-running");
}

static void note_preload(struct bpmu_bank *bank)
{
	(void)bank;
	call("preload");
}

static void note_reprogram(struct bpmu_bank *bank)
{
	call("reprogram");
	calls[strlen(calls) - 1] = '0' + bank->at;
	call("");
}

static int note_prove(const struct bpmu_bank *bank)
{
	(void)bank;
	call("prove");
	return bad_prove;
}

static int note_program(struct bpmu_bank *bank)
{
	call("program");
	calls[strlen(calls) - 1] = '0' + bank->at;
	call("");
	return failing == bank->at ? bad_program : 0;
}

static bool note_programmed(const struct bpmu_bank *bank)
{
	return holds || failing != bank->at;
}

static void note_read(const struct bpmu_bank *bank, u64 *values)
{
	u32 i;

	for (i = 0; i < bank->group->nr; i++)
		values[i] = raw[i];
}

static struct bpmu_bank_ops ops = {
	.prove = note_prove, .preload = note_preload, .program = note_program,
	.reprogram = note_reprogram, .start = note_start, .stop = note_stop, .read = note_read,
	.programmed = note_programmed,
};

static struct bpmu_bank_type type = { .ops = &ops };
static struct bpmu_slice slice[4];
static struct bpmu_bank bank;

static void begin_bank(u32 nr)
{
	u32 i;

	for (i = 0; i < nr; i++)
		group_with(&plan, BPMU_BANK_UNCORE, 0, 2);
	memset(slice, 0, sizeof(slice));
	type.is_core = false;
	bank = (struct bpmu_bank){
		.type = &type, .ops = &ops, .groups = &plan.groups[BPMU_BANK_UNCORE][0],
		.slice = slice,
	};
	ops.prove = note_prove;
	ops.preload = note_preload;
	calls[0] = '\0';
	bad_prove = 0;
	bad_program = 0;
	failing = 9;
	holds = true;
}

TEST_BETWEEN(a_bank_is_opened_with_all_its_groups, setup, teardown)
{
	begin_bank(3);
	bank.same = true;
	assert_int_equal(bpmu_bank_open(&bank), 0);
	called("program2 program1 program0 ");
	assert_int_equal(bank.at, 0);
	assert_ptr_equal(bank.group, bank.groups->group);
	assert_ptr_equal(bank.setup, &bank.group->setup[0]);
	assert_ptr_equal(bank.active, slice);
	assert_int_equal(bank.left, 2);
	assert_int_equal(bank.random, 1011);
	assert_true(bank.stops);
	assert_true(bank.wary);
	assert_false(bank.same);
	/* all are programmed, and the first error counts */
	bad_program = -ENODEV;
	failing = 1;
	assert_int_equal(bpmu_bank_open(&bank), -ENODEV);
	called("program2 program1 program0 ");
	bad_program = 0;
	holds = false;
	assert_int_equal(bpmu_bank_open(&bank), -EROFS);
	called("program2 program1 program0 ");
	/* counters that overflow are set before */
	bank.top = 5;
	holds = true;
	assert_int_equal(bpmu_bank_open(&bank), 0);
	called("preload program2 program1 program0 ");
	bank.top = 0;
	bank.interrupts = (void *)&bank;
	assert_int_equal(bpmu_bank_open(&bank), 0);
	called("preload program2 program1 program0 ");
	ops.preload = NULL;
	assert_int_equal(bpmu_bank_open(&bank), 0);
	called("program2 program1 program0 ");
}

TEST_BETWEEN(a_bank_of_one_group_does_not_stop_for_samples, setup, teardown)
{
	begin_bank(1);
	type.is_core = true;
	bank.thread = 1;
	assert_int_equal(bpmu_bank_open(&bank), 0);
	assert_false(bank.stops);
	assert_false(bank.wary);
	assert_int_equal(bank.left, 0);
	assert_ptr_equal(bank.setup, &bank.group->setup[1]);
	plan.groups[BPMU_BANK_UNCORE][0].group[0].setup[1].metrics = true;
	assert_int_equal(bpmu_bank_open(&bank), 0);
	assert_true(bank.stops);
}

TEST_BETWEEN(a_bank_is_reopened_with_its_first_group, setup, teardown)
{
	begin_bank(2);
	bank.at = 1;
	assert_int_equal(bpmu_bank_reopen(&bank), 0);
	called("stop ");
	assert_int_equal(bank.at, 0);
	holds = false;
	failing = 0;
	assert_int_equal(bpmu_bank_reopen(&bank), -EROFS);
	called("stop program1 program0 ");
	holds = true;
	/* a core is stopped only if somebody else may have written it */
	type.is_core = true;
	bank.wary = false;
	assert_int_equal(bpmu_bank_reopen(&bank), 0);
	called("");
	bank.wary = true;
	assert_int_equal(bpmu_bank_reopen(&bank), 0);
	called("stop ");
}

TEST_BETWEEN(a_bank_is_proved, setup, teardown)
{
	begin_bank(2);
	bank.at = 1;
	bad_prove = -EIO;
	assert_int_equal(bpmu_bank_prove(&bank), -EIO);
	called("stop prove ");
	assert_int_equal(bank.at, 0);
	ops.prove = NULL;
	assert_int_equal(bpmu_bank_prove(&bank), 0);
	called("stop ");
}

TEST_BETWEEN(another_plan_is_tried_while_a_bank_runs, setup, teardown)
{
	struct bpmu_plan_groups *groups = &next.groups[BPMU_BANK_UNCORE][0];
	struct bpmu_slice others[2] = { };

	begin_bank(3);
	group_with(&next, BPMU_BANK_UNCORE, 0, 1);
	group_with(&next, BPMU_BANK_UNCORE, 0, 1);
	bpmu_bank_choose(&bank, 2);
	bank.running = true;
	bank.since = 600;
	assert_int_equal(bpmu_bank_try(&bank, groups, others), 0);
	called("stop prove program0 stop program1 stop reprogram2 start ");
	assert_ptr_equal(bank.groups, &plan.groups[BPMU_BANK_UNCORE][0]);
	assert_ptr_equal(bank.slice, slice);
	assert_ptr_equal(bank.active, &slice[2]);
	assert_ptr_equal(bank.group, &plan.groups[BPMU_BANK_UNCORE][0].group[2]);
	assert_int_equal(slice[2].running, 410);
	assert_int_equal(bank.since, 1020);
	assert_true(bank.running);
	assert_true(bank.wary);
	/* not a step after one that failed */
	bad_prove = -EIO;
	assert_int_equal(bpmu_bank_try(&bank, groups, others), -EIO);
	called("stop prove reprogram2 start ");
	bad_prove = 0;
	bad_program = -ENODEV;
	failing = 0;
	bank.running = false;
	assert_int_equal(bpmu_bank_try(&bank, groups, others), -ENODEV);
	called("prove program0 stop reprogram2 ");
	assert_false(bank.running);
	bad_program = 0;
	ops.prove = NULL;
	type.is_core = true;
	bank.wary = false;
	holds = false;
	failing = 1;
	assert_int_equal(bpmu_bank_try(&bank, groups, others), -EROFS);
	called("program0 stop program1 stop reprogram2 ");
	assert_false(bank.wary);
}

TEST_BETWEEN(a_bank_counts_from_its_base, setup, teardown)
{
	u64 values[3];

	begin_bank(1);
	assert_int_equal(bpmu_bank_open(&bank), 0);
	slice[0].running = 9;
	slice[0].turn = 9;
	raw[0] = 100;
	raw[1] = 200;
	bpmu_bank_base(&bank);
	assert_int_equal(slice[0].running, 0);
	assert_int_equal(slice[0].turn, 0);
	assert_int_equal(slice[0].value[0], 100);
	assert_int_equal(slice[0].value[1], 200);
	values[0] = 107;
	values[1] = 150;
	bpmu_bank_resume(&bank, values);
	assert_int_equal(values[0], 107);
	assert_int_equal(values[1], 150);
	/* the counter has gone on for others meanwhile */
	bank.base[0] = 1000;
	bank.base[1] = 1000;
	values[0] = 1003;
	values[1] = 1001;
	bpmu_bank_resume(&bank, values);
	assert_int_equal(values[0], 110);
	assert_int_equal(values[1], 151);
	assert_int_equal(slice[0].value[1], 151);
	assert_int_equal(bank.base[1], 1001);
}

TEST_BETWEEN(counters_of_a_core_have_slots, setup, teardown)
{
	struct bpmu_plan_group *group;
	u64 values[3] = { 1, 2, 3 };

	begin_bank(1);
	group = plan.groups[BPMU_BANK_UNCORE][0].group;
	type.is_core = true;
	group->setup[0].slot[0] = 5;
	group->setup[0].slot[1] = 3;
	group->setup[0].slot[2] = 7;
	bpmu_bank_choose(&bank, 0);
	raw[0] = 100;
	raw[1] = 200;
	bpmu_bank_base(&bank);
	assert_int_equal(bank.base[5], 100);
	assert_int_equal(bank.base[3], 200);
	assert_int_equal(slice[0].value[1], 200);
	group->nr = 3;
	group->event[0].counter = BPMU_METRICS_COUNTER;
	group->event[1].counter = 2;
	group->event[2].counter = BPMU_COUNTER_FIXED + 3;
	bank.base[7] = 300;
	bpmu_bank_take_metrics(&bank, values);
	assert_int_equal(values[0], 100);
	assert_int_equal(values[1], 2);
	assert_int_equal(values[2], 300);
	group->nr = 2;
	values[2] = 4;
	bpmu_bank_take_metrics(&bank, values);
	assert_int_equal(values[2], 4);
}

/* Sets the events of a group of free-running registers. */
static void free_group(u32 first, u32 second)
{
	struct bpmu_plan_group *group = group_with(&plan, BPMU_BANK_FREE_PACKAGE, 0, 2);

	group->event[0].counter = BPMU_COUNTER_FREE + first;
	group->event[1].counter = BPMU_COUNTER_FREE + second;
	bank = (struct bpmu_bank){
		.ops = &bpmu_free_ops, .groups = &plan.groups[BPMU_BANK_FREE_PACKAGE][0],
		.slice = slice,
	};
	bpmu_bank_choose(&bank, plan.groups[BPMU_BANK_FREE_PACKAGE][0].nr - 1);
}

TEST_BETWEEN(free_running_registers_are_read, setup, teardown)
{
	u64 values[2];

	forget_registers();
	put(0, 0x611, 77);
	free_group(BPMU_FREE_PACKAGE_TSC, BPMU_FREE_PKG);
	assert_int_equal(bank.ops->program(&bank), -EIO);
	put(0, BPMU_FREE_MSR_TSC, 5);
	assert_int_equal(bank.ops->program(&bank), 0);
	bank.ops->read(&bank, values);
	assert_int_equal(values[0], 1010);
	assert_int_equal(values[1], 77);
	/* no device is needed so far */
	assert_false(bank.ops->needs(&bank, 2, (void *)0x10));
	free_group(BPMU_FREE_PKG, BPMU_FREE_MEMORY_WRITES);
	assert_true(bank.ops->needs(&bank, 2, (void *)0x10));
	assert_false(bank.ops->needs(&bank, 2, (void *)0x20));
	assert_false(bank.ops->needs(&bank, 3, (void *)0x10));
	assert_int_equal(bank.ops->program(&bank), -ENODEV);
	memory_is_here = true;
	assert_int_equal(bank.ops->program(&bank), 0);
	bank.ops->read(&bank, values);
	assert_int_equal(values[0], 77);
	assert_int_equal(values[1], 0x54 * 1000);
	memory_is_here = false;
	assert_int_equal(bank.ops->claim(0, NULL, NULL), 0);
	assert_int_equal(searches, 1);
	wrote("");
	/* nothing else is done, and nothing is ever wrong */
	assert_int_equal(bank.ops->save(&bank, false), 0);
	assert_true(bank.ops->change(&bank, NULL));
	assert_true(bank.ops->intact(&bank));
}

TEST(free_running_registers_are_of_a_core_or_a_package)
{
	assert_true(bpmu_free_core_shares(2, 4));
	assert_false(bpmu_free_core_shares(2, 3));
	boot_cpu_data.x86_vendor = X86_VENDOR_INTEL;
	assert_true(bpmu_free_package_shares(2, 3));
	assert_false(bpmu_free_package_shares(2, 5));
	boot_cpu_data.x86_vendor = X86_VENDOR_AMD;
	assert_true(bpmu_free_package_shares(2, 5));
	assert_false(bpmu_free_package_shares(2, 1));
}
