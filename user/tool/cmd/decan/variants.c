// SPDX-License-Identifier: GPL-2.0
#include "variants.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/*
 * Largest probability that the true median is below the 95 % interval, and largest probability that
 * it is above the interval
 */
#define TAIL 0.025

static const struct {
	const char *name;
	unsigned int kind;
} kinds[] = {
	{ "ld", BPMU_VARIANT_LOAD },
	{ "st", BPMU_VARIANT_STORE },
	{ "loads", BPMU_VARIANT_LOADS },
	{ "stores", BPMU_VARIANT_STORES },
	{ "groups", BPMU_VARIANT_GROUPS },
	{ "div", BPMU_VARIANT_DIVIDES },
	{ "branch", BPMU_VARIANT_BRANCHES },
	{ "l1", BPMU_VARIANT_L1 },
	{ "move", BPMU_VARIANT_MOVE },
	{ "fp", BPMU_VARIANT_FP },
};

/**
 * bpmu_variant_kinds_parse() - parse a list of kinds of variants
 * @text: "ld,st,groups"
 * @set: output: mask of &enum bpmu_variant_kind
 */
int bpmu_variant_kinds_parse(const char *text, unsigned int *set,
			     struct bpmu_error *err)
{
	size_t len, i;

	*set = 0;
	for (;; text += len + 1) {
		len = strcspn(text, ",");
		for (i = 0; i < ARRAY_SIZE(kinds); i++)
			if (strlen(kinds[i].name) == len &&
			    !strncmp(kinds[i].name, text, len))
				break;
		if (i == ARRAY_SIZE(kinds))
			return bpmu_error_set(err, -EINVAL,
				"--kind '%.*s': not known; ld, st, loads, stores, groups, div, branch, l1, move or fp",
				(int)len, text);
		*set |= kinds[i].kind;
		if (!text[len])
			return 0;
	}
}

/**
 * bpmu_variant_kind_name() - name of a kind of variants
 * @kind: one of &enum bpmu_variant_kind
 *
 * Return: name of the kind in --kind and in the output.
 */
const char *bpmu_variant_kind_name(unsigned int kind)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		if (kinds[i].kind == kind)
			return kinds[i].name;
	return kind == BPMU_VARIANT_ORIGINAL ? "original" : "loads_stores";
}

static struct bpmu_variant *variants_add(struct bpmu_variants *variants,
					 unsigned int kind, const char *option)
{
	struct bpmu_variant *grown, *variant;
	unsigned int most = variants->candidates->nr;

	grown = reallocarray(variants->variant, variants->nr + 1, sizeof(*grown));
	if (!grown)
		return NULL;
	variants->variant = grown;
	variant = &grown[variants->nr];
	*variant = (struct bpmu_variant){
		.kind = kind, .group = BPMU_LOOP_NONE, .threads = 1,
		.edit = calloc(most + 1, sizeof(*variant->edit)),
		.patch = calloc(most + 1, sizeof(*variant->patch)),
	};
	variants->nr++;
	if (kind == BPMU_VARIANT_ORIGINAL)
		snprintf(variant->name, sizeof(variant->name), "original");
	else
		snprintf(variant->name, sizeof(variant->name), "%s_loop%u_%s",
			 variants->function, variants->loop_id, option);
	return variant->edit && variant->patch ? variant : NULL;
}

static void add_edit(struct bpmu_variant *variant,
		     const struct bpmu_candidate *candidate, const u8 *bytes,
		     bool taken)
{
	variant->edit[variant->nr++] = (struct bpmu_edit){
		candidate->insn, bytes, taken,
	};
}

static int add_single(struct bpmu_variants *variants, unsigned int kind,
		      const char *what, const struct bpmu_candidate *candidate,
		      struct bpmu_variant **variant)
{
	char option[96];
	int len;

	len = snprintf(option, sizeof(option), "%s_0x%llx", what,
		       (unsigned long long)candidate->insn->address);
	if (candidate->line)
		snprintf(option + len, sizeof(option) - len, "_line%u",
			 candidate->line);
	*variant = variants_add(variants, kind, option);
	if (!*variant)
		return -ENOMEM;
	(*variant)->candidate = candidate;
	(*variant)->skipped = candidate->skipped;
	return 0;
}

