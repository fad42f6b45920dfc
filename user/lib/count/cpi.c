// SPDX-License-Identifier: GPL-2.0
#include "cpi.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "spread.h"

/*
 * Rounding errors can make the value of a node of the metric tree differ from the sum of its
 * children's values by at most this much.
 */
#define ROUNDING 0.000000001
/* With at least this many degrees of freedom, Student's t distribution is taken as normal. */
#define FREEDOM_MAX 10000

#define WORK "WORK="
#define WORK_MIN 0.001
#define WORK_MAX 1e18

/**
 * bpmu_cpi_take() - parse the argument of --normalise: CPI per instruction or per unit of work
 * @text: "INST" for instructions, or "WORK=" and the number of units of the application's work
 * @work: set to the number of units of work; to 0 for instructions
 *
 * Return: 0 or -EINVAL.
 */
int bpmu_cpi_take(const char *text, double *work, struct bpmu_error *err)
{
	char *end = "";

	*work = 0;
	if (!strcmp(text, "INST"))
		return 0;
	if (!strncmp(text, WORK, strlen(WORK)))
		*work = strtod(text + strlen(WORK), &end);
	if (!*end && *work >= WORK_MIN && *work <= WORK_MAX)
		return 0;
	return bpmu_error_set(err, -EINVAL,
			      "--normalise '%s': is neither INST nor WORK=NUMBER; write how many units of work the program does, such as WORK=1000",
			      text);
}

/**
 * bpmu_cpi_unit() - unit of a tree's CPI: cycles per instruction or per unit of work
 * @tree: the metric tree
 *
 * Return: the unit, a constant string.
 */
const char *bpmu_cpi_unit(const struct bpmu_tree *tree)
{
	return tree->work > 0 ? "cycles per unit of work" :
				"cycles per instruction";
}

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
 * Checks if the CPI stack shows the children of node @parent in place of the node. It does so only
 * if the children's values add up to the value of the node: the children are all fractions of the
 * slots (none is a fraction of the cycles), have values, and do not overlap.
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

/*
 * Returns an upper bound of the half-width of the confidence interval of the product @a * @b. The
 * exact half-width depends on the correlation between @a and @b, which is unknown.
 */
static double product_half(const struct bpmu_tree_value *a,
			   const struct bpmu_tree_value *b)
{
	double half = 0;

	/* A value of 0 contributes 0, even if the uncertainty of the other value is INFINITY. */
	if (b->value)
		half += fabs(b->value) * a->uncertainty;
	if (a->value)
		half += fabs(a->value) * b->uncertainty;
	return half;
}

/*
 * Returns the degrees of freedom of the product of @a and @b: the smaller number of @a's and of
 * @b's degrees of freedom. An exact factor is left out.
 */
static double freedom_of(const struct bpmu_tree_value *a,
			 const struct bpmu_tree_value *b)
{
	double freedom = INFINITY;

	if (a->uncertainty > 0 && a->freedom > 0)
		freedom = a->freedom;
	if (b->uncertainty > 0 && b->freedom > 0)
		freedom = fmin(freedom, b->freedom);
	return fmin(freedom, FREEDOM_MAX);
}

/*
 * Widens the 95 % confidence intervals of the stack's components from single to simultaneous ones:
 * the probability that all of them contain their true values at the same time is then 95 %.
 */
static void widen(struct bpmu_cpi *cpi, const struct bpmu_tree *tree,
		  const struct bpmu_tree_value *values)
{
	struct bpmu_cpi_part *part;
	double freedom;
	unsigned int i;

	for (i = 0; i < cpi->nr; i++) {
		part = &cpi->part[i];
		freedom = freedom_of(&values[part->metric], &values[tree->cpi]);
		part->uncertainty *= fmax(1, bpmu_student_family(freedom, cpi->nr) /
					     bpmu_student(freedom));
	}
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
		cpi->part[cpi->nr].uncertainty = product_half(&values[i],
							      &values[tree->cpi]);
		cpi->part[cpi->nr++].cpi = values[i].value * cpi->measured;
		cpi->sum += values[i].value * cpi->measured;
	}
}

