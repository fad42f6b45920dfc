// SPDX-License-Identifier: GPL-2.0
#include "tree_rows.h"

#include <string.h>

#include "fold.h"
#include "metric/value_flag.h"

/* width in characters of the column with the names of nodes, which are indented */
#define NAME_WIDTH 30
/* minimum width of a column: the width of the text "no value" */
#define COLUMN_MIN 8
/* width of the table in characters, if the output is no terminal */
#define PAGE_WIDTH 100

/**
 * struct view - a table of a tree's values: a line for each node, a column for each CPU, core, ...
 * @out: output
 * @tree: the tree
 * @rows: the CPUs, cores, ..., of which the table has a column
 * @values: values, [column][metric]
 */
struct view {
	FILE *out;
	const struct bpmu_tree *tree;
	const struct bpmu_rows *rows;
	const struct bpmu_tree_value *values;
};

static const struct bpmu_tree_value *tree_rows_value(const struct view *v, unsigned int row,
						     unsigned int i)
{
	return &v->values[(size_t)row * v->tree->metrics.nr + i];
}

static int tree_rows_width(const struct bpmu_row *row)
{
	int length = strlen(row->label);

	return length < COLUMN_MIN ? COLUMN_MIN : length;
}

static void tree_rows_cell(const struct view *v, unsigned int i, int width,
			   const struct bpmu_tree_value *value)
{
	bool share = v->tree->share[i];
	char text[32] = "no value";

	if (value->known)
		snprintf(text, sizeof(text), share ? "%.1f" : "%.4g",
			 share ? 100 * value->value : value->value);
	else if (value->flags & BPMU_VALUE_SHARED)
		strcpy(text, "-");
	fprintf(v->out, " %*s%c", width, text, value->flagged ? '!' :
		value->flags & BPMU_VALUE_UNDECIDED ? '?' : ' ');
}

static void tree_rows_unit(const struct view *v, unsigned int i)
{
	const char *unit = v->tree->metrics.metric[i].unit ?: "";
	bool share = v->tree->share[i];

	fprintf(v->out, "  %s%s\n", share ? "% of " : "", unit);
}

/* Prints a table with a column for each set of CPUs that has an index from @first to @end - 1. */
static void tree_rows_block(const struct view *v, unsigned int first, unsigned int end)
{
	const struct bpmu_row *row = v->rows->row;
	const struct bpmu_metric *metric;
	unsigned int i, k;
	int indent;

	fprintf(v->out, "  %-*s", NAME_WIDTH, v->rows->by == BPMU_ROWS_CPU ? "CPU" : "");
	for (k = first; k < end; k++)
		fprintf(v->out, " %*s%s", tree_rows_width(&row[k]), row[k].label,
			k + 1 < end ? " " : "");
	fputc('\n', v->out);
	if (bpmu_rows_grouped(v->rows)) {
		fprintf(v->out, "  %-*s", NAME_WIDTH, "CPUs");
		for (k = first; k < end; k++)
			fprintf(v->out, " %*u%s", tree_rows_width(&row[k]), row[k].cpus,
				k + 1 < end ? " " : "");
		fputc('\n', v->out);
	}
	for (i = 0; i < v->tree->metrics.nr; i++) {
		if (!v->tree->shown[i])
			continue;
		metric = &v->tree->metrics.metric[i];
		indent = 2 * metric->level;
		fprintf(v->out, "%*s%-*s", indent, "", NAME_WIDTH + 2 - indent, metric->name);
		for (k = first; k < end; k++)
			tree_rows_cell(v, i, tree_rows_width(&row[k]), tree_rows_value(v, k, i));
		tree_rows_unit(v, i);
	}
}

static void tree_rows_legend(const struct view *v)
{
	bool flagged = false, undecided = false, shared = false;
	unsigned int row, i;

	for (row = 0; row < v->rows->nr; row++)
		for (i = 0; i < v->tree->metrics.nr; i++) {
			if (!v->tree->shown[i])
				continue;
			flagged |= tree_rows_value(v, row, i)->flagged;
			undecided |= tree_rows_value(v, row, i)->flags & BPMU_VALUE_UNDECIDED;
			shared |= tree_rows_value(v, row, i)->flags & BPMU_VALUE_SHARED;
		}
	if (flagged || undecided)
		fprintf(v->out, "\n%s%s%s\n", flagged ? "!: over its threshold" : "",
			flagged && undecided ? "; " : "",
			undecided ? "?: the 95 % interval contains the threshold" : "");
	if (shared)
		fputs("-: counted for a whole package, L3 or core; --per-socket has rows as large.\n",
		      v->out);
}

/**
 * bpmu_tree_rows_text() - print the rows of a tree as a table: a column for each CPU, core, ...
 * @rows: the CPUs, cores, ..., of which the table has a column
 * @values: values, [column][metric]
 *
 * If the table is wider than the screen, it is split into several tables, one below the other.
 */
void bpmu_tree_rows_text(FILE *out, const struct bpmu_tree *tree, const struct bpmu_rows *rows,
			 const struct bpmu_tree_value *values)
{
	const struct view view = { out, tree, rows, values };
	const struct view *v = &view;
	/*
	 * Number of characters of a line for values: the width of the screen without the names of
	 * nodes, and without 20 characters for units such as "% of core clocks"
	 */
	int room = (bpmu_fold_width(v->out) ?: PAGE_WIDTH) - NAME_WIDTH - 20;
	unsigned int first, end;
	int width;

	for (first = 0; first < v->rows->nr; first = end) {
		if (first)
			fputc('\n', v->out);
		width = 0;
		for (end = first; end < v->rows->nr; end++) {
			width += tree_rows_width(&v->rows->row[end]) + 2;
			if (width > room && end > first)
				break;
		}
		tree_rows_block(v, first, end);
	}
	tree_rows_legend(v);
}
