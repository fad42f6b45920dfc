// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of "stat -M": in each format it prints the metrics that the user names and the events that
 * were counted for them, and no others.
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "report_sums.h"
#include "source/arbiter.h"
#include "stat/stat.h"
#include "unit.h"

#define CPUS 2

/* Maximum number of CPUs, and their number in the present test. */
#define CPUS_MOST 3
static unsigned int nr_cpus = CPUS;

/* Replaces the module's probe of the counters. These tests have no module. */
int bpmu_arbiter_probe(struct bpmu_target *target,
		       const struct bpmu_event_list *events, bool *both,
		       struct bpmu_error *err)
{
	(void)target;
	(void)events;
	(void)err;
	*both = false;
	return 0;
}

static struct bpmu_core_type *type_of(struct bpmu_stat *stat)
{
	return &stat->analysis.core[0];
}

static void begin(struct bpmu_stat *stat, const char *names,
		  const char *events)
{
	struct bpmu_core_type *type = type_of(stat);
	struct bpmu_error err;

	memset(stat, 0, sizeof(*stat));
	stat->options.separator = ",";
	unit_core_type(&stat->analysis, "ivb", 0);
	type->target.info.pmu = unit_pmu("ivb", 4);
	type->target.info.tsc_khz = 2000000;
	strcpy(type->target.info.title, "");
	if (names)
		assert_int_equal(bpmu_choice_add_names(&type->choice, names, &err), 0);
	if (events)
		assert_int_equal(bpmu_wanted_add(&type->wanted, events, &err), 0);
}

static void end(struct bpmu_stat *stat)
{
	bpmu_stat_free(stat);
}

/* Topology of the CPUs; NULL for the topology of this machine. */
static const struct bpmu_topology *where_cpus_are;

static void schedule(struct bpmu_stat *stat)
{
	struct bpmu_core_type *type = type_of(stat);
	struct bpmu_error err;

	if (where_cpus_are ? bpmu_rows_make(&type->rows, stat->by, &type->target.cpus,
				    where_cpus_are, &err) :
		     bpmu_rows_find(&type->rows, stat->by, &type->target.cpus, &err))
		fail_msg("%s", err.text);
	if (bpmu_stat_schedule(stat, &err) || bpmu_stat_rows(stat, &err))
		fail_msg("%s", err.text);
}

#define TICKS 1000
#define CELLS 192

static struct bpmu_cell cell[CELLS];
static struct bpmu_batch batch[CELLS * BPMU_BATCHES];

/* idle: no CPU has a sample in the next interval. halted: each count of the next interval is 0. */
static bool idle, halted;

/*
 * If true, two time slices of each group and CPU have 4 and 1.6 times as many events as the others.
 */
static bool bursty;

/*
 * Adds the counts of a group of events on a CPU with four slots per cycle. The other CPUs count
 * three times as much as CPU 0. A multiplexed group is counted in 20 time slices. In every second slice there
 * are @swing more slots in which the front end delivers no uop.
 */
static void count(const struct bpmu_groups *groups, unsigned int pos,
		  const struct bpmu_group *group, unsigned int swing)
{
	unsigned int slices = groups->nr > 1 ? 20 : 1;
	unsigned int i, t, at;
	u64 each, ticks;

	for (i = 0; i < group->sched.nr; i++) {
		at = pos * groups->slots + group->first + i;
		for (t = 0; t < slices; t++) {
			ticks = TICKS / groups->nr / slices;
			each = halted ? 0 : (pos ? 300 : 100) / slices;
			if (bursty && t < 2)
				each = each * (t ? 16 : 40) / 10;
			if (!strncmp(group->sched.slot[i].text,
				     "IDQ_UOPS_NOT_DELIVERED.CORE", 27))
				each = halted ? 0 : (pos ? 120 : 80) / slices +
				       t % 2 * swing;
			bpmu_cell_add_slice(&cell[at], each, ticks);
			batch[at * BPMU_BATCHES + t] = (struct bpmu_batch){
				.count = each, .ticks = ticks,
			};
		}
	}
}

static unsigned int swing;

/* Number of samples lost on each CPU. */
static u64 lost[CPUS_MOST];

/* If true, output() prints a line for each CPU, as "report --by" prints one for each symbol. */
static bool table;

