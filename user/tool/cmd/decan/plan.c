// SPDX-License-Identifier: GPL-2.0
#include "plan.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* a median's interval leaves out at most so much on each side */
#define TAIL 0.025

static const struct {
	const char *name;
	unsigned int kind;
} kinds[] = {
	{ "ld", BPMU_KIND_LOAD },
	{ "st", BPMU_KIND_STORE },
	{ "loads", BPMU_KIND_LOADS },
	{ "stores", BPMU_KIND_STORES },
	{ "groups", BPMU_KIND_GROUPS },
	{ "div", BPMU_KIND_DIVIDES },
	{ "branch", BPMU_KIND_BRANCHES },
	{ "l1", BPMU_KIND_L1 },
	{ "move", BPMU_KIND_MOVE },
	{ "fp", BPMU_KIND_FP },
};

/**
 * bpmu_kinds_parse() - read a list of kinds
 * @text: "ld,st,groups"
 * @set: set to them
 * @err: set on failure
 *
 * Return: 0 or a negative errno.
 */
int bpmu_kinds_parse(const char *text, unsigned int *set,
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
 * bpmu_kind_name() - what a kind is called
 * @kind: one of &enum bpmu_kind
 *
 * Return: its name.
 */
const char *bpmu_kind_name(unsigned int kind)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		if (kinds[i].kind == kind)
			return kinds[i].name;
	return kind == BPMU_KIND_ORIGINAL ? "original" : "loads_stores";
}

static struct bpmu_variant *decan_plan_add(struct bpmu_plan *plan, unsigned int kind,
					   const char *option)
{
	struct bpmu_variant *grown, *variant;
	unsigned int most = plan->candidates->nr;

	grown = reallocarray(plan->variant, plan->nr + 1, sizeof(*grown));
	if (!grown)
		return NULL;
	plan->variant = grown;
	variant = &grown[plan->nr];
	*variant = (struct bpmu_variant){
		.kind = kind, .group = BPMU_LOOP_NONE, .threads = 1,
		.edit = calloc(most + 1, sizeof(*variant->edit)),
		.patch = calloc(most + 1, sizeof(*variant->patch)),
	};
	plan->nr++;
	if (kind == BPMU_KIND_ORIGINAL)
		snprintf(variant->name, sizeof(variant->name), "original");
	else
		snprintf(variant->name, sizeof(variant->name), "%s_loop%u_%s",
			 plan->function, plan->loop_id, option);
	return variant->edit && variant->patch ? variant : NULL;
}

static void edit(struct bpmu_variant *variant,
		 const struct bpmu_candidate *candidate, const u8 *bytes,
		 bool taken)
{
	variant->edit[variant->nr++] = (struct bpmu_edit){
		candidate->insn, bytes, taken,
	};
}

static int single(struct bpmu_plan *plan, unsigned int kind, const char *what,
		  const struct bpmu_candidate *candidate,
		  struct bpmu_variant **variant)
{
	char option[96];
	int len;

	len = snprintf(option, sizeof(option), "%s_0x%llx", what,
		       (unsigned long long)candidate->insn->address);
	if (candidate->line)
		snprintf(option + len, sizeof(option) - len, "_line%u",
			 candidate->line);
	*variant = decan_plan_add(plan, kind, option);
	if (!*variant)
		return -ENOMEM;
	(*variant)->candidate = candidate;
	(*variant)->skipped = candidate->skipped;
	return 0;
}

/* the instruction alone, in its own form */
static int remove_one(struct bpmu_plan *plan, unsigned int kind,
		      const char *what, const struct bpmu_candidate *candidate)
{
	struct bpmu_variant *variant;
	int code = single(plan, kind, what, candidate, &variant);

	if (!code && !candidate->skipped)
		edit(variant, candidate, candidate->patch, false);
	return code;
}

/* the instruction alone, in another form */
static int change_one(struct bpmu_plan *plan, unsigned int kind,
		      const char *what, const struct bpmu_candidate *candidate,
		      enum bpmu_patch_form form)
{
	struct bpmu_variant *variant;
	int code = single(plan, kind, what, candidate, &variant);

	if (code || candidate->skipped)
		return code;
	if (bpmu_patch(plan->code->zydis, candidate->insn, form,
		       &plan->candidates->with, *variant->patch,
		       &variant->skipped))
		return 0;
	edit(variant, candidate, *variant->patch, form == BPMU_PATCH_TAKEN);
	return 0;
}

