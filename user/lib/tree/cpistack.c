// SPDX-License-Identifier: GPL-2.0
#include "cpistack.h"

#include <math.h>
#include <string.h>

#include "base/fixed.h"
#include "metric/metric_expr.h"
#include "metric/value_flag.h"

/* as nodes of the method begin and end, and as the output says */
static const char *const stage_nodes[BPMU_CPISTACK_STAGES] = {
	"Dispatch", "Issue", "Commit"
};

static const char *const stage_names[BPMU_CPISTACK_STAGES] = {
	"dispatch", "issue", "commit"
};

static const char *const component_nodes[BPMU_CPISTACK_COMPONENTS] = {
	"Base", "Icache", "Bpred", "Dcache", "ALU_latency", "Depend", "Other"
};

static const char *const component_names[BPMU_CPISTACK_COMPONENTS] = {
	"base", "icache", "bpred", "dcache", "alu-latency", "depend", "other"
};

/* "DispatchALUlatency" defines what "Dispatch_ALU_latency" is made of */
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
		 unsigned int component)
{
	char node[64];
	int i;

	snprintf(node, sizeof(node), "%s_%s", stage_nodes[stage],
		 component_nodes[component]);
	i = bpmu_metrics_find(&tree->metrics, node);
	if (i < 0)
		return;
	cell->there = true;
	cell->line = definition(&tree->metrics, node);
	cell->known = values[i].known;
	cell->cpi = values[i].value;
	cell->uncertainty = values[i].uncertainty;
}

static void bound(struct bpmu_cpistack *stack, unsigned int component)
{
	const struct bpmu_cpistack_cell *cell;
	unsigned int stage;

	for (stage = 0; stage < BPMU_CPISTACK_STAGES; stage++) {
		cell = &stack->cell[stage][component];
		if (!cell->known)
			continue;
		if (!stack->stages[component] ||
		    cell->cpi < stack->low[component])
			stack->low[component] = cell->cpi;
		if (!stack->stages[component] ||
		    cell->cpi > stack->high[component])
			stack->high[component] = cell->cpi;
		stack->stages[component]++;
	}
}

/**
 * bpmu_cpistack_make() - the stacks of a tree's values
 * @stack: filled in
 * @tree: of BPMU_CPISTACK_METHOD, made with its cycles per instruction; must
 *	outlive @stack
 * @values: of its lines
 */
void bpmu_cpistack_make(struct bpmu_cpistack *stack,
			const struct bpmu_tree *tree,
			const struct bpmu_tree_value *values)
{
	unsigned int stage, component;

	memset(stack, 0, sizeof(*stack));
	stack->known = values[tree->cpi].known;
	stack->cpi = values[tree->cpi].value;
	stack->flags = values[tree->cpi].flags & BPMU_VALUE_FLAWS;
	for (component = 0; component < BPMU_CPISTACK_COMPONENTS;
	     component++) {
		for (stage = 0; stage < BPMU_CPISTACK_STAGES; stage++)
			fill(&stack->cell[stage][component], tree, values,
			     stage, component);
		bound(stack, component);
	}
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

/* the most of the stages; NAN if none has a value */
static double uncertainty_of(const struct bpmu_cpistack *stack,
			     unsigned int component)
{
	const struct bpmu_cpistack_cell *cell;
	double most = stack->stages[component] ? 0 : NAN;
	unsigned int stage;

	for (stage = 0; stage < BPMU_CPISTACK_STAGES; stage++) {
		cell = &stack->cell[stage][component];
		if (cell->known && cell->uncertainty > most)
			most = cell->uncertainty;
	}
	return most;
}

static void text_uncertainty(FILE *out, const struct bpmu_cpistack *stack,
			     unsigned int component)
{
	double most = uncertainty_of(stack, component);

	if (isinf(most))
		fputs("  +- unknown", out);
	else if (most > 0)
		fprintf(out, "  +- %.4f", most);
}

static void text_row(FILE *out, const struct bpmu_cpistack *stack,
		     unsigned int component)
{
	unsigned int stage;

	fprintf(out, "  %-12s", component_names[component]);
	for (stage = 0; stage < BPMU_CPISTACK_STAGES; stage++)
		text_cell(out, &stack->cell[stage][component]);
	if (stack->stages[component] > 1)
		fprintf(out, "%12.4f%12.4f", stack->low[component],
			stack->high[component]);
	else
		fprintf(out, "%12s%12s", "-", "-");
	text_uncertainty(out, stack, component);
	fputc('\n', out);
}

/* true if all components of a stage have values */
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

static void text_sums(FILE *out, const struct bpmu_cpistack *stack)
{
	unsigned int stage;
	double sum;

	fprintf(out, "  %-12s", "sum");
	for (stage = 0; stage < BPMU_CPISTACK_STAGES; stage++)
		if (sum_of(stack, stage, &sum))
			fprintf(out, "%12.4f ", sum);
		else
			fprintf(out, "%12s ", "no value");
	if (stack->known)
		fprintf(out, "\n  %-12s%12.4f  cycles per instruction\n", "CPI",
			stack->cpi);
	else
		fprintf(out, "\n  %-12s%12s\n", "CPI", "no value");
}

static void text_near(FILE *out, const struct bpmu_cpistack *stack)
{
	const struct bpmu_cpistack_cell *cell;
	unsigned int stage, i;
	bool any = false;

	for (stage = 0; stage < BPMU_CPISTACK_STAGES; stage++)
		for (i = 0; i < BPMU_CPISTACK_COMPONENTS; i++) {
			cell = &stack->cell[stage][i];
			if (!is_near(cell))
				continue;
			if (!any)
				fputs("\n~ approximated by the events of this CPU model:\n",
				      out);
			any = true;
			fprintf(out, "  %s %s = ", stage_names[stage],
				component_names[i]);
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
				stage_names[stage], component_names[i]);
			any = true;
		}
	if (any)
		fputc('\n', out);
}

