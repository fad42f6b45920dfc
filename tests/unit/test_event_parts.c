// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the parser of events on many CPU models: an event gets the event select of the CPU model
 * on which it is counted, never that of an event with the same name on another one.
 */

#include <errno.h>
#include <string.h>

#include "base/array.h"
#include "event/event.h"
#include "event/event_core.h"
#include "event/event_name.h"
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
	  "is for efficient cores, and these CPUs are performance cores (adl); choose others with -C, or write cpu_core/cycles/",
	  -EXDEV },
	{ "adl-e", "cpu_core/event=0x3c,umask=0x0/u",
	  "is for performance cores, and these CPUs are efficient cores (adl-e); choose others with -C, or write cpu_atom/event=0x3c,umask=0x0/u",
	  -EXDEV },
	{ "ivb", "cpu_core/cycles/", "ivb has only one core type; write cpu/cycles/" },
	{ "arch", "cpu_atom/cycles/", "arch has only one core type; write cpu/cycles/" },
	{ "adl", "cpu_core/cycles", "the second '/' is missing; write cpu/event=1,umask=2/" },
	{ "zen1", "cpu/event=0x1000/",
	  "'event=0x1000' is not a number that fits; write it as 0x1f or 31" },
	{ "zen1", "cpu/event=0x03,umask=0xff/",
	  "counts up to 64 in a cycle, and a counter of zen1 adds 15 at most unless two are merged, which barepmu does not do; use perf stat",
	  -ENOTSUP },
	{ "zen5", "r0f03:u",
	  "counts up to 64 in a cycle, and a counter of zen5 adds 15 at most unless two are merged, which barepmu does not do; use perf stat",
	  -ENOTSUP },
	{ "zen1", "cpu/event=0x100000000c0/",
	  "'event=0x100000000c0' is not a number that fits; write it as 0x1f or 31" },
	{ "zen1", "cpu/event=0xc0,umask=0x1ff/",
	  "'umask=0x1ff' is not a number that fits; write it as 0x1f or 31" },
	{ "zen1", "cpu/event=0xc0,umask=0x100000000000000/",
	  "'umask=0x100000000000000' is not a number that fits; write it as 0x1f or 31" },
	{ "zen1", "r10000000000", "bit 40, reserved, must not be set on zen1; leave it out" },
	{ "zen1", "RETIRED_OPS:t",
	  "bit 21, ANY (any thread), must not be set on zen1; leave it out" },
	{ "icl", "cpu/event=0x1c0/",
	  "'event=0x1c0' is not a number that fits; write it as 0x1f or 31" },
	{ "icl", "instructions:c2",
	  "INST_RETIRED.ANY is on a fixed counter, which has no filters but u and k; use INST_RETIRED.ANY_P" },
	{ "icl", "cycles:t",
	  "CPU_CLK_UNHALTED.THREAD is on a fixed counter, which has no filters but u and k; use CPU_CLK_UNHALTED.THREAD_P" },
	{ "icl", "topdown-mem-bound", "not known on icl; see 'barepmu list'", -ENOENT },
	{ "skx", "UNC_CHA_CLOCKTICKS:per=INST_RETIRED.ANY",
	  "both events must be counted by one counter each of the same unit; use a quotient" },
	{ "skx", "INST_RETIRED.ANY:per=NO_SUCH",
	  "event 'NO_SUCH': not known on skx; see 'barepmu list'", -ENOENT },
	{ "arl", "cpu/event=0xc4,umask=0x10011/",
	  "'umask=0x10011' is not a number that fits; write it as 0x1f or 31" },
	{ "skl", "cpu/event=0xc4,umask=0x111/",
	  "'umask=0x111' is not a number that fits; write it as 0x1f or 31" },
	{ "skl", "r100000001c4", "bit 40, reserved, must not be set on skl; leave it out" },
	{ "spr", "UOPS_ISSUED.ANY:c4:eq", "bit 36, reserved, must not be set on spr; leave it out" },
	{ "spr", "UNC_CHA_TOR_INSERTS.IA:eq", "counters of the CHA have no eq; leave it out" },
	{ "icx", "UNC_CHA_CLOCKTICKS:c1:eq", "counters of the CHA have no eq; leave it out" },
	{ "arl", "UOPS_ISSUED.ANY:eq", "eq does nothing without a counter mask; add c=N" },
	{ "arl", "UOPS_ISSUED.ANY:[=4]:eq", "[=N] is eq with a counter mask; leave one out" },
	{ "skl", "mem-loads",
	  "not known here: such an event counts nothing unless PEBS samples it; use 'perf mem record', or 'barepmu list events mem_load' for loads by where they hit",
	  -ENOENT },
	{ "skl", "duration_time", "not known here: the kernel counts it; use perf stat", -ENOENT },
	{ "skl", "csx", "not known on skl; see 'barepmu list'", -ENOENT },
	{ "zen4", "bus-cycles",
	  "not known on zen4; did you mean cpu-cycles, ref-cycles? See 'barepmu list'", -ENOENT },
	{ "skl", "cycles:uH",
	  "counters count in the host and in its guests, not in the host alone; leave 'H' out" },
	{ "skl", "cycles:G",
	  "counters count in the host and in its guests, not in guests alone; leave 'G' out" },
	{ "skl", "cycles:uD", "'D' of 'uD' says how perf counts; leave it out" },
	{ "skl", "cpu/cycles/kb", "'b' of 'kb' says how perf counts; leave it out" },
	{ "skl", "cpu/event=0x3c,name=foo/",
	  "is shown as it is written here, without a name of its own; leave name=foo out" },
	{ "skl", "topdown-total-slots",
	  "not known here: perf multiplies a count of cycles; use CPU_CLK_UNHALTED.THREAD, and the slots of a cycle",
	  -ENOENT },
	{ "zen4", "LLC-loads",
	  "neither perf nor barepmu has it on zen4; use L3_LOOKUP_STATE.L3_MISS, which counts for a core complex, or cache-misses, which are those of L2",
	  -ENOENT },
	{ "zen4", "node-loads",
	  "neither perf nor barepmu has it on zen4; see 'barepmu list events DRAM' for what the data fabric counts",
	  -ENOENT },
	{ "k10", "LLC-loads",
	  "neither perf nor barepmu has it on k10; use cache-references or cache-misses", -ENOENT },
	{ "knc", "node-loads",
	  "neither perf nor barepmu has it on knc; use one of LLC-load-misses, LLC-prefetch-misses, LLC-prefetches, LLC-stores",
	  -ENOENT },
	{ "ivb", "node-store",
	  "neither perf nor barepmu has it on ivb; use one of node-loads, node-prefetches, node-stores",
	  -ENOENT },
	/* the unit of an uncore event is its first word */
	{ "knl", "UNC_M2_INSERTS",
	  "not counted on knl: its cha, pcu, ubox and irp are not programmed; see 'barepmu list parts -v'",
	  -ENOENT },
	{ "knl", "unc_m2p_nothing", "not known on knl; see 'barepmu list'", -ENOENT },
	{ "skl", "UNC_M2_INSERTS", "not known on skl; see 'barepmu list'", -ENOENT },
	/* CORE.C1, which is nearer, is of other CPU models. */
	{ "skl", "CORE.C10",
	  "not known on skl; did you mean CORE.C3, CORE.C6, CORE.C7, CORE.SMI, CORE.TSC? See 'barepmu list'",
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
		{ "BR_INST_RETIRED.COND",
		  "needs UMASK2 (unit mask 2) of the event select, and CPUID of this CPU does not have it, or a hypervisor hides it; use another event" },
		{ "UOPS_ISSUED.ANY:c4:eq",
		  "needs EQ (equal) of the event select, and CPUID of this CPU does not have it, or a hypervisor hides it; use another event" },
	};
	struct bpmu_pmu pmu = unit_pmu("arl", 8);
	const struct bpmu_cpuid none = { };
	struct bpmu_event_spec spec;
	struct bpmu_error err;
	size_t i;

	bpmu_pmu_selects(&pmu, &none);
	for (i = 0; i < ARRAY_SIZE(events); i++) {
		assert_int_equal(bpmu_event_parse(&pmu, 1, events[i][0], &spec, &err), -ENODEV);
		if (!unit_event_said(events[i][0], events[i][1], err.text))
			fail_msg("%s", err.text);
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
		    !unit_event_said(refused[i].text, refused[i].says, err.text))
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
	if (!unit_event_said(text,
			     "a quotient is no count; write it in a metric file, or ask for both events",
			     err.text))
		fail_msg("%s", err.text);
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

