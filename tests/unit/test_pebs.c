// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the module's buffers for precise records, on made-up registers: architectural PEBS, and
 * the debug store of older parts. The sources of the module are compiled unchanged.
 */
#include "kernel/module.h"

#include "../../kmod/bank/store.c"
#include "../../kmod/bank/pebs.c"

#include "kernel/registers.h"

#define AREA 0x600
#define ENABLE 0x3f1
#define GROUPS 0x3f2
#define STATUS 0x38e
#define OVF 0x390
#define BASE 0x3f4
#define INDEX 0x3f5
#define DEBUGCTL 0x1d9
#define CONFIG(n) (0x1903 + 4 * (n))
#define FIXED_CONFIG(n) (0x1983 + 4 * (n))
#define FIXED(n) BIT_ULL(BPMU_FIXED_BASE + (n))
/* what a page has beside the area of a debug store, 448 bytes */
#define RECORDS 3648
#define PHYSICAL 0x7000000

static u64 memory[1024] __attribute__((aligned(4096)));
static struct bpmu_part part;
static struct bpmu_pmu pmu;
static struct bpmu_pebs pebs;
static struct bpmu_plan_group group;
static struct bpmu_bank bank;
static struct cpu_entry_area areas[2];
static bool isolated_tables;
/* what was asked of the allocator */
static int asked_node, asked_flags;
static unsigned int asked_order;
static unsigned long freed;
static unsigned int freed_order;
static bool no_pages;

bool boot_cpu_has(enum unit_feature feature)
{
	assert_int_equal(feature, X86_FEATURE_PTI);
	return isolated_tables;
}

struct cpu_entry_area *get_cpu_entry_area(int cpu)
{
	return &areas[cpu];
}

const struct bpmu_pmu *bpmu_pmu_of(unsigned int cpu)
{
	assert_int_equal(cpu, 1);
	return &pmu;
}

struct page *alloc_pages_node(int node, int flags, unsigned int order)
{
	asked_node = node;
	asked_flags = flags;
	asked_order = order;
	return no_pages ? NULL : (struct page *)0x40;
}

void *page_address(const struct page *page)
{
	assert_ptr_equal(page, (void *)0x40);
	return memory;
}

void free_pages(unsigned long at, unsigned int order)
{
	freed = at;
	freed_order = order;
}

phys_addr_t virt_to_phys(const volatile void *at)
{
	assert_ptr_equal(at, memory);
	return PHYSICAL;
}

bool bpmu_plan_group_has_data(const struct bpmu_plan_group *of)
{
	assert_ptr_equal(of, &group);
	return of->event[0].data;
}

/* Compares the writes since the last call with a text, which has the address of the buffer. */
static void __attribute__((format(printf, 1, 2))) wrote_with(const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	wrote(text);
}

/* Begins with a PMU with adaptive records, and a debug store. */
TEST_FIXTURE(setup)
{
	forget_registers();
	memset(memory, 0, sizeof(memory));
	memset(&group, 0, sizeof(group));
	part = (struct bpmu_part){
		.msrs = { .global_status = STATUS, .global_ovf = OVF, .global_ctrl = 0x38f },
		.data_source = BPMU_DATA_SOURCE_SKL,
	};
	pmu = (struct bpmu_pmu){
		.part = &part, .gp_counters = 4, .fixed_counters = 3, .metrics = 1,
		.pebs = 0xf | FIXED(0) | FIXED(1), .pebs_format = 5, .lbr = { .depth = 32 },
	};
	pebs = (struct bpmu_pebs){
		.buffer = memory, .bytes = 4096, .batch = 1, .store = true,
	};
	bank = (struct bpmu_bank){
		.pmu = &pmu, .pebs = &pebs, .group = &group, .setup = &group.setup[0],
	};
	put(0, AREA, 0xa1a);
	put(0, ENABLE, 0xe1e);
	put(0, GROUPS, 0x919);
	put(0, STATUS, 0);
	put(0, OVF, 0);
	put(0, DEBUGCTL, 0);
	isolated_tables = false;
	no_pages = false;
	return 0;
}

/* Begins with architectural PEBS of general counters 0, 1 and 3, and of fixed counter 1. */
TEST_FIXTURE(setup_architectural)
{
	setup(test_state);
	forget_registers();
	pmu.pebs = 0xb | FIXED(1);
	pmu.pebs_format = BPMU_PEBS_ARCHITECTURAL;
	pebs.store = false;
	put(0, BASE, 0xba5);
	put(0, INDEX, 0x1d8);
	put(0, CONFIG(0), 0xc0);
	put(0, CONFIG(1), 0xc1);
	put(0, CONFIG(3), 0xc3);
	put(0, FIXED_CONFIG(1), 0xf1);
	return 0;
}

#define STORE(name) TEST_BETWEEN(name, setup, NULL)
#define PEBS(name) TEST_BETWEEN(name, setup_architectural, NULL)

