/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_VENDOR_CONSTANT_H
#define BPMU_VENDOR_CONSTANT_H

#include <stdbool.h>

const char *bpmu_vendor_constant_text(const char *name, bool ticks);

#endif /* BPMU_VENDOR_CONSTANT_H */
