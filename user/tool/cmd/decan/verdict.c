// SPDX-License-Identifier: GPL-2.0
/*
 * The verdict on a loop: what limits its speed, according to the time that each variant saves. A
 * saving is not resolved if its 95 % interval contains 0. The verdict then says neither that the
 * variant saves time nor that it does not.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "decan.h"

/*
 * One variant lacks all loads of the loop; others lack a single load, a single store, or the loads
 * of one array. If one of the latter saves at least this fraction of the time that the former
 * saves, the verdict names that load, store or array.
 */
#define ALMOST_ALL 0.8
/*
 * The verdict regards the time that a variant saves as large if it is at least this fraction of the
 * loop's time
 */
#define RELEVANT 0.1
/*
 * There is a verdict on several threads only if the other threads ran on a CPU for at least this
 * fraction of the time
 */
#define ON_CPU 0.5

/**
 * enum matters - whether the time that a variant saves is a large part of the loop's time
 * @MATTERS_NOT: no: the whole 95 % interval of the fraction that the variant saves is below
 *	RELEVANT
 * @MATTERS_OPEN: unknown: the 95 % interval ends at RELEVANT or above, but the measured fraction is
 *	below RELEVANT, or the saving is not resolved (may be 0)
 * @MATTERS: yes: the measured fraction is at least RELEVANT, and the saving is resolved (above 0)
 */
enum matters {
	MATTERS_NOT,
	MATTERS_OPEN,
	MATTERS
};

/*
 * Returns the fraction of the original loop's time that a variant saves, with the 95 % interval of
 * this fraction.
 */
static struct bpmu_interval95 share_of(const struct bpmu_decan *decan,
				       const struct bpmu_variant *variant)
{
	const struct bpmu_interval95 *original =
		&decan->variants.variant->cycles;
	const struct bpmu_interval95 *cycles = &variant->cycles;

	return (struct bpmu_interval95){
		.value = variant->saved / original->value,
		.low = (original->low - cycles->high) / original->value,
		.high = (original->high - cycles->low) / original->value,
	};
}

/*
 * Returns whether the time that a variant saves is a large part of the loop's time. If @variant is
 * NULL, because it did not run, returns MATTERS_NOT.
 */
static enum matters matters(const struct bpmu_decan *decan,
			    const struct bpmu_variant *variant)
{
	struct bpmu_interval95 share;

	if (!variant)
		return MATTERS_NOT;
	share = share_of(decan, variant);
	if (variant->resolved && share.value >= RELEVANT)
		return MATTERS;
	return share.high < RELEVANT ? MATTERS_NOT : MATTERS_OPEN;
}

static const struct bpmu_variant *variant_of(const struct bpmu_decan *decan,
					     unsigned int kinds)
{
	return bpmu_variants_find(&decan->variants, kinds);
}

/*
 * Returns whether the loop waits for memory. It does if one of these variants saves a large part of
 * the loop's time: the variant in which all loads are removed, the one in which all stores are
 * removed, or the one in which both are removed. Sets *@known to true if any of these variants has
 * run, else to false.
 */
static enum matters is_memory(const struct bpmu_decan *decan, bool *known)
{
	static const unsigned int kinds[] = {
		BPMU_VARIANT_LOADS, BPMU_VARIANT_STORES,
		BPMU_VARIANT_LOADS | BPMU_VARIANT_STORES,
	};
	enum matters one, most = MATTERS_NOT;
	const struct bpmu_variant *variant;
	unsigned int i;

	*known = false;
	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		variant = variant_of(decan, kinds[i]);
		*known |= !!variant;
		one = matters(decan, variant);
		if (one > most)
			most = one;
	}
	return most;
}

/*
 * Returns the variant of a kind that saves most time. Only variants are considered that ran with
 * one thread, and whose saving is resolved (its 95 % interval does not contain 0). Returns NULL if
 * there is no such variant.
 */
static const struct bpmu_variant *best_of(const struct bpmu_decan *decan,
					  unsigned int kind)
{
	const struct bpmu_variant *variant, *best = NULL;
	unsigned int i;

	for (i = 0; i < decan->variants.nr; i++) {
		variant = &decan->variants.variant[i];
		if (variant->kind == kind && variant->threads == 1 &&
		    variant->ok && variant->resolved &&
		    (!best || variant->saved > best->saved))
			best = variant;
	}
	return best;
}

