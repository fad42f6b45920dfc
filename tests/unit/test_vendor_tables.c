// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of all metrics that Intel publishes (arch/intel_metrics.tsv). Their values are computed
 * from made-up counts of the events in arch/intel_events.tsv, and must be right. This holds for
 * metrics that are read from files in Intel's format, and for --method tma. Another program,
 * tests/vendor/make-json, has computed the expected values from the same formulas.
 */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "event/event.h"
#include "metric/metric_constant.h"
#include "metric/metric_expr.h"
#include "unit.h"
#include "vendor/vendor.h"

#define MAKE "../vendor/make-json"
#define EVENTS "../../arch/intel_events.tsv"
#define METRICS "../../arch/intel_metrics.tsv"
#define OUT "../../build/vendor"
#define PLATFORMS_MOST 64
#define PER ":per="
#define CLOSE 0.000000001
/* Values of the constants with which make-json has computed the expected values. */
#define SECONDS 2.5
#define TSC_HZ 2.1e9
#define SOCKETS 2
/*
 * CHAS is the number of CHAs or CBos per socket, and IMCS the number of memory channels per socket.
 * In the formulas make-json uses these numbers multiplied by SOCKETS.
 */
#define CHAS 3
#define IMCS 3
/*
 * Made-up energy in J per count of an energy register: JOULE for the package, and JOULE_DRAM for
 * memory. Intel's formulas assume 61 and 15.6 uJ for every CPU. The made-up energies are a quarter
 * and a half of these, so that a confusion is found.
 */
#define JOULE (61 / 1e6 / 4)
#define JOULE_DRAM (15.6 / 1e6 / 2)

/**
 * struct platform - a platform whose metrics are compared
 * @v: the loaded files
 * @counts: count of each event
 * @constants: values of the constants in formulas, by &enum bpmu_metric_constant; 0 if unknown
 * @refused: metrics that cannot be measured
 */
struct platform {
	struct bpmu_vendor_set v;
	json_t *counts;
	double constants[BPMU_NR_CONSTANTS];
	unsigned int refused;
};

static const struct bpmu_part *part_of(const char *platform)
{
	static const char *const like[][2] = {
		{ "CLX", "skx" }, { "SPR-HBM", "spr" }, { "CWF-SERVER", "cwf" },
	};
	const struct bpmu_part *part = NULL;
	char name[16];
	size_t i;

	for (i = 0; i < sizeof(like) / sizeof(like[0]); i++)
		if (!strcmp(platform, like[i][0]))
			return bpmu_part_by_name(like[i][1]);
	snprintf(name, sizeof(name), "%s", platform);
	for (i = 0; name[i]; i++)
		name[i] |= 0x20;
	part = bpmu_part_by_name(name);
	return part ? part : bpmu_part_by_name("arch");
}

/* Returns a PMU that has the events of the platform's files, and eight general counters. */
static struct bpmu_pmu loaded_pmu(const struct platform *p)
{
	struct bpmu_pmu pmu = unit_pmu(p->v.part->name, 8);

	pmu.part = p->v.part;
	return pmu;
}

static struct bpmu_value lookup(void *ctx, const char *name);

/*
 * Returns the count of an event with a filter. If the platform's counts have the event under
 * another name, it is found by its event select and its filter. Returns NULL if the counts do not
 * have the event.
 */
static const json_t *count_like(const struct platform *p, const char *name)
{
	struct bpmu_pmu pmu = loaded_pmu(p);
	struct bpmu_event_spec wanted, spec;
	const json_t *found = NULL;
	struct bpmu_error ignored;
	const char *other;
	json_t *count;

	if (bpmu_event_parse(&pmu, 0, name, &wanted, &ignored))
		return NULL;
	json_object_foreach(p->counts, other, count) {
		if (found || bpmu_event_parse(&pmu, 0, other, &spec, &ignored))
			continue;
		if (wanted.nr == 1 && spec.nr == 1 && wanted.term[0].filter &&
		    spec.term[0].select == wanted.term[0].select &&
		    spec.term[0].filter == wanted.term[0].filter)
			found = count;
		bpmu_event_free(&spec);
	}
	bpmu_event_free(&wanted);
	return found;
}