static char *output(struct bpmu_stat *stat)
{
	const u64 each = idle ? 0 : TICKS;
	u64 ticks[CPUS_MOST] = { each, each, each };
	u64 none[CPUS_MOST] = { 0 };
	struct bpmu_interval interval = {
		.last = true, .seconds = 1, .duration = 1, .enabled = ticks,
		.shared[BPMU_BANK_UNCORE] = none, .lost = lost, .spent = none, .cell = cell,
		.batch = batch,
	};
	const struct bpmu_groups *groups;
	unsigned int pos, g;
	char *text = NULL;
	size_t size;

	schedule(stat);
	groups = type_of(stat)->groups;
	assert_in_range(groups->slots, 1, CELLS / nr_cpus);
	memset(cell, 0, sizeof(cell));
	memset(batch, 0, sizeof(batch));
	if (groups->nr > 1)
		interval.batches = BPMU_BATCHES;
	for (pos = 0; pos < nr_cpus && !idle; pos++)
		for (g = 0; g < groups->nr; g++)
			count(groups, pos, &groups->group[g], swing);
	stat->out = open_memstream(&text, &size);
	assert_non_null(stat->out);
	if (table) {
		type_of(stat)->rows.name = "symbol";
		bpmu_stat_eval(stat->view, &interval);
		bpmu_by_print(stat->view, &interval);
	} else {
		bpmu_stat_interval(stat, &interval);
	}
	fclose(stat->out);
	end(stat);
	return text;
}

static void expect(struct bpmu_stat *stat, const char *const *parts)
{
	unit_says(output(stat), parts);
}

TEST(text_has_events_and_metrics)
{
	static const char *const parts[] = {
		"  IDQ_UOPS_NOT_DELIVERED.CORE\n",
		"                  12.5 % of slots               # Frontend_Bound\n",
		NULL
	};
	struct bpmu_stat stat;

	begin(&stat, "Frontend_Bound", NULL);
	expect(&stat, parts);
}

/* A blank line separates events from metrics. If there are no events, there is no blank line. */
TEST(metric_only_prints_no_events)
{
	static const char *const parts[] = {
		"System-wide counts on CPU 0-1 ():\n\n                     1 instructions/clock",
		NULL
	};
	struct bpmu_stat stat;

	begin(&stat, "IPC", NULL);
	stat.metric_only = true;
	expect(&stat, parts);
}

/*
 * Text shows instructions per cycle beside the event "instructions". The other formats show them as
 * a metric, IPC.
 */
TEST(instructions_per_cycle_are_in_all_formats)
{
	static const char *const text[] = {
		"  instructions            # 1.00 insn per cycle\n", NULL
	};
	static const char *const csv[] = {
		",instructions,400,events,", "\n,0-1,,,instructions/clock,,,,,,metric,,,,,,,IPC,1,1.000000,0\n",
		NULL
	};
	static const char *const json[] = {
		"\"event\":\"instructions\",\"count\":400,",
		"\"cpus\":\"0-1\",\"metric\":\"IPC\",\"level\":1,\"value\":1.000000,\"unit\":\"instructions/clock\"",
		NULL
	};
	static const char *const *const said[] = {
		[BPMU_TEXT] = text, [BPMU_CSV] = csv, [BPMU_JSON] = json,
	};
	struct bpmu_stat stat;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(said); i++) {
		begin(&stat, NULL, "cycles,instructions");
		stat.options.format = i;
		expect(&stat, said[i]);
	}
}

static char *csv_of(const char *part, const char *names, const char *events)
{
	struct bpmu_stat stat;

	begin(&stat, names, events);
	type_of(&stat)->target.info.pmu = unit_pmu(part, 4);
	stat.options.format = BPMU_CSV;
	return output(&stat);
}

TEST(instructions_per_cycle_have_their_levels)
{
	static const char *const user[] = { ",IPC:u,1,1.000000,0\n", NULL };
	static const char *const kernel[] = { ",IPC:k,1,1.000000,0\n", NULL };
	static const char *const both[] = { ",IPC:u,1,1.000000,0\n", ",IPC,1,1.000000,0\n", NULL };
	char *seen;

	unit_says(csv_of("ivb", NULL, "cycles:u,instructions:u"), user);
	unit_says(csv_of("ivb", NULL, "cycles:k,instructions:k"), kernel);
	unit_says(csv_of("zen2", "IPC", "cycles:u,instructions:u"), both);
	seen = csv_of("ivb", NULL, "cycles:k,instructions:u");
	assert_null(strstr(seen, "IPC"));
	free(seen);
}

