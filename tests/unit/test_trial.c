// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of trials, in which the events of a loop are counted between a sample before the loop and a
 * sample after it: a trial returns the counts, or says that the run of the loop was disturbed.
 * Functions of the test take the place of the module.
 */
#include <errno.h>
#include <string.h>
#include <sys/resource.h>

#include "client/holder.h"
#include "trial/errata_interrupts.h"
#include "trial/errata_trial.h"
#include "unit.h"

#define SELECT 0x4301c2

/*
 * Faked values of two counters before and after the loop, [thread][counter]. Thread 0 is the
 * trial's own CPU, and thread 1 is the other thread of its core. If a run of the loop was
 * disturbed, the trial runs the loop again; each such run is a try. The values are the same in each
 * try.
 */
static u64 begins[2][2], ends[2][2];
static unsigned int disturbed_tries, interrupted_tries;
static unsigned int starts, stops, reads, runs, releases, explained, interrupts_read;
static int configure_code, start_code, stop_code, read_code, pin_code;
static u64 rounds_run;
static void *arena_run;
static struct bpmu_config asked;
static u32 asked_cpus[2];
/* Records of interrupts that the module sends, [nr_sent]. */
static struct bpmu_overflow sent[BPMU_TRIAL_RECORDS + 3];
static unsigned int nr_sent;

int __wrap_getrusage(int who, struct rusage *usage);
int __wrap_bpmu_affinity_pin(u32 cpu);

int bpmu_client_configure(struct bpmu_client *client, const struct bpmu_config *config,
			  struct bpmu_error *err)
{
	assert_ptr_equal(client, &starts);
	asked = *config;
	memcpy(asked_cpus, config->cpus, config->nr_cpus * sizeof(u32));
	return configure_code ? bpmu_error_set(err, configure_code, "refused") : 0;
}

int bpmu_client_start(struct bpmu_client *client, struct bpmu_error *err)
{
	(void)client;
	starts++;
	return start_code ? bpmu_error_set(err, start_code, "not started") : 0;
}

int bpmu_client_stop(struct bpmu_client *client, struct bpmu_error *err)
{
	(void)client;
	stops++;
	return stop_code ? bpmu_error_set(err, stop_code, "not stopped") : 0;
}

int bpmu_client_release(struct bpmu_client *client, struct bpmu_error *err)
{
	(void)err;
	assert_ptr_equal(client, &starts);
	releases++;
	return -ESTALE;
}

int bpmu_client_read(struct bpmu_client *client, const struct bpmu_reader *reader,
		     struct bpmu_error *err)
{
	static const u32 cpus[] = { 5, 2 };
	struct bpmu_sample sample = { .nr = 2 };
	struct bpmu_taken_sample taken = { .head = &sample };
	unsigned int i;

	(void)client;
	reads++;
	if (read_code)
		return bpmu_error_set(err, read_code, "not read");
	for (i = 0; i < 2; i++) {
		sample.cpu = cpus[i];
		sample.enabled = 1000;
		sample.flags = BPMU_SAMPLE_START;
		sample.tsc_begin = 100 + i;
		sample.tsc_end = 110 + i;
		taken.values = begins[i];
		reader->samples(reader->data, &taken, 1);
		/*
		 * The module also sends a sample that the timer took in the middle of the run. The
		 * trial must ignore it.
		 */
		sample.flags = 0;
		taken.values = ends[1 - i];
		reader->samples(reader->data, &taken, 1);
		sample.flags = BPMU_SAMPLE_STOP;
		sample.tsc_begin = 7000;
		sample.tsc_end = 7100 + i;
		taken.values = ends[i];
		reader->samples(reader->data, &taken, 1);
	}
	if (nr_sent)
		reader->overflows(reader->data, sent, nr_sent * sizeof(*sent));
	return 0;
}

void bpmu_holder_explain(struct bpmu_error *err)
{
	explained++;
	strcat(err->text, "; held");
}

u64 bpmu_interrupts_now(u32 cpu)
{
	assert_int_equal(cpu, 5);
	/* The trial reads the number of interrupts before and after each run of the loop. */
	interrupts_read++;
	return interrupts_read % 2 ? 40 : runs <= interrupted_tries ? 43 : 40;
}

/*
 * Fakes the process's two numbers of context switches and its two numbers of page faults. If one of
 * these four numbers changes during a try, the try was disturbed.
 */
int __wrap_getrusage(int who, struct rusage *usage)
{
	long more = runs <= disturbed_tries ? runs : disturbed_tries;

	assert_int_equal(who, RUSAGE_SELF);
	*usage = (struct rusage){
		.ru_nivcsw = more > 0, .ru_nvcsw = more > 1, .ru_minflt = more > 2,
		.ru_majflt = more > 3 ? more - 3 : 0,
	};
	return 0;
}

static void loop(u64 rounds, void **arena)
{
	runs++;
	rounds_run = rounds;
	arena_run = *arena;
}

static const struct bpmu_bench bench = { .run = loop };
static struct bpmu_info info;
static struct bpmu_trial trial;
static struct bpmu_trial_counts counts;
static struct bpmu_error err;

