// SPDX-License-Identifier: GPL-2.0
/*
 * View (a table with plots) of Knights Corner on an HTML page: metrics of the card and, in a row
 * each, of the cores, and the number of threads in use.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "count/phi.h"
#include "count/phi_passes.h"
#include "count/spread.h"
#include "html_view.h"

#define PART "knc"

/**
 * struct phi - view of Knights Corner, while it is made for an HTML page
 * @html: the page
 * @settings: defaults of "barepmu phi"
 * @method: the metrics
 * @passes: event groups with the events that the metrics need
 * @cores: which CPUs belong to each core
 * @thread: counts per CPU, [nr_cpus]
 * @axis: the view's arrays over time, [intervals]
 * @threads: node of the number of threads in use
 * @node: the metric's object, or NULL if it is not shown, [nr metrics]
 * @object: the view
 */
struct phi {
	struct bpmu_html *html;
	struct bpmu_phi_settings settings;
	struct bpmu_phi_method method;
	struct bpmu_phi_passes passes;
	struct bpmu_rows cores;
	struct bpmu_phi_thread *thread;
	struct bpmu_html_axis axis;
	json_t *threads;
	json_t **node;
	json_t *object;
};

static void html_phi_count(struct phi *phi, const struct bpmu_interval *interval)
{
	const struct bpmu_event_spec *spec;
	struct bpmu_phi_thread *thread;
	unsigned int pos, i;

	for (pos = 0; pos < phi->html->type->target.cpus.nr; pos++) {
		thread = &phi->thread[pos];
		memset(thread, 0, sizeof(*thread));
		thread->core = phi->cores.of[pos];
		for (i = 0; i < BPMU_PHI_EVENTS; i++) {
			spec = bpmu_phi_passes_spec(&phi->passes, i);
			if (spec)
				bpmu_interval_estimate(&phi->passes.groups,
						       interval, pos, spec,
						       &thread->count[i]);
		}
	}
}

/* Sums the counts of a core's threads, or of all threads if @core is -1. */
static void html_phi_sum(const struct phi *phi, int core, struct bpmu_phi_sums *sums)
{
	const struct bpmu_phi_threads all = {
		.thread = phi->thread, .nr = phi->html->type->target.cpus.nr,
	};

	if (core < 0)
		bpmu_phi_sum_card(sums, &all);
	else
		bpmu_phi_sum_core(sums, &all, core);
}

static bool html_phi_value_of(const struct phi *phi, const struct bpmu_phi_sums *sums,
			      unsigned int i, struct bpmu_phi_value *value)
{
	memset(value, 0, sizeof(*value));
	if (bpmu_phi_shown(&phi->method, i, sums->scope))
		bpmu_phi_eval(&phi->method, &phi->settings, sums, i, value);
	return value->known;
}

static json_t *html_phi_number(const struct bpmu_phi_value *value)
{
	return bpmu_html_number(value->known ? value->estimate.value : NAN);
}

static json_t *html_phi_half(const struct bpmu_phi_value *value)
{
	return bpmu_html_half(value->known ?
			      bpmu_estimate_half_width(&value->estimate) : 0);
}

static void put_card(struct phi *phi)
{
	struct bpmu_phi_value value;
	struct bpmu_phi_sums sums;
	const char *why;
	unsigned int i;

	html_phi_sum(phi, -1, &sums);
	json_object_set_new(phi->threads, "value", json_integer(sums.threads));
	for (i = 0; i < phi->method.metrics.nr; i++) {
		if (!phi->node[i])
			continue;
		html_phi_value_of(phi, &sums, i, &value);
		why = value.below ? value.least.why :
		      value.above ? value.most.why : NULL;
		json_object_set_new(phi->node[i], "value", html_phi_number(&value));
		json_object_set_new(phi->node[i], "half", html_phi_half(&value));
		json_object_set_new(phi->node[i], "flagged",
				    json_boolean(value.flagged));
		json_object_set_new(phi->node[i], "flags",
				    json_string(why ?: ""));
	}
}

static void html_phi_on_total(void *data, const struct bpmu_interval *interval)
{
	struct phi *phi = data;
	struct bpmu_phi_value value;
	struct bpmu_phi_sums sums;
	unsigned int core, i;

	html_phi_count(phi, interval);
	put_card(phi);
	for (core = 0; core < phi->cores.nr; core++) {
		html_phi_sum(phi, core, &sums);
		bpmu_html_node_row(phi->threads, json_integer(sums.threads),
				   json_integer(0));
		for (i = 0; i < phi->method.metrics.nr; i++) {
			if (!phi->node[i])
				continue;
			html_phi_value_of(phi, &sums, i, &value);
			bpmu_html_node_row(phi->node[i], html_phi_number(&value),
					   html_phi_half(&value));
		}
	}
}

