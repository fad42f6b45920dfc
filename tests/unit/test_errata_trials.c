// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the trials of "barepmu errata check": they find each erratum that the counters of a CPU
 * have, and no other. The CPU is simulated, and the test chooses what its counters get wrong.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "cmd/errata/errata_report.h"
#include "cmd/errata/probe.h"
#include "intel.h"
#include "trial/errata_overflow.h"
#include "unit.h"

#define TRIALS 40
#define AROUND 100

/**
 * struct machine - a CPU whose counters can be wrong
 * @lossy: index of the event, in the list of counted events, whose counter misses 7 counts of each
 *	loop; -1 for none
 * @stuck: overflow bits of IA32_PERF_GLOBAL_STATUS that cannot be cleared
 * @deaf: bits of an event select that cannot be set
 * @stalls: counts of the first two counted events in each run; not used if the second of these
 *	counts is 0
 * @leak: counts that a loop adds to the counter of the core's other thread
 * @running: counters were started and not yet stopped
 * @select: event select of the last run
 * @runs: number of loops that have run
 * @calls: number of calls so far, without calls that cannot fail
 * @fails: number of the call that fails, from 1 on; 0 for none
 * @interrupts: number of interrupts in a loop of at least 1000 iterations
 * @extra: surplus counts of each event per interrupt
 * @again: surplus counts of each branch event per iteration of the loop of atomic instructions
 * @ns: simulated time
 * @refuses: the module refuses counters that interrupt
 * @interrupts_most: number of overflows of a run that interrupt; further ones do not
 * @late: events that a counter counts between its overflow and the interrupt
 * @loss: counts that a counter loses in a run in which it interrupts
 * @thaws: the counters of the kernel count on where an interrupt should stop them
 * @strays: precise records of branches have the address of another instruction
 * @early: the first record of instructions comes in the middle of its period
 */
static struct machine {
	int lossy;
	u64 stuck;
	u64 deaf;
	u64 stalls[2];
	u64 leak;
	bool running;
	u64 select;
	unsigned int runs;
	unsigned int calls;
	unsigned int fails;
	u64 interrupts;
	u64 extra;
	u64 again;
	u64 ns;
	bool refuses;
	unsigned int interrupts_most;
	u64 late;
	u64 loss;
	bool thaws;
	bool strays;
	bool early;
} machine;

static struct bpmu_info info;

static int fails(struct bpmu_error *err)
{
	return ++machine.calls == machine.fails ? bpmu_error_set(err, -EIO, "it fails") : 0;
}

/* The simulated time: a loop of 1000 iterations takes a millisecond. */
u64 __wrap_bpmu_clock_ns(clockid_t clock);

u64 __wrap_bpmu_clock_ns(clockid_t clock)
{
	(void)clock;
	return machine.ns;
}

int bpmu_trial_pin(u32 cpu, struct bpmu_error *err)
{
	(void)cpu;
	(void)err;
	return 0;
}

int bpmu_trial_settle(u32 cpu, struct bpmu_error *err)
{
	(void)cpu;
	return fails(err);
}

void bpmu_trial_clear(struct bpmu_trial *trial)
{
	memset(&trial->group, 0, sizeof(trial->group));
	trial->sibling = -1;
}

void bpmu_trial_count(struct bpmu_trial *trial, const char *name, u64 select,
		      u32 counter, u32 sibling)
{
	struct bpmu_sched *sched = &trial->group.sched;

	machine.select = select;
	sched->slot[sched->nr++] = (struct bpmu_sched_slot){
		.counter = counter, .sibling = sibling, .select = select,
		.text = name,
	};
}

int bpmu_trial_begin(struct bpmu_trial *trial, struct bpmu_error *err)
{
	const struct bpmu_sched *sched = &trial->group.sched;
	unsigned int i;
	int code;

	for (i = 0; i < sched->nr; i++)
		if (sched->slot[i].period && machine.refuses)
			return bpmu_error_set(err, -EINVAL, "(no interrupts here)");
	code = fails(err);
	assert_false(machine.running);
	machine.running = !code;
	return code;
}