static void add(u32 counter, u32 sibling, u64 select, bool precise)
{
	struct bpmu_plan_event *event = &group.event[group.nr++];

	event->counter = counter;
	event->sibling = sibling;
	event->select = select;
	event->precise = precise;
}

STORE(a_page_of_all_page_tables_is_used_where_they_are_isolated)
{
	assert_null(bpmu_store_page(1));
	isolated_tables = true;
	assert_ptr_equal(bpmu_store_page(1), areas[1].cpu_debug_store);
}

STORE(a_page_has_room_for_so_many_records)
{
	static const struct {
		u8 format;
		u8 depth;
		bool isolated, branches;
		u32 most, batch;
	} cases[] = {
		{ 5, 32, false, false, U32_MAX, 64 },
		{ 5, 32, true, false, RECORDS / 64, 28 },
		{ 5, 32, true, true, 4, 2 },
		{ 5, 100, true, true, 1, 1 },
		{ 4, 32, true, false, 18, 9 },
		{ 4, 32, true, true, 18, 9 },
		{ 4, 32, false, false, U32_MAX, 64 },
		{ 3, 32, true, false, 1, 1 },
		{ 3, 32, false, false, 1, 1 },
		{ 1, 32, false, false, 1, 1 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		pmu.pebs_format = cases[i].format;
		pmu.lbr.depth = cases[i].depth;
		isolated_tables = cases[i].isolated;
		assert_int_equal(bpmu_store_most(&pmu, cases[i].branches), cases[i].most);
		assert_int_equal(bpmu_pebs_most(&pmu, cases[i].branches), cases[i].batch);
	}
	pmu.pebs = 0;
	assert_int_equal(bpmu_pebs_most(&pmu, false), 0);
}

STORE(records_of_another_agent_are_seen)
{
	put(0, ENABLE, 0);
	assert_false(bpmu_store_used(&pmu));
	put(0, DEBUGCTL, 0xffffff7f);
	assert_false(bpmu_store_used(&pmu));
	put(0, DEBUGCTL, 0x80);
	assert_true(bpmu_store_used(&pmu));
	put(0, DEBUGCTL, 0);
	put(0, ENABLE, 4);
	assert_true(bpmu_store_used(&pmu));
	pmu.pebs_format = BPMU_PEBS_ARCHITECTURAL;
	assert_false(bpmu_store_used(&pmu));
	pmu.pebs_format = 5;
	forget_registers();
	assert_false(bpmu_store_used(&pmu));
}

STORE(registers_are_tried_and_saved)
{
	pebs.enabled = 1;
	pebs.asked = 1;
	assert_int_equal(bpmu_pebs_save(&bank), 0);
	wrote_with("600=%lx 3f1=30000000f 3f1=e1e 3f2=919 600=a1a ", (unsigned long)memory);
	assert_int_equal(pebs.area, 0xa1a);
	assert_int_equal(pebs.enable, 0xe1e);
	assert_int_equal(pebs.groups, 0x919);
	assert_int_equal(pebs.enabled, 0);
	assert_int_equal(pebs.asked, 0);
	pebs.counts = true;
	assert_int_equal(bpmu_store_save(&bank), 0);
	wrote_with("600=%lx 3f1=30000000f 3f1=e1e 3f2=7000f00000030 3f2=919 600=a1a ",
		   (unsigned long)memory);
	pmu.metrics = 0;
	assert_int_equal(bpmu_store_save(&bank), 0);
	wrote_with("600=%lx 3f1=30000000f 3f1=e1e 3f2=7000f00000010 3f2=919 600=a1a ",
		   (unsigned long)memory);
}

/* Each source of data has its bits; without adaptive records there is no register of groups. */
STORE(bits_of_latencies_and_stores_are_tried)
{
	static const struct {
		u8 source;
		const char *bits;
	} cases[] = {
		{ BPMU_DATA_SOURCE_UNKNOWN, "f" },
		{ BPMU_DATA_SOURCE_HSW, "f0000000f" },
		{ BPMU_DATA_SOURCE_SNB, "8000000f0000000f" },
		{ BPMU_DATA_SOURCE_NHM, "f0000000f" },
	};
	unsigned int i;

	pmu.pebs = 0xf;
	pmu.pebs_format = 4;
	register_at(0, GROUPS)->number = 0xdead;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		part.data_source = cases[i].source;
		assert_int_equal(bpmu_store_save(&bank), 0);
		wrote_with("600=%lx 3f1=%s 3f1=e1e 600=a1a ", (unsigned long)memory, cases[i].bits);
	}
}