TEST(a_platform_has_the_part_of_another_model)
{
	const struct bpmu_cpu_id none = { 0 };
	struct bpmu_cpu_id cpu = none;
	struct bpmu_error err;
	struct bpmu_pmu pmu;
	u8 stepping = 3;

	assert_int_equal(bpmu_part_named(&pmu, "clx", &err), 0);
	assert_string_equal(pmu.part->name, "skx");
	bpmu_part_platform("skx", &cpu, &stepping);
	assert_memory_equal(&cpu, &none, sizeof(cpu));
	assert_int_equal(stepping, 3);
	bpmu_part_platform("clx", &cpu, &stepping);
	assert_int_equal(cpu.vendor, BPMU_VENDOR_INTEL);
	assert_int_equal(cpu.family, 6);
	assert_int_equal(cpu.model, 0x55);
	assert_int_equal(stepping, 7);
	assert_int_equal(bpmu_part_named(&pmu, "ivbb", &err), -ENOENT);
	assert_string_equal(err.text,
			    "part 'ivbb': not known; did you mean ivb, ivt? See 'barepmu list parts'");
}

TEST(a_part_that_is_made_up_has_the_counters_of_its_table)
{
	static const struct {
		const char *part;
		unsigned int general, fixed;
	} cases[] = {
		{ "ivb", 4, 3 }, { "knc", 2, 0 }, { "zen4", 6, 0 },
	};
	struct bpmu_pmu pmu;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		bpmu_part_make_up(&pmu, bpmu_part_by_name(cases[i].part));
		assert_int_equal(pmu.gp_counters, cases[i].general);
		assert_int_equal(pmu.fixed_counters, cases[i].fixed);
	}
	bpmu_part_make_up(&pmu, bpmu_part_by_name("ivt"));
	assert_int_equal(pmu.nr[BPMU_UNIT_CHA], 1);
}

