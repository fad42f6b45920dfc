// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of AMD's instruction-based sampling (IBS): its registers are encoded and decoded as in
 * Linux, asm/amd/ibs.h and arch/x86/events/amd/ibs.c, and its events are written as in perf.
 */
#include <errno.h>
#include <string.h>

#include <linux/barepmu.h>

#include "event/event.h"
#include "event/event_ibs.h"
#include "ibs.h"
#include "intel.h"
#include "source/precise.h"
#include "unit.h"

/* EAX of CPUID leaf 8000001BH: the virtual Zen 2, Zen 4, Zen 5 and Zen 6, and family 10h */
#define ZEN2 0x3ff
#define ZEN4 0xbff
#define ZEN5 0x1bff
#define ZEN6 0x1fbff
#define FAM10H 0x17

#define BOTH (BPMU_SEL_USR | BPMU_SEL_OS)

TEST(ibs_is_usable_if_its_count_of_ops_can_be_written)
{
	assert_int_equal(bpmu_ibs_usable(0x19, ZEN4), ZEN4);
	assert_int_equal(bpmu_ibs_usable(0x19, ZEN4 & ~1), 0);
	assert_int_equal(bpmu_ibs_usable(0x19, ZEN4 & ~4), 0);
	assert_int_equal(bpmu_ibs_usable(0x15, FAM10H & ~8), 0);
	assert_int_equal(bpmu_ibs_usable(0x19, 0), 0);
}

/* Erratum 420 of family 10h */
TEST(ibs_that_cannot_be_stopped_safely_is_not_used)
{
	assert_int_equal(bpmu_ibs_usable(0x10, ZEN2), 0);
	assert_int_equal(bpmu_ibs_usable(0x1a, ZEN5), ZEN5);
	assert_int_equal(bpmu_ibs_usable(0x1a, ZEN6), ZEN6);
}

TEST(filters_are_legal_where_the_part_has_them)
{
	assert_int_equal(bpmu_ibs_legal(ZEN2), BOTH | 1);
	assert_int_equal(bpmu_ibs_legal(ZEN4), BOTH | 3);
	assert_int_equal(bpmu_ibs_legal(ZEN5), BOTH | 3 | 0x1f00);
	assert_int_equal(bpmu_ibs_legal(ZEN6), BOTH | 7 | 0x1f00);
	/* The register has no bits of them if CPUID lacks them, and they have no register without it. */
	assert_int_equal(bpmu_ibs_legal(ZEN6 & ~(1 << 16)), BOTH | 3 | 0x1f00);
	assert_int_equal(bpmu_ibs_legal(ZEN6 & ~(1 << 13)), BOTH | 3 | 0x1f00);
	assert_int_equal(bpmu_ibs_fetch_legal(ZEN6), BOTH | 3 | 0xf00);
	assert_int_equal(bpmu_ibs_fetch_legal(ZEN6 & ~(1 << 14)), BOTH | 3);
	assert_int_equal(bpmu_ibs_fetch_legal(ZEN6 & ~(1 << 13)), BOTH | 3);
	assert_true(bpmu_ibs_is_latency(16 << 8));
	assert_false(bpmu_ibs_is_latency(17 << 8));
}

/* IBS_OP_CTL: bit 19: ops, 16: L3 misses, 63 and 62:59: latency, 15:0 and 26:20: maximum */
TEST(the_control_register_has_what_the_event_asks_for)
{
	assert_true(bpmu_ibs_ctl(BOTH) == 0);
	assert_true(bpmu_ibs_ctl(BOTH | 1) == 1ull << 19);
	assert_true(bpmu_ibs_ctl(BOTH | 2) == 1ull << 16);
	assert_true(bpmu_ibs_ctl(BOTH | 3 << 8) == (1ull << 63 | 2ull << 59 | 1ull << 16));
	assert_true(bpmu_ibs_ctl(16 << 8) == (1ull << 63 | 15ull << 59 | 1ull << 16));
	assert_true(bpmu_ibs_max(0x1230) == 0x123);
	assert_true(bpmu_ibs_max(0x7fffff0) == 0x7f0ffff);
	assert_true(bpmu_ibs_longest(ZEN4) == 0x7fffff0);
	assert_true(bpmu_ibs_longest(ZEN4 & ~0x40) == 0xffff0);
}

