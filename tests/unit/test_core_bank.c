// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the module's bank of core counters, on made-up registers: which registers a session
 * saves, proves, writes, compares and restores, and in which order. The source of the module is
 * compiled unchanged, but RDPMC and all that overflow interrupts need are made up.
 */
#include "kernel/module.h"

/* what stands in for these headers of the module is below */
#define BPMU_RDPMC_H
#define BPMU_INTERRUPTS_H

#include "bank.h"
#include "tagged.h"

#define USR BPMU_SEL_USR
#define OS BPMU_SEL_OS

static int rdpmc_fault;

static void bpmu_rdpmc(u32 index, u64 *value, int *err);
static int bpmu_core_read(const struct bpmu_bank *bank, u64 *values);
static void bpmu_interrupts_start(struct bpmu_bank *bank);
static void bpmu_interrupts_hold(struct bpmu_bank *bank);
static void bpmu_interrupts_stop(struct bpmu_bank *bank);
static void bpmu_interrupts_arm(struct bpmu_bank *bank);
static void bpmu_interrupts_disarm(struct bpmu_bank *bank);
static void bpmu_interrupts_preload(struct bpmu_bank *bank);
static void bpmu_interrupts_read(const struct bpmu_bank *bank, u64 *values);
static void bpmu_interrupts_reset_slots(struct bpmu_bank *bank);
static int bpmu_pebs_save(const struct bpmu_bank *bank);
static bool bpmu_pebs_intact(const struct bpmu_bank *bank);
static int bpmu_branches_save(const struct bpmu_bank *bank);

#include "../../kmod/bank/core.c"

#include "kernel/log.h"
#include "kernel/registers.h"

#define SELECT 0x186
#define COUNTER 0xc1
#define FULL 0x4c1
#define FIXED 0x309
#define FIXED_CTRL 0x38d
#define STATUS 0x38e
#define CTRL 0x38f
#define OVF 0x390
#define OFFCORE_0 0x1a6
#define OFFCORE_1 0x1a7
#define LATENCY 0x3f6

static const struct bpmu_extra extra_events[] = {
	{ BPMU_EXTRA_OFFCORE_0, 0xff, 0x1b7 }, { BPMU_EXTRA_OFFCORE_1, 0xff, 0x1bb },
	{ BPMU_EXTRA_LATENCY, 0xff, 0x1cd }, { 0 }
};

static struct bpmu_part part;
static struct bpmu_pmu pmu;
static struct bpmu_bank bank;
static struct bpmu_core_saved saved;
static struct bpmu_plan_group group[3];
static struct bpmu_plan_groups groups = { .nr = 3, .group = group };
static struct bpmu_slice slice[3];
static unsigned int this_cpu;
static bool full;
static bool pebs_holds;
static int pebs_error, tagged_error, branches_error, reserve_error;
static bool reservation_works;
static struct cpumask online, isolated, siblings;
/* what was asked of interrupts and of the reservation */
static char did[256];

static void note(const char *what)
{
	strcat(strcat(did, what), " ");
}

static void noted(const char *expected)
{
	assert_string_equal(did, expected);
	did[0] = '\0';
}

static void bpmu_rdpmc(u32 index, u64 *value, int *err)
{
	if (rdpmc_fault && rdpmc_fault - 1 == (int)(index & 0xff))
		*err = -EFAULT;
	else if (index == BPMU_RDPMC_METRICS)
		*value = get(0, BPMU_MSR_PERF_METRICS);
	else if (index & BPMU_RDPMC_FIXED)
		*value = get(0, FIXED + (index & 0xff));
	else
		*value = get(0, (full ? FULL : COUNTER) + index);
}

static int bpmu_core_read(const struct bpmu_bank *of, u64 *values)
{
	int err = 0;
	u32 i;

	for (i = 0; i < of->group->nr; i++)
		bpmu_rdpmc(of->setup->index[i], &values[i], &err);
	return err;
}

static void bpmu_interrupts_start(struct bpmu_bank *of)
{
	(void)of;
	note("start");
}

static void bpmu_interrupts_hold(struct bpmu_bank *of)
{
	(void)of;
	note("hold");
}

static void bpmu_interrupts_stop(struct bpmu_bank *of)
{
	(void)of;
	note("stop");
}

static void bpmu_interrupts_arm(struct bpmu_bank *of)
{
	(void)of;
	note("arm");
}

static void bpmu_interrupts_disarm(struct bpmu_bank *of)
{
	(void)of;
	note("disarm");
}

static void bpmu_interrupts_preload(struct bpmu_bank *of)
{
	(void)of;
	note("preload");
}

