/* SPDX-License-Identifier: GPL-2.0 */
/*
 * PMUs of the memory channels, home agents or M2Ms, and QPI or UPI links of Intel's servers; on
 * Knights Landing, of the memory boxes and M2PCIe. The registers of a box are in a PCI device, or
 * memory-mapped.
 */
#ifndef VPMU_IMC_H
#define VPMU_IMC_H

#include "machine/cpu.h"

/*
 * Numbers of a package's boxes. 0 to 11: memory channels; 12 to 15: home agents or M2Ms; 16 to 18:
 * links. Only Knights Landing has further boxes. Each of the eight MCDRAM controllers has two
 * boxes: 19 to 26 count with the clock ECLK, 27 to 34 with the clock UCLK. 35 and 36: memory
 * controllers, with the clock UCLK. 37: M2PCIe.
 */
#define VPMU_AGENT 12
#define VPMU_LINK 16
#define VPMU_EDC_ECLK 19
#define VPMU_EDC_UCLK 27
#define VPMU_IMC_UCLK 35
#define VPMU_M2PCIE 37
#define VPMU_BOXES 38
/* lowest offset in PCI configuration space at which a box has registers */
#define VPMU_IMC_FIRST 0xa0

/* device and function number as one number: a function's place on its PCI bus */
#define VPMU_DEVFN(device, function) ((device) << 3 | (function))

struct vcore_traffic;
struct vpmu_imc_layout;
struct vpmu_discovered_part;

/**
 * struct vpmu_imc_part - memory channels, home agents and links of a CPU model
 * @ubox: PCI device ID of the UBox, whose registers have the node IDs of packages; 0 if the CPU
 *	model's UBox is no PCI device
 * @ubox_bus: bus of the UBox of the first package
 * @ubox_devfn: device and function of the UBox
 * @ubox_node: offset of the UBox's register with the node ID of the package
 * @ubox_map: offset of the UBox's register that maps node IDs to packages
 * @bus: bus of all devices of the first package other than the UBox
 * @capabilities: PCI device ID of the device that has the bitmap of enabled CHAs, or 0
 * @box: PCI device IDs, devices and functions of the boxes, [VPMU_BOXES]
 * @freeze_enable: bit 16 of the unit control enables its freeze bit
 * @invert: the event select has an invert bit
 * @channel: layout of a channel's registers. NULL: the layout of memory-mapped channels if @memory
 *	is not 0, otherwise that of Sandy Bridge's channels
 * @agent: layout of an M2M's registers; NULL if there are home agents instead
 * @link: layout of a UPI link's registers; NULL if there are QPI links instead
 * @memory: PCI device ID of the device that has the addresses of memory-mapped channels; 0 if
 *	channels are PCI devices, in @box
 * @memory_devfn: device and function of the device @memory on @bus
 * @irp: PCI device ID of an IRP without counters, or 0. Linux looks for the bus of this device
 * @irp_devfn: device and function of the IRP on @bus
 * @discovered: units of the CPU model's discovery table; the device @memory leads to the table.
 *	NULL if the CPU model has no such table
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
	const struct vpmu_imc_layout *channel;
	const struct vpmu_imc_layout *agent;
	const struct vpmu_imc_layout *link;
	uint16_t memory;
	uint8_t memory_devfn;
	uint16_t irp;
	uint8_t irp_devfn;
	const struct vpmu_discovered_part *discovered;
};

extern const struct vpmu_imc_part vpmu_jkt_imc;
extern const struct vpmu_imc_part vpmu_ivt_imc;
extern const struct vpmu_imc_part vpmu_hsx_imc;
extern const struct vpmu_imc_part vpmu_bdx_imc;
extern const struct vpmu_imc_part vpmu_skx_imc;
extern const struct vpmu_imc_part vpmu_icx_imc;
extern const struct vpmu_imc_part vpmu_knl_imc;

/* Sapphire, Emerald and Granite Rapids, which have a discovery table: defined in discovered.c */
extern const struct vpmu_imc_part vpmu_spr_imc;
extern const struct vpmu_imc_part vpmu_emr_imc;
extern const struct vpmu_imc_part vpmu_gnr_imc;

void vpmu_imc_init(void);
void vpmu_imc_lose(void);
uint64_t vpmu_imc_boxes(unsigned int package);
uint32_t vpmu_imc_read(struct vpmu_cpu *cpu, unsigned int package,
		       unsigned int box, unsigned int offset);
void vpmu_imc_write(struct vpmu_cpu *cpu, unsigned int package,
		    unsigned int box, unsigned int offset, uint32_t value);
uint64_t vpmu_imc_lines(const struct vcore_traffic *seen, unsigned int present,
			unsigned int box, bool reads, bool writes);
uint32_t vpmu_imc_addresses(unsigned int package, unsigned int offset);
void vpmu_imc_happen(const struct vpmu_cpu *cpu, uint32_t what, uint32_t reads,
		     uint32_t count);

#endif /* VPMU_IMC_H */
