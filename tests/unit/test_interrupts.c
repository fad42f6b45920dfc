// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the module's overflow interrupts, on made-up registers: what keeps a CPU from them, the
 * values with which periods begin, and what samples and records say of counters that were set back.
 * The source of the module is compiled unchanged; RDPMC, IBS and the records are made up.
 */
#include "kernel/module.h"

/* what stands in for this header of the module is below */
#define BPMU_RDPMC_H

#include "bank.h"

static void bpmu_rdpmc(u32 index, u64 *value, int *err);
static int bpmu_core_read(const struct bpmu_bank *bank, u64 *values);

#include "../../kmod/bank/interrupts.c"

#include "kernel/log.h"
#include "kernel/registers.h"

#define DEBUGCTL 0x1d9
#define METRICS 0x329
#define FIXED 0x309
#define COUNTER 0xc1
#define CTRL 0x38f
#define STATUS 0x38e
#define OVF 0x390
#define FROZEN (1ULL << 59)
#define FREEZE 0x1000
#define SLOTS (BPMU_FIXED_BASE + 3)

unsigned int tsc_khz = 1000;

static struct bpmu_part part;
static struct bpmu_pmu pmu;
static struct bpmu_interrupts state;
static struct bpmu_plan_group group;
static struct bpmu_bank bank;
static u64 tsc;
static u32 lvtpc;
static bool recorded, used;
static u32 tagged_set;
static int fault;
/* what was asked of the records and of IBS */
static char did[512];
/* records that wait: how many, and what they say */
static struct bpmu_pebs_record waiting[2];
static u32 nr_waiting, nr_readable;

static void __attribute__((format(printf, 1, 2))) note(const char *format, ...)
{
	size_t at = strlen(did);
	va_list args;

	va_start(args, format);
	vsnprintf(did + at, sizeof(did) - at, format, args);
	va_end(args);
}

static void noted(const char *expected)
{
	assert_string_equal(did, expected);
	did[0] = '\0';
}

static u32 apic_read(u32 reg)
{
	assert_int_equal(reg, APIC_LVTPC);
	return lvtpc;
}

static void apic_write(u32 reg, u32 value)
{
	assert_int_equal(reg, APIC_LVTPC);
	lvtpc = value;
	note("lvtpc=%x ", value);
}

static struct apic made_up = { .read = apic_read, .write = apic_write };
struct apic *apic = &made_up;

u64 rdtsc(void)
{
	return tsc;
}

void cpu_relax(void)
{
	tsc++;
}

unsigned int smp_processor_id(void)
{
	return 3;
}

const struct bpmu_pmu *bpmu_pmu_of(unsigned int cpu)
{
	assert_int_equal(cpu, 3);
	return &pmu;
}

bool bpmu_probe_full_width(void)
{
	return false;
}

static void bpmu_rdpmc(u32 index, u64 *value, int *err)
{
	if (fault)
		*err = fault;
	else if (index == BPMU_RDPMC_METRICS)
		*value = get(0, METRICS);
	else
		*value = get(0, (index & BPMU_RDPMC_FIXED ? FIXED : COUNTER) + (index & 0xff));
}

static int bpmu_core_read(const struct bpmu_bank *of, u64 *values)
{
	int err = 0;
	u32 i;

	for (i = 0; i < of->group->nr; i++) {
		values[i] = 0;
		if (state.msr[i])
			bpmu_rdpmc(of->setup->index[i], &values[i], &err);
	}
	return err;
}

bool bpmu_branches_recorded(const struct bpmu_pmu *of)
{
	assert_ptr_equal(of, &pmu);
	return recorded;
}

bool bpmu_store_used(const struct bpmu_pmu *of)
{
	assert_ptr_equal(of, &pmu);
	return used;
}

u32 bpmu_tagged_obstacles(const struct bpmu_pmu *of)
{
	assert_ptr_equal(of, &pmu);
	return tagged_set;
}

