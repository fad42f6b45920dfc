// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of event and metric files in Intel's format: the events and metrics that a user gives in
 * such files can be measured. The files in ../vendor/skl are synthetic: they have each modifier and
 * each odd constant once.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "event/event.h"
#include "event/event_name.h"
#include "events.h"
#include "metric/metric_constant.h"
#include "metric/metric_expr.h"
#include "tree/tree.h"
#include "unit.h"
#include "vendor/vendor.h"
#include "vendor/vendor_json.h"

#define FILES "../vendor/skl"
#define UK 0x30000
#define U 0x10000
#define K 0x20000
#define CLOSE 0.000000001

static void load(struct bpmu_vendor_set *v, const char *path, const char *part)
{
	struct bpmu_error err;

	if (bpmu_vendor_load(v, path, bpmu_part_by_name(part), &err))
		fail_msg("%s", err.text);
}

TEST_FIXTURE(set_up)
{
	static struct bpmu_vendor_set v;

	memset(&v, 0, sizeof(v));
	load(&v, FILES, "skl");
	*test_state = &v;
	return 0;
}

TEST_FIXTURE(tear_down)
{
	bpmu_vendor_free(*test_state);
	return 0;
}

/*
 * Returns a PMU of Skylake that has the events of the loaded files. @gp: number of general
 * counters.
 */
static struct bpmu_pmu loaded_pmu(const struct bpmu_vendor_set *v, unsigned int gp)
{
	struct bpmu_pmu pmu = unit_pmu("skl", gp);

	pmu.part = v->part;
	return pmu;
}

static const struct {
	const char *text;
	u64 select;
	u64 counters;
	u64 noht;
} events[] = {
	{ "NEW.PLAIN", UK | 0x19c, 0xf, 0xff },
	{ "new.plain:u", U | 0x19c, 0xf, 0xff },
	{ "NEW.PLAIN:[>=3]", UK | 0x300019c, 0xf, 0xff },
	{ "NEW.ON_TWO", UK | 0x29d, 0x4, 0x4 },
	{ "NEW.FILTERS", UK | 0x6a4049e, 0xf, 0xf },
	{ "INST_RETIRED.ANY", UK, BPMU_FIXED_BIT(0), BPMU_FIXED_BIT(0) },
	{ "CPU_CLK_UNHALTED.THREAD", UK, BPMU_FIXED_BIT(1), BPMU_FIXED_BIT(1) },
	{ "CPU_CLK_UNHALTED.REF_TSC", UK, BPMU_FIXED_BIT(2),
	  BPMU_FIXED_BIT(2) },
	{ "CPU_CLK_UNHALTED.THREAD_ANY", UK | 0x200000, BPMU_FIXED_BIT(1),
	  BPMU_FIXED_BIT(1) },
	{ "cycles", UK, BPMU_FIXED_BIT(1), BPMU_FIXED_BIT(1) },
	{ "UOPS_ISSUED.ANY", UK | 0x10e, 0xf, 0xff },
	{ "UNC_NEW_ARB.REQUESTS", 0x181, 0x3, 0x3 },
	{ "UNC_NEW_CBO.LOOKUP", 0x8f34, 0x3, 0x3 },
	{ "UNC_CLOCK.SOCKET", 0, 0x1, 0x1 },
	{ "NEW.OFFCORE", UK | 0x1b7, 0xf, 0xf },
};

TEST_BETWEEN(events_have_their_codes_and_counters, set_up, tear_down)
{
	struct bpmu_pmu pmu = loaded_pmu(*test_state, 8);
	struct bpmu_event_spec spec;
	struct bpmu_error err;
	u64 counters;
	size_t i;
	int smt;

	for (i = 0; i < 2 * ARRAY_SIZE(events); i++) {
		smt = i % 2;
		if (bpmu_event_parse(&pmu, smt, events[i / 2].text, &spec,
				     &err))
			fail_msg("%s", err.text);
		counters = smt ? events[i / 2].counters : events[i / 2].noht;
		if (spec.term[0].select != events[i / 2].select ||
		    (spec.term[0].counters & 0xffffffff000000ffULL) != counters)
			fail_msg("%s: %llx on %llx", events[i / 2].text,
				 spec.term[0].select, spec.term[0].counters);
		bpmu_event_free(&spec);
	}
}

/*
 * Some events need a value in a further MSR. The file has this value, unless a metric gives another
 * value.
 */
TEST_BETWEEN(events_have_their_extra_register, set_up, tear_down)
{
	struct bpmu_pmu pmu = loaded_pmu(*test_state, 4);
	struct bpmu_event_spec spec;
	struct bpmu_error err;

	assert_int_equal(bpmu_event_parse(&pmu, 1, "new.offcore:u", &spec, &err), 0);
	assert_int_equal(spec.term[0].filter, 0x10003c0001);
	bpmu_event_free(&spec);
	assert_int_equal(bpmu_event_parse(&pmu, 1,
					  "cpu/NEW.OFFCORE,offcore_rsp=0x103b800002/",
					  &spec, &err), 0);
	assert_int_equal(spec.term[0].filter, 0x103b800002);
	bpmu_event_free(&spec);
}

TEST_BETWEEN(events_of_vendor_files_have_their_errata, set_up, tear_down)
{
	const struct bpmu_vendor_set *v = *test_state;
	const struct bpmu_part *skl = v->part;

	assert_string_equal(bpmu_event_row(skl, "NEW.PLAIN")->errata,
			    "XYZ001, XYZ002");
	assert_null(bpmu_event_row(skl, "NEW.ON_TWO")->errata);
	assert_non_null(bpmu_event_row(skl, "BR_INST_RETIRED.ALL_BRANCHES")
			->errata);
}

static const struct {
	const char *text;
	const char *says;
} refused_events[] = {
	{ "NEW.LATENCY",
	  "needs register 0x3F9 besides its counter, which the module does not program for it; use another event" },
	{ "NEW.PRECISE", "has a meaning as PEBS samples only; use another event" },
	{ "NEW.ALONE", "must be counted alone, which this tool does not do; use another event" },
	{ "NEW.EQUAL",
	  "needs the filter \"equal\", which the module does not program; use another event" },
	{ "NEW.WIDE",
	  "needs an extended umask, which the module does not program; use another event" },
	{ "unc_cha_new.inserts",
	  "needs uncore unit CHA, which this tool does not count; use another event" },
};

TEST_BETWEEN(refuses_events_that_cannot_be_counted, set_up, tear_down)
{
	struct bpmu_pmu pmu = loaded_pmu(*test_state, 4);
	struct bpmu_event_spec spec;
	struct bpmu_error err;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(refused_events); i++) {
		assert_int_equal(bpmu_event_parse(&pmu, 1,
						  refused_events[i].text, &spec,
						  &err), -ENOTSUP);
		if (!unit_event_said(refused_events[i].text, refused_events[i].says, err.text))
			fail_msg("%s", err.text);
	}
}

static const struct {
	const char *name;
	double count;
} counts[] = {
	{ "CPU_CLK_UNHALTED.THREAD", 7 },
	{ "CPU_CLK_UNHALTED.REF_TSC", 6 },
	{ "NEW.PLAIN", 3 },
	{ "NEW.ON_TWO", 2 },
	{ "NEW.PLAIN:c1", 1 },
	{ "NEW.PLAIN:c4:i", 10 },
	{ "NEW.PLAIN:c1:e", 100 },
	{ "NEW.PLAIN:k", 1000 },
	{ "NEW.PLAIN:u", 1e4 },
	{ "cpu/event=0x9c,umask=0x80/", 1e5 },
	{ "NEW.PLAIN:t", 1e6 },
	{ "cpu/event=0x9e,umask=0x4,cmask=2,any/", 20 },
	{ "NEW.FILTERS", 4 },
	{ "NEW.PLAIN:[=8]", 8 },
	{ "UNC_NEW_ARB.REQUESTS", 30 },
	{ "UNC_CLOCK.SOCKET", 10 },
	{ "UNC_NEW_CBO.LOOKUP", 5 },
	{ "NEW.OFFCORE:offcore_rsp=0x103b800002", 600 },
};