/* Returns what a counter without an erratum counts of this event in a run of a loop. */
static u64 exact(const struct bpmu_bench *bench, const char *event)
{
	return strstr(event, "BR_INST") || strstr(event, "BRANCH") ?
		       bench->branches + (bench == &bpmu_bench_atomic ? machine.again : 0) :
	       strstr(event, "ALL_LOADS") ? bench->loads :
	       strstr(event, "ALL_STORES") ? bench->stores : bench->instructions;
}

/*
 * Fakes the interrupts of a run by the event with index @slot, which has a period. The periods in
 * the records are not random. In the tests the address of the loop's branch is 0.
 */
static void interrupt(const struct bpmu_trial *trial, struct bpmu_trial_counts *counts,
		      unsigned int slot)
{
	u32 period = trial->group.sched.slot[slot].period;
	u64 left = counts->own[slot], now = slot && machine.early ? period / 2 : period;
	unsigned int nr;

	assert_true(trial->config.check & BPMU_CHECK_PERIOD);
	for (nr = 0; left > now + machine.late && nr < machine.interrupts_most; nr++) {
		counts->record[counts->nr_records++] = (struct bpmu_trial_record){
			.period = now + machine.late,
			.ip = machine.strays ? 1 : 0,
			.slot = slot,
		};
		left -= now + machine.late;
		now = period;
	}
	if (nr)
		counts->own[slot] -= machine.loss;
}

/*
 * Fakes counts of the kernel in a run with interrupts: 100 instructions per interrupt, of which 50
 * are not counted if the interrupt stops the counters.
 */
static u64 counted_in_kernel(const struct bpmu_trial *trial, const struct bpmu_trial_counts *counts)
{
	bool stops = trial->config.check & BPMU_CHECK_FREEZE && !machine.thaws;

	return counts->nr_records * (stops ? 50 : 100);
}

int bpmu_trial_run(struct bpmu_trial *trial, const struct bpmu_bench *bench,
		   u64 rounds, bool quiet, struct bpmu_trial_counts *counts,
		   struct bpmu_error *err)
{
	unsigned int i;

	assert_true(machine.running);
	machine.runs++;
	machine.ns += rounds * 1000;
	memset(counts, 0, sizeof(*counts));
	counts->interrupts = !quiet && rounds >= 1000 ? machine.interrupts : 0;
	for (i = 0; i < trial->group.sched.nr; i++) {
		counts->own[i] = AROUND + rounds * exact(bench, trial->group.sched.slot[i].text) +
				 counts->interrupts * machine.extra;
		if (rounds && (int)i == machine.lossy)
			counts->own[i] -= 7;
		if (i < 2 && machine.stalls[1])
			counts->own[i] = machine.stalls[i];
		if (trial->group.sched.slot[i].period)
			interrupt(trial, counts, i);
		if (i && trial->group.sched.slot[0].period &&
		    !(trial->group.sched.slot[i].select & BPMU_SEL_USR))
			counts->own[i] = counted_in_kernel(trial, counts);
	}
	if (rounds)
		counts->other[1] = machine.leak;
	return fails(err);
}

int bpmu_trial_end(struct bpmu_trial *trial, struct bpmu_error *err)
{
	(void)trial;
	assert_true(machine.running);
	machine.running = false;
	return fails(err);
}

/*
 * Fakes the module's report of the overflow bits of IA32_PERF_GLOBAL_STATUS. While counters run,
 * all bits are 1. When the counters have stopped, only the bits that the simulated CPU cannot clear
 * are 1.
 */
int bpmu_client_info_of(struct bpmu_client *client, u32 cpu,
			struct bpmu_info *now, struct bpmu_error *err)
{
	(void)client;
	(void)cpu;
	*now = info;
	now->status = machine.running ? ~0ULL : machine.stuck;
	now->select[1] = (machine.select | BPMU_SEL_EN) & ~machine.deaf;
	return fails(err);
}

static struct bpmu_errata_check check;

