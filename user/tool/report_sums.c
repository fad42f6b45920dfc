// SPDX-License-Identifier: GPL-2.0
#include "report_sums.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/fields.h"
#include "count/spread.h"
#include "metric/metric_unit.h"
#include "metric/value_flag.h"

#define NUMBER_MAX 40

static bool is(const struct bpmu_sum *sum, const char *label, const char *name)
{
	return !strcmp(sum->name, name) && !strcmp(sum->label, label);
}

/**
 * bpmu_sums_find() - find the sums of an event or metric over runs, for mean and variance
 * @label: text that names the row of the result, such as its CPUs
 * @name: event or metric
 *
 * Return: the sums, or NULL if no value with this label and name was added.
 */
struct bpmu_sum *bpmu_sums_find(const struct bpmu_sums *sums,
				const char *label, const char *name)
{
	unsigned int i;

	if (sums->next < sums->nr && is(&sums->sum[sums->next], label, name))
		return &sums->sum[sums->next];
	for (i = 0; i < sums->nr; i++)
		if (is(&sums->sum[i], label, name))
			return &sums->sum[i];
	return NULL;
}

static struct bpmu_sum *sums_append(struct bpmu_sums *sums)
{
	unsigned int room = sums->room ? 2 * sums->room : 64;
	struct bpmu_sum *grown;

	if (sums->nr == sums->room) {
		grown = reallocarray(sums->sum, room, sizeof(*grown));
		if (!grown)
			return NULL;
		sums->sum = grown;
		sums->room = room;
	}
	return memset(&sums->sum[sums->nr++], 0, sizeof(*sums->sum));
}

static struct bpmu_sum *new_sum(struct bpmu_sums *sums, const char *label,
				const char *name, const char *unit, bool share)
{
	struct bpmu_sum *sum = sums_append(sums);

	if (!sum)
		return NULL;
	sum->label = strdup(label);
	sum->name = strdup(name);
	sum->unit = strdup(unit);
	sum->share = share;
	if (sum->label && sum->name && sum->unit)
		return sum;
	sums->nr--;
	free(sum->label);
	free(sum->name);
	free(sum->unit);
	return NULL;
}

/**
 * bpmu_sums_add() - add a value of one run to the sums for the report: mean and variance over runs
 * @sums: means and variances; the caller zeroes them before the first call
 * @label: text that names the row of the result, such as its CPUs
 * @name: event or metric
 * @unit: unit of the value
 * @share: true if the value is a fraction, shown in per cent
 * @value: value, or NAN if unknown
 * @flags: mask of &enum bpmu_value_flag
 *
 * Updates mean and variance by Welford's recurrence, which is numerically stable. If memory runs
 * out, &bpmu_sums.failed is set.
 */
void bpmu_sums_add(struct bpmu_sums *sums, const char *label, const char *name,
		   const char *unit, bool share, double value,
		   unsigned int flags)
{
	struct bpmu_sum *sum = bpmu_sums_find(sums, label, name);
	double off;

	if (!sum)
		sum = new_sum(sums, label, name, unit, share);
	if (!sum) {
		sums->failed = true;
		return;
	}
	sums->next = sum - sums->sum + 1;
	if (sums->next == sums->nr)
		sums->next = 0;
	sum->flags |= flags & BPMU_VALUE_FLAWS;
	if (isnan(value))
		return;
	off = value - sum->mean;
	sum->mean += off / ++sum->nr;
	sum->squares += off * (value - sum->mean);
}

/**
 * bpmu_metric_sum() - add a metric's value in one run to the sums for the report over runs
 * @value: value of the metric, which may be unknown
 * @label: text that names the row of the result, such as its CPUs
 */
void bpmu_metric_sum(const struct bpmu_metric *metric,
		     const struct bpmu_tree_value *value, const char *label,
		     struct bpmu_sums *sums)
{
	bpmu_sums_add(sums, label, metric->name, metric->unit ?: "",
		      bpmu_unit_is_share(metric->unit),
		      value->known ? value->value : NAN, value->flags);
}

