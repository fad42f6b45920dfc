/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Symptoms of errata: their description, and the published errata with each symptom.
 */
#ifndef BPMU_ERRATA_SIGN_H
#define BPMU_ERRATA_SIGN_H

#include "errata_facts.h"
#include "tree/errata.h"

const char *bpmu_errata_sign_name(enum bpmu_erratum_sign sign);
const char *bpmu_errata_sign_text(enum bpmu_erratum_sign sign);
void bpmu_errata_with_sign(const struct bpmu_errata_cpu *cpu,
			   enum bpmu_erratum_sign sign,
			   struct bpmu_errata *errata);

#endif /* BPMU_ERRATA_SIGN_H */
