/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Discovery tables of Intel's servers from Sapphire Rapids on. In such a table firmware lists the
 * uncore units of a package, and the addresses of the units' counters. A DVSEC of a PCI device (a
 * vendor-specific capability) points to the table. The module reads the tables once, when it is
 * loaded. arch/discovery.c checks each record, and the log names each unit that is refused.
 */
#ifndef BPMU_DISCOVERY_H
#define BPMU_DISCOVERY_H

#include "arch.h"

void bpmu_discovery_find(const struct bpmu_part *part);
const struct bpmu_part *bpmu_discovery_part(const struct bpmu_part *part);

#endif /* BPMU_DISCOVERY_H */