/**
 * bpmu_sum_half_width() - half-width of the 95 % interval of a mean, for a report of several runs
 * @sum: mean and variance of the values
 *
 * Return: half-width, INFINITY for fewer than two values.
 */
double bpmu_sum_half_width(const struct bpmu_sum *sum)
{
	double freedom = sum->nr - 1.0;

	if (sum->nr < 2)
		return INFINITY;
	return bpmu_student(freedom) * sqrt(sum->squares / freedom / sum->nr);
}

/**
 * bpmu_sums_runs() - number of runs whose values were added to the report's sums
 * @sums: means and variances over all runs
 *
 * Return: the number of values of the event or metric that has the most known values.
 */
unsigned int bpmu_sums_runs(const struct bpmu_sums *sums)
{
	unsigned int runs = 0;
	unsigned int i;

	for (i = 0; i < sums->nr; i++)
		if (sums->sum[i].nr > runs)
			runs = sums->sum[i].nr;
	return runs;
}

/* columns of the text output, in their order */
enum column {
	COLUMN_CPUS,
	COLUMN_MEAN,
	COLUMN_HALF,
	COLUMN_PERCENT,
	COLUMN_NAME,
	COLUMN_UNIT,
	COLUMN_FLAGS,
	NR_COLUMNS
};

/**
 * struct text_row - cells of a row of the printed table, before the name of the event or metric
 * @cell: texts of the cells, [&enum column]
 */
struct text_row {
	char cell[COLUMN_NAME][NUMBER_MAX];
};

static void text_number(const struct bpmu_sum *sum, double value, int digits,
			char number[NUMBER_MAX])
{
	char whole[BPMU_PRINT_NUMBER];

	if (sum->share)
		snprintf(number, NUMBER_MAX, "%.1f", 100 * value);
	else if (!strcmp(sum->unit, "events"))
		snprintf(number, NUMBER_MAX, "%s",
			 bpmu_print_number(whole, llround(value)));
	else
		snprintf(number, NUMBER_MAX, "%.*g", digits, value);
}

static struct text_row format_cells(const struct bpmu_sum *sum)
{
	double half = bpmu_sum_half_width(sum);
	struct text_row row = { .cell[COLUMN_MEAN] = "no value" };

	snprintf(row.cell[COLUMN_CPUS], NUMBER_MAX, "%s", sum->label);
	if (!sum->nr)
		return row;
	text_number(sum, sum->mean, 6, row.cell[COLUMN_MEAN]);
	if (isinf(half)) {
		strcpy(row.cell[COLUMN_HALF], "?");
		return row;
	}
	text_number(sum, half, 3, row.cell[COLUMN_HALF]);
	if (sum->mean != 0)
		snprintf(row.cell[COLUMN_PERCENT], NUMBER_MAX, "%.2f",
			 100 * half / fabs(sum->mean));
	return row;
}

static void widen_column(struct bpmu_column *column, const char *text)
{
	int len = strlen(text);

	if (len > abs(column->width))
		column->width = column->width < 0 ? -len : len;
}

/*
 * Makes the columns of the text output as wide as their values. Returns the index of the first
 * column that is printed: the first column, which has CPUs, is left out if it has the same text in
 * all rows.
 */
static unsigned int text_columns(const struct bpmu_sums *sums, struct bpmu_column column[NR_COLUMNS])
{
	static const struct bpmu_column columns[NR_COLUMNS] = {
		[COLUMN_CPUS] = { "cpus", 4, .before = "  ", .head = "cpus" },
		[COLUMN_MEAN] = { "mean", 4, .before = "  ", .head = "mean" },
		[COLUMN_HALF] = { "uncertainty", 2, .before = "  ", .head = "+-" },
		[COLUMN_PERCENT] = { "percent", 1, .before = "  ", .head = "%" },
		[COLUMN_NAME] = { "name", -4, .before = "  ", .after = "  ", .head = "name" },
		[COLUMN_UNIT] = { "unit", .head = "unit" },
		[COLUMN_FLAGS] = { "remark" },
	};
	struct text_row row;
	unsigned int i, c;
	bool several = false;

	memcpy(column, columns, sizeof(columns));
	for (i = 0; i < sums->nr; i++) {
		row = format_cells(&sums->sum[i]);
		for (c = 0; c < COLUMN_NAME; c++)
			widen_column(&column[c], row.cell[c]);
		widen_column(&column[COLUMN_NAME], sums->sum[i].name);
		several |= strcmp(sums->sum[i].label, sums->sum[0].label);
	}
	return several ? COLUMN_CPUS : COLUMN_MEAN;
}