/* Instructions per cycle are printed once, even if the user asks for the metric IPC too. */
TEST(instructions_per_cycle_are_printed_once)
{
	struct bpmu_stat stat;
	char *seen;

	seen = csv_of("ivb", "IPC", "cycles,instructions");
	assert_non_null(strstr(seen, ",IPC,"));
	assert_null(strstr(strstr(seen, ",IPC,") + 1, ",IPC,"));
	free(seen);
	begin(&stat, "IPC", "cycles,instructions");
	seen = output(&stat);
	assert_null(strstr(seen, "insn per cycle"));
	free(seen);
}

TEST(instructions_per_cycle_have_no_value_of_none)
{
	static const char *const divided[] = { ",,,instructions/clock,,,,,,metric,divided-by-0,,,,,,IPC,1,,0\n", NULL };
	static const char *const missing[] = { ",,,instructions/clock,,,,,,metric,missing,,,,,,IPC,1,,0\n", NULL };

	halted = true;
	unit_says(csv_of("ivb", NULL, "cycles,instructions"), divided);
	halted = false;
	idle = true;
	unit_says(csv_of("ivb", NULL, "cycles,instructions"), missing);
	idle = false;
}

/*
 * On Zen 2 cycles and instructions need general counters, so they are multiplexed with other
 * events, and the uncertainty of their ratio is unknown.
 */
TEST(of_multiplexed_counts_the_uncertainty_is_unknown)
{
	static const char *const inf[] = { ",,,instructions/clock,,,inf,,RETIRE-OVER 1291,metric,erratum,,,,,,IPC,1,1.000000,0\n", NULL };

	unit_says(csv_of("zen2", NULL, "cycles,instructions,r0143,r0243,r0443,r0843,r1043,r2043"),
		  inf);
}

/* Nothing is counted in the last of three runs. The means are then those of the other two runs. */
TEST(repeated_runs_keep_metrics)
{
	static const struct {
		const char *names, *events;
	} asked[] = {
		{ NULL, "cycles,instructions" }, { "IPC", NULL }, { "IPC", "cycles,instructions" },
	};
	struct bpmu_sums sums = { };
	const struct bpmu_sum *sum;
	struct bpmu_stat stat;
	unsigned int i, run;

	for (i = 0; i < ARRAY_SIZE(asked); i++) {
		for (run = 0; run < 3; run++) {
			halted = run == 2;
			begin(&stat, asked[i].names, asked[i].events);
			stat.options.sums = &sums;
			stat.repeat = 3;
			free(output(&stat));
		}
		halted = false;
		sum = bpmu_sums_find(&sums, "0-1", "IPC");
		assert_non_null(sum);
		assert_int_equal(sum->nr, 2);
		assert_float_equal(sum->mean, 1, 0.000001);
		assert_float_equal(bpmu_sum_half_width(sum), 0, 0.000001);
		assert_string_equal(sum->unit, "instructions/clock");
		assert_int_equal(bpmu_sums_runs(&sums), 3);
		bpmu_sums_free(&sums);
	}
}

/*
 * Two groups are multiplexed on two CPUs, so an event is counted in 40 of 80 time slices. Here it
 * occurred in none of the 40. If it occurs in five slices of the run, the probability that all five
 * are among the other 40 is 3 %. For four slices it is 6 %.
 */
TEST(an_unseen_event_has_a_limit_of_slices)
{
	static const char *const json[] = {
		"\"event\":\"r0143\"", "\"uncertainty\":null,", "\"at_most_slices\":5,\"other_slices\":40,",
		NULL
	};
	static const char *const csv[] = { ",r0143,0,events,50.00,0,inf,,,count,unseen", NULL };
	static const char *const *const said[] = {
		[BPMU_CSV] = csv, [BPMU_JSON] = json,
	};
	struct bpmu_stat stat;
	unsigned int i;
	char *seen;

	for (i = 0; i < ARRAY_SIZE(said); i++) {
		halted = true;
		begin(&stat, "IPC", "r0143,r0243,r0443,r0843,r1043,r2043");
		stat.options.format = i;
		if (i == BPMU_TEXT)
			unit_text("stat-unseen", output(&stat));
		else
			expect(&stat, said[i]);
		halted = false;
		begin(&stat, "IPC", "r0143,r0243,r0443,r0843,r1043,r2043");
		stat.options.format = i;
		seen = output(&stat);
		assert_null(strstr(seen, "unseen"));
		assert_null(strstr(seen, "at_most_slices\":"));
		free(seen);
	}
}