static void begin(const char *part)
{
	machine = (struct machine){ .lossy = -1, .interrupts_most = ~0u };
	info = (struct bpmu_info){ .pmu = unit_pmu(part, 4), .nr_selects = 4 };
	check = (struct bpmu_errata_check){
		.trial.info = &info, .trial.sibling = -1, .trials = TRIALS,
	};
}

/* The check counts instructions once on each general counter and once on the fixed counter. */
TEST(each_counter_counts_instructions_once)
{
	const struct bpmu_sched *sched = &check.trial.group.sched;
	u64 set = 0;
	unsigned int i;

	begin("ivb");
	bpmu_errata_count_instructions(&check);
	assert_int_equal(sched->nr, 5);
	for (i = 0; i < sched->nr; i++)
		set |= BPMU_BIT(sched->slot[i].counter);
	assert_int_equal(set, 0xf | BPMU_FIXED_BIT(0));
}

static const struct bpmu_deviation *deviation(enum bpmu_erratum_symptom what,
					      unsigned int slot)
{
	unsigned int i;

	for (i = 0; i < check.nr; i++)
		if (check.test[i].what == what && !slot--)
			return &check.test[i].deviation;
	fail_msg("symptom %d was not looked for", what);
	return NULL;
}

TEST(finds_wrong_counts_at_a_wrap)
{
	struct bpmu_error err;
	unsigned int i;

	begin("ivb");
	machine.lossy = 1;
	machine.stuck = 1;
	info.pmu.global = true;
	assert_int_equal(bpmu_errata_wraps(&check, &err), 0);
	/*
	 * The code around the loop is counted too. The counters must wrap in the loop, not in the
	 * code before it. When counting starts, a counter must therefore be further below its
	 * maximum than the number of events of the code around the loop.
	 */
	assert_true(check.trial.config.top > AROUND);
	assert_int_equal(check.nr, 15);
	for (i = 0; i < 5; i++) {
		assert_int_equal(deviation(BPMU_SYMPTOM_WRAP, i)->below,
				 i == 1 ? TRIALS : 0);
		assert_int_equal(deviation(BPMU_SYMPTOM_WRAP, i)->above, 0);
		assert_int_equal(deviation(BPMU_SYMPTOM_NO_OVERFLOW, i)->below, 0);
		assert_int_equal(deviation(BPMU_SYMPTOM_OVERFLOW, i)->above,
				 i == 0 ? TRIALS : 0);
	}
	assert_int_equal(deviation(BPMU_SYMPTOM_WRAP, 1)->sum, -7 * TRIALS);
}

TEST(finds_l1_stalls_below_l2_stalls)
{
	struct bpmu_error err;

	begin("ivb");
	machine.stalls[0] = 90;
	machine.stalls[1] = 100;
	assert_int_equal(bpmu_errata_stalls(&check, &err), 0);
	assert_int_equal(check.trial.group.sched.nr, 2);
	assert_int_equal(check.nr, 1);
	assert_int_equal(check.test[0].deviation.below, TRIALS);
	begin("ivb");
	machine.stalls[0] = 110;
	machine.stalls[1] = 100;
	info.prefetch = BPMU_PREFETCH_L1;
	assert_int_equal(bpmu_errata_stalls(&check, &err), 0);
	assert_int_equal(check.nr, 2);
	assert_int_equal(deviation(BPMU_SYMPTOM_L1_BELOW_L2_OFF, 0)->below, 0);
	begin("knc");
	assert_int_equal(bpmu_errata_stalls(&check, &err), 0);
	assert_int_equal(check.nr_skips, 1);
	assert_int_equal(machine.runs, 0);
}

TEST(skips_the_test_of_siblings_without_a_sibling)
{
	struct bpmu_error err;

	begin("ivb");
	assert_int_equal(bpmu_errata_siblings(&check, &err), 0);
	assert_non_null(strstr(check.skip[0], "no other thread"));
	assert_int_equal(machine.runs, 0);
}

/* Fakes the list of online CPUs: two threads of one core. */
int __wrap_bpmu_cpulist_online(struct bpmu_cpulist *list,
			       struct bpmu_error *err)
{
	(void)err;
	list->nr = 2;
	list->cpu = calloc(list->nr, sizeof(*list->cpu));
	assert_non_null(list->cpu);
	list->cpu[1] = 1;
	return 0;
}