/*
 * Returns true if some variant of a kind may save the fraction @share of the loop's time, although
 * its saving is not resolved: the 95 % interval of the saving ends at @share or above.
 */
static bool could_be(const struct bpmu_decan *decan, unsigned int kind, double share)
{
	const struct bpmu_variant *variant;
	unsigned int i;

	for (i = 0; i < decan->variants.nr; i++) {
		variant = &decan->variants.variant[i];
		if (variant->kind == kind && variant->threads == 1 &&
		    variant->ok && !variant->resolved &&
		    share_of(decan, variant).high >= share)
			return true;
	}
	return false;
}

/*
 * Returns true if a variant has run, with one thread, in which one load is removed, or the loads of
 * one array.
 */
static bool has_parts(const struct bpmu_decan *decan)
{
	const struct bpmu_variant *variant;
	unsigned int i;

	for (i = 0; i < decan->variants.nr; i++) {
		variant = &decan->variants.variant[i];
		if ((variant->kind == BPMU_VARIANT_LOAD ||
		     variant->kind == BPMU_VARIANT_GROUPS) &&
		    variant->threads == 1 && variant->ok)
			return true;
	}
	return false;
}

/*
 * Writes to @text the percentage of the loop's time that a variant saves, such as "45 %". If it is
 * unknown whether the percentage is large, writes its 95 % interval: "-3 to 20 %, not resolved".
 * Returns @text.
 */
static const char *format_share(const struct bpmu_decan *decan,
				const struct bpmu_variant *variant, char text[64])
{
	struct bpmu_interval95 share = share_of(decan, variant);

	if (matters(decan, variant) == MATTERS_OPEN)
		snprintf(text, 64, "%.0f to %.0f %%, not resolved",
			 100 * share.low, 100 * share.high);
	else
		snprintf(text, 64, "%.0f %%", 100 * share.value);
	return text;
}

static void say_unresolved(const struct bpmu_decan *decan, char text[512])
{
	static const struct {
		unsigned int kinds;
		const char *name;
	} all[] = {
		{ BPMU_VARIANT_LOADS, "all loads" },
		{ BPMU_VARIANT_STORES, "all stores" },
		{ BPMU_VARIANT_LOADS | BPMU_VARIANT_STORES, "all of both" },
	};
	const struct bpmu_variant *variant;
	const char *separator = " ";
	char share[64];
	unsigned int i;
	int len = snprintf(text, 512, "not resolved. What is saved without");

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		variant = variant_of(decan, all[i].kinds);
		if (!variant)
			continue;
		len += snprintf(text + len, 512 - len, "%s%s: %s", separator,
				all[i].name, format_share(decan, variant, share));
		separator = "; ";
	}
	snprintf(text + len, 512 - len, ". Use more rounds (-r), or an idle machine.");
}

static void say_group(const struct bpmu_decan *decan,
		      const struct bpmu_array_group *group, double all,
		      char text[512])
{
	bool open = could_be(decan, BPMU_VARIANT_LOAD, ALMOST_ALL * all);
	char stride[48] = "";

	if (group->stride)
		snprintf(stride, sizeof(stride), ", stride %lld bytes",
			 group->stride);
	snprintf(text, 512, "array %s%s. %s these %u are nearly all that loads cost.",
		 group->name, stride, open ?
		 "Single loads are not resolved, together" :
		 "Single loads are cheap, together", group->nr);
}

/*
 * Writes the verdict on a loop whose speed is limited by its stores. The verdict mentions loads
 * only if a variant without all loads was run.
 */
static void say_stores(const struct bpmu_decan *decan, char text[512])
{
	const struct bpmu_variant *loads = variant_of(decan, BPMU_VARIANT_LOADS);
	const struct bpmu_variant *stores = variant_of(decan, BPMU_VARIANT_STORES);
	char share[64];
	int len;

	len = snprintf(text, 512, "stores. All stores cost %s of the loop",
		       format_share(decan, stores, share));
	if (loads)
		len += snprintf(text + len, 512 - len, ", all loads %s",
				format_share(decan, loads, share));
	snprintf(text + len, 512 - len, ".");
}

/*
 * Writes the verdict on a loop that takes less time only if both loads and stores are removed. The
 * variant without loads only, and the variant without stores only, save little time.
 */