static void bpmu_interrupts_read(const struct bpmu_bank *of, u64 *values)
{
	(void)of;
	values[0] = 4711;
}

static void bpmu_interrupts_reset_slots(struct bpmu_bank *of)
{
	(void)of;
	note("reset");
}

static int bpmu_pebs_save(const struct bpmu_bank *of)
{
	(void)of;
	note("pebs");
	return pebs_error;
}

static bool bpmu_pebs_intact(const struct bpmu_bank *of)
{
	(void)of;
	return pebs_holds;
}

int bpmu_tagged_save(const struct bpmu_bank *of)
{
	(void)of;
	note("tagged");
	return tagged_error;
}

static int bpmu_branches_save(const struct bpmu_bank *of)
{
	(void)of;
	note("branches");
	return branches_error;
}

unsigned int smp_processor_id(void)
{
	return this_cpu;
}

const struct cpumask *topology_sibling_cpumask(unsigned int cpu)
{
	assert_int_equal(cpu, this_cpu);
	return &siblings;
}

const struct bpmu_pmu *bpmu_pmu_of(unsigned int cpu)
{
	return cpu == 5 ? NULL : &pmu;
}

bool bpmu_probe_full_width(void)
{
	return full;
}

int bpmu_pmu_reserve(void)
{
	note("reserve");
	return reserve_error;
}

void bpmu_pmu_release(void)
{
	note("release");
}

bool bpmu_pmu_reservation_works(void)
{
	return reservation_works;
}

bool cpu_online(unsigned int cpu)
{
	return cpumask_test_cpu(cpu, &online);
}

bool cpu_is_isolated(unsigned int cpu)
{
	return cpumask_test_cpu(cpu, &isolated);
}

int bpmu_cpu_run_on(unsigned int cpu, int (*fn)(void *arg), void *arg)
{
	char name[16];
	int err;

	snprintf(name, sizeof(name), "cpu%u", cpu);
	note(name);
	this_cpu = cpu;
	err = fn(arg);
	this_cpu = 0;
	return err;
}

bool bpmu_plan_group_has_data(const struct bpmu_plan_group *of)
{
	return of->event[0].data;
}

static void add(unsigned int g, u32 counter, u32 sibling, u64 select, u64 filter)
{
	struct bpmu_plan_event *event = &group[g].event[group[g].nr++];

	event->counter = counter;
	event->sibling = sibling;
	event->select = select;
	event->filter = filter;
}

/*
 * Begins with a PMU of three general and two fixed counters. Group 0 has an event with an extra
 * register, another event and fixed counter 1; group 1 has another value of that register, and
 * another register; group 2 has general counter 1 alone.
 */
TEST_FIXTURE(setup)
{
	unsigned int i;

	forget_registers();
	memset(shared_extras, 0, sizeof(shared_extras));
	memset(group, 0, sizeof(group));
	memset(&saved, 0x5a, sizeof(saved));
	part = (struct bpmu_part){
		.msrs = {
			.select = SELECT, .counter = COUNTER, .counter_full = FULL, .fixed = FIXED,
			.fixed_ctrl = FIXED_CTRL, .global_ctrl = CTRL, .global_status = STATUS,
			.global_ovf = OVF, .stride = 1,
		},
		.extras = extra_events,
	};
	pmu = (struct bpmu_pmu){
		.part = &part, .version = 3, .gp_counters = 3, .gp_width = 40, .fixed_counters = 2,
		.fixed_width = 44, .global = 1,
	};
	bank = (struct bpmu_bank){
		.ops = &bpmu_core_ops, .groups = &groups, .pmu = &pmu, .slice = slice,
		.saved = &saved,
	};
	for (i = 0; i < 3; i++) {
		put(0, SELECT + i, 0x10 + i);
		put(0, COUNTER + i, 0x100 + i);
	}
	put(0, FIXED, 0x200);
	put(0, FIXED + 1, 0x201);
	put(0, FIXED_CTRL, 0);
	put(0, STATUS, 0);
	put(0, CTRL, 0x7);
	put(0, OVF, 0);
	put(0, OFFCORE_0, 0xa6);
	put(0, OFFCORE_1, 0xa7);
	put(0, LATENCY, 0xf6);
	add(0, 0, 1, 0x1b7 | USR | OS, 0x33);
	add(0, 2, 2, 0xc0 | USR, 0);
	add(0, BPMU_FIXED_BASE + 1, BPMU_FIXED_BASE + 1, USR, 0);
	add(1, 0, 1, 0x1b7 | USR, 0x44);
	add(1, 1, 0, 0x1cd | USR, 0x55);
	add(2, 1, 0, 0x3c | OS, 0);
	for (i = 0; i < 3; i++)
		bpmu_core_setup(&pmu, &group[i], false);
	bpmu_bank_choose(&bank, 0);
	this_cpu = 0;
	siblings.bits = 1;
	online.bits = 0xff;
	isolated.bits = 0;
	full = false;
	rdpmc_fault = 0;
	pebs_holds = true;
	pebs_error = 0;
	tagged_error = 0;
	branches_error = 0;
	reserve_error = 0;
	reservation_works = true;
	did[0] = '\0';
	return 0;
}

