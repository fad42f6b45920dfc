// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "metric.h"
#include "metric_check.h"
#include "metric_expr.h"

static const struct bpmu_metric_file *find_file(const char *name)
{
	const struct bpmu_metric_file *file;

	for (file = bpmu_metric_files; file->name; file++)
		if (!strcmp(file->name, name))
			return file;
	return NULL;
}

/*
 * Methods that are one file: of all parts, or of each part its own. Others are
 * a tree and, of each part, what the tree is made of.
 */
static bool is_common(const char *method)
{
	return !strcmp(method, "basic");
}

static bool is_own(const char *method)
{
	return !strcmp(method, "tma");
}

static int parse_files(struct bpmu_metrics *metrics, const char *method,
		       const struct bpmu_part *part, struct bpmu_error *err)
{
	const struct bpmu_metric_file *generic;
	const struct bpmu_metric_file *own;
	char name[64];
	int ret = 0;

	snprintf(name, sizeof(name), "%s.bpm", method);
	generic = find_file(name);
	snprintf(name, sizeof(name), "%s-%s.bpm", method, part->name);
	own = find_file(name);
	if (!own && is_own(method))
		return bpmu_error_set(err, -ENOENT,
				      "method '%s': Intel publishes no metrics for %s; leave --method out",
				      method, part->name);
	if ((!generic && !is_own(method)) || (!own && !is_common(method)))
		return bpmu_error_set(err, -ENOENT,
				      "method '%s': not available on %s; see 'barepmu list events' for what can be counted",
				      method, part->name);
	if (generic)
		ret = bpmu_metrics_parse(metrics, generic->name, generic->text,
					 err);
	if (!ret && own)
		ret = bpmu_metrics_parse(metrics, own->name, own->text, err);
	return ret;
}

/**
 * bpmu_metrics_join() - append a method from the files in the tool
 * @metrics: with other methods, or zeroed; to be freed in any case
 * @method: "basic"
 * @part: descriptor
 * @err: set on failure
 *
 * Context: process.
 * Return: as bpmu_metrics_builtin().
 */
int bpmu_metrics_join(struct bpmu_metrics *metrics, const char *method,
		      const struct bpmu_part *part, struct bpmu_error *err)
{
	int ret = parse_files(metrics, method, part, err);

	if (!ret)
		ret = bpmu_metrics_check(metrics, err);
	return ret ? ret : bpmu_metrics_drop_missing(metrics, err);
}

/**
 * bpmu_metrics_builtin() - a method on a part, from the files in the tool
 * @metrics: filled in; to be freed in any case
 * @method: "topdown"
 * @part: descriptor
 * @err: set on failure
 *
 * Context: process.
 * Return: 0, -ENOENT if there is no such method for this part, or the error of
 * bpmu_metrics_parse() or bpmu_metrics_check().
 */
int bpmu_metrics_builtin(struct bpmu_metrics *metrics, const char *method,
			 const struct bpmu_part *part, struct bpmu_error *err)
{
	memset(metrics, 0, sizeof(*metrics));
	return bpmu_metrics_join(metrics, method, part, err);
}

/**
 * bpmu_metrics_lost() - why a method has no such metric on a part
 * @method: "tma"
 * @part: descriptor
 * @name: of the metric, in any case
 * @why: BPMU_METRICS_WHY bytes, set if it is known but not there
 *
 * Context: process.
 * Return: whether it is known but not there.
 */
bool bpmu_metrics_lost(const char *method, const struct bpmu_part *part,
		       const char *name, char *why)
{
	struct bpmu_metrics metrics = { .nr = 0 };
	struct bpmu_error ignored;
	bool lost = false;
	unsigned int i;

	if (!parse_files(&metrics, method, part, &ignored))
		for (i = 0; i < metrics.nr && !lost; i++)
			lost = !strcasecmp(metrics.metric[i].name, name) &&
			       metrics.metric[i].expr->op == BPMU_EXPR_NAME &&
			       !strcmp(metrics.metric[i].expr->name, "none");
	if (lost)
		snprintf(why, BPMU_METRICS_WHY, "%s",
			 metrics.metric[i - 1].text ?: "cannot be counted");
	bpmu_metrics_free(&metrics);
	return lost;
}

/**
 * bpmu_metrics_as_printed() - the formulas that the tool corrects, uncorrected
 * @metrics: of a method; others stay as they are
 * @part: descriptor
 * @err: set on failure
 *
 * Context: process.
 * Return: 0 or the error of bpmu_metrics_add().
 */
int bpmu_metrics_as_printed(struct bpmu_metrics *metrics,
			    const struct bpmu_part *part,
			    struct bpmu_error *err)
{
	const struct bpmu_metric_file *file = find_file("as-printed.bpm");
	int printed = bpmu_metrics_find(metrics, "PAPER");

	/* of phi.bpm, which has both */
	if (printed >= 0)
		bpmu_expr_set(metrics->metric[printed].expr, 1);
	/* a part without the event lacks the line too */
	if (bpmu_metrics_find(metrics, "ExtMemBase") < 0)
		return 0;
	return bpmu_metrics_add(metrics, file->name, file->text, part, err);
}

/**
 * bpmu_metrics_of_counts() - what the tool knows of a card, as definitions
 * @metrics: of phi.bpm
 * @err: set on failure
 *
 * Context: process.
 * Return: 0 or the error of bpmu_metrics_parse().
 */
int bpmu_metrics_of_counts(struct bpmu_metrics *metrics,
			   struct bpmu_error *err)
{
	const struct bpmu_metric_file *file = find_file("phi-counts.bpm");
	int ret;

	ret = bpmu_metrics_parse(metrics, file->name, file->text, err);
	return ret ? ret : bpmu_metrics_check(metrics, err);
}