static int branch_both_ways(struct bpmu_plan *plan,
			    const struct bpmu_candidate *candidate)
{
	struct bpmu_variant *variant;
	int code = change_one(plan, BPMU_KIND_BRANCHES, "br",
			      candidate, BPMU_PATCH_FALL);

	if (code)
		return code;
	variant = &plan->variant[plan->nr - 1];
	strncat(variant->name, "_fall",
		sizeof(variant->name) - strlen(variant->name) - 1);
	code = change_one(plan, BPMU_KIND_BRANCHES, "br", candidate,
			  BPMU_PATCH_TAKEN);
	if (code)
		return code;
	variant = &plan->variant[plan->nr - 1];
	strncat(variant->name, "_taken",
		sizeof(variant->name) - strlen(variant->name) - 1);
	return 0;
}

static bool is_load(const struct bpmu_candidate *candidate)
{
	return candidate->kind == BPMU_CANDIDATE_LOAD;
}

static bool computes(const struct bpmu_candidate *candidate)
{
	return candidate->kind == BPMU_CANDIDATE_DIVIDE ||
	       candidate->kind == BPMU_CANDIDATE_ARITHMETIC ||
	       candidate->flags & BPMU_CANDIDATE_COMPUTES;
}

/* arithmetic goes away, what it reads is still read */
static void remove_arithmetic(const struct bpmu_plan *plan,
			      struct bpmu_variant *variant,
			      const struct bpmu_candidate *candidate)
{
	u8 *bytes = variant->patch[variant->nr];
	const char *why;

	if (!computes(candidate) || candidate->skipped)
		return;
	if (bpmu_patch(plan->code->zydis, candidate->insn, is_load(candidate) ?
		       BPMU_PATCH_LOAD : BPMU_PATCH_FILL,
		       &plan->candidates->with, bytes, &why))
		return;
	edit(variant, candidate, bytes, false);
}

static int all_of(struct bpmu_plan *plan, unsigned int kind, const char *option,
		  unsigned int group)
{
	struct bpmu_variant *variant = decan_plan_add(plan, kind, option);
	const struct bpmu_candidate *candidate;
	unsigned int i;
	bool wanted;

	if (!variant)
		return -ENOMEM;
	variant->group = group;
	for (i = 0; i < plan->candidates->nr; i++) {
		candidate = &plan->candidates->candidate[i];
		if (kind == BPMU_KIND_FP) {
			remove_arithmetic(plan, variant, candidate);
			continue;
		}
		wanted = is_load(candidate) ? kind & BPMU_KIND_LOADS :
			 candidate->kind == BPMU_CANDIDATE_STORE ?
			 kind & BPMU_KIND_STORES : false;
		if (group != BPMU_LOOP_NONE)
			wanted = candidate->group == group ||
				 candidate->pattern == group;
		if (kind == BPMU_KIND_DIVIDES)
			wanted = candidate->kind == BPMU_CANDIDATE_DIVIDE;
		if (wanted && !candidate->skipped)
			edit(variant, candidate, candidate->patch, false);
	}
	if (!variant->nr)
		variant->skipped = "there is nothing to remove";
	return 0;
}

static int add_groups(struct bpmu_plan *plan)
{
	char option[BPMU_GROUP_NAME + 8];
	unsigned int g;
	int code = 0;

	for (g = 0; g < plan->candidates->nr_groups && !code; g++) {
		snprintf(option, sizeof(option), "loads_%s",
			 plan->candidates->group[g].name);
		code = all_of(plan, BPMU_KIND_GROUPS, option, g);
	}
	return code;
}

static int add_one(struct bpmu_plan *plan,
		   const struct bpmu_candidate *candidate)
{
	unsigned int want = plan->kinds;
	int code = 0;

	if (is_load(candidate) && want & BPMU_KIND_LOAD)
		code = remove_one(plan, BPMU_KIND_LOAD, "ld", candidate);
	if (!code && candidate->kind == BPMU_CANDIDATE_STORE &&
	    want & BPMU_KIND_STORE)
		code = remove_one(plan, BPMU_KIND_STORE, "st", candidate);
	if (!code && candidate->kind == BPMU_CANDIDATE_DIVIDE &&
	    want & BPMU_KIND_DIVIDES)
		code = remove_one(plan, BPMU_KIND_DIVIDES, "div", candidate);
	if (!code && candidate->kind == BPMU_CANDIDATE_BRANCH &&
	    want & BPMU_KIND_BRANCHES)
		code = branch_both_ways(plan, candidate);
	if (!code && is_load(candidate) && want & BPMU_KIND_MOVE &&
	    candidate->form == BPMU_PATCH_ZERO)
		code = change_one(plan, BPMU_KIND_MOVE, "move", candidate,
				  BPMU_PATCH_MOVE);
	if (!code && is_load(candidate) && want & BPMU_KIND_L1)
		code = change_one(plan, BPMU_KIND_L1, "l1", candidate,
				  BPMU_PATCH_STACK);
	return code;
}