TEST_FIXTURE(teardown)
{
	noted("");
	return 0;
}

#define CORE(name) TEST_BETWEEN(name, setup, teardown)

static void save_and_prove(void)
{
	unsigned int i;

	for (i = 0; i < 3; i++)
		register_at(0, SELECT + i)->value &= ~BPMU_SEL_EN;
	put(0, FIXED_CTRL, 0);
	assert_int_equal(bank.ops->save(&bank, false), 0);
	assert_int_equal(bank.ops->prove(&bank), 0);
	written[0] = '\0';
}

/* Checks that a function notices when any register holds another value, except those in @unseen. */
static void notices(bool (*holds)(const struct bpmu_bank *bank), const u32 *unseen)
{
	const u32 *seen;
	unsigned int i;

	assert_true(holds(&bank));
	for (i = 0; i < nr_registers; i++) {
		for (seen = unseen; *seen && *seen != registers[i].number; seen++)
			;
		registers[i].value ^= 4;
		if (holds(&bank) != !!*seen)
			fail_msg("register %x", registers[i].number);
		registers[i].value ^= 4;
	}
}

CORE(a_group_becomes_values_of_registers)
{
	const struct bpmu_core_setup *own = &group[0].setup[0], *other = &group[0].setup[1];

	assert_int_equal(own->nr_gp, 2);
	assert_int_equal(own->gp[0], 0);
	assert_int_equal(own->gp[1], 2);
	assert_int_equal(own->select[0], 0x1b7 | USR | OS | BPMU_SEL_EN);
	assert_int_equal(own->select[1], 0xc0 | USR | BPMU_SEL_EN);
	assert_int_equal(own->msr[0], SELECT);
	assert_int_equal(own->msr[1], SELECT + 2);
	assert_int_equal(own->fixed_ctrl, 0x20);
	assert_int_equal(own->enable, 5 | BPMU_FIXED_BIT(1));
	assert_int_equal(own->extras, BIT(BPMU_EXTRA_OFFCORE_0));
	assert_int_equal(own->extra[BPMU_EXTRA_OFFCORE_0], 0x33);
	assert_int_equal(own->index[0], 0);
	assert_int_equal(own->index[1], 2);
	assert_int_equal(own->index[2], BPMU_RDPMC_FIXED | 1);
	assert_int_equal(own->slot[1], 2);
	assert_int_equal(own->slot[2], BPMU_MAX_GP + 1);
	assert_false(own->metrics);
	assert_int_equal(other->gp[0], 1);
	assert_int_equal(other->index[0], 1);
	assert_int_equal(other->enable, 6 | BPMU_FIXED_BIT(1));
	assert_int_equal(group[1].setup[0].extras,
			 BIT(BPMU_EXTRA_OFFCORE_0) | BIT(BPMU_EXTRA_LATENCY));
}

