// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of what the tool makes of stores in precise records: keys and sums of report --by, and
 * perf's source of the data.
 */
#include <linux/barepmu.h>
#include <linux/perf_event.h>

#include "cmd/report/perf_op.h"
#include "replay/report_by_op.h"
#include "unit.h"

#define KNOWN (BPMU_TAGGED_BY_PEBS | BPMU_TAGGED_ADDRESS)

static const struct bpmu_tagged_op stores[] = {
	{ 0x1000, KNOWN | BPMU_TAGGED_STORE, .source = BPMU_SOURCE_L1 },
	{ 0x1040, KNOWN | BPMU_TAGGED_STORE | BPMU_TAGGED_L1_MISS },
	{ 0x1080, KNOWN | BPMU_TAGGED_STORE },
};

TEST(stores_are_told_apart_by_whether_they_hit_the_l1)
{
	assert_string_equal(bpmu_by_op_source(&stores[0]), "[store, hit the L1]");
	assert_string_equal(bpmu_by_op_source(&stores[1]), "[store, missed the L1]");
	assert_string_equal(bpmu_by_op_source(&stores[2]), "[store]");
}

TEST(sums_of_loads_leave_out_stores)
{
	const struct bpmu_tagged_op load = {
		0x2000, KNOWN | BPMU_TAGGED_LOAD | BPMU_TAGGED_L1_MISS, 20, BPMU_SOURCE_L2
	};
	struct bpmu_by_ops sums = { 0 };
	unsigned int i;

	for (i = 0; i < 3; i++)
		bpmu_by_ops_add(&sums, &stores[i]);
	assert_int_equal(sums.stores, 3);
	assert_int_equal(sums.missed_l1, 0);
	assert_int_equal(sums.source[BPMU_SOURCE_L1], 0);
	bpmu_by_ops_add(&sums, &load);
	assert_int_equal(sums.missed_l1, 1);
	assert_int_equal(sums.source[BPMU_SOURCE_L2], 1);
}

/* perf c2c counts as hits and misses of stores what has these levels (c2c_decode_stats()). */
TEST(perf_reads_whether_stores_hit_the_l1)
{
	const u64 levels[] = {
		PERF_MEM_LVL_L1 | PERF_MEM_LVL_HIT, PERF_MEM_LVL_L1 | PERF_MEM_LVL_MISS,
		PERF_MEM_LVL_NA
	};
	union perf_mem_data_src source;
	unsigned int i;

	for (i = 0; i < 3; i++) {
		source.val = bpmu_perf_op_source(&stores[i]);
		assert_int_equal(source.mem_op, PERF_MEM_OP_STORE);
		assert_int_equal(source.mem_lvl, levels[i]);
		assert_int_equal(source.mem_dtlb, PERF_MEM_TLB_NA);
	}
}