/* Linux, perf_event.h: IBS_OP_2_STRM_ST_FILTER is bit 3, IBS_FETCH_2_FETCHLAT_FILTER bits 4:1 */
TEST(the_second_control_register_has_filters_and_is_on)
{
	assert_true(bpmu_ibs_ctl2(BOTH | 3 | 0x1f00) == 0);
	assert_true(bpmu_ibs_ctl2(BOTH | 4) == 8);
	assert_true(bpmu_ibs_fetch_ctl2(BOTH | 3) == 0);
	assert_true(bpmu_ibs_fetch_ctl2(BOTH | 1 << 8) == 2);
	assert_true(bpmu_ibs_fetch_ctl2(BOTH | 15 << 8) == 30);
}

static struct bpmu_tagged_op decoded(u32 caps, u64 data, u64 data2, u64 data3)
{
	const struct bpmu_ibs_sample sample = {
		.rip = 0x401000, .data = data, .data2 = data2, .data3 = data3, .linear = 0x7000,
	};
	struct bpmu_tagged_op op;

	bpmu_ibs_decode(caps, 0, &sample, &op);
	return op;
}

#define LOAD 1ull
#define DC_MISS (1ull << 7)
#define UNCACHED (1ull << 14)
#define LINEAR (1ull << 17)
#define L2_MISS (1ull << 20)
#define LATENCY(n) ((u64)(n) << 32)

TEST(an_op_without_memory_has_its_cycles)
{
	struct bpmu_tagged_op op = decoded(ZEN4, 12 << 16 | 7, 3, 0);

	assert_int_equal(op.cycles, 12);
	assert_int_equal(op.retire, 7);
	assert_int_equal(op.flags, 0);
	assert_int_equal(op.source, BPMU_SOURCE_UNKNOWN);
	assert_true(op.address == 0);
}

TEST(a_branch_says_what_became_of_it)
{
	u64 branch = 1ull << 37, taken = 1ull << 35, wrong = 1ull << 36, returns = 1ull << 34;

	assert_int_equal(decoded(ZEN4, branch, 0, 0).flags, BPMU_TAGGED_BRANCH);
	assert_int_equal(decoded(ZEN4, branch | taken | wrong, 0, 0).flags,
			 BPMU_TAGGED_BRANCH | BPMU_TAGGED_TAKEN | BPMU_TAGGED_MISPREDICTED);
	assert_int_equal(decoded(ZEN4, branch | returns, 0, 0).flags,
			 BPMU_TAGGED_BRANCH | BPMU_TAGGED_RETURN);
	assert_int_equal(decoded(ZEN4, taken | wrong | returns, 0, 0).flags, 0);
}

TEST(an_address_that_is_invalid_is_told)
{
	const struct bpmu_ibs_sample invalid = { .data = 1ull << 38 };

	assert_int_equal(decoded(ZEN4, 1ull << 38, 0, 0).flags, BPMU_TAGGED_INEXACT);
	assert_false(bpmu_ibs_has_rip(ZEN4, &invalid));
	assert_true(bpmu_ibs_has_rip(ZEN4 & ~0x80, &invalid));
	assert_int_equal(decoded(ZEN4 & ~0x80, 1ull << 38, 0, 0).flags, 0);
}

