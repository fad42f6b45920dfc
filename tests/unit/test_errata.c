// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of which errata apply to counted events: an erratum is named if it falsifies an event on
 * this CPU, but not if the CPU's stepping, microcode or hyper-threading setting is not affected.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "errata_facts.h"
#include "events.h"
#include "tree/errata.h"
#include "unit.h"

static const struct bpmu_erratum ranged = {
	.name = "T1", .parts = "snb ivb", .model = 0x3a, .first = 3, .last = 5,
	.fixed = 0x20,
};

static struct bpmu_errata_cpu cpu_of(const char *part, int smt)
{
	return (struct bpmu_errata_cpu){
		.part = bpmu_part_by_name(part), .smt = smt,
	};
}

TEST(matches_part_model_stepping_and_microcode)
{
	static const struct {
		const char *part;
		u32 model;
		u32 stepping;
		u32 microcode;
		enum bpmu_errata_match match;
	} cases[] = {
		{ "ivb", 0x3a, 3, 0x1f, BPMU_ERRATA_YES },
		{ "ivb", 0x3a, 5, 0x1f, BPMU_ERRATA_YES },
		{ "ivb", 0x3a, 2, 0x1f, BPMU_ERRATA_NO },
		{ "ivb", 0x3a, 6, 0x1f, BPMU_ERRATA_NO },
		{ "ivb", 0x3e, 4, 0x1f, BPMU_ERRATA_NO },
		{ "ivt", 0x3a, 4, 0x1f, BPMU_ERRATA_NO },
		{ "ivb", 0x3a, 4, 0x20, BPMU_ERRATA_NO },
		{ "ivb", 0x3a, 4, 0, BPMU_ERRATA_PERHAPS },
	};
	struct bpmu_errata_cpu cpu;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		cpu = cpu_of(cases[i].part, 0);
		cpu.family = 6;
		cpu.model = cases[i].model;
		cpu.stepping = cases[i].stepping;
		cpu.microcode = cases[i].microcode;
		assert_int_equal(bpmu_errata_match(&cpu, &ranged),
				 cases[i].match);
	}
	/*
	 * cpu_of() describes a CPU as the option --part does: with a CPU model but no stepping. It
	 * is then not known whether an erratum that only some steppings have applies.
	 */
	cpu = cpu_of("ivb", 0);
	assert_int_equal(bpmu_errata_match(&cpu, &ranged), BPMU_ERRATA_PERHAPS);
}

/*
 * Returns whether an erratum certainly applies to a CPU. The table of errata may have several
 * errata with this name; the test fails if it has none.
 */
static bool has(const struct bpmu_errata_cpu *cpu, const char *name)
{
	const struct bpmu_erratum *erratum;
	bool there = false;
	bool found = false;
	unsigned int i;

	for (i = 0; (erratum = bpmu_erratum_at(i)); i++) {
		if (strcmp(erratum->name, name))
			continue;
		there = true;
		found |= bpmu_errata_match(cpu, erratum) == BPMU_ERRATA_YES;
	}
	if (!there)
		fail_msg("%s is not there", name);
	return found;
}

/*
 * Each element has an erratum, the CPUID signature (leaf 1) of a CPU revision, and whether AMD's
 * revision guide lists the erratum for this revision. For erratum 1054 on models above 0Fh the
 * source is Linux.
 */