STORE(a_store_whose_registers_fault_is_refused)
{
	static const u32 msrs[] = { AREA, ENABLE, GROUPS };
	unsigned int i, fault;

	for (i = 0; i < ARRAY_SIZE(msrs); i++)
		for (fault = FAULT_READ; fault <= FAULT_WRITE; fault++) {
			register_at(0, msrs[i])->faults = fault;
			assert_int_equal(bpmu_store_save(&bank), -EIO);
			pebs.counts = true;
			assert_int_equal(bpmu_pebs_save(&bank), -EIO);
			pebs.counts = false;
			register_at(0, msrs[i])->faults = 0;
		}
	assert_int_equal(bpmu_store_save(&bank), 0);
}

STORE(registers_are_restored_once)
{
	pebs.area = 1;
	pebs.enable = 2;
	pebs.groups = 3;
	pebs.enabled = 4;
	bpmu_pebs_restore(&bank);
	wrote("3f1=2 600=1 ");
	assert_int_equal(pebs.enabled, 0);
	pebs.enabled = 4;
	pebs.asked = 5;
	bpmu_store_restore(&bank);
	wrote("3f1=2 600=1 3f2=3 ");
	assert_int_equal(pebs.enabled, 0);
	assert_int_equal(pebs.asked, 0);
}

STORE(the_kernels_page_has_its_content_afterwards)
{
	static u64 page[512];

	memset(memory, 0x11, 4096);
	memory[511] = 0x22;
	memory[512] = 0x33;
	memset(page, 0, sizeof(page));
	pebs.page = page;
	assert_int_equal(bpmu_store_save(&bank), 0);
	assert_int_equal(page[0], 0x1111111111111111);
	assert_int_equal(page[511], 0x22);
	memset(memory, 0, 4096);
	bpmu_store_restore(&bank);
	assert_int_equal(memory[0], 0x1111111111111111);
	assert_int_equal(memory[511], 0x22);
	assert_int_equal(memory[512], 0x33);
}

/* Compares what the area says; @size: bytes of a record. */
static void area_says(u32 batch, u32 size)
{
	const struct bpmu_ds *ds = (void *)memory;
	u64 base = (unsigned long)memory + 448;

	assert_int_equal(ds->branches[0], 0);
	assert_int_equal(ds->base, base);
	assert_int_equal(ds->index, base);
	assert_int_equal(ds->maximum, base + RECORDS);
	assert_int_equal(ds->threshold, base + batch * size);
	assert_int_equal(pebs.size, size);
}

STORE(records_of_precise_events_are_turned_on)
{
	struct bpmu_ds *ds = (void *)memory;
	unsigned int i;

	memset(memory, 0xff, sizeof(memory));
	add(1, 2, 0, true);
	add(3, 3, 0, false);
	add(BPMU_FIXED_BASE + 1, BPMU_FIXED_BASE, 0, true);
	pebs.enabled = 0x40;
	bpmu_pebs_program(&bank);
	wrote_with("3f1=0 600=%lx 390=200000002 3f1=200000002 ", (unsigned long)memory);
	assert_int_equal(pebs.enabled, FIXED(1) | 2);
	assert_int_equal(pebs.asked, 0);
	area_says(1, 32);
	for (i = 0; i < 48; i++)
		assert_int_equal(ds->reset[i], i == 1 || i == 9);

	pebs.batch = 7;
	pebs.reload[0] = 70;
	pebs.reload[1] = 71;
	pebs.reload[2] = 72;
	pmu.pebs_format = 6;
	bank.thread = 1;
	bpmu_store_program(&bank);
	wrote_with("3f1=0 600=%lx 390=100000004 3f1=100000004 ", (unsigned long)memory);
	area_says(7, 32);
	for (i = 0; i < 48; i++)
		assert_int_equal(ds->reset[i], i == 2 ? 70 : i == 32 ? 72 : 0);
}

/* An event that counts loads by their latency, or stores, has a bit of its own before. */
STORE(loads_and_stores_have_further_bits)
{
	pmu.pebs = 0xf;
	pmu.pebs_format = 4;
	part.data_source = BPMU_DATA_SOURCE_SNB;
	add(1, 1, 0x1cd, true);
	bpmu_store_program(&bank);
	wrote_with("3f1=0 600=%lx 390=2 3f1=200000002 ", (unsigned long)memory);
	area_says(1, 200);
	group.event[0].select = 0x2cd;
	bpmu_store_program(&bank);
	wrote_with("3f1=0 600=%lx 390=2 3f1=8000000000000002 ", (unsigned long)memory);
	group.event[0].select = 0x3c;
	bpmu_store_program(&bank);
	wrote_with("3f1=0 600=%lx 390=2 3f1=2 ", (unsigned long)memory);
	/* no group is asked for, whatever the records have */
	group.event[0].data = true;
	pebs.branches = true;
	bpmu_store_program(&bank);
	wrote_with("3f1=0 600=%lx 390=2 3f1=2 ", (unsigned long)memory);
	area_says(1, 200);
	pmu.pebs_format = 5;
	part.data_source = BPMU_DATA_SOURCE_SKL;
	group.event[0].select = 0x1cd;
	group.event[0].data = false;
	pebs.branches = false;
	bpmu_store_program(&bank);
	wrote_with("3f1=0 600=%lx 390=2 3f1=2 ", (unsigned long)memory);
}

