// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of what a file of perf.data says of IBS: the events have the configurations of perf's PMUs
 * ibs_op and ibs_fetch, and ops have the words of perf_event_open(2).
 */
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "cmd/report/perf_op.h"
#include "ibs.h"
#include "unit.h"

/* what the files of sysfs say; NULL if there are none */
static const char *op_type, *fetch_type;

bool __wrap_bpmu_sysfs_read(const char *path, char *text, size_t size);

bool __wrap_bpmu_sysfs_read(const char *path, char *text, size_t size)
{
	const char *type = NULL;

	if (!strcmp(path, "/sys/bus/event_source/devices/ibs_op/type"))
		type = op_type;
	if (!strcmp(path, "/sys/bus/event_source/devices/ibs_fetch/type"))
		type = fetch_type;
	if (type)
		snprintf(text, size, "%s", type);
	return type;
}

TEST(pmus_of_ibs_have_the_numbers_of_this_kernel)
{
	op_type = "4294967210";
	fetch_type = "0012";
	assert_true(bpmu_perf_op_pmu() == 4294967210U);
	assert_true(bpmu_perf_fetch_pmu() == 12);
}

/* Numbers below 6 are the kernel's own types, and the others count up from there. */
TEST(pmus_that_this_kernel_has_not_have_numbers_of_no_pmu)
{
	op_type = NULL;
	fetch_type = NULL;
	assert_true(bpmu_perf_op_pmu() == 0x1b50);
	assert_true(bpmu_perf_fetch_pmu() == 0x1b51);
}