TEST(errata_of_amd_match_the_revisions_of_its_guides)
{
	static const struct {
		const char *name, *part;
		u32 signature;
		bool has;
	} cases[] = {
		/* Revisions ZP-B1, ZP-B2 and PiR-B2 (AMD's revision guide 55449). */
		{ "990", "zen1", 0x00800f11, true },
		{ "990", "zen1", 0x00800f12, true },
		{ "990", "zen1", 0x00800f82, true },
		{ "990", "zen1", 0x00810f10, false },
		/* This CPU is Hygon's, of family 18h and model 00h. */
		{ "990", "zen1", 0x00900f01, false },
		{ "990", "zen2", 0x00830f10, false },
		{ "1023", "zen1", 0x00800f11, true },
		{ "1023", "zen1", 0x00800f12, false },
		{ "1023", "zen1", 0x00800f82, false },
		{ "1047", "zen1", 0x00800f82, true },
		{ "1047", "zen1", 0x00810f10, false },
		{ "1054", "zen1", 0x00800f11, true },
		{ "1054", "zen1", 0x00810f10, true },
		{ "1054", "zen1", 0x00850f00, false },
		{ "1067", "zen1", 0x00800f82, true },
		/* Revision Rome-B0 (AMD's revision guide 56323). */
		{ "1291", "zen2", 0x00830f10, true },
		{ "1291", "zen2", 0x00870f10, false },
		{ "RETIRE-OVER", "zen2", 0x00870f10, true },
		{ "RETIRE-OVER", "zen2", 0x00830f10, false },
		{ "RETIRE-OVER", "zen1", 0x00810f10, true },
		/* Revision Milan-B1 (AMD's revision guide 56683). */
		{ "1266", "zen3", 0x00a00f11, true },
		{ "1267", "zen3", 0x00a00f11, true },
		{ "1287", "zen3", 0x00a20f10, false },
		{ "1292", "zen3", 0x00a00f11, true },
		{ "1292", "zen3", 0x00a20f10, false },
		{ "1292", "zen4", 0x00a10f11, false },
		{ "1293", "zen3", 0x00a00f11, true },
		{ "1293", "zen3", 0x00a20f10, false },
		{ "1322", "zen3", 0x00a00f11, true },
		/*
		 * Revisions of AMD's revision guides: OR-B2 and OR-C0 (48063), TN-A1 (48931), and
		 * for one erratum KV-A1 (51603).
		 */
		{ "536", "bulldozer", 0x00600f12, true },
		{ "536", "bulldozer", 0x00600f20, false },
		{ "537", "bulldozer", 0x00600f20, false },
		{ "538", "bulldozer", 0x00610f01, false },
		{ "550", "bulldozer", 0x00600f20, true },
		{ "550", "bulldozer", 0x00610f01, false },
		{ "685", "bulldozer", 0x00600f12, false },
		{ "685", "bulldozer", 0x00600f20, true },
		{ "685", "bulldozer", 0x00610f01, true },
		{ "693", "bulldozer", 0x00600f12, true },
		{ "693", "bulldozer", 0x00610f01, true },
		{ "693", "bulldozer", 0x00630f01, false },
		{ "707", "bulldozer", 0x00600f12, false },
		{ "707", "bulldozer", 0x00610f01, true },
		/* Revisions KB-A1 (AMD's revision guide 51810) and ML-A1 (53072). */
		{ "794", "jaguar", 0x00700f01, true },
		{ "795", "jaguar", 0x00730f01, true },
		/* Revisions DR-B3, RB-C2, BL-C2, HY-D1 and PH-E0 (AMD's revision guide 41322). */
		{ "301", "k10", 0x00100f23, true },
		{ "301", "k10", 0x00100f42, false },
		{ "387", "k10", 0x00100f52, true },
		{ "437", "k10", 0x00100f42, true },
		{ "437", "k10", 0x00100f52, false },
		{ "437", "k10", 0x00100f91, true },
		{ "550", "k10", 0x00100f42, false },
		{ "550", "k10", 0x00100fa0, true },
		{ "SPECLOCK", "zen4", 0x00a60f12, true },
		{ "SPECLOCK", "zen5", 0x00b40f40, false },
	};
	struct bpmu_errata_cpu cpu;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		cpu = cpu_of(cases[i].part, 0);
		cpu.family = 0xf + (cases[i].signature >> 20);
		cpu.model = (cases[i].signature >> 12 & 0xf0) | (cases[i].signature >> 4 & 0xf);
		cpu.stepping = cases[i].signature & 0xf;
		if (has(&cpu, cases[i].name) != cases[i].has)
			fail_msg("%s, %08x", cases[i].name, cases[i].signature);
	}
	cpu = cpu_of("zen1", 0);
	assert_true(has(&cpu, "990"));
}

TEST(matches_the_state_of_hyper_threading)
{
	struct bpmu_erratum on = { .parts = "ivb", .when = BPMU_ERRATUM_SMT };
	struct bpmu_erratum off = {
		.parts = "ivb", .when = BPMU_ERRATUM_NO_SMT,
	};
	struct bpmu_errata_cpu cpu;
	int smt;

	for (smt = -1; smt <= 1; smt++) {
		cpu = cpu_of("ivb", smt);
		assert_int_equal(bpmu_errata_match(&cpu, &on),
				 smt ? BPMU_ERRATA_YES : BPMU_ERRATA_NO);
		assert_int_equal(bpmu_errata_match(&cpu, &off),
				 smt <= 0 ? BPMU_ERRATA_YES : BPMU_ERRATA_NO);
	}
}

