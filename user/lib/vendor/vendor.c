// SPDX-License-Identifier: GPL-2.0
#include "vendor.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event/event_name.h"
#include "events.h"
#include "vendor_files.h"
#include "vendor_json.h"

static int refuse_event(void *ctx, const char *name, struct bpmu_error *err)
{
	const struct bpmu_vendor_event *event = bpmu_vendor_refused(ctx, name);
	char why[BPMU_VENDOR_WHY];

	if (!event)
		return 0;
	bpmu_vendor_why(event, why, sizeof(why));
	return bpmu_error_set(err, -ENOTSUP,
			      "event '%s': %s; use another event", name, why);
}

static int start(struct bpmu_vendor_set *v, const struct bpmu_part *part,
		 struct bpmu_error *err)
{
	if (v->files)
		return 0;
	v->part = part;
	v->files = json_array();
	v->event_names = json_object();
	v->row_names = json_object();
	v->metric_names = json_object();
	v->latency = json_object();
	if (!v->latency || !v->files || !v->event_names || !v->row_names || !v->metric_names)
		return bpmu_error_set(err, -ENOMEM,
				      "event files: no memory; free some");
	bpmu_event_refuser(refuse_event, v);
	return bpmu_vendor_index(v, err);
}

static int add_events(struct bpmu_vendor_set *v, const char *file,
		      const json_t *events, struct bpmu_error *err)
{
	struct bpmu_json_at at = {
		.file = file,
		.array = "Events",
		.err = err,
	};
	int ret = 0;

	for (; !ret && at.index < json_array_size(events); at.index++) {
		ret = bpmu_json_element(&at, events);
		if (!ret)
			ret = bpmu_vendor_add_event(v, &at);
	}
	return ret;
}

/* the value that a key must have in one of the two kinds of files */
static const json_t *array_of(const json_t *root, const char *key)
{
	const json_t *array = json_object_get(root, key);

	return json_is_array(array) ? array : NULL;
}

/*
 * Files of the same shape beside those of events: off-core responses bit by bit
 * (*_matrix.json), and what floating point events count (*_fp_arith_inst.json).
 */
static bool is_about_bits(const json_t *root)
{
	const json_t *first = json_array_get(array_of(root, "Events"), 0);

	return json_object_get(first, "MATRIX_VALUE") ||
	       json_object_get(first, "BitIndex");
}

static int check_kind(const char *file, const json_t *root,
		      struct bpmu_error *err)
{
	if (is_about_bits(root))
		return bpmu_error_set(err, -EINVAL,
				      "%s: describes bits of other registers, no events; name an event or metric file",
				      file);
	if (array_of(root, "Events") || array_of(root, "Metrics") ||
	    json_is_object(json_object_get(root, "Data")))
		return 0;
	return bpmu_error_set(err, -EINVAL,
			      "%s: has neither \"Events\": [...] nor \"Metrics\": [...]; name an event or metric file",
			      file);
}

/* mean retire latencies of events, measured by the vendor on some machine */
static int add_latencies(struct bpmu_vendor_set *v, const char *file,
			 const json_t *root, struct bpmu_error *err)
{
	json_t *data = json_object_get(root, "Data");
	const char *name;
	json_t *event;

	json_object_foreach(data, name, event) {
		if (!json_is_number(json_object_get(event, "MEAN")))
			return bpmu_error_set(err, -EINVAL,
					      "%s: Data.%.60s.MEAN: not a number; write the mean latency in cycles",
					      file, name);
		if (json_object_set(v->latency, name,
				    json_object_get(event, "MEAN")))
			return bpmu_error_set(err, -ENOMEM,
					      "%s: no memory; free some", file);
	}
	return 0;
}

