/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_REPORT_SHARES_H
#define BPMU_REPORT_SHARES_H

#include <stdio.h>

#include "options.h"
#include "replay/report_replay.h"

void bpmu_report_folded(FILE *out, const struct bpmu_by *by);
void bpmu_report_shares(FILE *out, const struct bpmu_options *options,
			const struct bpmu_event_shares *events, unsigned int nr);

#endif /* BPMU_REPORT_SHARES_H */