static u32 microcode_in(const char *text)
{
	char path[] = "/tmp/version.XXXXXX";
	int fd = mkstemp(path);
	u32 revision;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	revision = bpmu_errata_microcode(path);
	unlink(path);
	return revision;
}

TEST(reads_the_microcode_revision)
{
	assert_int_equal(microcode_in("0xea\n"), 0xea);
	assert_int_equal(microcode_in("0x2b000643\n"), 0x2b000643);
	assert_int_equal(microcode_in("0x0\n"), 0);
	assert_int_equal(microcode_in("\n"), 0);
	assert_int_equal(bpmu_errata_microcode("/nonexistent"), 0);
}

static bool known(const char *part, const char *name)
{
	const struct bpmu_errata_cpu cpu = cpu_of(part, -1);
	const struct bpmu_erratum *erratum;
	unsigned int i;

	for (i = 0; (erratum = bpmu_erratum_at(i)); i++)
		if (!strcmp(erratum->name, name) &&
		    bpmu_errata_match(&cpu, erratum) != BPMU_ERRATA_NO)
			return true;
	return false;
}

/*
 * An event of a CPU model may name its errata. For each of them the table of errata must have an
 * entry for that CPU model.
 */
static void names_in_event_rows_have_facts(void **state)
{
	const struct bpmu_part *part = *state;
	const struct bpmu_event *rows;
	char names[256];
	char *name;
	char *rest;
	size_t nr;
	size_t i;

	rows = bpmu_events(part, &nr);
	for (i = 0; i < nr; i++) {
		snprintf(names, sizeof(names), "%s",
			 rows[i].errata ? rows[i].errata : "");
		for (name = strtok_r(names, ",", &rest); name;
		     name = strtok_r(NULL, ",", &rest))
			if (!known(part->name, name))
				fail_msg("%s: %s of %s has no facts",
					 rows[i].name, name, part->name);
	}
}

static bool touches_something(const struct bpmu_erratum *erratum)
{
	const struct bpmu_event *rows;
	const struct bpmu_part *part;
	struct bpmu_errata_cpu cpu;
	unsigned int p;
	size_t nr;
	size_t i;

	for (p = 0; (part = bpmu_part_at(p)); p++) {
		cpu = cpu_of(part->name, -1);
		if (bpmu_errata_match(&cpu, erratum) == BPMU_ERRATA_NO)
			continue;
		rows = bpmu_events(part, &nr);
		for (i = 0; i < nr; i++)
			if (bpmu_errata_touches(erratum, &rows[i]))
				return true;
		rows = bpmu_free_events(&nr);
		for (i = 0; i < nr; i++)
			if (part->free & rows[i].counters &&
			    bpmu_errata_touches(erratum, &rows[i]))
				return true;
	}
	return false;
}

/*
 * Returns whether an erratum need not be named by an event in an event table. Such an erratum
 * affects all events, or interrupts or registers, or events that are in no event table.
 */
