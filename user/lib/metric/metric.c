// SPDX-License-Identifier: GPL-2.0
#include "metric.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "metric_expr.h"
#include "metric_line.h"

/**
 * bpmu_metrics_find() - the number of a line
 * @metrics: the lines
 * @name: its name
 *
 * Context: any.
 * Return: the number, or -1 if no line has that name.
 */
int bpmu_metrics_find(const struct bpmu_metrics *metrics, const char *name)
{
	unsigned int i;

	for (i = 0; i < metrics->nr; i++)
		if (!strcmp(metrics->metric[i].name, name))
			return i;
	return -1;
}

/**
 * bpmu_metrics_error() - point at a wrong place of a file that was read
 * @metrics: the lines
 * @file: number of the file
 * @offset: of the place
 * @err: filled in
 * @fmt: printf's: "<what>; <what to do>"
 *
 * Context: any.
 * Return: -EINVAL.
 */
int bpmu_metrics_error(const struct bpmu_metrics *metrics, unsigned int file,
		       unsigned int offset, struct bpmu_error *err,
		       const char *fmt, ...)
{
	struct bpmu_text text = { .err = err };
	char what[sizeof(err->text)];
	va_list args;

	va_start(args, fmt);
	vsnprintf(what, sizeof(what), fmt, args);
	va_end(args);
	text.file = metrics->file[file].name;
	text.start = metrics->file[file].text;
	return bpmu_text_error(&text, text.start + offset, "%s", what);
}

/**
 * bpmu_metrics_free() - free all lines
 * @metrics: the lines, none afterwards
 *
 * Context: any.
 */
void bpmu_metrics_free(struct bpmu_metrics *metrics)
{
	while (metrics->nr)
		bpmu_line_free(&metrics->metric[--metrics->nr]);
	free(metrics->metric);
	metrics->metric = NULL;
	while (metrics->nr_files) {
		free(metrics->file[--metrics->nr_files].name);
		free(metrics->file[metrics->nr_files].text);
	}
	free(metrics->file);
	metrics->file = NULL;
}