#define NOTES(name) \
	void bpmu_##name(const struct bpmu_bank *of) \
	{ \
		assert_ptr_equal(of, &bank); \
		note(#name " "); \
	} \
	struct bpmu_notes_##name

NOTES(branches_restore);
NOTES(branches_program);
NOTES(branches_resume);
NOTES(pebs_restore);
NOTES(pebs_program);
NOTES(store_clear);
NOTES(tagged_restore);
NOTES(tagged_begin);
NOTES(tagged_start);
NOTES(tagged_stop);
NOTES(tagged_go_on);

u64 bpmu_pebs_status(const struct bpmu_pmu *of)
{
	return BPMU_STATUS_PEBS;
}

void bpmu_pebs_reload(const struct bpmu_bank *of, u32 event, u64 value)
{
	note("reload%u=%llx ", event, value);
}

u32 bpmu_pebs_read_other(const struct bpmu_bank *of, u32 at, u32 end,
			 struct bpmu_pebs_record *record)
{
	assert_int_equal(end, nr_waiting * 16);
	if (at / 16 >= nr_readable)
		return at;
	*record = waiting[at / 16];
	return at + 16;
}

bool bpmu_store_read(const struct bpmu_bank *of, u32 *at, u32 end, struct bpmu_pebs_record *record)
{
	return false;
}

void bpmu_tagged_set(const struct bpmu_bank *of, u32 counter, u64 select, u64 period)
{
	note("set%u,%llx=%llx ", counter, select, period);
}

u32 bpmu_tagged_hold(const struct bpmu_bank *of)
{
	note("tagged_hold ");
	return 1;
}

u64 bpmu_tagged_found(const struct bpmu_bank *of)
{
	return 0;
}

u64 bpmu_tagged_count(const struct bpmu_bank *of, u32 counter, u64 period)
{
	return 5;
}

static bool disturbed;

bool bpmu_tagged_disturbed(const struct bpmu_bank *of)
{
	return disturbed;
}

static void add(u32 counter, u32 period)
{
	struct bpmu_core_setup *setup = &group.setup[0];
	u32 i = group.nr++;

	group.event[i].counter = counter;
	group.event[i].sibling = counter;
	group.event[i].period = period;
	group.event[i].select = BPMU_SEL_USR | BPMU_SEL_OS;
	if (counter == BPMU_METRICS_COUNTER)
		setup->index[i] = BPMU_RDPMC_METRICS;
	else if (counter >= BPMU_FIXED_BASE)
		setup->index[i] = BPMU_RDPMC_FIXED + counter - BPMU_FIXED_BASE;
	else
		setup->index[i] = counter;
	if (counter == BPMU_METRICS_COUNTER)
		setup->metrics = true;
}

/*
 * Begins with a group of general counter 0, which interrupts, general counter 1 and fixed counter
 * 0, on a part with a global status. Periods are constant.
 */
TEST_FIXTURE(setup)
{
	forget_registers();
	memset(&group, 0, sizeof(group));
	memset(&state, 0, sizeof(state));
	memset(waiting, 0, sizeof(waiting));
	part = (struct bpmu_part){
		.cpuid_leaf = BPMU_CPUID_PERFMON,
		.msrs = {
			.counter = COUNTER, .fixed = FIXED, .global_ctrl = CTRL,
			.global_status = STATUS, .global_ovf = OVF, .stride = 1,
		},
	};
	pmu = (struct bpmu_pmu){
		.part = &part, .version = 5, .gp_width = 40, .fixed_width = 44, .global = 1,
		.gp_counters = 4, .fixed_counters = 4,
	};
	bank = (struct bpmu_bank){
		.pmu = &pmu, .group = &group, .setup = &group.setup[0], .interrupts = &state,
		.pebs = &state.pebs,
	};
	state.pebs.batch = 1;
	state.check = BPMU_CHECK_PERIOD;
	add(0, 1000);
	add(1, 0);
	add(BPMU_FIXED_BASE, 0);
	group.setup[0].enable = 0x100000003;
	put(0, COUNTER, 0);
	put(0, COUNTER + 1, 0x11);
	put(0, FIXED, 0x12);
	put(0, FIXED + 3, 0x1000);
	put(0, METRICS, 0);
	put(0, CTRL, 0x77);
	put(0, STATUS, 0);
	put(0, OVF, 0);
	put(0, DEBUGCTL, 0x4001);
	lvtpc = APIC_LVT_MASKED | 0x1000;
	tsc = 100000;
	recorded = false;
	used = false;
	tagged_set = 0;
	fault = 0;
	disturbed = false;
	nr_waiting = 0;
	nr_readable = 0;
	did[0] = '\0';
	return 0;
}

#define PMI(name) TEST_BETWEEN(name, setup, NULL)

PMI(each_obstacle_is_found)
{
	static const struct {
		u32 value, set;
	} cases[] = {
		{ APIC_LVT_MASKED, 0 }, { 0x400, 0 }, { 0x10400, 0 }, { 0x11400, 0 }, { 0x11000, 0 },
		{ 0, BPMU_OBSTACLE_LVTPC }, { 0x4f0, BPMU_OBSTACLE_LVTPC },
		{ 0x100f0, BPMU_OBSTACLE_LVTPC },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		lvtpc = cases[i].value;
		assert_int_equal(bpmu_interrupts_obstacles(), cases[i].set);
	}
	lvtpc = 0x400;
	put(0, 0x570, 0xfffffffe);
	assert_int_equal(bpmu_interrupts_obstacles(), 0);
	put(0, 0x570, 1);
	assert_int_equal(bpmu_interrupts_obstacles(), BPMU_OBSTACLE_TRACE);
	register_at(0, 0x570)->faults = FAULT_READ;
	assert_int_equal(bpmu_interrupts_obstacles(), 0);
	recorded = true;
	assert_int_equal(bpmu_interrupts_obstacles(), BPMU_OBSTACLE_BRANCHES);
	recorded = false;
	used = true;
	assert_int_equal(bpmu_interrupts_obstacles(), BPMU_OBSTACLE_STORE);
	tagged_set = 1 << 20;
	lvtpc = 0;
	assert_int_equal(bpmu_interrupts_obstacles(),
			 BPMU_OBSTACLE_STORE | BPMU_OBSTACLE_LVTPC | 1 << 20);
}

PMI(a_cpu_is_asked_if_it_freezes)
{
	assert_int_equal(bpmu_interrupts_try_freeze(), 0);
	wrote("1d9=5001 1d9=4001 ");
	register_at(0, DEBUGCTL)->stuck = FREEZE;
	assert_int_equal(bpmu_interrupts_try_freeze(), -EIO);
	wrote("1d9=5001 1d9=4001 ");
	register_at(0, DEBUGCTL)->stuck = 0;
	register_at(0, DEBUGCTL)->faults = FAULT_WRITE;
	assert_int_equal(bpmu_interrupts_try_freeze(), -EIO);
	register_at(0, DEBUGCTL)->faults = FAULT_READ;
	assert_int_equal(bpmu_interrupts_try_freeze(), -EIO);
	wrote("");
}

PMI(a_cpu_is_asked_if_its_metrics_can_be_0)
{
	put(0, METRICS, 0x70);
	assert_int_equal(bpmu_interrupts_try_metrics(), 0);
	wrote("");
	pmu.pebs_metrics = 1;
	assert_int_equal(bpmu_interrupts_try_metrics(), 0);
	wrote("329=0 329=70 ");
	register_at(0, METRICS)->stuck = 0x10;
	assert_int_equal(bpmu_interrupts_try_metrics(), -EIO);
	wrote("329=0 329=70 ");
	register_at(0, METRICS)->faults = FAULT_WRITE;
	assert_int_equal(bpmu_interrupts_try_metrics(), -EIO);
	register_at(0, METRICS)->faults = FAULT_READ;
	assert_int_equal(bpmu_interrupts_try_metrics(), -EIO);
	wrote("");
}

PMI(the_bit_that_freezes_is_set_alone)
{
	bpmu_interrupts_freeze(&bank, FREEZE);
	wrote("");
	state.check = BPMU_CHECK_FREEZE;
	bpmu_interrupts_freeze(&bank, ~0ULL);
	wrote("1d9=5001 ");
	bpmu_interrupts_freeze(&bank, 0xfff);
	wrote("1d9=4001 ");
}

PMI(interrupts_are_armed_and_disarmed)
{
	state.counters = 9;
	state.enable = 9;
	state.expected = 9;
	state.tagged_too = true;
	bpmu_interrupts_arm(&bank);
	noted("lvtpc=400 ");
	wrote("");
	assert_int_equal(state.counters, 0);
	assert_int_equal(state.enable, 0);
	assert_int_equal(state.expected, 0);
	assert_false(state.tagged_too);
	assert_true(state.masks);
	assert_true(state.armed);
	assert_int_equal(state.global_ctrl, CTRL);
	assert_int_equal(state.global_status, STATUS);
	assert_int_equal(state.global_ovf, OVF);
	assert_int_equal(state.frozen, FROZEN);
	assert_int_equal(state.random, 100001);
	assert_int_equal(state.step, 0);
	assert_int_equal(state.lvtpc, APIC_LVT_MASKED);
	assert_int_equal(state.debugctl, 0);
	bpmu_interrupts_disarm(&bank);
	noted("pebs_restore branches_restore tagged_restore lvtpc=10000 ");
	wrote("");
	assert_false(state.armed);
}

PMI(freezing_is_undone)
{
	state.check |= BPMU_CHECK_FREEZE;
	put(0, DEBUGCTL, 0x5001);
	bpmu_interrupts_arm(&bank);
	assert_int_equal(state.debugctl, 0x5001);
	put(0, DEBUGCTL, 0x2);
	state.counters = BPMU_STATUS_PEBS | 1;
	bpmu_interrupts_disarm(&bank);
	wrote("390=40000000000000 1d9=1002 390=800000000000000 ");
}

PMI(a_part_without_global_registers_is_armed)
{
	pmu.global = 0;
	pmu.version = 3;
	part.quirks = BPMU_QUIRK_PERIOD_64;
	bpmu_interrupts_arm(&bank);
	assert_int_equal(state.global_ctrl, 0);
	assert_int_equal(state.global_status, 0);
	assert_int_equal(state.global_ovf, 0);
	assert_int_equal(state.frozen, 0);
	assert_int_equal(state.step, 63);
	assert_true(state.masks);
	pmu.version = 4;
	part.cpuid_leaf = 0;
	bpmu_interrupts_arm(&bank);
	assert_int_equal(state.frozen, 0);
	assert_false(state.masks);
}

PMI(counters_are_preloaded)
{
	bpmu_interrupts_arm(&bank);
	did[0] = '\0';
	state.incomplete = true;
	state.adapts = true;
	state.moved[0] = 7;
	state.moved[1] = 7;
	state.since_sample.slots = 7;
	bpmu_interrupts_preload(&bank);
	wrote("c1=fffffffc18 390=800000000000001 ");
	noted("tagged_begin pebs_program branches_program ");
	assert_int_equal(state.counters, 1);
	assert_false(state.incomplete);
	assert_false(state.adapts);
	assert_false(state.tagged_too);
	assert_int_equal(state.plain[0], 1);
	assert_int_equal(state.plain[1], 0);
	assert_int_equal(state.precise[0], 0);
	assert_int_equal(state.moved[0], 0);
	assert_int_equal(state.moved[1], 0);
	assert_int_equal(state.msr[0], COUNTER);
	assert_int_equal(state.msr[1], COUNTER + 1);
	assert_int_equal(state.msr[2], FIXED);
	assert_int_equal(state.mask[0], (1ULL << 40) - 1);
	assert_int_equal(state.mask[2], (1ULL << 44) - 1);
	assert_int_equal(state.mean[0], 1000);
	assert_int_equal(state.begun[0], 100000);
	assert_int_equal(state.from[0], (1ULL << 40) - 1000);
	assert_int_equal(state.since_sample.slots, 0);
	assert_int_equal(state.pebs.reload[0], 0);

	group.event[0].precise = true;
	group.event[0].frequency = 10;
	bpmu_interrupts_preload(&bank);
	assert_int_equal(state.counters, BPMU_STATUS_PEBS);
	assert_int_equal(state.plain[0], 0);
	assert_int_equal(state.precise[0], 1);
	assert_int_equal(state.precise[1], 0);
	assert_int_equal(state.pebs.reload[0], (1ULL << 40) - 1000);
	assert_true(state.adapts);
	wrote("c1=fffffffc18 390=840000000000000 ");
}

PMI(ibs_is_preloaded_by_its_period)
{
	pmu.ibs = BPMU_IBS_LONG;
	group.event[0].counter = BPMU_IBS_COUNTER;
	group.event[1].counter = BPMU_FETCH_COUNTER;
	group.event[1].period = 100000000;
	bpmu_interrupts_preload(&bank);
	assert_true(state.tagged_too);
	assert_int_equal(state.counters, BPMU_STATUS_TAGGED);
	assert_int_equal(state.msr[0], 0);
	assert_int_equal(state.mask[0], (1ULL << 48) - 1);
	noted("tagged_begin set49,30000=3e0 set50,30000=ffff0 pebs_program branches_program ");
	wrote("");
	assert_int_equal(bpmu_interrupts_fit(&bank, 0, (1ULL << 48) - (1 << 28)),
			 (1ULL << 48) - 0x7fffff0);
	/* ops have any period */
	assert_int_equal(bpmu_interrupts_fit(&bank, 0, (1ULL << 48) - 1001), (1ULL << 48) - 992);
	group.event[0].select |= BPMU_IBS_SEL_OPS;
	assert_int_equal(bpmu_interrupts_fit(&bank, 0, (1ULL << 48) - 1001), (1ULL << 48) - 1001);
	assert_int_equal(bpmu_interrupts_fit(&bank, 0, (1ULL << 48) - (1 << 28)),
			 (1ULL << 48) - 0x7fffff0);
}

PMI(random_periods_are_near_the_mean)
{
	state.check = 0;
	state.mask[0] = (1ULL << 40) - 1;
	state.mean[0] = 1600;
	bpmu_interrupts_choose(&bank, 0, 1);
	assert_int_equal(state.shift[0], 1);
	assert_int_equal(state.highest[0], (1ULL << 40) - 3000);
	assert_int_equal(state.range[0], 401);
	state.mean[0] = BPMU_MAX_PERIOD - 1;
	state.check = BPMU_CHECK_PERIOD;
	bpmu_interrupts_choose(&bank, 0, 3);
	assert_int_equal(state.highest[0], (1ULL << 40) - BPMU_MAX_PERIOD);
	assert_int_equal(state.range[0], 1);
}

/* Each row: mean, events, and the ticks that they took, of which 1000 are wished; the next mean */
PMI(the_mean_follows_the_frequency)
{
	static const struct {
		u64 mean, events, ticks, next;
	} cases[] = {
		{ 8000, 8000, 1000, 8000 },
		/* too short: an eighth of the way to 16000, and at most doubled */
		{ 8000, 8000, 500, 9000 },
		{ 8000, 8000, 0, 16000 },
		/* too long: (56000 + 8000) / (7 + 2), and at most eight times as long counts */
		{ 8000, 8000, 2000, 7111 },
		{ 8000, 8000, 8000, 4266 },
		{ 8000, 8000, 80000, 4266 },
		/* in the bounds */
		{ 1000, 0, 8000, 1000 },
		{ 2000000000, 4000000000ULL, 999, 2000000000 },
	};
	unsigned int i;

	group.event[0].frequency = 1000;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		state.mean[0] = cases[i].mean;
		state.begun[0] = tsc - cases[i].ticks;
		state.shift[0] = 0;
		bpmu_interrupts_follow(&bank, 0, cases[i].events);
		assert_int_equal(state.mean[0], cases[i].next);
		assert_int_equal(state.begun[0], tsc);
		assert_int_equal(state.shift[0], NOT_CHOSEN);
	}
	group.event[0].frequency = 0;
	state.begun[0] = 4;
	state.shift[0] = 0;
	bpmu_interrupts_follow(&bank, 0, 8000);
	assert_int_equal(state.mean[0], cases[i - 1].next);
	assert_int_equal(state.begun[0], 4);
	assert_int_equal(state.shift[0], 0);
}