CORE(counters_that_interrupt_have_a_bit)
{
	struct bpmu_plan_group *own = &group[2];

	memset(own, 0, sizeof(*own));
	add(2, 0, 0, 0xc0 | USR, 0);
	add(2, 1, 1, 0xc0 | USR, 0);
	add(2, BPMU_FIXED_BASE, BPMU_FIXED_BASE, OS, 0);
	add(2, BPMU_METRICS_COUNTER, BPMU_METRICS_COUNTER, 0, 0);
	add(2, BPMU_IBS_COUNTER, BPMU_IBS_COUNTER, 0, 0);
	add(2, BPMU_FETCH_COUNTER, BPMU_FETCH_COUNTER, 0, 0);
	own->event[0].period = 100;
	own->event[1].period = 100;
	own->event[1].precise = true;
	own->event[2].period = 100;
	bpmu_core_setup(&pmu, own, true);
	assert_int_equal(own->setup[0].select[0], 0xc0 | USR | BPMU_SEL_INT | BPMU_SEL_EN);
	assert_int_equal(own->setup[0].select[1], 0xc0 | USR | BPMU_SEL_EN);
	assert_int_equal(own->setup[0].fixed_ctrl, 9);
	assert_int_equal(own->setup[0].nr_gp, 2);
	assert_true(own->setup[0].metrics);
	assert_int_equal(own->setup[0].enable, 3 | BPMU_FIXED_BIT(0) |
			 BPMU_BIT(BPMU_METRICS_COUNTER));
	assert_int_equal(own->setup[0].index[3], BPMU_RDPMC_METRICS);
	assert_int_equal(own->setup[0].index[4], 0);
	assert_int_equal(own->setup[0].slot[3], BPMU_BANK_SLOTS - 1);
	assert_int_equal(own->setup[0].slot[4], BPMU_BANK_SLOTS - 1);
	assert_int_equal(own->setup[0].slot[5], BPMU_BANK_SLOTS - 2);
	/* precise records of more than one group */
	pmu.pebs_format = 5;
	pmu.pebs = ~0ULL;
	assert_true(bpmu_pmu_has_groups(&pmu));
	memset(own->setup, 0, sizeof(own->setup));
	bpmu_core_setup(&pmu, own, true);
	assert_int_equal(own->setup[0].select[0], 0xc0 | USR | BPMU_SEL_INT | BPMU_SEL_EN);
	assert_int_equal(own->setup[0].select[1], 0xc0 | USR | BPMU_SEL_ADAPTIVE | BPMU_SEL_EN);
	memset(own->setup, 0, sizeof(own->setup));
	bpmu_core_setup(&pmu, own, false);
	assert_int_equal(own->setup[0].select[1], 0xc0 | USR | BPMU_SEL_EN);
	memset(own->setup, 0, sizeof(own->setup));
	own->event[0].data = true;
	bpmu_core_setup(&pmu, own, false);
	assert_int_equal(own->setup[1].select[1], 0xc0 | USR | BPMU_SEL_ADAPTIVE | BPMU_SEL_EN);
}

CORE(enabled_counters_are_in_use)
{
	static const u32 needed[] = { SELECT, SELECT + 2, FIXED_CTRL, STATUS, CTRL };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(needed); i++) {
		register_at(0, needed[i])->number = 0xdead;
		assert_int_equal(bank.ops->save(&bank, true), -EIO);
		register_at(0, 0xdead)->number = needed[i];
	}
	assert_int_equal(bank.ops->save(&bank, false), 0);
	put(0, SELECT + 2, BPMU_SEL_EN | 0x12);
	assert_int_equal(bank.ops->save(&bank, false), -EBUSY);
	assert_int_equal(bpmu_core_enabled(&pmu, &saved), 4);
	put(0, FIXED_CTRL, 0x20);
	assert_int_equal(bank.ops->save(&bank, false), -EBUSY);
	assert_int_equal(bpmu_core_enabled(&pmu, &saved), 4 | BPMU_FIXED_BIT(1));
	/* the control of a fixed counter that is not there */
	put(0, FIXED_CTRL, 0x200);
	put(0, SELECT + 2, 0x12);
	assert_int_equal(bank.ops->save(&bank, false), 0);
	wrote("");
	put(0, SELECT + 2, BPMU_SEL_EN | 0x12);
	assert_int_equal(bank.ops->save(&bank, true), 0);
	wrote("188=0 ");
	/* a part without the registers */
	pmu.fixed_counters = 0;
	pmu.global = 0;
	forget_registers();
	for (i = 0; i < 3; i++)
		put(0, SELECT + i, 0);
	assert_int_equal(bank.ops->save(&bank, false), 0);
}

CORE(reading_by_user_space_is_left_as_it_was)
{
	pmu.version = 6;
	put(0, SELECT, BPMU_SEL_RDPMC_USER | BPMU_SEL_EN);
	put(0, SELECT + 1, BPMU_SEL_RDPMC_USER | 5);
	put(0, FIXED_CTRL, 0x200000002ULL);
	put(0, CTRL, 0x70);
	assert_int_equal(bank.ops->save(&bank, true), 0);
	wrote("186=2000000000 ");
	assert_int_equal(saved.fixed_held, 2);
	assert_int_equal(bank.ops->prove(&bank), 0);
	written[0] = '\0';
	bpmu_bank_choose(&bank, 2);
	assert_int_equal(bank.ops->program(&bank), 0);
	wrote("187=200042003c 38d=200000000 ");
	assert_true(bank.ops->programmed(&bank));
	bank.wary = true;
	bank.ops->restore(&bank);
	assert_int_equal(get(0, SELECT), BPMU_SEL_RDPMC_USER | BPMU_SEL_EN);
	assert_int_equal(get(0, FIXED_CTRL), 0x200000002ULL);
	written[0] = '\0';
}

