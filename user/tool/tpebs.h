/* SPDX-License-Identifier: GPL-2.0 */
/* The option --record-tpebs, by which formulas get the retire latencies of this very program. */
#ifndef BPMU_TPEBS_H
#define BPMU_TPEBS_H

#include "command.h"
#include "source/analysis.h"

int bpmu_tpebs_check(const struct bpmu_options *options, const struct bpmu_choice *choice,
		     struct bpmu_error *err);
int bpmu_tpebs_measure(const struct bpmu_ctx *ctx, const struct bpmu_options *options,
		       const struct bpmu_analysis *analysis, char **latencies,
		       struct bpmu_error *err);
void bpmu_tpebs_remove(char *latencies);

#endif /* BPMU_TPEBS_H */