/*
 * Prints a row of the table of means: the mean of an event or metric, or the column names if @sum
 * is NULL.
 */
static void sums_row(struct bpmu_table *table, const struct bpmu_sum *sum)
{
	static char empty[] = "";
	static const struct bpmu_sum none = { .label = empty, .unit = empty };
	const struct text_row row = format_cells(sum ?: &none);
	char flags[BPMU_VALUE_FLAG_TEXT] = "", remark[BPMU_VALUE_FLAG_TEXT + 8] = "";
	char unit[NUMBER_MAX];
	const struct bpmu_field fields[] = {
		{ "cpus", sum ? sum->label : NULL, BPMU_FIELD_TEXT },
		{ "name", sum ? sum->name : NULL, BPMU_FIELD_TEXT },
		{ "mean", .form = BPMU_FIELD_REAL, .cell = row.cell[COLUMN_MEAN],
		  .number = sum && sum->nr ? sum->mean : NAN, .digits = 9 },
		{ "unit", sum ? sum->unit : NULL, BPMU_FIELD_TEXT,
		  .cell = sum && sum->share ? unit : NULL },
		{ "uncertainty", .form = BPMU_FIELD_REAL, .cell = row.cell[COLUMN_HALF],
		  .number = sum && sum->nr > 1 ? bpmu_sum_half_width(sum) : NAN,
		  .digits = 9 },
		{ "runs", .form = BPMU_FIELD_WHOLE,
		  .whole = sum ? sum->nr : 0 },
		{ "flags", flags, BPMU_FIELD_WORDS },
		{ "percent", row.cell[COLUMN_PERCENT], BPMU_FIELD_CELL },
		{ "remark", remark, BPMU_FIELD_CELL },
	};

	if (!sum) {
		bpmu_table_head(table, fields, ARRAY_SIZE(fields));
		return;
	}
	if (strcmp(sum->unit, "share"))
		snprintf(unit, sizeof(unit), "%% of %s", sum->unit);
	else
		strcpy(unit, "%");
	if (bpmu_value_flags_text(sum->flags, "", ", ", "", flags))
		snprintf(remark, sizeof(remark), "  (%s)", flags);
	bpmu_value_flags_text(sum->flags, "", " ", "", flags);
	bpmu_table_row(table, fields, ARRAY_SIZE(fields));
}

/**
 * bpmu_sums_print() - report sums over several runs: means with 95 % intervals
 * @format: format of the output
 * @separator: separator of CSV
 * @sums: means and variances over all runs
 */
void bpmu_sums_print(FILE *out, enum bpmu_format format, const char *separator,
		     const struct bpmu_sums *sums)
{
	struct bpmu_table table = {
		.out = out, .format = format, .separator = separator,
		.type = "mean",
	};
	struct bpmu_column column[NR_COLUMNS];
	unsigned int first = text_columns(sums, column);
	unsigned int i;

	table.text = (struct bpmu_columns){ column + first, NR_COLUMNS - first };
	sums_row(&table, NULL);
	for (i = 0; i < sums->nr; i++)
		sums_row(&table, &sums->sum[i]);
	if (format == BPMU_TEXT)
		bpmu_flaws_text(&sums->flaws, out, "  ");
	else if (format == BPMU_JSON)
		bpmu_flaws_json(&sums->flaws, out);
}

void bpmu_sums_free(struct bpmu_sums *sums)
{
	while (sums->nr) {
		sums->nr--;
		free(sums->sum[sums->nr].label);
		free(sums->sum[sums->nr].name);
		free(sums->sum[sums->nr].unit);
	}
	free(sums->sum);
	memset(sums, 0, sizeof(*sums));
}