/*
 * A count with a heavy tail is printed with its confidence interval and the flag "bursty". An event
 * that is not multiplexed is counted in all time slices, so no burst can be missed, and it does not
 * have the flag.
 */
TEST(an_event_with_a_heavy_tail_says_so)
{
	static const char *const text[] = { "  r0143 ", "  +- ", "(bursty)", NULL };
	static const char *const json[] = {
		"\"event\":\"r0143\"", "\"flags\":[\"bursty\"]", NULL
	};
	static const char *const csv[] = { ",r0143,", ",count,bursty", NULL };
	static const char *const *const said[] = {
		[BPMU_TEXT] = text, [BPMU_CSV] = csv, [BPMU_JSON] = json,
	};
	struct bpmu_stat stat;
	unsigned int i;
	char *seen;

	for (i = 0; i < ARRAY_SIZE(said); i++) {
		bursty = true;
		begin(&stat, "IPC", "r0143,r0243,r0443,r0843,r1043,r2043");
		stat.options.format = i;
		expect(&stat, said[i]);
		begin(&stat, "IPC", "r0143");
		stat.options.format = i;
		seen = output(&stat);
		assert_null(strstr(seen, "bursty"));
		free(seen);
		bursty = false;
		begin(&stat, "IPC", "r0143,r0243,r0443,r0843,r1043,r2043");
		stat.options.format = i;
		seen = output(&stat);
		assert_null(strstr(seen, "bursty"));
		free(seen);
	}
}

/* If values are missing, the reason is printed once, below the table. */
TEST(missing_values_have_their_reason)
{
	struct bpmu_stat stat;

	idle = true;
	begin(&stat, "IPC", "cycles");
	unit_text("stat-idle", output(&stat));
	begin(&stat, "IPC", "cycles");
	stat.compact = true;
	unit_text("stat-idle-compact", output(&stat));
	/*
	 * The event of the package has no sample, while the metric IPC of the core has its value.
	 */
	idle = false;
	begin(&stat, "IPC", "UNC_ARB_TRK_REQUESTS.ALL");
	unit_text("stat-no-sample", output(&stat));
	begin(&stat, "IPC", "UNC_ARB_TRK_REQUESTS.ALL");
	stat.compact = true;
	unit_text("stat-no-sample-compact", output(&stat));
	idle = true;
	begin(&stat, "IPC", "r0143,r0243,r0443,r0843,r1043,r2043");
	unit_text("stat-no-slice", output(&stat));
	idle = false;
	halted = true;
	begin(&stat, "IPC", "cycles");
	unit_text("stat-halted", output(&stat));
	halted = false;
	begin(&stat, "IPC", "cycles");
	unit_text("stat-metric", output(&stat));
}

/*
 * The table has one column for each chosen metric, with the metric's name as heading. No other
 * metric has a column.
 */
TEST(a_table_has_a_column_per_metric)
{
	static const char *const parts[] = {
		"      time  samples  Frontend_Bound   symbol\n",
		"     0.00%        0           20.0%*  0\n",
		"     0.00%        0           10.0%   1\n", NULL
	};
	struct bpmu_stat stat;

	begin(&stat, "Frontend_Bound", NULL);
	stat.by = BPMU_ROWS_CPU;
	table = true;
	expect(&stat, parts);
	table = false;
}

/* The counts of a whole run are a table with a column for each CPU. */
TEST(rows_of_cpus_are_columns)
{
	static const char *const parts[] = {
		":\n\n"
		"  CPU                  0     1\n"
		"  cycles             100   300\n"
		"  instructions       100   300\n"
		"    insn per cycle  1.00  1.00\n\n", NULL
	};
	static const char *const metrics[] = {
		"  CPU                              0      1\n",
		"  Frontend_Bound               20.0!  10.0   % of slots\n",
		"\n\n  !: over its threshold\n", NULL
	};
	struct bpmu_stat stat;

	begin(&stat, NULL, "cycles,instructions");
	stat.by = BPMU_ROWS_CPU;
	expect(&stat, parts);
	begin(&stat, "Frontend_Bound", NULL);
	stat.by = BPMU_ROWS_CPU;
	expect(&stat, metrics);
}

/*
 * Values with confidence intervals need more room, so each CPU is a line of the table, and each
 * metric is a column.
 */
TEST(multiplexed_rows_of_cpus_are_lines)
{
	static const char *const parts[] = { "  CPU0   ", "  CPU1   ", "  +- ", NULL };
	struct bpmu_stat stat;

	swing = 4;
	begin(&stat, "topdown", NULL);
	stat.by = BPMU_ROWS_CPU;
	expect(&stat, parts);
	swing = 0;
}

