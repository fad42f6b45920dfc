// SPDX-License-Identifier: GPL-2.0
/*
 * Comparison of two recordings by report --diff. Each recording is divided into intervals of the
 * same length, whose values are taken for a statistical sample. The means are compared by Welch's
 * test, which does not assume equal variances (B. L. Welch, Biometrika 34, 1947).
 */
#include "report_diff.h"

#include "base/array.h"
#include "base/fields.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "count/spread.h"
#include "metric/value_flag.h"

/*
 * maximum probability that at least one of all tested differences is called significant by chance,
 * if nothing has changed
 */
#define FAMILY_P 0.05

/*
 * value of &bpmu_change.p if there are too few values for Welch's test; it is larger than any
 * p-value
 */
#define UNTESTED 2

/* number of intervals into which report --diff divides the shorter recording */
#define INTERVALS 32

/*
 * size in bytes of the remarks that are printed on a change: by how many per cent, why it is not
 * significant, and flags
 */
#define NOTES_MAX (BPMU_VALUE_FLAG_TEXT + 400)
#define NUMBER_MAX 40

/**
 * bpmu_diff_interval_us() - length of the intervals into which report --diff divides two recordings
 * @seconds: length of each recording in seconds
 * @least_ns: longer one of the two recordings' times between two samples, in ns
 *
 * Return: length of the intervals in microseconds. It is a multiple of @least_ns, so that all
 * intervals have the same number of samples.
 */
double bpmu_diff_interval_us(const double seconds[2], u64 least_ns)
{
	double shorter = seconds[0] < seconds[1] ? seconds[0] : seconds[1];
	double least = least_ns / 1e3;
	double many = floor(shorter * 1e6 / INTERVALS / least);

	return many < 1 ? least : many * least;
}

/**
 * bpmu_diff_change() - compare the means of a value in two recordings, for report --diff
 * @change: output: the difference of the means and its p-value
 * @before: mean and variance in the first recording; must stay valid as long as @change
 * @after: mean and variance in the second recording; must stay valid as long as @change
 */
void bpmu_diff_change(struct bpmu_change *change, const struct bpmu_sum *before,
		      const struct bpmu_sum *after)
{
	double a = before->nr, b = after->nr;
	double off = after->mean - before->mean;
	double va, vb, freedom;

	*change = (struct bpmu_change){
		.before = before, .after = after, .half = INFINITY,
		.p = UNTESTED,
	};
	if (before->nr < 2 || after->nr < 2)
		return;
	va = before->squares / (a - 1) / a;
	vb = after->squares / (b - 1) / b;
	change->half = 0;
	change->p = off == 0;
	if (va + vb > 0) {
		freedom = pow(va + vb, 2) /
			  (va * va / (a - 1) + vb * vb / (b - 1));
		change->half = bpmu_student(freedom) * sqrt(va + vb);
		change->p = bpmu_student_p(off / sqrt(va + vb), freedom);
	}
}

static int compare_p(const void *a, const void *b)
{
	const struct bpmu_change *x = a, *y = b;

	return x->p < y->p ? -1 : x->p > y->p;
}

/**
 * bpmu_diff_is_significant() - check if one of many differences is significant in report --diff
 * @p: p-value of the difference
 * @rank: number of differences with lower p-values; the caller has found all of these significant
 * @nr: number of all differences
 *
 * Uses Holm's procedure (S. Holm, Scandinavian Journal of Statistics 6, 1979). It bounds the
 * family-wise false-positive rate by FAMILY_P, however the values depend on each other.
 *
 * Return: true if the difference is significant. If it is not, no difference with a higher p-value
 * is significant, either.
 */
bool bpmu_diff_is_significant(double p, unsigned int rank, unsigned int nr)
{
	return p <= FAMILY_P / (nr - rank);
}

/**
 * bpmu_diff_judge() - decide which of the differences that report --diff prints are significant
 * @change: differences, [@nr], in any order. &bpmu_change.significant of each is set, and they are
 *	sorted by p-value
 * @nr: number of differences
 */
void bpmu_diff_judge(struct bpmu_change *change, unsigned int nr)
{
	unsigned int tested = 0;
	unsigned int i;

	qsort(change, nr, sizeof(*change), compare_p);
	while (tested < nr && change[tested].p < UNTESTED)
		tested++;
	for (i = 0; i < tested && bpmu_diff_is_significant(change[i].p, i, tested); i++)
		change[i].significant = true;
}

static void diff_number(char text[NUMBER_MAX], const struct bpmu_sum *sum,
			double value)
{
	if (sum->share)
		snprintf(text, NUMBER_MAX, "%.1f %%", 100 * value);
	else
		snprintf(text, NUMBER_MAX, "%.6g", value);
}

/* Writes the names of the flags that at least one of the two values has; returns their length. */
static size_t diff_flags_of(const struct bpmu_change *change,
			    const char *between, char text[BPMU_VALUE_FLAG_TEXT])
{
	return bpmu_value_flags_text(change->before->flags |
				     change->after->flags, "", between, "",
				     text);
}

/*
 * Writes the remarks on a change: by how many per cent the mean has changed, why the change is not
 * significant, and the flags of both values.
 */
