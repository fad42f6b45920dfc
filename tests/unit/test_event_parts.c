// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the parser of events on many CPU models: an event gets the event select of the CPU model
 * on which it is counted, never that of an event with the same name on another one.
 */

#include <errno.h>
#include <string.h>

#include "base/array.h"
#include "event/event.h"
#include "event/part.h"
#include "intel.h"
#include "unit.h"

#define ZEN_ALL 0x3f
#define UK (BPMU_SEL_USR | BPMU_SEL_OS)

static const struct {
	const char *part;
	const char *text;
	u64 select;
	u64 counters;
} taken[] = {
	/*
	 * On Broadwell counters 4 and up count nothing unless the OS bit of the event select is set
	 * (BPMU_QUIRK_NEEDS_OS).
	 */
	{ "bdw", "UOPS_ISSUED.ANY", UK | 0x10e, 0xff },
	{ "bdw", "UOPS_ISSUED.ANY:k", BPMU_SEL_OS | 0x10e, 0xff },
	{ "bdw", "UOPS_ISSUED.ANY:u", BPMU_SEL_USR | 0x10e, 0xf },
	{ "bdw", "r1010e", BPMU_SEL_USR | 0x10e, 0xf },
	{ "bdw", "instructions:u", BPMU_SEL_USR, BPMU_FIXED_BIT(0) },
	{ "hsw", "UOPS_ISSUED.ANY:u", BPMU_SEL_USR | 0x10e, 0xff },
	/*
	 * Event codes of AMD's CPUs have 12 bits, of which the upper four are bits 35:32 of the
	 * event select.
	 */
	{ "zen4", "cycles", UK | 0x76, ZEN_ALL },
	{ "zen4", "ref-cycles", 0x100000120ULL | UK, ZEN_ALL },
	{ "zen4", "r100000120", 0x100000120ULL | UK, ZEN_ALL },
	{ "zen4", "cpu/event=0x120,umask=1/u",
	  0x100000120ULL | BPMU_SEL_USR, ZEN_ALL },
	{ "zen1", "cpu/event=0x1c0/", 0x1000000c0ULL | UK, ZEN_ALL },
	{ "zen1", "cpu/event=0xfff,umask=0xff/", 0xf0000ffffULL | UK, ZEN_ALL },
	{ "zen2", "cache-misses", UK | 0x964, ZEN_ALL },
	{ "zen2", "cpu/event=0x103/", 0x100000003ULL | UK, ZEN_ALL },
	/* A generic name stands for an event of the CPU model in the first column. */
	{ "icl", "slots", UK, BPMU_FIXED_BIT(3) },
	{ "icl", "cache-references", UK | 0x4f2e, 0xff },
	/*
	 * Linux' names of the fields of PERF_METRICS. A field is a fraction of the slots. CPU
	 * models without PERF_METRICS have events with such names.
	 */
	{ "icl", "topdown-be-bound", UK | 0x300, BPMU_BIT(BPMU_METRICS_COUNTER) },
	{ "adl", "cpu_core/topdown-mem-bound/", UK | 0x700,
	  BPMU_BIT(BPMU_METRICS_COUNTER) },
	{ "adl-e", "cpu_atom/topdown-be-bound/", UK | 0x74, 0x3f },
	{ "skl", "topdown-slots-issued", UK | 0x10e, 0xff },
	{ "skl", "topdown-fetch-bubbles", UK | 0x19c, 0xff },
	/* Linux' names for stores and for the bus clock. */
	{ "ivb", "mem-stores", UK | 0x2cd, 0x8 },
	{ "hsw", "mem-stores", UK | 0x82d0, 0xf },
	{ "skl", "mem-stores:u", BPMU_SEL_USR | 0x82d0, 0xf },
	{ "spr", "mem-stores", UK | 0x2cd, 0x1 },
	{ "adl-e", "cpu_atom/mem-stores/", UK | 0x6d0, 0x3f },
	{ "skl", "bus-cycles", UK | 0x13c, 0xff },
	{ "adl", "cpu_core/bus-cycles/", UK | 0x13c, 0xff },
	{ "tnt", "bus-cycles", UK | 0x13c, 0xf },
	/*
	 * Modifiers in perf's syntax: within the slashes of a PMU or behind them, and behind events
	 * without slashes.
	 */
	{ "adl", "cpu_core/cycles:u/", BPMU_SEL_USR, BPMU_FIXED_BIT(1) },
	{ "skl", "cpu/instructions:k/", BPMU_SEL_OS, BPMU_FIXED_BIT(0) },
	{ "skl", "cycles:ukHG", UK, BPMU_FIXED_BIT(1) },
	{ "skl", "cycles:pp", UK, BPMU_FIXED_BIT(1) },
	{ "skl", "cycles:P", UK, BPMU_FIXED_BIT(1) },
	{ "skl", "cycles:upp", BPMU_SEL_USR, BPMU_FIXED_BIT(1) },
	{ "skl", "cpu/cycles/kP", BPMU_SEL_OS, BPMU_FIXED_BIT(1) },
	{ "skl", "r010e:uS", BPMU_SEL_USR | 0x10e, 0xff },
	{ "zen4", "cycles:Wu", 0x76 | BPMU_SEL_USR, ZEN_ALL },
	/*
	 * LIKWID's names of events and counters; then names of perf's PMUs on hybrid and on other
	 * CPUs.
	 */
	{ "icl", "TOPDOWN_SLOTS:FIXC3", UK, BPMU_FIXED_BIT(3) },
	{ "tnt", "CPU_CLK_UNHALTED_CORE:FIXC1", UK, BPMU_FIXED_BIT(1) },
	{ "adl-e", "cycles", UK, BPMU_FIXED_BIT(1) },
	{ "adl", "cpu/cycles/", UK, BPMU_FIXED_BIT(1) },
	{ "adl", "cpu_core/cycles/", UK, BPMU_FIXED_BIT(1) },
	{ "adl", "cpu_core/event=0x3c,umask=0x0/", UK | 0x3c, 0xff },
	{ "adl", "CPU_CORE/r1c4/k", BPMU_SEL_OS | 0x1c4, 0xff },
	{ "adl-e", "cpu_atom/instructions/:u", BPMU_SEL_USR,
	  BPMU_FIXED_BIT(0) },
	{ "adl-e", "cpu_atom/MEM_UOPS_RETIRED.ALL_LOADS,cmask=1/",
	  UK | 0x10081d0, 0x3f },
	{ "arch", "cache-misses", UK | 0x412e, 0xff },
	{ "snb", "CYCLE_ACTIVITY.STALLS_L1D_PENDING", UK | 0x60006a3, 0x4 },
	{ "skl", "CYCLE_ACTIVITY.STALLS_L3_MISS", UK | 0x60006a3, 0xff },
	{ "spr", "UOPS_ISSUED.ANY", UK | 0x1ae, 0xff },
};

