// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the time that decan's measurement takes: for loops of 20 ns to 20 s there are enough
 * runs for a reliable result, within a bounded total time. The test fakes runs and clock: a run
 * takes no time, and the clock advances by the run's faked duration.
 */
#include <ctype.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "cmd/decan/decan.h"
#include "count/interval.h"
#include "unit.h"

#define WORKLOAD TOP "/build/workload/decan"
#define TICKS_PER_NS 3
/*
 * Brackets are the code that reads the TSC before the loop and after it. Number of TSC ticks
 * between the two readings if there is no loop.
 */
#define EMPTY_TICKS 90
#define ITERATIONS 1000
#define ROUNDS 11
#define CANDIDATES 30
/*
 * Number of forks that decan needs to measure a loop and its variants: one fork to count the
 * iterations of the original loop, and one fork for all timed runs.
 */
#define FORKS 2
/* Process ID of the faked fork; the kernel gives no process such a number. */
#define FORK (1 << 30)

static struct bpmu_decan decan;
static struct bpmu_error err;
/*
 * Faked durations in ns: of a run of the original loop, of a fork, and of all runs and forks so
 * far.
 */
static u64 loop_ns;
static u64 fork_ns;
static u64 gone_ns;
/*
 * The first @cold_runs runs in a fork take longer, because the caches are cold. The n-th run (1 is
 * the first) takes @cold_ns / n longer.
 */
static unsigned int cold_runs;
static u64 cold_ns;
/* Time in ns by which every second run takes longer. */
static u64 jitter_ns;
/* Number of forks so far, and number of runs in the latest fork. */
static unsigned int forks;
static unsigned int fork_runs;
/*
 * The kinds of variants that decan makes: a variant is the loop without some of its instructions.
 */
static unsigned int kinds = BPMU_VARIANT_DEFAULT;
/* If true, other processes have disturbed each run. */
static bool busy;
/*
 * decan also runs the brackets without a loop. Number of such runs in which the code of the
 * brackets was in the caches, and number of such runs in which it was not.
 */
static unsigned int warm_empties;
static unsigned int cold_empties;
/* Number of runs of the loop during which the affinity of the tool included the CPU of the loop. */
static unsigned int beside;

u64 __wrap_bpmu_clock_ns(clockid_t id);
int __wrap_bpmu_run(const struct bpmu_brackets *brackets, struct bpmu_run *run,
		    struct bpmu_error *error);
int __wrap_bpmu_decan_session_use(struct bpmu_decan_session *session,
				  const struct bpmu_groups *groups, unsigned int g,
				  struct bpmu_error *error);
double __wrap_bpmu_decan_session_cycles(const struct bpmu_decan_session *session);

u64 __wrap_bpmu_clock_ns(clockid_t id)
{
	(void)id;
	return gone_ns;
}

/*
 * Faked numbers of events in a run. The loop causes LOOP_EVENTS. The tool and the brackets around
 * the loop cause OWN_EVENTS on the same CPU.
 */
#define LOOP_EVENTS 1000
#define OWN_EVENTS 70000
static double latest_ticks;

int __wrap_bpmu_decan_session_use(struct bpmu_decan_session *session,
				  const struct bpmu_groups *groups, unsigned int g,
				  struct bpmu_error *error)
{
	(void)error;
	session->group = groups->group[g];
	return 0;
}

double __wrap_bpmu_decan_session_cycles(const struct bpmu_decan_session *session)
{
	(void)session;
	return latest_ticks;
}

/*
 * Fakes the fork for a run, and returns how long the fork takes. If all runs share a fork, only the
 * first run forks.
 */
static u64 make_fork(const struct bpmu_run *run)
{
	if (run->fork && run->fork->pid)
		return 0;
	forks++;
	fork_runs = 0;
	if (run->fork)
		run->fork->pid = FORK;
	return fork_ns;
}

