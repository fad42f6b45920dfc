// SPDX-License-Identifier: GPL-2.0
/* Prints the results of "barepmu decan" as text, CSV and JSON. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/fields.h"
#include "base/plain.h"
#include "base/print.h"
#include "count/verdict.h"
#include "decan.h"
#include "view/tree_print.h"

#define BAR 30
#define NOTES 256

static const char *candidate_class(const struct bpmu_candidate *candidate)
{
	static const char *const names[] = {
		[BPMU_CANDIDATE_LOAD] = "load",
		[BPMU_CANDIDATE_STORE] = "store",
		[BPMU_CANDIDATE_DIVIDE] = "divide",
		[BPMU_CANDIDATE_ARITHMETIC] = "arithmetic",
		[BPMU_CANDIDATE_BRANCH] = "branch",
	};

	return names[candidate->type];
}

static const char *decan_report_line_of(const struct bpmu_decan *decan, u64 address,
					char text[NOTES])
{
	const char *file = NULL, *slash;
	unsigned int line = 0;

	if (decan->symbols)
		line = bpmu_symbols_line(decan->symbols, address, &file);
	*text = '\0';
	slash = file ? strrchr(file, '/') : NULL;
	if (line)
		snprintf(text, NOTES, "%s:%u", slash ? slash + 1 : file, line);
	return bpmu_plain(text, "");
}

static void list_loop(const struct bpmu_decan *decan, FILE *out, unsigned int i)
{
	const struct bpmu_loop *loop = &decan->code.loop[i];
	char line[NOTES];

	fprintf(out, "%c loop %u  0x%llx-0x%llx  depth %u%s  %s%s%s\n",
		loop == decan->target ? '*' : ' ', i,
		(unsigned long long)loop->first, (unsigned long long)loop->end,
		loop->depth, loop->inner ? ", innermost" : "",
		decan_report_line_of(decan, bpmu_loop_header(&decan->code, loop), line),
		*loop->refused ? "  refused: " : "", loop->refused);
}

/**
 * bpmu_decan_list() - report a function's loops, and one loop's candidates, for --list
 * @decan: state of "barepmu decan" after bpmu_decan_find()
 */
void bpmu_decan_list(const struct bpmu_decan *decan, FILE *out)
{
	const struct bpmu_candidate *candidate;
	char text[NOTES], notes[BPMU_GROUP_NAME], line[NOTES];
	unsigned int i;

	fprintf(out, "%s in %s\n\n", decan->name, decan->elf.path);
	for (i = 0; i < decan->code.nr_loops; i++)
		list_loop(decan, out, i);
	fprintf(out, "\ncandidates of loop %u:\n", decan->id);
	for (i = 0; i < decan->candidates.nr; i++) {
		candidate = &decan->candidates.candidate[i];
		bpmu_insn_text(decan->code.zydis, candidate->insn, text, sizeof(text));
		fprintf(out, "  0x%llx  %-10s %-42s %s%s%s%s%s\n",
			(unsigned long long)candidate->insn->address,
			candidate_class(candidate), text,
			decan_report_line_of(decan, candidate->insn->address, line),
			candidate->flags ? "  " : "",
			bpmu_candidate_notes(candidate, notes),
			candidate->skipped ? "  skipped: " : "",
			candidate->skipped ?: "");
	}
}

static int by_saved(const void *a, const void *b)
{
	const struct bpmu_variant *x = *(const struct bpmu_variant *const *)a;
	const struct bpmu_variant *y = *(const struct bpmu_variant *const *)b;

	if (x->ok != y->ok)
		return x->ok ? -1 : 1;
	if (x->saved != y->saved)
		return x->saved > y->saved ? -1 : 1;
	return x < y ? -1 : x > y;
}

/**
 * bpmu_decan_sorted() - sort the variants for DECAN's report: by saving, largest first
 * @variants: after bpmu_variants_judge()
 *
 * Return: the original loop and then the others, [number of variants], to be freed; NULL if memory
 * runs out.
 */