static int add_totals(struct bpmu_plan *plan)
{
	unsigned int want = plan->kinds;
	int code = 0;

	if (want & BPMU_KIND_GROUPS)
		code = add_groups(plan);
	if (!code && want & BPMU_KIND_LOADS)
		code = all_of(plan, BPMU_KIND_LOADS, "loads", BPMU_LOOP_NONE);
	if (!code && want & BPMU_KIND_STORES)
		code = all_of(plan, BPMU_KIND_STORES, "stores", BPMU_LOOP_NONE);
	if (!code && want & BPMU_KIND_LOADS && want & BPMU_KIND_STORES)
		code = all_of(plan, BPMU_KIND_LOADS | BPMU_KIND_STORES,
			      "loads_stores", BPMU_LOOP_NONE);
	if (!code && want & BPMU_KIND_DIVIDES)
		code = all_of(plan, BPMU_KIND_DIVIDES, "divides",
			      BPMU_LOOP_NONE);
	if (!code && want & BPMU_KIND_FP)
		code = all_of(plan, BPMU_KIND_FP, "fp", BPMU_LOOP_NONE);
	return code;
}

/* the same variants on all threads at once */
static int add_threads(struct bpmu_plan *plan)
{
	unsigned int nr = plan->nr, i;
	struct bpmu_variant *variant;
	size_t len;

	for (i = 0; i < nr && plan->threads > 1; i++) {
		variant = decan_plan_add(plan, plan->variant[i].kind, "");
		if (!variant)
			return -ENOMEM;
		memcpy(variant->edit, plan->variant[i].edit,
		       plan->variant[i].nr * sizeof(*variant->edit));
		variant->nr = plan->variant[i].nr;
		variant->candidate = plan->variant[i].candidate;
		variant->group = plan->variant[i].group;
		variant->skipped = plan->variant[i].skipped;
		variant->threads = plan->threads;
		memcpy(variant->name, plan->variant[i].name,
		       sizeof(variant->name));
		len = strlen(variant->name);
		snprintf(variant->name + len, sizeof(variant->name) - len,
			 "_threads%u", plan->threads);
	}
	return 0;
}

/**
 * bpmu_plan_make() - make all variants
 * @plan: with all but its variants
 * @err: set on failure
 *
 * Return: 0 or a negative errno; @plan is to be freed in any case.
 */
int bpmu_plan_make(struct bpmu_plan *plan, struct bpmu_error *err)
{
	unsigned int i;
	int code = decan_plan_add(plan, BPMU_KIND_ORIGINAL, NULL) ? 0 : -ENOMEM;

	for (i = 0; i < plan->candidates->nr && !code; i++)
		code = add_one(plan, &plan->candidates->candidate[i]);
	if (!code)
		code = add_totals(plan);
	if (!code)
		code = add_threads(plan);
	return code ? bpmu_error_set(err, code, "decan: no memory; free some") :
	       0;
}

/**
 * bpmu_plan_free() - free all variants
 * @plan: in any state
 */
void bpmu_plan_free(struct bpmu_plan *plan)
{
	unsigned int i;

	for (i = 0; i < plan->nr; i++) {
		free(plan->variant[i].edit);
		free(plan->variant[i].patch);
		free(plan->variant[i].sample);
	}
	free(plan->variant);
}

/**
 * bpmu_plan_find() - the variant of a kind of which there is one
 * @plan: made
 * @kind: set of &enum bpmu_kind
 *
 * Return: it, if it was run and ended well, else NULL.
 */
const struct bpmu_variant *bpmu_plan_find(const struct bpmu_plan *plan,
					  unsigned int kind)
{
	unsigned int i;

	for (i = 0; i < plan->nr; i++)
		if (plan->variant[i].kind == kind && plan->variant[i].ok &&
		    !plan->variant[i].candidate &&
		    plan->variant[i].threads == 1)
			return &plan->variant[i];
	return NULL;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/**
 * bpmu_median() - median and its 95 % interval from the order of the samples
 * @sample: sorted afterwards
 * @nr: how many, at least one
 *
 * Nothing is assumed of how they are distributed: the number of samples below
 * the true median is binomial with p = 1/2. With fewer than 6 samples the
 * interval is all of them, though it holds the median less often.
 *
 * Return: median and interval.
 */
struct bpmu_interval95 bpmu_median(double *sample, unsigned int nr)
{
	double term = 1, sum = 0;
	unsigned int i, k = 0;

	qsort(sample, nr, sizeof(*sample), by_size);
	for (i = 0; i < nr; i++)
		term /= 2;
	/* the most samples that can be left out on each side */
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
 * bpmu_plan_judge() - what each variant saves
 * @plan: all variants have run
 * @empty: what the brackets cost without a loop
 */
void bpmu_plan_judge(struct bpmu_plan *plan, struct bpmu_interval95 empty)
{
	struct bpmu_variant *original = plan->variant, *variant;
	unsigned int i;

	for (i = 0; i < plan->nr; i++) {
		variant = &plan->variant[i];
		if (!variant->samples)
			continue;
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
