/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Places as a table, a row for each.
 */
#ifndef BPMU_REPORT_BY_PRINT_H
#define BPMU_REPORT_BY_PRINT_H

#include "replay/report_by.h"
#include "stat.h"

void bpmu_by_print(const struct bpmu_stat *stat,
		   const struct bpmu_interval *interval);
void bpmu_by_print_limits(FILE *out, const struct bpmu_rows *rows,
			  const struct bpmu_recording_about *about,
			  const struct bpmu_by *by);

#endif /* BPMU_REPORT_BY_PRINT_H */
