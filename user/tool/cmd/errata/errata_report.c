// SPDX-License-Identifier: GPL-2.0
#include "errata_report.h"

#include <math.h>

#include "base/array.h"
#include "base/fields.h"
#include "trial/errata_symptom.h"

static const char *errata_report_counter_name(u32 counter, char buffer[20])
{
	if (counter >= BPMU_FIXED_BASE)
		snprintf(buffer, 20, "fixed %u", counter - BPMU_FIXED_BASE);
	else
		snprintf(buffer, 20, "%u", counter);
	return buffer;
}

/*
 * Successive tests may find the same symptom of an erratum. Published errata with this symptom are
 * printed only after the last of these tests. Returns true if the test after @test has found the
 * same symptom as @test.
 */
static bool sign_repeats(const struct bpmu_errata_check *check,
			 const struct bpmu_errata_test *test)
{
	const struct bpmu_errata_test *next = test + 1;

	return next < check->test + check->nr && next->what == test->what &&
	       bpmu_deviation_sure(&next->deviation, check->nr);
}

static void errata_report_text(FILE *out, const struct bpmu_errata_report *report,
			       const struct bpmu_errata_check *check,
			       const struct bpmu_errata_test *test)
{
	const struct bpmu_deviation *d = &test->deviation;
	bool sure = bpmu_deviation_sure(d, check->nr);
	char published[BPMU_ERRATA_WORDS];
	struct bpmu_errata errata;
	char counter[20];

	if (!sure && !report->verbose)
		return;
	fprintf(out, "  %-5s %s, counter %s: ", sure ? "FOUND" : "ok",
		test->event, errata_report_counter_name(test->counter, counter));
	if (!sure) {
		fprintf(out, "%s: no\n", bpmu_errata_symptom_text(test->what));
		return;
	}
	fprintf(out, "%s\n        %+.4g per %s, in %u of %u trials, p < %.1g\n",
		bpmu_errata_symptom_text(test->what), d->base ? d->sum / d->base : d->sum,
		test->per, d->above > d->below ? d->above : d->below,
		d->trials, bpmu_deviation_p(d, check->nr));
	if (sign_repeats(check, test))
		return;
	bpmu_errata_with_symptom(&report->cpu, test->what, &errata);
	bpmu_errata_words(&errata, published);
	fprintf(out, "        published: %s%s\n", published,
		errata.nr ? "; see \"barepmu errata list -v\"" :
			    "no published erratum has this symptom");
}

/* Prints a row of the table: the result of test @t or, if @t is NULL, the names of the columns. */
static void errata_report_row(struct bpmu_table *table,
			      const struct bpmu_errata_report *report,
			      const struct bpmu_errata_check *check,
			      const struct bpmu_errata_test *t)
{
	static const struct bpmu_errata_test none = { .event = "", .per = "" };
	const struct bpmu_errata_test *test = t ?: &none;
	const struct bpmu_deviation *d = &test->deviation;
	char words[BPMU_ERRATA_WORDS] = "";
	struct bpmu_errata errata;
	const struct bpmu_field fields[] = {
		{ "test", t ? bpmu_errata_symptom_name(t->what) : NULL,
		  BPMU_FIELD_TEXT },
		{ "event", test->event, BPMU_FIELD_TEXT },
		{ "counter", .form = BPMU_FIELD_WHOLE, .whole = test->counter },
		{ "trials", .form = BPMU_FIELD_WHOLE, .whole = d->trials },
		{ "above", .form = BPMU_FIELD_WHOLE, .whole = d->above },
		{ "below", .form = BPMU_FIELD_WHOLE, .whole = d->below },
		{ "deviation", .form = BPMU_FIELD_REAL,
		  .number = d->base ? d->sum / d->base : NAN, .digits = 6 },
		{ "per", test->per, BPMU_FIELD_TEXT },
		{ "p", .form = BPMU_FIELD_REAL,
		  .number = t ? bpmu_deviation_p(d, check->nr) : NAN,
		  .digits = 3 },
		{ "found", .form = BPMU_FIELD_TRUTH,
		  .whole = t && bpmu_deviation_sure(d, check->nr) },
		{ "errata", words, BPMU_FIELD_WORDS },
		{ "cpu", .form = BPMU_FIELD_WHOLE, .whole = check->trial.cpu },
	};

	if (!t) {
		bpmu_table_head(table, fields, ARRAY_SIZE(fields));
		return;
	}
	bpmu_errata_with_symptom(&report->cpu, t->what, &errata);
	bpmu_errata_words(&errata, words);
	bpmu_table_row(table, fields, ARRAY_SIZE(fields));
}

static void errata_report_tail(FILE *out, const struct bpmu_errata_check *check,
			       unsigned int found)
{
	unsigned int i;

	if (!found)
		fputs("  Nothing found.\n", out);
	for (i = 0; i < check->nr_skips; i++)
		fprintf(out, "%s  Not tested: %s\n", i ? "" : "\n",
			check->skip[i]);
}

/**
 * bpmu_errata_report() - report the results of the tests for errata
 * @report: how the results are printed, and which CPU was tested
 * @check: the tests, all of which have been made
 *
 * Return: number of tests with a significant deviation.
 */
unsigned int bpmu_errata_report(FILE *out,
				const struct bpmu_errata_report *report,
				const struct bpmu_errata_check *check)
{
	struct bpmu_table table = {
		.out = out, .format = report->format,
		.separator = report->separator, .type = "errata-test",
	};
	unsigned int found = 0;
	unsigned int i;

	if (report->format == BPMU_TEXT)
		fprintf(out, "Loops of known length on CPU %u (%s), %u tests of %u trials each:\n\n",
			check->trial.cpu, report->title, check->nr,
			check->trials);
	errata_report_row(&table, report, check, NULL);
	for (i = 0; i < check->nr; i++) {
		found += bpmu_deviation_sure(&check->test[i].deviation,
					     check->nr);
		if (report->format != BPMU_TEXT)
			errata_report_row(&table, report, check,
					  &check->test[i]);
		else
			errata_report_text(out, report, check, &check->test[i]);
	}
	if (report->format == BPMU_TEXT)
		errata_report_tail(out, check, found);
	return found;
}