/*
 * Adds a variant of the loop that does not have the instruction of @candidate. Returns 0 or
 * -ENOMEM.
 */
static int add_removal(struct bpmu_variants *variants, unsigned int kind,
		       const char *what, const struct bpmu_candidate *candidate)
{
	struct bpmu_variant *variant;
	int code = add_single(variants, kind, what, candidate, &variant);

	if (!code && !candidate->skipped)
		add_edit(variant, candidate, candidate->patch, false);
	return code;
}

/*
 * Adds a variant of the loop in which code of kind @form replaces the instruction of @candidate.
 * Returns 0 or -ENOMEM.
 */
static int add_change(struct bpmu_variants *variants, unsigned int kind,
		      const char *what, const struct bpmu_candidate *candidate,
		      enum bpmu_patch_form form)
{
	struct bpmu_variant *variant;
	int code = add_single(variants, kind, what, candidate, &variant);

	if (code || candidate->skipped)
		return code;
	if (bpmu_patch(variants->code->zydis, candidate->insn, form,
		       &variants->candidates->with, *variant->patch,
		       &variant->skipped))
		return 0;
	add_edit(variant, candidate, *variant->patch, form == BPMU_PATCH_TAKEN);
	return 0;
}

static int add_branch_variants(struct bpmu_variants *variants,
			       const struct bpmu_candidate *candidate)
{
	struct bpmu_variant *variant;
	int code = add_change(variants, BPMU_VARIANT_BRANCHES, "br",
			      candidate, BPMU_PATCH_FALL);

	if (code)
		return code;
	variant = &variants->variant[variants->nr - 1];
	strncat(variant->name, "_fall",
		sizeof(variant->name) - strlen(variant->name) - 1);
	code = add_change(variants, BPMU_VARIANT_BRANCHES, "br", candidate,
			  BPMU_PATCH_TAKEN);
	if (code)
		return code;
	variant = &variants->variant[variants->nr - 1];
	strncat(variant->name, "_taken",
		sizeof(variant->name) - strlen(variant->name) - 1);
	return 0;
}

static bool is_load(const struct bpmu_candidate *candidate)
{
	return candidate->type == BPMU_CANDIDATE_LOAD;
}

static bool computes(const struct bpmu_candidate *candidate)
{
	return candidate->type == BPMU_CANDIDATE_DIVIDE ||
	       candidate->type == BPMU_CANDIDATE_ARITHMETIC ||
	       candidate->flags & BPMU_CANDIDATE_COMPUTES;
}

/*
 * Removes the arithmetic instruction of @candidate from a variant. If it has a memory operand, a
 * load of the operand stays.
 */
static void remove_arithmetic(const struct bpmu_variants *variants,
			      struct bpmu_variant *variant,
			      const struct bpmu_candidate *candidate)
{
	u8 *bytes = variant->patch[variant->nr];
	const char *why;

	if (!computes(candidate) || candidate->skipped)
		return;
	if (bpmu_patch(variants->code->zydis, candidate->insn, is_load(candidate) ?
		       BPMU_PATCH_LOAD : BPMU_PATCH_FILL,
		       &variants->candidates->with, bytes, &why))
		return;
	add_edit(variant, candidate, bytes, false);
}

static int add_total(struct bpmu_variants *variants, unsigned int kind,
		     const char *option, unsigned int group)
{
	struct bpmu_variant *variant = variants_add(variants, kind, option);
	const struct bpmu_candidate *candidate;
	unsigned int i;
	bool wanted;

	if (!variant)
		return -ENOMEM;
	variant->group = group;
	for (i = 0; i < variants->candidates->nr; i++) {
		candidate = &variants->candidates->candidate[i];
		if (kind == BPMU_VARIANT_FP) {
			remove_arithmetic(variants, variant, candidate);
			continue;
		}
		wanted = is_load(candidate) ? kind & BPMU_VARIANT_LOADS :
			 candidate->type == BPMU_CANDIDATE_STORE ?
			 kind & BPMU_VARIANT_STORES : false;
		if (group != BPMU_LOOP_NONE)
			wanted = candidate->group == group ||
				 candidate->pattern == group;
		if (kind == BPMU_VARIANT_DIVIDES)
			wanted = candidate->type == BPMU_CANDIDATE_DIVIDE;
		if (wanted && !candidate->skipped)
			add_edit(variant, candidate, candidate->patch, false);
	}
	if (!variant->nr)
		variant->skipped = "there is nothing to remove";
	return 0;
}