/*
 * Returns the value of "A:per=B". On each socket A is divided by the socket's own B, and the
 * quotients are added up. The made-up counts are sums over all sockets, and each socket has the
 * same count of clocks.
 */
static struct bpmu_value lookup_quotient(struct platform *p, const char *name, const char *per)
{
	struct bpmu_value count, clock;
	char base[BPMU_VENDOR_TEXT];

	snprintf(base, sizeof(base), "%.*s", (int)(per - name), name);
	count = lookup(p, base);
	clock = lookup(p, per + strlen(PER));
	count.known &= clock.known;
	count.number *= SOCKETS / clock.number;
	return count;
}

static struct bpmu_value lookup(void *ctx, const char *name)
{
	const char *per = strstr(name, PER);
	const struct platform *p = ctx;
	const json_t *count = json_object_get(p->counts, name);
	struct bpmu_value value = { .known = count };
	int constant = bpmu_metric_constant(name);

	if (per)
		return lookup_quotient(ctx, name, per);
	value.number = json_real_value(count);
	if (value.known || constant < 0)
		return value;
	value.number = p->constants[constant];
	value.known = value.number > 0 || constant == BPMU_CONSTANT_SMT;
	return value;
}

static FILE *open_table(const char *platform, const char *table)
{
	char path[256];
	FILE *stream;

	snprintf(path, sizeof(path), OUT "/%s/%s.tsv", platform, table);
	stream = fopen(path, "r");
	if (!stream)
		fail_msg("%s is missing", path);
	return stream;
}

/*
 * Checks that the name of an event is accepted on this platform, with and without hyper-threading.
 */
static void check_event(const struct platform *p, const char *text)
{
	struct bpmu_pmu pmu = loaded_pmu(p);
	struct bpmu_event_spec spec;
	struct bpmu_error err;
	int smt;

	for (smt = 0; smt < 2 && strcmp(text, "TSC"); smt++) {
		if (bpmu_event_parse(&pmu, smt, text, &spec, &err))
			fail_msg("%s: %s", text, err.text);
		bpmu_event_free(&spec);
	}
}

/*
 * barepmu and Intel's files count energy in different units. If @name is an energy event of Intel's
 * files, adds its count in barepmu's unit, under barepmu's name of the event.
 */
static void count_parts(struct platform *p, const char *name, double count)
{
	/*
	 * Up to Ivy Bridge, Intel's files assume the same unit for the energy of the package as for
	 * that of memory, 15.6 uJ.
	 */
	bool fine = strstr(" snb jkt ivb ivt ", p->v.part->name);

	if (strstr(name, "_PKG_ENERGY"))
		json_object_set_new(p->counts, "POWER.PKG",
				    json_real((fine ? 15.6 / 1e6 / JOULE : 4) * count));
	if (strstr(name, "_DRAM_ENERGY"))
		json_object_set_new(p->counts, "POWER.DRAM", json_real(2 * count));
}

static void read_counts(struct platform *p, const char *platform)
{
	FILE *stream = open_table(platform, "counts");
	char text[BPMU_VENDOR_TEXT];
	char why[BPMU_VENDOR_WHY];
	const json_t *other;
	char name[256];
	double count;

	p->counts = json_object();
	while (fscanf(stream, "%255s %lf", name, &count) == 2) {
		if (!strcmp(name, "TSC"))
			p->constants[BPMU_CONSTANT_TSC] = count;
		if (bpmu_vendor_expression(&p->v, name, text)) {
			count_parts(p, name, count);
			continue;
		}
		if (!bpmu_vendor_name(&p->v, name, text, why))
			check_event(p, text);
		other = json_object_get(p->counts, text);
		if (other && json_real_value(other) != count)
			fail_msg("%s: %s is %s, as another event", platform,
				 name, text);
		json_object_set_new(p->counts, text, json_real(count));
	}
	fclose(stream);
}

