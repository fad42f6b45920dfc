// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the module's banks of uncore counters, on made-up registers: which registers a session
 * saves, writes, compares and restores, in which order, and which it leaves to another agent. The
 * sources of the module are compiled unchanged.
 */
#include "kernel/module.h"

#include "../../kmod/bank/bank.c"
#include "../../kmod/bank/plan.c"
#include "../../kmod/bank/uncore.c"

#include "kernel/log.h"
#include "kernel/registers.h"

#define ENABLE 0x400000ULL
#define FROZEN 0x101
#define FREEZE 0x100
#define RUNNING 1
#define GLOBAL 0x391
#define GLOBAL_START 0x2000000fULL

/*
 * Four made-up kinds of uncore. BOXED: three units with control registers and filters, whose
 * counters are added up. JOINT: two units, and one register that starts all counters. PLAIN: two
 * units, event selects start their counters, which saturate at 8 bits. DEVICES: PCI devices.
 */
static const struct bpmu_box boxed_boxes[] = {
	{
		.unit = BPMU_UNIT_CHA, .select = 0x10, .counter = 0x18, .step = 0x20, .stride = 1,
		.nr = 3, .counters = 2, .width = 44, .enable = ENABLE, .ctl = 0x1c,
		.frozen = FROZEN, .freeze = FREEZE, .running = RUNNING, .filter = 0x1d,
		.filter_high = 0x1e, .base = BPMU_COUNTER_CHA,
	},
	{ 0 }
};

static const struct bpmu_box joint_boxes[] = {
	{
		.unit = BPMU_UNIT_CBO, .select = 0x700, .counter = 0x706, .step = 0x10, .stride = 1,
		.nr = 2, .counters = 2, .width = 44, .enable = ENABLE,
	},
	{ 0 }
};

static const struct bpmu_box plain_boxes[] = {
	{
		.unit = BPMU_UNIT_UMC, .select = 0x800, .counter = 0x801, .step = 0x10, .stride = 2,
		.nr = 2, .counters = 2, .width = 8, .enable = ENABLE, .saturates = 1,
		.base = BPMU_COUNTER_UMC,
	},
	{ 0 }
};

static const u16 ids[] = { 0x1234, 0 };
static const struct bpmu_channels channels;

#define IMC \
	.unit = BPMU_UNIT_IMC, .select = 0xd8, .counter = 0xa0, .stride = 4, .counter_stride = 8, \
	.nr = 2, .counters = 2, .width = 40, .ctl = 0xf4, .frozen = FROZEN, .freeze = FREEZE, \
	.running = RUNNING, .base = BPMU_COUNTER_IMC, .wrap_us = 1000

static const struct bpmu_box device_boxes[] = {
	{ IMC, .enable = ENABLE, .devices = ids }, { 0 }
};

static const struct bpmu_box channel_boxes[] = {
	{ IMC, .devices = ids, .channels = &channels, .global = 0x54 }, { 0 }
};

static const struct bpmu_box wide_boxes[] = {
	{
		.unit = BPMU_UNIT_IMC, .select = 0x40, .wide = 1, .counter = 0x80, .stride = 8,
		.nr = 2, .counters = 2, .width = 40, .enable = ENABLE, .base = BPMU_COUNTER_IMC,
		.size = 0x100,
	},
	{ 0 }
};

static const struct bpmu_discovery discovery;

static const struct bpmu_uncore boxed = { .boxes = boxed_boxes };
static const struct bpmu_uncore joint = {
	.boxes = joint_boxes, .global_ctrl = GLOBAL, .global_start = GLOBAL_START,
};

static const struct bpmu_uncore plain = { .boxes = plain_boxes };
static const struct bpmu_uncore in_devices = { .boxes = device_boxes };
static const struct bpmu_uncore listed = { .boxes = device_boxes, .discovery = &discovery };
static const struct bpmu_uncore in_channels = { .boxes = channel_boxes };
static const struct bpmu_uncore wide = { .boxes = wide_boxes };

static const struct bpmu_bank_type msr_type = { .ops = &bpmu_uncore_ops };
static const struct bpmu_bank_type device_type = {
	.ops = &bpmu_device_ops, .unit = BPMU_UNIT_IMC,
};

unsigned int tsc_khz = 1000;
u64 bpmu_tsc_shift;

static struct bpmu_part part;
static struct bpmu_pmu pmu;
static struct bpmu_bank bank;
static struct bpmu_uncore_saved saved;
static struct bpmu_plan_group group[3];
static struct bpmu_plan_groups groups = { .nr = 3, .group = group };
static struct bpmu_slice slice[3];
static struct bpmu_devices devices;
/* time stamp counter, and what each read adds to it */
static u64 tsc, tsc_step;
/* offset of a device's register whose access fails, 0 for none */
static u32 unreadable;
/* how often devices were read, by one word and by two */
static unsigned int reads, long_reads;
static bool umcs_alike;
/* CPUs of one die, and of one package */
static const struct cpumask die = { 0x3 }, package = { 0xf };