PMI(counters_start_and_are_held)
{
	bpmu_interrupts_arm(&bank);
	bpmu_interrupts_preload(&bank);
	wrote("c1=fffffffc18 390=800000000000001 ");
	did[0] = '\0';
	bpmu_interrupts_start(&bank);
	wrote("38f=100000003 ");
	noted("tagged_start ");
	assert_int_equal(state.enable, 0x100000003);
	bpmu_interrupts_hold(&bank);
	assert_int_equal(state.enable, 0);
	noted("");
	state.tagged_too = true;
	state.expected = 2;
	state.since = tsc - 999;
	bpmu_interrupts_hold(&bank);
	noted("tagged_hold ");
	assert_int_equal(state.expected, 3);
	assert_int_equal(state.since, tsc);
	state.since = tsc - 1000;
	bpmu_interrupts_hold(&bank);
	assert_int_equal(state.expected, 1);
}

PMI(the_end_waits_for_interrupts)
{
	bpmu_interrupts_arm(&bank);
	did[0] = '\0';
	state.counters = 1;
	bpmu_interrupts_stop(&bank);
	noted("tagged_stop ");
	assert_int_equal(tsc, 100000);
	put(0, STATUS, 1);
	bpmu_interrupts_stop(&bank);
	assert_int_equal(tsc, 101000);
	put(0, STATUS, 0);
	state.expected = 1;
	state.since = tsc;
	bpmu_interrupts_stop(&bank);
	assert_int_equal(tsc, 101002);
}