STORE(groups_are_asked_for)
{
	pebs.batch = 2;
	add(0, 0, 0, true);
	group.event[0].data = true;
	bpmu_store_program(&bank);
	wrote_with("3f1=0 600=%lx 3f2=1 390=1 3f1=1 ", (unsigned long)memory);
	area_says(2, 64);
	pebs.branches = true;
	pmu.lbr.depth = 16;
	bpmu_store_program(&bank);
	wrote_with("3f1=0 600=%lx 3f2=f000009 390=1 3f1=1 ", (unsigned long)memory);
	area_says(2, 64 + 384);
	group.event[0].data = false;
	bpmu_store_program(&bank);
	wrote_with("3f1=0 600=%lx 3f2=f000008 390=1 3f1=1 ", (unsigned long)memory);
	area_says(2, 32 + 384);
	pebs.branches = false;
	pebs.counts = true;
	group.setup[0].enable = 5 | FIXED(0);
	bpmu_store_program(&bank);
	wrote_with("3f1=0 600=%lx 3f2=1000500000010 390=1 3f1=1 ", (unsigned long)memory);
	area_says(2, 32 + 8 * (2 + 3));
	group.setup[0].enable |= BIT_ULL(BPMU_METRICS_COUNTER);
	group.event[0].data = true;
	bpmu_store_program(&bank);
	wrote_with("3f1=0 600=%lx 3f2=1000500000031 390=1 3f1=1 ", (unsigned long)memory);
	area_says(2, 64 + 8 * (2 + 3 + 2));
	bpmu_store_restore(&bank);
	wrote("3f1=0 600=0 3f2=0 ");
	pebs.counts = false;
	group.event[0].data = false;
	bpmu_store_program(&bank);
	assert_int_equal(pebs.asked, 0);
}

STORE(registers_that_another_agent_has_written_are_noticed)
{
	static const u32 msrs[] = { AREA, ENABLE, GROUPS };
	unsigned int i;

	add(0, 0, 0, true);
	group.event[0].data = true;
	assert_true(bpmu_pebs_intact(&bank));
	bpmu_store_program(&bank);
	assert_true(bpmu_pebs_intact(&bank));
	for (i = 0; i < ARRAY_SIZE(msrs); i++) {
		u64 value = get(0, msrs[i]);

		put(0, msrs[i], value + 1);
		assert_false(bpmu_store_intact(&bank));
		assert_false(bpmu_pebs_intact(&bank));
		put(0, msrs[i], value);
	}
	pebs.asked = 0;
	put(0, GROUPS, 0x77);
	assert_true(bpmu_store_intact(&bank));
	pebs.enabled = 0;
	pebs.asked = 1;
	put(0, AREA, 0x77);
	assert_true(bpmu_pebs_intact(&bank));
	bank.pebs = NULL;
	assert_true(bpmu_pebs_intact(&bank));
}

STORE(counters_that_have_overflowed_are_disarmed)
{
	pebs.enabled = 0x200000003;
	pmu.pebs = 0xf;
	put(0, STATUS, 0x4000000000000006);
	assert_int_equal(bpmu_pebs_disarm(&bank), 2);
	wrote("3f1=0 3f1=200000003 390=3 ");
	pebs.store = false;
	assert_int_equal(bpmu_pebs_disarm(&bank), 0);
	wrote("");
}

/* The records of a debug store, behind its area */
static u64 *const words = memory + 56;

STORE(adaptive_records_are_read)
{
	struct bpmu_pebs_record record;
	u32 at = 0;

	words[0] = 32ULL << 48 | 0x1234ULL << 32;
	words[1] = 0x401;
	words[2] = 5;
	words[3] = 0x77;
	words[4] = 32ULL << 48;
	words[5] = 0x402;
	memset(&record, 0xff, sizeof(record));
	assert_true(bpmu_store_read(&bank, &at, 64, &record));
	assert_int_equal(at, 32);
	assert_int_equal(record.ip, 0x401);
	assert_int_equal(record.counters, 5);
	assert_int_equal(record.reset, 5);
	assert_int_equal(record.tsc, 0x77);
	assert_int_equal(record.retire, 0);
	assert_false(record.mixed);
	assert_null(record.access);
	assert_null(record.branches);
	assert_null(record.slots);
	assert_int_equal(record.held, 0);
	assert_int_equal(record.nr_branches, 0);
	assert_true(bpmu_store_read(&bank, &at, 64, &record));
	assert_int_equal(at, 64);
	assert_int_equal(record.ip, 0x402);
	assert_false(bpmu_store_read(&bank, &at, 64, &record));
	assert_int_equal(at, 64);
	/* with the retire latency, but not of fixed counter 0 */
	pmu.pebs_retire = 1;
	part.quirks = BPMU_QUIRK_FIXED0_NO_RETIRE;
	at = 0;
	assert_int_equal(bpmu_pebs_read(&bank, at, 64, &record), 32);
	assert_int_equal(record.retire, BPMU_PEBS_RETIRE_KNOWN | 0x1234);
	words[2] = FIXED(0);
	assert_true(bpmu_store_read(&bank, &at, 64, &record));
	assert_int_equal(record.retire, 0);
}