static int add_groups(struct bpmu_variants *variants)
{
	char option[BPMU_GROUP_NAME + 8];
	unsigned int g;
	int code = 0;

	for (g = 0; g < variants->candidates->nr_groups && !code; g++) {
		snprintf(option, sizeof(option), "loads_%s",
			 variants->candidates->group[g].name);
		code = add_total(variants, BPMU_VARIANT_GROUPS, option, g);
	}
	return code;
}

static int add_one(struct bpmu_variants *variants,
		   const struct bpmu_candidate *candidate)
{
	unsigned int want = variants->kinds;
	int code = 0;

	if (is_load(candidate) && want & BPMU_VARIANT_LOAD)
		code = add_removal(variants, BPMU_VARIANT_LOAD, "ld", candidate);
	if (!code && candidate->type == BPMU_CANDIDATE_STORE &&
	    want & BPMU_VARIANT_STORE)
		code = add_removal(variants, BPMU_VARIANT_STORE, "st", candidate);
	if (!code && candidate->type == BPMU_CANDIDATE_DIVIDE &&
	    want & BPMU_VARIANT_DIVIDES)
		code = add_removal(variants, BPMU_VARIANT_DIVIDES, "div", candidate);
	if (!code && candidate->type == BPMU_CANDIDATE_BRANCH &&
	    want & BPMU_VARIANT_BRANCHES)
		code = add_branch_variants(variants, candidate);
	if (!code && is_load(candidate) && want & BPMU_VARIANT_MOVE &&
	    candidate->form == BPMU_PATCH_ZERO)
		code = add_change(variants, BPMU_VARIANT_MOVE, "move", candidate,
				  BPMU_PATCH_MOVE);
	if (!code && is_load(candidate) && want & BPMU_VARIANT_L1)
		code = add_change(variants, BPMU_VARIANT_L1, "l1", candidate,
				  BPMU_PATCH_STACK);
	return code;
}

static int add_totals(struct bpmu_variants *variants)
{
	unsigned int want = variants->kinds;
	int code = 0;

	if (want & BPMU_VARIANT_GROUPS)
		code = add_groups(variants);
	if (!code && want & BPMU_VARIANT_LOADS)
		code = add_total(variants, BPMU_VARIANT_LOADS, "loads", BPMU_LOOP_NONE);
	if (!code && want & BPMU_VARIANT_STORES)
		code = add_total(variants, BPMU_VARIANT_STORES, "stores", BPMU_LOOP_NONE);
	if (!code && want & BPMU_VARIANT_LOADS && want & BPMU_VARIANT_STORES)
		code = add_total(variants, BPMU_VARIANT_LOADS | BPMU_VARIANT_STORES,
				 "loads_stores", BPMU_LOOP_NONE);
	if (!code && want & BPMU_VARIANT_DIVIDES)
		code = add_total(variants, BPMU_VARIANT_DIVIDES, "divides",
				 BPMU_LOOP_NONE);
	if (!code && want & BPMU_VARIANT_FP)
		code = add_total(variants, BPMU_VARIANT_FP, "fp", BPMU_LOOP_NONE);
	return code;
}

/*
 * For each variant adds a second variant with the same changes, which all threads run in parallel.
 * Returns 0 or -ENOMEM.
 */
static int add_threads(struct bpmu_variants *variants)
{
	unsigned int nr = variants->nr, i;
	struct bpmu_variant *variant;
	size_t len;

	for (i = 0; i < nr && variants->threads > 1; i++) {
		variant = variants_add(variants, variants->variant[i].kind, "");
		if (!variant)
			return -ENOMEM;
		memcpy(variant->edit, variants->variant[i].edit,
		       variants->variant[i].nr * sizeof(*variant->edit));
		variant->nr = variants->variant[i].nr;
		variant->candidate = variants->variant[i].candidate;
		variant->group = variants->variant[i].group;
		variant->skipped = variants->variant[i].skipped;
		variant->threads = variants->threads;
		memcpy(variant->name, variants->variant[i].name,
		       sizeof(variant->name));
		len = strlen(variant->name);
		snprintf(variant->name + len, sizeof(variant->name) - len,
			 "_threads%u", variants->threads);
	}
	return 0;
}

