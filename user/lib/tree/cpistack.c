// SPDX-License-Identifier: GPL-2.0
#include "cpistack.h"

#include <math.h>
#include <string.h>

#include "base/array.h"
#include "metric/metric_expr.h"
#include "metric/value_flag.h"

/*
 * Names of pipeline stages with which the names of the metrics of the method "cpistack" begin, for
 * example "Dispatch_Icache"
 */
static const char *const stage_nodes[BPMU_CPISTACK_STAGES] = {
	"Dispatch", "Issue", "Commit"
};

static const char *const stage_names[BPMU_CPISTACK_STAGES] = {
	"dispatch", "issue", "commit"
};

/**
 * struct row - a row of the printed CPI stacks: a component, or a part of a component
 * @name: name in the output
 * @node: name of the row's metric in the method "cpistack", without the stage: "Icache" stands for
 *	"Dispatch_Icache", "Issue_Icache" and "Commit_Icache"
 * @parent: for a part the component to which it belongs; for a component the component itself
 */
struct row {
	const char *name;
	const char *node;
	enum bpmu_cpistack_row parent;
};

static const struct row rows[BPMU_CPISTACK_ROWS] = {
	[BPMU_CPISTACK_BASE] = { "base", "Base", BPMU_CPISTACK_BASE },
	[BPMU_CPISTACK_ICACHE] = { "icache", "Icache", BPMU_CPISTACK_ICACHE },
	[BPMU_CPISTACK_ICACHE_L2] = { "l2", "Icache_L2",
		BPMU_CPISTACK_ICACHE },
	[BPMU_CPISTACK_ICACHE_L3] = { "l3", "Icache_L3",
		BPMU_CPISTACK_ICACHE },
	[BPMU_CPISTACK_ICACHE_MEMORY] = { "memory", "Icache_Memory",
		BPMU_CPISTACK_ICACHE },
	[BPMU_CPISTACK_ICACHE_ITLB] = { "itlb", "Icache_ITLB",
		BPMU_CPISTACK_ICACHE },
	[BPMU_CPISTACK_BPRED] = { "bpred", "Bpred", BPMU_CPISTACK_BPRED },
	[BPMU_CPISTACK_DCACHE] = { "dcache", "Dcache", BPMU_CPISTACK_DCACHE },
	[BPMU_CPISTACK_DCACHE_HIT] = { "hit-time", "Dcache_Hit_time",
		BPMU_CPISTACK_DCACHE },
	[BPMU_CPISTACK_DCACHE_DTLB] = { "dtlb", "Dcache_DTLB",
		BPMU_CPISTACK_DCACHE },
	[BPMU_CPISTACK_DCACHE_L2] = { "l2", "Dcache_L2",
		BPMU_CPISTACK_DCACHE },
	[BPMU_CPISTACK_DCACHE_L3] = { "l3", "Dcache_L3",
		BPMU_CPISTACK_DCACHE },
	[BPMU_CPISTACK_DCACHE_MEMORY] = { "memory", "Dcache_Memory",
		BPMU_CPISTACK_DCACHE },
	[BPMU_CPISTACK_DCACHE_FILLS] = { "fill-buffers", "Dcache_Fill_buffers",
		BPMU_CPISTACK_DCACHE },
	[BPMU_CPISTACK_DCACHE_STORES] = { "stores", "Dcache_Stores",
		BPMU_CPISTACK_DCACHE },
	[BPMU_CPISTACK_ALU] = { "alu-latency", "ALU_latency",
		BPMU_CPISTACK_ALU },
	[BPMU_CPISTACK_ALU_L1] = { "l1-hit", "ALU_latency_L1_hit",
		BPMU_CPISTACK_ALU },
	[BPMU_CPISTACK_ALU_FIRST] = { "first-cycle", "ALU_latency_First",
		BPMU_CPISTACK_ALU },
	[BPMU_CPISTACK_ALU_FURTHER] = { "further-cycles",
		"ALU_latency_Further", BPMU_CPISTACK_ALU },
	[BPMU_CPISTACK_ALU_BLOCKED] = { "store-blocked",
		"ALU_latency_Blocked", BPMU_CPISTACK_ALU },
	[BPMU_CPISTACK_DEPEND] = { "depend", "Depend", BPMU_CPISTACK_DEPEND },
	[BPMU_CPISTACK_OTHER] = { "other", "Other", BPMU_CPISTACK_OTHER },
	[BPMU_CPISTACK_OTHER_PORTS] = { "ports", "Other_Ports",
		BPMU_CPISTACK_OTHER },
	[BPMU_CPISTACK_OTHER_STORES] = { "store-buffer", "Other_Store_buffer",
		BPMU_CPISTACK_OTHER },
	[BPMU_CPISTACK_OTHER_CLEARS] = { "clears", "Other_Clears",
		BPMU_CPISTACK_OTHER },
	[BPMU_CPISTACK_OTHER_DECODE] = { "decode", "Other_Decode",
		BPMU_CPISTACK_OTHER },
	[BPMU_CPISTACK_OTHER_ORDER] = { "order", "Other_Order",
		BPMU_CPISTACK_OTHER },
};