STORE(an_adaptive_record_that_is_not_whole_is_not_read)
{
	struct bpmu_pebs_record record = { .counters = 3, .mixed = true };
	u32 at = 0;

	words[0] = 40ULL << 48;
	assert_false(bpmu_store_read(&bank, &at, 31, &record));
	assert_false(bpmu_store_read(&bank, &at, 39, &record));
	assert_int_equal(at, 0);
	assert_true(bpmu_store_read(&bank, &at, 40, &record));
	assert_int_equal(at, 40);
	at = 0;
	words[0] = 31ULL << 48;
	assert_false(bpmu_store_read(&bank, &at, 64, &record));
	words[0] = 32ULL << 48;
	assert_false(bpmu_store_read(&bank, &at, RECORDS + 1, &record));
	assert_true(bpmu_store_read(&bank, &at, RECORDS, &record));
	record.counters = 3;
	record.mixed = true;
	assert_int_equal(bpmu_pebs_read(&bank, 0, 31, &record), 0);
	assert_int_equal(record.counters, 0);
	assert_false(record.mixed);
}

STORE(groups_of_adaptive_records_are_found)
{
	const u64 two = 1ULL << 24;
	struct bpmu_pebs_record record;
	u32 at = 0;

	/* the memory access in words 4 to 7, two branches in 8 to 13, values from 14 on */
	words[0] = (32ULL + 32 + 48 + 16 + 16 + 16) << 48 | two | 1 | 8 | 0x10 | 0x20;
	words[14] = 1 | FIXED(1);
	words[15] = BPMU_HELD_HAS_METRICS;
	assert_true(bpmu_store_read(&bank, &at, 200, &record));
	assert_ptr_equal(record.access, words + 4);
	assert_ptr_equal(record.branches, words + 8);
	assert_int_equal(record.nr_branches, 2);
	assert_int_equal(record.held, 1 | FIXED(1));
	assert_ptr_equal(record.value, words + 16);
	assert_ptr_equal(record.slots, words + 18);

	/* without PERF_METRICS, the access and the branches */
	words[0] = (32ULL + 16 + 8) << 48 | 0x10;
	words[4] = 4;
	at = 0;
	assert_true(bpmu_store_read(&bank, &at, 200, &record));
	assert_null(record.access);
	assert_null(record.branches);
	assert_int_equal(record.held, 4);
	assert_ptr_equal(record.value, words + 6);
	assert_null(record.slots);

	/* a group that the module has not asked for may be anywhere behind the access */
	words[0] = (32ULL + 32 + 64) << 48 | 1 | 8 | 2;
	at = 0;
	assert_true(bpmu_store_read(&bank, &at, 200, &record));
	assert_ptr_equal(record.access, words + 4);
	assert_null(record.branches);
}

STORE(groups_that_are_not_whole_are_left_out)
{
	struct bpmu_pebs_record record;
	u32 at = 0;

	words[0] = 63ULL << 48 | 1;
	assert_true(bpmu_store_read(&bank, &at, 200, &record));
	assert_null(record.access);
	words[0] = 64ULL << 48 | 1;
	at = 0;
	assert_true(bpmu_store_read(&bank, &at, 200, &record));
	assert_ptr_equal(record.access, words + 4);
	words[0] = 79ULL << 48 | 8 | 1 << 24;
	at = 0;
	assert_true(bpmu_store_read(&bank, &at, 200, &record));
	assert_null(record.branches);
	assert_int_equal(record.nr_branches, 0);
	words[0] = 80ULL << 48 | 8 | 1 << 24;
	at = 0;
	assert_true(bpmu_store_read(&bank, &at, 200, &record));
	assert_ptr_equal(record.branches, words + 4);
	words[0] = 47ULL << 48 | 0x10;
	words[4] = 0;
	at = 0;
	assert_true(bpmu_store_read(&bank, &at, 200, &record));
	assert_null(record.value);
	words[0] = 48ULL << 48 | 0x10;
	at = 0;
	assert_true(bpmu_store_read(&bank, &at, 200, &record));
	assert_ptr_equal(record.value, words + 6);
}

