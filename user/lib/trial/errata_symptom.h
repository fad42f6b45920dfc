/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Symptoms of errata: descriptions for the user, and the published errata with each symptom.
 */
#ifndef BPMU_ERRATA_SYMPTOM_H
#define BPMU_ERRATA_SYMPTOM_H

#include "errata_facts.h"
#include "tree/errata.h"

const char *bpmu_errata_symptom_name(enum bpmu_erratum_symptom symptom);
const char *bpmu_errata_symptom_text(enum bpmu_erratum_symptom symptom);
void bpmu_errata_with_symptom(const struct bpmu_errata_cpu *cpu,
			      enum bpmu_erratum_symptom symptom,
			      struct bpmu_errata *errata);

#endif /* BPMU_ERRATA_SYMPTOM_H */
