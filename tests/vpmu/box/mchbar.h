/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Free-running counters of the memory controllers of Intel's clients.
 */
#ifndef VPMU_MCHBAR_H
#define VPMU_MCHBAR_H

#include <stdbool.h>

#include "machine/cpu.h"

/**
 * struct vpmu_mchbar_part - memory controllers of a CPU model
 * @device: PCI device ID of the host bridge
 * @base: offset in MCHBAR of the counters of 64 bits; 0 if they have 32 bits
 */
struct vpmu_mchbar_part {
	uint16_t device;
	uint16_t base;
};

extern const struct vpmu_mchbar_part vpmu_snb_mchbar;
extern const struct vpmu_mchbar_part vpmu_ivb_mchbar;
extern const struct vpmu_mchbar_part vpmu_hsw_mchbar;
extern const struct vpmu_mchbar_part vpmu_bdw_mchbar;
extern const struct vpmu_mchbar_part vpmu_skl_mchbar;
extern const struct vpmu_mchbar_part vpmu_icl_mchbar;
extern const struct vpmu_mchbar_part vpmu_rkl_mchbar;
extern const struct vpmu_mchbar_part vpmu_tgl_mchbar;
extern const struct vpmu_mchbar_part vpmu_adl_mchbar;
extern const struct vpmu_mchbar_part vpmu_mtl_mchbar;

void vpmu_mchbar_init(void);
bool vpmu_mchbar_at(unsigned int bus, unsigned int devfn);
uint32_t vpmu_mchbar_config(unsigned int offset);
void vpmu_mchbar_config_set(unsigned int offset, uint32_t value);
bool vpmu_mchbar_move(uint32_t offset, uint64_t by, bool set);

#endif /* VPMU_MCHBAR_H */
