// SPDX-License-Identifier: GPL-2.0
/*
 * What was found, for people and for programs.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fixed.h"
#include "base/print.h"
#include "decan.h"

#define BAR 30
#define NOTES 256
/* a share of what all loads save that counts as all of it */
#define ALMOST_ALL 0.8
/* a share of the loop's time that is worth a word */
#define WORTH 0.1

static const char *what(const struct bpmu_candidate *candidate)
{
	static const char *const names[] = {
		[BPMU_CANDIDATE_LOAD] = "load",
		[BPMU_CANDIDATE_STORE] = "store",
		[BPMU_CANDIDATE_DIVIDE] = "divide",
		[BPMU_CANDIDATE_ARITHMETIC] = "arithmetic",
		[BPMU_CANDIDATE_BRANCH] = "branch",
	};

	return names[candidate->kind];
}

static void assembly(const struct bpmu_decan *decan,
		     const struct bpmu_insn *insn, char *text, size_t size)
{
	const struct bpmu_zydis *zydis = decan->code.zydis;
	ZydisFormatter formatter;

	*text = '\0';
	zydis->ZydisFormatterInit(&formatter, ZYDIS_FORMATTER_STYLE_INTEL);
	zydis->ZydisFormatterFormatInstruction(&formatter, &insn->z,
					       insn->operand,
					       insn->z.operand_count_visible,
					       text, size, insn->address,
					       NULL);
}

static const char *line_of(const struct bpmu_decan *decan, u64 address,
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
	return text;
}

static void list_loop(const struct bpmu_decan *decan, FILE *out, unsigned int i)
{
	const struct bpmu_loop *loop = &decan->code.loop[i];
	char line[NOTES];

	fprintf(out, "%c loop %u  0x%llx-0x%llx  depth %u%s  %s%s%s\n",
		loop == decan->target ? '*' : ' ', i,
		(unsigned long long)loop->first, (unsigned long long)loop->end,
		loop->depth, loop->inner ? ", innermost" : "",
		line_of(decan, bpmu_loop_header(&decan->code, loop), line),
		*loop->refused ? "  refused: " : "", loop->refused);
}

/**
 * bpmu_decan_list() - print loops and candidates
 * @decan: found
 * @out: where to
 */