static const double constants[BPMU_NR_CONSTANTS] = {
	[BPMU_CONSTANT_SMT] = 1,
	[BPMU_CONSTANT_THREADS] = 2,
	[BPMU_CONSTANT_CORES] = 4,
	[BPMU_CONSTANT_SOCKETS] = 3,
	[BPMU_CONSTANT_CHAS] = 6,
	[BPMU_CONSTANT_TSC_HZ] = 2.4e9,
	[BPMU_CONSTANT_TSC] = 24,
	[BPMU_CONSTANT_SECONDS] = 0.5,
};

static struct bpmu_value lookup(void *ctx, const char *name)
{
	struct bpmu_value value = { .known = true };
	int constant = bpmu_metric_constant(name);
	size_t i;

	(void)ctx;
	for (i = 0; i < ARRAY_SIZE(counts); i++) {
		value.number = counts[i].count;
		if (!strcmp(counts[i].name, name))
			return value;
	}
	value.known = constant >= 0;
	if (value.known)
		value.number = constants[constant];
	return value;
}

static const struct {
	const char *name;
	double value;
} values[] = {
	{ "ratio", 300.0 / 7 },
	{ "child", 2.0 / 1000 },
	{ "chained", 3 },
	{ "spaced", 1 + 2 },
	{ "smt", 3.5 },
	{ "filters", 1111111 },
	{ "replaced", 24 },
	{ "equal", 8 },
	{ "precise_name", 3 },
	{ "uncore", 8 },
	{ "constants", 2.4e9 / 24 / 20 * 4 * 2 + 500 },
	{ "bare", 500 + 0.5 + 20 + 3 },
	{ "utilization", 25 },
	{ "not_applicable", NAN },
	{ "offcore", 600 },
	{ "orphan", 7 },
	{ "one_box", 5.0 / 6 / 3 },
};

/* The events of the CPU model and of the file are in one list, sorted by name. */
TEST_BETWEEN(rows_of_part_and_file_are_sorted, set_up, tear_down)
{
	const struct bpmu_vendor_set *v = *test_state;
	size_t i;

	assert_true(v->nr_rows > v->nr_events);
	for (i = 1; i < v->nr_rows; i++)
		assert_true(strcmp(v->row[i - 1].name, v->row[i].name) < 0);
}

TEST_BETWEEN(metrics_of_vendor_files_have_their_values, set_up, tear_down)
{
	const struct bpmu_vendor_set *v = *test_state;
	struct bpmu_value value;
	size_t i;
	int m;

	for (i = 0; i < ARRAY_SIZE(values); i++) {
		m = bpmu_metrics_find(&v->metrics, values[i].name);
		assert_true(m >= 0);
		if (v->note[m].why)
			fail_msg("%s: %s", values[i].name, v->note[m].why);
		value = unit_value(NULL, v->metrics.metric[m].expr, lookup, NULL);
		if (value.known == isnan(values[i].value) ||
		    (value.known && fabs(value.number - values[i].value) >
				    CLOSE * fabs(value.number)))
			fail_msg("%s: %.17g", values[i].name, value.number);
	}
}

static const struct {
	const char *name;
	const char *why;
} refused[] = {
	{ "not_equal", "NEW.PLAIN:c8:i1:eq1 needs the filter \"not equal\", which this CPU model lacks" },
	{ "slots", "TOPDOWN.SLOTS:perf_metrics is in no event file and not in this tool's table; load its events by --events" },
	{ "level_one", "PERF_METRICS.RETIRING needs PERF_METRICS, which this CPU model lacks" },
	{ "latency", "NEW.ON_TWO:retire_latency needs mean retire latency, which needs PEBS" },
	{ "opcode", "UNC_NEW_CBO.LOOKUP:opc=0x182 needs an opcode filter, which the unit of its event lacks" },
	{ "thread", "UNC_NEW_CBO.LOOKUP:tid=0x3e needs a thread filter, which the unit of its event lacks" },
	{ "filter1", "UNC_NEW_CBO.LOOKUP:filter1=0x40432 needs a filter of 64 bits, which the unit of its event lacks" },
	{ "other_modifier", "NEW.PLAIN:zz9 needs modifier \"zz9\", which this tool does not know" },
	{ "agents", "UNC_CHA_NEW.INSERTS needs uncore unit CHA, which this tool does not count" },
	{ "unknown_event", "NO_SUCH.EVENT is in no event file and not in this tool's table; load its events by --events" },
	{ "strange_constant", "MOON_PHASE is a constant that this tool does not know" },
	{ "broken", FILES "/metrics/metrics.json: Metrics[27].Formula:1:5: no value here; write a number, a name or '('" },
	{ "bare_unknown", FILES "/metrics/metrics.json: Metrics[28].Formula: 'moon' is in neither Events nor Constants; add it there" },
	{ "replaced_equal", "NEW.FILTERS:c8:i0:eq1 needs fields replaced of an event that has filters of its own" },
};

/*
 * The metrics of the file are listed in two tables of this test: accepted metrics and refused
 * metrics. Each metric of the file must be in one of the tables.
 */
TEST_BETWEEN(refuses_metrics_that_cannot_be_counted, set_up, tear_down)
{
	const struct bpmu_vendor_set *v = *test_state;
	size_t i;
	int m;

	for (i = 0; i < ARRAY_SIZE(refused); i++) {
		m = bpmu_metrics_find(&v->metrics, refused[i].name);
		assert_true(m >= 0);
		if (!v->note[m].why || strcmp(v->note[m].why, refused[i].why))
			fail_msg("%s: %s", refused[i].name,
				 v->note[m].why ? v->note[m].why : "measured");
	}
	assert_int_equal(v->metrics.nr,
			 ARRAY_SIZE(values) + ARRAY_SIZE(refused));
}

/*
 * Returns the value of a name in the threshold "ratio > 20 & (child < 5 | gone >= 1)": 21 for
 * ratio, the number at @ctx for child, and no value for gone.
 */
static struct bpmu_value metric_value(void *ctx, const char *name)
{
	const double *child = ctx;
	struct bpmu_value value = { .known = true, .number = 21 };

	if (!strcmp(name, "child"))
		value.number = *child;
	else
		value.known = !strcmp(name, "ratio");
	return value;
}

TEST_BETWEEN(a_threshold_uses_its_metrics, set_up, tear_down)
{
	const struct bpmu_vendor_set *v = *test_state;
	const struct bpmu_expr *flag = v->metrics.metric[0].flag;
	struct bpmu_value value;
	double child = 4;

	value = unit_value(NULL, flag, metric_value, &child);
	assert_true(value.known && value.number == 1);
	child = 6;
	assert_false(unit_value(NULL, flag, metric_value, &child).known);
	assert_null(v->metrics.metric[1].flag);
}

TEST_BETWEEN(metrics_have_unit_text_group_and_parent, set_up, tear_down)
{
	const struct bpmu_vendor_set *v = *test_state;
	const struct bpmu_metric *m = v->metrics.metric;

	assert_string_equal(m[0].unit, "percent");
	assert_string_equal(m[0].text, "Made up: ratio");
	assert_string_equal(v->note[0].group, "One;Two");
	assert_int_equal(m[0].parent, -1);
	assert_int_equal(m[1].parent, 0);
	assert_int_equal(m[1].level, 2);
	/*
	 * The file does not have the parent that this node names. Intel's file for Ice Lake servers
	 * has such nodes. The tool places the node below another node of the file.
	 */
	m = &m[bpmu_metrics_find(&v->metrics, "orphan")];
	assert_int_equal(m->level, 3);
	assert_int_equal(m->parent, 1);
}

TEST(files_are_loaded_one_after_another)
{
	struct bpmu_vendor_set v = { .part = NULL };

	load(&v, FILES "/events/core.json", "skl");
	load(&v, FILES "/events", "skl");
	load(&v, FILES "/metrics/metrics.json", "skl");
	assert_int_equal(v.metrics.nr,
			 ARRAY_SIZE(values) + ARRAY_SIZE(refused));
	bpmu_vendor_free(&v);
}

/*
 * Files that are loaded together are a set (struct bpmu_vendor_set). Their events are known only
 * with this set, and are freed together with it.
 */