u64 rdtsc_ordered(void)
{
	return tsc += tsc_step;
}

const struct cpumask *topology_die_cpumask(unsigned int cpu)
{
	assert_int_equal(cpu, 1);
	return &die;
}

const struct cpumask *topology_core_cpumask(unsigned int cpu)
{
	assert_int_equal(cpu, 1);
	return &package;
}

const struct cpumask *topology_sibling_cpumask(unsigned int cpu)
{
	(void)cpu;
	return &die;
}

const struct bpmu_pmu *bpmu_pmu_of(unsigned int cpu)
{
	(void)cpu;
	return &pmu;
}

bool bpmu_probe_umcs_here(const struct bpmu_pmu *of)
{
	assert_ptr_equal(of, &pmu);
	return umcs_alike;
}

const struct bpmu_devices *bpmu_devices_here(u8 unit)
{
	assert_int_equal(unit, BPMU_UNIT_IMC);
	return devices.nr ? &devices : NULL;
}

bool bpmu_devices_have(const struct bpmu_devices *in, const struct pci_dev *pci)
{
	assert_ptr_equal(in, &devices);
	return (uintptr_t)pci == 0x10;
}

int bpmu_devices_claim(u8 unit, const struct cpumask *cpus, struct netlink_ext_ack *extack)
{
	(void)unit;
	(void)cpus;
	(void)extack;
	return 0;
}

void bpmu_devices_unclaim(u8 unit)
{
	(void)unit;
}

static u32 space_of(const struct bpmu_device *dev)
{
	return dev - devices.dev + 1;
}

int bpmu_device_read(const struct bpmu_device *dev, u32 offset, u64 *value)
{
	reads++;
	if (offset == unreadable)
		return -EIO;
	return register_read(space_of(dev), offset, value);
}

int bpmu_device_write(const struct bpmu_device *dev, u32 offset, u64 value)
{
	return register_write(space_of(dev), offset, (u32)value);
}

int bpmu_device_read_counter(const struct bpmu_device *dev, u32 offset, u64 *value)
{
	u64 low, high;

	long_reads++;
	if (register_read(space_of(dev), offset, &low) ||
	    register_read(space_of(dev), offset + 4, &high))
		return -EIO;
	*value = high << 32 | low;
	return 0;
}

int bpmu_device_write_counter(const struct bpmu_device *dev, u32 offset, u64 value)
{
	return bpmu_device_write(dev, offset, value) |
	       bpmu_device_write(dev, offset + 4, value >> 32);
}

/* Adds an event to a group of the bank. */
static void add(unsigned int g, u32 counter, u64 select)
{
	struct bpmu_plan_event *event = &group[g].event[group[g].nr++];

	event->counter = counter;
	event->select = select;
	assert_true(bpmu_plan_units(&pmu, counter, &event->units));
}

/*
 * Begins a test on a kind of uncore. Groups 0 and 1 have events on counters 0 and 1, group 2 has
 * one on counter 1 alone. No register exists yet.
 */
static void begin_with(const struct bpmu_uncore *uncore, enum bpmu_bank_id id, u32 first)
{
	const struct bpmu_bank_type *type = id == BPMU_BANK_IMC ? &device_type : &msr_type;
	unsigned int i;

	forget_registers();
	memset(&pmu, 0, sizeof(pmu));
	memset(&saved, 0x5a, sizeof(saved));
	memset(group, 0, sizeof(group));
	memset(slice, 0, sizeof(slice));
	memset(&devices, 0, sizeof(devices));
	part = (struct bpmu_part){ .uncore = uncore };
	pmu.part = &part;
	pmu.nr[uncore->boxes->unit] = uncore->boxes->nr;
	pmu.counters[uncore->boxes->unit] = 4;
	bank = (struct bpmu_bank){
		.id = id, .type = type, .ops = type->ops, .groups = &groups, .pmu = &pmu,
		.slice = slice, .saved = &saved,
	};
	if (id == BPMU_BANK_IMC) {
		devices.nr = 2;
		bank.devices = &devices;
	}
	for (i = 0; i < 2; i++) {
		add(i, first, 0x10 + i);
		add(i, first + 1, 0x20 + i);
	}
	add(2, first + 1, 0x32);
	group[0].filter = 0x700000006ULL;
	group[1].filter = 0x900000006ULL;
	tsc = 1000;
	tsc_step = 0;
	unreadable = 0;
	reads = 0;
	long_reads = 0;
	bpmu_bank_choose(&bank, 0);
}