static void diff_notes(const struct bpmu_change *change, char notes[NOTES_MAX])
{
	const struct bpmu_sum *sum = change->before;
	char flags[BPMU_VALUE_FLAG_TEXT];
	size_t nr = 0;

	notes[0] = '\0';
	if (sum->mean != 0 && !sum->share)
		nr += snprintf(notes, NOTES_MAX, "  (%+.1f%%)",
			       100 * (change->after->mean / sum->mean - 1));
	if (change->p >= UNTESTED)
		nr += sprintf(notes + nr, "  (not tested: too few intervals)");
	else if (!change->significant)
		nr += sprintf(notes + nr, "  (not significant)");
	if (diff_flags_of(change, ", ", flags))
		sprintf(notes + nr, "  (%s)", flags);
}

static const struct bpmu_column diff_columns[] = {
	{ "cpus", 8, .before = "  ", .head = "CPUs" },
	{ "before", 14, .before = "  ", .head = "before" },
	{ "after", 14, .before = "  ", .head = "after" },
	{ "change", 14, .before = "  ", .head = "change" },
	{ "uncertainty", -12, .before = " +- " },
	{ "name", .before = "  " },
	{ "notes" },
};

static void diff_row(struct bpmu_table *table, const struct bpmu_change *change)
{
	const struct bpmu_sum *sum = change->before;
	const double off = change->after->mean - sum->mean;
	char flags[BPMU_VALUE_FLAG_TEXT], notes[NOTES_MAX];
	char number[4][NUMBER_MAX];
	const struct bpmu_field fields[] = {
		{ "cpus", sum->label, BPMU_FIELD_TEXT },
		{ "name", sum->name, BPMU_FIELD_TEXT },
		{ "before", .form = BPMU_FIELD_REAL, .number = sum->mean,
		  .digits = 9, .cell = number[0] },
		{ "after", .form = BPMU_FIELD_REAL,
		  .number = change->after->mean, .digits = 9, .cell = number[1] },
		{ "change", .form = BPMU_FIELD_REAL, .number = off, .digits = 9,
		  .cell = number[2] },
		{ "uncertainty", .form = BPMU_FIELD_REAL,
		  .number = change->half, .digits = 9,
		  .cell = isinf(change->half) ? "?" : number[3] },
		{ "unit", sum->unit, BPMU_FIELD_TEXT },
		{ "flags", flags, BPMU_FIELD_WORDS },
		{ "significant", .form = BPMU_FIELD_TRUTH, .whole = change->significant },
		{ "notes", notes, BPMU_FIELD_CELL },
	};

	diff_number(number[0], sum, sum->mean);
	diff_number(number[1], sum, change->after->mean);
	diff_number(number[2], sum, off);
	diff_number(number[3], sum, change->half);
	diff_notes(change, notes);
	diff_flags_of(change, " ", flags);
	bpmu_table_row(table, fields, ARRAY_SIZE(fields));
}

static void diff_print(FILE *out, enum bpmu_format format, const char *separator,
		       const struct bpmu_change *change, unsigned int nr)
{
	struct bpmu_table table = {
		.out = out, .format = format, .separator = separator,
		.type = "change", .text = BPMU_COLUMNS(diff_columns),
	};
	unsigned int quiet = 0;
	unsigned int i;

	if (format == BPMU_TEXT)
		bpmu_table_head(&table, NULL, 0);
	for (i = 0; i < nr; i++) {
		quiet += !change[i].significant;
		diff_row(&table, &change[i]);
	}
	if (format == BPMU_TEXT && quiet == nr)
		fprintf(out, "\n  No significant change (%u values, 95 %% level for all together)\n",
			nr);
	else if (format == BPMU_TEXT)
		fprintf(out, "\n  %u of %u values have changed significantly (95 %% level for all together)\n",
			nr - quiet, nr);
}

/**
 * bpmu_diff_print() - print the changes of report --diff, those with the smallest p-values first
 * @format: format of the output
 * @separator: separator of CSV
 * @before: mean and variance of each value over the intervals of the first recording
 * @after: mean and variance of each value over the intervals of the second recording
 *
 * All values that both recordings have are printed; text says which changes are not significant.
 *
 * Return: 0, -ENODATA if the recordings have no value in common, or -ENOMEM.
 */
int bpmu_diff_print(FILE *out, enum bpmu_format format, const char *separator,
		    const struct bpmu_sums *before,
		    const struct bpmu_sums *after, struct bpmu_error *err)
{
	struct bpmu_change *change = calloc(before->nr + 1, sizeof(*change));
	const struct bpmu_sum *a, *b;
	unsigned int i, nr = 0;

	if (!change)
		return bpmu_error_set(err, -ENOMEM,
				      "--diff: out of memory; free some");
	for (i = 0; i < before->nr; i++) {
		a = &before->sum[i];
		b = bpmu_sums_find(after, a->label, a->name);
		if (b && a->nr && b->nr)
			bpmu_diff_change(&change[nr++], a, b);
	}
	bpmu_diff_judge(change, nr);
	if (nr)
		diff_print(out, format, separator, change, nr);
	if (nr && format == BPMU_TEXT) {
		bpmu_flaws_text(&before->flaws, out, "  before: ");
		bpmu_flaws_text(&after->flaws, out, "  after: ");
	}
	free(change);
	return nr ? 0 : bpmu_error_set(err, -ENODATA,
				       "--diff: no value is in both files; record the same on the same CPUs, or ask for what both have");
}