/*
 * Fakes a run in the latest fork. @ns: duration of the loop with warm caches and without jitter.
 * Returns the duration of this run.
 */
static u64 one_run(u64 ns)
{
	fork_runs++;
	ns += fork_runs <= cold_runs ? cold_ns / fork_runs : 0;
	ns += fork_runs % 2 ? jitter_ns : 0;
	gone_ns += ns;
	return ns;
}

/*
 * Returns the duration of a variant's run: each instruction that the variant removes saves 1 % of
 * the original's time.
 */
static u64 run_ns(const struct bpmu_run *run)
{
	return run->mode == BPMU_RUN_EMPTY ? 0 :
	       loop_ns - loop_ns / 100 * run->nr;
}

int __wrap_bpmu_run(const struct bpmu_brackets *brackets, struct bpmu_run *run,
		    struct bpmu_error *error)
{
	u64 ns = run_ns(run);
	unsigned int warm;
	cpu_set_t own;

	(void)brackets;
	(void)error;
	gone_ns += make_fork(run);
	for (warm = run->warm; warm; warm--)
		one_run(ns);
	ns = one_run(ns);
	warm_empties += run->mode == BPMU_RUN_EMPTY && run->warm;
	cold_empties += run->mode == BPMU_RUN_EMPTY && !run->warm;
	assert_int_equal(sched_getaffinity(0, sizeof(own), &own), 0);
	beside += CPU_ISSET(decan.cpu, &own);
	run->number = 0;
	run->disturbed = busy;
	run->times = (struct bpmu_times){
		.ticks = TICKS_PER_NS * ns + EMPTY_TICKS,
		.iterations = ITERATIONS,
	};
	latest_ticks = run->times.ticks;
	decan.session.count[0] = OWN_EVENTS +
				 (run->mode == BPMU_RUN_EMPTY ? 0 : LOOP_EVENTS);
	run->status = run->limit_ms > 0 &&
		      (u64)run->limit_ms * BPMU_NS_PER_MS > ns ?
		      BPMU_RUN_OK : BPMU_RUN_TIME;
	return 0;
}

/*
 * Measures the variants of a loop with 29 loads and a store. @ns: faked duration of the original
 * loop.
 */
static void measure(u64 ns)
{
	static char path[] = WORKLOAD, name[] = "wide", times[] = "2";
	static char zero[] = "0";
	static char *argv[] = { path, name, times, NULL };

	loop_ns = ns;
	gone_ns = 0;
	forks = 0;
	warm_empties = 0;
	cold_empties = 0;
	beside = 0;
	decan = (struct bpmu_decan){
		.function = "wide", .loop = zero, .kinds = kinds,
		.rounds = ROUNDS, .threads = 1, .unit = "ticks",
		.options.argv = argv,
	};
	assert_int_equal(bpmu_decan_find(&decan, &err), 0);
	assert_int_equal(bpmu_decan_measure(&decan, &err), 0);
	assert_int_equal(decan.candidates.nr, CANDIDATES);
}

/*
 * Checks that each variant of the loop was measured in all rounds, and that decan reports the time
 * that the test has faked.
 */
static void rows_are_exact(void)
{
	const struct bpmu_variant *variant;
	unsigned int i;

	assert_true(decan.variants.nr > CANDIDATES + 1);
	for (i = 0; i < decan.variants.nr; i++) {
		variant = &decan.variants.variant[i];
		assert_string_equal(variant->status, "ok");
		assert_int_equal(variant->samples, ROUNDS);
		assert_true(variant->cycles.value ==
			    TICKS_PER_NS * (double)(loop_ns -
						    loop_ns / 100 * variant->nr));
		assert_true(variant->cycles.low == variant->cycles.value);
		assert_true(variant->cycles.high == variant->cycles.value);
	}
}

/*
 * Checks that all runs together do not take too long. The limit is two seconds plus 1.5 times the
 * duration that the runs would have if each variant took as long as the original loop in each
 * round.
 */