TEST(rows_of_cpus_of_intervals_are_lines)
{
	static const char *const parts[] = { "  CPU0   ", "  CPU1   ", NULL };
	struct bpmu_stat stat;

	begin(&stat, NULL, "cycles,instructions");
	stat.by = BPMU_ROWS_CPU;
	stat.options.interval_ns = 1000000000;
	expect(&stat, parts);
}

/* Returns the CSV rows of events on three CPUs, of which 0 and 2 are in one die. */
static char *rows_of(const char *events, enum bpmu_rows_by by, unsigned long long interval_ns)
{
	static const struct bpmu_topology topology[CPUS_MOST] = {
		{ 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 },
	};
	struct bpmu_cpulist *cpus;
	struct bpmu_stat stat;
	char *text;

	begin(&stat, NULL, events);
	cpus = &type_of(&stat)->target.cpus;
	cpus->cpu = realloc(cpus->cpu, CPUS_MOST * sizeof(*cpus->cpu));
	assert_non_null(cpus->cpu);
	cpus->nr = CPUS_MOST;
	cpus->cpu[2] = 2;
	/* CPUID reports "cache-misses" as absent: r412e. */
	type_of(&stat)->target.info.pmu.absent = 1u << 4;
	stat.options.format = BPMU_CSV;
	stat.options.interval_ns = interval_ns;
	stat.by = by;
	where_cpus_are = topology;
	nr_cpus = CPUS_MOST;
	text = output(&stat);
	where_cpus_are = NULL;
	nr_cpus = CPUS;
	return text;
}

/* Returns the next line of CSV without its first column, the time, and moves *@text behind it. */
static char *next_row(char **text)
{
	char *line = strsep(text, "\n");

	return line ? strchr(line, ',') : NULL;
}

/*
 * With -I most counts are those of a single counter, and are added up in a shorter way than other
 * counts. An interval as long as a run therefore has the rows of this run: of single counters, of
 * a difference of two counters, of multiplexed events, and of one that CPUID reports as absent; of
 * CPUs that are neighbours, and of CPUs that are not.
 */
TEST(rows_of_an_interval_are_those_of_a_run)
{
	static const enum bpmu_rows_by by[] = { BPMU_ROWS_ALL, BPMU_ROWS_CPU, BPMU_ROWS_DIE };
	static const char *const events[] = {
		"cycles,INST_RETIRED.ANY,r412e", "UOPS_EXECUTED.THREAD:[=2],cycles",
		"cycles,r01c2,r02c2,r01a1,r02a1,r04a1,r08a1",
	};
	char *run, *interval, *run_at, *interval_at, *row, *same;
	unsigned int i, k, nr;

	for (i = 0; i < ARRAY_SIZE(events); i++) {
		for (k = 0; k < ARRAY_SIZE(by); k++) {
			run = rows_of(events[i], by[k], 0);
			run_at = run;
			interval = rows_of(events[i], by[k], 1000000000);
			interval_at = interval;
			for (nr = 0; (row = next_row(&run_at)); nr++) {
				same = next_row(&interval_at);
				assert_non_null(same);
				assert_string_equal(same, row);
			}
			assert_null(next_row(&interval_at));
			assert_in_range(nr, 3, 22);
			free(run);
			free(interval);
		}
	}
}

TEST(csv_has_rows_of_metrics_per_cpu)
{
	static const char *const parts[] = {
		",uncertainty,clock,errata,type,flags,joules,at_most_slices,other_slices,enabled_ticks,running_ticks,metric,level,value,flagged\n",
		",0,IDQ_UOPS_NOT_DELIVERED.CORE,80,events,100.00,0,,,,count,,",
		",0,,,slots,,,,,,metric,,,,,,,Frontend_Bound,1,0.200000,1\n",
		",1,,,slots,,,,,,metric,,,,,,,Frontend_Bound,1,0.100000,0\n", NULL
	};
	struct bpmu_stat stat;

	begin(&stat, "Frontend_Bound", NULL);
	stat.options.format = BPMU_CSV;
	stat.by = BPMU_ROWS_CPU;
	expect(&stat, parts);
}

static void expect_lost(enum bpmu_format format, u64 first, u64 second, const char *const *parts)
{
	struct bpmu_stat stat;

	begin(&stat, NULL, "INST_RETIRED.ANY");
	stat.options.format = format;
	stat.options.interval_ns = 1;
	stat.by = BPMU_ROWS_CPU;
	lost[0] = first;
	lost[1] = second;
	expect(&stat, parts);
	lost[0] = 0;
	lost[1] = 0;
}

