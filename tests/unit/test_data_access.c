// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of what precise records say of memory accesses: the codes of each core type are those of
 * Linux' tables pebs_data_source.
 */
#include <string.h>

#include <linux/barepmu.h>

#include "base/array.h"
#include "data_access.h"
#include "event/part.h"
#include "parts.h"
#include "unit.h"

#define LATENCY 0x01cd
#define STORE_SAMPLE 0x02cd
#define NEHALEM_LATENCY 0x100b
#define SMALL_LATENCY 0x05d0
#define SMALL_STORE_LATENCY 0x06d0
#define ADDRESS 0x7f0000001040

/* values of &bpmu_pmu.pebs_format of formats 1, 4 and 5 */
#define FORMAT_1 2
#define FORMAT_4 5
#define FORMAT_5 6

static struct bpmu_tagged_op decoded(const char *part, u8 format, u64 select, u64 source,
				     u64 latency)
{
	const struct bpmu_data_access access = { ADDRESS, source, latency };
	struct bpmu_tagged_op op;
	struct bpmu_pmu pmu;

	assert_int_equal(bpmu_part_named(&pmu, part, NULL), 0);
	pmu.pebs_format = format;
	bpmu_data_access_decode(&pmu, select, &access, &op);
	assert_int_equal(op.pad, 0);
	assert_int_equal(op.retire, 0);
	assert_true(op.flags & BPMU_TAGGED_BY_PEBS);
	return op;
}

static enum bpmu_data_access_kind kind(const char *part, u64 select)
{
	struct bpmu_pmu pmu;

	assert_int_equal(bpmu_part_named(&pmu, part, NULL), 0);
	return bpmu_data_access_kind(pmu.part, select);
}

TEST(events_say_what_their_records_have)
{
	assert_int_equal(kind("spr", 0x101cd), BPMU_DATA_ACCESS_LOAD_LATENCY);
	assert_int_equal(kind("spr", STORE_SAMPLE), BPMU_DATA_ACCESS_STORE_LATENCY);
	assert_int_equal(kind("spr", SMALL_LATENCY), BPMU_DATA_ACCESS_LOAD);
	assert_int_equal(kind("adl-e", SMALL_LATENCY), BPMU_DATA_ACCESS_LOAD_LATENCY);
	assert_int_equal(kind("mtl-e", SMALL_STORE_LATENCY), BPMU_DATA_ACCESS_STORE_LATENCY);
	assert_int_equal(kind("adl-e", LATENCY), BPMU_DATA_ACCESS_NONE);
	assert_int_equal(kind("icl", 0x81d0), BPMU_DATA_ACCESS_LOAD);
	assert_int_equal(kind("icl", 0x82d0), BPMU_DATA_ACCESS_STORE);
	assert_int_equal(kind("icl", 0x83d0), BPMU_DATA_ACCESS_ANY);
	assert_int_equal(kind("icl", 0x80d0), BPMU_DATA_ACCESS_NONE);
	assert_int_equal(kind("icl", 0x01d1), BPMU_DATA_ACCESS_LOAD);
	assert_int_equal(kind("icl", 0x01d4), BPMU_DATA_ACCESS_LOAD);
	assert_int_equal(kind("icl", 0x01d5), BPMU_DATA_ACCESS_NONE);
	assert_int_equal(kind("icl", 0x00c0), BPMU_DATA_ACCESS_NONE);
	assert_int_equal(kind("skl", 0x82d0), BPMU_DATA_ACCESS_STORE);
	assert_int_equal(kind("hsw", 0x81d0), BPMU_DATA_ACCESS_LOAD);
	assert_int_equal(kind("bdx", 0x01d1), BPMU_DATA_ACCESS_LOAD);
	assert_int_equal(kind("ivb", LATENCY), BPMU_DATA_ACCESS_LOAD_LATENCY);
	assert_int_equal(kind("nhm", NEHALEM_LATENCY), BPMU_DATA_ACCESS_LOAD_LATENCY);
	assert_int_equal(kind("wsm-ex", NEHALEM_LATENCY), BPMU_DATA_ACCESS_LOAD_LATENCY);
	assert_int_equal(kind("ivb", NEHALEM_LATENCY), BPMU_DATA_ACCESS_NONE);
	/* Their other records have no address. */
	assert_int_equal(kind("nhm", LATENCY), BPMU_DATA_ACCESS_NONE);
	assert_int_equal(kind("wsm", 0x010b), BPMU_DATA_ACCESS_NONE);
	assert_int_equal(kind("ivb", 0x81d0), BPMU_DATA_ACCESS_NONE);
	assert_int_equal(kind("snb", STORE_SAMPLE), BPMU_DATA_ACCESS_PRECISE_STORE);
	assert_int_equal(kind("ivt", STORE_SAMPLE), BPMU_DATA_ACCESS_PRECISE_STORE);
	/* It is not known how these code them, or the module does not read it. */
	assert_int_equal(kind("tnt", 0x81d0), BPMU_DATA_ACCESS_NONE);
	assert_int_equal(kind("dmr", LATENCY), BPMU_DATA_ACCESS_NONE);
}

