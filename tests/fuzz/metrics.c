// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzzer of metric files, for Ivy Bridge: a file is refused with a message, or all of its metrics
 * can be evaluated and have the properties that metric.h states.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "metric/metric.h"
#include "metric/metric_expr.h"

/* Returns a made-up count of an event, derived from its name: some counts are 0, some unknown. */
static struct bpmu_value count_of(const char *name)
{
	struct bpmu_value value = { .known = true };
	unsigned int sum = 0;

	for (; *name; name++)
		sum = sum * 31 + (unsigned char)*name;
	value.number = sum % 7 ? sum : 0;
	value.known = sum % 11;
	return value;
}

static struct bpmu_value lookup(void *ctx, const char *name)
{
	const struct bpmu_metrics *metrics = ctx;
	int i = bpmu_metrics_find(metrics, name);

	return i < 0 ? count_of(name) :
		bpmu_expr_eval(metrics->metric[i].expr, lookup, ctx);
}

static void evaluate(struct bpmu_metrics *metrics, const struct bpmu_expr *expr)
{
	struct bpmu_value value = bpmu_expr_eval(expr, lookup, metrics);

	fuzz_hold(!value.known || isfinite(value.number), "values are finite");
}

static void check_line(struct bpmu_metrics *metrics, int i)
{
	const struct bpmu_metric *m = &metrics->metric[i];

	fuzz_hold(m->parent < i, "a node comes before its children");
	fuzz_hold(m->parent < 0 || metrics->metric[m->parent].level + 1 == m->level,
		  "a child is one level deeper");
	fuzz_hold(m->parent >= 0 || m->level <= 1, "only roots have no parent");
	fuzz_hold(bpmu_metrics_find(metrics, m->name) == i, "names differ");
	evaluate(metrics, m->expr);
	if (m->flag)
		evaluate(metrics, m->flag);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	struct bpmu_metrics metrics = { .nr = 0 };
	struct bpmu_error err = { .text = "" };
	char *text = fuzz_text(data, size);
	unsigned int i;
	int ret;

	ret = bpmu_metrics_add(&metrics, "fuzz.bpm", text,
			       bpmu_part_by_name("ivb"), &err);
	fuzz_refused(ret, &err);
	fuzz_hold(!ret || strchr(err.text, ';'), "an error says what to do");
	for (i = 0; !ret && i < metrics.nr; i++)
		check_line(&metrics, i);
	bpmu_metrics_free(&metrics);
	free(text);
	return 0;
}
