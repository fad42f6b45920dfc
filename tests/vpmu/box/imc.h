/* SPDX-License-Identifier: GPL-2.0 */
/*
 * PMUs of the memory channels, home agents or M2Ms, and QPI or UPI links of Intel's servers, and of
 * the boxes of memory and M2PCIe of Knights Landing, each in a PCI device, or memory-mapped.
 */
#ifndef VPMU_IMC_H
#define VPMU_IMC_H

#include "machine/cpu.h"

/*
 * Box numbers: channels 0 to 11, home agents or M2Ms 12 to 15, links 16 to 18. On Knights Landing
 * also: MCDRAM controllers at ECLK 19 to 26, at UCLK 27 to 34, memory controllers at UCLK 35 and
 * 36, M2PCIe 37.
 */
#define VPMU_AGENT 12
#define VPMU_LINK 16
#define VPMU_EDC_ECLK 19
#define VPMU_EDC_UCLK 27
#define VPMU_IMC_UCLK 35
#define VPMU_M2PCIE 37
#define VPMU_BOXES 38
/* lowest offset of a box's registers in configuration space */
#define VPMU_IMC_FIRST 0xa0

/* number of a function of a PCI device on its bus */
#define VPMU_DEVFN(device, function) ((device) << 3 | (function))

struct vcore_traffic;
struct vpmu_imc_layout;
struct vpmu_discovered_part;

/**
 * struct vpmu_imc_part - memory channels, home agents and links of a CPU model
 * @ubox: PCI device ID of the UBox, which has the node IDs of packages; 0 without one
 * @ubox_bus: bus of the UBox of the first package
 * @ubox_devfn: device and function of the UBox
 * @ubox_node: offset of the UBox's register with the node ID of the package
 * @ubox_map: offset of the UBox's register that maps node IDs to packages
 * @bus: bus of all other devices of the first package
 * @capabilities: PCI device ID of the device with the bitmap of enabled CHAs, or 0
 * @box: PCI device IDs, devices and functions of the boxes, [VPMU_BOXES]
 * @freeze_enable: bit 16 of the unit control enables its freeze bit
 * @invert: the event select has an invert bit
 * @channel: layout of a channel's registers; NULL for that of Sandy Bridge's channels or, with
 *	@memory, of memory-mapped channels
 * @agent: layout of an M2M's registers; NULL if there are home agents instead
 * @link: layout of a UPI link's registers; NULL if there are QPI links instead
 * @memory: PCI device ID of the device with the addresses of memory-mapped channels, which
 *	then are not in @box; or 0
 * @memory_devfn: device and function of that device on @bus
 * @irp: PCI device ID of the IRP, whose bus Linux looks up, and whose counters are not there; or 0
 * @irp_devfn: device and function of the IRP on @bus
 * @discovered: units of the CPU model's discovery table, see discovered.c; the device @memory then
 *	holds this table. NULL if the CPU model has none
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

/* CPU models with a discovery table, defined in discovered.c */
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