static void begin_boxed(void)
{
	unsigned int i;

	begin_with(&boxed, BPMU_BANK_CHA, BPMU_COUNTER_CHA);
	for (i = 0; i < 3; i++) {
		put(0, 0x10 + 0x20 * i, 0xa0 + i);
		put(0, 0x11 + 0x20 * i, 0xb0 + i);
		put(0, 0x18 + 0x20 * i, 0xc0 + i);
		put(0, 0x19 + 0x20 * i, 0xd0 + i);
		put(0, 0x1c + 0x20 * i, 0xe0 + i);
		put(0, 0x1d + 0x20 * i, 0xf0 + i);
		put(0, 0x1e + 0x20 * i, 0xf8 + i);
	}
}

static void begin_joint(void)
{
	begin_with(&joint, BPMU_BANK_UNCORE, BPMU_COUNTER_UNCORE);
	put(0, GLOBAL, 0x40);
	put(0, 0x700, 1);
	put(0, 0x701, 2);
	put(0, 0x706, 3);
	put(0, 0x707, 4);
	put(0, 0x710, 5);
	put(0, 0x711, 6);
	put(0, 0x716, 7);
	put(0, 0x717, 8);
}

static void begin_plain(void)
{
	unsigned int i;

	begin_with(&plain, BPMU_BANK_UMC, BPMU_COUNTER_UMC);
	for (i = 0; i < 2; i++) {
		put(0, 0x800 + 0x10 * i, 1 + i);
		put(0, 0x801 + 0x10 * i, 3 + i);
		put(0, 0x802 + 0x10 * i, 5 + i);
		put(0, 0x803 + 0x10 * i, 7 + i);
	}
}

static void begin_devices(const struct bpmu_uncore *uncore)
{
	unsigned int i, k;

	begin_with(uncore, BPMU_BANK_IMC, BPMU_COUNTER_IMC);
	group[0].filter = 0;
	group[1].filter = 0;
	for (i = 1; i <= 2; i++) {
		put(i, 0xf4, 0xe0 + i);
		for (k = 0; k < 2; k++) {
			put(i, 0xd8 + 4 * k, 0);
			put(i, 0xa0 + 8 * k, 0xc0 + 4 * k + i);
			put(i, 0xa4 + 8 * k, k + 1);
		}
	}
}

static void begin_wide(void)
{
	unsigned int i, k;

	begin_with(&wide, BPMU_BANK_IMC, BPMU_COUNTER_IMC);
	for (i = 1; i <= 2; i++)
		for (k = 0; k < 2; k++) {
			put(i, 0x40 + 8 * k, 0xa0 + 4 * k + i);
			put(i, 0x44 + 8 * k, 0xb0 + 4 * k + i);
			put(i, 0x80 + 8 * k, 0xc0 + 4 * k + i);
			put(i, 0x84 + 8 * k, k + 1);
		}
}

/* Saves, programs and starts group 0, and forgets what that has written. */
static void run(void)
{
	assert_int_equal(bank.ops->save(&bank, false), 0);
	bank.ops->stop(&bank);
	assert_int_equal(bank.ops->program(&bank), 0);
	bank.running = true;
	bank.ops->start(&bank);
	written[0] = '\0';
}

/* The same, and the counters are stopped again. */
static void ready(void)
{
	run();
	bank.ops->pause(&bank);
	bank.running = false;
	written[0] = '\0';
}

/* Schedules another group in place of the group that is scheduled. */
static bool change_to(u32 next)
{
	const struct bpmu_plan_group *before = bank.group;

	bpmu_bank_choose(&bank, next);
	return bank.ops->change(&bank, before);
}

/*
 * Checks that a function of the bank notices when any of its registers holds another value, except
 * the registers in @unseen, which end with 0.
 */
static void notices(bool (*holds)(const struct bpmu_bank *bank), const u32 *unseen)
{
	const u32 *seen;
	unsigned int i;
	u64 flip, old;

	assert_true(holds(&bank));
	for (i = 0; i < nr_registers; i++) {
		for (seen = unseen; *seen && *seen != registers[i].number; seen++)
			;
		/* A control register matters only in the bit that stops the counters. */
		flip = registers[i].number % 0x20 == 0x1c && registers[i].number < 0x80 ? FREEZE :
			registers[i].number == 0xf4 || registers[i].number == 0x54 ? FREEZE : 1;
		old = registers[i].value;
		registers[i].value ^= flip;
		if (holds(&bank) != !!*seen)
			fail_msg("register %x:%x", registers[i].space, registers[i].number);
		registers[i].value = old;
	}
	assert_true(holds(&bank));
}