TEST_BETWEEN(sets_have_rows_of_their_own, set_up, tear_down)
{
	const struct bpmu_part *skl = bpmu_part_by_name("skl");
	const struct bpmu_vendor_set *v = *test_state;
	struct bpmu_pmu pmu = unit_pmu("skl", 4);
	struct bpmu_vendor_set other = { .part = NULL };
	struct bpmu_event_spec spec;
	struct bpmu_error err;

	load(&other, FILES "/events/uncore.json", "skl");
	assert_non_null(bpmu_event_row(v->part, "NEW.PLAIN"));
	assert_null(bpmu_event_row(other.part, "NEW.PLAIN"));
	assert_non_null(bpmu_event_row(other.part, "UNC_NEW_ARB.REQUESTS"));
	assert_null(bpmu_event_row(skl, "UNC_NEW_ARB.REQUESTS"));
	/* perf's generic names mean the same events whether files are loaded or not. */
	assert_non_null(bpmu_event_row(skl, "LLC-load-misses"));
	assert_ptr_equal(bpmu_event_row(other.part, "LLC-load-misses"),
			 bpmu_event_row(skl, "LLC-load-misses"));
	assert_ptr_equal(bpmu_part_described(other.part), skl);
	assert_ptr_equal(bpmu_part_described(skl), skl);
	bpmu_vendor_free(&other);
	assert_non_null(bpmu_event_row(v->part, "NEW.PLAIN"));
	/*
	 * Without the files the first of refused_events[] is not known. With the files it is known,
	 * but cannot be counted.
	 */
	assert_int_equal(bpmu_event_parse(&pmu, 0, refused_events[0].text,
					  &spec, &err), -ENOENT);
	pmu.part = v->part;
	assert_int_equal(bpmu_event_parse(&pmu, 0, refused_events[0].text,
					  &spec, &err), -ENOTSUP);
}

/* Returns the row of an event of one box in Intel's files for a CPU model. */
static struct bpmu_event row_of(const char *part, const char *name, const char *code,
				const char *counter)
{
	json_t *event = json_pack("{ssssssssss}", "EventName", name, "EventCode", code,
				  "UMask", "0x01", "Unit", "ARB", "Counter", counter);
	struct bpmu_vendor_set v = { .part = NULL };
	struct bpmu_event row;
	struct bpmu_error err;
	const struct bpmu_json_at at = {
		.file = "file",
		.array = "Events",
		.object = event,
		.err = &err,
	};

	load(&v, FILES "/events/core.json", part);
	assert_int_equal(bpmu_vendor_add_event(&v, &at), 0);
	assert_int_equal(bpmu_vendor_index(&v, &err), 0);
	assert_non_null(bpmu_vendor_row(&v, name));
	row = *bpmu_vendor_row(&v, name);
	bpmu_vendor_free(&v);
	json_decref(event);
	return row;
}

/* Clients have a clock beside their units, whose event Intel's files put into one of these. */
TEST(the_clock_of_the_uncore_is_a_unit_of_its_own)
{
	assert_int_equal(row_of("ivb", "UNC_CLOCK.OTHER", "0x00", "FIXED").unit, BPMU_UNIT_CLOCK);
}

/* Ice Lake's arbiter has one counter, which Intel's file calls counter 1. */
TEST(a_box_with_one_counter_uses_it)
{
	assert_int_equal(row_of("icl", "UNC_ARB_A.B", "0x81", "1").counters, 1);
}

#define OFF_MODULE \
	"'EventCode': '0xD6', 'UMask': '0x01,0x02,0x04,0x08', 'Counter': '0,1,2,3', " \
	"'MSRValue': '0xFF03F000000001', 'MSRIndex': "

/*
 * Some JSON keys of Intel's files occur only in events of the uncore or in off-module events. Each
 * element of this array has such keys, with values in Intel's spelling.
 */
static const struct {
	const char *part;
	const char *json;
	u64 select;
	u64 counters;
	u64 extra;
	u8 unit;
	const char *refused;
} boxes[] = {
	{ "bdx", "'Unit': 'CBO', 'EventCode': '0x35', 'UMask': '0x3', 'Counter': '0,1,2,3', 'Filter': 'CBoFilter1[28:20]'",
	  0x335, 0xf, 0, BPMU_UNIT_CHA },
	{ "bdx", "'Unit': 'HA', 'EventCode': '0x1', 'UMask': '0x3', 'Counter': '0,1,2,3', 'Filter': 'na', 'ExtSel': '0'",
	  0x301, 0xf, 0, BPMU_UNIT_HA },
	{ "bdx", "'Unit': 'QPI LL', 'EventCode': '0x2', 'UMask': '0x8', 'Counter': '0,1,2,3', 'ExtSel': '1', 'EdgeDetect': '1', 'CounterMask': '3'",
	  0x3240802, 0xf, 0, BPMU_UNIT_LINK },
	{ "bdx", "'Unit': 'iMC', 'EventCode': '0x0', 'UMask': '0x0', 'Counter': 'FIXED'",
	  0, 0x10, 0, BPMU_UNIT_IMC },
	{ "bdx", "'Unit': 'UBOX', 'EventCode': '0x0', 'UMask': '0x0', 'Counter': 'FIXED'",
	  0, 0x4, 0, BPMU_UNIT_UBOX },
	{ "skx", "'Unit': 'PCU', 'EventCode': '0x80', 'UMask': '0x40', 'Counter': '0,1,2,3', 'Filter': 'PCUFilter[7:0]'",
	  0x4080, 0xf, 0, BPMU_UNIT_PCU },
	{ "skx", "'Unit': 'CHA', 'EventCode': '0x35', 'UMask': '0x21', 'Counter': '0,1,2,3', 'Filter': 'CHAfilter1', 'FILTER_VALUE': '0x40433'",
	  0x2135, 0xf, 0x4043300000000, BPMU_UNIT_CHA },
	{ "skx", "'Unit': 'IIO', 'EventCode': '0x83', 'UMask': '0x4', 'Counter': '0,1', 'PortMask': '0x02', 'FCMask': '0x07'",
	  0x702000000483, 0x3, 0, BPMU_UNIT_IIO },
	{ "icx", "'Unit': 'CHA', 'EventCode': '0x36', 'UMask': '0x01', 'UMaskExt': '0xC816FE', 'Counter': '0'",
	  0xc816fe00000136, 0x1, 0, BPMU_UNIT_CHA },
	{ "spr", "'Unit': 'IIO', 'EventCode': '0x83', 'UMask': '0x01', 'PortMask': '0x0001', 'FCMask': '0x07', 'UMaskExt': '0x00070010', 'Counter': '0,1', 'CounterType': 'PGMABLE'",
	  0x7001000000183, 0x3, 0, BPMU_UNIT_IIO },
	{ "spr", "'Unit': 'M2M', 'EventCode': '0x37', 'UMask': '0x20', 'UMaskExt': '0x00000018', 'Counter': '0,1,2,3'",
	  0x1800002037, 0xf, 0, BPMU_UNIT_HA },
	{ "gnr", "'Unit': 'B2CMI', 'EventCode': '0x24', 'UMask': '0x04', 'UMaskExt': '0x00000001', 'Counter': '0,1,2,3'",
	  0x100000424, 0xf, 0, BPMU_UNIT_HA },
	{ "adl", "'Unit': 'iMC', 'EventCode': '0x11', 'UMask': '0x00', 'Counter': '0,1,2,3,4'",
	  0x11, 0x1f, 0, BPMU_UNIT_IMC },
	/*
	 * The JSON key ProgrammingRestriction has the value "MSRIndex-UMask" if the unit mask
	 * determines which of the MSRs the event uses.
	 */
	{ "nvl", OFF_MODULE "'0x3E0,0x3E1,0x3E2,0x3E3', 'ProgrammingRestriction': 'MSRIndex-UMask'",
	  0x1d6, 0xf, 0xff03f000000001, BPMU_UNIT_CORE },
	{ "nvl", OFF_MODULE "'0x3E0,0x3E2,0x3E1,0x3E3', 'ProgrammingRestriction': 'MSRIndex-UMask'",
	  .refused = "needs register 0x3E0,0x3E2,0x3E1,0x3E3 besides its counter, which the module does not program for it" },
	{ "nvl", OFF_MODULE "'0x3E0,0x3E1', 'ProgrammingRestriction': 'Counter-UMask'",
	  .refused = "needs Counter-UMask, which the module does not program" },
	{ "nvl", "'EventCode': '0xD0', 'UMask': '0x82', 'Counter': '0,1,2,3', 'ProgrammingRestriction': 'None'",
	  0x82d0, 0xf, 0, BPMU_UNIT_CORE },
	{ "skx", "'Unit': 'M3UPI', 'EventCode': '0x1', 'UMask': '0x1', 'Counter': '0'",
	  .refused = "needs uncore unit M3UPI, which this tool does not count" },
	{ "skl", "'Unit': 'CHA', 'EventCode': '0x1', 'UMask': '0x1', 'Counter': '0'",
	  .refused = "needs uncore unit CHA, which this tool does not count" },
	{ "skx", "'Unit': 'UPI LL', 'EventCode': '0x4', 'UMask': '0x1', 'UMaskExt': '0x02', 'Counter': '0'",
	  .refused = "needs an extended umask, which the module does not program" },
	{ "spr", "'Unit': 'CHA', 'EventCode': '0x35', 'UMask': '0x1', 'UMaskExt': '0x10C816FE', 'Counter': '0'",
	  .refused = "needs an extended umask, which the module does not program" },
	{ "jkt", "'Unit': 'PCU', 'EventCode': '0x3', 'UMask': '0x0', 'ExtSel': '1', 'Counter': '0'",
	  .refused = "needs an extended event code, which the module does not program" },
	{ "bdx", "'Unit': 'HA', 'EventCode': '0x20', 'UMask': '0x3', 'Counter': '0', 'Filter': 'HA_OpcodeMatch[5:0]'",
	  .refused = "needs HA_OpcodeMatch[5:0], which the module does not program" },
	{ "spr", "'Unit': 'UBOX', 'EventCode': '0x0', 'UMask': '0x0', 'Counter': 'FIXED'",
	  .refused = "needs the fixed counter of its unit, which the module does not program" },
	{ "icx", "'Unit': 'iMC', 'EventCode': '0xff', 'UMask': '0x20', 'Counter': '4', 'CounterType': 'FREERUN'",
	  .refused = "is a free-running counter; 'barepmu list events' has those that this tool reads, by other names" },
};

