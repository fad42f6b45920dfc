/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_REPORT_SHARES_H
#define BPMU_REPORT_SHARES_H

#include <stdio.h>

#include "options.h"
#include "replay/report_replay.h"

/**
 * struct bpmu_event_shares - where an event interrupted
 * @by: its entries
 * @shares: what is of all its entries
 */
struct bpmu_event_shares {
	struct bpmu_by by;
	struct bpmu_shares shares;
};

void bpmu_report_folded(FILE *out, const struct bpmu_by *by);
void bpmu_report_shares(FILE *out, const struct bpmu_options *options,
			const struct bpmu_event_shares *events, unsigned int nr);

#endif /* BPMU_REPORT_SHARES_H */
