// SPDX-License-Identifier: GPL-2.0
/*
 * Computes counts that metrics need but that the input of "barepmu eval" lacks, from other counts
 * that the input has.
 */
#include "eval_derive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "metric/metric_constant.h"
#include "metric/metric_expr.h"

#define PER ":per="
/*
 * Slots per cycle of cores up to Skylake. Linux' event topdown-total-slots counts cycles, and Linux
 * multiplies them by this number.
 */
#define SLOTS_4_WIDE 4

/*
 * Returns a core's cycles. @from[0] are the slots of a thread. With Hyper-Threading, they are half
 * of the slots of the core.
 */
static double slots_of_core(const struct bpmu_eval *eval, const double *from)
{
	return from[0] / (eval->smt ? SLOTS_4_WIDE / 2 : SLOTS_4_WIDE);
}

/*
 * Returns the cycles in which any thread of the core runs, estimated by Intel's formula. @from[0]
 * are the cycles of this thread, @from[2] its clock ticks, and @from[1] the clock ticks in which it
 * was the only active thread. The cycles are increased by the fraction @from[1] / @from[2].
 */
static double clocks_of_any_thread(const struct bpmu_eval *eval, const double *from)
{
	(void)eval;
	return from[0] * (1 + from[1] / from[2]);
}

static double slots_per_cycle(const struct bpmu_eval *eval)
{
	const struct bpmu_metrics *lines = eval->choice.lines;
	int i = bpmu_metrics_find(lines, "IssueWidth");

	return i >= 0 && lines->metric[i].expr->op == BPMU_EXPR_NUMBER ?
	       lines->metric[i].expr->number : NAN;
}

/*
 * Returns the slots of one of the four categories of Top-Down on an E-core: all slots in @from[0]
 * cycles, minus the slots of the three other categories, @from[1] to @from[3].
 */
static double slots_left(const struct bpmu_eval *eval, const double *from)
{
	return slots_per_cycle(eval) * from[0] - from[1] - from[2] - from[3];
}

/*
 * Returns the count of an event A:per=B: the count of event A divided by the count of B, a clock.
 * @from[0] is the count of A and @from[1] the count of B, each summed over all packages. It is
 * assumed that the clocks of all packages are equal.
 */
static double quotient_of_sockets(const struct bpmu_eval *eval, const double *from)
{
	const struct bpmu_value *sockets = &eval->tree.slot[BPMU_CONSTANT_SOCKETS];

	return sockets->known ? sockets->number * from[0] / from[1] : NAN;
}

/**
 * struct derivation - how the count of an event follows from counts of other events
 * @event: name of the event; NULL stands for any event A:per=B, which is the quotient of event A
 *	and clock B
 * @from: names of the other events as perf writes them; empty for A:per=B
 * @count: computes the count of @event from the counts of @from
 */
struct derivation {
	const char *event;
	const char *from[BPMU_EVAL_FROM];
	double (*count)(const struct bpmu_eval *eval, const double *from);
};

static const struct derivation derivations[] = {
	/* Linux, arch/x86/events/intel/core.c: td_total_slots, td_recovery_bubbles */
	{ "CPU_CLK_UNHALTED.THREAD", { "topdown-total-slots" }, slots_of_core },
	{ "CPU_CLK_UNHALTED.THREAD_ANY", { "topdown-total-slots" },
	  slots_of_core },
	{ "INT_MISC.RECOVERY_CYCLES", { "topdown-recovery-bubbles" },
	  slots_of_core },
	{ "INT_MISC.RECOVERY_CYCLES_ANY", { "topdown-recovery-bubbles" },
	  slots_of_core },
	/*
	 * Intel's TMA: formula of CORE_CLKS if one process was measured, not whole CPUs; first with
	 * the event names before Skylake, then with those since Skylake
	 */
	{ "CPU_CLK_UNHALTED.THREAD_ANY",
	  { "CPU_CLK_UNHALTED.THREAD", "CPU_CLK_UNHALTED.ONE_THREAD_ACTIVE",
	    "CPU_CLK_UNHALTED.REF_XCLK" }, clocks_of_any_thread },
	{ "CPU_CLK_UNHALTED.THREAD_ANY",
	  { "CPU_CLK_UNHALTED.THREAD", "CPU_CLK_THREAD_UNHALTED.ONE_THREAD_ACTIVE",
	    "CPU_CLK_THREAD_UNHALTED.REF_XCLK" }, clocks_of_any_thread },
	/* Intel's TMA of efficient cores */
	{ "TOPDOWN_BAD_SPECULATION.ALL",
	  { "CPU_CLK_UNHALTED.CORE", "TOPDOWN_FE_BOUND.ALL",
	    "TOPDOWN_BE_BOUND.ALL", "TOPDOWN_RETIRING.ALL" }, slots_left },
	{ NULL, { NULL }, quotient_of_sockets },
};

