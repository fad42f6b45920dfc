/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory channels, home agents or M2Ms, and links of Intel's servers, each a PCI device with
 * counters.
 */
#ifndef VPMU_IMC_H
#define VPMU_IMC_H

#include "machine/cpu.h"

/* numbers of boxes: twelve channels, four home agents, three links */
#define VPMU_AGENT 12
#define VPMU_LINK 16
#define VPMU_BOXES 19
/* the first of a box's registers in configuration space */
#define VPMU_IMC_FIRST 0xa0

struct vpmu_imc_layout;

/**
 * struct vpmu_imc_part - where a part has what
 * @ubox: identifier of the device that tells the package
 * @ubox_bus: number of its bus in the first package
 * @ubox_devfn: where it is there
 * @ubox_node: its register of the package's node
 * @ubox_map: that of the nodes of packages
 * @bus: number of the bus of all other devices in the first package
 * @capabilities: identifier of the device that tells which CHAs are in use, or 0
 * @box: identifiers of the boxes' devices and where on the bus they are
 * @freeze_enable: the control has a bit that allows the freeze
 * @invert: a select has a bit that inverts
 * @agent: where an M2M has its registers, in the extended configuration space; NULL for a
 *	home agent
 * @link: where a UPI link has them there; NULL for a QPI link
 * @memory: identifier of the device that tells where in memory those of the channels are,
 *	which then are none of @box; or 0
 * @memory_devfn: where it is on @bus
 * @told: that device has a discovery table instead, see told.c
 */
struct vpmu_imc_part {
	uint16_t ubox;
	uint8_t ubox_bus;
	uint8_t ubox_devfn;
	uint8_t ubox_node;
	uint8_t ubox_map;
	uint8_t bus;
	uint16_t capabilities;
	struct {
		uint16_t device;
		uint8_t devfn;
	} box[VPMU_BOXES];
	bool freeze_enable;
	bool invert;
	const struct vpmu_imc_layout *agent;
	const struct vpmu_imc_layout *link;
	uint16_t memory;
	uint8_t memory_devfn;
	bool told;
};

extern const struct vpmu_imc_part vpmu_jkt_imc;
extern const struct vpmu_imc_part vpmu_ivt_imc;
extern const struct vpmu_imc_part vpmu_hsx_imc;
extern const struct vpmu_imc_part vpmu_bdx_imc;
extern const struct vpmu_imc_part vpmu_skx_imc;
extern const struct vpmu_imc_part vpmu_icx_imc;
extern const struct vpmu_imc_part vpmu_spr_imc;

void vpmu_imc_init(void);
void vpmu_imc_lose(void);
unsigned int vpmu_imc_boxes(unsigned int package);
uint32_t vpmu_imc_read(struct vpmu_cpu *cpu, unsigned int package,
		       unsigned int box, unsigned int offset);
void vpmu_imc_write(struct vpmu_cpu *cpu, unsigned int package,
		    unsigned int box, unsigned int offset, uint32_t value);
uint32_t vpmu_imc_told(unsigned int package, unsigned int offset);
void vpmu_imc_happen(const struct vpmu_cpu *cpu, uint32_t what, uint32_t reads,
		     uint32_t count);

#endif /* VPMU_IMC_H */