TEST(events_of_uncore_and_off_module_have_their_fields)
{
	const struct bpmu_vendor_event *refused;
	const struct bpmu_event *row;
	char why[BPMU_VENDOR_WHY];
	struct bpmu_error err;
	char text[512];
	char *quote;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(boxes); i++) {
		struct bpmu_vendor_set v = { .part = NULL };
		struct bpmu_json_at at = { .file = "file", .array = "Events", .err = &err };
		json_t *object;

		snprintf(text, sizeof(text), "{'EventName': 'UNC_NEW.BOX', %s}", boxes[i].json);
		while ((quote = strchr(text, '\'')))
			*quote = '"';
		object = json_loads(text, 0, NULL);
		assert_non_null(object);
		at.object = object;
		load(&v, FILES "/events/core.json", boxes[i].part);
		assert_int_equal(bpmu_vendor_add_event(&v, &at), 0);
		assert_int_equal(bpmu_vendor_index(&v, &err), 0);
		row = bpmu_vendor_row(&v, "UNC_NEW.BOX");
		refused = bpmu_vendor_refused(&v, "UNC_NEW.BOX");
		if (refused)
			bpmu_vendor_why(refused, why, sizeof(why));
		if (!boxes[i].refused != !refused ||
		    (refused && strcmp(why, boxes[i].refused)))
			fail_msg("%s: %s", text, refused ? why : "counted");
		if (row && (row->select != boxes[i].select ||
			    row->counters != boxes[i].counters ||
			    row->counters_noht != boxes[i].counters ||
			    row->extra != boxes[i].extra || row->unit != boxes[i].unit))
			fail_msg("%s: %llx on %llx of %d, filter %llx", text, row->select,
				 row->counters, row->unit, row->extra);
		bpmu_vendor_free(&v);
		json_decref(object);
	}
}

/*
 * name: an event in the spelling of Intel's formulas for servers. text and filter: the same event
 * in barepmu's own event tables, and its filter; NULL if there is no such event.
 */
static const struct {
	const char *part;
	const char *name;
	const char *text;
	u64 filter;
} names[] = {
	{ "bdx", "UNC_C_TOR_INSERTS.MISS_OPCODE:opc=0x182",
	  "UNC_C_TOR_INSERTS.MISS_OPCODE:filter_opc=0x182", 0x1820000000000000 },
	{ "bdx", "UNC_C_TOR_OCCUPANCY.MISS_OPCODE:opc=0x182:c1",
	  "UNC_C_TOR_OCCUPANCY.MISS_OPCODE:c1:filter_opc=0x182", 0x1820000000000000 },
	{ "hsx", "UNC_C_TOR_INSERTS.OPCODE:opc=0x1c8:tid=0x3e",
	  "UNC_C_TOR_INSERTS.OPCODE:filter_opc=0x1c8:tid_en=1:filter_tid=0x3e",
	  0x1c8000000000003e },
	{ "skx", "UNC_CHA_TOR_INSERTS.IA_MISS:filter1=0x40432",
	  "UNC_CHA_TOR_INSERTS.IA_MISS:filter_rem=0x0:filter_loc=0x1:filter_all_op=0x0:filter_nm=0x1:filter_not_nm=0x1:filter_opc0=0x202",
	  0x4043200000000 },
	{ "skx", "UNC_CHA_TOR_INSERTS.IA_MISS:filter1=0x12D40433",
	  "UNC_CHA_TOR_INSERTS.IA_MISS:filter_rem=0x1:filter_loc=0x1:filter_all_op=0x0:filter_nm=0x1:filter_not_nm=0x1:filter_opc0=0x202:filter_opc1=0x25a",
	  0x12d4043300000000 },
	{ "icx", "UNC_CHA_CLOCKTICKS:filter1=0x40432", NULL, 0 },
	{ "icx", "UNC_CHA_CLOCKTICKS:opc=0x182", NULL, 0 },
	{ "bdx", "UNC_C_TOR_INSERTS.MISS_OPCODE:opc=0x200", NULL, 0 },
	{ "skx", "UNC_M_CLOCKTICKS_F:one_unit", NULL, 0 },
};

TEST(names_with_filters_are_translated)
{
	struct bpmu_event_spec spec;
	char text[BPMU_VENDOR_TEXT];
	char why[BPMU_VENDOR_WHY];
	struct bpmu_pmu pmu;
	struct bpmu_error err;
	size_t i;
	int ret;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		struct bpmu_vendor_set v = { .part = NULL };

		load(&v, FILES "/events/core.json", names[i].part);
		ret = bpmu_vendor_name(&v, names[i].name, text, why);
		assert_int_equal(ret, names[i].text ? 0 : -ENOTSUP);
		if (!ret) {
			assert_string_equal(text, names[i].text);
			pmu = unit_pmu(names[i].part, 4);
			if (bpmu_event_parse(&pmu, 0, text, &spec, &err))
				fail_msg("%s", err.text);
			assert_int_equal(spec.term[0].filter, names[i].filter);
			bpmu_event_free(&spec);
		}
		bpmu_vendor_free(&v);
	}
}

/*
 * name: an event with modifiers of Intel's formulas. text: the same event in barepmu's syntax; NULL
 * if it cannot be counted, for the reason @why
 */