const struct bpmu_variant **bpmu_decan_sorted(const struct bpmu_variants *variants)
{
	const struct bpmu_variant **order = calloc(variants->nr, sizeof(*order));
	unsigned int i;

	for (i = 0; i < variants->nr && order; i++)
		order[i] = &variants->variant[i];
	if (order)
		qsort(order + 1, variants->nr - 1, sizeof(*order), by_saved);
	return order;
}

static double decan_report_share(const struct bpmu_decan *decan,
				 const struct bpmu_variant *variant)
{
	return variant->saved / decan->variants.variant->cycles.value;
}

static bool is_original(const struct bpmu_variant *variant)
{
	return variant->kind == BPMU_VARIANT_ORIGINAL && variant->threads == 1;
}

static void format_notes(const struct bpmu_variant *variant, char text[NOTES])
{
	char notes[BPMU_GROUP_NAME];
	size_t len = 0;

	*text = '\0';
	if (variant->candidate)
		len = snprintf(text, NOTES, "%s",
			       bpmu_candidate_notes(variant->candidate, notes));
	if (variant->skipped)
		len += snprintf(text + len, NOTES - len, "%s%s",
				len ? "; " : "", variant->skipped);
	if (variant->ok && !variant->resolved && !is_original(variant))
		snprintf(text + len, NOTES - len, "%snot resolved",
			 len ? "; " : "");
}

static void text_bar(FILE *out, double part)
{
	int nr = lround(BAR * part);
	int i;

	for (i = 0; i < BAR && i < nr; i++)
		fputc('#', out);
	for (i = nr < 0 ? 0 : nr; i < BAR; i++)
		fputc(' ', out);
	fputs(nr > BAR ? ">" : " ", out);
}

static void decan_report_text_row(const struct bpmu_decan *decan,
				  const struct bpmu_variant *variant, FILE *out)
{
	const struct bpmu_variant *original = decan->variants.variant;
	char notes[NOTES];

	format_notes(variant, notes);
	fprintf(out, "%-44s ", variant->name);
	if (!variant->ok) {
		fprintf(out, "%s%s%s\n", variant->status,
			*notes ? ": " : "", notes);
		return;
	}
	text_bar(out, variant->cycles.value / original->cycles.value);
	fprintf(out, "%14.0f %10.2f", variant->cycles.value,
		variant->cycles.value / variant->iterations);
	if (variant != original) {
		fprintf(out, " %7.1f %%  %5.2fx", 100 * decan_report_share(decan, variant),
			original->cycles.value / variant->cycles.value);
		if (!isnan(decan->coverage))
			fprintf(out, " %6.1f %%",
				100 * decan->coverage * decan_report_share(decan, variant));
	}
	fprintf(out, "%s%s\n", *notes ? "  " : "", notes);
}

static void text_warm_up(const struct bpmu_warm_up *warm, FILE *out)
{
	char cold[BPMU_PRINT_NUMBER], ticks[BPMU_PRINT_NUMBER];

	fprintf(out, "first run in a fork %s TSC ticks, run %u %s",
		bpmu_print_number(cold, warm->cold), warm->tried,
		bpmu_print_number(ticks, warm->ticks));
	if (!warm->settled)
		fputs("; no two in succession agree: the machine is busy, or the loop's time varies",
		      out);
	if (warm->runs)
		fprintf(out, "; warmed up by %u unmeasured run%s", warm->runs,
			warm->runs > 1 ? "s" : "");
	fputc('\n', out);
}