/*
 * For each CPU the output line is made from the line of the CPU before. Mostly only the count and
 * the times are written anew. Here the numbers of lost samples differ, and must be written anew,
 * too.
 */
TEST(rows_have_the_losses_of_their_cpus)
{
	static const char *const late[] = {
		",0,INST_RETIRED.ANY,100,events,100.00,0,,,,count,,,,,1000,1000,,,,\n",
		",1,INST_RETIRED.ANY,300,events,100.00,7,,,,count,,,,,1000,1000,,,,\n", NULL
	};
	static const char *const early[] = {
		",0,INST_RETIRED.ANY,100,events,100.00,7,,,,count,,,,,1000,1000,,,,\n",
		",1,INST_RETIRED.ANY,300,events,100.00,0,,,,count,,,,,1000,1000,,,,\n", NULL
	};
	static const char *const text[] = {
		"  CPU0                      100  INST_RETIRED.ANY  (7 samples lost)\n",
		"  CPU1                      300  INST_RETIRED.ANY\n", NULL
	};

	expect_lost(BPMU_CSV, 0, 7, late);
	expect_lost(BPMU_CSV, 7, 0, early);
	expect_lost(BPMU_TEXT, 7, 0, text);
}

/*
 * The CPUs are grouped by die, in two packages. The metric of a group is computed from the sums of
 * its CPUs' counts. It is not the mean of the CPUs' metrics. SOCKETS is the number of packages in
 * which the group has CPUs.
 */
TEST(a_row_s_ratio_is_computed_from_its_sums)
{
	static const char text[] = "Ratio = IDQ_UOPS_NOT_DELIVERED.CORE / cycles\n"
			     "Packages = SOCKETS + 0 * cycles\n";
	static const struct bpmu_topology topology[CPUS] = {
		{ 0, 0, 0 }, { 1, 0, 0 },
	};
	static const struct {
		enum bpmu_rows_by by;
		const char *const parts[5];
	} row[] = {
		{ BPMU_ROWS_DIE, {
			",cpus,cpu_count,aggregation,event,count,unit,",
			",S0-D0,1,die,,,,,,,,,metric,,,,,,,Ratio,1,0.800000,",
			",S1-D0,1,die,,,,,,,,,metric,,,,,,,Packages,1,1.000000,",
		} },
		{ BPMU_ROWS_NODE, {
			",N0,2,node,,,,,,,,,metric,,,,,,,Ratio,1,0.500000,",
			",N0,2,node,,,,,,,,,metric,,,,,,,Packages,1,2.000000,",
		} },
	};
	char path[] = "/tmp/metrics.XXXXXX";
	struct bpmu_stat stat;
	struct bpmu_error err;
	unsigned int i;
	int fd;

	fd = mkstemp(path);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	for (i = 0; i < ARRAY_SIZE(row); i++) {
		begin(&stat, "Ratio,Packages", NULL);
		assert_int_equal(bpmu_choice_add_path(&type_of(&stat)->choice, path, &err),
				 0);
		stat.options.format = BPMU_CSV;
		stat.by = row[i].by;
		where_cpus_are = topology;
		expect(&stat, row[i].parts);
		where_cpus_are = NULL;
	}
	unlink(path);
}

TEST(json_has_events_and_metrics)
{
	static const char *const parts[] = {
		"{\"schema\":3,\"type\":\"count\",\"time\":1.000000000,",
		"{\"schema\":3,\"type\":\"metric\",\"time\":1.000000000,",
		",\"cpus\":\"0-1\",\"metric\":\"Frontend_Bound\",\"level\":1,\"value\":0.125000,\"unit\":\"slots\",",
		NULL
	};
	struct bpmu_stat stat;

	begin(&stat, "Frontend_Bound", NULL);
	stat.options.format = BPMU_JSON;
	expect(&stat, parts);
}

/*
 * Looks in @text for the first @start, and behind it for the first @before. Returns the number that
 * follows @before. Fails the test if @start or @before is not found.
 */
static double number(const char *text, const char *start, const char *before)
{
	const char *at = strstr(text, start);

	at = at ? strstr(at, before) : NULL;
	if (!at)
		fail_msg("no '%s' behind '%s' in:\n%s", before, start, text);
	return strtod(at + strlen(before), NULL);
}