static void say_interaction(const struct bpmu_decan *decan, char text[512])
{
	const struct bpmu_variant *loads = variant_of(decan, BPMU_VARIANT_LOADS);
	const struct bpmu_variant *stores = variant_of(decan, BPMU_VARIANT_STORES);
	const struct bpmu_variant *both =
		variant_of(decan, BPMU_VARIANT_LOADS | BPMU_VARIANT_STORES);
	char shares[3][64];

	format_share(decan, both, shares[0]);
	if (!loads || !stores)
		snprintf(text, 512, "loads, stores or both. Without all of them the loop takes %s less; not all loads, or not all stores, were removed alone.",
			 shares[0]);
	else if (matters(decan, loads) == MATTERS_NOT &&
		 matters(decan, stores) == MATTERS_NOT)
		snprintf(text, 512, "loads and stores together. Without all of them the loop takes %s less, without only one of the two it does not.",
			 shares[0]);
	else
		snprintf(text, 512, "loads, stores or both. Without all of them the loop takes %s less; without all loads: %s; without all stores: %s.",
			 shares[0], format_share(decan, loads, shares[1]),
			 format_share(decan, stores, shares[2]));
}

/*
 * Writes the verdict on a loop whose speed is limited by its loads. @all: fraction of the loop's
 * time that is saved by the variant without all loads.
 */
static void say_loads(const struct bpmu_decan *decan, double all, char text[512])
{
	const struct bpmu_variant *store = best_of(decan, BPMU_VARIANT_STORE);
	const struct bpmu_variant *load = best_of(decan, BPMU_VARIANT_LOAD);
	const struct bpmu_variant *group = best_of(decan, BPMU_VARIANT_GROUPS);
	double most = ALMOST_ALL * all;

	if (store && share_of(decan, store).value >= most)
		snprintf(text, 512, "load-store conflict. Removing one store (%s) saves as much as removing all loads: 4K aliasing, or a dependence through memory.",
			 store->name);
	else if (load && share_of(decan, load).value >= most)
		snprintf(text, 512, "one load. %s is nearly all that loads cost.",
			 load->name);
	else if (group && share_of(decan, group).value >= most)
		say_group(decan, &decan->candidates.group[group->group], all,
			  text);
	else if (could_be(decan, BPMU_VARIANT_LOAD, most) ||
		 could_be(decan, BPMU_VARIANT_GROUPS, most))
		snprintf(text, 512, "loads. All of them cost %.0f %% of the loop; which of them, is not resolved.",
			 100 * all);
	else if (!has_parts(decan))
		snprintf(text, 512, "loads. All of them cost %.0f %% of the loop; with --kind ld,groups it is seen which.",
			 100 * all);
	else
		snprintf(text, 512, "loads, of no single array. All of them cost %.0f %% of the loop.",
			 100 * all);
}

/**
 * bpmu_decan_verdict() - the verdict of DECAN: what limits the speed of a loop
 * @decan: state of "barepmu decan" after bpmu_decan_measure()
 * @text: buffer for the sentence
 *
 * Return: @text, a sentence.
 */
const char *bpmu_decan_verdict(const struct bpmu_decan *decan, char text[512])
{
	const struct bpmu_variant *loads = variant_of(decan, BPMU_VARIANT_LOADS);
	const struct bpmu_variant *stores = variant_of(decan, BPMU_VARIANT_STORES);
	bool known;
	enum matters memory = is_memory(decan, &known);

	if (!known)
		snprintf(text, 512, "none. No variant without all loads or all stores ran to its end.");
	else if (memory == MATTERS_NOT)
		snprintf(text, 512, "not memory. Without its loads and stores the loop takes as long.");
	else if (memory == MATTERS_OPEN)
		say_unresolved(decan, text);
	else if (matters(decan, loads) == MATTERS)
		say_loads(decan, share_of(decan, loads).value, text);
	else if (matters(decan, stores) == MATTERS)
		say_stores(decan, text);
	else
		say_interaction(decan, text);
	return text;
}

/**
 * bpmu_decan_agreement() - tell if DECAN's verdict agrees with Top-Down's Memory_Bound
 * @decan: state of "barepmu decan" after bpmu_decan_measure()
 * @text: buffer for the sentence
 *
 * Return: @text, a sentence; "" if DECAN has no verdict, or if Memory_Bound was not counted.
 */
