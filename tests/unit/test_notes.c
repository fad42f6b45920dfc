// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of notes in results of any format: they name the errata of counted events, lost samples,
 * and the reason why some nodes of the tree were not counted.
 */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/topdown/topdown.h"
#include "count/spread.h"
#include "stat/stat.h"
#include "tree/errata.h"
#include "unit.h"

#define COUNT 1000.0
#define UNCERTAINTY 0.25

bool __wrap_bpmu_interval_multiplexed(const struct bpmu_groups *groups,
				      const struct bpmu_interval *interval,
				      enum bpmu_bank_id bank)
{
	(void)groups;
	(void)interval;
	(void)bank;
	return true;
}

/* The test has one core type, so an interval has no counts of a second one. */
struct bpmu_interval
__wrap_bpmu_interval_behind(const struct bpmu_interval *interval,
			    unsigned int nr_cpus, const struct bpmu_groups *groups)
{
	(void)nr_cpus;
	(void)groups;
	return *interval;
}

/* The values of nodes are those that the test sets; none is computed from counts. */
void __wrap_bpmu_spread_eval(const struct bpmu_tree *tree,
			     const struct bpmu_interval *interval, unsigned int nr_cpus,
			     struct bpmu_tree_value *values)
{
	unsigned int i;

	(void)interval;
	(void)nr_cpus;
	bpmu_tree_compute(tree, (const double *const *)tree->counts, NULL, values);
	for (i = 0; i < tree->metrics.nr; i++)
		values[i].uncertainty = UNCERTAINTY;
}

static void set_target(struct bpmu_target *target, u32 *cpu)
{
	static char cpus[] = "0";

	target->info.pmu = unit_pmu("ivb", 4);
	target->cpus.cpu = cpu;
	target->cpus.nr = 1;
	target->cpus_text = cpus;
	target->smt = 1;
}

/*
 * Returns the output of "barepmu stat" for @nr intervals of one event. In interval i lost[i]
 * samples were lost. The caller frees the output.
 */
static char *stat_intervals(enum bpmu_format format, const char *event, const u64 *lost,
			    unsigned int nr)
{
	struct bpmu_stat stat = {
		.options = { .format = format, .separator = "," },
	};
	struct bpmu_core_type *type = &stat.analysis.core[0];
	struct bpmu_cell *cells;
	u64 none = 0;
	struct bpmu_interval interval = {
		.enabled = &none, .spent = &none,
	};
	struct bpmu_error err;
	char *text = NULL;
	size_t size;
	u32 cpu = 0;

	stat.analysis.type[0] = type;
	stat.analysis.nr = 1;
	set_target(&type->target, &cpu);
	if (bpmu_rows_find(&type->rows, stat.by, &type->target.cpus, &err))
		fail_msg("%s", err.text);
	assert_int_equal(bpmu_event_list_parse(&type->target.info.pmu, 1, event,
					       &type->wanted.events, &err), 0);
	stat.out = open_memstream(&text, &size);
	assert_non_null(stat.out);
	if (bpmu_stat_schedule(&stat, &err) || bpmu_stat_rows(&stat, &err))
		fail_msg("%s", err.text);
	/* Notes do not depend on counts: all are 0. */
	cells = test_calloc(type->groups->slots, sizeof(*cells));
	interval.cell = cells;
	for (interval.index = 0; interval.index < nr; interval.index++) {
		interval.lost = &lost[interval.index];
		interval.last = interval.index + 1 == nr;
		bpmu_stat_interval(&stat, &interval);
	}
	fclose(stat.out);
	test_free(cells);
	memset(&type->target, 0, sizeof(type->target));
	bpmu_stat_free(&stat);
	return text;
}

static char *stat_output(enum bpmu_format format, const char *event)
{
	const u64 none = 0;

	return stat_intervals(format, event, &none, 1);
}

/*
 * "barepmu stat" keeps the text of fields that seldom change, such as the number of lost samples.
 * When the number changes, the text must change too.
 */
TEST(stat_says_in_which_interval_samples_were_lost)
{
	static const u64 lost[] = { 0, 3, 3, 0 };
	char *text = stat_intervals(BPMU_CSV, "UOPS_ISSUED.ANY", lost, 4);
	const char *row = text;
	unsigned int i;
	char want[64];

	for (i = 0; i < 4; i++, row++) {
		snprintf(want, sizeof(want), "UOPS_ISSUED.ANY,<not counted>,events,0.00,%llu,,,,count,,",
			 (unsigned long long)lost[i]);
		row = strstr(row, "UOPS_ISSUED.ANY");
		assert_non_null(row);
		assert_memory_equal(row, want, strlen(want));
	}
	free(text);
}

static void expect_stat(enum bpmu_format format, const char *event,
			const char *part)
{
	char *text = stat_output(format, event);

	if (!strstr(text, part))
		fail_msg("'%s' is not in: %s", part, text);
	free(text);
}

TEST(stat_names_errata_in_each_format)
{
	static const char hit[] = "MEM_LOAD_UOPS_RETIRED.LLC_HIT";
	char *text;

	expect_stat(BPMU_CSV, hit, ",uncertainty,clock,errata,type,flags,joules,at_most_slices,other_slices,enabled_ticks,running_ticks,metric,level,value,flagged\n");
	expect_stat(BPMU_CSV, hit, ",BV98,count,,");
	expect_stat(BPMU_CSV, "UOPS_ISSUED.ANY", ",0,,,,count,,");
	expect_stat(BPMU_JSON, hit, ",\"errata\":[\"BV98\"],\"flags\":[],");
	expect_stat(BPMU_JSON, "UOPS_ISSUED.ANY", ",\"errata\":[],");
	expect_stat(BPMU_TEXT, hit,
		    "  MEM_LOAD_UOPS_RETIRED.LLC_HIT: erratum BV98; see \"barepmu list errata -v\"\n");
	text = stat_output(BPMU_TEXT, "UOPS_ISSUED.ANY");
	assert_null(strstr(text, "erratum"));
	free(text);
}