/* Linux, asm/amd/ibs.h and events/amd/ibs.c: cnt_ctl is bit 19, l3missonly bit 16, the latency 59-63 */
TEST(ops_are_selected_as_the_pmu_ibs_op_does)
{
	static const struct {
		u64 select, config, config1;
	} cases[] = {
		{ 0, 0, 0 },
		{ BPMU_IBS_SEL_OPS, 1 << 19, 0 },
		{ BPMU_IBS_SEL_L3_MISS, 1 << 16, 0 },
		{ BPMU_IBS_SEL_STREAMS, 0, 1 << 12 },
		{ 1 << BPMU_IBS_SEL_LATENCY_SHIFT, 0, 128 },
		{ 16 << BPMU_IBS_SEL_LATENCY_SHIFT, 0, 2048 },
		{ BPMU_IBS_SEL_OPS | BPMU_IBS_SEL_L3_MISS | BPMU_IBS_SEL_STREAMS |
		  3 << BPMU_IBS_SEL_LATENCY_SHIFT, 1 << 19 | 1 << 16, 1 << 12 | 384 },
		/* Bits above the latency are not part of it. */
		{ BPMU_IBS_SEL_LATENCY | 1 << 16, 0, 31 * 128 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_true(bpmu_perf_op_config(cases[i].select) == cases[i].config);
		assert_true(bpmu_perf_op_filters(cases[i].select) == cases[i].config1);
	}
}

TEST(fetches_are_selected_by_their_latency)
{
	assert_true(bpmu_perf_fetch_latency(0) == 0);
	assert_true(bpmu_perf_fetch_latency(BPMU_IBS_SEL_RANDOM | BPMU_IBS_SEL_L3_MISS) == 0);
	assert_true(bpmu_perf_fetch_latency(1 << BPMU_IBS_SEL_LATENCY_SHIFT) == 128);
	assert_true(bpmu_perf_fetch_latency(15 << BPMU_IBS_SEL_LATENCY_SHIFT) == 1920);
	assert_true(bpmu_perf_fetch_latency(0x10ff) == 0);
}

/* Returns the words of an op of flags and a source as the kernel reads them. */
static union perf_mem_data_src source_of(u32 flags, unsigned int source)
{
	const struct bpmu_tagged_op op = { .flags = flags, .source = source };

	return (union perf_mem_data_src){ .val = bpmu_perf_op_source(&op) };
}

#define LOAD BPMU_TAGGED_LOAD
#define HIT(level) (PERF_MEM_LVL_HIT | PERF_MEM_LVL_##level)
#define NUMBER(level) PERF_MEM_LVLNUM_##level

TEST(each_source_of_data_is_a_level_of_memory)
{
	static const struct {
		unsigned int source, level, number, remote, hops;
	} cases[] = {
		{ BPMU_SOURCE_UNKNOWN, PERF_MEM_LVL_NA, NUMBER(NA) },
		{ BPMU_SOURCE_L1, HIT(L1), NUMBER(L1) },
		{ BPMU_SOURCE_L2, HIT(L2), NUMBER(L2) },
		{ BPMU_SOURCE_L3, HIT(L3), NUMBER(L3) },
		{ BPMU_SOURCE_NEAR_CACHE, HIT(REM_CCE1), NUMBER(ANY_CACHE), 1, PERF_MEM_HOPS_0 },
		{ BPMU_SOURCE_REMOTE_CACHE, HIT(REM_CCE2), NUMBER(ANY_CACHE), 1, PERF_MEM_HOPS_1 },
		{ BPMU_SOURCE_MEMORY, HIT(LOC_RAM), NUMBER(RAM) },
		{ BPMU_SOURCE_REMOTE_MEMORY, HIT(REM_RAM1), NUMBER(RAM), 1, PERF_MEM_HOPS_1 },
		{ BPMU_SOURCE_PERSISTENT, 0, NUMBER(PMEM) },
		{ BPMU_SOURCE_EXTENSION, 0, NUMBER(CXL) },
		{ BPMU_SOURCE_IO, HIT(IO), NUMBER(IO) },
		{ BPMU_SOURCE_FILL_BUFFER, HIT(LFB), NUMBER(LFB) },
		{ BPMU_SOURCE_MEMORY_CACHE, 0, NUMBER(L4) },
		{ BPMU_SOURCE_MEMORY_CACHE + 1, PERF_MEM_LVL_NA, NUMBER(NA) },
	};
	union perf_mem_data_src found;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		found = source_of(LOAD | BPMU_TAGGED_L1_MISS, cases[i].source);
		assert_int_equal(found.mem_op, PERF_MEM_OP_LOAD);
		assert_int_equal(found.mem_lvl, cases[i].level);
		assert_int_equal(found.mem_lvl_num, cases[i].number);
		assert_int_equal(found.mem_remote, cases[i].remote);
		assert_int_equal(found.mem_hops, cases[i].hops);
	}
}

TEST(a_store_has_hit_or_missed_the_l1)
{
	union perf_mem_data_src found;

	found = source_of(BPMU_TAGGED_STORE | BPMU_TAGGED_L1_MISS, BPMU_SOURCE_L2);
	assert_int_equal(found.mem_op, PERF_MEM_OP_STORE);
	assert_int_equal(found.mem_lvl, PERF_MEM_LVL_L1 | PERF_MEM_LVL_MISS);
	assert_int_equal(found.mem_lvl_num, NUMBER(NA));
	found = source_of(BPMU_TAGGED_STORE, BPMU_SOURCE_L1);
	assert_int_equal(found.mem_op, PERF_MEM_OP_STORE);
	assert_int_equal(found.mem_lvl, HIT(L1));
	found = source_of(BPMU_TAGGED_STORE | LOAD | BPMU_TAGGED_L1_MISS, BPMU_SOURCE_L2);
	assert_int_equal(found.mem_op, PERF_MEM_OP_LOAD);
	assert_int_equal(found.mem_lvl, HIT(L2));
}