static const struct {
	const char *part;
	const char *name;
	const char *text;
	const char *why;
} modified[] = {
	{ "skl", "NEW.PLAIN", "NEW.PLAIN" },
	{ "skl", "new.plain:sup", "NEW.PLAIN:k" },
	{ "skl", "NEW.PLAIN:user", "NEW.PLAIN:u" },
	{ "skl", "NEW.PLAIN:c1", "NEW.PLAIN:c1" },
	{ "skl", "NEW.PLAIN:c0", "NEW.PLAIN" },
	{ "skl", "NEW.PLAIN:C4:i1", "NEW.PLAIN:c4:i" },
	{ "skl", "NEW.PLAIN:c1:E1", "NEW.PLAIN:c1:e" },
	{ "skl", "NEW.PLAIN:c4:i0:e0", "NEW.PLAIN:c4" },
	{ "skl", "NEW.PLAIN:percore", "NEW.PLAIN:t" },
	{ "skl", "NEW.PLAIN:c8:eq1", "NEW.PLAIN:[=8]" },
	{ "skl", "NEW.PLAIN:c8:eq0", "NEW.PLAIN:c8" },
	{ "skl", "NEW.PLAIN:c0xff", "NEW.PLAIN:c255" },
	{ "skl", "NEW.PLAIN:u0x80", "cpu/event=0x9c,umask=0x80/" },
	{ "skl", "NEW.PLAIN:U0x80:c2:user", "cpu/event=0x9c,umask=0x80,cmask=2/u" },
	{ "skl", "NEW.PLAIN:u0x80:c2:i1:e1:percore:sup",
	  "cpu/event=0x9c,umask=0x80,cmask=2,inv,edge,any/k" },
	{ "skl", "NEW.PLAIN:u1", "NEW.PLAIN" },
	{ "skl", "NEW.PLAIN_PS:c1", "NEW.PLAIN:c1" },
	{ "skl", "new.plain_ps", "NEW.PLAIN" },
	{ "skl", "NEW.OFFCORE:ocr_msr_val=0x103b800002", "NEW.OFFCORE:offcore_rsp=0x103b800002" },
	{ "skl", "NEW.OFFCORE:ocr_msr_val=1:user", "NEW.OFFCORE:u:offcore_rsp=0x1" },
	{ "skl", "CPU_CLK_UNHALTED.THREAD:percore", "CPU_CLK_UNHALTED.THREAD:t" },
	{ "skl", "TSC", "TSC" },
	{ "skl", "UNC_NEW_ARB.REQUESTS:one_unit", "UNC_NEW_ARB.REQUESTS" },
	{ "skl", "NEW.PLAIN:one_unit", "NEW.PLAIN" },
	{ "skl", "NEW.FILTERS:c6", "NEW.FILTERS" },
	{ "skl", "NEW.FILTERS:c2", "cpu/event=0x9e,umask=0x4,cmask=2,inv,edge,any/" },
	{ "icl", "PERF_METRICS.RETIRING:perf_metrics", "PERF_METRICS.RETIRING" },
	{ "arl", "UOPS_ISSUED.ANY:c4:i1:eq1", "UOPS_ISSUED.ANY:c4:i:eq" },
	{ "arl", "BR_INST_RETIRED.COND:u0x10", "cpu/event=0xc4,umask=0x110/" },
	{ "skl", "NEW.PLAIN:eq1", NULL,
	  "needs the filter \"not equal\", which this CPU model lacks" },
	{ "skl", "NEW.PLAIN:c8:i1:eq1", NULL,
	  "needs the filter \"not equal\", which this CPU model lacks" },
	{ "skl", "NEW.FILTERS:i0:eq1", NULL,
	  "needs fields replaced of an event that has filters of its own" },
	{ "skl", "UNC_NEW_ARB.REQUESTS:u2", NULL,
	  "needs fields replaced of an event that has filters of its own" },
	{ "skl", "NEW.OFFCORE:ocr_msr_val=5:c1", NULL,
	  "needs fields replaced of an event with an extra register" },
	{ "skl", "NEW.OFFCORE:ocr_msr_val=0", NULL,
	  "needs modifier \"ocr_msr_val=0\", which this tool does not know" },
	{ "skl", "NEW.OFFCORE:ocr_msr_val=5x", NULL,
	  "needs modifier \"ocr_msr_val=5x\", which this tool does not know" },
	{ "skl", "NEW.PLAIN:ocr_msr_val=5", NULL,
	  "needs an off-core response register, which its event has not" },
	{ "skl", "INST_RETIRED.ANY:c1", NULL, "needs a filter on a fixed counter, which has none" },
	{ "skl", "NEW.PLAIN:c256", NULL, "needs modifier \"c256\", which this tool does not know" },
	{ "skl", "NEW.PLAIN:c", NULL, "needs modifier \"c\", which this tool does not know" },
	{ "skl", "NEW.PLAIN:c1x", NULL, "needs modifier \"c1x\", which this tool does not know" },
	{ "skl", "NEW.PLAIN:e2", NULL, "needs modifier \"e2\", which this tool does not know" },
	{ "skl", "NEW.PLAIN:i1:zz9:c1", NULL,
	  "needs modifier \"zz9\", which this tool does not know" },
	{ "skl", "NEW.PLAIN:retire_latency", NULL, "needs mean retire latency, which needs PEBS" },
	{ "skl", "NO_SUCH.EVENT:retire_latency", NULL,
	  "needs mean retire latency, which needs PEBS" },
	{ "skl", "NEW.PLAIN:perf_metrics", NULL, "needs PERF_METRICS, which this CPU model lacks" },
	{ "skl", "PERF_METRICS.RETIRING", NULL, "needs PERF_METRICS, which this CPU model lacks" },
	{ "skl", "NO_SUCH.EVENT", NULL,
	  "is in no event file and not in this tool's table; load its events by --events" },
	{ "skl", "_PS", NULL,
	  "is in no event file and not in this tool's table; load its events by --events" },
	{ "skl", "UNC_NEW_CBO.LOOKUP:one_unit", NULL,
	  "needs one of several units, which this tool adds up" },
	{ "skl", "NEW.PLAIN:opc=1", NULL,
	  "needs an opcode filter, which the unit of its event lacks" },
	{ "skl", "NEW.PLAIN:tid=1", NULL,
	  "needs a thread filter, which the unit of its event lacks" },
	{ "skl", "NEW.PLAIN:filter1=1", NULL,
	  "needs a filter of 64 bits, which the unit of its event lacks" },
	{ "icl", "UOPS_ISSUED.ANY:percore", NULL,
	  "needs the sum of a core's threads, which this CPU model does not count" },
	{ "skl", "NEW.EQUAL:c1", NULL,
	  "needs the filter \"equal\", which the module does not program" },
	{ "skl", "NEW.PRECISE_PS", NULL, "has a meaning as PEBS samples only" },
};

TEST(names_with_modifiers_are_translated)
{
	char text[BPMU_VENDOR_TEXT];
	char why[BPMU_VENDOR_WHY];
	size_t i;
	int ret;

	for (i = 0; i < ARRAY_SIZE(modified); i++) {
		struct bpmu_vendor_set v = { .part = NULL };

		load(&v, FILES "/events", modified[i].part);
		strcpy(why, "counted");
		ret = bpmu_vendor_name(&v, modified[i].name, text, why);
		if (ret != (modified[i].text ? 0 : -ENOTSUP) ||
		    strcmp(text, modified[i].text ?: modified[i].name) ||
		    strcmp(why, modified[i].why ?: "counted"))
			fail_msg("%s: %d, %s, %s", modified[i].name, ret, text, why);
		bpmu_vendor_free(&v);
	}
}

/* The longest name of an event has 127 letters. */
TEST(names_that_are_too_long_are_refused)
{
	struct bpmu_vendor_set v = { .part = NULL };
	char name[129], text[BPMU_VENDOR_TEXT], why[BPMU_VENDOR_WHY];

	load(&v, FILES "/events/core.json", "skl");
	memset(name, 'A', sizeof(name));
	name[127] = '\0';
	assert_int_equal(bpmu_vendor_name(&v, name, text, why), -ENOTSUP);
	assert_string_equal(why, "is in no event file and not in this tool's table; load its events by --events");
	name[127] = 'A';
	name[128] = '\0';
	assert_int_equal(bpmu_vendor_name(&v, name, text, why), -ENOTSUP);
	assert_string_equal(why, "has a name of more than 127 letters");
	bpmu_vendor_free(&v);
}

TEST_BETWEEN(events_of_files_are_known_by_their_names, set_up, tear_down)
{
	const struct bpmu_vendor_set *v = *test_state;
	const struct bpmu_vendor_set none = { .part = NULL };

	assert_true(bpmu_vendor_known(v, "new.plain:c1"));
	assert_true(bpmu_vendor_known(v, "NEW.LATENCY"));
	assert_false(bpmu_vendor_known(v, "NEW.PLAI"));
	assert_false(bpmu_vendor_known(v, "BR_MISP_RETIRED.ALL_BRANCHES"));
	assert_false(bpmu_vendor_known(&none, "NEW.PLAIN"));
	assert_null(bpmu_vendor_refused(v, "NEW.PLAIN"));
	assert_null(bpmu_vendor_refused(v, "NEW.PLAI"));
	assert_non_null(bpmu_vendor_refused(v, "new.latency"));
}