static void compare(struct platform *p, const char *platform,
		    const struct bpmu_metric *m, int smt, const char *expected)
{
	struct bpmu_value value;
	double number;

	p->constants[BPMU_CONSTANT_SMT] = smt;
	value = unit_value(NULL, m->expr, lookup, p);
	if (value.known != !!strcmp(expected, "-"))
		fail_msg("%s: %s: %s but %s", platform, m->name,
			 value.known ? "a value" : "no value", expected);
	if (!value.known)
		return;
	number = strtod(expected, NULL);
	if (fabs(value.number - number) > CLOSE * fmax(1, fabs(number)))
		fail_msg("%s: %s: %.17g but %s", platform, m->name,
			 value.number, expected);
}

static void compare_all(struct platform *p, const char *platform)
{
	FILE *stream = open_table(platform, "expected");
	char expected[2][64];
	unsigned int nr = 0;
	char name[256];
	int i;

	while (fscanf(stream, "%255s %63s %63s", name, expected[0],
		      expected[1]) == 3) {
		i = bpmu_metrics_find(&p->v.metrics, name);
		if (i < 0)
			fail_msg("%s: %s was not loaded", platform, name);
		compare(p, platform, &p->v.metrics.metric[i], 0, expected[0]);
		compare(p, platform, &p->v.metrics.metric[i], 1, expected[1]);
		p->refused += !!p->v.note[i].why;
		nr++;
	}
	fclose(stream);
	assert_int_equal(nr, p->v.metrics.nr);
}

static bool wanted(void *ctx, const struct bpmu_metric *metric)
{
	const struct platform *p = ctx;

	return !p->v.note[metric - p->v.metrics.metric].why;
}

static void compare_node(struct platform *p, const struct bpmu_tree *tree,
			 const struct bpmu_tree_value *values, unsigned int i)
{
	const struct bpmu_metric *m = &tree->metrics.metric[i];
	struct bpmu_value value = unit_value(NULL, m->expr, lookup, p);

	assert_int_equal(values[i].known, value.known);
	if (value.known &&
	    fabs(values[i].value - value.number) >
	    CLOSE * fmax(1, fabs(value.number)))
		fail_msg("%s: %.17g in a tree, %.17g alone", m->name,
			 values[i].value, value.number);
}

/*
 * Makes a tree, and computes its values from the platform's counts. Returns the values; the caller
 * frees both.
 */
static struct bpmu_tree_value *eval_tree(struct platform *p,
					 const struct bpmu_tree_wish *wish,
					 struct bpmu_tree *tree)
{
	const double *counts[BPMU_TREE_GROUPS] = { NULL };
	struct bpmu_tree_value *values;
	struct bpmu_value given;
	struct bpmu_error err;
	const json_t *other;
	double *count;
	unsigned int i;

	if (bpmu_tree_make(tree, wish, &err))
		fail_msg("%s", err.text);
	p->constants[BPMU_CONSTANT_SMT] = wish->smt;
	for (i = 0; i < BPMU_NR_CONSTANTS; i++)
		if (p->constants[i] > 0)
			bpmu_tree_set(tree, i, p->constants[i]);
	count = calloc(tree->events[0].nr, sizeof(*count));
	values = calloc(tree->metrics.nr, sizeof(*values));
	counts[0] = count;
	for (i = 0; i < tree->events[0].nr; i++) {
		given = lookup(p, tree->events[0].spec[i].text);
		other = given.known ? NULL : count_like(p, tree->events[0].spec[i].text);
		if (other)
			given = bpmu_value_of(json_real_value(other));
		if (!given.known)
			fail_msg("%s: no count of %s", wish->pmu->part->name,
				 tree->events[0].spec[i].text);
		count[i] = given.number;
	}
	bpmu_tree_eval(tree, counts, values);
	free(count);
	return values;
}

/*
 * Compares the values of all metrics of the platform with the expected values. All metrics are in
 * one tree, so all of their events must be found at once.
 */