/*
 * Returns the definition of the cycles from which a node is computed, or NULL if there is none. For
 * the node "Dispatch_ALU_latency" this is the definition "DispatchALUlatency": the name of the
 * definition is the node's name without underscores.
 */
static const struct bpmu_metric *definition(const struct bpmu_metrics *metrics,
					    const char *node)
{
	char name[64];
	size_t n = 0;
	int i;

	for (; *node && n + 1 < sizeof(name); node++)
		if (*node != '_')
			name[n++] = *node;
	name[n] = '\0';
	i = bpmu_metrics_find(metrics, name);
	return i < 0 ? NULL : &metrics->metric[i];
}

static void fill(struct bpmu_cpistack_cell *cell, const struct bpmu_tree *tree,
		 const struct bpmu_tree_value *values, unsigned int stage,
		 unsigned int row)
{
	char node[64];
	int i;

	snprintf(node, sizeof(node), "%s_%s", stage_nodes[stage],
		 rows[row].node);
	i = bpmu_metrics_find(&tree->metrics, node);
	if (i < 0 || !tree->shown[i])
		return;
	cell->there = true;
	cell->line = definition(&tree->metrics, node);
	cell->known = values[i].known;
	cell->cpi = values[i].value;
	cell->uncertainty = bpmu_tree_half_width(&values[i]);
}

static void bound(struct bpmu_cpistack *stack, unsigned int row)
{
	const struct bpmu_cpistack_cell *cell;
	unsigned int stage;

	for (stage = 0; stage < BPMU_CPISTACK_STAGES; stage++) {
		cell = &stack->cell[stage][row];
		if (!cell->known)
			continue;
		if (!stack->stages[row] ||
		    cell->cpi < stack->low[row])
			stack->low[row] = cell->cpi;
		if (!stack->stages[row] ||
		    cell->cpi > stack->high[row])
			stack->high[row] = cell->cpi;
		stack->stages[row]++;
	}
}

/**
 * bpmu_cpistack_make() - compute CPI stacks of dispatch, issue and commit from values of metrics
 * @stack: filled in
 * @tree: tree of the method BPMU_CPISTACK_METHOD that includes the cycles per instruction
 *	(&bpmu_tree_wish.cpi); must outlive @stack
 * @values: values of the tree, [nr metrics]
 */
void bpmu_cpistack_make(struct bpmu_cpistack *stack,
			const struct bpmu_tree *tree,
			const struct bpmu_tree_value *values)
{
	unsigned int stage, row;

	memset(stack, 0, sizeof(*stack));
	stack->known = values[tree->cpi].known;
	stack->cpi = values[tree->cpi].value;
	stack->work = tree->work;
	stack->flags = values[tree->cpi].flags & BPMU_VALUE_FLAWS;
	for (row = 0; row < BPMU_CPISTACK_ROWS; row++) {
		for (stage = 0; stage < BPMU_CPISTACK_STAGES; stage++)
			fill(&stack->cell[stage][row], tree, values, stage,
			     row);
		bound(stack, row);
	}
}