/* If groups of events are multiplexed, the metric of each CPU has an uncertainty of its own. */
TEST(rows_have_the_uncertainty_of_multiplexed_metrics)
{
	static const char rows[] = ",Fetch_Latency_Bound,";
	static const char assumption[] = "  +-: half-width of the 95 % interval, if ";
	struct bpmu_stat stat;
	char *text;

	swing = 4;
	begin(&stat, "topdown", NULL);
	stat.options.format = BPMU_CSV;
	stat.by = BPMU_ROWS_CPU;
	text = output(&stat);
	/*
	 * The first metric is Frontend_Bound. In its line the fields after the unit are the
	 * percentage of the time, the lost samples, and then the uncertainty.
	 */
	assert_true(number(text, "\n,0,,,slots,,,", ",slots,,,") > 0.005);
	assert_true(number(text, "\n,1,,,slots,,,", ",slots,,,") > 0.001);
	assert_non_null(strstr(text, rows));
	free(text);
	begin(&stat, "topdown", NULL);
	stat.metric_only = true;
	text = output(&stat);
	assert_non_null(strstr(text, "  +- "));
	assert_non_null(strstr(text, assumption));
	free(text);
	begin(&stat, "IPC", "cycles");
	text = output(&stat);
	assert_null(strstr(text, assumption));
	free(text);
	begin(&stat, "topdown", NULL);
	stat.options.format = BPMU_JSON;
	text = output(&stat);
	assert_true(number(text, "\"metric\":\"Frontend_Bound\"",
			   ",\"uncertainty\":") > 0.001);
	free(text);
	swing = 0;
}

/* An event for which the user asks, and which a metric needs too, is counted once. */
TEST(events_of_metrics_are_counted_once)
{
	struct bpmu_stat stat;

	begin(&stat, "Frontend_Bound", "cycles,branch-misses");
	schedule(&stat);
	assert_int_equal(stat.view->nr_shown, 2);
	assert_ptr_not_equal(stat.view->shown[0].spec,
			     &type_of(&stat)->wanted.events.spec[0]);
	/*
	 * The event is printed with the name by which the user asked for it, although the metric
	 * has another name for it.
	 */
	assert_string_equal(stat.view->shown[0].name, "cycles");
	assert_string_not_equal(stat.view->shown[0].spec->text, "cycles");
	assert_ptr_equal(stat.view->shown[1].spec, &type_of(&stat)->wanted.events.spec[1]);
	assert_int_equal(type_of(&stat)->groups->nr, 1);
	assert_int_equal(type_of(&stat)->groups->group[0].events.nr, 3);
	end(&stat);
}

/*
 * The core's groups of events come before those of the package. The metric of the package must be
 * computed from the package's count of 400, not from the core's count of 200. This metric has no
 * uncertainty, because only the core's events are multiplexed.
 */
TEST(a_metric_keeps_its_events_beside_those_of_an_earlier_group)
{
	static const struct {
		const char *events;
		const char *const parts[3];
	} beside[] = {
		{ "IDQ_UOPS_NOT_DELIVERED.CORE", {
			",0-1,IDQ_UOPS_NOT_DELIVERED.CORE,200,events,",
			",0-1,,,,,,,,,metric,,,,,,,Energy,1,400.000000,0\n",
		} },
		{ "r0143,r0243,r0443,r0843,r1043,r2043", {
			",0-1,r0143,", ",0-1,,,,,,,,,metric,,,,,,,Energy,1,400.000000,0\n",
		} },
	};
	char path[] = "/tmp/metrics.XXXXXX";
	struct bpmu_stat stat;
	struct bpmu_error err;
	unsigned int i;

	unit_file(path, "Energy = POWER.PKG\n");
	for (i = 0; i < ARRAY_SIZE(beside); i++) {
		begin(&stat, "Energy", beside[i].events);
		assert_int_equal(bpmu_choice_add_path(&type_of(&stat)->choice, path, &err),
				 0);
		type_of(&stat)->target.info.pmu.free = BPMU_FREE(PKG);
		stat.options.format = BPMU_CSV;
		expect(&stat, beside[i].parts);
	}
	unlink(path);
}

/* Each event of the metrics is shown once, even the clock, which is counted in each group. */
TEST(events_of_metrics_are_shown_once)
{
	struct bpmu_stat stat;
	unsigned int i, k;

	begin(&stat, "topdown", NULL);
	schedule(&stat);
	assert_true(type_of(&stat)->groups->nr > 1);
	for (i = 0; i < stat.view->nr_shown; i++)
		for (k = 0; k < i; k++)
			assert_string_not_equal(stat.view->shown[i].name,
						stat.view->shown[k].name);
	assert_true(stat.view->nr_shown > 10);
	end(&stat);
}

