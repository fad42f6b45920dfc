// SPDX-License-Identifier: GPL-2.0
#include "repeat.h"

#include <errno.h>
#include <string.h>

#include "count/runs.h"
#include "recording_session.h"
#include "replay/report_progress.h"

#define REPEAT_MAX 1000000U

/*
 * -r auto ends after as many runs, or after this time, whatever comes first: a CPU that
 * sleeps all the time may never have enough slices.
 */
#define AUTO_RUNS 1000
#define AUTO_SECONDS 60

/* exit statuses from here on: the command could not be executed, or was killed */
#define STATUS_NOT_RUN 126

/**
 * bpmu_repeat_take() - read the value of -r
 * @value: a number or "auto"
 * @repeat: set to the number, or to %BPMU_REPEAT_AUTO
 *
 * Return: 0 or -EINVAL.
 */
int bpmu_repeat_take(const char *value, unsigned int *repeat, struct bpmu_error *err)
{
	int code;

	if (!strcmp(value, "auto")) {
		*repeat = BPMU_REPEAT_AUTO;
		return 0;
	}
	code = bpmu_options_number("-r", value, 1, REPEAT_MAX, repeat, err);
	return code ? bpmu_error_set(err, code,
			"-r '%s': neither auto nor a number from 1 to %u; write one",
			value, REPEAT_MAX) : 0;
}

static void repeat_gather(void *runs, const struct bpmu_interval *interval)
{
	bpmu_runs_add(runs, interval);
}

static bool repeat_enough(const struct bpmu_topdown *t, const struct bpmu_runs *runs)
{
	struct bpmu_interval of = runs->sum;
	unsigned int k;

	if (t->repeat != BPMU_REPEAT_AUTO)
		return runs->nr >= t->repeat;
	if (!runs->nr)
		return false;
	if (runs->nr >= AUTO_RUNS || of.duration >= AUTO_SECONDS)
		return true;
	for (k = 0; k <= t->others; k++) {
		if (k)
			of = bpmu_interval_behind(&of, t[k - 1].target.cpus.nr,
						  &t[k - 1].tree.groups);
		if (!bpmu_runs_enough(&of, &t[k].tree.groups, t[k].target.cpus.nr))
			return false;
	}
	return true;
}

static void repeat_progress(const struct bpmu_topdown *t, struct bpmu_progress *progress,
			    unsigned int done)
{
	if (t->repeat == BPMU_REPEAT_AUTO)
		bpmu_progress_time(progress, 0);
	else
		bpmu_progress_fraction(progress, (double)done / t->repeat);
}

/**
 * bpmu_repeat_run() - run the command several times and print the tree of all runs
 * @topdown: calls with @repeat, [core types]
 * @targets: open targets, [core type]; NULL after the last
 * @measure: parameters of the measurement of a run; @emit and @data are not used
 * @status: set to the exit status of the last run
 *
 * It ends early if the command cannot be executed or is killed.
 */
int bpmu_repeat_run(struct bpmu_topdown *topdown,
		    const struct bpmu_target *const targets[BPMU_CORE_TYPES],
		    const struct bpmu_measure *measure, int *status,
		    struct bpmu_error *err)
{
	struct bpmu_topdown *t = topdown;
	struct bpmu_measure m = *measure;
	struct bpmu_progress progress;
	struct bpmu_runs runs;
	unsigned int k, done;
	size_t cells = 0;
	int code = 0;

	for (k = 0; k <= t->others; k++)
		cells += (size_t)t[k].target.cpus.nr * t[k].tree.groups.slots;
	bpmu_runs_init(&runs, cells, measure->nr_cpus);
	m.emit = repeat_gather;
	m.data = &runs;
	bpmu_progress_begin(&progress, "repeating");
	for (done = 0; !code && *status < STATUS_NOT_RUN && done < REPEAT_MAX; done++) {
		if (repeat_enough(t, &runs))
			break;
		repeat_progress(t, &progress, done);
		code = bpmu_session_run(&t->options, targets, &m, status, err);
		if (!code && runs.failed)
			code = bpmu_error_no_memory(err, "-r");
	}
	bpmu_progress_end(&progress);
	if (!code && runs.nr) {
		for (k = 0; k <= t->others; k++)
			t[k].runs = runs.nr;
		bpmu_topdown_interval(t, &runs.sum);
	}
	bpmu_runs_free(&runs);
	return code;
}