TEST(a_load_says_where_it_found_its_data)
{
	const u64 miss = LOAD | LINEAR | DC_MISS | LATENCY(300), far = miss | L2_MISS;
	const struct {
		u32 caps;
		u64 data2, data3;
		u16 source, latency;
	} cases[] = {
		{ ZEN4, 3, LOAD | LINEAR | LATENCY(5), BPMU_SOURCE_L1, 0 },
		{ ZEN4, 3, miss, BPMU_SOURCE_L2, 300 },
		{ ZEN4, 0, far, BPMU_SOURCE_UNKNOWN, 300 },
		{ ZEN4, 1, far, BPMU_SOURCE_L3, 300 },
		{ ZEN4, 2, far, BPMU_SOURCE_NEAR_CACHE, 300 },
		{ ZEN4, 3, far, BPMU_SOURCE_MEMORY, 300 },
		{ ZEN4, 3 | 1 << 4, far, BPMU_SOURCE_REMOTE_MEMORY, 300 },
		{ ZEN4, 5, far, BPMU_SOURCE_REMOTE_CACHE, 300 },
		{ ZEN4, 6, far, BPMU_SOURCE_PERSISTENT, 300 },
		{ ZEN4, 7, far, BPMU_SOURCE_IO, 300 },
		{ ZEN4, 1 << 6, far, BPMU_SOURCE_EXTENSION, 300 },
		{ ZEN4, 1 << 6 | 4, far, BPMU_SOURCE_PEER, 300 },
		{ ZEN2, 2, far, BPMU_SOURCE_L3, 300 },
		{ ZEN2, 3, far, BPMU_SOURCE_MEMORY, 300 },
		{ ZEN2, 3 | 1 << 4, far, BPMU_SOURCE_REMOTE_MEMORY, 300 },
		{ ZEN2, 4, far, BPMU_SOURCE_REMOTE_CACHE, 300 },
		{ ZEN2, 7, far, BPMU_SOURCE_IO, 300 },
		{ ZEN2, 1, far, BPMU_SOURCE_UNKNOWN, 300 },
		{ ZEN4, 3, far | UNCACHED, BPMU_SOURCE_UNKNOWN, 0 },
		{ ZEN4, 0, LOAD | LINEAR | UNCACHED, BPMU_SOURCE_UNKNOWN, 0 },
		{ ZEN4, 7, far | UNCACHED, BPMU_SOURCE_IO, 0 },
		{ ZEN2, 7, LOAD | LINEAR | UNCACHED, BPMU_SOURCE_IO, 0 },
		{ ZEN4, 7, (far & ~LOAD) | UNCACHED, BPMU_SOURCE_UNKNOWN, 0 },
		{ ZEN4, 3, far & ~LOAD, BPMU_SOURCE_UNKNOWN, 0 },
	};
	unsigned int i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct bpmu_tagged_op op = decoded(cases[i].caps, 0, cases[i].data2,
						   cases[i].data3);

		assert_int_equal(op.source, cases[i].source);
		assert_int_equal(op.latency, cases[i].latency);
		/* Each load of the table that missed has a latency. */
		assert_int_equal(!!(op.flags & BPMU_TAGGED_L1_MISS), op.latency > 0);
		assert_true(op.address == 0x7000);
	}
	assert_true(decoded(ZEN4, 0, 3, far & ~LINEAR).address == 0);
	assert_int_equal(decoded(ZEN4, 0, 0, LINEAR | 2 | 1 << 2 | 1 << 3 | 1 << 15).flags,
			 BPMU_TAGGED_STORE | BPMU_TAGGED_ADDRESS | BPMU_TAGGED_TLB_MISS |
			 BPMU_TAGGED_TLB2_MISS | BPMU_TAGGED_LOCKED);
}

TEST(models_00h_to_0fh_of_zen_3_have_erratum_1293)
{
	assert_true(bpmu_ibs_has_1293(0x19, 0x01));
	assert_true(bpmu_ibs_has_1293(0x19, 0x0f));
	assert_false(bpmu_ibs_has_1293(0x19, 0x10));
	assert_false(bpmu_ibs_has_1293(0x19, 0x21));
	assert_false(bpmu_ibs_has_1293(0x17, 0x01));
}

