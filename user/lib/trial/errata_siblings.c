// SPDX-License-Identifier: GPL-2.0
/*
 * The two threads of a core: while one loads, the other one, which is busy with
 * nothing, counts what it does not do on the counter of the same index.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cpulist.h"
#include "errata_check.h"
#include "event/smt.h"

#define ROUNDS 2000

static int find_sibling(u32 cpu, int *sibling, struct bpmu_error *err)
{
	struct bpmu_cpulist online;
	unsigned int i;
	int code;

	*sibling = -1;
	code = bpmu_cpulist_online(&online, err);
	if (code)
		return code;
	for (i = 0; i < online.nr && *sibling < 0; i++)
		if (online.cpu[i] != cpu &&
		    bpmu_smt_siblings(cpu, online.cpu[i]))
			*sibling = online.cpu[i];
	bpmu_cpulist_free(&online);
	return 0;
}

static void child(u32 cpu, pid_t parent)
{
	struct bpmu_error ignored;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent || bpmu_trial_pin(cpu, &ignored))
		_exit(1);
	bpmu_bench_rest();
}

static pid_t keep_busy(u32 cpu, struct bpmu_error *err)
{
	pid_t parent = getpid();
	pid_t pid = fork();

	if (!pid)
		child(cpu, parent);
	if (pid < 0)
		return bpmu_error_set(err, -errno,
			"errata: cannot start a process: %s; try again later",
			strerror(errno));
	return pid;
}

static void siblings_note(struct bpmu_deviation *deviation,
			  const struct bpmu_trial_counts *with,
			  const struct bpmu_trial_counts *without)
{
	bpmu_deviation_add(deviation,
			   (double)with->other[1] - (double)without->other[1],
			   (double)with->own[0] - (double)without->own[0]);
}

static int siblings_run_trials(struct bpmu_errata_check *check,
			       struct bpmu_errata_test *test, struct bpmu_error *err)
{
	struct bpmu_trial_counts with, without;
	unsigned int i;
	int code = 0;

	for (i = 0; i < check->trials && !code; i++) {
		bpmu_progress_part(&check->progress, 0);
		code = bpmu_trial_run(&check->trial, &bpmu_bench_copy, 0,
				      false, &without, err);
		if (!code)
			code = bpmu_trial_run(&check->trial, &bpmu_bench_copy,
					      ROUNDS, false, &with, err);
		if (!code)
			siblings_note(&test->deviation, &with, &without);
	}
	return code;
}

/*
 * Each thread has loads on one of two counters and on the other one an event
 * that a loop without memory never has; they are crossed.
 */
static bool count_crossed(struct bpmu_errata_check *check)
{
	static const char *const loads[] = {
		"MEM_UOPS_RETIRED.ALL_LOADS", "MEM_INST_RETIRED.ALL_LOADS", NULL
	};
	static const char *const misses[] = { "LONGEST_LAT_CACHE.MISS", NULL };
	u64 load_select, miss_select, load_counters, miss_counters;
	const char *load, *miss;

	if (!bpmu_errata_event(check, loads, &load_select, &load_counters,
			       &load) ||
	    !bpmu_errata_event(check, misses, &miss_select, &miss_counters,
			       &miss) ||
	    (load_counters & miss_counters & 3) != 3)
		return false;
	bpmu_trial_count(&check->trial, load, load_select, 0, 1);
	bpmu_trial_count(&check->trial, miss, miss_select, 1, 0);
	return true;
}

static int cross(struct bpmu_errata_check *check, struct bpmu_error *err)
{
	struct bpmu_errata_test *test;
	pid_t busy;
	int code;

	check->trial.config.check = BPMU_CHECK_LEAK;
	code = bpmu_trial_begin(&check->trial, err);
	if (code)
		return code;
	test = bpmu_errata_add(check, BPMU_SIGN_LEAK, 0, "load");
	busy = keep_busy(check->trial.sibling, err);
	if (busy < 0)
		return busy;
	code = siblings_run_trials(check, test, err);
	kill(busy, SIGKILL);
	waitpid(busy, NULL, 0);
	return code ? code : bpmu_trial_end(&check->trial, err);
}

/**
 * bpmu_errata_siblings() - do counts of one thread reach the other one
 * @check: the call
 * @err: filled on an error
 *
 * Runs on the trial's CPU.
 * Return: 0 or a negative errno.
 */
int bpmu_errata_siblings(struct bpmu_errata_check *check,
			 struct bpmu_error *err)
{
	int sibling = -1;
	int code = 0;

	bpmu_trial_clear(&check->trial);
	if (check->smt)
		code = find_sibling(check->trial.cpu, &sibling, err);
	if (code)
		return code;
	if (sibling < 0) {
		bpmu_errata_skip(check,
				 "siblings: no other thread of this core is online");
		return 0;
	}
	if (!count_crossed(check)) {
		bpmu_errata_skip(check,
				 "siblings: no event of this CPU model is known to leak");
		return 0;
	}
	check->trial.sibling = sibling;
	return cross(check, err);
}