/**
 * bpmu_cpi_stack() - compute the CPI of each node of a metric tree, for --normalise
 * @cpi: filled in; free it with bpmu_cpi_free() on success
 * @tree: the metric tree, which must have the metric "cycles per instruction" (@tree->cpi)
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
	cpi->uncertainty = values[tree->cpi].uncertainty;
	cpi->flags = values[tree->cpi].flags;
	cpi_add(cpi, tree, values, -1);
	widen(cpi, tree, values);
	cpi->known &= cpi->nr > 0;
	return 0;
}

/**
 * bpmu_cpi_free() - free the CPI of the nodes of a metric tree
 * @cpi: from bpmu_cpi_stack()
 */
void bpmu_cpi_free(struct bpmu_cpi *cpi)
{
	free(cpi->part);
	cpi->part = NULL;
}

/**
 * struct line - a line of a printed CPI stack: a component, their sum, the residual, or the CPI
 * @name: name of the line
 * @type: "component", "sum", "residual" or "measured"
 * @unit: unit of @cpi
 * @cpi: the value
 * @uncertainty: half-width of the confidence interval of @cpi
 * @flags: mask of &enum bpmu_value_flag
 */
struct line {
	const char *name;
	const char *type;
	const char *unit;
	double cpi;
	double uncertainty;
	unsigned int flags;
};

/*
 * In text, a value below this limit is printed with four decimals, any other value with one
 * decimal.
 */
#define TEXT_SMALL 1000

static void cpi_text_line(FILE *out, const struct bpmu_cpi *cpi,
			  const struct line *line, const char *flags)
{
	fprintf(out, "  %-32s", line->name);
	if (!cpi->known)
		fputs("  no value", out);
	else if (fabs(line->cpi) < TEXT_SMALL)
		fprintf(out, "%10.4f", line->cpi);
	else
		fprintf(out, "%10.1f", line->cpi);
	if (cpi->known && isinf(line->uncertainty))
		fputs("  +- unknown", out);
	else if (cpi->known && line->uncertainty > 0)
		fprintf(out, "  +- %.4g", line->uncertainty);
	fprintf(out, "%s%s%s\n", *flags ? "  (" : "", flags,
		*flags ? ")" : "");
}

static void cpi_print_line(struct bpmu_table *table, const struct bpmu_cpi *cpi,
			   const struct line *line)
{
	const double known = cpi->known ? line->cpi : NAN;
	char flags[BPMU_VALUE_FLAG_TEXT];
	const struct bpmu_field fields[] = {
		{ "name", line->name, BPMU_FIELD_TEXT },
		{ "part", line->type, BPMU_FIELD_TEXT },
		{ "value", .form = BPMU_FIELD_NUMBER, .number = known },
		{ "uncertainty", .form = BPMU_FIELD_NUMBER,
		  .number = cpi->known ? line->uncertainty : NAN },
		{ "flags", flags, BPMU_FIELD_WORDS },
		{ "unit", line->unit, BPMU_FIELD_TEXT },
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
 * bpmu_cpi_print() - print the CPI of each component, their sum, and the residual
 * @table: output, format and time stamp
 * @cpi: the CPI stack, from bpmu_cpi_stack()
 * @tree: the metric tree of which bpmu_cpi_stack() computed the CPI
 */
void bpmu_cpi_print(struct bpmu_table *table, const struct bpmu_cpi *cpi,
		    const struct bpmu_tree *tree)
{
	const struct bpmu_metric *metric = tree->metrics.metric;
	struct line line = {
		.type = "component", .unit = bpmu_cpi_unit(tree),
	};
	unsigned int i;

	for (i = 0; i < cpi->nr; i++) {
		line.name = metric[cpi->part[i].metric].name;
		line.cpi = cpi->part[i].cpi;
		line.uncertainty = cpi->part[i].uncertainty;
		line.flags = cpi->part[i].flags;
		cpi_print_line(table, cpi, &line);
	}
	line = (struct line){ "sum", "sum", line.unit, cpi->sum, 0,
				   cpi->sum_flags };
	cpi_print_line(table, cpi, &line);
	line = (struct line){ "residual", "residual", line.unit,
				   cpi->measured - cpi->sum, 0,
				   cpi->sum_flags | cpi->flags };
	cpi_print_line(table, cpi, &line);
	line = (struct line){ "measured", "measured", line.unit,
				   cpi->measured, cpi->uncertainty,
				   cpi->flags };
	cpi_print_line(table, cpi, &line);
}