/*
 * The metric IPC uses the fixed counters at both privilege levels. The user's events are at one
 * level only, so they need other counters.
 */
TEST(another_privilege_level_uses_another_counter)
{
	const struct bpmu_group *group;
	struct bpmu_stat stat;

	begin(&stat, "IPC", "instructions:u,cycles:k");
	schedule(&stat);
	assert_int_equal(type_of(&stat)->groups->nr, 1);
	group = &type_of(&stat)->groups->group[0];
	assert_int_equal(group->events.nr, type_of(&stat)->tree.events[0].nr + 2);
	assert_ptr_equal(stat.view->shown[0].spec, &type_of(&stat)->wanted.events.spec[0]);
	assert_ptr_equal(stat.view->shown[1].spec, &type_of(&stat)->wanted.events.spec[1]);
	assert_false(stat.view->shown[0].spec->term[0].counters & BPMU_FIXED_BIT(0));
	assert_false(stat.view->shown[1].spec->term[0].counters & BPMU_FIXED_BIT(1));
	end(&stat);
}

/*
 * Without -e and -M, stat prints the default events, and as many metrics as can be counted with
 * them without multiplexing.
 */
TEST(default_metrics_are_not_multiplexed)
{
	static const struct {
		const char *part;
		unsigned int counters, fixed;
		const char *names;
	} parts[] = {
		{ "ivb", 4, 3, "IPC,GHz,Utilization,CPUs_Used,Branch_MPKI,MPKI" },
		{ "knl", 2, 3, "IPC,GHz,Utilization,CPUs_Used,Branch_MPKI" },
		{ "slm", 2, 3, "IPC,GHz,Utilization,CPUs_Used,Branch_MPKI" },
		{ "ivb", 5, 0, "IPC,GHz,Utilization,CPUs_Used,Branch_MPKI" },
		{ "bnl", 2, 1, NULL },
		{ "ivb", 4, 0, NULL },
	};
	struct bpmu_stat stat;
	struct bpmu_core_type *type = type_of(&stat);
	struct bpmu_error err;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(parts); i++) {
		begin(&stat, NULL, NULL);
		type->target.info.pmu = unit_pmu(parts[i].part, parts[i].counters);
		type->target.info.pmu.fixed_counters = parts[i].fixed;
		type->target.info.pmu.free = 0;
		stat.no_bandwidth = true;
		assert_int_equal(bpmu_stat_everyday(&stat, &err), 0);
		if (!parts[i].names) {
			assert_null(type->choice.names);
			assert_null(type->wanted.text);
		} else {
			assert_string_equal(type->choice.names, parts[i].names);
			assert_string_equal(type->wanted.text, BPMU_WANTED_DEFAULT);
		}
		if (parts[i].fixed && parts[i].names) {
			schedule(&stat);
			assert_false(bpmu_groups_multiplexed(type->groups, BPMU_BANK_CORE));
		}
		end(&stat);
	}
}

static void refuse(const char *names, const char *events, const char *why)
{
	struct bpmu_stat stat;
	struct bpmu_error err;

	begin(&stat, names, events);
	type_of(&stat)->wanted.together = true;
	assert_int_equal(bpmu_rows_find(&type_of(&stat)->rows, stat.by,
					&type_of(&stat)->target.cpus, &err), 0);
	assert_int_not_equal(bpmu_stat_schedule(&stat, &err), 0);
	if (!strstr(err.text, why))
		fail_msg("'%s' is not in: %s", why, err.text);
	end(&stat);
}

TEST(refuses_metrics_that_do_not_fit_without_multiplexing)
{
	struct bpmu_stat stat;

	refuse("topdown", NULL, "IDQ_UOPS_NOT_DELIVERED.CORE");
	refuse("topdown", NULL, "drop --no-multiplex");
	refuse("Retiring",
	       "r0180,r0280,r0480,r0880,r1080", "r0880");
	refuse("Frontend_Bund", NULL, "did you mean Frontend_Bound");
	begin(&stat, "TopdownL1", NULL);
	type_of(&stat)->wanted.together = true;
	schedule(&stat);
	assert_false(bpmu_groups_multiplexed(type_of(&stat)->groups, BPMU_BANK_CORE));
	end(&stat);
}
