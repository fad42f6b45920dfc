// SPDX-License-Identifier: GPL-2.0
#include "errata_report.h"

#include "trial/errata_sign.h"

static const char *errata_report_counter_name(u32 counter, char buffer[20])
{
	if (counter >= BPMU_FIXED_BASE)
		snprintf(buffer, 20, "fixed %u", counter - BPMU_FIXED_BASE);
	else
		snprintf(buffer, 20, "%u", counter);
	return buffer;
}

/* does the next test find the same: then what is published is said there */
static bool again(const struct bpmu_errata_check *check,
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
	struct bpmu_errata errata;
	char counter[20];

	if (!sure && !report->verbose)
		return;
	fprintf(out, "  %-5s %s, counter %s: ", sure ? "FOUND" : "ok",
		test->event, errata_report_counter_name(test->counter, counter));
	if (!sure) {
		fprintf(out, "%s: no\n", bpmu_errata_sign_text(test->what));
		return;
	}
	fprintf(out, "%s\n        %+.4g per %s, in %u of %u trials, p < %.1g\n",
		bpmu_errata_sign_text(test->what), d->base ? d->sum / d->base : d->sum,
		test->per, d->above > d->below ? d->above : d->below,
		d->trials, bpmu_deviation_p(d, check->nr));
	if (again(check, test))
		return;
	bpmu_errata_with_sign(&report->cpu, test->what, &errata);
	fputs("        published: ", out);
	bpmu_errata_print(out, BPMU_TEXT, NULL, &errata);
	fputs(errata.nr ? "; see \"barepmu errata list -v\"\n" :
			  "nothing that is known to look so\n", out);
}

static void errata_report_csv(FILE *out, const struct bpmu_errata_report *report,
			      const struct bpmu_errata_check *check,
			      const struct bpmu_errata_test *test)
{
	const struct bpmu_deviation *d = &test->deviation;
	const char *s = report->separator;
	struct bpmu_errata errata;

	fprintf(out, "%s%s", bpmu_errata_sign_name(test->what), s);
	bpmu_print_csv(out, test->event, s);
	fprintf(out, "%s%u%s%u%s%u%s%u%s", s, test->counter, s, d->trials, s,
		d->above, s, d->below, s);
	if (d->base)
		fprintf(out, "%.6g", d->sum / d->base);
	fprintf(out, "%s%s%s%.3g%s%s", s, test->per, s,
		bpmu_deviation_p(d, check->nr), s,
		bpmu_deviation_sure(d, check->nr) ? "found" : "");
	bpmu_errata_with_sign(&report->cpu, test->what, &errata);
	bpmu_errata_print(out, BPMU_CSV, s, &errata);
	fputc('\n', out);
}

static void errata_report_json(FILE *out, const struct bpmu_errata_report *report,
			       const struct bpmu_errata_check *check,
			       const struct bpmu_errata_test *test)
{
	const struct bpmu_deviation *d = &test->deviation;
	struct bpmu_errata errata;

	fprintf(out, "{\"schema\":1,\"type\":\"errata-test\",\"test\":\"%s\",\"event\":",
		bpmu_errata_sign_name(test->what));
	bpmu_print_json(out, test->event);
	fprintf(out, ",\"cpu\":%u,\"counter\":%u,\"trials\":%u,\"above\":%u,\"below\":%u,\"deviation\":",
		check->trial.cpu, test->counter, d->trials, d->above, d->below);
	if (d->base)
		fprintf(out, "%.6g", d->sum / d->base);
	else
		fputs("null", out);
	fprintf(out, ",\"per\":\"%s\",\"p\":%.3g,\"found\":%s", test->per,
		bpmu_deviation_p(d, check->nr),
		bpmu_deviation_sure(d, check->nr) ? "true" : "false");
	bpmu_errata_with_sign(&report->cpu, test->what, &errata);
	bpmu_errata_print(out, BPMU_JSON, NULL, &errata);
	fputs("}\n", out);
}

static void errata_report_head(FILE *out, const struct bpmu_errata_report *report,
			       const struct bpmu_errata_check *check)
{
	const char *s = report->separator;

	if (report->format == BPMU_TEXT)
		fprintf(out, "Loops of known length on CPU %u (%s), %u tests of %u trials each:\n\n",
			check->trial.cpu, report->title, check->nr,
			check->trials);
	if (report->format == BPMU_CSV)
		fprintf(out, "test%sevent%scounter%strials%sabove%sbelow%sdeviation%sper%sp%sfound%serrata\n",
			s, s, s, s, s, s, s, s, s, s);
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
 * bpmu_errata_report() - print it
 * @out: where
 * @report: how
 * @check: with the trials done
 *
 * Return: how many tests found something.
 */
unsigned int bpmu_errata_report(FILE *out,
				const struct bpmu_errata_report *report,
				const struct bpmu_errata_check *check)
{
	unsigned int found = 0;
	unsigned int i;

	errata_report_head(out, report, check);
	for (i = 0; i < check->nr; i++) {
		found += bpmu_deviation_sure(&check->test[i].deviation,
					     check->nr);
		if (report->format == BPMU_CSV)
			errata_report_csv(out, report, check, &check->test[i]);
		else if (report->format == BPMU_JSON)
			errata_report_json(out, report, check, &check->test[i]);
		else
			errata_report_text(out, report, check, &check->test[i]);
	}
	if (report->format == BPMU_TEXT)
		errata_report_tail(out, check, found);
	return found;
}