static void time_is_kept(void)
{
	assert_true(gone_ns <= loop_ns * ROUNDS * decan.variants.nr * 3 / 2 +
			       2 * BPMU_NS_PER_S);
	/* No variant was left out to save time. */
	assert_true(gone_ns >= loop_ns / 2 * ROUNDS * decan.variants.nr);
}

TEST(loops_of_1_us_to_20_s_are_measured_within_the_limit)
{
	static const u64 lengths[] = {
		1000, BPMU_NS_PER_MS / 2, 2 * BPMU_NS_PER_MS,
		50 * BPMU_NS_PER_MS, BPMU_NS_PER_S, 20 * BPMU_NS_PER_S,
	};
	unsigned int i;

	for (i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		measure(lengths[i]);
		rows_are_exact();
		time_is_kept();
		bpmu_decan_free(&decan);
	}
}

/*
 * A fork of a process of 100 MB takes 7 ms, and one of 2 GB takes 150 ms. One fork must therefore
 * serve all runs.
 */
TEST(a_fork_is_shared_by_all_runs)
{
	static const u64 lengths[] = {
		1000, BPMU_NS_PER_MS / 2, 5 * BPMU_NS_PER_MS,
		50 * BPMU_NS_PER_MS,
	};
	static const u64 costs[] = {
		BPMU_NS_PER_MS, 7 * BPMU_NS_PER_MS, 150 * BPMU_NS_PER_MS,
	};
	unsigned int i;

	for (i = 0; i < 12; i++) {
		fork_ns = costs[i % 3];
		measure(lengths[i / 3]);
		rows_are_exact();
		time_is_kept();
		assert_true(decan.share);
		assert_int_equal(forks, FORKS);
		bpmu_decan_free(&decan);
	}
	fork_ns = 0;
}

/*
 * Branch predictions that one run has learnt must not help another run, so each run has a fork of
 * its own.
 */
TEST(branches_need_a_fork_per_run)
{
	kinds = BPMU_VARIANT_DEFAULT | BPMU_VARIANT_BRANCHES;
	cold_runs = 3;
	cold_ns = BPMU_NS_PER_MS;
	measure(1000);
	kinds = BPMU_VARIANT_DEFAULT;
	cold_runs = 0;
	assert_false(decan.share);
	assert_true(forks > decan.variants.nr * ROUNDS);
	/* Before the timed run each fork makes one run only to warm up the branch predictor. */
	assert_int_equal(decan.warm_up.runs, 1);
	bpmu_decan_free(&decan);
}

/* Replaces addresses and the number of the CPU, which depend on compiler and machine. */
static void mask(char *text)
{
	char *at = text;

	while ((at = strstr(at, "0x")))
		for (at += 2; isxdigit((unsigned char)*at); at++)
			*at = 'X';
	at = strstr(text, "on CPU ");
	assert_non_null(at);
	at += strlen("on CPU ");
	memmove(at + 1, at + strspn(at, "0123456789"),
		strlen(at + strspn(at, "0123456789")) + 1);
	*at = 'N';
}

/*
 * decan's table of results has a line for each variant of the loop. Variants that save the same
 * time are in the order of the instructions in the code.
 */
TEST(the_table_has_all_variants)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	cold_ns = 2800000;
	cold_runs = 3;
	measure(19000);
	cold_runs = 0;
	bpmu_error_set(&decan.why_ticks, 0, "no module");
	decan.coverage = 0.5;
	bpmu_decan_text(&decan, out);
	fclose(out);
	bpmu_decan_free(&decan);
	mask(text);
	unit_text("decan", text);
}

/* Cuts out what is between @begin and @end. */
static void cut(char *text, const char *begin, const char *end)
{
	char *from = strstr(text, begin), *to = from ? strstr(from, end) : NULL;

	assert_non_null(to);
	from += strlen(begin);
	memmove(from, to, strlen(to) + 1);
}