CORE(counters_are_proved)
{
	assert_int_equal(bank.ops->save(&bank, false), 0);
	assert_int_equal(bank.ops->prove(&bank), 0);
	wrote("c1=33333333 c1=100 c2=33333333 c2=101 c3=33333333 c3=102 30a=33333333 30a=201 ");
	assert_int_equal(saved.taken, 7 | BPMU_FIXED_BIT(1));
	assert_int_equal(saved.counter[2], 0x102);
	assert_int_equal(saved.fixed[1], 0x201);
	assert_int_equal(saved.extras, BIT(BPMU_EXTRA_OFFCORE_0) | BIT(BPMU_EXTRA_LATENCY));
	assert_int_equal(saved.extra[BPMU_EXTRA_LATENCY], 0xf6);
	/* what was saved is not saved again */
	put(0, OFFCORE_0, 0x99);
	assert_int_equal(bank.ops->prove(&bank), 0);
	wrote("");
	assert_int_equal(saved.extra[BPMU_EXTRA_OFFCORE_0], 0xa6);
}

CORE(counters_that_do_not_work_are_found)
{
	static const u32 counters[] = { COUNTER, COUNTER + 2, FIXED + 1 };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(counters); i++) {
		assert_int_equal(bank.ops->save(&bank, false), 0);
		register_at(0, counters[i])->stuck = ~0ULL;
		assert_int_equal(bank.ops->prove(&bank), -EIO);
		register_at(0, counters[i])->stuck = 0;
	}
	for (i = 1; i <= 3; i++) {
		rdpmc_fault = i;
		assert_int_equal(bank.ops->save(&bank, false), 0);
		assert_int_equal(bank.ops->prove(&bank), -EIO);
	}
	/* a counter that no group uses does not matter */
	rdpmc_fault = 0;
	groups.nr = 1;
	register_at(0, COUNTER + 1)->stuck = ~0ULL;
	assert_int_equal(bank.ops->save(&bank, false), 0);
	assert_int_equal(bank.ops->prove(&bank), 0);
	/* the thread has counters of its own */
	bank.thread = 1;
	assert_int_equal(bank.ops->save(&bank, false), 0);
	assert_int_equal(bank.ops->prove(&bank), -EIO);
	groups.nr = 3;
	written[0] = '\0';
}

CORE(full_width_writes_have_registers_of_their_own)
{
	unsigned int i;

	full = true;
	for (i = 0; i < 3; i++)
		put(0, FULL + i, 0x8000000000ULL + i);
	assert_int_equal(bank.ops->save(&bank, false), 0);
	assert_int_equal(bank.ops->prove(&bank), 0);
	wrote("4c1=33333333 4c1=8000000000 4c2=33333333 4c2=8000000001 4c3=33333333 4c3=8000000002 30a=33333333 30a=201 ");
	bank.top = 1000;
	bank.ops->preload(&bank);
	wrote("4c1=fffffffc18 4c2=fffffffc18 4c3=fffffffc18 30a=ffffffffc18 390=200000007 ");
	bank.interrupts = (void *)&bank;
	bank.ops->preload(&bank);
	noted("preload ");
	wrote("");
}

CORE(groups_are_programmed_and_switched)
{
	save_and_prove();
	put(0, CTRL, 0);
	bpmu_bank_choose(&bank, 1);
	assert_int_equal(bank.ops->program(&bank), 0);
	wrote("1a6=44 3f6=55 186=4101b7 187=4101cd ");
	bpmu_bank_choose(&bank, 0);
	assert_int_equal(bank.ops->program(&bank), 0);
	wrote("1a6=33 187=0 186=4301b7 188=4100c0 38d=20 ");
	notices(bank.ops->programmed, (u32 []){ SELECT + 1, COUNTER, COUNTER + 1, COUNTER + 2, FIXED,
						FIXED + 1, STATUS, CTRL, OVF, OFFCORE_1, LATENCY,
						0 });
	/* all counters' selects are compared, but for the one that no group has written */
	notices(bank.ops->intact, (u32 []){ COUNTER, COUNTER + 1, COUNTER + 2, FIXED, FIXED + 1,
					    FIXED_CTRL, STATUS, CTRL, OVF, OFFCORE_1, LATENCY, 0 });
	pebs_holds = false;
	assert_false(bank.ops->intact(&bank));
	pebs_holds = true;
	bank.ops->start(&bank);
	wrote("38f=200000005 ");
	bank.ops->stop(&bank);
	wrote("38f=0 ");
	/* the other group has no fixed counter */
	bpmu_bank_choose(&bank, 1);
	assert_true(bpmu_core_switch_rest(&bank));
	wrote("1a6=44 38d=0 ");
	assert_true(bpmu_core_switch_rest(&bank));
	wrote("");
	bpmu_bank_choose(&bank, 0);
	put(0, FIXED_CTRL, 0x100000000ULL);
	assert_false(bpmu_core_switch_rest(&bank));
	wrote("1a6=33 38d=20 ");
	bpmu_bank_choose(&bank, 1);
	put(0, OFFCORE_0, 0x77);
	assert_false(bpmu_core_switch_rest(&bank));
	wrote("1a6=44 38d=0 ");
	bpmu_bank_choose(&bank, 0);
	bank.ops->reprogram(&bank);
	wrote("1a6=33 186=4301b7 187=0 188=4100c0 38d=20 ");
	assert_true(bank.ops->programmed(&bank));
	/* group 2 clears what it does not use */
	bpmu_bank_choose(&bank, 2);
	assert_int_equal(bank.ops->program(&bank), 0);
	wrote("186=0 188=0 187=42003c 38d=0 ");
	assert_true(bank.ops->programmed(&bank));
	assert_true(bank.ops->intact(&bank));
	assert_int_equal(bank.ops->program(&bank), 0);
	wrote("187=42003c ");
	bank.ops->restore(&bank);
	wrote("30a=201 1a6=a6 3f6=f6 c1=100 186=10 c2=101 187=11 c3=102 188=12 38f=7 ");
}