/**
 * bpmu_cpistack_name() - name of a row of the CPI stacks: a component, or a part of one
 * @row: number of the row
 *
 * Return: name of the row; for a part its own name, without the name of its component.
 */
const char *bpmu_cpistack_name(enum bpmu_cpistack_row row)
{
	return rows[row].name;
}

/**
 * bpmu_cpistack_parent() - component of the CPI stacks to which a row belongs
 * @row: number of the row
 *
 * Return: the component of a part; @row itself for a component.
 */
enum bpmu_cpistack_row bpmu_cpistack_parent(enum bpmu_cpistack_row row)
{
	return rows[row].parent;
}

/**
 * bpmu_cpistack_has() - check if a row of the CPI stacks is displayed
 * @stack: from bpmu_cpistack_make()
 * @row: number of the row
 *
 * Return: true for a component, and for a part that can be counted at least at one stage.
 */
bool bpmu_cpistack_has(const struct bpmu_cpistack *stack,
		       enum bpmu_cpistack_row row)
{
	unsigned int stage;

	for (stage = 0; stage < BPMU_CPISTACK_STAGES; stage++)
		if (stack->cell[stage][row].there)
			return true;
	return row < BPMU_CPISTACK_COMPONENTS;
}

/*
 * Returns the row that is displayed behind @row: the parts of a component come behind it, then the
 * next component. Returns BPMU_CPISTACK_ROWS behind the last row.
 */
static enum bpmu_cpistack_row behind(const struct bpmu_cpistack *stack,
				     enum bpmu_cpistack_row row)
{
	enum bpmu_cpistack_row parent = rows[row].parent, next;

	next = row < BPMU_CPISTACK_COMPONENTS ? BPMU_CPISTACK_COMPONENTS :
						row + 1;
	for (; next < BPMU_CPISTACK_ROWS; next++)
		if (rows[next].parent == parent &&
		    bpmu_cpistack_has(stack, next))
			return next;
	return parent + 1 < BPMU_CPISTACK_COMPONENTS ? parent + 1 :
						       BPMU_CPISTACK_ROWS;
}

/*
 * Prints the name of a row. For a part, prints the name of its component first, as in "Issue.ALU".
 */
static void print_name(FILE *out, enum bpmu_cpistack_row row)
{
	if (row >= BPMU_CPISTACK_COMPONENTS)
		fprintf(out, "%s.", rows[rows[row].parent].name);
	fputs(rows[row].name, out);
}

static bool is_near(const struct bpmu_cpistack_cell *cell)
{
	return cell->there && cell->line && cell->line->text;
}

static void text_cell(FILE *out, const struct bpmu_cpistack_cell *cell)
{
	if (!cell->there)
		fprintf(out, "%12s ", "-");
	else if (!cell->known)
		fprintf(out, "%12s ", "no value");
	else
		fprintf(out, "%12.4f%c", cell->cpi, is_near(cell) ? '~' : ' ');
}

/*
 * Returns the half-width of the 95 % confidence interval of a row, at the stage where it is widest;
 * NAN if the row has no value.
 */
static double uncertainty_of(const struct bpmu_cpistack *stack,
			     unsigned int row)
{
	const struct bpmu_cpistack_cell *cell;
	double most = stack->stages[row] ? 0 : NAN;
	unsigned int stage;

	for (stage = 0; stage < BPMU_CPISTACK_STAGES; stage++) {
		cell = &stack->cell[stage][row];
		if (cell->known && cell->uncertainty > most)
			most = cell->uncertainty;
	}
	return most;
}

static void text_uncertainty(FILE *out, const struct bpmu_cpistack *stack,
			     unsigned int row)
{
	double most = uncertainty_of(stack, row);

	if (isinf(most))
		fputs("  +- unknown", out);
	else if (most > 0)
		fprintf(out, "  +- %.4f", most);
}

