/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What "barepmu phi" evaluates and how it is printed.
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
 * struct bpmu_phi - a call of the command
 * @options: shared ones
 * @settings: for the formulas
 * @scope: what a row is
 * @groups: print the groups, do not measure
 * @target: what it measures on
 * @metrics: the method
 * @passes: its events
 * @cores: which threads share a core
 * @rows: of the result
 * @thread: counts, by CPU position
 * @flagged: metrics that were flagged in some row
 * @lost: samples lost
 * @flaws: what samples said against the counts
 * @out: where results go
 */
struct bpmu_phi {
	struct bpmu_options options;
	struct bpmu_phi_settings settings;
	enum bpmu_phi_scope scope;
	bool groups;
	struct bpmu_target target;
	struct bpmu_metrics metrics;
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