bool __wrap_bpmu_topology_siblings(u32 a, u32 b)
{
	return a / 2 == b / 2;
}

/*
 * An event leaks if a counter of the core's other thread counts it, too. The check tests only
 * events that are known to leak on some CPUs. Here one of these events leaks.
 */
TEST(finds_leaks_between_siblings)
{
	struct bpmu_error err;

	begin("knc");
	check.smt = true;
	assert_int_equal(bpmu_errata_siblings(&check, &err), 0);
	assert_int_equal(check.nr_skips, 1);
	assert_non_null(strstr(check.skip[0], "known to leak"));
	assert_int_equal(machine.runs, 0);
	begin("ivb");
	check.smt = true;
	machine.leak = 5;
	assert_int_equal(bpmu_errata_siblings(&check, &err), 0);
	assert_int_equal(check.nr_skips, 0);
	assert_int_equal(check.trial.sibling, 1);
	assert_int_equal(machine.runs, 2 * TRIALS);
	assert_int_equal(deviation(BPMU_SYMPTOM_LEAK, 0)->above, TRIALS);
	assert_int_equal(deviation(BPMU_SYMPTOM_LEAK, 0)->sum, 5 * TRIALS);
}

static unsigned int count_of(enum bpmu_erratum_symptom what)
{
	unsigned int i, nr = 0;

	for (i = 0; i < check.nr; i++)
		nr += check.test[i].what == what;
	return nr;
}

/*
 * The simulated counters are exact, except that they count two events too many per interrupt. Short
 * loops have no interrupt, so their counts are exact. The counts of loops with interrupts are not
 * exact: the result is their deviation per interrupt.
 */
TEST(finds_counts_of_interrupts)
{
	static const char *const pers[] = {
		[BPMU_SYMPTOM_COUNT] = "count",
		[BPMU_SYMPTOM_INTERRUPT] = "interrupt",
		[BPMU_SYMPTOM_WRAP] = "wrap",
		[BPMU_SYMPTOM_NO_OVERFLOW] = "wrap",
		[BPMU_SYMPTOM_OVERFLOW] = "wrap",
		[BPMU_SYMPTOM_LEAK] = "load",
		[BPMU_SYMPTOM_L1_BELOW_L2] = "L2 miss stall",
		[BPMU_SYMPTOM_L1_BELOW_L2_OFF] = "L2 miss stall",
		[BPMU_SYMPTOM_NO_INTERRUPT] = "loop",
		[BPMU_SYMPTOM_LATE] = "interrupt",
		[BPMU_SYMPTOM_OVERFLOW_LOSS] = "interrupt",
		[BPMU_SYMPTOM_FREEZE] = "trial",
		[BPMU_SYMPTOM_RECORD_ADDRESS] = "record",
		[BPMU_SYMPTOM_RECORD_EVENT] = "record",
	};
	struct bpmu_error err;
	unsigned int i;

	begin("ivb");
	check.smt = true;
	machine.interrupts = 4;
	machine.extra = 2;
	info.pmu.global = true;
	info.pmu.pebs = ~0ull;
	info.prefetch = BPMU_PREFETCH_L1;
	assert_int_equal(bpmu_errata_check(&check, &err), 0);
	assert_false(machine.running);
	assert_int_equal(check.nr_skips, 0);
	/*
	 * In eight tests loops run without interrupts. Five of these tests count instructions, on
	 * the four general-purpose counters and on the fixed counter. Three tests count events of
	 * the loop that copies memory.
	 */
	assert_int_equal(count_of(BPMU_SYMPTOM_COUNT), 8);
	assert_int_equal(count_of(BPMU_SYMPTOM_INTERRUPT), 5);
	assert_int_equal(count_of(BPMU_SYMPTOM_WRAP), 5);
	assert_int_equal(count_of(BPMU_SYMPTOM_LEAK), 1);
	for (i = 0; i < 8; i++) {
		assert_int_equal(deviation(BPMU_SYMPTOM_COUNT, i)->trials, TRIALS);
		assert_true(deviation(BPMU_SYMPTOM_COUNT, i)->sum == 0);
	}
	for (i = 0; i < 5; i++) {
		assert_int_equal(deviation(BPMU_SYMPTOM_INTERRUPT, i)->above, TRIALS);
		assert_true(deviation(BPMU_SYMPTOM_INTERRUPT, i)->sum == 2 * 4 * TRIALS);
		assert_true(deviation(BPMU_SYMPTOM_INTERRUPT, i)->base == 4 * TRIALS);
	}
	for (i = 0; i < check.nr; i++)
		assert_string_equal(check.test[i].per, pers[check.test[i].what]);
}

