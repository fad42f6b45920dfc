/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Computes counts that metrics need but that the input of "barepmu eval" lacks, from other counts
 * that the input has.
 */
#ifndef BPMU_EVAL_DERIVE_H
#define BPMU_EVAL_DERIVE_H

#include "eval.h"

bool bpmu_eval_derives(const char *name);
void bpmu_eval_derive_from(const struct bpmu_eval *eval,
			   struct bpmu_eval_source *source,
			   const struct bpmu_event_spec *spec);
double bpmu_eval_derive(const struct bpmu_eval *eval,
			const struct bpmu_eval_source *source,
			const struct bpmu_eval_count *counts);

#endif /* BPMU_EVAL_DERIVE_H */
