// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <string.h>

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
	const struct bpmu_metric_file *generic;
	const struct bpmu_metric_file *own;
	char name[64];
	int ret;

	memset(metrics, 0, sizeof(*metrics));
	snprintf(name, sizeof(name), "%s.bpm", method);
	generic = find_file(name);
	snprintf(name, sizeof(name), "%s-%s.bpm", method, part->name);
	own = find_file(name);
	if (!generic || !own)
		return bpmu_error_set(err, -ENOENT,
				      "method '%s': not available on %s; see 'barepmu list events' for what can be counted",
				      method, part->name);
	ret = bpmu_metrics_parse(metrics, generic->name, generic->text, err);
	if (!ret)
		ret = bpmu_metrics_parse(metrics, own->name, own->text, err);
	if (!ret)
		ret = bpmu_metrics_check(metrics, err);
	if (!ret)
		ret = bpmu_metrics_drop_missing(metrics, err);
	return ret;
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
