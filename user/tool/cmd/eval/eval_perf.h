/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_EVAL_PERF_H
#define BPMU_EVAL_PERF_H

#include <jansson.h>

#include "eval_line.h"

bool bpmu_eval_is_perf(const struct bpmu_csv_field *field, unsigned int nr);
int bpmu_eval_read_perf(struct bpmu_eval *eval, struct bpmu_eval_input *in,
			char separator);
bool bpmu_eval_is_perf_json(const char *line);
int bpmu_eval_read_perf_json(struct bpmu_eval *eval, struct bpmu_eval_input *in);

#endif /* BPMU_EVAL_PERF_H */