/**
 * bpmu_variants_make() - make all variants of a loop
 * @variants: output are @variant and @nr; all other members are input
 *
 * Return: 0 or a negative errno; the caller frees @variants in any case.
 */
int bpmu_variants_make(struct bpmu_variants *variants, struct bpmu_error *err)
{
	unsigned int i;
	int code = variants_add(variants, BPMU_VARIANT_ORIGINAL, NULL) ? 0 : -ENOMEM;

	for (i = 0; i < variants->candidates->nr && !code; i++)
		code = add_one(variants, &variants->candidates->candidate[i]);
	if (!code)
		code = add_totals(variants);
	if (!code)
		code = add_threads(variants);
	return code ? bpmu_error_set(err, code, "decan: no memory; free some") :
	       0;
}

void bpmu_variants_free(struct bpmu_variants *variants)
{
	unsigned int i;

	for (i = 0; i < variants->nr; i++) {
		free(variants->variant[i].edit);
		free(variants->variant[i].patch);
		free(variants->variant[i].sample);
		free(variants->variant[i].shares);
	}
	free(variants->variant);
}

/**
 * bpmu_variants_find() - find the variant of a kind of which there is only one
 * @variants: after bpmu_variants_make()
 * @kind: mask of &enum bpmu_variant_kind
 *
 * Return: the variant that one thread runs; NULL if there is none, or if its runs failed.
 */
const struct bpmu_variant *
bpmu_variants_find(const struct bpmu_variants *variants, unsigned int kind)
{
	unsigned int i;

	for (i = 0; i < variants->nr; i++)
		if (variants->variant[i].kind == kind && variants->variant[i].ok &&
		    !variants->variant[i].candidate &&
		    variants->variant[i].threads == 1)
			return &variants->variant[i];
	return NULL;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/**
 * bpmu_median() - median of the samples of one of decan's variants, with its 95 % interval
 * @sample: samples, [@nr]; sorted in place
 * @nr: number of samples, at least one
 *
 * The 95 % interval is valid for any distribution of the samples: the number of samples below the
 * true median is binomial with p = 1/2. With fewer than 6 samples the interval is from the smallest
 * sample to the largest, and contains the true median with less than 95 % probability.
 */
struct bpmu_interval95 bpmu_median(double *sample, unsigned int nr)
{
	double term = 1, sum = 0;
	unsigned int i, k = 0;

	qsort(sample, nr, sizeof(*sample), by_size);
	for (i = 0; i < nr; i++)
		term /= 2;
	/* Sets @k to the number of samples that the interval leaves out at each end. */
	for (i = 0; i < nr; i++) {
		sum += term;
		if (sum > TAIL)
			break;
		k = i;
		term *= (double)(nr - i) / (i + 1);
	}
	if (k > (nr - 1) / 2)
		k = (nr - 1) / 2;
	return (struct bpmu_interval95){
		.value = nr % 2 ? sample[nr / 2] :
			 (sample[nr / 2 - 1] + sample[nr / 2]) / 2,
		.low = sample[k],
		.high = sample[nr - 1 - k],
	};
}

/**
 * bpmu_variants_judge() - compute how many cycles each variant of the loop saves
 * @variants: variants, all of which have run; their results are filled in
 * @empty: time that the code before and after the loop takes without the loop; it is subtracted
 */
void bpmu_variants_judge(struct bpmu_variants *variants,
			 struct bpmu_interval95 empty)
{
	struct bpmu_variant *original = variants->variant, *variant;
	unsigned int i;

	for (i = 0; i < variants->nr; i++) {
		variant = &variants->variant[i];
		if (!variant->samples)
			continue;
		variant->on_cpu = variant->shares ?
				  bpmu_median(variant->shares,
					      variant->samples).value : NAN;
		variant->cycles = bpmu_median(variant->sample,
					      variant->samples);
		variant->cycles.value -= empty.value;
		variant->cycles.low -= empty.value;
		variant->cycles.high -= empty.value;
		variant->saved = original->cycles.value - variant->cycles.value;
		variant->resolved = variant->cycles.high <
				    original->cycles.low ||
				    variant->cycles.low > original->cycles.high;
	}
}