static bool is_word_of(const char *list, const char *word)
{
	size_t length = strlen(word);

	for (; list; list = strchr(list, ' ') ? strchr(list, ' ') + 1 : NULL)
		if (!strncmp(list, word, length) && strchr(" ", list[length]))
			return true;
	return false;
}

/*
 * Linux, arch/x86/events/intel/core.c, intel_pmu_init(): which tables of pebs_data_source each CPU
 * model gets. Those that are not listed have none here.
 */
TEST(parts_have_their_codes_of_data_sources)
{
	static const struct {
		enum bpmu_data_source source;
		const char *parts;
	} sources[] = {
		{ BPMU_DATA_SOURCE_NHM, "nhm nhm-ex wsm wsm-ep wsm-ex" },
		{ BPMU_DATA_SOURCE_SNB, "snb jkt ivb ivt" },
		{ BPMU_DATA_SOURCE_HSW, "hsw hsx bdw bdx" },
		{ BPMU_DATA_SOURCE_SKL, "skl icl tgl rkl adl mtl" },
		{ BPMU_DATA_SOURCE_SKX, "skx icx spr emr gnr" },
		{ BPMU_DATA_SOURCE_GRT, "adl-e" },
		{ BPMU_DATA_SOURCE_CMT, "mtl-e arl-e arl-lp lnl-e srf grr" },
		{ BPMU_DATA_SOURCE_LNC, "arl lnl" },
	};
	const struct bpmu_part *part;
	unsigned int i, k;

	for (i = 0; (part = bpmu_part_at(i)); i++) {
		for (k = 0; k < ARRAY_SIZE(sources); k++)
			if (is_word_of(sources[k].parts, part->name))
				break;
		if (part->data_source != (k < ARRAY_SIZE(sources) ? sources[k].source :
					  BPMU_DATA_SOURCE_UNKNOWN))
			fail_msg("%s", part->name);
	}
}

TEST(some_parts_need_an_auxiliary_event)
{
	static const struct {
		const char *part;
		u64 select;
		bool needs;
	} cases[] = {
		{ "spr", LATENCY, true }, { "emr", LATENCY, true }, { "adl", LATENCY, true },
		{ "spr", 0x81d0, false }, { "gnr", LATENCY, false }, { "mtl", LATENCY, false },
		{ "icl", LATENCY, false }, { "lnl", LATENCY, false },
		{ "adl-e", SMALL_LATENCY, false },
	};
	struct bpmu_pmu pmu;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_int_equal(bpmu_part_named(&pmu, cases[i].part, NULL), 0);
		assert_int_equal(!!bpmu_data_access_needs_aux(pmu.part, cases[i].select),
				 cases[i].needs);
	}
	assert_true(bpmu_data_access_is_aux(0x538203));
	assert_false(bpmu_data_access_is_aux(0x530203));
}