PMI(an_interrupt_without_an_overflow_may_be_ours)
{
	bpmu_interrupts_arm(&bank);
	did[0] = '\0';
	state.enable = 5;
	assert_false(bpmu_interrupts_was_ours(&bank));
	noted("");
	lvtpc |= APIC_LVT_MASKED;
	assert_true(bpmu_interrupts_was_ours(&bank));
	noted("lvtpc=400 ");
	wrote("");
	state.check |= BPMU_CHECK_FREEZE;
	lvtpc |= APIC_LVT_MASKED;
	assert_true(bpmu_interrupts_was_ours(&bank));
	wrote("390=800000000000000 1d9=5001 38f=5 ");
	did[0] = '\0';
	state.masks = false;
	lvtpc |= APIC_LVT_MASKED;
	assert_false(bpmu_interrupts_was_ours(&bank));
	state.expected = 2;
	state.since = tsc - 999;
	assert_true(bpmu_interrupts_was_ours(&bank));
	assert_int_equal(state.expected, 1);
	state.since = tsc - 1000;
	assert_false(bpmu_interrupts_was_ours(&bank));
	assert_int_equal(state.expected, 0);
	noted("");
}

PMI(counters_pause_and_go_on)
{
	assert_int_equal(bpmu_interrupts_pause(&bank), 0x77);
	wrote("38f=0 ");
	bpmu_interrupts_resume(&bank, 0x77);
	wrote("38f=77 ");
}