/* The energy of the package is in units of 15.6 uJ up to Ivy Bridge. */
TEST(energies_are_in_the_unit_of_the_files)
{
	static const char *const parts[][2] = {
		{ "snb", "15.6e-6" }, { "jkt", "15.6e-6" }, { "ivb", "15.6e-6" },
		{ "ivt", "15.6e-6" }, { "hsx", "61e-6" }, { "skl", "61e-6" },
	};
	char text[BPMU_VENDOR_TEXT], expected[BPMU_VENDOR_TEXT];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(parts); i++) {
		struct bpmu_vendor_set v = { .part = NULL };

		load(&v, FILES "/events/core.json", parts[i][0]);
		snprintf(expected, sizeof(expected), "POWER.PKG * JOULE / %s", parts[i][1]);
		assert_int_equal(bpmu_vendor_expression(&v, "UNC_PKG_ENERGY_STATUS", text), 1);
		assert_string_equal(text, expected);
		assert_int_equal(bpmu_vendor_expression(&v, "freerun_pkg_energy_status", text), 1);
		assert_string_equal(text, expected);
		bpmu_vendor_free(&v);
	}
}

/*
 * If a formula of Intel's uses the count of one box (":one_unit"), barepmu uses the mean over the
 * boxes instead, because it counts all boxes of all packages. If another tool has made the counts,
 * the formula keeps Intel's name of the count.
 */
TEST(a_count_in_one_box_is_a_mean_of_what_is_counted_here)
{
	struct bpmu_vendor_set v = { .part = NULL };
	char text[BPMU_VENDOR_TEXT];
	char why[BPMU_VENDOR_WHY];

	load(&v, FILES "/events/core.json", "skx");
	assert_int_equal(bpmu_vendor_expression(&v, "unc_cha_clockticks:one_unit", text), 1);
	assert_string_equal(text, "UNC_CHA_CLOCKTICKS / CHAS / SOCKETS");
	assert_int_equal(bpmu_vendor_expression(&v, "FREERUN_DRAM_ENERGY_STATUS", text), 1);
	assert_string_equal(text, "POWER.DRAM * JOULE_DRAM / 15.6e-6");
	assert_int_equal(bpmu_vendor_expression(&v, "UNC_CHA_CLOCKTICKS", text), 0);
	assert_int_equal(bpmu_vendor_expression(&v, "UNC_M_CLOCKTICKS:one_unit", text), 1);
	assert_string_equal(text, "UNC_M_CLOCKTICKS / IMCS / SOCKETS");
	assert_int_equal(bpmu_vendor_expression(&v, "UNC_UPI_CLOCKTICKS:one_unit", text), 0);
	assert_int_equal(bpmu_vendor_expression(&v, "INST_RETIRED.ANY:one_unit", text), 0);
	v.given = true;
	assert_int_equal(bpmu_vendor_expression(&v, "UNC_CHA_CLOCKTICKS:one_unit", text), 0);
	assert_int_equal(bpmu_vendor_expression(&v, "FREERUN_PKG_ENERGY_STATUS", text), 0);
	assert_int_equal(bpmu_vendor_name(&v, "UNC_CHA_CLOCKTICKS:one_unit", text, why), -ENOTSUP);
	assert_string_equal(text, "UNC_CHA_CLOCKTICKS:one_unit");
	bpmu_vendor_free(&v);
}

/*
 * Intel's formulas for three events, a, b and c, and barepmu's formulas for the same metrics. Some
 * of them differ, because barepmu counts all boxes of a package.
 */
static const struct {
	const char *part;
	const char *events[3];
	const char *formula;
	const char *text;
} ratios[] = {
	{ "skx", { "UNC_CHA_TOR_OCCUPANCY.IA_MISS_DRD", "UNC_CHA_TOR_INSERTS.IA_MISS_DRD",
		   "UNC_CHA_CLOCKTICKS:one_unit" }, "1e9 * (a / b) / (c / t)",
	  "1000000000 * (UNC_CHA_TOR_OCCUPANCY.IA_MISS_DRD:per=UNC_CHA_CLOCKTICKS / UNC_CHA_TOR_INSERTS.IA_MISS_DRD) / (SOCKETS / CHAS / SOCKETS / SECONDS)" },
	{ "bdx", { "UNC_C_TOR_OCCUPANCY.MISS_OPCODE:opc=0x182",
		   "UNC_C_TOR_INSERTS.MISS_OPCODE:opc=0x182", "UNC_C_CLOCKTICKS" },
	  "(a / b) / (c / 40) * t",
	  "UNC_C_TOR_OCCUPANCY.MISS_OPCODE:filter_opc=0x182:per=UNC_C_CLOCKTICKS / UNC_C_TOR_INSERTS.MISS_OPCODE:filter_opc=0x182 / (SOCKETS / 40) * SECONDS" },
	{ "skx", { "UNC_M_RPQ_OCCUPANCY", "UNC_M_RPQ_INSERTS", "UNC_M_CLOCKTICKS:one_unit" },
	  "t + a / b / c",
	  "SECONDS + UNC_M_RPQ_OCCUPANCY:per=UNC_M_CLOCKTICKS / UNC_M_RPQ_INSERTS / (SOCKETS / IMCS / SOCKETS)" },
	/*
	 * barepmu does not change these formulas: they divide by the clock of another unit, divide
	 * a clock, or divide by an event that is no clock.
	 */
	{ "skx", { "UNC_M_RPQ_OCCUPANCY", "UNC_M_RPQ_INSERTS", "UNC_CHA_CLOCKTICKS" }, "a / b / c",
	  "UNC_M_RPQ_OCCUPANCY / UNC_M_RPQ_INSERTS / UNC_CHA_CLOCKTICKS" },
	{ "skx", { "UNC_M_CLOCKTICKS", "UNC_CHA_CLOCKTICKS", "INST_RETIRED.ANY" }, "a / b / c / a",
	  "UNC_M_CLOCKTICKS / UNC_CHA_CLOCKTICKS / INST_RETIRED.ANY / UNC_M_CLOCKTICKS" },
	{ "skx", { "UNC_M_RPQ_OCCUPANCY", "UNC_M_RPQ_INSERTS", "INST_RETIRED.ANY" }, "a / b * c",
	  "UNC_M_RPQ_OCCUPANCY / UNC_M_RPQ_INSERTS * INST_RETIRED.ANY" },
	/*
	 * A divisor that is a clock of all boxes becomes that of one package. Here the divisor is the
	 * sum of a clock and of another event, so that the formula stays as it is.
	 */
	{ "skx", { "UNC_M_RPQ_OCCUPANCY", "UNC_M_RPQ_INSERTS", "UNC_M_CLOCKTICKS" }, "a / (b + c)",
	  "UNC_M_RPQ_OCCUPANCY / (UNC_M_RPQ_INSERTS + UNC_M_CLOCKTICKS)" },
};

TEST(counts_of_boxes_are_divided_by_their_package_s_clock)
{
	struct bpmu_error err;
	json_t *metrics;
	char *printed;
	size_t size;
	FILE *out;
	size_t i;

	for (i = 0; i < 2 * ARRAY_SIZE(ratios); i++) {
		const char *const *events = ratios[i / 2].events;
		struct bpmu_vendor_set v = { .given = i & 1 };

		metrics = json_pack("[{s:s,s:s,s:[{s:s,s:s},{s:s,s:s},{s:s,s:s}],s:[{s:s,s:s}]}]",
				    "MetricName", "Ratio", "Formula", ratios[i / 2].formula,
				    "Events", "Name", events[0], "Alias", "a", "Name", events[1],
				    "Alias", "b", "Name", events[2], "Alias", "c", "Constants",
				    "Name", "DURATIONTIMEINSECONDS", "Alias", "t");
		assert_non_null(metrics);
		load(&v, FILES "/events/core.json", ratios[i / 2].part);
		if (bpmu_vendor_add_metrics(&v, "file", metrics, &err))
			fail_msg("%s", err.text);
		out = open_memstream(&printed, &size);
		bpmu_expr_print(out, v.metrics.metric[0].expr);
		fclose(out);
		if (v.given)
			assert_null(strstr(printed, ":per="));
		else
			assert_string_equal(printed, ratios[i / 2].text);
		free(printed);
		bpmu_vendor_free(&v);
		json_decref(metrics);
	}
}

/* Prints an expression to a text, to be freed. */
static char *printed(const struct bpmu_expr *expr)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	bpmu_expr_print(out, expr);
	fclose(out);
	return text;
}

/*
 * formula, base: formula and BaseFormula of a metric. constant: name of the constant c in the
 * formula. text: the tool's formula.
 */