static bool concerns_no_row(const char *name)
{
	static const char *const names[] = {
		"TSX-PMC3", "IRET", "PMC4-OS", "IC-FETCH", "AAK100", "AAP53", "BD53", "AAT43",
		"AAJ95", "AAT44", "AAJ143", "AAT107", "AAT48", "PMI-FREEZE",
		"301", "387", "393", "421", "437", "537", "550", "693", "707", "795",
		"990", "1023", "1047", "1266", "1287", "1293", "1322"
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

/*
 * Each erratum must affect an event of an event table, except those for which concerns_no_row()
 * returns true.
 */
TEST(facts_affect_some_event)
{
	const struct bpmu_erratum *erratum;
	unsigned int i;

	for (i = 0; (erratum = bpmu_erratum_at(i)); i++) {
		assert_non_null(erratum->text);
		assert_non_null(erratum->advice);
		if (!concerns_no_row(erratum->name) && !touches_something(erratum))
			fail_msg("%s touches nothing", erratum->name);
	}
}

static void expect_of(const char *part, int smt, const char *event,
		      const char *expected)
{
	const struct bpmu_errata_cpu cpu = cpu_of(part, smt);
	struct bpmu_pmu pmu = unit_pmu(part, 4);
	struct bpmu_errata errata = { .nr = 0 };
	struct bpmu_event_spec spec;
	char words[BPMU_ERRATA_WORDS];
	struct bpmu_error err;

	if (bpmu_event_parse(&pmu, smt, event, &spec, &err))
		fail_msg("%s", err.text);
	bpmu_errata_of_event(&cpu, &spec, &errata);
	bpmu_event_free(&spec);
	bpmu_errata_words(&errata, words);
	assert_string_equal(words, expected);
}

TEST(events_have_their_errata)
{
	expect_of("k10", 1, "RETIRED_INSTRUCTIONS", "X87-CONTROL");
	expect_of("zen2", 1, "RETIRED_BRANCH_INSTRUCTIONS_MISPREDICTED", "RETIRE-OVER 1291");
	expect_of("zen3", 1, "r00c0", "1292");
	expect_of("zen3", 1, "RETIRED_FAR_CONTROL_TRANSFERS", "");
	expect_of("zen4", 1, "RETIRED_CONDITIONAL_BRANCH_INSTRUCTIONS", "SPECLOCK");
	expect_of("zen1", 1, "L3_COMB_CLSTR_STATE.REQUEST_MISS", "1067");
	expect_of("zen1", 1, "L3_LOOKUP_STATE.L3_MISS", "");
	expect_of("zen1", 1, "RETIRED_OPS", "RETIRE-OVER");
	expect_of("zen1", 1, "CORE.IRPERF", "1054");
	expect_of("zen3", 1, "msr/irperf/", "1267");
	expect_of("zen4", 1, "CORE.IRPERF", "");
	expect_of("bulldozer", 1, "RETIRED_UOPS", "538");
	expect_of("jaguar", 1, "cycles", "794");
	expect_of("zen4", 1, "RETIRED_OPS", "");
	expect_of("ivb", 1, "MEM_LOAD_UOPS_RETIRED.LLC_HIT", "BV98");
	expect_of("ivb", 1, "mem_load_uops_retired.llc_hit:u", "BV98");
	expect_of("ivb", 1, "r04d1", "BV98");
	expect_of("ivb", 0, "r04d1", "");
	expect_of("ivb", 0, "CYCLE_ACTIVITY.STALLS_L2_PENDING", "L2-PENDING");
	expect_of("ivb", 1, "UOPS_ISSUED.ANY", "");
	expect_of("snb", 1, "MEM_LOAD_UOPS_RETIRED.L1_HIT", "BJ122");
}

TEST(metrics_have_the_errata_of_their_events)
{
	static const char text[] =
		"L2 = (A - CYCLE_ACTIVITY.STALLS_L2_PENDING:u) / Clocks\n"
		"L3 = MEM_LOAD_UOPS_RETIRED.LLC_HIT / Clocks if SMT else 1\n"
		"A := CYCLE_ACTIVITY.STALLS_L1D_PENDING\n"
		"Both = L2 + L2 + L3\n"
		"Clocks := CPU_CLK_UNHALTED.THREAD\n";
	struct bpmu_errata_cpu cpu = cpu_of("ivb", 1);
	struct bpmu_metrics metrics = { .nr = 0 };
	struct bpmu_errata *errata;
	struct bpmu_error err;

	if (bpmu_metrics_parse(&metrics, "test", text, &err))
		fail_msg("%s", err.text);
	errata = bpmu_errata_of_metrics(&cpu, &metrics);
	assert_non_null(errata);
	assert_int_equal(errata[2].nr, 0);
	assert_int_equal(errata[3].nr, 2);
	assert_string_equal(errata[3].name[0], "L2-PENDING");
	assert_string_equal(errata[3].name[1], "BV98");
	free(errata);
	cpu.smt = 0;
	errata = bpmu_errata_of_metrics(&cpu, &metrics);
	assert_non_null(errata);
	assert_int_equal(errata[1].nr, 0);
	free(errata);
	bpmu_metrics_free(&metrics);
}

TEST(prints_names_separated_by_blanks)
{
	const struct bpmu_errata errata = { .name = { "A1", "B2" }, .nr = 2 };
	const struct bpmu_errata none = { .nr = 0 };
	char text[BPMU_ERRATA_WORDS];

	bpmu_errata_words(&errata, text);
	assert_string_equal(text, "A1 B2");
	bpmu_errata_words(&none, text);
	assert_string_equal(text, "");
}

int main(void)
{
	static const struct unit_check checks[] = {
		{ "errata of all rows are known", names_in_event_rows_have_facts },
	};
	int failed = unit_run_parts("errata of parts", checks,
				    ARRAY_SIZE(checks));

	/*
	 * The tests of each CPU model have run before, and have printed a TAP plan. The other tests
	 * print a second plan.
	 */
	puts("TAP version 13");
	fflush(stdout);
	return failed + test_run();
}
