/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a package has at most, and how finely its time is divided.
 */
#ifndef VCORE_PACKAGE_H
#define VCORE_PACKAGE_H

/* one bit a core says who has a line */
#define VCORE_MAX_CORES 64
/* units of vcore_shared_interval() a cycle */
#define VCORE_INTERVAL_UNITS 16

#endif /* VCORE_PACKAGE_H */