static u32 nr_reads;

/* An NMI sets a counter back while the first records are read. */
static void interrupt(u32 msr)
{
	if (msr == BPMU_MSR_PEBS_INDEX && !nr_reads++) {
		state.times++;
		state.moved[0] = 500;
	}
}

PMI(a_sample_has_all_events)
{
	u64 values[BPMU_MAX_COUNTERS];

	bpmu_interrupts_arm(&bank);
	bpmu_interrupts_preload(&bank);
	state.moved[0] = 1000;
	assert_int_equal(bpmu_interrupts_read(&bank, values), 0);
	assert_int_equal(values[0], 0);
	assert_int_equal(values[1], 0x11);
	assert_int_equal(values[2], 0x12);
	assert_false(state.incomplete);
	disturbed = true;
	assert_int_equal(bpmu_interrupts_read(&bank, values), 0);
	assert_true(state.incomplete);
	fault = -EFAULT;
	assert_int_equal(bpmu_interrupts_read(&bank, values), -EFAULT);
}

/* Two records wait in the buffer, at each of which the CPU has set the counter back. */
PMI(a_sample_has_what_waiting_records_say)
{
	static const u64 value[] = { 3 };
	u64 values[BPMU_MAX_COUNTERS];

	group.event[0].precise = true;
	state.pebs.batch = 4;
	state.pebs.bytes = 4096;
	state.pebs.buffer = values;
	bpmu_interrupts_preload(&bank);
	wrote("c1=fffffffc18 ");
	put(0, BPMU_MSR_PEBS_INDEX, 32);
	put(0, COUNTER, 0xfffffffc20);
	nr_waiting = 2;
	nr_readable = 2;
	waiting[0] = (struct bpmu_pebs_record){ .counters = 1, .held = 1, .value = value };
	waiting[1] = (struct bpmu_pebs_record){ .counters = 2, .held = 1, .value = value };
	nr_reads = 0;
	at_read = interrupt;
	assert_int_equal(bpmu_interrupts_read(&bank, values), 0);
	at_read = NULL;
	/* the counter, the interrupt's distance, and 1003 of the one record that is of it */
	assert_int_equal(values[0], (0xfffffffc20 + 500 + 1003) & ((1ULL << 40) - 1));
	assert_int_equal(values[1], 0x11);
	wrote("38f=0 38f=77 38f=0 38f=77 ");
	assert_false(state.incomplete);
	waiting[0].held = 0;
	waiting[0].reset = 1;
	assert_int_equal(bpmu_interrupts_read(&bank, values), 0);
	assert_false(state.incomplete);
	waiting[0].reset = 2;
	assert_int_equal(bpmu_interrupts_read(&bank, values), 0);
	assert_true(state.incomplete);
	state.incomplete = false;
	waiting[0].reset = 1;
	nr_readable = 1;
	assert_int_equal(bpmu_interrupts_read(&bank, values), 0);
	assert_true(state.incomplete);
}

