/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_ANNOTATION_PRINT_H
#define BPMU_ANNOTATION_PRINT_H

#include "annotation.h"
#include "options.h"

void bpmu_annotation_print(FILE *out, const struct bpmu_options *options,
			   const struct bpmu_annotation *annotation,
			   const struct bpmu_shares *shares);

#endif /* BPMU_ANNOTATION_PRINT_H */