TEST(parses_events_of_each_part)
{
	struct bpmu_event_spec spec;
	struct bpmu_error err;
	struct bpmu_pmu pmu;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(taken); i++) {
		pmu = unit_pmu(taken[i].part, 8);
		if (bpmu_event_parse(&pmu, 0, taken[i].text, &spec, &err))
			fail_msg("%s", err.text);
		if (spec.term[0].select != taken[i].select ||
		    spec.term[0].counters != taken[i].counters)
			fail_msg("%s on %s: %llx on %llx", taken[i].text,
				 taken[i].part, spec.term[0].select,
				 spec.term[0].counters);
		bpmu_event_free(&spec);
	}
}

static const struct {
	const char *part;
	const char *text;
	const char *says;
	int code;
} refused[] = {
	{ "adl", "cpu_atom/cycles/",
	  "event 'cpu_atom/cycles/': is for efficient cores, and these CPUs are performance cores (adl); choose others with -C, or write cpu_core/cycles/",
	  -EXDEV },
	{ "adl-e", "cpu_core/event=0x3c,umask=0x0/u",
	  "is for performance cores, and these CPUs are efficient cores (adl-e); choose others with -C, or write cpu_atom/event=0x3c,umask=0x0/u",
	  -EXDEV },
	{ "ivb", "cpu_core/cycles/",
	  "event 'cpu_core/cycles/': ivb has only one core type; write cpu/cycles/" },
	{ "arch", "cpu_atom/cycles/", "arch has only one core type" },
	{ "adl", "cpu_core/cycles", "the second '/' is missing" },
	{ "zen1", "cpu/event=0x1000/", "is not a number that fits" },
	{ "zen1", "cpu/event=0x03,umask=0xff/",
	  "counts up to 64 in a cycle, and a counter of zen1 adds 15 at most unless two are merged, which barepmu does not do; use perf stat",
	  -ENOTSUP },
	{ "zen5", "r0f03:u", "a counter of zen5 adds 15 at most", -ENOTSUP },
	{ "zen1", "cpu/event=0x100000000c0/", "is not a number that fits" },
	{ "zen1", "cpu/event=0xc0,umask=0x1ff/", "is not a number that fits" },
	{ "zen1", "cpu/event=0xc0,umask=0x100000000000000/",
	  "is not a number that fits" },
	{ "zen1", "r10000000000", "bit 40, reserved, must not be set on zen1" },
	{ "zen1", "RETIRED_OPS:t", "bit 21, ANY (any thread), must not be set" },
	{ "icl", "cpu/event=0x1c0/", "is not a number that fits" },
	{ "icl", "instructions:c2",
	  "no filters but u and k; use INST_RETIRED.ANY_P" },
	{ "icl", "cycles:t", "no filters but u and k" },
	{ "icl", "topdown-mem-bound", "not known on icl", -ENOENT },
	{ "skx", "UNC_CHA_CLOCKTICKS:per=INST_RETIRED.ANY",
	  "both events must be counted by one counter each of the same unit" },
	{ "skx", "INST_RETIRED.ANY:per=NO_SUCH", "not known on skx", -ENOENT },
	{ "arl", "cpu/event=0xc4,umask=0x10011/", "is not a number that fits" },
	{ "skl", "cpu/event=0xc4,umask=0x111/", "is not a number that fits" },
	{ "skl", "r100000001c4", "bit 40, reserved, must not be set on skl" },
	{ "spr", "UOPS_ISSUED.ANY:c4:eq", "bit 36, reserved, must not be set on spr" },
	{ "spr", "UNC_CHA_TOR_INSERTS.IA:eq", "have no eq; leave it out" },
	{ "icx", "UNC_CHA_CLOCKTICKS:c1:eq", "have no eq; leave it out" },
	{ "arl", "UOPS_ISSUED.ANY:eq", "eq does nothing without a counter mask; add c=N" },
	{ "arl", "UOPS_ISSUED.ANY:[=4]:eq", "[=N] is eq with a counter mask; leave one out" },
	{ "skl", "mem-loads", "unless PEBS samples it; use 'perf mem record'", -ENOENT },
	{ "skl", "duration_time", "the kernel counts it; use perf stat", -ENOENT },
	{ "skl", "csx", "not known on skl;", -ENOENT },
	{ "zen4", "bus-cycles", "not known on zen4", -ENOENT },
	{ "skl", "cycles:uH",
	  "event 'cycles:uH': counters count in the host and in its guests, not in the host alone; leave 'H' out" },
	{ "skl", "cycles:G", "not in guests alone; leave 'G' out" },
	{ "skl", "cycles:uD", "event 'cycles:uD': 'D' of 'uD' says how perf counts; leave it out" },
	{ "skl", "cpu/cycles/kb", "'b' of 'kb' says how perf counts" },
	{ "skl", "cpu/event=0x3c,name=foo/",
	  "event 'cpu/event=0x3c,name=foo/': is shown as it is written here, without a name of its own; leave name=foo out" },
	{ "skl", "topdown-total-slots",
	  "perf multiplies a count of cycles; use CPU_CLK_UNHALTED.THREAD",
	  -ENOENT },
};