/* IBS_OP_DATA3: bit 21: software prefetch, bit 16: miss without a miss address buffer */
TEST(erratum_1293_leaves_the_source_of_some_loads_unknown)
{
	const u64 near = LOAD | DC_MISS | LATENCY(300), far = near | L2_MISS;
	const u64 prefetch = 1ull << 21, no_buffer = 1ull << 16;
	const struct {
		u64 data2, data3;
		int has_1293;
		u16 source, latency;
	} cases[] = {
		{ 3, far | prefetch, 1, BPMU_SOURCE_UNKNOWN, 300 },
		{ 3, far | no_buffer, 1, BPMU_SOURCE_UNKNOWN, 300 },
		{ 3, near | no_buffer, 1, BPMU_SOURCE_UNKNOWN, 300 },
		{ 7, LOAD | UNCACHED | no_buffer, 1, BPMU_SOURCE_UNKNOWN, 0 },
		{ 3, LOAD | prefetch, 1, BPMU_SOURCE_L1, 0 },
		{ 3, near, 1, BPMU_SOURCE_L2, 300 },
		{ 3, far, 1, BPMU_SOURCE_MEMORY, 300 },
		{ 3, far | prefetch | no_buffer, 0, BPMU_SOURCE_MEMORY, 300 },
		{ 3, near | prefetch | no_buffer, 0, BPMU_SOURCE_L2, 300 },
	};
	struct bpmu_tagged_op op;
	unsigned int i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct bpmu_ibs_sample sample = {
			.data2 = cases[i].data2, .data3 = cases[i].data3,
		};

		bpmu_ibs_decode(ZEN2, cases[i].has_1293, &sample, &op);
		assert_int_equal(op.source, cases[i].source);
		assert_int_equal(op.latency, cases[i].latency);
	}
}

/* IBS_OP_DATA2: bit 5 is clear if the line was modified */
TEST(a_load_of_a_line_that_was_modified_is_told)
{
	const u64 far = LOAD | LINEAR | DC_MISS | L2_MISS;

	assert_int_not_equal(decoded(ZEN4, 0, 1, far).flags & BPMU_TAGGED_MODIFIED, 0);
	assert_int_not_equal(decoded(ZEN4, 0, 2, far).flags & BPMU_TAGGED_MODIFIED, 0);
	assert_int_not_equal(decoded(ZEN4, 0, 5, far).flags & BPMU_TAGGED_MODIFIED, 0);
	assert_int_equal(decoded(ZEN4, 0, 1 | 1 << 5, far).flags & BPMU_TAGGED_MODIFIED, 0);
	assert_int_equal(decoded(ZEN4, 0, 3, far).flags & BPMU_TAGGED_MODIFIED, 0);
	assert_int_equal(decoded(ZEN4, 0, 1, far & ~L2_MISS).flags & BPMU_TAGGED_MODIFIED, 0);
	assert_int_equal(decoded(ZEN2, 0, 2, far).flags & BPMU_TAGGED_MODIFIED, 0);
}

/* IBS_FETCH_CTL: bit 57: random, 59: L3 misses, 15:0: maximum in units of 16 */
TEST(the_control_register_of_fetches_has_what_the_event_asks_for)
{
	assert_true(bpmu_ibs_fetch_legal(ZEN2) == (BOTH | 1));
	assert_true(bpmu_ibs_fetch_legal(ZEN4) == (BOTH | 3));
	assert_true(bpmu_ibs_fetch_ctl(BOTH) == 0);
	assert_true(bpmu_ibs_fetch_ctl(BOTH | 1) == 1ull << 57);
	assert_true(bpmu_ibs_fetch_ctl(BOTH | 2) == 1ull << 59);
	assert_true(bpmu_ibs_fetch_max(0x1230) == 0x123);
	assert_true(bpmu_ibs_fetch_max(BPMU_IBS_FETCH_LONGEST) == 0xffff);
	assert_int_equal(BPMU_IBS_FETCH_COUNT(0x1230abcull << 16 | 0xffff), 0xabc0);
}

static struct bpmu_fetched fetched(u32 caps, u64 ctl, u64 ext)
{
	const struct bpmu_ibs_fetch sample = { .ctl = ctl, .linear = 0x401000, .ext = ext };
	struct bpmu_fetched result;

	bpmu_ibs_fetch_decode(caps, &sample, &result);
	return result;
}