STORE(older_records_are_read)
{
	static const struct {
		u8 format;
		u32 size, ip;
		u64 tsc;
	} cases[] = { { 2, 176, 0x101, 0 }, { 3, 192, 0x116, 0 }, { 4, 200, 0x116, 0x118 } };
	struct bpmu_pebs_record record;
	unsigned int i, c;
	u32 at;

	pmu.pebs = 0xf;
	pebs.enabled = 0x200000006;
	for (i = 0; i < 60; i++)
		words[i] = 0x100 + i;
	for (c = 0; c < ARRAY_SIZE(cases); c++) {
		pmu.pebs_format = cases[c].format;
		at = 0;
		words[18] = 0x4;
		memset(&record, 0xff, sizeof(record));
		assert_false(bpmu_store_read(&bank, &at, cases[c].size - 1, &record));
		assert_int_equal(at, 0);
		assert_true(bpmu_store_read(&bank, &at, cases[c].size, &record));
		assert_int_equal(at, cases[c].size);
		assert_int_equal(record.ip, cases[c].ip);
		assert_int_equal(record.tsc, cases[c].tsc);
		assert_int_equal(record.counters, 4);
		assert_int_equal(record.reset, 4);
		assert_ptr_equal(record.access, words + 19);
		assert_false(record.mixed);
		assert_null(record.branches);
		/* both counters, of which only one has caused the record of a format without time */
		words[18] = 0x4000000000000007;
		at = 0;
		assert_true(bpmu_store_read(&bank, &at, RECORDS, &record));
		assert_int_equal(record.counters, 6);
		assert_int_equal(record.reset, 6);
		assert_int_equal(record.mixed, cases[c].format < 4);
		/* none is named */
		words[18] = 0x1;
		at = 0;
		assert_true(bpmu_store_read(&bank, &at, RECORDS, &record));
		assert_int_equal(record.counters, 6);
		assert_true(record.mixed);
		pebs.enabled = 2;
		at = 0;
		assert_true(bpmu_store_read(&bank, &at, RECORDS, &record));
		assert_int_equal(record.counters, 2);
		assert_false(record.mixed);
		pebs.enabled = 0x200000006;
		at = 0;
		assert_false(bpmu_store_read(&bank, &at, RECORDS + 1, &record));
		/* the second record is behind the first */
		words[cases[c].size / 8 + 18] = 2;
		at = cases[c].size;
		assert_true(bpmu_store_read(&bank, &at, RECORDS, &record));
		assert_int_equal(at, 2 * cases[c].size);
		assert_int_equal(record.counters, 2);
		words[cases[c].size / 8 + 18] = 0x100 + cases[c].size / 8 + 18;
	}
}

PEBS(a_buffer_has_room_for_twice_the_records)
{
	static const struct {
		u32 batch;
		unsigned int order, branches;
	} cases[] = { { 1, 0, 0 }, { 2, 0, 0 }, { 3, 0, 1 }, { 9, 0, 2 }, { 10, 1, 3 }, { 64, 3, 5 } };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_int_equal(bpmu_pebs_order(cases[i].batch, false), cases[i].order);
		if (i != 3 && i != 4)
			assert_int_equal(bpmu_pebs_order(cases[i].batch, true), cases[i].branches);
	}
}

PEBS(many_records_need_the_values_of_their_counters)
{
	assert_int_equal(bpmu_pebs_most(&pmu, true), 1);
	pmu.pebs_values = 1;
	assert_int_equal(bpmu_pebs_most(&pmu, true), 64);
	pmu.pebs = 0;
	assert_int_equal(bpmu_pebs_most(&pmu, true), 0);
}

PEBS(the_buffer_is_on_the_cpus_node)
{
	struct bpmu_pebs of = { .batch = 10 };

	isolated_tables = true;
	assert_int_equal(bpmu_pebs_alloc(&of, 1), 0);
	assert_int_equal(asked_node, 1);
	assert_true(asked_flags & __GFP_ZERO);
	assert_int_equal(asked_order, 1);
	assert_int_equal(of.bytes, 8192);
	assert_ptr_equal(of.buffer, memory);
	assert_null(of.page);
	bpmu_pebs_free(&of);
	assert_int_equal(freed, (unsigned long)memory);
	assert_int_equal(freed_order, 1);
	of.branches = true;
	of.batch = 3;
	assert_int_equal(bpmu_pebs_alloc(&of, 1), 0);
	assert_int_equal(asked_order, 1);
	of.branches = false;
	assert_int_equal(bpmu_pebs_alloc(&of, 1), 0);
	assert_int_equal(asked_order, 0);
	no_pages = true;
	of = (struct bpmu_pebs){ .batch = 10 };
	assert_int_equal(bpmu_pebs_alloc(&of, 1), -ENOMEM);
	assert_null(of.buffer);
}

