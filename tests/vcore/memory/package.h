/* SPDX-License-Identifier: GPL-2.0 */
/* Constants of a package of cores. */
#ifndef VCORE_PACKAGE_H
#define VCORE_PACKAGE_H

/* Maximum number of cores of a package: a mask of cores has 64 bits. */
#define VCORE_MAX_CORES 64
/* Transfers of lines are timed in this fraction of a cycle: 1 / VCORE_INTERVAL_UNITS. */
#define VCORE_INTERVAL_UNITS 16

#endif /* VCORE_PACKAGE_H */