/*
 * By an erratum some of AMD's CPUs count conditional branches a second time in code with atomic
 * instructions. A loop of atomic instructions tests this, on AMD's CPUs only.
 */
TEST(finds_branches_counted_again)
{
	struct bpmu_error err;

	begin("zen4");
	machine.interrupts = 4;
	assert_int_equal(bpmu_errata_check(&check, &err), 0);
	assert_int_equal(count_of(BPMU_SYMPTOM_ATOMIC), 1);
	assert_int_equal(deviation(BPMU_SYMPTOM_ATOMIC, 0)->trials, TRIALS);
	assert_true(deviation(BPMU_SYMPTOM_ATOMIC, 0)->sum == 0);
	begin("zen4");
	machine.interrupts = 4;
	machine.again = 1;
	assert_int_equal(bpmu_errata_check(&check, &err), 0);
	assert_int_equal(deviation(BPMU_SYMPTOM_ATOMIC, 0)->above, TRIALS);
	/*
	 * The loop has 250 iterations of two branches each. In each iteration the event counts one
	 * branch too many.
	 */
	assert_true(deviation(BPMU_SYMPTOM_ATOMIC, 0)->sum == 250 * TRIALS);
	assert_true(deviation(BPMU_SYMPTOM_ATOMIC, 0)->base == 500 * TRIALS);
	assert_true(deviation(BPMU_SYMPTOM_COUNT, 0)->sum == 0);
}

/*
 * Each long loop has two interrupts, but the check needs three. The check runs longer and longer
 * loops, and then gives up.
 */
TEST(gives_up_where_no_interrupts_come)
{
	struct bpmu_error err;

	begin("ivb");
	machine.interrupts = 2;
	machine.refuses = true;
	assert_int_equal(bpmu_errata_check(&check, &err), 0);
	assert_string_equal(check.skip[0],
			    "interrupts: none comes to this CPU while it is busy");
	assert_int_equal(count_of(BPMU_SYMPTOM_INTERRUPT), 0);
	/*
	 * The tests that need no interrupts take 0.2 s. To get three interrupts, the check then
	 * runs a loop again and again. The first run takes 0.25 ms, and each further run takes
	 * twice as long as the run before, up to 512 ms.
	 */
	assert_in_range(machine.ns, 1150000000, 1300000000);
	begin("ivb");
	machine.interrupts = 3;
	assert_int_equal(bpmu_errata_check(&check, &err), 0);
	assert_int_equal(count_of(BPMU_SYMPTOM_INTERRUPT), 5);
}

/* The check ends at the first call that fails, and reports that call's error. */
TEST(each_failure_ends_the_trials)
{
	unsigned int calls;
	struct bpmu_error err;

	begin("ivb");
	check.trials = 1;
	check.smt = true;
	machine.interrupts = 4;
	info.prefetch = BPMU_PREFETCH_L1;
	info.pmu.pebs = ~0ull;
	assert_int_equal(bpmu_errata_check(&check, &err), 0);
	calls = machine.calls;
	assert_in_range(calls, 70, 100);
	while (calls) {
		begin("ivb");
		check.trials = 1;
		check.smt = true;
		machine.interrupts = 4;
		info.prefetch = BPMU_PREFETCH_L1;
		info.pmu.pebs = ~0ull;
		machine.fails = calls--;
		assert_int_equal(bpmu_errata_check(&check, &err), -EIO);
		assert_string_equal(err.text, "it fails");
		assert_int_equal(machine.calls, machine.fails);
	}
}