TEST_FIXTURE(setup)
{
	starts = 0;
	stops = 0;
	reads = 0;
	runs = 0;
	releases = 0;
	nr_sent = 0;
	explained = 0;
	interrupts_read = 0;
	disturbed_tries = 0;
	interrupted_tries = 0;
	configure_code = 0;
	start_code = 0;
	stop_code = 0;
	read_code = 0;
	info = (struct bpmu_info){ .pmu = unit_pmu("ivb", 4) };
	trial = (struct bpmu_trial){
		.client = (struct bpmu_client *)&starts, .info = &info, .cpu = 5, .arena = &runs,
	};
	bpmu_trial_clear(&trial);
	bpmu_trial_count(&trial, "loop", SELECT, 2, 3);
	bpmu_trial_count(&trial, "cycles", SELECT | BPMU_BIT(16) | BPMU_BIT(17), 33, 33);
	counts = (struct bpmu_trial_counts){ };
	return 0;
}

TEST_BETWEEN(slots_follow_each_other, setup, NULL)
{
	const struct bpmu_sched *sched = &trial.group.sched;

	assert_int_equal(sched->nr, 2);
	assert_int_equal(sched->values, 2);
	assert_int_equal(trial.groups.slots, 2);
	assert_int_equal(trial.groups.nr, 1);
	assert_int_equal(trial.groups.nr_of[BPMU_BANK_CORE], 1);
	assert_ptr_equal(trial.groups.group, &trial.group);
	assert_ptr_equal(trial.groups.pmu, &info.pmu);
	assert_int_equal(sched->slot[0].counter, 2);
	assert_int_equal(sched->slot[0].sibling, 3);
	assert_int_equal(sched->slot[0].select, SELECT);
	assert_int_equal(sched->slot[0].value, 0);
	assert_string_equal(sched->slot[0].text, "loop");
	/*
	 * The event select for a fixed counter has no event code, only the bits for the privilege
	 * levels.
	 */
	assert_int_equal(sched->slot[1].select, BPMU_BIT(16) | BPMU_BIT(17));
	assert_int_equal(sched->slot[1].value, 1);
	trial.sibling = 2;
	trial.config.top = 9;
	bpmu_trial_clear(&trial);
	assert_int_equal(trial.group.sched.nr, 0);
	assert_int_equal(trial.config.top, 0);
	assert_int_equal(trial.sibling, -1);
}

TEST_BETWEEN(one_cpu_or_both_are_configured, setup, NULL)
{
	assert_int_equal(bpmu_trial_begin(&trial, &err), 0);
	assert_int_equal(asked.nr_cpus, 1);
	assert_int_equal(asked_cpus[0], 5);
	assert_ptr_equal(asked.groups[0], &trial.groups);
	assert_null(asked.groups[1]);
	assert_null(trial.config.cpus);
	trial.sibling = 2;
	assert_int_equal(bpmu_trial_begin(&trial, &err), 0);
	assert_int_equal(asked.nr_cpus, 2);
	assert_int_equal(asked_cpus[1], 2);
	trial.sibling = 0;
	assert_int_equal(bpmu_trial_begin(&trial, &err), 0);
	assert_int_equal(asked.nr_cpus, 2);
	assert_int_equal(bpmu_trial_end(&trial, &err), -ESTALE);
	assert_int_equal(releases, 1);
}

/*
 * If the counters are in use, the message names the processes that hold them. After other errors
 * the message names no process.
 */
TEST_BETWEEN(holders_are_named, setup, NULL)
{
	configure_code = -EBUSY;
	assert_int_equal(bpmu_trial_begin(&trial, &err), -EBUSY);
	assert_string_equal(err.text, "refused; held");
	configure_code = -EPERM;
	assert_int_equal(bpmu_trial_begin(&trial, &err), -EPERM);
	assert_string_equal(err.text, "refused");
	assert_int_equal(explained, 1);
}

TEST_BETWEEN(counts_are_those_between_the_samples, setup, NULL)
{
	begins[0][0] = 1000;
	begins[0][1] = 2000;
	/* On the other thread of the core a counter of 48 bits wraps during the run. */
	begins[1][0] = (1ULL << 48) - 3;
	begins[1][1] = 0;
	ends[0][0] = 1500;
	ends[0][1] = 2700;
	ends[1][0] = 4;
	ends[1][1] = 9;
	assert_int_equal(bpmu_trial_run(&trial, &bench, 10, false, &counts, &err), 0);
	assert_int_equal(counts.own[0], 500);
	assert_int_equal(counts.own[1], 700);
	assert_int_equal(counts.other[0], 7);
	assert_int_equal(counts.other[1], 9);
	assert_int_equal(counts.first[0], 1000);
	assert_int_equal(counts.first[1], 2000);
	assert_int_equal(counts.last[0], 1500);
	assert_int_equal(counts.last[1], 2700);
	assert_int_equal(counts.ticks, 7000);
	assert_int_equal(counts.interrupts, 0);
	assert_int_equal(rounds_run, 11);
	assert_ptr_equal(arena_run, &runs);
	assert_int_equal(starts, 1);
	assert_int_equal(stops, 1);
	assert_int_equal(reads, 1);
}