/* IBS_FETCH_CTL: bit 50: complete, 52: physical address, 54:53: page, 47:32: latency */
TEST(a_fetch_that_hits_has_little)
{
	const u64 complete = 1ull << 50, physical = 1ull << 52;

	assert_int_equal(fetched(ZEN2 & ~0x200, complete, 7).flags, BPMU_FETCHED_COMPLETE);
	assert_int_equal(fetched(ZEN2 & ~0x200, complete, 7).refill, 0);
	assert_int_equal(fetched(ZEN2, 0, 0).flags, BPMU_FETCHED_REFILL);
	assert_int_equal(fetched(ZEN4, 0, 0).flags, BPMU_FETCHED_REFILL | BPMU_FETCHED_ZEN4);
	assert_int_equal(fetched(ZEN4, 0x1234ull << 32, 0).latency, 0x1234);
	assert_int_equal(fetched(ZEN4, 0, 0x50077).refill, 0x77);
	assert_int_equal(fetched(ZEN4, physical, 0).page, 4096);
	assert_int_equal(fetched(ZEN4, physical | 1ull << 53, 0).page, 2 << 20);
	assert_int_equal(fetched(ZEN4, physical | 2ull << 53, 0).page, 1 << 30);
	assert_int_equal(fetched(ZEN4, physical | 3ull << 53, 0).page, 0);
	assert_int_equal(fetched(ZEN4, 1ull << 53, 0).page, 0);
}

TEST(each_miss_of_a_fetch_has_its_flag)
{
	static const struct {
		unsigned int bit;
		u32 flag;
		bool zen4;
	} misses[] = {
		{ 51, BPMU_FETCHED_L1_MISS }, { 55, BPMU_FETCHED_TLB_MISS },
		{ 56, BPMU_FETCHED_TLB2_MISS }, { 58, BPMU_FETCHED_L2_MISS },
		{ 60, BPMU_FETCHED_UOP_CACHE_MISS, true }, { 61, BPMU_FETCHED_L3_MISS, true },
	};
	unsigned int i;

	for (i = 0; i < sizeof(misses) / sizeof(*misses); i++) {
		assert_int_equal(fetched(ZEN4, 1ull << misses[i].bit, 0).flags,
				 misses[i].flag | BPMU_FETCHED_REFILL | BPMU_FETCHED_ZEN4);
		assert_int_equal(fetched(ZEN2, 1ull << misses[i].bit, 0).flags,
				 (misses[i].zen4 ? 0 : misses[i].flag) | BPMU_FETCHED_REFILL);
	}
}

TEST(models_00h_to_0fh_of_zen_3_have_erratum_1197)
{
	assert_true(bpmu_ibs_has_1197(0x19, 0x01));
	assert_true(bpmu_ibs_has_1197(0x19, 0x0f));
	assert_false(bpmu_ibs_has_1197(0x19, 0x10));
	assert_false(bpmu_ibs_has_1197(0x17, 0x01));
	assert_false(bpmu_ibs_has_1197(0x1a, 0x01));
}

TEST(fetches_have_a_counter_where_ibs_samples_them)
{
	struct bpmu_pmu pmu = unit_pmu("zen4", 6);

	pmu.ibs = ZEN4;
	assert_true(bpmu_pmu_counters(&pmu) >> BPMU_COUNTER_IBS_FETCH & 1);
	assert_int_equal(bpmu_pmu_width(&pmu, BPMU_COUNTER_IBS_FETCH), BPMU_IBS_WIDTH);
	assert_true(bpmu_select_illegal(&pmu, BPMU_COUNTER_IBS_FETCH, BOTH | 7) == 4);
	pmu.ibs &= ~2;
	assert_false(bpmu_pmu_counters(&pmu) >> BPMU_COUNTER_IBS_FETCH & 1);
	assert_true(bpmu_pmu_counters(&pmu) >> BPMU_COUNTER_IBS_OP & 1);
}

static struct bpmu_error err;