static const struct {
	const char *formula, *base, *constant, *text;
} formulas[] = {
	{ "c", "", "HYPERTHREADING_ON", "SMT" }, { "c", "", "smt_on", "SMT" },
	{ "c", "", "SMT_ON", "SMT" }, { "c", "", "THREADS_PER_CORE", "THREADS" },
	{ "c", "", "CORES_PER_SOCKET", "CORES" }, { "c", "", "SOCKET_COUNT", "SOCKETS" },
	{ "c", "", "CHAS_PER_SOCKET", "CHAS" }, { "c", "", "SYSTEM_TSC_FREQ", "TSC_HZ" },
	{ "c", "", "TSC", "TSC" }, { "c", "", "DURATIONTIMEINMILLISECONDS", "SECONDS * 1000" },
	{ "c", "", "durationtimeinseconds", "SECONDS" }, { "c", "", "DependentLoadsWeight", "20" },
	{ "c", "", "system.sockets[0].cpus.count", "THREADS * CORES" },
	{ "c", "", "system.socket_count", "SOCKETS" },
	{ "c", "", "system.sockets[0].cpus.count * system.socket_count",
	  "THREADS * CORES * SOCKETS" },
	{ "c", "", "NA", "0 / 0" }, { "c", "", "64", "64" }, { "c", "", "0.5", "0.5" },
	{ "c", "tsc", "SYSTEM_TSC_FREQ", "TSC_HZ * SECONDS" },
	{ "c", "tsc", "system_tsc_freq", "TSC_HZ * SECONDS" },
	{ "c", "tsc", "TSC", "TSC" }, { "c", "system_tsc_freq / tsc", "SYSTEM_TSC_FREQ", "TSC_HZ" },
	{ "SYSTEM_TSC_FREQ + smt_on", "tsc", "1", "TSC_HZ + SMT" }, { "#NA", "", "1", "0 / 0" },
	{ "a & c && 3", "", "1", "a and 1 and 3" }, { "a | c || 3", "", "1", "a or 1 or 3" },
	{ "a&c", "", "1", "a and 1" }, { "a > = c", "", "1", "a >= 1" },
	{ "a <\t=c", "", "1", "a <= 1" }, { "a = = c", "", "1", "a = 1" },
	{ "a==c", "", "1", "a = 1" }, { "a=c", "", "1", "a = 1" }, { "a > c", "", "1", "a > 1" },
	{ "a<c", "", "1", "a < 1" }, { "c / a[0]", "", "1", "1 / a" }, { "a\n/\nc", "", "1", "a / 1" },
	{ "a if c > 2 else 3", "", "1", "a if 1 > 2 else 3" },
};

TEST(formulas_of_files_are_in_the_tool_s_words)
{
	struct bpmu_error err;
	json_t *metrics;
	char *text;
	char *name;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(formulas); i++) {
		struct bpmu_vendor_set v = { .part = NULL };

		metrics = json_pack("[{s:s, s:s, s:s, s:[{s:s, s:s}], s:[{s:s, s:s}]}]",
				    "MetricName", "M", "Formula", formulas[i].formula,
				    "BaseFormula", formulas[i].base,
				    "Events", "Name", "NEW.PLAIN", "Alias", "a",
				    "Constants", "Name", formulas[i].constant, "Alias", "c");
		assert_non_null(metrics);
		load(&v, FILES "/events/core.json", "skl");
		if (bpmu_vendor_add_metrics(&v, "file", metrics, &err))
			fail_msg("%s", err.text);
		if (v.note[0].why)
			fail_msg("%s: %s", formulas[i].formula, v.note[0].why);
		text = printed(v.metrics.metric[0].expr);
		while ((name = strstr(text, "NEW.PLAIN"))) {
			memmove(name + 1, name + 9, strlen(name + 9) + 1);
			*name = 'a';
		}
		assert_string_equal(text, formulas[i].text);
		free(text);
		bpmu_vendor_free(&v);
		json_decref(metrics);
	}
}

/*
 * The first four metrics are the tree that the metrics of below[] are added to. Three is on the
 * second level, as Two is, and Older is a name that begins with an older name of another one.
 */
static const char above[] =
	"{'MetricName': 'One', 'LegacyName': 'm_One(%)', 'UnitOfMeasure': 'percent', 'Level': 1, 'Formula': '1'},"
	"{'MetricName': 'Two', 'LegacyName': 'm_Two', 'UnitOfMeasure': 'clocks', 'Level': 2, 'ParentCategory': 'One', 'Formula': '2'},"
	"{'MetricName': 'Three', 'LegacyName': 'm_Two_3', 'Level': 2, 'ParentCategory': 'One', 'Formula': '3'},"
	"{'MetricName': 'Four', 'LegacyName': '', 'UnitOfMeasure': 'percent', 'Formula': '4'},";

static const struct {
	const char *metric;
	int parent;
	unsigned int level;
	const char *flag, *threshold;
} below[] = {
	{ "'Formula': '5'", -1, 1, NULL, NULL },
	{ "'Formula': '5', 'Level': 0", -1, 1, NULL, NULL },
	{ "'Formula': '5', 'Level': 64, 'ParentCategory': 'Three'", 2, 64, NULL, NULL },
	{ "'Formula': '5', 'Level': 2, 'ParentCategory': 'Gone'", -1, 2, NULL, NULL },
	{ "'Formula': '5', 'Threshold': null", -1, 1, NULL, NULL },
	{ "'Formula': '5', 'Threshold': {'Formula': ''}", -1, 1, NULL, NULL },
	{ "'Formula': '5', 'Level': 3, 'Threshold': {'Formula': 'm_Two > 1 & m_One(%) > 0.2'}",
	  1, 3, "Two > 1 and One / 100 > 0.2", NULL },
	{ "'Formula': '5', 'Level': 3, 'Threshold': {'Formula': 'm_One(%) > 0.2 & m_Two_3 > 1'}",
	  2, 3, "One / 100 > 0.2 and Three > 1", NULL },
	{ "'Formula': '5', 'Level': 2, 'Threshold': {'Formula': 'm_Two > 1 & m_One(%) > 0.2'}",
	  0, 2, "Two > 1 and One / 100 > 0.2", NULL },
	{ "'Formula': '5', 'Level': 4, 'Threshold': {'Formula': 'm_Two > 1'}", -1, 4, "Two > 1", NULL },
	{ "'Formula': '5', 'Level': 3, 'ParentCategory': 'Two', 'Threshold': {'Formula': 'm_Two_3 > 1'}",
	  1, 3, "Three > 1", NULL },
	{ "'Formula': '5', 'Level': 3, 'Threshold': {'Formula': 'a > 1 & b > 20',"
	  " 'ThresholdMetrics': [{'Alias': 'a', 'Value': 'm_Two_3'}, {'Alias': 'b', 'Value': 'One'}]}",
	  2, 3, "Three > 1 and One > 20", NULL },
	{ "'Formula': '5', 'Level': 3, 'Threshold': {'Formula': 'a > 1',"
	  " 'ThresholdMetrics': [{'Alias': 'a', 'Value': 'Nine'}]}", -1, 3, "Nine > 1", NULL },
	{ "'Formula': '5', 'Level': 3, 'Threshold': {'Formula': 'Two > 1'}", -1, 3, NULL,
	  "file: Metrics[4].Threshold.Formula: 'Two' is in neither Events nor Constants; add it there" },
	{ "'Formula': '5', 'Level': 3, 'Threshold': {'Formula': 'm_Two > 1 1'}", 1, 3, NULL,
	  "file: Metrics[4].Threshold.Formula:1:9: the formula does not end here; is an operator missing?" },
};

TEST(metrics_of_files_have_thresholds_and_parents)
{
	struct bpmu_error err;
	struct bpmu_metric *m;
	char text[2048];
	json_t *metrics;
	char *quote;
	char *flag;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(below); i++) {
		struct bpmu_vendor_set v = { .part = NULL };

		snprintf(text, sizeof(text), "[%s{'MetricName': 'Five', %s}]", above,
			 below[i].metric);
		while ((quote = strchr(text, '\'')))
			*quote = '"';
		metrics = json_loads(text, 0, NULL);
		assert_non_null(metrics);
		load(&v, FILES "/events/core.json", "skl");
		if (bpmu_vendor_add_metrics(&v, "file", metrics, &err))
			fail_msg("%s", err.text);
		m = &v.metrics.metric[4];
		if (m->parent != below[i].parent || m->level != below[i].level)
			fail_msg("%s: %d, %u", below[i].metric, m->parent, m->level);
		assert_null(m->text);
		if (below[i].flag) {
			flag = printed(m->flag);
			assert_string_equal(flag, below[i].flag);
			free(flag);
		} else {
			assert_null(m->flag);
		}
		if (below[i].threshold)
			assert_string_equal(v.note[4].threshold, below[i].threshold);
		else
			assert_null(v.note[4].threshold);
		bpmu_vendor_free(&v);
		json_decref(metrics);
	}
}