STORE(the_kernels_page_is_the_buffer_of_a_store)
{
	struct bpmu_pebs of = { .batch = 30 };

	assert_int_equal(bpmu_pebs_alloc(&of, 1), 0);
	assert_int_equal(asked_order, 2);
	assert_ptr_equal(of.buffer, memory);
	assert_null(of.page);
	isolated_tables = true;
	assert_int_equal(bpmu_pebs_alloc(&of, 1), 0);
	assert_int_equal(asked_order, 0);
	assert_int_equal(of.bytes, 4096);
	assert_ptr_equal(of.buffer, areas[1].cpu_debug_store);
	assert_ptr_equal(of.page, memory);
	bpmu_pebs_free(&of);
	assert_int_equal(freed, (unsigned long)memory);
	assert_int_equal(freed_order, 0);
	assert_int_equal(bpmu_pebs_status(&pmu), 1ULL << 62);
	pmu.pebs_format = BPMU_PEBS_ARCHITECTURAL;
	assert_int_equal(bpmu_pebs_status(&pmu), 1ULL << 54);
}

PEBS(the_registers_of_all_counters_are_saved_and_restored)
{
	static const u32 msrs[] = {
		BASE, INDEX, CONFIG(0), CONFIG(1), CONFIG(3), FIXED_CONFIG(1),
	};
	unsigned int i;

	pebs.store = true;
	assert_int_equal(bpmu_pebs_save(&bank), 0);
	assert_false(pebs.store);
	assert_int_equal(pebs.base, 0xba5);
	assert_int_equal(pebs.index, 0x1d8);
	wrote("");
	bpmu_pebs_restore(&bank);
	wrote("1903=c0 1907=c1 190f=c3 1987=f1 3f5=1d8 3f4=ba5 ");
	for (i = 0; i < ARRAY_SIZE(msrs); i++) {
		register_at(0, msrs[i])->faults = FAULT_READ;
		assert_int_equal(bpmu_pebs_save(&bank), -EIO);
		register_at(0, msrs[i])->faults = 0;
	}
	pebs.buffer = NULL;
	forget_registers();
	assert_int_equal(bpmu_pebs_save(&bank), 0);
	bpmu_pebs_restore(&bank);
	bpmu_pebs_program(&bank);
	wrote("");
}

PEBS(records_of_a_group_are_turned_on)
{
	add(1, 0, 0, true);
	add(3, 3, 0, false);
	add(2, 2, 0, true);
	bpmu_pebs_program(&bank);
	wrote("3f4=7000000 3f5=1100000000 1903=0 1907=0 190f=0 1987=0 1907=8000000000000000 ");
	bank.thread = 1;
	group.setup[0].metrics = true;
	bpmu_pebs_program(&bank);
	wrote("3f4=7000000 3f5=1100000000 1903=0 1907=0 190f=0 1987=0 1903=8000004000000000 ");
	pebs.counts = true;
	bpmu_pebs_program(&bank);
	wrote("3f4=7000000 3f5=1100000000 1903=0 1907=0 190f=0 1987=0 "
	      "1903=8000007800000000 190f=800000000 ");
	group.setup[0].metrics = false;
	bpmu_pebs_program(&bank);
	wrote("3f4=7000000 3f5=1100000000 1903=0 1907=0 190f=0 1987=0 "
	      "1903=8000003800000000 190f=800000000 ");
}

PEBS(records_of_a_batch_set_their_counters_back)
{
	add(0, 1, 0, true);
	add(3, 3, 0, false);
	add(1, 0, 0, true);
	add(BPMU_FIXED_BASE + 1, BPMU_FIXED_BASE + 1, 0, true);
	pebs.batch = 11;
	pebs.branches = true;
	pebs.reload[0] = 0xffff10000001;
	pebs.reload[2] = 0xffff10000002;
	pebs.reload[3] = 0xffff10000003;
	/* ten records of 112 bytes, and one step of 16 bytes more */
	bpmu_pebs_program(&bank);
	wrote("3f4=7000003 3f5=47100000000 1903=0 1907=0 190f=0 1987=0 "
	      "1903=8000003810000001 1907=8000003810000002 1987=8000003810000003 ");
	bpmu_pebs_reload(&bank, 2, 0xffff20000002);
	wrote("1907=8000003820000002 ");
	assert_int_equal(pebs.reload[2], 0xffff20000002);
	bank.thread = 1;
	bpmu_pebs_reload(&bank, 2, 0xffff20000003);
	wrote("1903=8000003820000003 ");
	pebs.store = true;
	bpmu_pebs_reload(&bank, 2, 0xffff20000004);
	wrote("");
	assert_int_equal(pebs.reload[2], 0xffff20000004);
	assert_int_equal(((struct bpmu_ds *)memory)->reset[0], 0xffff20000004);
}

#define BASIC BPMU_PEBS_BASIC

/* Reads the first record of a buffer with @end bytes of records. */
static u32 read_first(u32 end, struct bpmu_pebs_record *record)
{
	memset(record, 0, sizeof(*record));
	record->counters = 99;
	record->mixed = true;
	record->reset = 99;
	return bpmu_pebs_read(&bank, 0, end, record);
}

