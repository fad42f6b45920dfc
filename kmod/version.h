/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_MODULE_VERSION_H
#define BPMU_MODULE_VERSION_H

/* version for code built into the kernel, where THIS_MODULE is NULL and has no version */
#define BPMU_MODULE_VERSION "0.1"

#endif /* BPMU_MODULE_VERSION_H */