CORE(the_fixed_control_is_compared_if_it_was_written)
{
	save_and_prove();
	bpmu_bank_choose(&bank, 2);
	assert_int_equal(bank.ops->program(&bank), 0);
	put(0, FIXED_CTRL, 4);
	assert_true(bank.ops->intact(&bank));
	assert_true(bank.ops->programmed(&bank));
	saved.fixed_ctrl = 1;
	assert_false(bank.ops->intact(&bank));
	written[0] = '\0';
}

CORE(a_register_that_cannot_be_written_is_told)
{
	static const u32 used[] = { OFFCORE_0, SELECT, SELECT + 2, FIXED_CTRL };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(used); i++) {
		bpmu_bank_choose(&bank, 0);
		save_and_prove();
		register_at(0, used[i])->number = 0xdead;
		assert_int_equal(bank.ops->program(&bank), -EIO);
		register_at(0, 0xdead)->number = used[i];
	}
	/* a select that has to be cleared */
	save_and_prove();
	assert_int_equal(bank.ops->program(&bank), 0);
	bpmu_bank_choose(&bank, 2);
	register_at(0, SELECT)->number = 0xdead;
	assert_int_equal(bank.ops->program(&bank), -EIO);
	register_at(0, 0xdead)->number = SELECT;
	/* an extra register that a hypervisor hides */
	register_at(0, LATENCY)->number = 0xdead;
	assert_int_equal(bank.ops->save(&bank, true), 0);
	assert_int_equal(bank.ops->prove(&bank), 0);
	assert_int_equal(saved.extras, BIT(BPMU_EXTRA_OFFCORE_0));
	register_at(0, 0xdead)->number = LATENCY;
	bpmu_bank_choose(&bank, 1);
	assert_int_equal(bank.ops->program(&bank), -EIO);
	bpmu_bank_choose(&bank, 0);
	assert_int_equal(bank.ops->program(&bank), 0);
	written[0] = '\0';
}

CORE(overflow_bits_of_before_are_kept)
{
	put(0, STATUS, 0x2);
	save_and_prove();
	put(0, STATUS, 0x800000200000007ULL);
	bank.ops->restore(&bank);
	wrote("30a=201 c1=100 c2=101 c3=102 390=200000005 38f=7 ");
	put(0, STATUS, 2);
	bank.ops->restore(&bank);
	wrote("30a=201 c1=100 c2=101 c3=102 38f=7 ");
	/* counters that are set close below overflow keep none */
	bank.top = 9;
	save_and_prove();
	assert_int_equal(saved.global_status, 0);
	bank.top = 0;
	bank.interrupts = (void *)&bank;
	assert_int_equal(bank.ops->save(&bank, false), 0);
	assert_int_equal(saved.global_status, 0);
	noted("pebs tagged branches arm ");
}

CORE(all_is_restored_after_another_agent)
{
	save_and_prove();
	bank.wary = true;
	bank.ops->restore(&bank);
	wrote("38f=0 30a=201 38d=0 c1=100 186=10 c2=101 187=11 c3=102 188=12 38f=7 ");
	bank.wary = false;
	bank.interrupts = (void *)&bank;
	bank.ops->restore(&bank);
	wrote("38f=0 30a=201 c1=100 c2=101 c3=102 38f=7 ");
	noted("hold stop disarm ");
}