/**
 * bpmu_cpistack_text() - the stacks for people
 * @out: where
 * @stack: made
 */
void bpmu_cpistack_text(FILE *out, const struct bpmu_cpistack *stack)
{
	unsigned int i;

	fprintf(out, "  %-12s%12s %12s %12s %11s%12s\n", "", "dispatch",
		"issue", "commit", "low", "high");
	for (i = 0; i < BPMU_CPISTACK_COMPONENTS; i++)
		text_row(out, stack, i);
	text_sums(out, stack);
	text_near(out, stack);
	text_missing(out, stack);
}

/**
 * bpmu_cpistack_csv_head() - names of the columns
 * @out: where
 * @separator: between fields
 */
void bpmu_cpistack_csv_head(FILE *out, const char *separator)
{
	static const char *const names[] = {
		"time", "cpus", "component", "dispatch", "issue", "commit",
		"low", "high", "uncertainty", "nearly", "flags"
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		fprintf(out, "%s%s", i ? separator : "", names[i]);
	fputc('\n', out);
}

static void near_stages(FILE *out, const struct bpmu_cpistack *stack,
			unsigned int component, const char *quote,
			const char *between)
{
	const char *s = "";
	unsigned int stage;

	for (stage = 0; stage < BPMU_CPISTACK_STAGES; stage++)
		if (is_near(&stack->cell[stage][component])) {
			fprintf(out, "%s%s%s%s", s, quote, stage_names[stage],
				quote);
			s = between;
		}
}

static void csv_row(FILE *out, const struct bpmu_cpistack *stack,
		    unsigned int i, const char *prefix, const char *s)
{
	char flags[BPMU_VALUE_FLAG_TEXT];
	unsigned int stage;

	fprintf(out, "%s%s%s", prefix, s, component_names[i]);
	for (stage = 0; stage < BPMU_CPISTACK_STAGES; stage++) {
		fputs(s, out);
		if (stack->cell[stage][i].known)
			bpmu_fixed_write(out, stack->cell[stage][i].cpi);
	}
	fputs(s, out);
	if (stack->stages[i] > 1)
		bpmu_fixed_write(out, stack->low[i]);
	fputs(s, out);
	if (stack->stages[i] > 1)
		bpmu_fixed_write(out, stack->high[i]);
	fputs(s, out);
	if (isfinite(uncertainty_of(stack, i)))
		bpmu_fixed_write(out, uncertainty_of(stack, i));
	fputs(s, out);
	near_stages(out, stack, i, "", " ");
	bpmu_value_flags_text(stack->flags, "", " ", "", flags);
	fprintf(out, "%s%s\n", s, flags);
}

static void json_number(FILE *out, const char *name, bool known, double number)
{
	fprintf(out, ",\"%s\":", name);
	if (known)
		bpmu_fixed_write(out, number);
	else
		fputs("null", out);
}

static void json_row(FILE *out, const struct bpmu_cpistack *stack,
		     unsigned int i, const char *prefix)
{
	const struct bpmu_cpistack_cell *cell;
	char flags[BPMU_VALUE_FLAG_TEXT];
	unsigned int stage;

	fprintf(out, "{\"schema\":1,\"type\":\"cpistack\",%s\"component\":\"%s\"",
		prefix, component_names[i]);
	for (stage = 0; stage < BPMU_CPISTACK_STAGES; stage++) {
		cell = &stack->cell[stage][i];
		json_number(out, stage_names[stage], cell->known, cell->cpi);
	}
	json_number(out, "low", stack->stages[i] > 1, stack->low[i]);
	json_number(out, "high", stack->stages[i] > 1, stack->high[i]);
	json_number(out, "uncertainty", isfinite(uncertainty_of(stack, i)),
		    uncertainty_of(stack, i));
	fputs(",\"unit\":\"cycles per instruction\",\"nearly\":[", out);
	near_stages(out, stack, i, "\"", ",");
	bpmu_value_flags_text(stack->flags, "\"", ",", "\"", flags);
	fprintf(out, "],\"flags\":[%s]}\n", flags);
}

/**
 * bpmu_cpistack_rows() - the stacks for programs
 * @out: where
 * @stack: made
 * @format: BPMU_CSV or BPMU_JSON
 * @prefix: fields or members that say when and where
 * @separator: between fields
 */
void bpmu_cpistack_rows(FILE *out, const struct bpmu_cpistack *stack,
			enum bpmu_format format, const char *prefix,
			const char *separator)
{
	unsigned int i;

	for (i = 0; i < BPMU_CPISTACK_COMPONENTS; i++)
		if (format == BPMU_CSV)
			csv_row(out, stack, i, prefix, separator);
		else
			json_row(out, stack, i, prefix);
}