static struct bpmu_pmu zen(u32 caps)
{
	struct bpmu_pmu pmu = unit_pmu(caps == ZEN2 ? "zen2" : "zen4", 6);

	pmu.ibs = caps;
	return pmu;
}

static u64 select_of(const char *text)
{
	struct bpmu_pmu pmu = zen(ZEN5);
	struct bpmu_event_spec spec;
	u64 select;

	if (bpmu_event_parse(&pmu, 0, text, &spec, &err))
		fail_msg("%s", err.text);
	assert_int_equal(spec.nr, 1);
	assert_true(spec.term[0].counters == 1ull << BPMU_COUNTER_IBS_OP);
	select = spec.term[0].select;
	bpmu_event_free(&spec);
	return select;
}

TEST(events_are_written_as_in_perf)
{
	assert_true(select_of("ibs_op") == BOTH);
	assert_true(select_of("IBS_OP//") == BOTH);
	assert_true(select_of(" ibs_op/cnt_ctl=1/u") == (BPMU_SEL_USR | 1));
	assert_true(select_of("ibs_op:cnt_ctl=1:kpp") == (BPMU_SEL_OS | 1));
	assert_true(select_of("ibs_op/cnt_ctl=0,l3missonly=1/") == (BOTH | 2));
	assert_true(select_of("ibs_op:ldlat=256:uk") == (BOTH | 2 << 8));
	assert_true(bpmu_event_is_precise("ibs_op"));
	assert_false(bpmu_event_is_ibs("ibs_opx"));
	assert_false(bpmu_event_is_fetch("ibs_op"));
}

static u64 select_of_fetches(const char *text)
{
	struct bpmu_pmu pmu = zen(ZEN4);
	struct bpmu_event_spec spec;
	u64 select;

	if (bpmu_event_parse(&pmu, 0, text, &spec, &err))
		fail_msg("%s", err.text);
	assert_int_equal(spec.nr, 1);
	assert_true(spec.term[0].counters == 1ull << BPMU_COUNTER_IBS_FETCH);
	select = spec.term[0].select;
	bpmu_event_free(&spec);
	return select;
}

TEST(events_of_fetches_are_written_as_in_perf)
{
	assert_true(select_of_fetches("ibs_fetch") == BOTH);
	assert_true(select_of_fetches("IBS_FETCH//u") == BPMU_SEL_USR);
	assert_true(select_of_fetches("ibs_fetch/rand_en=1,l3missonly=1/") == (BOTH | 3));
	assert_true(select_of_fetches("ibs_fetch:rand_en=0:l3missonly=0:kp") == BPMU_SEL_OS);
	assert_true(bpmu_event_is_precise("ibs_fetch/rand_en=1/"));
	assert_true(bpmu_event_is_ibs("ibs_fetch"));
	assert_string_equal(bpmu_event_fetch_filters(ZEN2), "rand_en");
	assert_string_equal(bpmu_event_fetch_filters(ZEN4), "rand_en l3missonly");
}

static int code_of(u32 caps, const char *text)
{
	struct bpmu_pmu pmu = caps ? zen(caps) : unit_pmu("ivb", 4);
	struct bpmu_event_spec spec;

	return bpmu_event_parse(&pmu, 0, text, &spec, &err);
}

static u64 select_in_recording(const char *text)
{
	struct bpmu_pmu pmu = zen(ZEN4);
	struct bpmu_event_spec spec;
	u64 select;

	pmu.ibs = 0;
	if (bpmu_event_parse(&pmu, 0, text, &spec, &err))
		fail_msg("%s", err.text);
	select = spec.term[0].select;
	bpmu_event_free(&spec);
	return select;
}

