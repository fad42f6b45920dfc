// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of "barepmu top --by" from the command line to its last line, without a terminal. The test
 * fakes the measurement and its clock: the interrupts are those of the test's own functions.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "commands.h"
#include "options.h"
#include "source/analysis.h"
#include "source/live.h"
#include "unit.h"

#define S BPMU_NS_PER_S
#define WORDS_MOST 16
/* the largest number that a process can have */
#define PID_MOST (1 << 22)

/**
 * struct step - what the faked measurement passes on at one time
 * @ms: the time, in ms since the start
 * @ip: address of the next instruction of the interrupted program; 0 for no interrupt
 * @times: number of interrupts, each for 1000 events
 * @others: number of other processes, all ended, that are interrupted once
 * @kernel: the interrupts come in the kernel, whose addresses are hidden
 * @lost: if not 0: number of interrupts that CPU @cpu has lost so far
 * @cpu: the CPU
 * @flags: flags of a sample
 * @round: a round of all CPUs is complete
 */
struct step {
	unsigned int ms;
	const void *ip;
	unsigned int times;
	unsigned int others;
	bool kernel;
	u64 lost;
	u32 cpu;
	u32 flags;
	bool round;
};

static u64 now;
static const struct step *step;
static unsigned int nr_steps;
static int refused;
static struct bpmu_measure asked;
static u64 period;

bool __wrap_bpmu_top_term_usable(void)
{
	return false;
}

u64 __wrap_bpmu_clock_ns(clockid_t clock)
{
	assert_int_equal(clock, CLOCK_MONOTONIC);
	return now;
}

int __wrap_bpmu_session_analyse(struct bpmu_analysis *analysis, struct bpmu_options *options,
				struct bpmu_error *err)
{
	(void)options;
	(void)err;
	unit_core_type(analysis, "ivb", 0);
	return 0;
}

u32 __wrap_bpmu_client_record_size(const struct bpmu_client *client)
{
	(void)client;
	return sizeof(struct bpmu_sample);
}

void __wrap_bpmu_holder_explain(struct bpmu_error *err)
{
	bpmu_error_set(err, -EBUSY, "process 7 measures");
}

static void interrupt(const struct step *at, pid_t pid)
{
	struct bpmu_overflow record = {
		.size = sizeof(record), .period = 1000, .cpu = at->cpu,
		.who = { .ip = (uintptr_t)at->ip, .pid = pid, .tgid = pid, .comm = "test" },
	};

	if (at->kernel)
		record.who.flags = BPMU_WHO_KERNEL | BPMU_WHO_HIDDEN;
	asked.overflows(asked.data, &record, sizeof(record));
}

int __wrap_bpmu_live_run(const struct bpmu_measure *measure, int *status, struct bpmu_error *err)
{
	struct bpmu_sample sample = { };
	unsigned int i;

	*status = 0;
	asked = *measure;
	period = measure->groups[0]->group[0].sched.slot[0].period;
	if (refused)
		return bpmu_error_set(err, refused, "the module refuses");
	now = 100 * S;
	assert_int_equal(measure->ready(measure->data, err), 0);
	for (; nr_steps && !*measure->stop; nr_steps--, step++) {
		now = 100 * S + step->ms * BPMU_NS_PER_MS;
		for (i = 0; i < step->times; i++)
			interrupt(step, getpid());
		for (i = 0; i < step->others; i++)
			interrupt(step, PID_MOST + 1 + i);
		if (step->lost)
			measure->overflows_lost(measure->data, step->cpu, step->lost);
		sample.flags = step->flags;
		if (step->flags)
			measure->records(measure->data, &sample, sizeof(sample));
		if (step->round)
			measure->records(measure->data, NULL, 0);
	}
	return 0;
}

/* Calls "barepmu top WORDS"; @words end with NULL. Returns the exit status. */
static int call(struct bpmu_ctx *ctx, char *const *words)
{
	char *argv[WORDS_MOST + 1] = { "top" };
	int argc = 1;

	for (; *words; words++)
		argv[argc++] = *words;
	optind = 0;
	return bpmu_cmd_top(ctx, argc, argv);
}

/* Returns what "barepmu top WORDS" prints while the steps are measured. */
static char *run(const struct step *steps, unsigned int nr, char *const *words)
{
	struct bpmu_ctx ctx = { };

	step = steps;
	nr_steps = nr;
	unit_capture_begin(stdout);
	assert_int_equal(call(&ctx, words), BPMU_EXIT_OK);
	return unit_capture_end();
}

#define RUN(steps, ...) run(steps, ARRAY_SIZE(steps), (char *[]){ __VA_ARGS__, NULL })
#define SYMBOLS "--by", "symbol", "-I", "1s", "-e", "cycles:u", "-c", "1000"

/* Returns the error with which "barepmu top WORDS" fails. */
static struct bpmu_error refused_with(char *const *words)
{
	struct bpmu_ctx ctx = { };

	assert_int_equal(call(&ctx, words), BPMU_EXIT_FAILED);
	return ctx.err;
}