static void compare_tree(struct platform *p, int smt)
{
	struct bpmu_pmu pmu = loaded_pmu(p);
	const struct bpmu_tree_wish wish = {
		.lines = &p->v.metrics, .pmu = &pmu, .smt = smt,
		.level = BPMU_TREE_ALL, .wanted = wanted, .wanted_ctx = p,
		.apart = true,
	};
	struct bpmu_tree_value *values;
	struct bpmu_tree tree;
	unsigned int i;

	values = eval_tree(p, &wish, &tree);
	for (i = 0; i < tree.metrics.nr; i++)
		if (tree.shown[i])
			compare_node(p, &tree, values, i);
	free(values);
	bpmu_tree_free(&tree);
}

/*
 * Compares the value of a metric of --method tma with the value @expected. "-" stands for no value.
 */
static void compare_own(const char *platform, const struct bpmu_tree *tree,
			const struct bpmu_tree_value *values, unsigned int i,
			const char *expected)
{
	const char *name = tree->metrics.metric[i].name;
	double number;

	if (values[i].known != !!strcmp(expected, "-"))
		fail_msg("%s: %s: %s but %s", platform, name,
			 values[i].known ? "a value" : "no value", expected);
	if (!values[i].known)
		return;
	number = strtod(expected, NULL);
	if (fabs(values[i].value - number) > CLOSE * fmax(1, fabs(number)))
		fail_msg("%s: %s: %.17g but %s", platform, name,
			 values[i].value, expected);
}

/*
 * Checks that a metric which is not in the tree of --method tma cannot be measured with Intel's
 * files, either.
 */
static void check_refused(const struct platform *p, const char *name)
{
	int i = bpmu_metrics_find(&p->v.metrics, name);

	if (i < 0 || !p->v.note[i].why)
		fail_msg("%s: %s can be counted, and is not in the tree", p->v.part->name, name);
}

/*
 * Compares each node and each information metric of --method tma with the platform's expected
 * values. A metric that cannot be counted must not be in the tree. Returns the number of metrics
 * that were compared.
 */
static unsigned int compare_tma(struct platform *p, const char *platform, int smt)
{
	struct bpmu_pmu pmu = loaded_pmu(p);
	struct bpmu_metrics lines = { .latency = p->v.latency };
	const struct bpmu_tree_wish wish = {
		.lines = &lines, .pmu = &pmu, .smt = smt, .extra = true,
		.level = BPMU_TREE_ALL, .apart = true,
	};
	struct bpmu_error err;
	char name[256], own[264], expected[2][64];
	struct bpmu_tree_value *values;
	FILE *stream = open_table(platform, "tree");
	unsigned int i, nr = 0, shown;
	struct bpmu_tree tree;
	int at;

	if (bpmu_metrics_join(&lines, "tma", pmu.part, &err))
		fail_msg("%s", err.text);
	values = eval_tree(p, &wish, &tree);
	while (fscanf(stream, "%255s %63s %63s", name, expected[0],
		      expected[1]) == 3) {
		snprintf(own, sizeof(own), "tma_%s", name);
		for (i = 0; own[i]; i++)
			own[i] = tolower((unsigned char)own[i]);
		at = bpmu_metrics_find(&tree.metrics, own);
		if (at < 0 || !tree.shown[at]) {
			check_refused(p, name);
			continue;
		}
		compare_own(platform, &tree, values, at, expected[smt]);
		nr++;
	}
	/* The tree shows the metrics that can be counted, and only these. */
	for (i = 0, shown = 0; i < tree.metrics.nr; i++)
		shown += tree.shown[i];
	assert_int_equal(nr, shown);
	fclose(stream);
	free(values);
	bpmu_tree_free(&tree);
	bpmu_metrics_free(&lines);
	return nr;
}

/*
 * Compares the metrics of --method tma once more, with the mean retire latencies from a user's
 * file. @before: number of metrics that were compared without that file.
 */
