// SPDX-License-Identifier: GPL-2.0
#include "repeat.h"

#include <errno.h>
#include <string.h>

#include "count/runs.h"
#include "recording_session.h"
#include "replay/report_progress.h"

#define REPEAT_MAX 1000000U

/*
 * Limits of -r auto, which repeats the command until each group of events has been counted often
 * enough. The command is run at most AUTO_RUNS times, and no run begins after AUTO_SECONDS. Without
 * limits the command might be repeated forever: a group on an idle CPU may never be counted often
 * enough.
 */
#define AUTO_RUNS 1000
#define AUTO_SECONDS 60

/* least exit status of a command that could not be executed, or was killed */
#define STATUS_NOT_RUN 126

/**
 * bpmu_repeat_take() - parse the option -r, which repeats a command
 * @value: value of the option: a number or "auto"
 * @repeat: output: the number, or %BPMU_REPEAT_AUTO
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

/**
 * bpmu_repeat_check() - refuse -r without a command to repeat, together with -I, or while recording
 * @repeat: value of -r, or 0
 * @options: options of the subcommand, checked by bpmu_options_check()
 *
 * Return: 0 or -EINVAL.
 */
int bpmu_repeat_check(unsigned int repeat, const struct bpmu_options *options,
		      struct bpmu_error *err)
{
	if (!repeat || (options->argv && !options->interval_ns && !options->recorder))
		return 0;
	return bpmu_error_set(err, -EINVAL,
		"-r: repeats a command, without -I, and is not recorded; name the command, or leave -r out");
}

static void repeat_gather(void *runs, const struct bpmu_interval *interval)
{
	bpmu_runs_add(runs, interval);
}

static bool repeat_enough(unsigned int repeat, const struct bpmu_measure *measure,
			  const struct bpmu_runs *runs)
{
	struct bpmu_interval of = runs->sum;
	unsigned int k;

	if (repeat != BPMU_REPEAT_AUTO)
		return runs->nr >= repeat;
	if (!runs->nr)
		return false;
	if (runs->nr >= AUTO_RUNS || of.duration >= AUTO_SECONDS)
		return true;
	for (k = 0; k < bpmu_measure_core_types(measure); k++) {
		if (k)
			of = bpmu_interval_behind(&of, bpmu_measure_cpus(measure, k - 1),
						  measure->groups[k - 1]);
		if (!bpmu_runs_enough(&of, measure->groups[k], bpmu_measure_cpus(measure, k)))
			return false;
	}
	return true;
}

static void repeat_progress(unsigned int repeat, struct bpmu_progress *progress,
			    unsigned int done)
{
	if (repeat == BPMU_REPEAT_AUTO)
		bpmu_progress_time(progress, 0);
	else
		bpmu_progress_fraction(progress, (double)done / repeat);
}

/**
 * bpmu_repeat_run() - repeat a measured command, and sum the counts of all runs
 * @repeat: number of runs, or %BPMU_REPEAT_AUTO; 0 to measure without -r
 * @options: options of the subcommand
 * @targets: open targets (CPUs to measure), [core type]; NULL after the last
 * @measure: parameters of the measurement of a run. If @repeat is not 0, @measure->emit is called
 *	once, with the sum of the counts of all runs
 * @done: output, if @repeat is not 0: number of runs that were measured; it is set before
 *	@measure->emit is called
 * @status: output: exit status of the command in the last run
 *
 * If the command cannot be executed or is killed, it is not run again.
 */
int bpmu_repeat_run(unsigned int repeat, const struct bpmu_options *options,
		    const struct bpmu_target *const targets[BPMU_CORE_TYPES],
		    const struct bpmu_measure *measure, unsigned int *done,
		    int *status, struct bpmu_error *err)
{
	struct bpmu_measure m = *measure;
	struct bpmu_progress progress;
	struct bpmu_runs runs;
	unsigned int k, begun;
	size_t cells = 0;
	int code = 0;

	if (!repeat)
		return bpmu_session_run(options, targets, measure, status, err);
	for (k = 0; k < bpmu_measure_core_types(measure); k++)
		cells += (size_t)bpmu_measure_cpus(measure, k) * measure->groups[k]->slots;
	bpmu_runs_init(&runs, cells, measure->nr_cpus);
	m.emit = repeat_gather;
	m.data = &runs;
	bpmu_progress_begin(&progress, "repeating");
	for (begun = 0; !code && *status < STATUS_NOT_RUN && begun < REPEAT_MAX; begun++) {
		if (repeat_enough(repeat, measure, &runs))
			break;
		repeat_progress(repeat, &progress, begun);
		code = bpmu_session_run(options, targets, &m, status, err);
		if (!code && runs.failed)
			code = bpmu_error_no_memory(err, "-r");
	}
	bpmu_progress_end(&progress);
	if (!code && runs.nr) {
		*done = runs.nr;
		measure->emit(measure->data, &runs.sum);
	}
	bpmu_runs_free(&runs);
	return code;
}