/* Checks that the bank cannot be saved when any of its registers is missing. */
static void needs_each(void)
{
	unsigned int i;
	u32 number;

	for (i = 0; i < nr_registers; i++) {
		number = registers[i].number;
		registers[i].number = 0xdead;
		if (bank.ops->save(&bank, false) != -EIO)
			fail_msg("register %x:%x", registers[i].space, number);
		registers[i].number = number;
	}
	assert_int_equal(bank.ops->save(&bank, false), 0);
}

/* Checks that registers are in use as soon as a bit of any of some registers is set. */
static void is_busy_by(u32 space, const u32 *numbers, u64 bit)
{
	u64 old;

	for (; *numbers; numbers++) {
		old = get(space, *numbers);
		put(space, *numbers, old | bit);
		assert_int_equal(bank.ops->save(&bank, false), -EADDRINUSE);
		assert_int_equal(bank.ops->save(&bank, true), -EADDRINUSE);
		put(space, *numbers, old);
		assert_int_equal(bank.ops->save(&bank, false), 0);
	}
}

TEST(boxes_are_saved_and_restored)
{
	begin_boxed();
	needs_each();
	is_busy_by(0, (u32 []){ 0x10, 0x30, 0x50, 0x11, 0x51, 0 }, ENABLE);
	wrote("");
	run();
	bank.ops->stop(&bank);
	bank.running = false;
	wrote("1c=101 3c=101 5c=101 10=0 30=0 50=0 11=0 31=0 51=0 ");
	bank.ops->restore(&bank);
	wrote("1c=101 3c=101 5c=101 "
	      "10=a0 18=c0 30=a1 38=c1 50=a2 58=c2 11=b0 19=d0 31=b1 39=d1 51=b2 59=d2 "
	      "1d=f0 1e=f8 1c=e0 3d=f1 3e=f9 3c=e1 5d=f2 5e=fa 5c=e2 ");
}

TEST(what_another_agent_uses_of_boxes_is_left_alone)
{
	begin_boxed();
	run();
	/* another agent counts with counter 1 of unit 1 */
	put(0, 0x31, ENABLE | 0x99);
	bank.wary = true;
	bank.ops->start(&bank);
	wrote("1c=1 5c=1 ");
	bank.ops->stop(&bank);
	bank.running = false;
	wrote("1c=101 5c=101 10=0 30=0 50=0 11=0 51=0 ");
	assert_int_equal(bank.ops->program(&bank), 0);
	wrote("1d=6 1e=7 3d=6 3e=7 5d=6 5e=7 10=400010 30=400010 50=400010 11=400020 51=400020 ");
	bank.ops->stop(&bank);
	wrote("1c=101 5c=101 10=0 30=0 50=0 11=0 51=0 ");
	bank.ops->restore(&bank);
	wrote("1c=101 5c=101 "
	      "10=a0 18=c0 30=a1 38=c1 50=a2 58=c2 11=b0 19=d0 51=b2 59=d2 "
	      "1d=f0 1e=f8 1c=e0 5d=f2 5e=fa 5c=e2 ");
}

TEST(a_select_that_another_agent_has_disabled_is_not_in_use)
{
	begin_boxed();
	run();
	put(0, 0x31, 0x99);
	bank.wary = true;
	bank.ops->start(&bank);
	wrote("1c=1 3c=1 5c=1 ");
}

TEST(boxes_are_programmed_and_started)
{
	begin_boxed();
	assert_int_equal(bank.ops->save(&bank, false), 0);
	assert_int_equal(bank.ops->program(&bank), 0);
	wrote("1d=6 1e=7 3d=6 3e=7 5d=6 5e=7 "
	      "10=400010 30=400010 50=400010 11=400020 31=400020 51=400020 ");
	/* nothing has stopped the boxes yet */
	assert_false(bank.ops->programmed(&bank));
	bank.ops->pause(&bank);
	wrote("1c=101 3c=101 5c=101 ");
	assert_true(bank.ops->programmed(&bank));
	bank.running = true;
	bank.ops->start(&bank);
	wrote("1c=1 3c=1 5c=1 ");
	notices(bank.ops->intact, (u32 []){ 0x18, 0x19, 0x38, 0x39, 0x58, 0x59, 0 });
	notices(bank.ops->counting, (u32 []){ 0x18, 0x19, 0x1d, 0x1e, 0x38, 0x39, 0x3d, 0x3e, 0x58,
					      0x59, 0x5d, 0x5e, 0 });
	bank.running = false;
	assert_false(bank.ops->intact(&bank));
	bank.ops->pause(&bank);
	notices(bank.ops->programmed, (u32 []){ 0x18, 0x19, 0x38, 0x39, 0x58, 0x59, 0 });
}