/* where a folder has a second file of the same metrics, it is of a variant */
static bool is_variant(const struct bpmu_vendor_set *v, const char *file,
		       const json_t *metrics)
{
	const char *name;
	json_t *metric;
	size_t i;

	json_array_foreach(metrics, i, metric) {
		name = json_string_value(json_object_get(metric, "MetricName"));
		if (!name || !json_object_get(v->metric_names, name))
			continue;
		fprintf(stderr,
			"barepmu: %s: left out, metric '%s' is in a file before it too; name it to have its metrics\n",
			file, name);
		return true;
	}
	return false;
}

/* reads a file's events; its metrics wait until all files' events are there */
static int load_events(struct bpmu_vendor_set *v, const char *file, bool searched,
		       struct bpmu_error *err)
{
	json_t *root = bpmu_json_load(file, err);
	int ret;

	if (!root)
		return -EINVAL;
	ret = searched ? 0 : check_kind(file, root, err);
	if (json_array_append_new(v->files, root))
		return bpmu_error_set(err, -ENOMEM, "%s: no memory; free some",
				      file);
	if (!ret && !is_about_bits(root))
		ret = add_events(v, file, array_of(root, "Events"), err);
	if (!ret)
		ret = add_latencies(v, file, root, err);
	return ret;
}

static int load_files(struct bpmu_vendor_set *v,
		      const struct bpmu_vendor_files *files,
		      struct bpmu_error *err)
{
	size_t first = json_array_size(v->files);
	const json_t *metrics;
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < files->nr; i++)
		ret = load_events(v, files->name[i], files->searched, err);
	if (!ret)
		ret = bpmu_vendor_index(v, err);
	for (i = 0; !ret && i < files->nr; i++) {
		metrics = array_of(json_array_get(v->files, first + i),
				   "Metrics");
		if (files->searched && is_variant(v, files->name[i], metrics))
			continue;
		ret = bpmu_vendor_add_metrics(v, files->name[i], metrics, err);
	}
	return ret;
}

/**
 * bpmu_vendor_load() - load event and metric files
 * @v: zeroed but for cpu and stepping, or from an earlier call; to be freed
 *	in any case, and not to be moved before
 * @path: a file, or a directory: of the files that its mapfile.csv lists those
 *	of the CPU, else all *.json in it
 * @part: of which part, the same in each call
 * @err: set on failure
 *
 * The events are from now on the part's own, for the whole process; names that
 * cannot be counted are refused with the reason. Events are to be loaded before
 * metrics that name them; in one call the order is right.
 *
 * Context: process.
 * Return: 0, -EINVAL, -EEXIST, -ENOENT, another errno of reading, -ENOMEM.
 */
int bpmu_vendor_load(struct bpmu_vendor_set *v, const char *path,
		     const struct bpmu_part *part, struct bpmu_error *err)
{
	struct bpmu_vendor_files files = { .nr = 0 };
	int ret;

	ret = start(v, part, err);
	if (!ret)
		ret = bpmu_vendor_files_find(&files, v, path, err);
	if (!ret)
		ret = load_files(v, &files, err);
	bpmu_vendor_files_free(&files);
	return ret;
}

static void free_note(struct bpmu_vendor_note *note)
{
	free(note->why);
	free(note->threshold);
}

/**
 * bpmu_vendor_free() - undo bpmu_vendor_load()
 * @v: what was loaded; empty afterwards
 *
 * Context: process; nothing that points to the loaded rows may be in use.
 */
void bpmu_vendor_free(struct bpmu_vendor_set *v)
{
	unsigned int i;

	bpmu_events_load(NULL, NULL, 0);
	bpmu_event_refuser(NULL, NULL);
	for (i = 0; i < v->metrics.nr; i++)
		free_note(&v->note[i]);
	free(v->note);
	bpmu_metrics_free(&v->metrics);
	free(v->event);
	free(v->row);
	json_decref(v->event_names);
	json_decref(v->row_names);
	json_decref(v->metric_names);
	json_decref(v->latency);
	json_decref(v->files);
	memset(v, 0, sizeof(*v));
}
