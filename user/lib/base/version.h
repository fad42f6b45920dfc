/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_VERSION_H
#define BPMU_VERSION_H

/* version of the tool and of the library; the module has the same */
#define BPMU_VERSION "0.1"

#endif /* BPMU_VERSION_H */
