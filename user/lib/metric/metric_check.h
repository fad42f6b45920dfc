/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_METRIC_CHECK_H
#define BPMU_METRIC_CHECK_H

#include "metric.h"

int bpmu_metrics_check(const struct bpmu_metrics *metrics,
		       struct bpmu_error *err);
int bpmu_metrics_check_names(const struct bpmu_metrics *metrics,
			     unsigned int file, const struct bpmu_part *part,
			     struct bpmu_error *err);
int bpmu_metrics_drop_missing(struct bpmu_metrics *metrics,
			      struct bpmu_error *err);

#endif /* BPMU_METRIC_CHECK_H */