TEST(a_write_that_fails_is_told)
{
	unsigned int i;

	begin_boxed();
	assert_int_equal(bank.ops->save(&bank, false), 0);
	for (i = 0; i < nr_registers; i++) {
		u32 number = registers[i].number;
		bool used = number % 0x20 != 0x18 && number % 0x20 != 0x19 &&
			    number % 0x20 != 0x1c;

		/* is_taken() would read a select of no fault: only filters can be missing */
		if (number % 0x20 == 0x10 || number % 0x20 == 0x11)
			continue;
		registers[i].number = 0xdead;
		assert_int_equal(bank.ops->program(&bank), used ? -EIO : 0);
		registers[i].number = number;
	}
	assert_int_equal(bank.ops->program(&bank), 0);
}

TEST(counts_of_boxes_are_sums)
{
	u64 values[2] = { 0 };

	begin_boxed();
	put(0, 0x58, 1ULL << 43);
	run();
	bank.ops->read(&bank, values);
	assert_int_equal(values[0], 0xc0 + 0xc1 + (1ULL << 43));
	assert_int_equal(values[1], 0xd0 + 0xd1 + 0xd2);
	bpmu_bank_choose(&bank, 2);
	bank.ops->read(&bank, values);
	assert_int_equal(values[0], 0xd0 + 0xd1 + 0xd2);
}

TEST(a_change_writes_what_differs)
{
	begin_boxed();
	ready();
	/* the filter has other bits, and the same counters need not be compared */
	put(0, 0x10, 0x77);
	assert_true(change_to(1));
	assert_true(bank.same);
	wrote("1d=6 1e=9 3d=6 3e=9 5d=6 5e=9 "
	      "10=400011 30=400011 50=400011 11=400021 31=400021 51=400021 ");
	/* group 2 has fewer counters: these are compared, and the other keeps its select */
	saved.raw_tsc = 9;
	assert_true(change_to(2));
	assert_false(bank.same);
	assert_int_equal(saved.raw_tsc, 0);
	wrote("1d=0 1e=0 3d=0 3e=0 5d=0 5e=0 11=400032 31=400032 51=400032 ");
	/* a change to the same values writes nothing */
	saved.raw_tsc = 9;
	assert_true(change_to(2));
	assert_true(bank.same);
	assert_int_equal(saved.raw_tsc, 9);
	wrote("");
	/* a select that does not hold what was written is found, and not overwritten */
	put(0, 0x31, 0x99);
	assert_false(change_to(1));
	wrote("1d=6 1e=9 3d=6 3e=9 5d=6 5e=9 11=400021 ");
	bank.ops->reprogram(&bank);
	wrote("1d=6 1e=9 3d=6 3e=9 5d=6 5e=9 "
	      "10=400011 30=400011 50=400011 11=400021 31=400021 51=400021 ");
}

TEST(counters_that_differ_by_number_only_are_not_the_same)
{
	begin_boxed();
	group[1].event[1] = group[1].event[0];
	ready();
	assert_true(change_to(1));
	assert_false(bank.same);
}

TEST(one_register_starts_and_stops_joint_counters)
{
	u64 values[2];

	begin_joint();
	needs_each();
	/* who counts is told by the global register, not by a select */
	put(0, 0x700, ENABLE);
	assert_int_equal(bank.ops->save(&bank, false), 0);
	put(0, 0x700, 1);
	put(0, GLOBAL, 0x20000000);
	assert_int_equal(bank.ops->save(&bank, false), -EADDRINUSE);
	put(0, GLOBAL, 0x40);
	wrote("");
	assert_int_equal(bank.ops->save(&bank, false), 0);
	assert_int_equal(bank.ops->program(&bank), 0);
	wrote("700=400010 701=400020 ");
	assert_true(bank.ops->programmed(&bank));
	bank.running = true;
	assert_false(bank.ops->intact(&bank));
	bank.ops->start(&bank);
	wrote("391=2000000f ");
	notices(bank.ops->intact, (u32 []){ 0x706, 0x707, 0x710, 0x711, 0x716, 0x717, 0 });
	notices(bank.ops->counting, (u32 []){ 0x700, 0x701, 0x706, 0x707, 0x710, 0x711, 0x716,
					      0x717, 0 });
	put(0, 0x706, 123);
	put(0, 0x707, 45);
	bank.ops->read(&bank, values);
	assert_int_equal(values[0], 123);
	assert_int_equal(values[1], 45);
	bank.ops->pause(&bank);
	bank.running = false;
	wrote("391=0 ");
	assert_true(change_to(1));
	wrote("700=400011 701=400021 ");
	bank.ops->stop(&bank);
	wrote("391=0 700=0 701=0 ");
	bank.ops->restore(&bank);
	wrote("391=0 700=1 706=3 701=2 707=4 710=5 716=7 711=6 717=8 391=40 ");
}