TEST(core_types_of_a_hybrid_cpu_find_each_other)
{
	static const char *const pairs[][2] = {
		{ "adl", "adl-e" }, { "mtl", "mtl-e" }, { "lnl", "lnl-e" }, { "lkf", "lkf-e" },
	};
	size_t i;
	int k;

	for (i = 0; i < ARRAY_SIZE(pairs); i++)
		for (k = 0; k < 2; k++)
			assert_ptr_equal(bpmu_part_other_core_type(bpmu_part_by_name(pairs[i][k])),
					 bpmu_part_by_name(pairs[i][!k]));
	assert_null(bpmu_part_other_core_type(bpmu_part_by_name("ivb")));
	assert_null(bpmu_part_other_core_type(bpmu_part_by_name("zen4")));
}

/* One descriptor may be for both core types, and for models that are not hybrid. */
TEST(a_part_of_one_core_type_has_it)
{
#define OF_TYPE(type) { BPMU_VENDOR_INTEL, 6, 1, .core = BPMU_CORE_##type }
	static const struct bpmu_cpu_id both[] = { OF_TYPE(EFFICIENT), OF_TYPE(PERFORMANCE), { } };
	static const struct bpmu_cpu_id one[] = {
		OF_TYPE(ANY), OF_TYPE(EFFICIENT), OF_TYPE(EFFICIENT), OF_TYPE(ANY), { }
	};
	static const struct bpmu_cpu_id any[] = { OF_TYPE(ANY), { } };
	struct bpmu_part part = { .name = "made", .ids = both };
	struct bpmu_error err;

	assert_int_equal(bpmu_event_core_of(&part), BPMU_CORE_ANY);
	part.ids = any;
	assert_int_equal(bpmu_event_core_of(&part), BPMU_CORE_ANY);
	part.ids = one;
	assert_int_equal(bpmu_event_core_of(&part), BPMU_CORE_EFFICIENT);
	assert_int_equal(bpmu_event_core_end("CPU_atom/x/"), 9);
	assert_int_equal(bpmu_event_core_end("cpu/x/"), 4);
	assert_int_equal(bpmu_event_core_end("cpux/"), 0);
	assert_int_equal(bpmu_event_core_check(&part, "cpu_atom/x/", &err), 0);
	assert_int_equal(bpmu_event_core_check(&part, "cpu_core/x/", &err), -EXDEV);
}

static int sign_of(int order)
{
	return order < 0 ? -1 : order > 0;
}

TEST(names_are_compared_without_case)
{
	static const struct {
		const char *a, *b;
		int order;
	} cases[] = {
		{ "a.b", "A.B", 0 }, { "", "", 0 }, { "A", "b", -1 }, { "a", "B", -1 },
		{ "A", "AB", -1 }, { "A_B", "AAB", 1 }, { "a_b", "aab", 1 }, { "A1", "AA", -1 },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct bpmu_event a = { .name = cases[i].a }, b = { .name = cases[i].b };
		int order = bpmu_event_compare(&a, &b), back = bpmu_event_compare(&b, &a);

		if (sign_of(order) != cases[i].order || sign_of(back) != -cases[i].order)
			fail_msg("%s, %s: %d", a.name, b.name, order);
	}
}

TEST(names_of_perf_that_are_not_counted_have_a_reason)
{
	static const char of_kernel[] = "the kernel counts it; use perf stat";

	assert_string_equal(bpmu_event_other("cs"), of_kernel);
	assert_string_equal(bpmu_event_other("CS:u"), of_kernel);
	assert_string_equal(bpmu_event_other("faults"), of_kernel);
	assert_null(bpmu_event_other("cs2"));
	assert_null(bpmu_event_other("c"));
	assert_null(bpmu_event_other(""));
	assert_null(bpmu_event_other("idle-cycles"));
	assert_non_null(strstr(bpmu_event_other("idle-cycles-frontend:u"), "where slots are lost"));
	assert_non_null(strstr(bpmu_event_other("mem-loads-aux:u"), "PEBS samples it"));
}

TEST(a_family_of_events_has_umasks)
{
	const struct bpmu_part *ivb = bpmu_part_by_name("ivb");

	assert_true(bpmu_event_family(ivb, "UOPS_ISSUED"));
	assert_true(bpmu_event_family(ivb, "icache"));
	assert_false(bpmu_event_family(ivb, "UOPS_ISSUE"));
	assert_false(bpmu_event_family(ivb, "UOPS_ISSUED.ANY"));
	assert_false(bpmu_event_family(ivb, "CYCLES"));
}