void bpmu_decan_list(const struct bpmu_decan *decan, FILE *out)
{
	const struct bpmu_candidate *candidate;
	char text[NOTES], notes[BPMU_GROUP_NAME], line[NOTES];
	unsigned int i;

	fprintf(out, "%s in %s\n\n", decan->name, decan->program.path);
	for (i = 0; i < decan->code.nr_loops; i++)
		list_loop(decan, out, i);
	fprintf(out, "\ncandidates of loop %u:\n", decan->id);
	for (i = 0; i < decan->candidates.nr; i++) {
		candidate = &decan->candidates.candidate[i];
		assembly(decan, candidate->insn, text, sizeof(text));
		fprintf(out, "  0x%llx  %-10s %-42s %s%s%s%s%s\n",
			(unsigned long long)candidate->insn->address,
			what(candidate), text,
			line_of(decan, candidate->insn->address, line),
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
	return x->saved > y->saved ? -1 : x->saved < y->saved;
}

/* the variants, those that save most first; the original before them */
static const struct bpmu_variant **sorted(const struct bpmu_plan *plan)
{
	const struct bpmu_variant **order = calloc(plan->nr, sizeof(*order));
	unsigned int i;

	for (i = 0; i < plan->nr && order; i++)
		order[i] = &plan->variant[i];
	if (order)
		qsort(order + 1, plan->nr - 1, sizeof(*order), by_saved);
	return order;
}

static double share(const struct bpmu_decan *decan,
		    const struct bpmu_variant *variant)
{
	return variant->saved / decan->plan.variant->cycles.value;
}

static void notes_of(const struct bpmu_variant *variant, char text[NOTES])
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
	if (variant->ok && !variant->resolved &&
	    variant->kind != BPMU_KIND_ORIGINAL)
		snprintf(text + len, NOTES - len, "%snot resolved",
			 len ? "; " : "");
}

static void bar(FILE *out, double part)
{
	int nr = lround(BAR * part);
	int i;

	for (i = 0; i < BAR && i < nr; i++)
		fputc('#', out);
	for (i = nr < 0 ? 0 : nr; i < BAR; i++)
		fputc(' ', out);
	fputs(nr > BAR ? ">" : " ", out);
}

static void text_row(const struct bpmu_decan *decan,
		     const struct bpmu_variant *variant, FILE *out)
{
	const struct bpmu_variant *original = decan->plan.variant;
	char notes[NOTES];

	notes_of(variant, notes);
	fprintf(out, "%-44s ", variant->name);
	if (!variant->ok) {
		fprintf(out, "%s%s%s\n", variant->status,
			*notes ? ": " : "", notes);
		return;
	}
	bar(out, variant->cycles.value / original->cycles.value);
	fprintf(out, "%14.0f %10.2f", variant->cycles.value,
		variant->cycles.value / variant->iterations);
	if (variant != original) {
		fprintf(out, " %7.1f %%  %5.2fx", 100 * share(decan, variant),
			original->cycles.value / variant->cycles.value);
		if (!isnan(decan->coverage))
			fprintf(out, " %6.1f %%",
				100 * decan->coverage * share(decan, variant));
	}
	fprintf(out, "%s%s\n", *notes ? "  " : "", notes);
}

static void text_head(const struct bpmu_decan *decan, FILE *out)
{
	const struct bpmu_variant *original = decan->plan.variant;
	char line[NOTES];

	fprintf(out, "%s, loop %u at 0x%llx (%s): %llu iterations, entry %u; ",
		decan->name, decan->id,
		(unsigned long long)bpmu_loop_header(&decan->code,
						     decan->target),
		*line_of(decan, bpmu_loop_header(&decan->code, decan->target),
			 line) ? line : "no line",
		(unsigned long long)original->iterations,
		decan->snapshot.invocation);
	fprintf(out, "%u rounds on CPU %u%s\n", decan->rounds, decan->cpu,
		decan->warm ? ", data warm" : "");
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

/**
 * bpmu_decan_text() - print the results as a table with bars
 * @decan: measured
 * @out: where to
 */
void bpmu_decan_text(const struct bpmu_decan *decan, FILE *out)
{
	const struct bpmu_variant **order = sorted(&decan->plan);
	char verdict[512];
	unsigned int i;

	text_head(decan, out);
	fprintf(out, "\n%-44s %-*s %14s %10s %9s %7s%s\n", "variant", BAR + 1,
		"", decan->unit, "/iteration", "saved", "speedup",
		isnan(decan->coverage) ? "" : "    gain");
	for (i = 0; i < decan->plan.nr && order; i++)
		text_row(decan, order[i], out);
	fprintf(out, "\n%s\n", bpmu_decan_verdict(decan, verdict));
	free(order);
}

static void number(FILE *out, double value, const char *behind)
{
	char text[BPMU_FIXED_TEXT + 1];

	text[bpmu_fixed_print(text, value)] = '\0';
	fprintf(out, "%s%s", text, behind);
}

static void csv_numbers(const struct bpmu_decan *decan,
			const struct bpmu_variant *variant, FILE *out)
{
	const struct bpmu_variant *original = decan->plan.variant;

	if (!variant->ok) {
		fputs(",,,,,,,,", out);
		return;
	}
	number(out, variant->cycles.value, ",");
	number(out, variant->cycles.low, ",");
	number(out, variant->cycles.high, ",");
	number(out, variant->cycles.value / variant->iterations, ",");
	number(out, variant->saved, ",");
	number(out, 100 * share(decan, variant), ",");
	number(out, original->cycles.value / variant->cycles.value, ",");
	if (!isnan(decan->coverage))
		number(out, 100 * decan->coverage * share(decan, variant), "");
	fputs(",", out);
}

static const char *group_of(const struct bpmu_decan *decan,
			    const struct bpmu_variant *variant)
{
	unsigned int group = variant->candidate ? variant->candidate->group :
			     variant->group;

	return group == BPMU_LOOP_NONE ? "" :
	       decan->candidates.group[group].name;
}

/**
 * bpmu_decan_csv() - print the results as CSV, the original first
 * @decan: measured
 * @out: where to
 */
void bpmu_decan_csv(const struct bpmu_decan *decan, FILE *out)
{
	const struct bpmu_variant **order = sorted(&decan->plan);
	const struct bpmu_variant *variant;
	char notes[NOTES];
	unsigned int i;

	fprintf(out, "function,loop,variant,kind,address,line,group,repeats,iterations,%s,low,high,%s_per_iteration,saved,saved_percent,speedup,gain_percent,status,notes\n",
		decan->unit, decan->unit);
	for (i = 0; i < decan->plan.nr && order; i++) {
		variant = order[i];
		bpmu_print_csv(out, decan->name, ",");
		fprintf(out, ",%u,", decan->id);
		bpmu_print_csv(out, variant->name, ",");
		fprintf(out, ",%s,", bpmu_kind_name(variant->kind));
		if (variant->candidate)
			fprintf(out, "0x%llx,",
				(unsigned long long)variant->candidate->insn->address);
		else
			fputs(",", out);
		if (variant->candidate && variant->candidate->line)
			fprintf(out, "%u", variant->candidate->line);
		fputs(",", out);
		bpmu_print_csv(out, group_of(decan, variant), ",");
		fprintf(out, ",%u,%llu,", variant->samples,
			(unsigned long long)variant->iterations);
		csv_numbers(decan, variant, out);
		notes_of(variant, notes);
		bpmu_print_csv(out, variant->status, ",");
		fputs(",", out);
		bpmu_print_csv(out, notes, ",");
		fputs("\n", out);
	}
	free(order);
}

static void put_string(FILE *out, const char *key, const char *text)
{
	fprintf(out, ",\"%s\":", key);
	bpmu_print_json(out, text);
}

static void put_number(FILE *out, const char *key, double value)
{
	fprintf(out, ",\"%s\":", key);
	if (isfinite(value))
		number(out, value, "");
	else
		fputs("null", out);
}

static void json_row(const struct bpmu_decan *decan,
		     const struct bpmu_variant *variant, FILE *out)
{
	const struct bpmu_variant *original = decan->plan.variant;
	char notes[NOTES];

	fputs("{\"schema\":1,\"type\":\"variant\"", out);
	put_string(out, "function", decan->name);
	fprintf(out, ",\"loop\":%u", decan->id);
	put_string(out, "variant", variant->name);
	put_string(out, "kind", bpmu_kind_name(variant->kind));
	if (variant->candidate)
		fprintf(out, ",\"address\":\"0x%llx\",\"line\":%u",
			(unsigned long long)variant->candidate->insn->address,
			variant->candidate->line);
	put_string(out, "group", group_of(decan, variant));
	fprintf(out, ",\"repeats\":%u,\"iterations\":%llu", variant->samples,
		(unsigned long long)variant->iterations);
	put_string(out, "unit", decan->unit);
	if (variant->ok) {
		put_number(out, "cycles", variant->cycles.value);
		put_number(out, "low", variant->cycles.low);
		put_number(out, "high", variant->cycles.high);
		put_number(out, "saved", variant->saved);
		put_number(out, "saved_percent", 100 * share(decan, variant));
		put_number(out, "speedup", original->cycles.value /
			    variant->cycles.value);
		put_number(out, "gain_percent", 100 * decan->coverage *
			    share(decan, variant));
		fprintf(out, ",\"resolved\":%s",
			variant->resolved ? "true" : "false");
	}
	put_string(out, "status", variant->status);
	notes_of(variant, notes);
	put_string(out, "notes", notes);
	fputs("}\n", out);
}

/**
 * bpmu_decan_json() - print the results as JSON, an object a line
 * @decan: measured
 * @out: where to
 */
void bpmu_decan_json(const struct bpmu_decan *decan, FILE *out)
{
	const struct bpmu_variant **order = sorted(&decan->plan);
	char verdict[512];
	unsigned int i;

	for (i = 0; i < decan->plan.nr && order; i++)
		json_row(decan, order[i], out);
	fputs("{\"schema\":1,\"type\":\"verdict\"", out);
	put_string(out, "function", decan->name);
	fprintf(out, ",\"loop\":%u", decan->id);
	put_string(out, "verdict", bpmu_decan_verdict(decan, verdict));
	fputs("}\n", out);
	free(order);
}

/* the one of a kind that saves most, if that is resolved */
static const struct bpmu_variant *best_of(const struct bpmu_decan *decan,
					  unsigned int kind)
{
	const struct bpmu_variant *variant, *best = NULL;
	unsigned int i;

	for (i = 0; i < decan->plan.nr; i++) {
		variant = &decan->plan.variant[i];
		if (variant->kind == kind && variant->ok && variant->resolved &&
		    (!best || variant->saved > best->saved))
			best = variant;
	}
	return best;
}

/**
 * bpmu_decan_verdict() - what the prices say together
 * @decan: measured
 * @text: room for it
 *
 * Return: a sentence.
 */
const char *bpmu_decan_verdict(const struct bpmu_decan *decan, char text[512])
{
	const struct bpmu_variant *loads, *store, *load, *group, *both;
	double all, original = decan->plan.variant->cycles.value;

	loads = bpmu_plan_find(&decan->plan, BPMU_KIND_LOADS);
	both = bpmu_plan_find(&decan->plan, BPMU_KIND_LOADS | BPMU_KIND_STORES);
	store = best_of(decan, BPMU_KIND_STORE);
	load = best_of(decan, BPMU_KIND_LOAD);
	group = best_of(decan, BPMU_KIND_GROUPS);
	all = loads && loads->resolved ? loads->saved : 0;
	if (!loads && !both)
		snprintf(text, 512, "Verdict: none, the variants without all loads did not run to their end.");
	else if (all < WORTH * original &&
		 (!both || both->saved < WORTH * original))
		snprintf(text, 512, "Verdict: not memory. Without its loads and stores the loop takes as long.");
	else if (store && all >= WORTH * original &&
		 store->saved >= ALMOST_ALL * all)
		snprintf(text, 512, "Verdict: load-store conflict. Removing one store (%s) saves as much as removing all loads: 4K aliasing or a dependence through memory.",
			 store->name);
	else if (all < WORTH * original)
		snprintf(text, 512, "Verdict: stores. Loads cost little, loads and stores together %.0f %%.",
			 100 * both->saved / original);
	else if (load && load->saved >= ALMOST_ALL * all)
		snprintf(text, 512, "Verdict: one load (%s) is nearly all that loads cost.",
			 load->name);
	else if (group && group->saved >= ALMOST_ALL * all)
		snprintf(text, 512, "Verdict: array %s. Single loads are cheap, together its loads are nearly all that loads cost: look at its stride and size.",
			 decan->candidates.group[group->group].name);
	else
		snprintf(text, 512, "Verdict: loads, of no single array. All of them cost %.0f %% of the loop.",
			 100 * all / original);
	return text;
}
