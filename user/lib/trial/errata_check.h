/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Does this machine count wrongly? Loops of known length tell.
 */
#ifndef BPMU_ERRATA_CHECK_H
#define BPMU_ERRATA_CHECK_H

#include "errata_test.h"

int bpmu_errata_loops(struct bpmu_errata_check *check, struct bpmu_error *err);
int bpmu_errata_wraps(struct bpmu_errata_check *check, struct bpmu_error *err);
int bpmu_errata_stalls(struct bpmu_errata_check *check, struct bpmu_error *err);
int bpmu_errata_siblings(struct bpmu_errata_check *check,
			 struct bpmu_error *err);
int bpmu_errata_check(struct bpmu_errata_check *check, struct bpmu_error *err);

#endif /* BPMU_ERRATA_CHECK_H */