TEST(what_ibs_does_not_have_is_refused)
{
	static const struct {
		u32 caps;
		const char *text;
		int code;
		const char *says;
	} cases[] = {
		{ 0, "ibs_op", -ENODEV,
		  "IBS is of AMD's parts, and this is Intel Ivy Bridge; use cycles:pp" },
		{ 0, "ibs_fetch", -ENODEV,
		  "IBS is of AMD's parts, and this is Intel Ivy Bridge; use cycles:pp" },
		{ ZEN2, "ibs_op:l3missonly=1", -ENODEV,
		  "IBS of this CPU has no l3missonly, or a hypervisor hides it; leave it out" },
		{ ZEN4, "ibs_op:ldlat=128", -ENODEV,
		  "IBS of this CPU has no ldlat, or a hypervisor hides it; leave it out" },
		{ ZEN5, "ibs_op/strmst=1/", -ENODEV,
		  "IBS of this CPU has no strmst, or a hypervisor hides it; leave it out" },
		{ ZEN5, "ibs_op:strmst=1:ldlat=128", -ENODEV,
		  "IBS of this CPU has no strmst, or a hypervisor hides it; leave it out" },
		{ ZEN4, "ibs_op:strmst=1:ldlat=128", -ENODEV,
		  "IBS of this CPU has no ldlat, or a hypervisor hides it; leave it out" },
		{ FAM10H & ~0x10, "ibs_op:cnt_ctl=1", -ENODEV,
		  "IBS of this CPU has no cnt_ctl, or a hypervisor hides it; leave it out" },
		{ ZEN2, "ibs_fetch:l3missonly=1", -ENODEV,
		  "IBS of this CPU has no l3missonly, or a hypervisor hides it; leave it out" },
		{ ZEN5, "ibs_fetch/fetchlat=128/", -ENODEV,
		  "IBS of this CPU has no fetchlat, or a hypervisor hides it; leave it out" },
		{ ZEN5, "ibs_op:ldlat=100", -EINVAL,
		  "ldlat is a multiple of 128 cycles, at most 2048; write ldlat=128" },
		{ ZEN5, "ibs_op:ldlat=2176", -EINVAL,
		  "ldlat is a multiple of 128 cycles, at most 2048; write ldlat=128" },
		{ ZEN5, "ibs_op:ldlat=", -EINVAL,
		  "ldlat is a multiple of 128 cycles, at most 2048; write ldlat=128" },
		{ ZEN5, "ibs_op:ldlat=x", -EINVAL,
		  "ldlat is a multiple of 128 cycles, at most 2048; write ldlat=128" },
		{ ZEN5, "ibs_op:ldlat=128x", -EINVAL,
		  "ldlat is a multiple of 128 cycles, at most 2048; write ldlat=128" },
		{ ZEN5, "ibs_op:ldlat=0", -EINVAL,
		  "ldlat is a multiple of 128 cycles, at most 2048; write ldlat=128" },
		{ ZEN5, "ibs_op:ldlat=-128", -EINVAL,
		  "ldlat is a multiple of 128 cycles, at most 2048; write ldlat=128" },
		{ ZEN6, "ibs_fetch/fetchlat=2048/", -EINVAL,
		  "fetchlat is a multiple of 128 cycles, at most 1920; write fetchlat=128" },
		{ ZEN6, "ibs_fetch:fetchlat=129", -EINVAL,
		  "fetchlat is a multiple of 128 cycles, at most 1920; write fetchlat=128" },
		{ ZEN6, "ibs_op:fetchlat=128", -EINVAL,
		  "'fetchlat=128' is no filter of IBS; it has cnt_ctl=1, l3missonly=1, ldlat=N, strmst=1, u and k" },
		{ ZEN5, "ibs_op:rand_en=1", -EINVAL,
		  "'rand_en=1' is no filter of IBS; it has cnt_ctl=1, l3missonly=1, ldlat=N, strmst=1, u and k" },
		{ ZEN5, "ibs_op:c=2", -EINVAL,
		  "'c=2' is no filter of IBS; it has cnt_ctl=1, l3missonly=1, ldlat=N, strmst=1, u and k" },
		{ ZEN5, "ibs_op:cnt_ctl=2", -EINVAL,
		  "'cnt_ctl=2' is no filter of IBS; it has cnt_ctl=1, l3missonly=1, ldlat=N, strmst=1, u and k" },
		{ ZEN5, "ibs_op:l3missonly=2", -EINVAL,
		  "'l3missonly=2' is no filter of IBS; it has cnt_ctl=1, l3missonly=1, ldlat=N, strmst=1, u and k" },
		{ ZEN6, "ibs_fetch:strmst=1", -EINVAL,
		  "'strmst=1' is no filter of fetches; they have rand_en=1, l3missonly=1, fetchlat=N, u and k" },
		{ ZEN5, "ibs_fetch:cnt_ctl=1", -EINVAL,
		  "'cnt_ctl=1' is no filter of fetches; they have rand_en=1, l3missonly=1, fetchlat=N, u and k" },
		{ ZEN6, "ibs_fetch:ldlat=128", -EINVAL,
		  "'ldlat=128' is no filter of fetches; they have rand_en=1, l3missonly=1, fetchlat=N, u and k" },
		{ ZEN6, "ibs_fetch:rand_en=2", -EINVAL,
		  "'rand_en=2' is no filter of fetches; they have rand_en=1, l3missonly=1, fetchlat=N, u and k" },
	};
	unsigned int i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		if (code_of(cases[i].caps, cases[i].text) != cases[i].code ||
		    !unit_event_said(cases[i].text, cases[i].says, err.text))
			fail_msg("%s: %s", cases[i].text, err.text);
	/* A recording does not say what IBS can do. */
	assert_true(select_in_recording("ibs_op:ldlat=2048:strmst=1:u") ==
		    (BPMU_SEL_USR | BPMU_IBS_SEL_STREAMS | 16 << 8));
	assert_true(select_in_recording("ibs_op/strmst=0,cnt_ctl=0/kP") == BPMU_SEL_OS);
	assert_true(select_in_recording("ibs_fetch:fetchlat=1920:k:u") == (BOTH | 15 << 8));
}