TEST(each_core_type_codes_where_a_load_found_its_data)
{
	const u32 miss = BPMU_TAGGED_L1_MISS, hitm = miss | BPMU_TAGGED_MODIFIED;
	const struct {
		const char *part;
		u64 select;
		unsigned int code;
		u16 source;
		u32 flags;
	} cases[] = {
		{ "ivb", LATENCY, 0, BPMU_SOURCE_UNKNOWN, miss },
		{ "jkt", LATENCY, 2, BPMU_SOURCE_FILL_BUFFER, miss },
		{ "snb", LATENCY, 8, BPMU_SOURCE_REMOTE_CACHE, miss },
		{ "hsw", LATENCY, 9, BPMU_SOURCE_REMOTE_CACHE, hitm },
		{ "bdx", LATENCY, 0xa, BPMU_SOURCE_MEMORY, miss },
		{ "hsx", LATENCY, 0xb, BPMU_SOURCE_REMOTE_MEMORY, miss },
		{ "ivt", LATENCY, 0xc, BPMU_SOURCE_MEMORY, miss },
		{ "bdw", LATENCY, 0xd, BPMU_SOURCE_REMOTE_MEMORY, miss },
		{ "bdw", LATENCY, 0xe, BPMU_SOURCE_IO, 0 },
		{ "skl", LATENCY, 8, BPMU_SOURCE_MEMORY_CACHE, miss },
		{ "skx", LATENCY, 9, BPMU_SOURCE_PERSISTENT, miss },
		{ "skl", LATENCY, 0xc, BPMU_SOURCE_REMOTE_CACHE, miss },
		{ "spr", LATENCY, 0, BPMU_SOURCE_UNKNOWN, miss },
		{ "spr", LATENCY, 1, BPMU_SOURCE_L1, 0 },
		{ "spr", LATENCY, 2, BPMU_SOURCE_FILL_BUFFER, miss },
		{ "spr", LATENCY, 3, BPMU_SOURCE_L2, miss },
		{ "spr", LATENCY, 4, BPMU_SOURCE_L3, miss },
		{ "spr", LATENCY, 6, BPMU_SOURCE_L3, miss },
		{ "spr", LATENCY, 7, BPMU_SOURCE_L3, hitm },
		{ "spr", LATENCY, 8, BPMU_SOURCE_PERSISTENT, miss },
		{ "adl", LATENCY, 9, BPMU_SOURCE_MEMORY_CACHE, miss },
		{ "spr", LATENCY, 0xa, BPMU_SOURCE_MEMORY, miss },
		{ "spr", LATENCY, 0xb, BPMU_SOURCE_REMOTE_MEMORY, miss },
		{ "spr", LATENCY, 0xc, BPMU_SOURCE_REMOTE_CACHE, miss },
		{ "spr", LATENCY, 0xd, BPMU_SOURCE_REMOTE_CACHE, hitm },
		{ "spr", LATENCY, 0xe, BPMU_SOURCE_IO, 0 },
		{ "spr", LATENCY, 0xf, BPMU_SOURCE_UNKNOWN, 0 },
		{ "adl-e", SMALL_LATENCY, 5, BPMU_SOURCE_L3, miss },
		{ "adl-e", SMALL_LATENCY, 6, BPMU_SOURCE_L3, hitm },
		{ "adl-e", SMALL_LATENCY, 8, BPMU_SOURCE_L3, miss },
		{ "adl-e", SMALL_LATENCY, 0xc, BPMU_SOURCE_MEMORY, miss },
		{ "mtl-e", SMALL_LATENCY, 7, BPMU_SOURCE_L3, miss },
		{ "mtl-e", SMALL_LATENCY, 8, BPMU_SOURCE_L3, hitm },
		{ "mtl-e", SMALL_LATENCY, 0xd, BPMU_SOURCE_REMOTE_CACHE, hitm },
		{ "lnl-e", SMALL_LATENCY, 0x10, BPMU_SOURCE_UNKNOWN, 0 },
		{ "lnl", LATENCY, 2, BPMU_SOURCE_L1, 0 },
		{ "lnl", LATENCY, 3, BPMU_SOURCE_FILL_BUFFER, miss },
		{ "lnl", LATENCY, 5, BPMU_SOURCE_L2, miss },
		{ "lnl", LATENCY, 6, BPMU_SOURCE_FILL_BUFFER, miss },
		{ "lnl", LATENCY, 8, BPMU_SOURCE_L3, miss },
		{ "lnl", LATENCY, 0xd, BPMU_SOURCE_L3, hitm },
		{ "lnl", LATENCY, 0xf, BPMU_SOURCE_UNKNOWN, hitm },
		{ "lnl", LATENCY, 0x10, BPMU_SOURCE_MEMORY_CACHE, miss },
		{ "lnl", LATENCY, 0x11, BPMU_SOURCE_MEMORY, miss },
		{ "lnl", LATENCY, 0x12, BPMU_SOURCE_UNKNOWN, 0 },
	};
	const u32 also = BPMU_TAGGED_BY_PEBS | BPMU_TAGGED_TLBS | BPMU_TAGGED_ADDRESS |
			 BPMU_TAGGED_LOAD;
	struct bpmu_tagged_op op;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		op = decoded(cases[i].part, FORMAT_5, cases[i].select, cases[i].code, 0);
		assert_int_equal(op.source, cases[i].source);
		assert_int_equal(op.flags, cases[i].flags | also);
		assert_true(op.address == ADDRESS);
	}
}

