/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_MODULE_VERSION_H
#define BPMU_MODULE_VERSION_H

/*
 * Version that netlink reports: THIS_MODULE->version cannot be used, because THIS_MODULE is NULL in
 * code that is built into the kernel
 */
#define BPMU_MODULE_VERSION "0.1"

#endif /* BPMU_MODULE_VERSION_H */
