/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory channels of Intel's servers, each a PCI device with counters.
 */
#ifndef VPMU_IMC_H
#define VPMU_IMC_H

#include "vpmu.h"

#define VPMU_CHANNELS 8
/* the first of a channel's registers */
#define VPMU_IMC_FIRST 0xa0

/**
 * struct vpmu_imc_part - where a part has what
 * @ubox: identifier of the device that tells the package
 * @channel: identifiers of the channels' devices and where on the bus they are
 * @freeze_enable: the control has a bit that allows the freeze
 * @invert: a select has a bit that inverts
 */
struct vpmu_imc_part {
	uint16_t ubox;
	struct {
		uint16_t device;
		uint8_t devfn;
	} channel[VPMU_CHANNELS];
	bool freeze_enable;
	bool invert;
};

unsigned int vpmu_imc_channels(unsigned int package);
uint32_t vpmu_imc_read(struct vpmu_cpu *cpu, unsigned int package,
		       unsigned int channel, unsigned int offset);
void vpmu_imc_write(struct vpmu_cpu *cpu, unsigned int package,
		    unsigned int channel, unsigned int offset, uint32_t value);

#endif /* VPMU_IMC_H */
