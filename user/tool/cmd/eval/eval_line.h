/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_EVAL_LINE_H
#define BPMU_EVAL_LINE_H

#include "eval.h"
#include "eval_record.h"

/* maximum number of fields in a line of "stat -x" or "perf stat -x", which has a single count */
#define BPMU_EVAL_RECORD_FIELDS 32

__printf(4, 5)
int bpmu_eval_wrong(struct bpmu_eval *eval, const struct bpmu_eval_input *in,
		    unsigned int column, const char *fmt, ...);
unsigned int bpmu_eval_split(char *line, char separator, struct bpmu_csv_field *field,
			     unsigned int most);
char bpmu_eval_separator(const char *line);
bool bpmu_eval_read_count(const char *text, double *number);
int bpmu_eval_add_record(struct bpmu_eval *eval, const struct bpmu_eval_input *in,
			 struct bpmu_eval_sets *sets,
			 const struct bpmu_eval_record *record);

#endif /* BPMU_EVAL_LINE_H */
