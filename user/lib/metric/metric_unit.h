/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_METRIC_UNIT_H
#define BPMU_METRIC_UNIT_H

#include <stdbool.h>
#include <stddef.h>

#define BPMU_UNIT_LIST 320

const char *bpmu_unit_find(const char *name, size_t len);
const char *bpmu_unit_words(const char *unit);
bool bpmu_unit_is_share(const char *unit);
bool bpmu_unit_is_signed(const char *unit);
void bpmu_unit_list(char *list, size_t size);

#endif /* BPMU_METRIC_UNIT_H */