const char *bpmu_decan_agreement(const struct bpmu_decan *decan, char text[128])
{
	const struct bpmu_tree *tree = &decan->session.type.tree;
	const struct bpmu_tree_value *value = NULL;
	const struct bpmu_metric *metric = tree->metrics.metric;
	enum matters memory;
	const char *both;
	unsigned int i, at = 0;
	bool known;

	*text = '\0';
	memory = is_memory(decan, &known);
	for (i = 0; decan->counting && i < tree->metrics.nr; i++) {
		if (!strcmp(metric[i].name, "Memory_Bound") ||
		    !strcmp(metric[i].name, "tma_memory_bound")) {
			at = i;
			value = bpmu_decan_session_values(&decan->session, 0) + i;
		}
	}
	if (!known || !value || !value->known)
		return text;
	both = memory == MATTERS_OPEN ? "the prices are not resolved" :
	       value->flagged == (memory == MATTERS) ? "the two agree" :
	       "the two disagree";
	snprintf(text, 128, "Top-Down: %s is %.1f %%, %sflagged: %s.", metric[at].name,
		 100 * value->value, value->flagged ? "" : "not ", both);
	return text;
}

static const struct bpmu_variant *on_threads(const struct bpmu_decan *decan,
					     unsigned int kind)
{
	const struct bpmu_variant *variant;
	unsigned int i;

	for (i = 0; i < decan->variants.nr; i++) {
		variant = &decan->variants.variant[i];
		if (variant->kind == kind && variant->threads > 1 &&
		    variant->ok && !variant->candidate)
			return variant;
	}
	return NULL;
}

/*
 * Returns a variant's time as a multiple of the time of the original loop with one thread, with its
 * 95 % interval.
 */
static struct bpmu_interval95 times_of(const struct bpmu_decan *decan,
				       const struct bpmu_variant *variant)
{
	const struct bpmu_interval95 *one = &decan->variants.variant->cycles;

	return (struct bpmu_interval95){
		.value = variant->cycles.value / one->value,
		.low = variant->cycles.low / one->high,
		.high = variant->cycles.high / one->low,
	};
}

static void say_sharing(const struct bpmu_decan *decan,
			const struct bpmu_variant *all, char text[512])
{
	const struct bpmu_variant *stores =
		on_threads(decan, BPMU_VARIANT_STORES);
	struct bpmu_interval95 without;
	int len;

	len = snprintf(text, 512, "Threads: %u at once take %.2f times as long as one",
		       all->threads, times_of(decan, all).value);
	if (!stores) {
		snprintf(text + len, 512 - len, "; with --kind stores it is seen whether their stores are why.");
		return;
	}
	without = times_of(decan, stores);
	if (without.high < 1 + RELEVANT)
		snprintf(text + len, 512 - len, ", without their stores %.2f times: they write to the same lines (true or false sharing).",
			 without.value);
	else if (stores->resolved && without.value >= 1 + RELEVANT)
		snprintf(text + len, 512 - len, ", without their stores %.2f times: they contend for bandwidth or a cache.",
			 without.value);
	else
		snprintf(text + len, 512 - len, ", without their stores %.2f to %.2f times: why, is not resolved.",
			 without.low, without.high);
}

/**
 * bpmu_decan_sharing() - verdict of DECAN on several threads: how much they slow each other
 * @decan: state of "barepmu decan" after bpmu_decan_measure()
 * @text: buffer for the sentence
 *
 * Return: @text, a sentence; "" if only one thread was measured.
 */
const char *bpmu_decan_sharing(const struct bpmu_decan *decan, char text[512])
{
	const struct bpmu_variant *all, *stores;
	struct bpmu_interval95 slower;
	double on_cpu;

	*text = '\0';
	all = on_threads(decan, BPMU_VARIANT_ORIGINAL);
	if (!all)
		return text;
	slower = times_of(decan, all);
	stores = on_threads(decan, BPMU_VARIANT_STORES);
	on_cpu = stores ? fmin(all->on_cpu, stores->on_cpu) : all->on_cpu;
	if (on_cpu < ON_CPU)
		snprintf(text, 512, "Threads: no conclusion, because the other %s had a CPU for only %.0f %% of the time; use %u CPUs that are otherwise idle.",
			 all->threads > 2 ? "threads" : "one", 100 * on_cpu,
			 all->threads);
	else if (all->resolved && slower.value >= 1 + RELEVANT)
		say_sharing(decan, all, text);
	else if (slower.high < 1 + RELEVANT)
		snprintf(text, 512, "Threads: %u at once take as long as one.",
			 all->threads);
	else
		snprintf(text, 512, "Threads: not resolved. %u at once take %.2f to %.2f times as long as one; use more rounds (-r), or an idle machine.",
			 all->threads, slower.low, slower.high);
	return text;
}
