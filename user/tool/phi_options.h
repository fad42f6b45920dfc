/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Options for Xeon Phi (Knights Corner), by which the user states facts about the program and the
 * machine that cannot be found by counting.
 */
#ifndef BPMU_PHI_OPTIONS_H
#define BPMU_PHI_OPTIONS_H

#include "base/error.h"
#include "count/phi.h"

int bpmu_phi_take_element(struct bpmu_phi_settings *settings, const char *text,
			  struct bpmu_error *err);
int bpmu_phi_take_used(struct bpmu_phi_settings *settings, const char *text,
		       struct bpmu_error *err);
int bpmu_phi_take_pages(struct bpmu_phi_settings *settings, const char *text,
			struct bpmu_error *err);
int bpmu_phi_take_freq(struct bpmu_phi_settings *settings, const char *text,
		       struct bpmu_error *err);

#endif /* BPMU_PHI_OPTIONS_H */