PMI(a_count_of_ibs_never_decreases)
{
	u64 values[BPMU_MAX_COUNTERS];

	group.event[1].counter = BPMU_IBS_COUNTER;
	group.event[1].sibling = BPMU_IBS_COUNTER;
	bpmu_interrupts_preload(&bank);
	state.from[1] = 100;
	state.moved[1] = 1000;
	assert_int_equal(bpmu_interrupts_read(&bank, values), 0);
	assert_int_equal(values[1], 1105);
	group.event[1].select = BPMU_SEL_USR;
	assert_int_equal(bpmu_interrupts_read(&bank, values), 0);
	assert_int_equal(values[1], 1100);
	group.event[1].select = BPMU_SEL_USR | BPMU_SEL_OS | BPMU_IBS_SEL_FILTERS;
	assert_int_equal(bpmu_interrupts_read(&bank, values), 0);
	assert_int_equal(values[1], 1100);
}

PMI(overflows_are_found_by_the_highest_bit)
{
	struct bpmu_core_setup *with = &group.setup[0];

	with->nr_gp = 2;
	with->gp[0] = 0;
	with->gp[1] = 1;
	put(0, COUNTER, 1ULL << 39);
	assert_int_equal(bpmu_interrupts_overflowed(&bank, 3), 2);
	put(0, COUNTER, (1ULL << 39) - 1);
	assert_int_equal(bpmu_interrupts_overflowed(&bank, 3), 3);
	assert_int_equal(bpmu_interrupts_overflowed(&bank, 1 | BPMU_STATUS_TAGGED), 1);
	assert_int_equal(bpmu_interrupts_overflowed(&bank, 0), 0);
	fault = -EFAULT;
	assert_int_equal(bpmu_interrupts_overflowed(&bank, 3), 0);
}