static void text_head(const struct bpmu_decan *decan, FILE *out)
{
	const struct bpmu_variant *original = decan->variants.variant;
	char line[NOTES];

	fprintf(out, "%s, loop %u at 0x%llx (%s): %llu iterations, entry %u; ",
		decan->name, decan->id,
		(unsigned long long)bpmu_loop_header(&decan->code,
						     decan->target),
		*decan_report_line_of(decan, bpmu_loop_header(&decan->code, decan->target),
				      line) ? line : "no line",
		(unsigned long long)original->iterations,
		decan->snapshot.invocation);
	fprintf(out, "%u rounds on CPU %u%s\n", decan->rounds, decan->cpu,
		decan->share ? ", in one fork" : "");
	text_warm_up(&decan->warm_up, out);
	if (!decan->counting)
		fprintf(out, "TSC ticks, not core cycles: %s\n",
			decan->why_ticks.text);
	if (decan->snapshot.threads > 1)
		fprintf(out, "one of %u threads was kept\n",
			decan->snapshot.threads);
	if (!isnan(decan->coverage))
		fprintf(out, "the loop has %.1f %% of the program's samples\n",
			100 * decan->coverage);
}

/* Prints for each variant the counts of all events besides cycles, per run and per iteration. */
static void text_counts(const struct bpmu_decan *decan, FILE *out)
{
	const struct bpmu_decan_session *session = &decan->session;
	const struct bpmu_event_list *events = &session->type.wanted.events;
	const struct bpmu_variant *variant;
	unsigned int v, i;

	if (!decan->counting || events->nr < 2)
		return;
	fputs("\nevents of user code, per run and per iteration:\n", out);
	for (v = 0; v < decan->variants.nr; v++) {
		variant = &decan->variants.variant[v];
		for (i = 1; i < events->nr && variant->ok; i++)
			fprintf(out, "%-44s %-32s %14.0f %10.3f\n",
				variant->name, events->spec[i].text,
				bpmu_decan_session_event(session, v, i),
				bpmu_decan_session_event(session, v, i) /
				variant->iterations);
	}
}

static const struct bpmu_tree_value *
values_of(const struct bpmu_decan *decan, unsigned int v)
{
	return bpmu_decan_session_values(&decan->session, v);
}

static void text_trees(const struct bpmu_decan *decan, FILE *out)
{
	const struct bpmu_tree *tree = &decan->session.type.tree;
	unsigned int v;

	if (!decan->counting || !tree->metrics.nr)
		return;
	for (v = 0; v < decan->variants.nr && (!v || decan->session.all); v++) {
		if (!decan->variants.variant[v].ok)
			continue;
		fprintf(out, "\n%s:\n", decan->variants.variant[v].name);
		bpmu_tree_text(out, tree, values_of(decan, v), NULL);
	}
}

/*
 * Prints Memory_Bound of the original loop, a node of Top-Down, and whether it agrees with the
 * verdict of DECAN.
 */
static void text_agreement(const struct bpmu_decan *decan, FILE *out)
{
	const struct bpmu_tree *tree = &decan->session.type.tree;
	char text[128];

	if (!decan->counting || !tree->metrics.nr)
		return;
	bpmu_verdict_text(out, tree, values_of(decan, 0), BPMU_LONGER_RUN);
	if (*bpmu_decan_agreement(decan, text))
		fprintf(out, "%s\n", text);
}

/**
 * bpmu_decan_text() - report the costs of a loop's loads and stores as a table with bars
 * @decan: state of "barepmu decan" after bpmu_decan_measure()
 */
void bpmu_decan_text(const struct bpmu_decan *decan, FILE *out)
{
	const struct bpmu_variant **order = bpmu_decan_sorted(&decan->variants);
	char verdict[512];
	unsigned int i;

	text_head(decan, out);
	fprintf(out, "\n%-44s %-*s %14s %10s %9s %7s%s\n", "variant", BAR + 1,
		"", decan->unit, "/iteration", "saved", "speedup",
		isnan(decan->coverage) ? "" : "    gain");
	for (i = 0; i < decan->variants.nr && order; i++)
		decan_report_text_row(decan, order[i], out);
	text_counts(decan, out);
	text_trees(decan, out);
	fprintf(out, "\nVerdict: %s\n", bpmu_decan_verdict(decan, verdict));
	text_agreement(decan, out);
	if (*bpmu_decan_sharing(decan, verdict))
		fprintf(out, "%s\n", verdict);
	free(order);
}

