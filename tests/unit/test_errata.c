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

/* Erratum of family 0x17, and of models of a range or from a model on */
TEST(matches_families_and_ranges_of_models)
{
	struct bpmu_erratum of_family = { .parts = "zen1 zen2", .family = 0x17 };
	struct bpmu_erratum of_model = { .parts = "zen1 zen2", .model = 0x31, .first = 1 };
	struct bpmu_erratum of_models = { .parts = "zen1 zen2", .model = 0x31, .last_model = 0x3f };
	static const struct {
		u32 family, model, stepping;
		bool family_matches, model_matches, models_match;
	} cases[] = {
		{ 0x17, 0x31, 1, true, true, true }, { 0x17, 0x31, 9, true, true, true },
		{ 0x17, 0x31, 0, true, false, true }, { 0x17, 0x30, 1, true, false, false },
		{ 0x17, 0x32, 1, true, false, true }, { 0x17, 0x3f, 1, true, false, true },
		{ 0x17, 0x40, 1, true, false, false }, { 0x19, 0x31, 1, false, true, true },
		{ 0, 0x99, 0, true, true, true },
	};
	struct bpmu_errata_cpu cpu = cpu_of("zen2", 1);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		cpu.family = cases[i].family;
		cpu.model = cases[i].model;
		cpu.stepping = cases[i].stepping;
		assert_int_equal(bpmu_errata_match(&cpu, &of_family) == BPMU_ERRATA_YES,
				 cases[i].family_matches);
		assert_int_equal(bpmu_errata_match(&cpu, &of_model) == BPMU_ERRATA_YES,
				 cases[i].model_matches);
		assert_int_equal(bpmu_errata_match(&cpu, &of_models) == BPMU_ERRATA_YES,
				 cases[i].models_match);
	}
	cpu = cpu_of("zen3", 1);
	assert_int_equal(bpmu_errata_match(&cpu, &of_family), BPMU_ERRATA_NO);
	of_family.parts = "zen33 zen";
	assert_int_equal(bpmu_errata_match(&cpu, &of_family), BPMU_ERRATA_NO);
}

/* A name, or several globs separated by blanks, say which events an erratum affects. */
TEST(globs_choose_the_events_of_an_erratum)
{
	const struct bpmu_erratum erratum = { .name = "E1", .events = "A.B L1D_* MEM?X C.*.D" };
	static const struct {
		const char *event, *errata;
		bool touched;
	} cases[] = {
		{ "A.B", NULL, true }, { "A.BC", NULL, false }, { "A", NULL, false },
		{ "L1D_X", NULL, true }, { "L1D_", NULL, true }, { "L1D", NULL, false },
		{ "MEM.X", NULL, true }, { "MEMX", NULL, false }, { "C.1.D", NULL, true },
		{ "C.D", NULL, false }, { "Z", "E1", true }, { "Z", "E2,E1", true },
		{ "Z", "E11", false }, { "Z", "E", false }, { "Z", "", false },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct bpmu_event row = { .name = cases[i].event, .errata = cases[i].errata };

		if (bpmu_errata_touches(&erratum, &row) != cases[i].touched)
			fail_msg("%s, %s", row.name, row.errata);
	}
}

TEST(a_cpu_of_the_module_has_its_revision)
{
	struct bpmu_info info = { .family = 6, .model = 0x3a, .stepping = 9 };
	struct bpmu_errata_cpu cpu;

	info.pmu.part = bpmu_part_by_name("ivb");
	bpmu_errata_cpu_init(&cpu, &info, 1);
	assert_ptr_equal(cpu.part, info.pmu.part);
	assert_int_equal(cpu.family, 6);
	assert_int_equal(cpu.model, 0x3a);
	assert_int_equal(cpu.stepping, 9);
	assert_int_equal(cpu.smt, 1);
	assert_int_equal(cpu.microcode, bpmu_errata_microcode(BPMU_ERRATA_MICROCODE));
}

TEST(documents_that_could_not_be_read_are_named)
{
	static const char *const zen[][2] = {
		{ "zen4", "AMD's revision guides of Zen 4, such as 57095, could not be had" },
		{ "zen5", "AMD's revision guides of Zen 5, such as 58251, could not be had" },
		{ "zen6", "AMD's revision guides of Zen 6 could not be had" },
	};
	static const char *const intel[] = { "bnl", "slm", "avn", "glm", "glp", "knl" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(zen); i++)
		assert_string_equal(bpmu_errata_unread(zen[i][0]), zen[i][1]);
	for (i = 0; i < ARRAY_SIZE(intel); i++)
		assert_ptr_equal(bpmu_errata_unread(intel[i]), bpmu_errata_unread("bnl"));
	assert_null(bpmu_errata_unread("zen3"));
	assert_null(bpmu_errata_unread("ivb"));
	assert_null(bpmu_errata_unread("zen"));
}

TEST(a_note_names_the_errata)
{
	const struct bpmu_errata errata = { .name = { "A1", "B2" }, .nr = 2 };
	const struct bpmu_errata none = { .nr = 0 };
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	bpmu_errata_note(out, "what", &none);
	bpmu_errata_note(out, "A.B", &errata);
	fclose(out);
	assert_string_equal(text, "  A.B: erratum A1 B2; see \"barepmu list errata -v\"\n");
	free(text);
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