/*
 * Changes results so that each kind of row is in a report: of a slower variant, of one whose
 * interval is beyond the axis or below 0, of one that is not resolved, and of two that failed.
 */
static void vary_results(void)
{
	struct bpmu_variant *variant = decan.variants.variant;

	assert_true(decan.variants.nr > 8);
	variant[0].cycles.low = 55000;
	variant[0].cycles.high = 59000;
	variant[1].cycles.value = 62000;
	variant[1].cycles.low = 61000;
	variant[1].cycles.high = 250000;
	variant[1].saved = -5000;
	variant[2].cycles.low = -10;
	variant[2].cycles.high = 41000;
	variant[3].cycles.low = 50000;
	variant[3].cycles.high = 60000;
	variant[3].resolved = false;
	variant[4].ok = false;
	strcpy(variant[4].status, "crash (SIGSEGV)");
	variant[5].ok = false;
	strcpy(variant[5].status, "skipped");
	variant[5].skipped = "its address is <\"&\">";
}

static char *page(void)
{
	char name[] = "/tmp/barepmu-test-page-XXXXXX";
	char *text = NULL;
	size_t size = 0;
	FILE *file;

	close(mkstemp(name));
	decan.html = name;
	assert_int_equal(bpmu_decan_page(&decan, &err), 0);
	file = fopen(name, "re");
	assert_non_null(file);
	assert_true(getdelim(&text, &size, '\0', file) > 0);
	fclose(file);
	unlink(name);
	cut(text, "<style>\n", "</style>");
	cut(text, " in ", "; 1000 iterations");
	return text;
}

/* Returns the results as text, CSV and JSON. */
static char *report(void)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	bpmu_decan_text(&decan, out);
	fputc('\n', out);
	bpmu_decan_csv(&decan, out);
	fputc('\n', out);
	bpmu_decan_json(&decan, out);
	fclose(out);
	return text;
}

TEST(failed_and_unresolved_variants_are_reported)
{
	char *text;

	measure(19000);
	bpmu_error_set(&decan.why_ticks, 0, "no module");
	decan.coverage = 0.25;
	vary_results();
	decan.cpu = 3;
	text = page();
	mask(text);
	unit_text("decan-page", text);
	text = report();
	mask(text);
	unit_text("decan-formats", text);
	bpmu_decan_free(&decan);
}

/*
 * fork() does not map the parent's pages: each is mapped when the child first touches it. If the
 * loop loads from 4,096 pages, its first run in a fork takes 2.8 ms longer; later runs take 19 us.
 */
TEST(pages_that_the_program_has_mapped_are_mapped)
{
	unsigned int i;
	char *text;

	cold_ns = 2800000;
	for (i = 1; i < 4; i++) {
		cold_runs = i;
		measure(19000);
		rows_are_exact();
		assert_int_equal(decan.warm_up.runs, i);
		assert_true(decan.warm_up.settled);
		bpmu_decan_free(&decan);
	}
	measure(19000);
	text = report();
	assert_non_null(strstr(text,
			       "first run in a fork 8,457,090 TSC ticks, run 5 57,090; warmed up by 3 unmeasured runs\n"));
	assert_non_null(strstr(text,
			       "\"warm_up_runs\":3,\"settled\":true,\"cold_ticks\":8457090,\"warm_ticks\":57090}"));
	free(text);
	bpmu_decan_free(&decan);
	/*
	 * The loop takes 3 s. Cold caches make the first run longer by only a thousandth of this
	 * time, so decan makes no run only to warm up the caches.
	 */
	cold_runs = 1;
	measure(3 * BPMU_NS_PER_S);
	rows_are_exact();
	assert_int_equal(decan.warm_up.runs, 0);
	cold_runs = 0;
	bpmu_decan_free(&decan);
}

/*
 * The tool counts an event during a run. The faked counts include events of the brackets and of the
 * tool. These must be subtracted, so that only the events of the loop remain.
 */