TEST(bits_beside_the_source_say_what_delayed_the_access)
{
	const u32 tlb = BPMU_TAGGED_TLB2_MISS, lock = BPMU_TAGGED_LOCKED;
	const u32 data = BPMU_TAGGED_DATA_BLOCKED, address = BPMU_TAGGED_ADDRESS_BLOCKED;
	const u32 all = tlb | lock | data | address;
	const struct {
		const char *part;
		u8 format;
		u64 select;
		unsigned int bit;
		u32 flag;
	} cases[] = {
		{ "spr", FORMAT_5, LATENCY, 4, tlb }, { "spr", FORMAT_5, LATENCY, 5, lock },
		{ "spr", FORMAT_5, LATENCY, 6, data }, { "spr", FORMAT_5, LATENCY, 7, address },
		{ "icl", FORMAT_4, LATENCY, 4, tlb }, { "icl", FORMAT_4, LATENCY, 6, 0 },
		{ "icl", FORMAT_4, LATENCY, 7, 0 },
		{ "adl-e", FORMAT_5, SMALL_LATENCY, 4, lock },
		{ "adl-e", FORMAT_5, SMALL_LATENCY, 5, tlb },
		{ "adl-e", FORMAT_5, SMALL_LATENCY, 6, data },
		{ "adl-e", FORMAT_5, SMALL_LATENCY, 7, 0 },
		{ "mtl-e", FORMAT_5, SMALL_LATENCY, 5, lock },
		{ "mtl-e", FORMAT_5, SMALL_LATENCY, 6, tlb },
		{ "mtl-e", FORMAT_5, SMALL_LATENCY, 7, data },
		{ "lnl", FORMAT_5, LATENCY, 10, tlb }, { "lnl", FORMAT_5, LATENCY, 11, lock },
		{ "lnl", FORMAT_5, LATENCY, 12, data }, { "lnl", FORMAT_5, LATENCY, 13, address },
		{ "spr", FORMAT_5, STORE_SAMPLE, 4, tlb },
		{ "spr", FORMAT_5, STORE_SAMPLE, 5, lock },
		{ "spr", FORMAT_5, STORE_SAMPLE, 6, 0 },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(decoded(cases[i].part, cases[i].format, cases[i].select,
					 1 | 1 << cases[i].bit, 0).flags & all, cases[i].flag);
}

TEST(formats_from_5_on_have_two_latencies)
{
	struct bpmu_tagged_op op = decoded("spr", FORMAT_5, LATENCY, 3,
					   7ull << 48 | 280ull << 32 | 9 << 16 | 300);

	assert_int_equal(op.cycles, 300);
	assert_int_equal(op.latency, 280);
	op = decoded("icl", FORMAT_4, LATENCY, 3, 280ull << 32 | 300);
	assert_int_equal(op.cycles, 0);
	assert_int_equal(op.latency, 300);
	op = decoded("icl", FORMAT_4, LATENCY, 3, 70000);
	assert_int_equal(op.latency, 65535);
}

TEST(other_events_tell_the_address_only)
{
	struct bpmu_tagged_op op = decoded("spr", FORMAT_5, 0x81d0, 0x37, 300);

	assert_int_equal(op.flags, BPMU_TAGGED_BY_PEBS | BPMU_TAGGED_ADDRESS | BPMU_TAGGED_LOAD);
	assert_int_equal(op.source | op.latency | op.cycles, 0);
	op = decoded("adl-e", FORMAT_5, 0x82d0, 0x37, 300);
	assert_int_equal(op.flags, BPMU_TAGGED_BY_PEBS | BPMU_TAGGED_ADDRESS | BPMU_TAGGED_STORE);
	assert_int_equal(op.source | op.latency | op.cycles, 0);
	op = decoded("spr", FORMAT_5, 0x83d0, 0x37, 300);
	assert_int_equal(op.flags, BPMU_TAGGED_BY_PEBS | BPMU_TAGGED_ADDRESS);
	op = decoded("spr", FORMAT_5, STORE_SAMPLE, 1, 12);
	assert_int_equal(op.flags, BPMU_TAGGED_BY_PEBS | BPMU_TAGGED_TLBS | BPMU_TAGGED_ADDRESS |
				   BPMU_TAGGED_STORE);
	assert_int_equal(op.cycles, 12);
	assert_int_equal(op.source, BPMU_SOURCE_UNKNOWN);
}

TEST(stores_of_performance_cores_tell_whether_they_hit_the_l1)
{
	static const char *const parts[] = { "hsw", "bdx", "skl", "skx", "icl", "spr", "lnl" };
	const u32 store = BPMU_TAGGED_BY_PEBS | BPMU_TAGGED_ADDRESS | BPMU_TAGGED_STORE;
	struct bpmu_tagged_op op;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(parts); i++) {
		op = decoded(parts[i], FORMAT_4, 0x82d0, 0x37, 300);
		assert_int_equal(op.flags, store);
		assert_int_equal(op.source, BPMU_SOURCE_L1);
		assert_int_equal(op.latency | op.cycles, 0);
		op = decoded(parts[i], FORMAT_4, 0x82d0, 0x36, 300);
		assert_int_equal(op.flags, store | BPMU_TAGGED_L1_MISS);
		assert_int_equal(op.source, BPMU_SOURCE_UNKNOWN);
	}
}

