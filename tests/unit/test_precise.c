// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of precise events on Intel's parts before the adaptive formats of PEBS: they get an event
 * select and counters of which there are records.
 */
#include <errno.h>

#include "event/event.h"
#include "intel.h"
#include "source/precise.h"

#include "test.h"
#include "unit.h"

#define USR 0x10000

/* Chooses what samples a precise event on a part with PEBS of a format; returns what is done. */
static int choose(const char *part, unsigned int format, const char *text,
		  struct bpmu_event_term *term)
{
	struct bpmu_pmu pmu = unit_pmu(part, 4);
	struct bpmu_event_spec spec;
	struct bpmu_error err;
	int code;

	pmu.pebs_format = format + 1;
	pmu.pebs = 0xf;
	assert_int_equal(bpmu_event_parse(&pmu, 0, text, &spec, &err), 0);
	code = bpmu_precise_choose(&pmu, &spec, &err);
	*term = spec.term[0];
	assert_string_equal(spec.text, text);
	bpmu_event_free(&spec);
	return code;
}

static void becomes(const char *part, unsigned int format, const char *text, u64 select,
		    u64 counters)
{
	struct bpmu_event_term term;

	assert_int_equal(choose(part, format, text, &term), 0);
	assert_int_equal(term.select, select);
	assert_int_equal(term.counters, counters);
}

TEST(precise_cycles_are_counted_by_an_event_with_pebs)
{
	becomes("ivb", 1, "cycles:upp", USR | 0x108001c2, 0xf);
	becomes("ivb", 1, "CPU_CLK_UNHALTED.THREAD:upp", USR | 0x108001c2, 0xf);
	becomes("hsw", 2, "cycles:upp", USR | 0x108001c2, 0xf);
	becomes("skl", 3, "cycles:upp", USR | 0x108000c0, 0xf);
	becomes("nhm", 1, "cycles:upp", USR | 0x108000c0, 0xf);
	becomes("slm", 2, "cycles:upp", USR | 0x108000c0, 0xf);
}

TEST(precise_events_are_counted_by_general_counters)
{
	becomes("ivb", 1, "instructions:upp", USR | 0xc0, 0xf);
	becomes("skl", 3, "INST_RETIRED.ANY:upp", USR | 0xc0, 0xf);
	becomes("skl", 3, "branches:upp", USR | 0xc4, 0xf);
	becomes("ivb", 1, "INST_RETIRED.PREC_DIST:upp", USR | 0x1c0, 2);
	becomes("ivb", 1, "r2c4:c=2:upp", USR | 0x020002c4, 0xf);
}

TEST(events_without_precise_records_are_refused)
{
	struct bpmu_event_term term;

	assert_int_equal(choose("ivb", 1, "cache-misses:pp", &term), -EINVAL);
	assert_int_equal(choose("skl", 3, "CPU_CLK_UNHALTED.REF_TSC:pp", &term), -EINVAL);
	/* The load latency of Nehalem has another code. */
	becomes("nhm", 1, "cpu/event=0x0b,umask=0x10,ldlat=30/upp", USR | 0x100b, 8);
	becomes("wsm-ep", 1, "cpu/event=0x0b,umask=0x10,ldlat=30/upp", USR | 0x100b, 8);
	assert_int_equal(choose("ivb", 1, "r100b:pp", &term), -EINVAL);
	assert_int_equal(choose("nhm", 1, "r1cd:pp", &term), -EINVAL);
	/* Haswell has no precise stores: all its records of stores have the address. */
	assert_int_equal(choose("hsw", 2, "r2cd:pp", &term), -EINVAL);
	becomes("snb", 1, "r2cd:upp", USR | 0x2cd, 8);
	becomes("ivt", 1, "MEM_TRANS_RETIRED.PRECISE_STORE:upp", USR | 0x2cd, 8);
	becomes("ivb", 1, "cpu/event=0xcd,umask=1,ldlat=30/upp", USR | 0x1cd, 8);
	becomes("hsw", 2, "cpu/event=0xcd,umask=1,ldlat=30/upp", USR | 0x1cd, 8);
	becomes("skl", 3, "cpu/event=0xcd,umask=1,ldlat=30/upp", USR | 0x1cd, 0xf);
	becomes("nhm", 1, "r010b:upp", USR | 0x10b, 0xf);
	/* With the adaptive formats all events have them, also of fixed counters. */
	assert_int_equal(choose("icx", 4, "cache-misses:pp", &term), 0);
	becomes("icx", 4, "INST_RETIRED.ANY:upp", USR, BPMU_FIXED_BIT(0));
}

TEST(only_precise_records_have_the_address_of_the_data)
{
	const struct bpmu_part *part = bpmu_part_by_name("skl");
	struct bpmu_sched_slot slot = { .text = "r81d0:upp", .select = USR | 0x81d0 };

	assert_true(bpmu_precise_has_data(part, &slot));
	slot.text = "r81d0:u";
	assert_false(bpmu_precise_has_data(part, &slot));
	slot = (struct bpmu_sched_slot){ .text = "r81d0:upp", .select = USR | 0x81d0,
					 .counter = BPMU_FIXED_BASE };
	assert_false(bpmu_precise_has_data(part, &slot));
	slot = (struct bpmu_sched_slot){ .text = "r00c4:upp", .select = USR | 0xc4 };
	assert_false(bpmu_precise_has_data(part, &slot));
}
