/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counters of the memory controllers of Intel's clients, memory-mapped at MCHBAR.
 */
#ifndef VPMU_MCHBAR_H
#define VPMU_MCHBAR_H

#include <stdbool.h>

#include "machine/cpu.h"

/**
 * struct vpmu_mchbar_part - counters of a client CPU model's memory controllers, in MCHBAR
 * @device: PCI device ID of the host bridge
 * @base: offset in MCHBAR of the 64-bit free-running counters; 0 if the counters have 32 bits
 * @box: offset in MCHBAR of the first memory controller's PMU box; 0 if there are no PMU boxes
 */
struct vpmu_mchbar_part {
	uint16_t device;
	uint16_t base;
	uint16_t box;
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
void vpmu_mchbar_lose(void);
bool vpmu_mchbar_at(unsigned int bus, unsigned int devfn);
uint32_t vpmu_mchbar_config(unsigned int offset);
void vpmu_mchbar_config_set(unsigned int offset, uint32_t value);
bool vpmu_mchbar_move(uint32_t offset, uint64_t by, bool set);
void vpmu_mchbar_happen(const struct vpmu_cpu *cpu, uint32_t what, uint32_t detail,
			uint32_t count);

#endif /* VPMU_MCHBAR_H */