static const char *decan_report_group_of(const struct bpmu_decan *decan,
					 const struct bpmu_variant *variant)
{
	unsigned int group = variant->candidate ? variant->candidate->group :
			     variant->group;

	return group == BPMU_LOOP_NONE ? "" :
	       decan->candidates.group[group].name;
}

/**
 * struct more - results of a variant besides its cycles: counts of events, and metrics
 * @field: fields of the events, then of the metrics, for CSV or JSON
 * @events: number of events
 * @metrics: number of metrics
 */
struct more {
	struct bpmu_field *field;
	unsigned int events;
	unsigned int metrics;
};

static void more_add(struct more *more, unsigned int *nr, const char *name,
		     double value, bool ok)
{
	more->field[more->events + more->metrics] = (struct bpmu_field){
		name, .form = BPMU_FIELD_NUMBER, .number = value, .absent = !ok,
	};
	(*nr)++;
}

/*
 * Fills in @more with the events and metrics of a variant. If metrics were counted for the original
 * loop only, the other variants have no fields for them.
 */
static void fill_more(const struct bpmu_decan *decan,
		      const struct bpmu_variant *variant, struct more *more)
{
	const struct bpmu_decan_session *session = &decan->session;
	const struct bpmu_tree *tree = &session->type.tree;
	unsigned int v = variant - decan->variants.variant, i;
	const struct bpmu_tree_value *value;

	more->events = 0;
	more->metrics = 0;
	if (!decan->counting)
		return;
	for (i = 1; i < session->type.wanted.events.nr; i++)
		more_add(more, &more->events, session->type.wanted.events.spec[i].text,
			 bpmu_decan_session_event(session, v, i), variant->ok);
	for (i = 0; i < tree->metrics.nr && (session->all || !v); i++) {
		value = values_of(decan, v) + i;
		if (tree->shown[i])
			more_add(more, &more->metrics,
				 tree->metrics.metric[i].name,
				 value->known ? value->value : NAN, variant->ok);
	}
}

static void put_variant(const struct bpmu_decan *decan,
			const struct bpmu_variant *variant,
			struct bpmu_table *table, struct more *more)
{
	const struct bpmu_candidate *candidate = variant->candidate;
	double original = decan->variants.variant->cycles.value;
	double share = decan_report_share(decan, variant);
	bool counted = decan->counting && variant->ok;
	bool csv = table->format == BPMU_CSV;
	bool failed = !variant->ok;
	char notes[NOTES];
	const struct bpmu_field fields[] = {
		{ "function", decan->name, BPMU_FIELD_TEXT },
		{ "loop", .form = BPMU_FIELD_WHOLE, .whole = decan->id },
		{ "variant", variant->name, BPMU_FIELD_TEXT },
		{ "kind", bpmu_variant_kind_name(variant->kind), BPMU_FIELD_TEXT },
		{ "address", .form = BPMU_FIELD_HEX, .absent = !candidate,
		  .whole = candidate ? candidate->insn->address : 0 },
		{ "line", .form = BPMU_FIELD_WHOLE,
		  .absent = !candidate || (csv && !candidate->line),
		  .whole = candidate ? candidate->line : 0 },
		{ "group", decan_report_group_of(decan, variant),
		  BPMU_FIELD_TEXT },
		{ "repeats", .form = BPMU_FIELD_WHOLE,
		  .whole = variant->samples },
		{ "iterations", .form = BPMU_FIELD_WHOLE,
		  .whole = variant->iterations },
		{ "cycles", .form = BPMU_FIELD_NUMBER,
		  .number = variant->cycles.value, .absent = failed },
		{ "low", .form = BPMU_FIELD_NUMBER,
		  .number = variant->cycles.low, .absent = failed },
		{ "high", .form = BPMU_FIELD_NUMBER,
		  .number = variant->cycles.high, .absent = failed },
		{ "cycles_per_iteration", .form = BPMU_FIELD_NUMBER, .absent = failed,
		  .number = variant->cycles.value / variant->iterations },
		{ "saved", .form = BPMU_FIELD_NUMBER, .number = variant->saved,
		  .absent = failed },
		{ "saved_percent", .form = BPMU_FIELD_NUMBER,
		  .number = 100 * share, .absent = failed },
		{ "speedup", .form = BPMU_FIELD_NUMBER, .absent = failed,
		  .number = original / variant->cycles.value },
		{ "gain_percent", .form = BPMU_FIELD_NUMBER, .absent = failed,
		  .number = 100 * decan->coverage * share },
		{ "status", variant->status, BPMU_FIELD_TEXT },
		{ "notes", notes, BPMU_FIELD_TEXT },
		{ "events", .form = BPMU_FIELD_OBJECT, .absent = !counted,
		  .of = { more->field, more->events } },
		{ "metrics", .form = BPMU_FIELD_OBJECT, .absent = !counted,
		  .of = { more->field + more->events,
			  csv && !decan->session.all ? 0 : more->metrics } },
		{ "threads", .form = BPMU_FIELD_WHOLE, .whole = variant->threads },
		{ "unit", decan->unit, BPMU_FIELD_TEXT },
		{ "resolved", .form = BPMU_FIELD_FLAG,
		  .whole = variant->resolved, .absent = failed },
	};