TEST(a_joint_register_that_another_agent_uses_is_left_alone)
{
	begin_joint();
	run();
	/* a counter of another unit, which this group does not use */
	put(0, 0x711, ENABLE | 3);
	bank.ops->start(&bank);
	wrote("391=2000000f ");
	bank.wary = true;
	bank.ops->start(&bank);
	bank.ops->stop(&bank);
	wrote("700=0 701=0 ");
	bank.ops->restore(&bank);
	wrote("700=1 706=3 701=2 707=4 710=5 716=7 ");
	put(0, 0x711, 6);
	bank.running = false;
	/* another agent's value starts counters */
	put(0, GLOBAL, 1);
	bank.ops->start(&bank);
	bank.ops->stop(&bank);
	wrote("");
	/* this one does not */
	put(0, GLOBAL, 0x40);
	bank.ops->start(&bank);
	wrote("391=2000000f ");
	/* the module's own value, while the counters should be stopped */
	bank.ops->stop(&bank);
	wrote("");
	bank.running = true;
	bank.ops->stop(&bank);
	wrote("391=0 ");
}

TEST(selects_start_plain_counters)
{
	u64 values[2];

	begin_plain();
	needs_each();
	is_busy_by(0, (u32 []){ 0x800, 0x802, 0x810, 0x812, 0 }, ENABLE);
	assert_int_equal(bank.ops->program(&bank), 0);
	wrote("800=10 810=10 802=20 812=20 ");
	assert_true(bank.ops->programmed(&bank));
	bank.running = true;
	assert_false(bank.ops->intact(&bank));
	bank.ops->start(&bank);
	wrote("800=400010 810=400010 802=400020 812=400020 ");
	notices(bank.ops->intact, (u32 []){ 0x801, 0x803, 0x811, 0x813, 0 });
	notices(bank.ops->counting, (u32 []){ 0x801, 0x803, 0x811, 0x813, 0 });
	/* counters are kept below 8 bits */
	put(0, 0x801, 0x100);
	put(0, 0x811, 0xff);
	put(0, 0x803, 0x305);
	put(0, 0x813, 0x206);
	bank.ops->read(&bank, values);
	assert_int_equal(values[0], 0xff);
	assert_int_equal(values[1], 0x5 + 0x6);
	wrote("801=0 803=5 813=6 ");
	/* not those with which another agent counts */
	put(0, 0x803, 0x305);
	put(0, 0x802, ENABLE | 0x77);
	bank.ops->read(&bank, values);
	assert_int_equal(values[1], 0x5 + 0x6);
	wrote("");
	put(0, 0x802, ENABLE | 0x20);
	bank.ops->pause(&bank);
	bank.running = false;
	wrote("800=0 810=0 802=0 812=0 ");
	/* a change compares selects only, and the start writes them */
	assert_true(change_to(1));
	wrote("");
	bank.ops->start(&bank);
	wrote("800=400011 810=400011 802=400021 812=400021 ");
	bank.wary = true;
	put(0, 0x810, ENABLE | 0x77);
	bank.ops->start(&bank);
	wrote("800=400011 802=400021 812=400021 ");
	bank.ops->stop(&bank);
	wrote("800=0 802=0 812=0 ");
	bank.ops->restore(&bank);
	wrote("800=1 801=3 802=5 803=7 812=6 813=8 ");
}

TEST(a_change_finds_selects_that_do_not_hold_what_was_written)
{
	begin_plain();
	ready();
	put(0, 0x812, 3);
	assert_true(change_to(1));
	assert_false(change_to(2));
	wrote("");
}

