/* SPDX-License-Identifier: GPL-2.0 */
/* Limits and units of a package. */
#ifndef VCORE_PACKAGE_H
#define VCORE_PACKAGE_H

/* Maximum number of cores of a package: masks of cores have 64 bits. */
#define VCORE_MAX_CORES 64
/* Transfers of lines are timed in units of which a cycle has this many. */
#define VCORE_INTERVAL_UNITS 16

#endif /* VCORE_PACKAGE_H */
