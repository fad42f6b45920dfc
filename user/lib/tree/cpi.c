// SPDX-License-Identifier: GPL-2.0
#include "base/array.h"
#include "cpi.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Checks that the children sum up to their parent, except for rounding. */
#define ROUNDING 0.000000001

static bool is_share(const struct bpmu_tree *tree, unsigned int i)
{
	const char *unit = tree->metrics.metric[i].unit;

	return unit && !strcmp(unit, "slots");
}

static bool is_child(const struct bpmu_tree *tree, unsigned int i, int parent)
{
	return tree->shown[i] && tree->metrics.metric[i].parent == parent;
}

/*
 * Children replace their parent only if they partition its slots: others overlap,
 * or are shares of cycles, and would not add up.
 */
static bool cpi_add_up(const struct bpmu_tree *tree,
		       const struct bpmu_tree_value *values, unsigned int parent)
{
	double rest = values[parent].value;
	unsigned int nr = 0;
	unsigned int i;

	for (i = 0; i < tree->metrics.nr; i++) {
		if (!is_child(tree, i, parent))
			continue;
		if (!values[i].known || !is_share(tree, i))
			return false;
		rest -= values[i].value;
		nr++;
	}
	return nr && fabs(rest) < ROUNDING;
}

static void cpi_add(struct bpmu_cpi *cpi, const struct bpmu_tree *tree,
		    const struct bpmu_tree_value *values, int parent)
{
	unsigned int i;

	for (i = 0; i < tree->metrics.nr; i++) {
		if (!is_child(tree, i, parent) || !is_share(tree, i))
			continue;
		cpi->known &= values[i].known;
		cpi->sum_flags |= values[i].flags & BPMU_VALUE_NONE;
		if (values[i].known && cpi_add_up(tree, values, i)) {
			cpi_add(cpi, tree, values, i);
			continue;
		}
		cpi->part[cpi->nr].metric = i;
		cpi->part[cpi->nr].flags = values[i].flags;
		cpi->part[cpi->nr++].cpi = values[i].value * cpi->measured;
		cpi->sum += values[i].value * cpi->measured;
	}
}

/**
 * bpmu_cpi_stack() - compute the CPI stack of a tree
 * @cpi: filled in; to be freed on success
 * @tree: made with its cycles per instruction
 * @values: values from bpmu_tree_eval()
 *
 * Return: 0 or -ENOMEM.
 */
int bpmu_cpi_stack(struct bpmu_cpi *cpi, const struct bpmu_tree *tree,
		   const struct bpmu_tree_value *values)
{
	memset(cpi, 0, sizeof(*cpi));
	cpi->part = calloc(tree->metrics.nr, sizeof(*cpi->part));
	if (!cpi->part)
		return -ENOMEM;
	cpi->known = values[tree->cpi].known;
	cpi->measured = values[tree->cpi].value;
	cpi->flags = values[tree->cpi].flags;
	cpi_add(cpi, tree, values, -1);
	cpi->known &= cpi->nr > 0;
	return 0;
}

/**
 * bpmu_cpi_free() - free a stack
 * @cpi: the stack
 */
void bpmu_cpi_free(struct bpmu_cpi *cpi)
{
	free(cpi->part);
	cpi->part = NULL;
}

/**
 * struct line - a component, the sum, or the measured CPI
 * @name: name of the line
 * @type: "component", "sum" or "measured"
 * @cpi: cycles per instruction
 * @flags: set of &enum bpmu_value_flag
 */
struct line {
	const char *name;
	const char *type;
	double cpi;
	unsigned int flags;
};

static void cpi_text_line(FILE *out, const struct bpmu_cpi *cpi,
			  const struct line *line, const char *flags)
{
	fprintf(out, "  %-32s", line->name);
	if (cpi->known)
		fprintf(out, "%10.4f", line->cpi);
	else
		fputs("  no value", out);
	fprintf(out, "%s%s%s\n", *flags ? "  (" : "", flags,
		*flags ? ")" : "");
}

static void cpi_print_line(struct bpmu_table *table, const struct bpmu_cpi *cpi,
			   const struct line *line)
{
	const double known = cpi->known ? line->cpi : NAN;
	char flags[BPMU_VALUE_FLAG_TEXT];
	const struct bpmu_field fields[] = {
		{ "name", line->name, BPMU_FIELD_TEXT, .only = BPMU_CSV },
		{ "part", line->type, BPMU_FIELD_TEXT },
		{ "name", line->name, BPMU_FIELD_TEXT, .only = BPMU_JSON },
		{ "cpi", .form = BPMU_FIELD_NUMBER, .number = known,
		  .only = BPMU_CSV },
		{ "value", .form = BPMU_FIELD_NUMBER, .number = known,
		  .only = BPMU_JSON },
		{ "unit", "cycles per instruction", BPMU_FIELD_TEXT,
		  .only = BPMU_JSON },
		{ "flags", flags, BPMU_FIELD_WORDS },
	};

	if (table->format == BPMU_TEXT) {
		bpmu_value_flags_text(line->flags, "", ", ", "", flags);
		cpi_text_line(table->out, cpi, line, flags);
		return;
	}
	bpmu_value_flags_text(line->flags, "", " ", "", flags);
	bpmu_table_row(table, fields, ARRAY_SIZE(fields));
}

/**
 * bpmu_cpi_print() - print the components, their sum, and the measured CPI
 * @table: output, format and time stamp
 * @cpi: the stack
 * @tree: tree of the stack
 */
void bpmu_cpi_print(struct bpmu_table *table, const struct bpmu_cpi *cpi,
		    const struct bpmu_tree *tree)
{
	const struct bpmu_metric *metric = tree->metrics.metric;
	struct line line = { .type = "component" };
	unsigned int i;

	for (i = 0; i < cpi->nr; i++) {
		line.name = metric[cpi->part[i].metric].name;
		line.cpi = cpi->part[i].cpi;
		line.flags = cpi->part[i].flags;
		cpi_print_line(table, cpi, &line);
	}
	line = (struct line){ "sum", "sum", cpi->sum,
				   cpi->sum_flags };
	cpi_print_line(table, cpi, &line);
	line = (struct line){ "measured", "measured", cpi->measured,
				   cpi->flags };
	cpi_print_line(table, cpi, &line);
}
