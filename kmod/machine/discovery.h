/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Discovery tables of Intel's servers from Sapphire Rapids on: firmware lists there the
 * uncore units of a package and the addresses of their counters. A DVSEC of a PCI device
 * points to the table, which the module reads once, when it is loaded. arch/discovery.c
 * checks each record; the log names each unit that is refused.
 */
#ifndef BPMU_DISCOVERY_H
#define BPMU_DISCOVERY_H

#include "arch.h"

void bpmu_discovery_find(const struct bpmu_part *part);
const struct bpmu_part *bpmu_discovery_part(const struct bpmu_part *part);

#endif /* BPMU_DISCOVERY_H */