static void text_row(FILE *out, const struct bpmu_cpistack *stack,
		     unsigned int row)
{
	unsigned int stage;

	if (row < BPMU_CPISTACK_COMPONENTS)
		fprintf(out, "  %-16s", rows[row].name);
	else
		fprintf(out, "    %-14s", rows[row].name);
	for (stage = 0; stage < BPMU_CPISTACK_STAGES; stage++)
		text_cell(out, &stack->cell[stage][row]);
	if (stack->stages[row] > 1)
		fprintf(out, "%12.4f%12.4f", stack->low[row],
			stack->high[row]);
	else
		fprintf(out, "%12s%12s", "-", "-");
	text_uncertainty(out, stack, row);
	fputc('\n', out);
}

/* Sets @sum to the sum of a stage's components; returns false if one of them has no value. */
static bool sum_of(const struct bpmu_cpistack *stack, unsigned int stage,
		   double *sum)
{
	const struct bpmu_cpistack_cell *cell = stack->cell[stage];
	unsigned int i;
	bool any = false;

	*sum = 0;
	for (i = 0; i < BPMU_CPISTACK_COMPONENTS; i++) {
		if (cell[i].there && !cell[i].known)
			return false;
		*sum += cell[i].known ? cell[i].cpi : 0;
		any |= cell[i].known;
	}
	return any;
}

static const char *cpistack_unit(const struct bpmu_cpistack *stack)
{
	return stack->work > 0 ? "cycles per unit of work" :
				 "cycles per instruction";
}

/*
 * Returns the sum of a stage's components. If @residual is true, returns the measured CPI minus
 * this sum.
 */
static double sum_or_residual(const struct bpmu_cpistack *stack, unsigned int stage,
			      bool residual)
{
	double sum;

	if (!sum_of(stack, stage, &sum) || (residual && !stack->known))
		return NAN;
	return residual ? stack->cpi - sum : sum;
}

static void text_sums(FILE *out, const struct bpmu_cpistack *stack)
{
	unsigned int stage, residual;
	double value;

	for (residual = 0; residual < 2; residual++) {
		fprintf(out, "  %-16s", residual ? "residual" : "sum");
		for (stage = 0; stage < BPMU_CPISTACK_STAGES; stage++) {
			value = sum_or_residual(stack, stage, residual);
			fputs(stage ? " " : "", out);
			if (isnan(value))
				fprintf(out, "%12s", "no value");
			else
				fprintf(out, "%12.4f", value);
		}
		fputc('\n', out);
	}
	fprintf(out, "  %-16s", stack->work > 0 ? "cycles" : "CPI");
	if (stack->known)
		fprintf(out, "%12.4f  %s\n", stack->cpi, cpistack_unit(stack));
	else
		fprintf(out, "%12s\n", "no value");
}

static void text_near(FILE *out, const struct bpmu_cpistack *stack)
{
	const struct bpmu_cpistack_cell *cell;
	unsigned int stage, i;
	bool any = false;

	for (stage = 0; stage < BPMU_CPISTACK_STAGES; stage++)
		for (i = 0; i < BPMU_CPISTACK_ROWS; i++) {
			cell = &stack->cell[stage][i];
			if (!is_near(cell))
				continue;
			if (!any)
				fputs("\n~ approximated by the events of this CPU model:\n",
				      out);
			any = true;
			fprintf(out, "  %s ", stage_names[stage]);
			print_name(out, i);
			fputs(" = ", out);
			bpmu_expr_print(out, cell->line->expr);
			fprintf(out, "\n    %s\n", cell->line->text);
		}
}

static void text_missing(FILE *out, const struct bpmu_cpistack *stack)
{
	unsigned int stage, i;
	bool any = false;

	for (stage = 0; stage < BPMU_CPISTACK_STAGES; stage++)
		for (i = 0; i < BPMU_CPISTACK_COMPONENTS; i++) {
			if (stack->cell[stage][i].there)
				continue;
			fprintf(out, "%s%s %s", any ? ", " :
				"\n- no event of this CPU model counts it: ",
				stage_names[stage], rows[i].name);
			any = true;
		}
	if (any)
		fputc('\n', out);
}

/**
 * bpmu_cpistack_text() - print the multi-stage CPI stack as text: dispatch, issue and commit
 * @stack: from bpmu_cpistack_make()
 */