TEST(registers_in_devices_are_used)
{
	begin_devices(&in_devices);
	needs_each();
	is_busy_by(2, (u32 []){ 0xd8, 0xdc, 0 }, ENABLE);
	put(1, 0xd8, 1);
	run();
	assert_int_equal(get(1, 0xf4), RUNNING);
	notices(bank.ops->intact, (u32 []){ 0xa0, 0xa4, 0xa8, 0xac, 0 });
	/* a check looks at one device, and the next one at the other */
	put(2, 0xdc, 1);
	bank.active->turn = 0;
	assert_true(bank.ops->counting(&bank));
	assert_false(bank.ops->counting(&bank));
	assert_true(bank.ops->counting(&bank));
	put(2, 0xdc, ENABLE | 0x20);
	put(1, 0xf4, FROZEN);
	bank.active->turn = 0;
	assert_false(bank.ops->counting(&bank));
	assert_true(bank.ops->counting(&bank));
	put(1, 0xf4, RUNNING);
	bank.ops->pause(&bank);
	bank.running = false;
	wrote("0:f4=101 1:f4=101 ");
	/* no driver can have written the registers: they are not compared */
	put(1, 0xd8, 0x99);
	assert_true(change_to(2));
	wrote("0:dc=400032 1:dc=400032 ");
	bank.ops->stop(&bank);
	wrote("0:f4=101 1:f4=101 0:d8=0 1:d8=0 0:dc=0 1:dc=0 ");
	bank.ops->restore(&bank);
	wrote("0:f4=101 1:f4=101 "
	      "0:d8=1 0:a0=c1 0:a4=1 1:d8=0 1:a0=c2 1:a4=1 "
	      "0:dc=0 0:a8=c5 0:ac=2 1:dc=0 1:a8=c6 1:ac=2 "
	      "0:f4=e1 1:f4=e2 ");
}

TEST(devices_of_a_discovery_table_are_compared)
{
	begin_devices(&listed);
	ready();
	put(1, 0xdc, 0x99);
	assert_false(change_to(2));
	wrote("");
	/* while the bank is wary, so are those to which a driver is bound */
	begin_devices(&in_devices);
	ready();
	bank.wary = true;
	put(1, 0xdc, 0x99);
	assert_false(change_to(2));
	wrote("");
	begin_devices(&in_devices);
	ready();
	put(2, 0xd8, ENABLE | 0x99);
	assert_int_equal(bank.ops->program(&bank), 0);
	wrote("0:d8=400010 1:d8=400010 0:dc=400020 1:dc=400020 ");
	bank.wary = true;
	put(2, 0xd8, ENABLE | 0x99);
	assert_int_equal(bank.ops->program(&bank), 0);
	wrote("0:d8=400010 0:dc=400020 1:dc=400020 ");
}

TEST(a_device_can_stop_all_boxes)
{
	begin_devices(&in_channels);
	devices.dev[1].global = true;
	put(2, 0x54, FROZEN);
	needs_each();
	run();
	assert_int_equal(get(2, 0x54), RUNNING);
	notices(bank.ops->intact, (u32 []){ 0xa0, 0xa4, 0xa8, 0xac, 0 });
	unreadable = 0x54;
	assert_false(bank.ops->intact(&bank));
	unreadable = 0;
	bank.ops->pause(&bank);
	bank.running = false;
	/* while the counters are stopped it does not matter what it says */
	put(2, 0x54, FROZEN);
	assert_true(bank.ops->intact(&bank));
	bank.ops->stop(&bank);
	written[0] = '\0';
	bank.ops->restore(&bank);
	wrote("0:f4=101 1:f4=101 1:54=101 "
	      "0:d8=0 0:a0=c1 0:a4=1 1:d8=0 1:a0=c2 1:a4=1 "
	      "0:dc=0 0:a8=c5 0:ac=2 1:dc=0 1:a8=c6 1:ac=2 "
	      "0:f4=e1 1:f4=e2 ");
	/* another agent counts: the boxes stay as they are */
	begin_devices(&in_channels);
	devices.dev[0].global = true;
	put(1, 0x54, FROZEN);
	run();
	put(2, 0xdc, 0x33);
	bank.ops->restore(&bank);
	wrote("0:f4=101 0:d8=0 0:a0=c1 0:a4=1 1:d8=0 1:a0=c2 1:a4=1 0:dc=0 0:a8=c5 0:ac=2 "
	      "0:f4=e1 ");
	/* nobody had stopped the boxes: that register is never written */
	begin_devices(&in_channels);
	devices.dev[0].global = true;
	put(1, 0x54, 0);
	run();
	bank.ops->start(&bank);
	wrote("0:f4=1 1:f4=1 ");
	bank.ops->restore(&bank);
	assert_null(strstr(written, "54="));
}

TEST(a_select_without_an_enable_bit_counts_unless_it_is_0)
{
	begin_devices(&in_channels);
	is_busy_by(1, (u32 []){ 0xd8, 0xdc, 0 }, 1);
	run();
	bank.wary = true;
	bank.running = false;
	put(1, 0xd8, 0x50);
	bank.ops->stop(&bank);
	wrote("1:f4=101 1:d8=0 0:dc=0 1:dc=0 ");
}

