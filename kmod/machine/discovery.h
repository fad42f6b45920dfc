/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Discovery tables of Intel's servers from Sapphire Rapids on, in which firmware says where the
 * units of a package have their counters. A table is found by the PCI device that has it, and
 * read once, when the module is loaded; see arch/discovery.c on what is believed of it.
 *
 * What is not counted in is named in the log.
 */
#ifndef BPMU_DISCOVERY_H
#define BPMU_DISCOVERY_H

#include "arch.h"

void bpmu_discovery_find(const struct bpmu_part *part);
const struct bpmu_part *bpmu_discovery_part(const struct bpmu_part *part);

#endif /* BPMU_DISCOVERY_H */