TEST(what_the_tool_counts_itself_is_subtracted)
{
	static char path[] = WORKLOAD, name[] = "wide", times[] = "2", zero[] = "0";
	static char *argv[] = { path, name, times, NULL };
	struct bpmu_group group = { .sched.nr = 1 };
	unsigned int v;

	loop_ns = 19000;
	decan = (struct bpmu_decan){
		.function = "wide", .loop = zero, .kinds = kinds,
		.rounds = ROUNDS, .threads = 1, .unit = "cycles",
		.options.argv = argv, .counting = true,
	};
	assert_int_equal(bpmu_decan_find(&decan, &err), 0);
	decan.session.type.wanted.events.nr = 2;
	decan.session.type.wanted.groups = (struct bpmu_groups){
		.nr = 1, .slots = 1, .group = &group,
	};
	assert_int_equal(bpmu_decan_measure(&decan, &err), 0);
	rows_are_exact();
	for (v = 0; v < decan.variants.nr; v++)
		assert_int_equal(decan.session.event[v].count, LOOP_EVENTS);
	decan.session.type.wanted = (struct bpmu_wanted){ };
	bpmu_decan_free(&decan);
}

TEST(a_loop_whose_time_varies_is_said_to)
{
	char *text;

	jitter_ns = 100000;
	measure(1000000);
	jitter_ns = 0;
	assert_false(decan.warm_up.settled);
	assert_int_equal(decan.warm_up.tried, 10);
	assert_int_equal(decan.warm_up.runs, 1);
	text = report();
	assert_non_null(strstr(text,
			       "; no two in succession agree: the machine is busy, or the loop's time varies; warmed up by 1 unmeasured run\n"));
	free(text);
	bpmu_decan_free(&decan);
}

TEST(a_busy_machine_does_not_prolong_a_long_measurement)
{
	busy = true;
	measure(20 * BPMU_NS_PER_S);
	busy = false;
	rows_are_exact();
	time_is_kept();
	bpmu_decan_free(&decan);
}

TEST(a_loop_of_20_ns_is_resolved)
{
	measure(20);
	rows_are_exact();
	assert_true(decan.variants.variant->cycles.value == 60);
	assert_true(decan.empty.value == EMPTY_TICKS);
	/*
	 * When the brackets run around this loop, their code is in the caches. decan must therefore
	 * time the brackets without a loop with their code in the caches, too.
	 */
	assert_int_equal(warm_empties, ROUNDS);
	assert_int_equal(cold_empties, 0);
	bpmu_decan_free(&decan);
}

TEST(a_loop_of_20_s_is_printed_in_full)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	measure(20 * BPMU_NS_PER_S);
	assert_int_equal(warm_empties, 0);
	assert_int_equal(cold_empties, ROUNDS);
	bpmu_decan_csv(&decan, out);
	fclose(out);
	assert_non_null(strstr(text,
			       "wide,0,original,original,,,,11,1000,60000000000.000000,60000000000.000000,60000000000.000000,60000000.000000,"));
	/*
	 * decan stops a variant that takes too long, but only if it takes more than ten times as
	 * long as the original loop.
	 */
	assert_true(decan.limit_ms >= 200 * 1000);
	free(text);
	bpmu_decan_free(&decan);
}

TEST(the_tool_runs_on_another_cpu_than_the_loop)
{
	cpu_set_t before, after;

	assert_int_equal(sched_getaffinity(0, sizeof(before), &before), 0);
	measure(BPMU_NS_PER_MS);
	bpmu_decan_free(&decan);
	assert_int_equal(sched_getaffinity(0, sizeof(after), &after), 0);
	assert_true(CPU_EQUAL(&before, &after));
	/* On a machine with a single CPU the tool has no other CPU than that of the loop. */
	if (CPU_COUNT(&before) < 2)
		skip();
	assert_int_equal(beside, 0);
}