void bpmu_cpistack_text(FILE *out, const struct bpmu_cpistack *stack)
{
	unsigned int i;

	fprintf(out, "  %-16s%12s %12s %12s %11s%12s\n", "", "dispatch",
		"issue", "commit", "low", "high");
	for (i = 0; i < BPMU_CPISTACK_ROWS; i = behind(stack, i))
		text_row(out, stack, i);
	text_sums(out, stack);
	text_near(out, stack);
	text_missing(out, stack);
}

/* Size in bytes of a text for the name of a row, or for the names of all stages */
#define WORDS_MAX 64

/* Indices of those fields of a CSV or JSON row whose contents differ from row to row */
enum row_field {
	STAGE = 1, LOW = STAGE + BPMU_CPISTACK_STAGES, HIGH, HALF, PARENT = HALF + 3
};

/**
 * bpmu_cpistack_rows() - print the multi-stage CPI stack as CSV or JSON: dispatch, issue and commit
 * @table: output, format and time stamp
 * @stack: from bpmu_cpistack_make()
 */
void bpmu_cpistack_rows(struct bpmu_table *table,
			const struct bpmu_cpistack *stack)
{
	char name[WORDS_MAX], near[WORDS_MAX], flags[BPMU_VALUE_FLAG_TEXT];
	struct bpmu_field fields[] = {
		{ "component", name, BPMU_FIELD_TEXT },
		[STAGE] = { stage_names[0], .form = BPMU_FIELD_NUMBER },
		{ stage_names[1], .form = BPMU_FIELD_NUMBER },
		{ stage_names[2], .form = BPMU_FIELD_NUMBER },
		[LOW] = { "low", .form = BPMU_FIELD_NUMBER },
		[HIGH] = { "high", .form = BPMU_FIELD_NUMBER },
		[HALF] = { "uncertainty", .form = BPMU_FIELD_NUMBER },
		{ "nearly", near, BPMU_FIELD_WORDS },
		{ "flags", flags, BPMU_FIELD_WORDS },
		[PARENT] = { "parent", NULL, BPMU_FIELD_OPTIONAL },
		{ "unit", cpistack_unit(stack), BPMU_FIELD_TEXT },
	};
	const struct bpmu_cpistack_cell *cell;
	unsigned int i, stage;
	bool several;

	bpmu_value_flags_text(stack->flags, "", " ", "", flags);
	for (i = 0; i < BPMU_CPISTACK_ROWS; i = behind(stack, i)) {
		/* In CSV and JSON the name of a part begins with the name of its component. */
		snprintf(name, sizeof(name), "%s%s%s",
			 rows[i].parent == i ? "" : rows[rows[i].parent].name,
			 rows[i].parent == i ? "" : ".", rows[i].name);
		fields[PARENT].text = rows[i].parent == i ? NULL :
				      rows[rows[i].parent].name;
		near[0] = '\0';
		for (stage = 0; stage < BPMU_CPISTACK_STAGES; stage++) {
			cell = &stack->cell[stage][i];
			fields[STAGE + stage].number = cell->known ? cell->cpi : NAN;
			if (is_near(cell))
				strcat(strcat(near, *near ? " " : ""),
				       stage_names[stage]);
		}
		several = stack->stages[i] > 1;
		fields[LOW].number = several ? stack->low[i] : NAN;
		fields[HIGH].number = several ? stack->high[i] : NAN;
		fields[HALF].number = uncertainty_of(stack, i);
		bpmu_table_row(table, fields, ARRAY_SIZE(fields));
	}
	strcpy(name, "residual");
	fields[PARENT].text = NULL;
	near[0] = '\0';
	for (stage = 0; stage < BPMU_CPISTACK_STAGES; stage++)
		fields[STAGE + stage].number = sum_or_residual(stack, stage, true);
	fields[LOW].number = NAN;
	fields[HIGH].number = NAN;
	fields[HALF].number = NAN;
	bpmu_table_row(table, fields, ARRAY_SIZE(fields));
}