	format_notes(variant, notes);
	bpmu_table_row(table, fields, ARRAY_SIZE(fields));
}

static void put_variants(const struct bpmu_decan *decan,
			 struct bpmu_table *table)
{
	const struct bpmu_variant **order = bpmu_decan_sorted(&decan->variants);
	const struct bpmu_decan_session *session = &decan->session;
	struct more more = { };
	unsigned int i;

	more.field = calloc(session->type.wanted.events.nr + session->type.tree.metrics.nr + 1,
			    sizeof(*more.field));
	for (i = 0; i < decan->variants.nr && order && more.field; i++) {
		fill_more(decan, order[i], &more);
		put_variant(decan, order[i], table, &more);
	}
	free(more.field);
	free(order);
}

/**
 * bpmu_decan_csv() - report differential analysis: costs of loads and stores as CSV
 * @decan: state of "barepmu decan" after bpmu_decan_measure()
 */
void bpmu_decan_csv(const struct bpmu_decan *decan, FILE *out)
{
	struct bpmu_table table = {
		.out = out, .format = BPMU_CSV, .separator = ",",
	};

	put_variants(decan, &table);
}

/**
 * bpmu_decan_json() - report the costs of a loop's loads and stores as JSON lines
 * @decan: state of "barepmu decan" after bpmu_decan_measure()
 */
void bpmu_decan_json(const struct bpmu_decan *decan, FILE *out)
{
	char verdict[512], sharing[512], agreement[128];
	const struct bpmu_field fields[] = {
		{ "function", decan->name, BPMU_FIELD_TEXT },
		{ "loop", .form = BPMU_FIELD_WHOLE, .whole = decan->id },
		{ "verdict", bpmu_decan_verdict(decan, verdict),
		  BPMU_FIELD_TEXT },
		{ "threads", bpmu_decan_sharing(decan, sharing),
		  BPMU_FIELD_TEXT },
		{ "topdown", bpmu_decan_agreement(decan, agreement),
		  BPMU_FIELD_TEXT },
		{ "warm_up_runs", .form = BPMU_FIELD_WHOLE,
		  .whole = decan->warm_up.runs },
		{ "settled", .form = BPMU_FIELD_TRUTH,
		  .whole = decan->warm_up.settled },
		{ "cold_ticks", .form = BPMU_FIELD_WHOLE,
		  .whole = decan->warm_up.cold },
		{ "warm_ticks", .form = BPMU_FIELD_WHOLE,
		  .whole = decan->warm_up.ticks },
	};
	struct bpmu_table variants = {
		.out = out, .format = BPMU_JSON, .type = "variant",
	};
	struct bpmu_table table = {
		.out = out, .format = BPMU_JSON, .type = "verdict",
	};

	put_variants(decan, &variants);
	bpmu_table_row(&table, fields, ARRAY_SIZE(fields));
}