PEBS(a_record_is_read)
{
	struct bpmu_pebs_record record;

	memory[0] = BASIC | 64;
	memory[2] = 0x401;
	memory[3] = 2;
	memory[4] = 0x77;
	memory[5] = 0x10005;
	memory[8] = BASIC | 64;
	memory[10] = 0x402;
	assert_int_equal(read_first(128, &record), 64);
	assert_int_equal(record.ip, 0x401);
	assert_int_equal(record.counters, 2);
	assert_int_equal(record.tsc, 0x77);
	assert_int_equal(record.retire, 0x10005);
	assert_int_equal(record.reset, 0);
	assert_int_equal(record.step, 64);
	assert_int_equal(record.header, BASIC | 64);
	assert_int_equal(record.held, 0);
	assert_false(record.mixed);
	assert_int_equal(bpmu_pebs_read(&bank, 64, 128, &record), 128);
	assert_int_equal(record.ip, 0x402);
	/* there is none */
	assert_int_equal(bpmu_pebs_read(&bank, 128, 128, &record), 128);
	assert_int_equal(record.counters, 0);
}

PEBS(what_is_no_record_is_skipped_or_ends_the_buffer)
{
	struct bpmu_pebs_record record;

	/* two pieces without the basic group */
	memory[0] = 16;
	memory[2] = 40;
	memory[8] = BASIC | 72;
	memory[10] = 0x401;
	memory[11] = 4;
	assert_int_equal(read_first(144, &record), 144);
	assert_int_equal(record.ip, 0x401);
	assert_int_equal(record.counters, 4);
	assert_int_equal(record.step, 80);
	assert_int_equal(read_first(64, &record), 64);
	assert_int_equal(record.counters, 0);
	assert_int_equal(read_first(136, &record), 64);
	assert_int_equal(record.counters, 0);
	assert_int_equal(read_first(15, &record), 0);
	assert_int_equal(read_first(16, &record), 16);
	memory[0] = 15;
	assert_int_equal(read_first(144, &record), 0);
	memory[0] = BASIC | 63;
	assert_int_equal(read_first(144, &record), 0);
	assert_int_equal(record.counters, 0);
	memory[0] = BASIC | 64;
	memory[3] = 1;
	assert_int_equal(read_first(4097, &record), 0);
	assert_int_equal(record.counters, 0);
	assert_int_equal(read_first(4096, &record), 64);
	assert_int_equal(record.counters, 1);
	assert_int_equal(read_first(64, &record), 64);
	assert_int_equal(record.counters, 1);
	assert_int_equal(read_first(63, &record), 0);
}

PEBS(values_of_counters_are_found)
{
	static const struct {
		u64 groups;
		u64 held;
		u32 size, step;
		bool values, slots;
	} rows[] = {
		{ BPMU_CONFIG_GP, 5, 64 + 32, 96, true, false },
		{ BPMU_CONFIG_FIXED, FIXED(1), 64 + 24, 96, true, false },
		/* the bit of its own register is no group */
		{ BPMU_CONFIG_GP | BPMU_CONFIG_ALLOW | 1u << 20, 1, 64 + 24, 96, true, false },
		{ BPMU_CONFIG_GP | BPMU_CONFIG_METRICS, 1, 64 + 40, 0, true, true },
		/* not whole */
		{ BPMU_CONFIG_GP, 5, 64 + 24, 0, false, false },
		/* another group comes before */
		{ BPMU_CONFIG_GP | BIT_ULL(41), 5, 64 + 32, 0, false, false },
		{ BIT_ULL(41), 5, 64 + 32, 96, false, false },
		{ 0, 5, 64 + 32, 96, false, false },
	};
	struct bpmu_pebs_record record;
	const u64 *value, *slots;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		value = rows[i].values ? memory + 10 : NULL;
		slots = rows[i].slots ? memory + 11 : NULL;
		memory[0] = BASIC | rows[i].groups | rows[i].size;
		memory[3] = 1;
		memory[8] = rows[i].held;
		memory[9] = BPMU_HELD_HAS_METRICS;
		assert_int_equal(read_first(512, &record), ALIGN(rows[i].size, 16));
		assert_int_equal(record.counters, 1);
		assert_int_equal(record.step, rows[i].step);
		assert_int_equal(record.held, value ? rows[i].held : 0);
		assert_ptr_equal(record.value, value);
		assert_ptr_equal(record.slots, slots);
		/* what a record before has had is not taken for its own */
		record.step = 0;
		record.slots = memory;
		record.held = 7;
		memory[0] = BASIC | 64;
		assert_int_equal(bpmu_pebs_read(&bank, 0, 512, &record), 64);
		assert_int_equal(record.held, 0);
		assert_null(record.slots);
	}
}
