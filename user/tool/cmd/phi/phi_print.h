/* SPDX-License-Identifier: GPL-2.0 */
/* The options of "barepmu phi", its state while it runs, and its output. */
#ifndef BPMU_PHI_PRINT_H
#define BPMU_PHI_PRINT_H

#include <stdio.h>

#include "count/flaw.h"
#include "count/phi.h"
#include "event/rows.h"
#include "options.h"
#include "source/measure.h"
#include "source/target.h"

/**
 * struct bpmu_phi - options and state of "barepmu phi"
 * @options: common options
 * @settings: constants that the formulas of the metrics use
 * @scope: for what metrics are computed: each thread, each core or the whole card
 * @groups: measure nothing, only print which events are counted together
 * @repeat: value of the option -r: a number of runs, or %BPMU_REPEAT_AUTO; 0 without -r
 * @runs: with -r, number of runs that were measured
 * @target: CPUs to measure, and the PMU
 * @method: the metrics
 * @passes: event groups with the events that the metrics need
 * @cores: which core each CPU belongs to
 * @rows: rows of the output (threads, cores or the card), and the CPUs that belong to each
 * @thread: counts of each CPU, [nr_cpus]
 * @flagged: whether the metric was flagged for any thread or core, [nr metrics]
 * @lost: number of samples lost so far
 * @flaws: flaws of the measurement that samples have reported so far
 * @out: stream to which results are printed
 */
struct bpmu_phi {
	struct bpmu_options options;
	struct bpmu_phi_settings settings;
	enum bpmu_phi_scope scope;
	bool groups;
	unsigned int repeat;
	unsigned int runs;
	struct bpmu_target target;
	struct bpmu_phi_method method;
	struct bpmu_phi_passes passes;
	struct bpmu_rows cores;
	struct bpmu_rows rows;
	struct bpmu_phi_thread *thread;
	bool *flagged;
	u64 lost;
	struct bpmu_flaws flaws;
	FILE *out;
};

void bpmu_phi_print(struct bpmu_phi *phi, const struct bpmu_interval *interval);
void bpmu_phi_print_groups(const struct bpmu_phi *phi);

#endif /* BPMU_PHI_PRINT_H */