PMI(a_period_is_left_out)
{
	state.moved[1] = 1500;
	bpmu_interrupts_leave_out(&bank, 1, 500);
	assert_int_equal(state.moved[1], 1000);
}

PMI(a_counter_that_the_cpu_sets_back_is_kept)
{
	static const u64 value[] = { 3, 4 };
	const struct bpmu_pebs_record record = { .held = 6, .value = value };
	struct bpmu_reloaded counter;

	state.mask[1] = 0xff;
	state.from[1] = 11;
	state.moved[1] = 12;
	state.times = 13;
	state.pebs.reload[1] = 14;
	group.event[1].counter = 2;
	counter = bpmu_interrupts_reloaded(&bank, 1, &record);
	assert_int_equal(counter.first, 4);
	assert_int_equal(counter.at, 1);
	assert_int_equal(counter.reload, 14);
	assert_int_equal(counter.mask, 0xff);
	assert_int_equal(counter.from, 11);
	assert_int_equal(counter.moved, 12);
	assert_int_equal(counter.times, 13);
	counter.from = 21;
	counter.moved = 22;
	counter.times = 23;
	bpmu_interrupts_end_reloaded(&bank, 1, counter);
	assert_int_equal(state.from[1], 21);
	assert_int_equal(state.moved[1], 22);
	assert_int_equal(state.times, 23);
}

/* 1001 events up to the next record have the factor 7; 1003 have 17 and 59 only. */
PMI(equal_periods_have_no_small_factor)
{
	static const u32 with[] = { 2, 3, 5, 7, 11, 13, 17 * 13, 1001 };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(with); i++)
		assert_true(has_small_factor(with[i]));
	assert_false(has_small_factor(17));
	assert_false(has_small_factor(1003));
	bpmu_interrupts_preload(&bank);
	group.event[0].precise = true;
	bpmu_interrupts_reload(&bank, 0);
	noted("tagged_begin pebs_program branches_program reload0=fffffffc18 ");
	state.range[0] = 1;
	state.check = 0;
	bpmu_interrupts_reload(&bank, 0);
	noted("reload0=fffffffc16 ");
}