/*
 * Makes a Top-Down tree of level 1 in which each event has the same count. @errata_of: CPU model
 * whose errata apply; NULL for those of the faked CPU.
 */
static void begin(struct bpmu_topdown *t, enum bpmu_format format, u32 *cpu,
		  const char *errata_of)
{
	struct bpmu_core_type *type = &t->analysis.core[0];
	const struct bpmu_tree_wish wish = {
		.method = "topdown", .errata = &type->errata,
		.pmu = &type->target.info.pmu, .smt = 1, .level = 1,
	};
	struct bpmu_error err;
	unsigned int g, i;

	memset(t, 0, sizeof(*t));
	t->options.format = format;
	t->options.separator = ",";
	set_target(&type->target, cpu);
	t->analysis.type[0] = type;
	t->analysis.nr = 1;
	t->view[0] = (struct bpmu_topdown_view){
		.call = t, .type = type, .seconds = 1, .duration = 1,
	};
	t->level = 1;
	bpmu_errata_cpu_init(&type->errata, &type->target.info, 1);
	if (errata_of)
		type->errata.part = bpmu_part_by_name(errata_of);
	if (bpmu_tree_make(&type->tree, &wish, &err))
		fail_msg("%s", err.text);
	for (g = 0; g < type->tree.groups.nr; g++)
		for (i = 0; i < type->tree.events[g].nr; i++)
			type->tree.counts[g][i] = COUNT;
}

static char *output(struct bpmu_topdown *t)
{
	const u64 ticks = 1, none = 0;
	const struct bpmu_interval interval = {
		.seconds = 1, .duration = 1, .enabled = &ticks, .lost = &none,
	};
	char *text = NULL;
	size_t size;

	t->out = open_memstream(&text, &size);
	assert_non_null(t->out);
	bpmu_topdown_interval(t, &interval);
	fclose(t->out);
	if (t->view[0].saying)
		fclose(t->view[0].saying);
	free(t->view[0].said);
	free(t->view[0].verdict);
	free(t->view[0].values);
	bpmu_tree_free(&t->analysis.core[0].tree);
	return text;
}

/*
 * On Haswell an erratum affects one event of the tree. Each format must name the erratum on the
 * lines of the nodes that use this event.
 */
TEST(topdown_names_errata_in_each_format)
{
	struct bpmu_topdown t;
	u32 cpu = 0;
	char *text;

	begin(&t, BPMU_CSV, &cpu, "hsw");
	text = output(&t);
	assert_non_null(strstr(text, ",flags,uncertainty,errata\n"));
	assert_non_null(strstr(text, ",0.250000,HSD135\n"));
	free(text);
	begin(&t, BPMU_JSON, &cpu, NULL);
	text = output(&t);
	assert_non_null(strstr(text, ",\"errata\":[]}\n"));
	free(text);
	begin(&t, BPMU_TEXT, &cpu, "hsw");
	text = output(&t);
	assert_non_null(strstr(text, "  Frontend_Bound: erratum HSD135; see"));
	assert_null(strstr(text, "Bad_Speculation: erratum"));
	free(text);
}

static char *output_of_nothing(struct bpmu_topdown *t, enum bpmu_format format)
{
	struct bpmu_tree *tree = &t->analysis.core[0].tree;
	u32 cpu = 0;
	unsigned int g, i;

	begin(t, format, &cpu, NULL);
	for (g = 0; g < tree->groups.nr; g++)
		for (i = 0; i < tree->events[g].nr; i++)
			tree->counts[g][i] = NAN;
	return output(t);
}

/* If nothing was counted, the reason is printed once, not for each node. */
TEST(topdown_says_once_why_nothing_was_counted)
{
	struct bpmu_topdown t;
	char *text;

	text = output_of_nothing(&t, BPMU_TEXT);
	assert_non_null(strstr(text, " 1.000 s\n\n  no value: not counted;"));
	assert_null(strstr(text, "Retiring"));
	free(text);
	text = output_of_nothing(&t, BPMU_CSV);
	assert_non_null(strstr(text, ",Retiring,1,,slots,0,missing,,"));
	assert_null(strstr(text, "divided-by-0"));
	free(text);
}

static bool stops(const char *alert)
{
	struct bpmu_topdown t;
	struct bpmu_error err;
	u32 cpu = 0;
	bool stop;

	begin(&t, BPMU_CSV, &cpu, NULL);
	assert_int_equal(bpmu_alerts_add(&t.alerts, alert, &err), 0);
	free(output(&t));
	stop = t.alerts.stop;
	bpmu_alerts_free(&t.alerts);
	return stop;
}

/*
 * The tree has only one group. It counted 500 clocks of 4 slots each, and 1000 slots without a uop,
 * so Frontend_Bound is 50 %.
 */
TEST(an_alert_stops_the_run)
{
	assert_true(stops("Frontend_Bound > 49%"));
	assert_false(stops("Frontend_Bound > 51%"));
	assert_true(stops("Frontend_Bound > 49% for 1s"));
	assert_false(stops("Frontend_Bound > 49% for 2s"));
	assert_false(stops("Memory_Bound < 1000"));
}