TEST(filters_are_listed_as_the_part_has_them)
{
	static const struct {
		u32 caps;
		const char *ops, *fetches;
	} cases[] = {
		{ FAM10H & ~0x10, "", "rand_en" },
		{ ZEN2, "cnt_ctl", "rand_en" },
		{ ZEN4, "cnt_ctl l3missonly", "rand_en l3missonly" },
		{ ZEN5, "cnt_ctl l3missonly ldlat", "rand_en l3missonly" },
		{ ZEN6, "cnt_ctl l3missonly ldlat strmst", "rand_en l3missonly fetchlat" },
	};
	char text[BPMU_IBS_FILTERS];
	unsigned int i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		assert_string_equal(bpmu_event_ibs_filters(text, cases[i].caps), cases[i].ops);
		assert_string_equal(bpmu_event_fetch_filters(cases[i].caps), cases[i].fetches);
	}
}

static const char *replaced(const char *text, int *code)
{
	static char result[32];
	struct bpmu_pmu pmu = zen(ZEN4);
	struct bpmu_event_spec spec;

	if (bpmu_event_parse(&pmu, 0, text, &spec, &err))
		fail_msg("%s", err.text);
	*code = bpmu_precise_choose(&pmu, &spec, &err);
	snprintf(result, sizeof(result), "%s", spec.text);
	bpmu_event_free(&spec);
	return result;
}

TEST(precise_cycles_and_uops_are_sampled_by_ibs)
{
	int code;

	assert_string_equal(replaced("cycles:pp", &code), "ibs_op");
	assert_int_equal(code, 0);
	assert_string_equal(replaced("cycles:upp", &code), "ibs_op:u");
	assert_string_equal(replaced("r0c1:kp", &code), "ibs_op:cnt_ctl=1:k");
	assert_string_equal(replaced("r76:pp", &code), "ibs_op");
	assert_string_equal(replaced("ibs_op:p", &code), "ibs_op:p");
	assert_int_equal(code, 0);
	assert_string_equal(replaced("instructions:pp", &code), "instructions:pp");
	assert_int_equal(code, -EINVAL);
	assert_string_equal(replaced("cycles:c=2:pp", &code), "cycles:c=2:pp");
	assert_int_equal(code, -EINVAL);
}