CORE(interrupts_are_saved_in_order)
{
	u64 values[3];

	bank.interrupts = (void *)&bank;
	branches_error = -EBUSY;
	assert_int_equal(bank.ops->save(&bank, false), -EBUSY);
	noted("pebs tagged branches ");
	tagged_error = -EIO;
	assert_int_equal(bank.ops->save(&bank, false), -EIO);
	noted("pebs tagged ");
	pebs_error = -ENODEV;
	assert_int_equal(bank.ops->save(&bank, false), -ENODEV);
	noted("pebs ");
	bank.ops->read(&bank, values);
	assert_int_equal(values[0], 4711);
	bank.ops->reset_metrics(&bank);
	noted("reset ");
	bank.ops->start(&bank);
	noted("start ");
	wrote("");
	bank.interrupts = NULL;
	bank.ops->read(&bank, values);
	assert_int_equal(values[0], 0x100);
	assert_int_equal(values[1], 0x102);
	assert_int_equal(values[2], 0x201);
	put(0, FIXED + 3, 1);
	put(0, BPMU_MSR_PERF_METRICS, 2);
	bank.ops->reset_metrics(&bank);
	wrote("30c=0 329=0 ");
}

CORE(metrics_are_saved_and_restored)
{
	put(0, BPMU_MSR_PERF_METRICS, 0xff00);
	put(0, FIXED + 2, 0x202);
	put(0, FIXED + 3, 0x203);
	pmu.fixed_counters = 4;
	pmu.metrics = 4;
	add(2, BPMU_METRICS_COUNTER, BPMU_METRICS_COUNTER, 0, 0);
	add(2, BPMU_FIXED_BASE + 3, BPMU_FIXED_BASE + 3, USR, 0);
	memset(group[2].setup, 0, sizeof(group[2].setup));
	bpmu_core_setup(&pmu, &group[2], false);
	save_and_prove();
	assert_int_equal(saved.metrics, 0xff00);
	bank.ops->restore(&bank);
	wrote("30a=201 30c=203 329=ff00 c1=100 c2=101 c3=102 38f=7 ");
}

CORE(selects_start_counters_without_a_global_control)
{
	pmu.global = 0;
	put(0, SELECT + 1, 0);
	save_and_prove();
	assert_int_equal(bank.ops->program(&bank), 0);
	wrote("1a6=33 186=301b7 188=100c0 38d=20 ");
	assert_true(bank.ops->programmed(&bank));
	assert_false(bpmu_core_selects_enabled(&bank));
	bank.running = true;
	bank.ops->start(&bank);
	wrote("186=4301b7 188=4100c0 ");
	assert_true(bpmu_core_selects_enabled(&bank));
	put(0, SELECT + 2, 0x100c0);
	assert_false(bpmu_core_selects_enabled(&bank));
	put(0, SELECT + 2, 0x4100c0);
	/* all selects are compared, also those of counters that no group uses */
	notices(bank.ops->intact, (u32 []){ COUNTER, COUNTER + 1, COUNTER + 2, FIXED, FIXED + 1,
					    FIXED_CTRL, STATUS, CTRL, OVF, OFFCORE_1, LATENCY, 0 });
	bank.ops->stop(&bank);
	wrote("186=0 188=0 ");
	assert_int_equal(saved.held[0], 0);
	assert_int_equal(saved.held[2], 0);
	bank.running = false;
	bank.ops->stop(&bank);
	wrote("");
	bank.wary = true;
	saved.held[1] = 5;
	bank.ops->stop(&bank);
	wrote("186=0 187=0 188=0 ");
	assert_int_equal(saved.held[1], 0);
	bpmu_bank_choose(&bank, 0);
	bank.ops->reprogram(&bank);
	wrote("1a6=33 186=301b7 187=0 188=100c0 38d=20 ");
	bank.wary = false;
	bank.ops->restore(&bank);
	wrote("30a=201 38d=0 1a6=a6 c1=100 186=10 c2=101 c3=102 188=12 ");
	pmu.fixed_counters = 0;
	bank.ops->reprogram(&bank);
	wrote("1a6=33 186=301b7 187=0 188=100c0 ");
}

