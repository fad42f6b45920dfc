/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_VERSION_H
#define BPMU_VERSION_H

/* Version of the tool and of the library. The module has the same version. */
#define BPMU_VERSION "0.1"

#endif /* BPMU_VERSION_H */
