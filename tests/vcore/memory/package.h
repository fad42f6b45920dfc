/* SPDX-License-Identifier: GPL-2.0 */
/* Limits and units of a package. */
#ifndef VCORE_PACKAGE_H
#define VCORE_PACKAGE_H

/* Presence masks have one bit per core. */
#define VCORE_MAX_CORES 64
/* Units per cycle in which transfers of lines are timed. */
#define VCORE_INTERVAL_UNITS 16

#endif /* VCORE_PACKAGE_H */