/* Returns whether a test of the symptom was significant, for any counter. */
static bool found(enum bpmu_erratum_symptom what)
{
	bool sure = false;
	unsigned int i;

	for (i = 0; i < check.nr; i++)
		sure |= check.test[i].what == what &&
			bpmu_deviation_sure(&check.test[i].deviation, check.nr);
	return sure;
}

/*
 * Runs the tests of interrupts on a CPU with precise records. Checks that they find the symptom
 * @what alone; nothing if @what is BPMU_SYMPTOM_NONE.
 */
static void finds_alone(enum bpmu_erratum_symptom what)
{
	enum bpmu_erratum_symptom each;
	struct bpmu_error err;

	info.pmu.pebs = ~0ull;
	assert_int_equal(bpmu_errata_overflows(&check, &err), 0);
	assert_int_equal(bpmu_errata_freezing(&check, &err), 0);
	assert_int_equal(bpmu_errata_records(&check, &err), 0);
	assert_false(machine.running);
	assert_int_equal(check.nr_skips, 0);
	assert_int_equal(check.nr, 5 * 3 + 1 + 2);
	for (each = BPMU_SYMPTOM_NO_INTERRUPT; each <= BPMU_SYMPTOM_RECORD_EVENT; each++)
		if (found(each) ? each != what : each == what)
			fail_msg("symptom %d, %d injected", each, what);
}

/* Each erratum of interrupts is found by its own test, and by no other. */
TEST(finds_errata_of_interrupts)
{
	begin("ivb");
	finds_alone(BPMU_SYMPTOM_NONE);
	begin("ivb");
	machine.late = 1000;
	finds_alone(BPMU_SYMPTOM_NONE);
	begin("ivb");
	machine.late = 1001;
	finds_alone(BPMU_SYMPTOM_LATE);
	assert_int_equal(deviation(BPMU_SYMPTOM_LATE, 0)->sum, 1001 * TRIALS);
	begin("ivb");
	machine.interrupts_most = 7;
	finds_alone(BPMU_SYMPTOM_NO_INTERRUPT);
	assert_int_equal(deviation(BPMU_SYMPTOM_NO_INTERRUPT, 0)->below, TRIALS);
	begin("ivb");
	machine.loss = 3;
	finds_alone(BPMU_SYMPTOM_OVERFLOW_LOSS);
	assert_int_equal(deviation(BPMU_SYMPTOM_OVERFLOW_LOSS, 0)->sum, -3 * TRIALS);
	begin("ivb");
	machine.thaws = true;
	finds_alone(BPMU_SYMPTOM_FREEZE);
	begin("ivb");
	machine.strays = true;
	finds_alone(BPMU_SYMPTOM_RECORD_ADDRESS);
	begin("ivb");
	machine.early = true;
	finds_alone(BPMU_SYMPTOM_RECORD_EVENT);
}

/* AMD's interrupts may come much later than Intel's. */
TEST(the_usual_skid_depends_on_the_vendor)
{
	begin("zen4");
	assert_int_equal(bpmu_overflow_skid(info.pmu.part), 80000);
	assert_int_equal(bpmu_overflow_rounds(info.pmu.part), (16 * 4096 + 160000) / 8);
	begin("knc");
	assert_int_equal(bpmu_overflow_skid(info.pmu.part), 1000);
}