/*
 * Intel writes thresholds in two ways. Some use aliases of metrics, and values in per cent. Others
 * use the older names of metrics, and fractions. The threshold of Child_Alone does not mention its
 * parent.
 */
static const char thresholds[] =
	"[{'MetricName': 'Root', 'LegacyName': 'metric_T_Root(%)', 'UnitOfMeasure': 'percent',"
	"  'Events': [{'Name': 'NEW.PLAIN', 'Alias': 'a'}], 'Formula': 'a',"
	"  'Threshold': {'Formula': 'metric_T_Root(%) >0.20'}},"
	" {'MetricName': 'Child_Alone', 'LegacyName': 'metric_T_..Child_Alone(%)',"
	"  'UnitOfMeasure': 'percent', 'ParentCategory': 'Root', 'Level': 2,"
	"  'Events': [{'Name': 'NEW.ON_TWO', 'Alias': 'a'}], 'Formula': 'a',"
	"  'Threshold': {'Formula': 'b > 30',"
	"   'ThresholdMetrics': [{'Alias': 'b', 'Value': 'metric_T_..Child_Alone(%)'}]}},"
	" {'MetricName': 'Child_Below', 'LegacyName': 'metric_T_..Child(%)',"
	"  'UnitOfMeasure': 'percent', 'ParentCategory': 'Root', 'Level': 2,"
	"  'Events': [{'Name': 'NEW.ON_TWO', 'Alias': 'a'}], 'Formula': 'a',"
	"  'Threshold': {'Formula': 'metric_T_..Child(%) >0.30 && metric_T_Root(%) >0.20'}},"
	" {'MetricName': 'Mux', 'LegacyName': 'metric_T_Mux', 'UnitOfMeasure': '',"
	"  'Events': [{'Name': 'NEW.FILTERS', 'Alias': 'a'}], 'Formula': 'a',"
	"  'Threshold': {'Formula': 'metric_T_Mux > 1.1 || metric_T_Mux < 0.9'}},"
	" {'MetricName': 'Mux_2', 'LegacyName': 'metric_T_Mux_2', 'UnitOfMeasure': '',"
	"  'Events': [{'Name': 'NEW.FILTERS', 'Alias': 'a'}], 'Formula': 'a',"
	"  'Threshold': {'Formula': 'metric_T_Mux_2 > 3'}}]";

/*
 * count: counts of the events NEW.PLAIN, NEW.ON_TWO and NEW.FILTERS. flagged: a letter for each
 * metric in thresholds[], in the same order; "y" if these counts flag the metric, otherwise "n".
 */
static const struct {
	double count[3];
	const char *flagged;
} judged[] = {
	{ { 21, 31, 1 }, "yyynn" },
	{ { 19, 31, 0.8 }, "nynyn" },
	{ { 21, 29, 1.2 }, "ynnyn" },
	{ { 0.3, 0.4, 4 }, "nnnyy" },
};

TEST(thresholds_are_judged_by_the_rules_of_the_files)
{
	static const char *const events[] = { "NEW.PLAIN", "NEW.ON_TWO", "NEW.FILTERS" };
	struct bpmu_vendor_set v = { .part = NULL };
	const double *counts[BPMU_TREE_GROUPS] = { NULL };
	struct bpmu_tree_value values[5];
	char text[sizeof(thresholds)];
	struct bpmu_error err;
	struct bpmu_tree tree;
	struct bpmu_pmu pmu;
	const struct bpmu_tree_wish wish = {
		.lines = &v.metrics, .pmu = &pmu, .level = BPMU_TREE_ALL, .apart = true,
	};
	double count[3];
	json_t *metrics;
	unsigned int e;
	char *quote;
	size_t i, k;

	memcpy(text, thresholds, sizeof(text));
	while ((quote = strchr(text, '\'')))
		*quote = '"';
	metrics = json_loads(text, 0, NULL);
	assert_non_null(metrics);
	load(&v, FILES "/events/core.json", "skl");
	if (bpmu_vendor_add_metrics(&v, "file", metrics, &err))
		fail_msg("%s", err.text);
	pmu = loaded_pmu(&v, 4);
	if (bpmu_tree_make(&tree, &wish, &err))
		fail_msg("%s", err.text);
	counts[0] = count;
	assert_int_equal(tree.events[0].nr, 3);
	for (i = 0; i < ARRAY_SIZE(judged); i++) {
		for (e = 0; e < 3; e++)
			for (k = 0; k < 3; k++)
				if (!strcmp(tree.events[0].spec[e].text, events[k]))
					count[e] = judged[i].count[k];
		bpmu_tree_eval(&tree, counts, values);
		for (k = 0; k < 5; k++)
			if (values[k].flagged != (judged[i].flagged[k] == 'y'))
				fail_msg("%zu: %s", i, v.metrics.metric[k].name);
	}
	for (k = 0; k < 5; k++)
		assert_null(v.note[k].threshold);
	bpmu_tree_free(&tree);
	bpmu_vendor_free(&v);
	json_decref(metrics);
}

#define NO_FILE	FILES "/events/none.json: cannot be read: No such file or directory; name a file that can be"

static const struct {
	const char *part;
	struct bpmu_cpu_id cpu;
	u8 stepping;
	const char *event;
	const char *error;
} cpus[] = {
	{ "skl", { 0 }, 0, "UNC_NEW_ARB.REQUESTS", NULL },
	{ "skl", { BPMU_VENDOR_INTEL, 6, 0x5e }, 3, "UNC_NEW_ARB.REQUESTS",
	  NULL },
	{ "skl", { BPMU_VENDOR_INTEL, 6, 0x4e }, 3, "NEW.PLAIN", NULL },
	{ "skx", { BPMU_VENDOR_INTEL, 6, 0x55 }, 11, "NEW.PLAIN", NULL },
	{ "skx", { BPMU_VENDOR_INTEL, 6, 0x55 }, 4, NULL, NO_FILE },
	{ "adl", { 0 }, 0, "UNC_NEW_ARB.REQUESTS", NULL },
	{ "adl-e", { 0 }, 0, NULL, NO_FILE },
	/* The CPU on which the tool runs is of the other core type. */
	{ "adl-e", { BPMU_VENDOR_INTEL, 6, 0x97, 0, 0x40 }, 0, NULL,
	  NO_FILE },
	{ "adl", { BPMU_VENDOR_INTEL, 6, 0x97, 0, 0x20 }, 0,
	  "UNC_NEW_ARB.REQUESTS", NULL },
	{ "arch", { BPMU_VENDOR_INTEL, 6, 0x97, 0, 0x40 }, 0,
	  "INST_RETIRED.ANY", NULL },
	{ "ivb", { 0 }, 0, NULL, FILES "/mapfile.csv: has no file for Intel Ivy Bridge; name the file itself" },
};

TEST(mapfile_chooses_the_folder)
{
	struct bpmu_error err;
	size_t i;
	int ret;

	for (i = 0; i < ARRAY_SIZE(cpus); i++) {
		struct bpmu_vendor_set v = {
			.cpu = cpus[i].cpu,
			.stepping = cpus[i].stepping,
		};

		ret = bpmu_vendor_load(&v, FILES,
				       bpmu_part_by_name(cpus[i].part), &err);
		if (!ret != !cpus[i].error)
			fail_msg("%zu: %d %s", i, ret, ret ? err.text : "");
		if (ret && strcmp(err.text, cpus[i].error))
			fail_msg("%s", err.text);
		if (!ret && !bpmu_vendor_row(&v, cpus[i].event))
			fail_msg("%zu: no %s", i, cpus[i].event);
		if (i == 2)
			assert_null(bpmu_vendor_row(&v, "UNC_NEW_ARB.REQUESTS"));
		bpmu_vendor_free(&v);
	}
}
