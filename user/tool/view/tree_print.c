// SPDX-License-Identifier: GPL-2.0
#include "tree_print.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/decimal.h"
#include "colour.h"

#define NAME_WIDTH 32
#define SHARE_WIDTH 7

/**
 * bpmu_print_intervals() - print below a tree what 95 % intervals assume about multiplexed counts
 * @indent: blanks before the line
 *
 * With multiplexing, an event is counted only in some slices of the time. A few slices may have far
 * more events than the others (a heavy tail). bpmu_estimate_flags() notices this only if some of
 * these few slices were counted, so that even an interval without a flag may be too narrow.
 */
void bpmu_print_intervals(FILE *out, const char *indent)
{
	fprintf(out,
		"%s+-: half-width of the 95 %% interval, if no larger bursts fell into slices of other groups; see UNCERTAINTY in barepmu(8).\n",
		indent);
}

/* Appends a node to a line as bpmu_tree_node() prints it; @colour: whether the output is coloured. */
static void tree_put_node(struct bpmu_line *line, const struct bpmu_tree *tree, unsigned int i,
			  const struct bpmu_tree_value *value, enum bpmu_tree_part from,
			  bool colour)
{
	const struct bpmu_metric *metric = &tree->metrics.metric[i];
	const char *unit = metric->unit;
	const double half = bpmu_tree_half_width(value);
	unsigned int words = value->flags & ~BPMU_VALUE_UNDECIDED;
	const size_t indent = 2 * metric->level;
	char number[BPMU_DECIMAL_TEXT];
	char flags[BPMU_VALUE_FLAG_TEXT];
	size_t nr;

	if (from <= BPMU_TREE_NAME) {
		bpmu_line_blanks(line, indent, 0);
		bpmu_line_left(line, metric->name,
			       indent < NAME_WIDTH + 2 ? NAME_WIDTH + 2 - indent : 0);
	}
	if (from <= BPMU_TREE_VALUE && !value->known) {
		bpmu_line_text(line, "  no value");
	} else if (from <= BPMU_TREE_VALUE && tree->share[i]) {
		bpmu_decimal_fixed(number, 100 * value->value, 1);
		bpmu_line_right(line, number, SHARE_WIDTH);
		bpmu_line_text(line, " % of ");
		bpmu_line_text(line, unit);
	} else if (from <= BPMU_TREE_VALUE) {
		bpmu_line_printf(line, "%9.4g%s%s", value->value, unit ? " " : "", unit ?: "");
	}
	if (half > 0)
		bpmu_line_text(line, "  +- ");
	if (isinf(half))
		bpmu_line_char(line, '?');
	else if (half > 0 && tree->share[i])
		bpmu_line_fixed(line, 100 * half, 1);
	else if (half > 0)
		bpmu_line_printf(line, "%.3g", half);
	if (value->flagged && colour)
		bpmu_line_text(line, "  " BPMU_COLOUR_FLAGGED "<==" BPMU_COLOUR_END);
	else if (value->flagged)
		bpmu_line_text(line, "  <==");
	else if (value->flags & BPMU_VALUE_UNDECIDED)
		bpmu_line_text(line, "  ?");
	nr = words ? bpmu_value_flags_text(words, "", ", ", "", flags) : 0;
	if (nr) {
		bpmu_line_text(line, "  (");
		bpmu_line_put(line, flags, nr);
		bpmu_line_char(line, ')');
	}
}

/**
 * bpmu_tree_node() - print a node of a tree as text, without the newline
 * @i: index of the node in @tree
 * @value: value of the node
 * @from: part of the text with which it begins
 *
 * For example "  Frontend_Bound     31.4 % of slots  +- 4.2  <==  (mixed-groups)": the name, the
 * value, and as marks the half-width of the 95 % interval and the flags.
 */
void bpmu_tree_node(FILE *out, const struct bpmu_tree *tree, unsigned int i,
		    const struct bpmu_tree_value *value, enum bpmu_tree_part from)
{
	struct bpmu_line line;

	bpmu_line_begin(&line, out);
	tree_put_node(&line, tree, i, value, from, value->flagged && bpmu_colour(out));
	bpmu_line_write(&line);
}

/**
 * bpmu_tree_text() - print a tree as text
 * @values: from bpmu_tree_eval(), [nr metrics]
 * @only: name of the only node to print, in capitals or not; NULL to print all
 */
void bpmu_tree_text(FILE *out, const struct bpmu_tree *tree,
		    const struct bpmu_tree_value *values, const char *only)
{
	bool asked = false, colour = false;
	struct bpmu_line line;
	unsigned int i;

	bpmu_line_begin(&line, out);
	for (i = 0; i < tree->metrics.nr; i++) {
		if (!tree->shown[i] || (only && strcasecmp(tree->metrics.metric[i].name, only)))
			continue;
		if (values[i].flagged && !asked)
			colour = bpmu_colour(out);
		asked |= values[i].flagged;
		tree_put_node(&line, tree, i, &values[i], BPMU_TREE_NAME, colour);
		bpmu_line_char(&line, '\n');
	}
	bpmu_line_write(&line);
}

/**
 * bpmu_tree_errata() - print a tree's errata, a line for each node that they affect
 */