/* Adds PERF_METRICS and its slots: a quarter of them and three quarters are in the first fields. */
static void with_metrics(void)
{
	add(SLOTS, 0);
	add(BPMU_METRICS_COUNTER, 0);
	state.pebs.counts = true;
	put(0, METRICS, 0xbf40);
	bpmu_interrupts_preload(&bank);
}

PMI(slots_since_the_sample_are_kept)
{
	u64 values[BPMU_MAX_COUNTERS];

	with_metrics();
	wrote("c1=fffffffc18 30c=0 329=0 30c=0 329=0 ");
	assert_int_equal(state.base[1], 0x11);
	put(0, FIXED + 3, 0x100);
	put(0, METRICS, 0xbf40);
	put(0, COUNTER + 1, 0x15);
	bpmu_interrupts_count_anew(&bank);
	wrote("30c=0 329=0 ");
	assert_int_equal(state.base[1], 0x15);
	put(0, FIXED + 3, 0x300);
	put(0, METRICS, 0x40bf);
	assert_int_equal(bpmu_interrupts_read(&bank, values), 0);
	assert_int_equal(values[3], 0x400);
	/* (0x100 * 0x40 + 0x300 * 0xbf) / 0x400, rounded; then with 0xbf and 0x40 exchanged */
	assert_int_equal(values[4], 0x609f);
	bpmu_interrupts_reset_slots(&bank);
	wrote("30c=0 329=0 ");
	assert_int_equal(state.since_sample.slots, 0);
	assert_int_equal(state.since_record.slots, 0x300);
	assert_int_equal(state.since_record.part[0], 0x300 * 0xbf);
	assert_int_equal(state.since_record.part[1], 0x300 * 0x40);
	state.pebs.counts = false;
	bpmu_interrupts_count_anew(&bank);
	wrote("");
	/* a read that faults adds nothing */
	fault = -EFAULT;
	bpmu_interrupts_reset_slots(&bank);
	assert_int_equal(state.since_record.slots, 0x300);
}

PMI(a_record_has_counts)
{
	static const u64 value[] = { 0xfffffffc20, 0x31, 0x52 };
	static const u64 slots[] = { 0x200, 0xbf40 }, later[] = { 0x300, 0xff00 };
	struct bpmu_pebs_record record = {
		.held = 3 | 1ULL << BPMU_FIXED_BASE, .value = value, .slots = slots,
	};
	u64 counts[BPMU_MAX_COUNTERS] = { 99 };

	with_metrics();
	state.base[0] = 0xfffffffc18;
	state.since_record = (struct bpmu_slots_sum){ 0x200, { 0x200 * 0x40, 0x200 * 0xbf } };
	record.held = 3;
	assert_false(bpmu_interrupts_counts(&bank, &record, counts));
	record.held = 3 | 1ULL << BPMU_FIXED_BASE;
	record.slots = NULL;
	assert_false(bpmu_interrupts_counts(&bank, &record, counts));
	assert_int_equal(counts[0], 99);
	record.slots = slots;
	assert_true(bpmu_interrupts_counts(&bank, &record, counts));
	assert_int_equal(counts[0], 8);
	assert_int_equal(counts[1], 0x20);
	assert_int_equal(counts[2], 0x40);
	assert_int_equal(counts[3], 0x400);
	assert_int_equal(counts[4], 0xbf40);
	assert_int_equal(state.base[1], 0x31);
	/* nothing was counted up to a second record of the same values */
	assert_true(bpmu_interrupts_counts(&bank, &record, counts));
	assert_int_equal(counts[0], 0);
	assert_int_equal(counts[3], 0);
	assert_int_equal(counts[4], 0);
	/* fractions are rounded: a difference may be below 0, or above all slots */
	record.slots = later;
	assert_true(bpmu_interrupts_counts(&bank, &record, counts));
	assert_int_equal(counts[3], 0x100);
	assert_int_equal(counts[4], 0xff00);
}