/**
 * bpmu_eval_derives() - check if counts of other events can be derived from an event of eval
 * @name: name of the event in the input. It may be one that no CPU model has, such as perf's
 *	topdown-total-slots
 */
bool bpmu_eval_derives(const char *name)
{
	size_t d, f;

	for (d = 0; d < ARRAY_SIZE(derivations); d++)
		for (f = 0; f < BPMU_EVAL_FROM && derivations[d].from[f]; f++)
			if (!strcasecmp(derivations[d].from[f], name))
				return true;
	return false;
}

/*
 * Stores in @source the columns of A and B, from which the event @text, A:per=B, can be computed.
 * Returns false if one is missing.
 */
static bool find_quotient(const struct bpmu_eval *eval, struct bpmu_eval_source *source,
			  const char *text)
{
	const char *per = strstr(text, PER);
	char *name = strndup(text, per - text);
	int count = name ? bpmu_eval_find(eval, name) : -1;
	int clock = bpmu_eval_find(eval, per + strlen(PER));

	free(name);
	if (count < 0 || clock < 0)
		return false;
	source->from[0] = count;
	source->from[1] = clock;
	source->nr_from = 2;
	return true;
}

/**
 * bpmu_eval_derive_from() - find the columns from which the count of an event can be derived
 * @eval: state of "barepmu eval", with all columns so far
 * @source: where the input has the event; &bpmu_eval_source.derivation and &bpmu_eval_source.from
 *	are set
 */
void bpmu_eval_derive_from(const struct bpmu_eval *eval,
			   struct bpmu_eval_source *source,
			   const struct bpmu_event_spec *spec)
{
	const struct derivation *d = derivations;
	unsigned int f;
	int column;

	source->derivation = -1;
	for (; d < derivations + ARRAY_SIZE(derivations) &&
	     source->derivation < 0; d++) {
		if (!d->event) {
			if (bpmu_event_is_quotient(spec) &&
			    find_quotient(eval, source, spec->text))
				source->derivation = d - derivations;
			continue;
		}
		if (!bpmu_eval_counts(eval, d->event, spec))
			continue;
		for (f = 0; f < BPMU_EVAL_FROM && d->from[f]; f++) {
			column = bpmu_eval_find(eval, d->from[f]);
			if (column < 0)
				break;
			source->from[f] = column;
		}
		source->nr_from = f;
		if (f == BPMU_EVAL_FROM || !d->from[f])
			source->derivation = d - derivations;
	}
}

/**
 * bpmu_eval_derive() - derive the count of an event from counts of other events
 * @eval: state of "barepmu eval"
 * @source: where the input has the event; &bpmu_eval_source.derivation is not -1
 * @counts: counts of all columns
 *
 * Return: the count; NAN if one of the other counts is missing.
 */
double bpmu_eval_derive(const struct bpmu_eval *eval,
			const struct bpmu_eval_source *source,
			const struct bpmu_eval_count *counts)
{
	double from[BPMU_EVAL_FROM] = { 0 };
	unsigned int f;

	for (f = 0; f < source->nr_from; f++)
		from[f] = counts[source->from[f]].number;
	return derivations[source->derivation].count(eval, from);
}