void bpmu_tree_errata(FILE *out, const struct bpmu_tree *tree)
{
	unsigned int i;

	for (i = 0; i < tree->metrics.nr; i++)
		if (tree->shown[i] && tree->errata[i].nr)
			bpmu_errata_note(out, tree->metrics.metric[i].name,
					 &tree->errata[i]);
}

/**
 * bpmu_metric_fields() - make the CSV or JSON fields with which a tree's metric is printed
 * @errata: text of the errata that affect the metric
 * @flags: text of the flags of the metric's value
 * @field: filled in, except the fields of the value, which bpmu_metric_set() sets
 */
void bpmu_metric_fields(const struct bpmu_metric *metric, const char *errata, const char *flags,
			struct bpmu_field field[BPMU_METRIC_FIELDS])
{
	const struct bpmu_field fields[BPMU_METRIC_FIELDS] = {
		{ "metric", metric->name, BPMU_FIELD_TEXT },
		{ "level", .form = BPMU_FIELD_WHOLE, .whole = metric->level },
		{ "value", .form = BPMU_FIELD_NUMBER, .varies = BPMU_VARIES_OFTEN },
		{ "unit", metric->unit, BPMU_FIELD_TEXT },
		{ "flagged", .form = BPMU_FIELD_FLAG, .varies = BPMU_VARIES_SELDOM },
		{ "flags", flags, BPMU_FIELD_WORDS, .varies = BPMU_VARIES_SELDOM },
		{ "uncertainty", .form = BPMU_FIELD_NUMBER, .varies = BPMU_VARIES_SELDOM },
		{ "errata", errata, BPMU_FIELD_WORDS },
	};

	memcpy(field, fields, sizeof(fields));
}

static struct bpmu_field *metric_field(struct bpmu_field *field, const char *name)
{
	while (strcmp(field->name, name))
		field++;
	return field;
}

/**
 * bpmu_metric_find() - find the fields of a tree's row in which bpmu_metric_set() sets a value
 * @field: fields of a line of CSV or JSON; those of bpmu_metric_fields() are among them, in any
 *	order
 */
struct bpmu_metric_places bpmu_metric_find(struct bpmu_field *field)
{
	return (struct bpmu_metric_places){
		.value = metric_field(field, "value"), .flagged = metric_field(field, "flagged"),
		.half = metric_field(field, "uncertainty"),
	};
}

/**
 * bpmu_metric_set() - set the fields of a tree's row that have the value of a metric
 * @places: from bpmu_metric_find()
 * @format: %BPMU_CSV or %BPMU_JSON. If the value is exact, the half-width of its 95 % interval is
 *	an empty column of CSV, and 0 in JSON
 */
void bpmu_metric_set(const struct bpmu_metric_places *places, enum bpmu_format format,
		     const struct bpmu_tree_value *value)
{
	double half = bpmu_tree_half_width(value);

	places->value->number = value->known ? value->value : NAN;
	places->flagged->whole = value->flagged;
	places->half->number = value->known ? half : NAN;
	places->half->text = isinf(half) ? "inf" : NULL;
	places->half->absent = format == BPMU_CSV && !half;
}

/**
 * bpmu_metric_row() - print one metric of a tree as CSV or JSON
 * @table: output, format and timestamp
 * @of: errata that affect the metric; the names of the errata are printed
 * @value: value of the node
 */
void bpmu_metric_row(struct bpmu_table *table, const struct bpmu_metric *metric,
		     const struct bpmu_errata *of, const struct bpmu_tree_value *value)
{
	struct bpmu_field field[BPMU_METRIC_FIELDS];
	struct bpmu_metric_places places;
	char flags[BPMU_VALUE_FLAG_TEXT];
	char errata[BPMU_ERRATA_WORDS];

	bpmu_value_flags_text(value->flags, "", " ", "", flags);
	bpmu_errata_words(of, errata);
	bpmu_metric_fields(metric, errata, flags, field);
	places = bpmu_metric_find(field);
	bpmu_metric_set(&places, table->format, value);
	bpmu_table_row(table, field, BPMU_METRIC_FIELDS);
}

/**
 * bpmu_tree_refused() - print after a tree the requested metrics that cannot be measured
 * @table: output and format: text, CSV or JSON
 * @choice: the options that chose the tree's metrics, with the metrics that were refused
 */
void bpmu_tree_refused(struct bpmu_table *table,
		       const struct bpmu_choice *choice)
{
	static const struct bpmu_metric none;
	struct bpmu_field row[BPMU_METRIC_FIELDS];
	unsigned int i;

	bpmu_metric_fields(&none, NULL, "refused", row);
	for (i = 0; i < BPMU_METRIC_FIELDS; i++)
		row[i].absent = strcmp(row[i].name, "metric") && strcmp(row[i].name, "flags");
	bpmu_choice_report(choice, table, row, BPMU_METRIC_FIELDS);
}

/**
 * bpmu_tree_rows() - print a tree in CSV or JSON, each node on a line
 * @table: output, format and timestamp
 * @values: from bpmu_tree_eval(), [nr metrics]
 */
void bpmu_tree_rows(struct bpmu_table *table, const struct bpmu_tree *tree,
		    const struct bpmu_tree_value *values)
{
	unsigned int i;

	for (i = 0; i < tree->metrics.nr; i++)
		if (tree->shown[i])
			bpmu_metric_row(table, &tree->metrics.metric[i],
					&tree->errata[i], &values[i]);
}