TEST(nehalem_tells_the_source_but_neither_of_tlbs_nor_of_locks)
{
	const u32 load = BPMU_TAGGED_BY_PEBS | BPMU_TAGGED_ADDRESS | BPMU_TAGGED_LOAD;
	const u32 miss = load | BPMU_TAGGED_L1_MISS;
	const u32 hitm = miss | BPMU_TAGGED_MODIFIED;
	const struct {
		const char *part;
		u64 word;
		u16 source;
		u32 flags;
	} cases[] = {
		{ "nhm", 0, BPMU_SOURCE_UNKNOWN, miss }, { "wsm", 1, BPMU_SOURCE_L1, load },
		{ "nhm", 0x33, BPMU_SOURCE_L2, miss }, { "nhm", 5, BPMU_SOURCE_L3, miss },
		{ "wsm", 6, BPMU_SOURCE_L3, hitm }, { "wsm-ep", 8, BPMU_SOURCE_REMOTE_CACHE, miss },
		{ "wsm-ex", 0xc, BPMU_SOURCE_MEMORY, miss },
		{ "nhm-ex", 0xd, BPMU_SOURCE_REMOTE_MEMORY, miss },
	};
	struct bpmu_tagged_op op;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		op = decoded(cases[i].part, FORMAT_1, NEHALEM_LATENCY, cases[i].word, 40);
		assert_int_equal(op.address, ADDRESS);
		assert_int_equal(op.flags, cases[i].flags);
		assert_int_equal(op.source, cases[i].source);
		assert_int_equal(op.latency, 40);
	}
}

TEST(precise_stores_tell_of_the_l1_the_tlbs_and_locks)
{
	const u32 store = BPMU_TAGGED_BY_PEBS | BPMU_TAGGED_ADDRESS | BPMU_TAGGED_STORE |
			  BPMU_TAGGED_TLBS;
	struct bpmu_tagged_op op = decoded("ivb", FORMAT_1, STORE_SAMPLE, 1, 300);

	assert_int_equal(op.address, ADDRESS);
	assert_int_equal(op.flags, store);
	assert_int_equal(op.source, BPMU_SOURCE_L1);
	assert_int_equal(op.latency | op.cycles, 0);
	op = decoded("snb", FORMAT_1, STORE_SAMPLE, 0x10, 0);
	assert_int_equal(op.flags, store | BPMU_TAGGED_L1_MISS | BPMU_TAGGED_TLB2_MISS);
	assert_int_equal(op.source, BPMU_SOURCE_UNKNOWN);
	op = decoded("jkt", FORMAT_1, STORE_SAMPLE, 0x21, 0);
	assert_int_equal(op.flags, store | BPMU_TAGGED_LOCKED);
	assert_int_equal(op.source, BPMU_SOURCE_L1);
}

TEST(the_load_latency_is_on_the_counters_that_linux_lets_have_it)
{
	static const struct {
		const char *part;
		u64 select;
		u64 counters;
	} cases[] = {
		{ "nhm", NEHALEM_LATENCY, 8 }, { "wsm-ep", NEHALEM_LATENCY, 8 },
		{ "snb", LATENCY, 8 }, { "ivt", LATENCY, 8 }, { "hsw", LATENCY, 8 },
		{ "bdx", LATENCY, 8 }, { "skl", LATENCY, 0xf }, { "skx", LATENCY, 0xf },
		{ "icl", LATENCY, 0xff }, { "spr", LATENCY, 0xfe }, { "gnr", LATENCY, 0xfe },
		{ "adl", LATENCY, 0xfe }, { "lnl", LATENCY, 0x3fc }, { "adl-e", SMALL_LATENCY, 3 },
		{ "srf", SMALL_LATENCY, 3 },
	};
	const struct bpmu_extra *extra;
	struct bpmu_pmu pmu;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_int_equal(bpmu_part_named(&pmu, cases[i].part, NULL), 0);
		extra = bpmu_extra_of(pmu.part, cases[i].select);
		assert_non_null(extra);
		assert_int_equal(extra->counters, cases[i].counters);
		assert_string_equal(bpmu_extra_name(extra->id), "ldlat");
	}
}