TEST(wide_selects_have_two_words)
{
	begin_wide();
	needs_each();
	is_busy_by(2, (u32 []){ 0x40, 0x48, 0 }, ENABLE);
	assert_int_equal(saved.select[0], 0xb1000000a1ULL);
	group[0].event[0].select = 0x300000010ULL;
	assert_int_equal(bank.ops->program(&bank), 0);
	wrote("0:40=10 0:44=3 1:40=10 1:44=3 0:48=20 0:4c=0 1:48=20 1:4c=0 ");
	bank.running = true;
	bank.ops->start(&bank);
	wrote("0:40=400010 0:44=3 1:40=400010 1:44=3 0:48=400020 0:4c=0 1:48=400020 1:4c=0 ");
	notices(bank.ops->intact, (u32 []){ 0x80, 0x84, 0x88, 0x8c, 0 });
	/* the upper half alone does not say that an agent counts */
	bank.wary = true;
	put(1, 0x40, 0);
	bank.ops->start(&bank);
	wrote("0:40=400010 0:44=3 1:40=400010 1:44=3 0:48=400020 0:4c=0 1:48=400020 1:4c=0 ");
	unreadable = 0x44;
	assert_false(bank.ops->intact(&bank));
	unreadable = 0x40;
	assert_false(bank.ops->intact(&bank));
	unreadable = 0;
	bank.ops->stop(&bank);
	wrote("0:40=0 0:44=0 1:40=0 1:44=0 0:48=0 0:4c=0 1:48=0 1:4c=0 ");
}

/* Sets a counter of a device to a value of more than 32 bits. */
static void counts(u32 device, u32 counter, u64 value)
{
	put(device, 0xa0 + 8 * counter, (u32)value);
	put(device, 0xa4 + 8 * counter, value >> 32);
}

TEST(counters_of_devices_are_read_in_full_only_now_and_then)
{
	u64 values[2];

	begin_devices(&in_devices);
	run();
	long_reads = 0;
	counts(1, 0, 0x1fffffff0ULL);
	counts(2, 0, 5);
	counts(1, 1, 7);
	counts(2, 1, 0xffffffffffULL);
	bank.ops->read(&bank, values);
	assert_int_equal(values[0], 0x1fffffff5ULL);
	assert_int_equal(values[1], 0xffffffffffULL + 7);
	assert_int_equal(long_reads, 4);
	assert_int_equal(saved.raw_tsc, 1000);
	/* 999 us later only the lower halves are read, from which the upper ones follow */
	tsc += 999;
	reads = 0;
	put(1, 0xa0, 0x10);
	put(1, 0xa4, 0x99);
	put(2, 0xa8, 1);
	bank.ops->read(&bank, values);
	assert_int_equal(long_reads, 4);
	assert_int_equal(reads, 4);
	assert_int_equal(values[0], 0x200000015ULL);
	assert_int_equal(values[1], 7 + 1);
	assert_int_equal(saved.raw_tsc, 1999);
	/* 1 ms later they could have counted 2^32 */
	tsc += 1000;
	counts(1, 0, 0x300000000ULL);
	bank.ops->read(&bank, values);
	assert_int_equal(long_reads, 8);
	assert_int_equal(values[0], 0x300000005ULL);
	assert_int_equal(saved.raw_tsc, 2999);
	/* if the reads take so long they are done again, and time counts from then on */
	tsc_step = 400;
	bank.ops->read(&bank, values);
	assert_int_equal(long_reads, 12);
	assert_int_equal(saved.raw_tsc, 2999 + 4 * 400);
	/* a new program begins anew */
	tsc_step = 0;
	assert_int_equal(bank.ops->program(&bank), 0);
	bank.ops->read(&bank, values);
	assert_int_equal(long_reads, 16);
}

TEST(cpus_share_what_is_of_their_die_or_package)
{
	assert_true(bpmu_uncore_shares(1, 0));
	assert_false(bpmu_uncore_shares(1, 2));
	assert_true(bpmu_package_shares(1, 2));
	assert_false(bpmu_package_shares(1, 4));
}

TEST(a_bank_is_attached_to_what_the_package_has)
{
	begin_devices(&in_devices);
	bank.devices = NULL;
	assert_int_equal(bpmu_devices_attach(&bank), 0);
	assert_ptr_equal(bank.devices, &devices);
	assert_true(bank.ops->needs(&bank, 0, (void *)0x10));
	assert_false(bank.ops->needs(&bank, 0, (void *)0x20));
	devices.nr = 0;
	assert_int_equal(bpmu_devices_attach(&bank), -ENODEV);
	umcs_alike = true;
	assert_int_equal(bpmu_umc_attach(&bank), 0);
	umcs_alike = false;
	assert_int_equal(bpmu_umc_attach(&bank), -ENODEV);
}