CORE(threads_of_a_core_share_a_register)
{
	struct bpmu_core_saved first;

	part.quirks = BPMU_QUIRK_SHARED_EXTRAS;
	siblings.bits = 0x5;
	save_and_prove();
	assert_int_equal(bank.ops->program(&bank), 0);
	first = saved;
	assert_int_equal(shared_extras[0].held, BIT(BPMU_EXTRA_OFFCORE_0));
	assert_int_equal(shared_extras[0].before[BPMU_EXTRA_OFFCORE_0], 0xa6);
	/* the other thread finds the value of the first, and takes the one from before */
	this_cpu = 2;
	assert_int_equal(bank.ops->save(&bank, true), 0);
	assert_int_equal(bank.ops->prove(&bank), 0);
	assert_int_equal(saved.extra[BPMU_EXTRA_OFFCORE_0], 0x33);
	assert_int_equal(bank.ops->program(&bank), 0);
	assert_int_equal(saved.extra[BPMU_EXTRA_OFFCORE_0], 0xa6);
	assert_int_equal(shared_extras[2].before[BPMU_EXTRA_OFFCORE_0], 0xa6);
	written[0] = '\0';
	/* the first to end leaves it to the other */
	this_cpu = 0;
	restore_extras(&pmu, &first);
	wrote("");
	assert_int_equal(shared_extras[0].held, 0);
	this_cpu = 2;
	restore_extras(&pmu, &saved);
	wrote("1a6=a6 ");
	assert_int_equal(shared_extras[2].held, 0);
	/* a thread that has not written the register yet reads it anew */
	put(0, OFFCORE_0, 0x66);
	saved.written = 0;
	assert_int_equal(bank.ops->program(&bank), 0);
	assert_int_equal(saved.extra[BPMU_EXTRA_OFFCORE_0], 0x66);
	put(0, OFFCORE_0, 0x67);
	assert_int_equal(bank.ops->program(&bank), 0);
	assert_int_equal(saved.extra[BPMU_EXTRA_OFFCORE_0], 0x66);
	/* what each thread has is restored by itself */
	bpmu_bank_choose(&bank, 1);
	assert_int_equal(bank.ops->program(&bank), 0);
	assert_int_equal(shared_extras[2].held, BIT(BPMU_EXTRA_OFFCORE_0));
	written[0] = '\0';
	restore_extras(&pmu, &saved);
	wrote("1a6=66 3f6=f6 ");
}

CORE(a_snapshot_has_all_counters)
{
	struct bpmu_core_saved now = { };

	assert_int_equal(bpmu_core_snapshot(3, &now), 0);
	noted("cpu3 ");
	assert_int_equal(now.select[2], 0x12);
	assert_int_equal(now.counter[1], 0x101);
	assert_int_equal(now.fixed[0], 0x200);
	assert_int_equal(now.taken, 7 | BPMU_FIXED_BIT(0) | BPMU_FIXED_BIT(1));
	assert_int_equal(now.global_ctrl, 7);
	rdpmc_fault = 3;
	assert_int_equal(bpmu_core_save(&pmu, &now), -EIO);
	rdpmc_fault = 0;
	register_at(0, STATUS)->number = 0xdead;
	assert_int_equal(bpmu_core_save(&pmu, &now), -EIO);
	register_at(0, SELECT)->number = 0xdead;
	assert_int_equal(bpmu_core_save(&pmu, &now), -EIO);
	wrote("");
}

CORE(counters_are_reserved_before_a_session)
{
	struct bpmu_settings settings = { .cpus = &(struct cpumask){ 0x40 } };
	struct netlink_ext_ack ack = { };

	reserve_error = -EBUSY;
	assert_int_equal(bank.ops->reserve(&settings, &ack), -EBUSY);
	assert_string_equal(ack._msg,
			    "perf or the NMI watchdog holds the counters; stop perf and the watchdog");
	noted("reserve ");
	reserve_error = 0;
	ack._msg = NULL;
	assert_int_equal(bank.ops->reserve(&settings, &ack), 0);
	noted("reserve ");
	/* perf cannot be kept away: nobody may count now, on CPUs that may be asked */
	reservation_works = false;
	isolated.bits = 0x42;
	online.bits = 0x6f;
	assert_int_equal(bank.ops->reserve(&settings, &ack), 0);
	noted("reserve cpu0 cpu2 cpu3 cpu6 ");
	assert_null(ack._msg);
	put(0, SELECT + 1, BPMU_SEL_EN);
	assert_int_equal(bank.ops->reserve(&settings, &ack), -EBUSY);
	assert_string_equal(ack._msg,
			    "a counter is enabled, and perf cannot be excluded on this part; stop perf first");
	noted("reserve cpu0 release ");
	/* what cannot be read is found later */
	register_at(0, SELECT)->number = 0xdead;
	assert_int_equal(bank.ops->reserve(&settings, &ack), 0);
	noted("reserve cpu0 cpu2 cpu3 cpu6 ");
	bank.ops->unreserve();
	noted("release ");
}