/* Records: on time, one of two periods and more, early, late; at the end, there is none any more. */
TEST(periods_of_records_are_judged)
{
	static struct bpmu_trial_counts counts = {
		.record = { { 4096 + 10 }, { 2 * 4096 + 1000 }, { 4095 }, { 9191 }, { 9, .slot = 1 } },
		.nr_records = 5,
	};
	struct bpmu_overflow_verdict verdict;

	begin("ivb");
	bpmu_trial_count(&check.trial, "instructions", BPMU_SEL_USR, 0, 0);
	check.trial.group.sched.slot[0].period = 4096;
	counts.own[0] = 4106 + 9192 + 4095 + 9191 + 9191;
	bpmu_overflow_judge(&check.trial, &counts, 0, &verdict);
	assert_int_equal(verdict.nr, 4);
	assert_int_equal(verdict.missing, 1);
	assert_int_equal(verdict.early, 1);
	assert_int_equal(verdict.skid, 0);
	counts.own[0]++;
	bpmu_overflow_judge(&check.trial, &counts, 0, &verdict);
	assert_int_equal(verdict.missing, 2);
	counts.record[2].period = 4099;
	bpmu_overflow_judge(&check.trial, &counts, 0, &verdict);
	assert_int_equal(verdict.early, 0);
	assert_int_equal(verdict.skid, 3);
}

TEST(tests_of_interrupts_are_skipped_where_the_module_refuses_them)
{
	struct bpmu_error err;

	begin("ivb");
	machine.refuses = true;
	info.pmu.pebs = ~0ull;
	assert_int_equal(bpmu_errata_overflows(&check, &err), 0);
	assert_int_equal(bpmu_errata_freezing(&check, &err), 0);
	assert_int_equal(bpmu_errata_records(&check, &err), 0);
	assert_int_equal(check.nr, 0);
	assert_int_equal(check.nr_skips, 3);
	assert_string_equal(check.skip[0], "overflow interrupts: (no interrupts here)");
	assert_string_equal(check.skip[1], "freezing: (no interrupts here)");
	assert_string_equal(check.skip[2], "precise records: (no interrupts here)");
	begin("ivb");
	assert_int_equal(bpmu_errata_records(&check, &err), 0);
	assert_int_equal(machine.runs, 0);
	assert_string_equal(check.skip[0],
			    "precise records: this CPU writes none that the module reads (PEBS)");
	begin("ivb");
	info.pmu.pebs = ~0ull;
	info.pmu.pebs_format = 2;
	assert_int_equal(bpmu_errata_records(&check, &err), 0);
	assert_int_equal(machine.runs, 0);
	assert_string_equal(check.skip[0],
			    "precise records: in format 1 they name the next instruction");
	info.pmu.pebs_format = 0;
}

static char *printed(enum bpmu_format format, bool verbose)
{
	const struct bpmu_errata_report report = {
		.cpu = { .part = info.pmu.part }, .title = "somebody",
		.format = format, .separator = ",", .verbose = verbose,
	};
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	bpmu_errata_report(out, &report, &check);
	fclose(out);
	return text;
}

static void shows(enum bpmu_format format, bool verbose, const char *line)
{
	char *text = printed(format, verbose);

	if (!strstr(text, line))
		fail_msg("not %s, but:\n%s", line, text);
	free(text);
}

TEST(prints_findings_in_each_format)
{
	struct bpmu_error err;

	begin("ivb");
	machine.lossy = 1;
	assert_int_equal(bpmu_errata_wraps(&check, &err), 0);
	unit_text("errata", printed(BPMU_TEXT, false));
	unit_text("errata-verbose", printed(BPMU_TEXT, true));
	shows(BPMU_CSV, false, "\nwrap,INST_RETIRED.ANY_P,1,40,0,40,-7,wrap,");
	shows(BPMU_CSV, false, "\nwrap,INST_RETIRED.ANY_P,2,40,0,0,0,wrap,1,,");
	shows(BPMU_JSON, false, "\"counter\":1,\"trials\":40,\"above\":0,\"below\":40,\"deviation\":-7,");
	/* Without a trial the mean would be a division by 0. */
	check.test[1].deviation = (struct bpmu_deviation){ };
	shows(BPMU_CSV, false, "\nwrap,INST_RETIRED.ANY_P,1,0,0,0,,wrap,1,,");
	shows(BPMU_JSON, false, "\"counter\":1,\"trials\":0,\"above\":0,\"below\":0,\"deviation\":null,");
	check.skip[0] = "counter leaks: no other thread of the core is online";
	check.skip[1] = "overflow of fixed counters: they are in use";
	check.nr_skips = 2;
	unit_text("errata-none", printed(BPMU_TEXT, false));
}

