/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_METRIC_LINE_H
#define BPMU_METRIC_LINE_H

#include "metric.h"
#include "metric_expr.h"

/**
 * enum bpmu_line_kind - what a line does
 * @BPMU_LINE_NODE: NAME = EXPRESSION
 * @BPMU_LINE_DEFINITION: NAME := EXPRESSION
 * @BPMU_LINE_MENTION: NAME, a node of the method that the file extends
 */
enum bpmu_line_kind {
	BPMU_LINE_NODE,
	BPMU_LINE_DEFINITION,
	BPMU_LINE_MENTION
};

int bpmu_line_parse(struct bpmu_text *text, bool mentions,
		    struct bpmu_metric *m, enum bpmu_line_kind *kind);
void bpmu_line_free(struct bpmu_metric *m);

#endif /* BPMU_METRIC_LINE_H */