/* Codes of Intel's arrowlake_lioncove_core.json; UMASK2 is in bits 47:40, EQ is bit 36. */
TEST(unit_masks_of_sixteen_bits_and_eq_are_parsed)
{
	static const struct {
		const char *part, *text;
		u64 select;
	} events[] = {
		{ "arl", "BR_INST_RETIRED.COND", 0x0100000311c4 },
		{ "arl", "cpu/event=0xc4,umask=0x111/u", 0x0100000111c4 },
		{ "arl", "cpu/BR_INST_RETIRED.COND,umask=0x11/", 0x311c4 },
		{ "arl", "r100000011c4", 0x0100000311c4 },
		{ "lnl-e", "UOPS_ISSUED.ANY:c4:eq", 0x100403000e },
		{ "arl", "cpu/event=0xae,umask=1,cmask=4,inv=1,eq=1/", 0x10048301ae },
	};
	struct bpmu_event_spec spec;
	struct bpmu_error err;
	struct bpmu_pmu pmu;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(events); i++) {
		pmu = unit_pmu(events[i].part, 8);
		if (bpmu_event_parse(&pmu, 1, events[i].text, &spec, &err))
			fail_msg("%s", err.text);
		if (spec.nr != 1 || spec.term[0].select != events[i].select)
			fail_msg("%s: %llx", events[i].text,
				 (unsigned long long)spec.term[0].select);
		bpmu_event_free(&spec);
	}
}