/*
 * The buffer is a chain of pointers. The chain visits four cache lines of each page, and then
 * returns to its start.
 */
TEST(the_pointer_chase_is_one_cycle_through_the_buffer)
{
	struct bpmu_error err;
	unsigned int places = 0;
	void *arena, *at;

	assert_int_equal(bpmu_bench_arena(&arena, &err), 0);
	at = arena;
	do {
		at = *(void **)at;
		places++;
	} while (at != arena && places < 1000000);
	assert_int_equal(places, (32 << 20) / 4096 * 4);
	free(arena);
}

/* All legal bits of the event select can be set, except bit 19. No bit changes the counts. */
TEST(probes_each_bit_of_the_event_select)
{
	const struct bpmu_probe_wish wish = {
		.info = &info, .event = "UOPS_ISSUED.ANY", .counter = 1,
		.format = BPMU_CSV, .separator = ",",
	};
	char path[] = "/tmp/barepmu-probe-XXXXXX";
	int fd = mkstemp(path), out = dup(STDOUT_FILENO);
	struct bpmu_error err;
	char text[512] = "";
	int code;

	begin("ivb");
	info.pmu.legal = BPMU_SEL_EDGE | BPMU_BIT(19) | BPMU_SEL_USR | BPMU_SEL_OS | 0x10e;
	machine.deaf = BPMU_BIT(19);
	fflush(stdout);
	dup2(fd, STDOUT_FILENO);
	code = bpmu_probe_run(&wish, &err);
	fflush(stdout);
	dup2(out, STDOUT_FILENO);
	close(out);
	assert_true(pread(fd, text, sizeof(text) - 1, 0) > 0);
	close(fd);
	unlink(path);
	assert_int_equal(code, 0);
	assert_string_equal(text, "bit,name,sticks,count,ratio,event,counter\n"
			    ",as it is,1,100,1,UOPS_ISSUED.ANY,1\n"
			    "1,event,1,100,1,UOPS_ISSUED.ANY,1\n"
			    "2,event,1,100,1,UOPS_ISSUED.ANY,1\n"
			    "3,event,1,100,1,UOPS_ISSUED.ANY,1\n"
			    "8,umask,1,100,1,UOPS_ISSUED.ANY,1\n"
			    "16,USR,1,100,1,UOPS_ISSUED.ANY,1\n"
			    "17,OS,1,100,1,UOPS_ISSUED.ANY,1\n"
			    "18,E (edge),1,100,1,UOPS_ISSUED.ANY,1\n"
			    "19,PC (pin control),0,100,1,UOPS_ISSUED.ANY,1\n");
	assert_int_equal(machine.runs, 9);
}

/* An event is probed on a general counter, and on one that can count it. */
TEST(refuses_to_probe_what_is_not_on_a_general_counter)
{
	static const struct {
		const char *event;
		int counter;
		const char *said;
	} refused[] = {
		{ "INST_RETIRED.ANY", -1, "errata probe: 'INST_RETIRED.ANY' has a counter of its own, without a select; take an event of the general ones, see 'barepmu list events -v'" },
		{ "UNC_ARB_TRK_REQUESTS.ALL", -1, "errata probe: 'UNC_ARB_TRK_REQUESTS.ALL' is not one counter of the core; take another event" },
		{ "UOPS_ISSUED.ANY:[=2]", -1, "errata probe: 'UOPS_ISSUED.ANY:[=2]' is not one counter of the core; take another event" },
		{ "UOPS_ISSUED.ANY", 4, "--counter 4: not a general one; these are those of 0xf" },
	};
	struct bpmu_probe_wish wish = { .info = &info, .format = BPMU_CSV, .separator = "," };
	struct bpmu_error err;
	unsigned int i;

	begin("ivb");
	for (i = 0; i < ARRAY_SIZE(refused); i++) {
		wish.event = refused[i].event;
		wish.counter = refused[i].counter;
		assert_int_equal(bpmu_probe_run(&wish, &err), -EINVAL);
		assert_string_equal(err.text, refused[i].said);
	}
	assert_int_equal(machine.runs, 0);
}