TEST(tlbs_are_known_of_ops_with_addresses)
{
	static const struct {
		u32 flags;
		unsigned int tlb;
	} cases[] = {
		{ 0, PERF_MEM_TLB_NA },
		{ BPMU_TAGGED_TLB2_MISS, PERF_MEM_TLB_NA },
		{ BPMU_TAGGED_ADDRESS, PERF_MEM_TLB_HIT | PERF_MEM_TLB_L1 },
		{ BPMU_TAGGED_ADDRESS | BPMU_TAGGED_TLB_MISS, PERF_MEM_TLB_HIT | PERF_MEM_TLB_L2 },
		{ BPMU_TAGGED_ADDRESS | BPMU_TAGGED_TLB_MISS | BPMU_TAGGED_TLB2_MISS,
		  PERF_MEM_TLB_MISS | PERF_MEM_TLB_L2 },
		/* PEBS does not tell the TLBs apart, and some formats have no word of them. */
		{ BPMU_TAGGED_ADDRESS | BPMU_TAGGED_BY_PEBS, PERF_MEM_TLB_NA },
		{ BPMU_TAGGED_ADDRESS | BPMU_TAGGED_BY_PEBS | BPMU_TAGGED_TLBS,
		  PERF_MEM_TLB_HIT | PERF_MEM_TLB_L1 | PERF_MEM_TLB_L2 },
		{ BPMU_TAGGED_ADDRESS | BPMU_TAGGED_BY_PEBS | BPMU_TAGGED_TLBS |
		  BPMU_TAGGED_TLB2_MISS, PERF_MEM_TLB_MISS | PERF_MEM_TLB_L2 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(source_of(LOAD | cases[i].flags, BPMU_SOURCE_L1).mem_dtlb,
				 cases[i].tlb);
}

TEST(what_an_op_met_is_told)
{
	union perf_mem_data_src found = source_of(LOAD, BPMU_SOURCE_L1);

	assert_int_equal(found.mem_snoop, PERF_MEM_SNOOP_NA);
	assert_int_equal(found.mem_lock, PERF_MEM_LOCK_NA);
	assert_int_equal(found.mem_blk, 0);
	found = source_of(LOAD | BPMU_TAGGED_MODIFIED | BPMU_TAGGED_DATA_BLOCKED, BPMU_SOURCE_L1);
	assert_int_equal(found.mem_snoop, PERF_MEM_SNOOP_HITM);
	assert_int_equal(found.mem_lock, PERF_MEM_LOCK_NA);
	assert_int_equal(found.mem_blk, PERF_MEM_BLK_DATA);
	found = source_of(LOAD | BPMU_TAGGED_LOCKED | BPMU_TAGGED_ADDRESS_BLOCKED, BPMU_SOURCE_L1);
	assert_int_equal(found.mem_snoop, PERF_MEM_SNOOP_NA);
	assert_int_equal(found.mem_lock, PERF_MEM_LOCK_LOCKED);
	assert_int_equal(found.mem_blk, PERF_MEM_BLK_ADDR);
}

TEST(an_op_without_data_has_words_for_nothing)
{
	union perf_mem_data_src found = source_of(BPMU_TAGGED_BRANCH, BPMU_SOURCE_L1);

	assert_true(found.val == bpmu_perf_op_source(NULL));
	assert_int_equal(found.mem_op, PERF_MEM_OP_NA);
	assert_int_equal(found.mem_lvl, PERF_MEM_LVL_NA);
	assert_int_equal(found.mem_lvl_num, NUMBER(NA));
	assert_int_equal(found.mem_snoop, PERF_MEM_SNOOP_NA);
	assert_int_equal(found.mem_lock, PERF_MEM_LOCK_NA);
	assert_int_equal(found.mem_dtlb, PERF_MEM_TLB_NA);
	assert_int_equal(found.mem_blk | found.mem_remote | found.mem_hops, 0);
}

TEST(the_weight_of_an_op_has_its_three_times)
{
	const struct bpmu_tagged_op op = { .latency = 65535, .cycles = 300, .retire = 7 };
	union perf_sample_weight weight = { .full = bpmu_perf_op_weight(&op) };

	assert_int_equal(weight.var1_dw, 65535);
	assert_int_equal(weight.var2_w, 300);
	assert_int_equal(weight.var3_w, 7);
	assert_true(bpmu_perf_op_weight(NULL) == 0);
}
