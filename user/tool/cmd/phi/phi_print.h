/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The state of "barepmu phi", and its output.
 */
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
 * struct bpmu_phi - a call of "barepmu phi"
 * @options: common options
 * @settings: constants of the formulas
 * @scope: aggregation of a row: thread, core or card
 * @groups: only print the event groups
 * @repeat: number of runs of -r, %BPMU_REPEAT_AUTO, or 0 without it
 * @runs: with @repeat, number of runs that were measured
 * @target: CPUs to measure, and the PMU
 * @method: the metrics
 * @passes: groups of the events that the metrics need
 * @cores: assigns CPUs to cores
 * @rows: rows of the result
 * @thread: counts per CPU, [nr_cpus]
 * @flagged: whether a metric was flagged in any row, [nr metrics]
 * @lost: samples lost so far
 * @flaws: flaws of the samples so far
 * @out: output
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