static void html_phi_on_interval(void *data, const struct bpmu_interval *interval)
{
	struct phi *phi = data;
	struct bpmu_phi_value value;
	struct bpmu_phi_sums sums;
	int core;
	unsigned int i;

	bpmu_html_axis_add(&phi->axis, &phi->passes.groups, interval,
			   phi->html->type->target.cpus.nr);
	html_phi_count(phi, interval);
	for (core = -1; core < (int)phi->cores.nr; core++) {
		html_phi_sum(phi, core, &sums);
		if (core < 0)
			bpmu_html_node_point(phi->threads,
					     json_integer(sums.threads),
					     json_integer(0));
		else
			bpmu_html_node_cell(phi->threads, core,
					    json_integer(sums.threads));
		for (i = 0; i < phi->method.metrics.nr; i++) {
			if (!phi->node[i])
				continue;
			html_phi_value_of(phi, &sums, i, &value);
			if (core < 0)
				bpmu_html_node_point(phi->node[i],
						     html_phi_number(&value),
						     html_phi_half(&value));
			else
				bpmu_html_node_cell(phi->node[i], core,
						    html_phi_number(&value));
		}
	}
}

static int html_phi_make_nodes(struct phi *phi, json_t *nodes, struct bpmu_error *err)
{
	unsigned int i;
	int code;

	phi->threads = json_pack("{s:s,s:i,s:i,s:s,s:b,s:i,s:b,s:s,s:s}",
				 "name", "Threads_in_Use", "level", 1, "parent", -1, "unit",
				 "threads", "share", 0, "half", 0, "flagged", 0, "flags", "",
				 "text",
				 "Threads that executed at least an eighth of the instructions of the busiest thread of their core");
	code = bpmu_html_node_add(nodes, phi->threads, 0, phi->cores.nr, err);
	for (i = 0; i < phi->method.metrics.nr && !code; i++) {
		if (!bpmu_phi_shown(&phi->method, i, BPMU_PHI_CARD) &&
		    !bpmu_phi_shown(&phi->method, i, BPMU_PHI_CORE))
			continue;
		phi->node[i] = bpmu_html_node(&phi->method.metrics.metric[i]);
		/*
		 * In other views the unit "clocks" means that values are fractions of the clocks.
		 * The values of this view are no fractions.
		 */
		json_object_set_new(phi->node[i], "share", json_false());
		code = bpmu_html_node_add(nodes, phi->node[i],
					  json_array_size(nodes), phi->cores.nr,
					  err);
	}
	return code;
}

static json_t *html_phi_row_labels(const struct bpmu_rows *cores)
{
	json_t *rows = json_array();
	unsigned int i;

	for (i = 0; i < cores->nr; i++)
		json_array_append_new(rows, json_string(cores->row[i].label));
	return rows;
}

static int html_phi_fill(struct phi *phi, struct bpmu_error *err)
{
	const struct bpmu_groups *groups = &phi->passes.groups;
	json_t *nodes = json_array();
	int code;

	phi->thread = calloc(phi->html->type->target.cpus.nr, sizeof(*phi->thread));
	phi->node = calloc(phi->method.metrics.nr, sizeof(*phi->node));
	if (!phi->thread || !phi->node ||
	    json_object_set_new(phi->object, "nodes", nodes))
		return bpmu_html_no_memory(err);
	code = bpmu_target_rows(&phi->html->type->target, BPMU_ROWS_CORE,
				&phi->cores, err);
	if (!code)
		code = html_phi_make_nodes(phi, nodes, err);
	if (!code)
		code = bpmu_html_axis_begin(&phi->axis, phi->object, groups, err);
	if (!code && json_object_set_new(phi->object, "rows",
					 html_phi_row_labels(&phi->cores)))
		code = bpmu_html_no_memory(err);
	if (!code)
		code = bpmu_html_count(phi->html, groups, 0, html_phi_on_total, phi, err);
	return code ? code : bpmu_html_count(phi->html, groups, phi->html->interval_ns,
					     html_phi_on_interval, phi, err);
}

static void html_phi_free(void *data)
{
	struct phi *phi = data;

	free(phi->thread);
	free(phi->node);
	bpmu_rows_free(&phi->cores);
	bpmu_phi_passes_free(&phi->passes);
	bpmu_phi_method_free(&phi->method);
	json_decref(phi->object);
	free(phi);
}

/**
 * bpmu_html_phi() - make the HTML page's view of Xeon Phi (Knights Corner)
 * @html: the page; bpmu_html_read() later reads the view's values from the recording
 * @json: set to the view
 *
 * Return: 0, -ENODEV on another CPU model, -ENODATA if an event was not recorded, or
 * another negative errno.
 */
int bpmu_html_phi(struct bpmu_html *html, json_t **json, struct bpmu_error *err)
{
	const struct bpmu_pmu *pmu = &html->type->target.info.pmu;
	struct phi *phi;
	int code;

	if (strcmp(pmu->part->name, PART))
		return bpmu_error_set(err, -ENODEV,
				      "threads per core: this is no Knights Corner but %s; see the CPUs",
				      html->type->target.info.title);
	phi = calloc(1, sizeof(*phi));
	if (!phi)
		return bpmu_html_no_memory(err);
	phi->html = html;
	phi->settings.ghz = html->type->target.info.tsc_khz / 1e6;
	phi->object = json_object();
	code = bpmu_phi_method_init(&phi->method, pmu->part, err);
	if (!code)
		code = bpmu_phi_passes_make(&phi->passes, pmu, html->type->target.smt, err);
	if (!code)
		code = bpmu_html_has(html, &phi->passes.groups, err);
	if (!code)
		code = html_phi_fill(phi, err);
	if (code) {
		html_phi_free(phi);
		return code;
	}
	*json = json_incref(phi->object);
	return bpmu_html_keep(html, phi, html_phi_free, err);
}