static void compare_latencies(const struct platform *without, const char *platform,
			      unsigned int before)
{
	struct platform p = { .v = { .files = NULL } };
	struct bpmu_error err;
	char path[256];
	unsigned int nr;

	memcpy(p.constants, without->constants, sizeof(p.constants));
	snprintf(path, sizeof(path), OUT "/%s.json", platform);
	if (bpmu_vendor_load(&p.v, path, part_of(platform), &err))
		fail_msg("%s", err.text);
	snprintf(path, sizeof(path), OUT "/%s", platform);
	if (bpmu_vendor_load(&p.v, path, part_of(platform), &err))
		fail_msg("%s", err.text);
	read_counts(&p, platform);
	nr = compare_tma(&p, platform, 0);
	assert_int_equal(nr, compare_tma(&p, platform, 1));
	/*
	 * Some metrics need retire latencies. Intel publishes retire latencies for Granite Rapids
	 * only. On other platforms more metrics can be measured with the user's file than without
	 * it.
	 */
	if (json_object_size(p.v.latency) && strcmp(platform, "GNR"))
		assert_true(nr > before + 20);
	print_message("# %s: %u metrics of --method tma with retire latencies\n", platform, nr);
	json_decref(p.counts);
	bpmu_vendor_free(&p.v);
}

static bool has_tree(const struct bpmu_part *part)
{
	struct bpmu_metrics tree;
	struct bpmu_error ignored;
	bool has = !bpmu_metrics_builtin(&tree, "tma", part, &ignored);

	bpmu_metrics_free(&tree);
	return has;
}

static void metrics_of_a_platform_agree_with_another_evaluation(void **state)
{
	const char *platform = *state;
	struct platform p = {
		.constants = {
			[BPMU_CONSTANT_THREADS] = 2,
			[BPMU_CONSTANT_CORES] = 4,
			[BPMU_CONSTANT_SOCKETS] = SOCKETS,
			[BPMU_CONSTANT_CHAS] = CHAS,
			[BPMU_CONSTANT_IMCS] = IMCS,
			[BPMU_CONSTANT_JOULE] = JOULE,
			[BPMU_CONSTANT_JOULE_DRAM] = JOULE_DRAM,
			[BPMU_CONSTANT_SECONDS] = SECONDS,
			[BPMU_CONSTANT_TSC_HZ] = TSC_HZ,
		},
	};
	struct bpmu_error err;
	unsigned int nr;
	char path[256];

	snprintf(path, sizeof(path), OUT "/%s", platform);
	if (bpmu_vendor_load(&p.v, path, part_of(platform), &err))
		fail_msg("%s", err.text);
	read_counts(&p, platform);
	compare_all(&p, platform);
	compare_tree(&p, 0);
	compare_tree(&p, 1);
	print_message("# %s: %u metrics, %u of them refused on this tool's part %s\n",
		      platform, p.v.metrics.nr, p.refused, p.v.part->name);
	/*
	 * On other platforms Intel's files are those of another CPU model, whose tree barepmu does
	 * not have.
	 */
	if (!strcasecmp(platform, p.v.part->name) && has_tree(p.v.part)) {
		nr = compare_tma(&p, platform, 0);
		assert_true(nr > 50);
		assert_int_equal(nr, compare_tma(&p, platform, 1));
		compare_latencies(&p, platform, nr);
		print_message("# %s: %u metrics of --method tma\n", platform, nr);
	}
	json_decref(p.counts);
	bpmu_vendor_free(&p.v);
}

/* Reads the names of the platforms for which make-json has made files. Returns their number. */
static size_t list_platforms(char names[][16])
{
	FILE *stream = fopen(OUT "/list", "r");
	size_t nr = 0;

	while (stream && nr < PLATFORMS_MOST &&
	       fscanf(stream, "%15s", names[nr]) == 1)
		nr++;
	if (stream)
		fclose(stream);
	return nr;
}

int main(void)
{
	struct CMUnitTest tests[PLATFORMS_MOST] = { { .name = NULL } };
	static char names[PLATFORMS_MOST][16];
	size_t nr;
	size_t i;

	nr = system(MAKE " " EVENTS " " METRICS " " OUT) ? 0 : list_platforms(names);
	if (!nr) {
		puts("1..1\nnot ok 1 - tests/vendor/make-json");
		return 1;
	}
	for (i = 0; i < nr; i++)
		tests[i] = (struct CMUnitTest){
			.name = names[i],
			.test_func = metrics_of_a_platform_agree_with_another_evaluation,
			.initial_state = names[i],
		};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return _cmocka_run_group_tests("vendor_tables", tests, nr, NULL, NULL);
}