TEST(bits_that_cpuid_lacks_are_refused_with_the_reason)
{
	static const char *const events[][2] = {
		{ "BR_INST_RETIRED.COND", "needs UMASK2 (unit mask 2) of the event select, and CPUID" },
		{ "UOPS_ISSUED.ANY:c4:eq", "needs EQ (equal) of the event select, and CPUID" },
	};
	struct bpmu_pmu pmu = unit_pmu("arl", 8);
	const struct bpmu_cpuid none = { };
	struct bpmu_event_spec spec;
	struct bpmu_error err;
	size_t i;

	bpmu_pmu_selects(&pmu, &none);
	for (i = 0; i < ARRAY_SIZE(events); i++) {
		assert_int_equal(bpmu_event_parse(&pmu, 1, events[i][0], &spec, &err), -ENODEV);
		assert_non_null(strstr(err.text, events[i][1]));
	}
	assert_int_equal(bpmu_event_parse(&pmu, 1, "BR_INST_RETIRED.ALL_BRANCHES", &spec, &err), 0);
	bpmu_event_free(&spec);
}

TEST(refuses_events_that_the_part_lacks)
{
	struct bpmu_event_spec spec;
	struct bpmu_error err;
	struct bpmu_pmu pmu;
	size_t i;
	int ret;

	for (i = 0; i < ARRAY_SIZE(refused); i++) {
		pmu = unit_pmu(refused[i].part, 8);
		err.text[0] = '\0';
		ret = bpmu_event_parse(&pmu, 1, refused[i].text, &spec, &err);
		if (ret != (refused[i].code ?: -EINVAL) ||
		    !strstr(err.text, refused[i].says))
			fail_msg("%s: %d, %s", refused[i].text, ret, err.text);
	}
}

/*
 * The quotient of two events may stand for an event in a metric, but not in a list of events to
 * count.
 */
TEST(a_quotient_is_an_event_of_metrics_only)
{
	static const char text[] = "UNC_CHA_TOR_INSERTS.IA_MISS_DRD:per=UNC_CHA_CLOCKTICKS";
	struct bpmu_pmu pmu = unit_pmu("skx", 4);
	struct bpmu_event_list list = { .nr = 0 };
	struct bpmu_event_spec spec;
	struct bpmu_error err;

	assert_int_equal(bpmu_event_parse(&pmu, 1, text, &spec, &err), 0);
	assert_true(bpmu_event_is_quotient(&spec));
	assert_string_equal(spec.text, text);
	assert_int_equal(spec.term[0].select & 0xff, 0x35);
	assert_int_equal(spec.term[1].select & 0xff, 0);
	bpmu_event_free(&spec);
	assert_int_equal(bpmu_event_parse(&pmu, 1, "UOPS_ISSUED.ANY:[=2]", &spec, &err), 0);
	assert_false(bpmu_event_is_quotient(&spec));
	bpmu_event_free(&spec);
	assert_int_equal(bpmu_event_list_parse(&pmu, 1, text, &list, &err), -EINVAL);
	assert_non_null(strstr(err.text, "a quotient is no count"));
	bpmu_event_list_free(&list);
}

TEST(an_unknown_part_is_refused_with_all_names)
{
	char expected[4096] = "part 'nosuchpart': not known; choose one of ";
	struct bpmu_error err;
	struct bpmu_pmu pmu;
	unsigned int i;

	for (i = 0; bpmu_part_at(i); i++) {
		strcat(expected, bpmu_part_at(i)->name);
		strcat(expected, ", ");
	}
	strcat(expected, "clx");
	assert_int_equal(bpmu_part_named(&pmu, "nosuchpart", &err), -ENOENT);
	assert_string_equal(err.text, expected);
}