/*
 * Interrupts of the trial's own CPU are kept, in their order, as many as there is room for. A run
 * keeps none of the run before it.
 */
TEST_BETWEEN(interrupts_of_a_run_are_kept, setup, NULL)
{
	unsigned int i;

	for (i = 0; i < BPMU_TRIAL_RECORDS + 3; i++)
		sent[i] = (struct bpmu_overflow){
			.cpu = i == 1 ? 2 : 5, .event = i % 2, .period = 1000 + i,
			.size = sizeof(*sent), .who = { .ip = 0x401000 + i },
		};
	nr_sent = BPMU_TRIAL_RECORDS + 3;
	assert_int_equal(bpmu_trial_run(&trial, &bench, 10, false, &counts, &err), 0);
	assert_int_equal(counts.nr_records, BPMU_TRIAL_RECORDS);
	for (i = 1; i < BPMU_TRIAL_RECORDS; i++) {
		assert_int_equal(counts.record[i].period, 1001 + i);
		assert_int_equal(counts.record[i].ip, 0x401001 + i);
		assert_int_equal(counts.record[i].slot, (i + 1) % 2);
	}
	nr_sent = 3;
	assert_int_equal(bpmu_trial_run(&trial, &bench, 10, false, &counts, &err), 0);
	assert_int_equal(counts.nr_records, 2);
	assert_int_equal(counts.record[0].period, 1000);
	assert_int_equal(counts.record[1].period, 1002);
}

TEST_BETWEEN(disturbed_runs_are_repeated, setup, NULL)
{
	disturbed_tries = 5;
	assert_int_equal(bpmu_trial_run(&trial, &bench, 10, false, &counts, &err), 0);
	assert_int_equal(runs, 6);
	/*
	 * If a run of the loop is disturbed, the loop is run again, up to 100 times. After 99
	 * disturbed runs the 100th run succeeds. After 100 disturbed runs the trial is given up.
	 */
	setup(NULL);
	disturbed_tries = 99;
	assert_int_equal(bpmu_trial_run(&trial, &bench, 10, false, &counts, &err), 0);
	assert_int_equal(runs, 100);
	setup(NULL);
	disturbed_tries = 100;
	assert_int_equal(bpmu_trial_run(&trial, &bench, 10, false, &counts, &err), -EAGAIN);
	assert_int_equal(runs, 100);
	assert_string_equal(err.text, "errata: CPU 5 is kept busy by other processes; choose another one with -C");
}

/*
 * If the caller wants a run without interrupts, a run with an interrupt is repeated. The fifth run
 * counts even if it has an interrupt. If the caller allows interrupts, the first run counts.
 */
TEST_BETWEEN(interrupted_runs_are_repeated_a_few_times, setup, NULL)
{
	interrupted_tries = 3;
	assert_int_equal(bpmu_trial_run(&trial, &bench, 10, false, &counts, &err), 0);
	assert_int_equal(runs, 1);
	assert_int_equal(counts.interrupts, 3);
	setup(NULL);
	interrupted_tries = 3;
	assert_int_equal(bpmu_trial_run(&trial, &bench, 10, true, &counts, &err), 0);
	assert_int_equal(runs, 4);
	assert_int_equal(counts.interrupts, 0);
	setup(NULL);
	interrupted_tries = 50;
	assert_int_equal(bpmu_trial_run(&trial, &bench, 10, true, &counts, &err), 0);
	assert_int_equal(runs, 5);
	assert_int_equal(counts.interrupts, 3);
}

TEST_BETWEEN(what_the_module_refuses_ends_the_runs, setup, NULL)
{
	start_code = -ENODEV;
	assert_int_equal(bpmu_trial_run(&trial, &bench, 10, false, &counts, &err), -ENODEV);
	assert_string_equal(err.text, "not started");
	assert_int_equal(runs, 0);
	start_code = 0;
	stop_code = -EIO;
	assert_int_equal(bpmu_trial_run(&trial, &bench, 10, false, &counts, &err), -EIO);
	assert_string_equal(err.text, "not stopped");
	assert_int_equal(reads, 0);
	stop_code = 0;
	read_code = -EPROTO;
	assert_int_equal(bpmu_trial_run(&trial, &bench, 10, false, &counts, &err), -EPROTO);
	assert_string_equal(err.text, "not read");
	assert_int_equal(runs, 2);
}

int __wrap_bpmu_affinity_pin(u32 cpu)
{
	assert_int_equal(cpu, 5);
	return pin_code;
}

TEST(the_thread_goes_to_its_cpu)
{
	assert_int_equal(bpmu_trial_pin(5, &err), 0);
	assert_int_equal(bpmu_trial_settle(5, &err), 0);
	pin_code = -EINVAL;
	assert_int_equal(bpmu_trial_pin(5, &err), -EINVAL);
	assert_string_equal(err.text, "errata: cannot run on CPU 5: Invalid argument; take another one with -C");
	assert_int_equal(bpmu_trial_settle(5, &err), -EINVAL);
}
