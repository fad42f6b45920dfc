/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_VENDOR_CONSTANT_H
#define BPMU_VENDOR_CONSTANT_H

const char *bpmu_vendor_constant_text(const char *name);

#endif /* BPMU_VENDOR_CONSTANT_H */