#define refusal(...) refused_with((char *[]){ __VA_ARGS__, NULL })

/* two functions of the test's own program, whose symbols the tool reads */
static const void *const first = &unit_capture_begin, *const second = &unit_capture_end;

/* Each interval has its own shares: of four interrupts Wilson's interval, of one and of two, too. */
TEST(interrupts_are_shown_by_function_interval_by_interval)
{
	const struct step steps[] = {
		{ 100, first, 3 }, { 200, second, 1 }, { 900, .round = true },
		{ 1000, .round = true },
		{ 1100, second, 2 }, { 1999, .round = true }, { 2000, .round = true },
	};
	char *said = RUN(steps, SYMBOLS);

	assert_string_equal(said,
		"1.0 s, every 1 s; CPU 0-1, Big\n"
		"cycles:u: 4 interrupts, one every 1000 or so, for 4,000\n"
		"   share   95 % interval  interrupts   symbol\n"
		" 75.00 %   30.06  95.44 %           3   unit_capture_begin [test_top_by_run]\n"
		" 25.00 %    4.56  69.94 %           1   unit_capture_end [test_top_by_run]\n"
		"\n"
		"2.0 s, every 1 s; CPU 0-1, Big\n"
		"cycles:u: 2 interrupts, one every 1000 or so, for 2,000\n"
		"   share   95 % interval  interrupts   symbol\n"
		"100.00 %   34.24 100.00 %           2   unit_capture_end [test_top_by_run]\n"
		"\n");
	free(said);
	assert_int_equal(asked.interval_ns, S);
	assert_int_equal(period, 1000);
}

TEST(the_last_interval_may_be_short)
{
	const struct step steps[] = {
		{ 1000, first, 1 }, { 1000, .round = true }, { 1500, second, 1 },
		{ 1700, .round = true },
	};
	const struct step whole[] = { { 1000, first, 1 }, { 1000, .round = true } };
	const struct step none[] = { { 300, .round = true } };
	const struct {
		char *said;
		const char *end, *no;
	} all[] = {
		{ RUN(steps, SYMBOLS), "\n\n1.7 s, every 1 s; CPU 0-1, Big\n", "2.0 s" },
		{ RUN(steps, SYMBOLS, "--interval-count", "1"), "1.0 s, every 1 s; ", "1.7 s" },
		{ RUN(whole, SYMBOLS), "1.0 s, every 1 s; ", "\n\n1" },
		{ RUN(none, "--by", "pid"), "0.3 s, every 1 s; CPU 0-1, Big\n"
		  "cycles: 0 interrupts, 997 a second or so, for 0\n", "%  " },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		assert_non_null(strstr(all[i].said, all[i].end));
		assert_null(strstr(all[i].said, all[i].no));
		free(all[i].said);
	}
}

/* Each CPU tells all that it has lost until now. There is no CPU 2 in this session. */
TEST(losses_of_all_cpus_are_added_up)
{
	const struct step steps[] = {
		{ 100, first, 1, .lost = 4, .flags = BPMU_SAMPLE_DISTURBED },
		{ 200, .lost = 5 }, { 300, .lost = 7, .cpu = 1 },
		{ 400, .lost = 9, .cpu = 2 }, { 1000, .round = true },
	};
	static const char *const lost[] = {
		"1.0 s, every 1 s, 12 interrupts lost, disturbed: CPU 0; CPU 0-1, Big\n", NULL
	};

	unit_says(RUN(steps, SYMBOLS), lost);
}

TEST(hidden_addresses_of_the_kernel_are_told)
{
	const struct step steps[] = {
		{ 100, first, 2, .kernel = true }, { 1000, .round = true },
	};
	static const char *const hidden[] = {
		"1.0 s, every 1 s, kernel hidden (kptr_restrict); CPU 0-1, Big\n",
		"100.00 %   34.24 100.00 %           2   [kernel, hidden]\n", NULL
	};

	unit_says(RUN(steps, "--by", "symbol"), hidden);
}

/* What is known of many processes is freed, and found again. */
TEST(processes_come_and_go)
{
	const struct step steps[] = {
		{ 100, first, 1, .others = 1100 }, { 1000, .round = true },
		{ 1100, first, 1 }, { 2000, .round = true },
	};
	char *said = RUN(steps, SYMBOLS), *rest = strstr(said, "2.0 s");

	assert_non_null(strstr(said, "cycles:u: 1,101 interrupts, "));
	assert_non_null(rest);
	assert_non_null(strstr(rest, "   1   unit_capture_begin [test_top_by_run]\n"));
	free(said);
}

TEST(what_cannot_be_measured_is_refused)
{
	struct bpmu_error err;

	refused = -EBUSY;
	err = refusal(SYMBOLS);
	assert_string_equal(err.text, "process 7 measures");
	refused = -EIO;
	err = refusal(SYMBOLS);
	assert_string_equal(err.text, "the module refuses");
	refused = 0;
	err = refusal("--by", "symbol", "-e", "cycles,instructions");
	assert_string_equal(err.text, "-e: 2 events; --by shows one, choose it, or use record -e and report --by");
}
