// SPDX-License-Identifier: GPL-2.0
/*
 * PMUs of the memory channels, home agents or M2Ms, and QPI or UPI links of Intel's servers. In the
 * first package, channels and home agents count events of the simulated cores and memory: the
 * clock, and the lines that the memory controller reads and writes, which are interleaved over the
 * boxes. Channels also count the read queue. Only one channel is simulated, so that the read queues
 * of all channels are busy in the same cycles. On Knights Landing the channels of ordinary memory
 * count all lines, as if nobody used MCDRAM.
 *
 * The guest injects all other events, and all events of other packages, by CPUID with a leaf that
 * no CPU has, and with event, unit mask, box and number of occurrences. An injected event occurs at
 * once, or between two reads of the box's counters. A free-running counter of Ice Lake's memory
 * controllers counts the lines of all channels of its controller. Free-running counters begin to
 * count lines of the simulated memory when the guest first reads one of them.
 *
 * Source of the registers: Linux, arch/x86/events/intel/uncore_snbep.c, SNBEP_PCI_PMON_* and
 * SNBEP_MC_CHy_PCI_PMON_FIXED_*, SKX_M2M_PCI_PMON_*, SKX_UPI_PCI_PMON_*, *_uncore_pci_ids,
 * icx_imc_freerunning[], KNL_*_MSR_PMON_*; of the devices' addresses: pci_types.h of LIKWID,
 * types.h of Intel PCM.
 */
#include "imc.h"

#include <string.h>

#include "event/uncounted.h"
#include "machine/level.h"
#include "machine/options.h"
#include "machine/topology.h"
#include "machine/window.h"
#include "memory/tracker.h"

#define COUNTERS 4
#define FIXED COUNTERS
#define WIDTH 48

#define CODE 0xff
#define UMASK(select) ((select) >> 8 & 0xff)
/* bit 8 of the event code in an injected event of a QPI link; in an event select this bit is EXT */
#define WHAT_EXT (1u << 24)
#define EN VPMU_BIT(22)
#define INVERT (1u << 23)
/* bit 8 of the event code in an event select of a QPI link, Linux' field event_ext */
#define EXT (1u << 21)
#define SELECT_BITS 0xff56ffffu
#define FIXED_BITS 0x00580000u
/*
 * enable bit in the fixed control of Knights Landing, which has no other bit: Linux,
 * KNL_PMON_FIXED_CTL_EN
 */
#define KNL_FIXED_EN 0x1u
#define CTL_RESET_CONTROLS 0x1
#define CTL_RESET_COUNTERS 0x2
#define CTL_FREEZE 0x100
#define CTL_FREEZE_EN 0x10000

#define CLOCK 0x00
#define CAS 0x04
#define CAS_READ 0x01
#define CAS_WRITE 0x04
#define KNL_CAS 0x03
#define KNL_CAS_READ 0x01
#define KNL_CAS_WRITE 0x02
#define ICX_CAS_READS 0x0f
#define ICX_CAS_WRITE 0x10
#define ICX_CAS_WRITES 0x30
/* channel events: reads and writes that enter the queues of persistent memory */
#define PMEM_READS 0xe3
#define PMEM_WRITES 0xe7
#define READ_QUEUE_INSERTS 0x10
#define PSEUDO_CHANNEL_0 0x01
#define READ_QUEUE_BUSY 0x11
#define READ_QUEUE_OCCUPANCY 0x80
/* event of a home agent: requests; bits of its unit mask select reads and writes */
#define REQUESTS 0x01
#define REQUESTS_READ 0x03
#define REQUESTS_WRITE 0x0c
/* events of an M2M: reads and writes that the M2M sends to the memory controller */
#define M2M_READS 0x37
#define M2M_WRITES 0x38
/*
 * bits of umask_ext that select the channels of M2M_READS and M2M_WRITES; umask_ext is bits 63:32
 * of Ice Lake's event selects
 */
#define M2M_READS_OF 0x07
#define M2M_WRITES_OF 0x1c
/*
 * Legal bits of umask_ext of Ice Lake's M2Ms, of Ice Lake's UPI links, and of Skylake's UPI links.
 * Skylake's M2Ms have no umask_ext. Source: Linux, uncore_snbep.c, SNR_M2M_PCI_PMON_UMASK_EXT,
 * skx_upi_uncore_formats_attr
 */
#define M2M_EXT_BITS 0x0000ffu
#define UPI_EXT_BITS 0xffffffu
#define SKX_UPI_EXT_BITS 0xffefffu
/* event codes of the clock cycles of a QPI link and of a UPI link */
#define LINK_CLOCK 0x14
#define UPI_CLOCK 0x01

/*
 * Offsets of PCI registers with the addresses of a package's memory-mapped channels. ADDRESS_BASE
 * has the base address in units of 8 MiB. From ADDRESS_CONTROLLER on, each memory controller has a
 * register with its offset from the base address in units of 4 KiB. Source: Linux, uncore_snbep.c,
 * SNR_IMC_MMIO_BASE_OFFSET, SNR_IMC_MMIO_MEM0_OFFSET
 */
#define ADDRESS_BASE 0xd0
#define ADDRESS_CONTROLLER 0xd8
#define CONTROLLERS 4
#define CHANNELS 3
#define BASE_SHIFT 23
#define CONTROLLER_SHIFT 12
/*
 * base address of package 0's mapped channels, above the machine's RAM; distance between packages
 */
#define MEMORY_BASE 0x4000000000ull
#define MEMORY_STEP (1ull << BASE_SHIFT)
#define CONTROLLER_STEP 0x100000u
#define CHANNEL_FIRST 0x22800u
#define CHANNEL_STEP 0x4000u
#define CHANNEL_SIZE 0x58u
/* offset of a memory controller's first free-running counter; the counters count 64-byte lines */
#define FREE_FIRST 0x2290u

enum free_running { READS, WRITES, FROM_PMEM, TO_PMEM, NR_FREE };

/**
 * struct vpmu_imc_layout - where the registers of a box are. Offsets are in bytes in the box's PCI
 * configuration space or, of a memory-mapped box, from its base address
 * @counter: offset of counter 0; each counter has 8 bytes
 * @select: offset of event select 0
 * @wide: size of an event select in bytes, 4 or 8
 * @ctl: offset of the unit control
 * @fixed_counter: offset of the fixed counter, which counts the channel's clock
 * @fixed_select: offset of the control register of the fixed counter
 */
struct vpmu_imc_layout {
	unsigned int counter;
	unsigned int select;
	unsigned int wide;
	unsigned int ctl;
	unsigned int fixed_counter;
	unsigned int fixed_select;
};

static const struct vpmu_imc_layout narrow = { 0xa0, 0xd8, 4, 0xf4, 0xd0, 0xf0 };
static const struct vpmu_imc_layout in_memory = { 0x08, 0x40, 4, 0x00, 0x38, 0x54 };
static const struct vpmu_imc_layout skx_m2m = { 0x200, 0x228, 8, 0x258, 0, 0 };
static const struct vpmu_imc_layout skx_upi = { 0x318, 0x350, 8, 0x378, 0, 0 };
static const struct vpmu_imc_layout icx_m2m = { 0x440, 0x468, 8, 0x438, 0, 0 };
static const struct vpmu_imc_layout icx_upi = { 0x320, 0x350, 8, 0x318, 0, 0 };
static const struct vpmu_imc_layout knl_dclk = { 0xb00, 0xb20, 4, 0xb30, 0xb3c, 0xb44 };
static const struct vpmu_imc_layout knl_eclk = { 0xa00, 0xa20, 4, 0xa30, 0xa3c, 0xa44 };
static const struct vpmu_imc_layout knl_uclk = { 0x400, 0x420, 4, 0x430, 0x44c, 0x454 };

/*
 * up to Broadwell: the UBox, with PCI device ID @id, is on the same bus as all boxes of its package
 */
#define ONE_BUS(id) \
	.ubox = (id), .ubox_bus = 0x3f, .ubox_devfn = VPMU_DEVFN(0x0b, 0), .ubox_node = 0x40, \
	.ubox_map = 0x54, .bus = 0x3f

const struct vpmu_imc_part vpmu_jkt_imc = {
	ONE_BUS(0x3ce0), .freeze_enable = true, .invert = true,
	.box = {
		{ 0x3cb0, VPMU_DEVFN(0x10, 0) }, { 0x3cb1, VPMU_DEVFN(0x10, 1) },
		{ 0x3cb4, VPMU_DEVFN(0x10, 4) }, { 0x3cb5, VPMU_DEVFN(0x10, 5) },
		[VPMU_AGENT] = { 0x3c46, VPMU_DEVFN(0x0e, 1) },
		[VPMU_LINK] = { 0x3c41, VPMU_DEVFN(0x08, 2) }, { 0x3c42, VPMU_DEVFN(0x09, 2) },
	},
};

const struct vpmu_imc_part vpmu_ivt_imc = {
	ONE_BUS(0x0e1e),
	.box = {
		{ 0x0eb4, VPMU_DEVFN(0x10, 4) }, { 0x0eb5, VPMU_DEVFN(0x10, 5) },
		{ 0x0eb0, VPMU_DEVFN(0x10, 0) }, { 0x0eb1, VPMU_DEVFN(0x10, 1) },
		{ 0x0ef4, VPMU_DEVFN(0x1e, 4) }, { 0x0ef5, VPMU_DEVFN(0x1e, 5) },
		{ 0x0ef0, VPMU_DEVFN(0x1e, 0) }, { 0x0ef1, VPMU_DEVFN(0x1e, 1) },
		[VPMU_AGENT] = { 0x0e30, VPMU_DEVFN(0x0e, 1) }, { 0x0e38, VPMU_DEVFN(0x1c, 1) },
		[VPMU_LINK] = { 0x0e32, VPMU_DEVFN(0x08, 2) }, { 0x0e33, VPMU_DEVFN(0x09, 2) },
		{ 0x0e3a, VPMU_DEVFN(0x18, 2) },
	},
};

#define HSX(high) { \
	ONE_BUS((high) | 0xf1e), .freeze_enable = true, .invert = true, \
	.box = { \
		{ (high) | 0xfb0, VPMU_DEVFN(0x14, 0) }, { (high) | 0xfb1, VPMU_DEVFN(0x14, 1) }, \
		{ (high) | 0xfb4, VPMU_DEVFN(0x15, 0) }, { (high) | 0xfb5, VPMU_DEVFN(0x15, 1) }, \
		{ (high) | 0xfd0, VPMU_DEVFN(0x17, 0) }, { (high) | 0xfd1, VPMU_DEVFN(0x17, 1) }, \
		{ (high) | 0xfd4, VPMU_DEVFN(0x18, 0) }, { (high) | 0xfd5, VPMU_DEVFN(0x18, 1) }, \
		[VPMU_AGENT] = { (high) | 0xf30, VPMU_DEVFN(0x12, 1) }, \
		{ (high) | 0xf38, VPMU_DEVFN(0x12, 5) }, \
		[VPMU_LINK] = { (high) | 0xf32, VPMU_DEVFN(0x08, 2) }, \
		{ (high) | 0xf33, VPMU_DEVFN(0x09, 2) }, { (high) | 0xf3a, VPMU_DEVFN(0x0a, 2) }, \
	}, \
}

const struct vpmu_imc_part vpmu_hsx_imc = HSX(0x2000);
const struct vpmu_imc_part vpmu_bdx_imc = HSX(0x6000);

const struct vpmu_imc_part vpmu_skx_imc = {
	.ubox = 0x2014, .ubox_bus = 0, .ubox_devfn = VPMU_DEVFN(0x08, 2), .ubox_node = 0xc0,
	.ubox_map = 0xd4, .bus = 0x2a, .capabilities = 0x2083, .invert = true,
	.agent = &skx_m2m, .link = &skx_upi,
	.box = {
		{ 0x2042, VPMU_DEVFN(0x0a, 2) }, { 0x2046, VPMU_DEVFN(0x0a, 6) },
		{ 0x204a, VPMU_DEVFN(0x0b, 2) }, { 0x2042, VPMU_DEVFN(0x0c, 2) },
		{ 0x2046, VPMU_DEVFN(0x0c, 6) }, { 0x204a, VPMU_DEVFN(0x0d, 2) },
		[VPMU_AGENT] = { 0x2066, VPMU_DEVFN(0x08, 0) }, { 0x2066, VPMU_DEVFN(0x09, 0) },
		[VPMU_LINK] = { 0x2058, VPMU_DEVFN(0x0e, 0) }, { 0x2058, VPMU_DEVFN(0x0f, 0) },
		{ 0x2058, VPMU_DEVFN(0x10, 0) },
	},
};

const struct vpmu_imc_part vpmu_icx_imc = {
	.ubox = 0x3450, .ubox_bus = 0x3e, .ubox_devfn = VPMU_DEVFN(0x00, 0), .ubox_node = 0xc0,
	.ubox_map = 0xd4, .bus = 0x3c, .capabilities = 0x345b, .invert = true,
	.agent = &icx_m2m, .link = &icx_upi, .memory = 0x3451, .memory_devfn = VPMU_DEVFN(0x00, 1),
	.box = {
		[VPMU_AGENT] = { 0x344a, VPMU_DEVFN(0x0c, 0) }, { 0x344a, VPMU_DEVFN(0x0d, 0) },
		{ 0x344a, VPMU_DEVFN(0x0e, 0) }, { 0x344a, VPMU_DEVFN(0x0f, 0) },
		[VPMU_LINK] = { 0x3441, VPMU_DEVFN(0x02, 1) }, { 0x3441, VPMU_DEVFN(0x03, 1) },
		{ 0x3441, VPMU_DEVFN(0x04, 1) },
	},
};

/* Knights Landing. Source of its boxes and their places: Linux, knl_uncore_pci_ids. */
const struct vpmu_imc_part vpmu_knl_imc = {
	.bus = 0x3f, .freeze_enable = true, .invert = true, .channel = &knl_dclk,
	.irp = 0x7814, .irp_devfn = VPMU_DEVFN(5, 6),
	.box = {
		{ 0x7843, VPMU_DEVFN(8, 2) }, { 0x7843, VPMU_DEVFN(8, 3) },
		{ 0x7843, VPMU_DEVFN(8, 4) }, { 0x7843, VPMU_DEVFN(9, 2) },
		{ 0x7843, VPMU_DEVFN(9, 3) }, { 0x7843, VPMU_DEVFN(9, 4) },
		[VPMU_EDC_ECLK] = { 0x7835, VPMU_DEVFN(24, 2) }, { 0x7835, VPMU_DEVFN(25, 2) },
		{ 0x7835, VPMU_DEVFN(26, 2) }, { 0x7835, VPMU_DEVFN(27, 2) },
		{ 0x7835, VPMU_DEVFN(28, 2) }, { 0x7835, VPMU_DEVFN(29, 2) },
		{ 0x7835, VPMU_DEVFN(30, 2) }, { 0x7835, VPMU_DEVFN(31, 2) },
		[VPMU_EDC_UCLK] = { 0x7833, VPMU_DEVFN(15, 0) }, { 0x7833, VPMU_DEVFN(16, 0) },
		{ 0x7833, VPMU_DEVFN(17, 0) }, { 0x7833, VPMU_DEVFN(18, 0) },
		{ 0x7833, VPMU_DEVFN(19, 0) }, { 0x7833, VPMU_DEVFN(20, 0) },
		{ 0x7833, VPMU_DEVFN(21, 0) }, { 0x7833, VPMU_DEVFN(22, 0) },
		[VPMU_IMC_UCLK] = { 0x7841, VPMU_DEVFN(10, 0) }, { 0x7841, VPMU_DEVFN(11, 0) },
		[VPMU_M2PCIE] = { 0x7817, VPMU_DEVFN(12, 1) },
	},
};

static const struct vpmu_imc_layout *layout_of(unsigned int box)
{
	const struct vpmu_imc_part *part = vpmu_options.part->imc;

	if (box < VPMU_AGENT)
		return part->channel ?: part->memory ? &in_memory : &narrow;
	if (box >= VPMU_EDC_ECLK)
		return box < VPMU_EDC_UCLK ? &knl_eclk :
		       box < VPMU_M2PCIE ? &knl_uclk : &narrow;
	return (box < VPMU_LINK ? part->agent : part->link) ?: &narrow;
}

/* Checks if a box has a fixed counter: channels do, and Knights Landing's boxes except M2PCIe. */
static bool has_fixed(unsigned int box)
{
	return box < VPMU_AGENT || (box >= VPMU_EDC_ECLK && box < VPMU_M2PCIE);
}

/* Returns the bits that a write to the control register of a fixed counter may set. */
static uint32_t fixed_bits(void)
{
	return vpmu_options.part->imc->channel ? KNL_FIXED_EN : FIXED_BITS;
}

static uint64_t enable_of(unsigned int i)
{
	return i == FIXED && vpmu_options.part->imc->channel ? KNL_FIXED_EN : EN;
}

/**
 * struct box - registers of a memory channel, home agent or link, and a delayed event of the box
 * @ctl: unit control
 * @select: event selects, [COUNTERS], and the fixed control at FIXED
 * @counter: counters, [COUNTERS], and the fixed counter at FIXED
 * @happening: an event that the guest has injected, but that occurs only after further reads of
 *	counters
 * @count: number of occurrences of @happening; 0 if there is no such event
 * @reads: number of further 32-bit reads of the box's counters after which @happening occurs
 */
struct box {
	uint32_t ctl;
	uint64_t select[COUNTERS + 1];
	struct vpmu_counter counter[COUNTERS + 1];
	uint32_t happening;
	uint32_t count;
	unsigned int reads;
};

static struct box boxes[VPMU_MAX_CPUS][VPMU_BOXES];
static bool counting;

/*
 * Lines that the guest has injected into free-running counters. The value of a counter is the sum
 * of its injected lines and of the lines that the simulated memory has transferred.
 * [package][controller][&enum free_running]
 */
static uint64_t moved[VPMU_MAX_CPUS][CONTROLLERS][NR_FREE];
static bool watched;

/**
 * vpmu_imc_boxes() - bitmap of the IMC channels, home agents and links of a package
 * @package: number of the package
 *
 * Return: bitmap of box numbers as in imc.h.
 */
uint64_t vpmu_imc_boxes(unsigned int package)
{
	return package && vpmu_options.imc2 ? vpmu_options.imc2 : vpmu_options.imc;
}

/**
 * vpmu_imc_lose() - set the counters of IMCs, home agents and links to their values at power on
 */
void vpmu_imc_lose(void)
{
	unsigned int package, i, k;

	memset(boxes, 0, sizeof(boxes));
	for (package = 0; package < VPMU_MAX_CPUS; package++)
		for (i = 0; i < VPMU_BOXES; i++)
			for (k = 0; k <= FIXED; k++)
				boxes[package][i].counter[k].value =
					vpmu_start_value(WIDTH);
	/*
	 * Free-running counters do not begin at 0: firmware has read memory before the guest
	 * starts.
	 */
	for (package = 0; package < VPMU_MAX_CPUS; package++)
		for (i = 0; i < CONTROLLERS; i++)
			for (k = 0; k < NR_FREE; k++)
				moved[package][i][k] = vpmu_start_value(WIDTH) ?: 1;
}

/**
 * vpmu_imc_addresses() - read a PCI register with the address of the IMC's memory-mapped channels
 * @package: number of the package
 * @offset: offset of the register in configuration space
 *
 * Return: the value, with 1 in bits that are not part of an address; 0 for a memory controller
 * without channels.
 */
uint32_t vpmu_imc_addresses(unsigned int package, unsigned int offset)
{
	unsigned int controller = (offset - ADDRESS_CONTROLLER) / 4;
	unsigned int channels = (1u << CHANNELS) - 1;

	if (offset == ADDRESS_BASE)
		return (MEMORY_BASE + package * MEMORY_STEP) >> BASE_SHIFT | 0xe0000000;
	if (controller >= CONTROLLERS ||
	    !(vpmu_imc_boxes(package) >> controller * CHANNELS & channels))
		return 0;
	return (controller + 1) * CONTROLLER_STEP >> CONTROLLER_SHIFT | 0xfffff800;
}

static bool imc_frozen(const struct box *c)
{
	uint32_t bits = CTL_FREEZE;

	if (vpmu_options.part->imc->freeze_enable)
		bits |= CTL_FREEZE_EN;
	return (c->ctl & bits) == bits;
}

static bool runs(const struct box *c, unsigned int i)
{
	return c->select[i] & enable_of(i) && !imc_frozen(c);
}

/*
 * Returns how many of @all cache lines box @box transfers, if each next line goes to the next box
 * in the bitmap @present.
 */
static uint64_t box_share(uint64_t all, unsigned int present, unsigned int box)
{
	unsigned int nr = __builtin_popcount(present);
	unsigned int before = __builtin_popcount(present & ((1u << box) - 1));

	return (all + nr - 1 - before) / nr;
}

/**
 * vpmu_imc_lines() - number of cache lines that one of several IMC channels transfers
 * @seen: traffic of the simulated memory controller
 * @present: bitmap of the boxes over which lines are interleaved
 * @box: number of the box, which is present
 * @reads: include lines read
 * @writes: include lines written
 */
uint64_t vpmu_imc_lines(const struct vcore_traffic *seen, unsigned int present,
			unsigned int box, bool reads, bool writes)
{
	uint64_t sum = 0;

	if (reads)
		sum += box_share(seen->requests - seen->writes, present, box);
	if (writes)
		sum += box_share(seen->writes, present, box);
	return sum;
}

/*
 * Returns the bitmap of the boxes of the first package that share the transfers of cache lines: all
 * channels if @box is a channel, otherwise all home agents.
 */
static unsigned int interleaved(unsigned int box)
{
	return vpmu_imc_boxes(0) & (box < VPMU_AGENT ? (1u << VPMU_AGENT) - 1 :
				    (1u << VPMU_LINK) - (1u << VPMU_AGENT));
}

static uint64_t transfers(const struct vcore_traffic *seen, unsigned int box,
			  bool reads, bool writes)
{
	return vpmu_imc_lines(seen, interleaved(box), box, reads, writes);
}

/*
 * Checks if umask_ext, bits 63:32 of an event select, lets an event of the simulated memory be
 * counted. For reads and writes of Ice Lake's M2Ms umask_ext must select a channel; for other
 * events it must be 0.
 */
static bool imc_ext_fits(uint64_t select)
{
	unsigned int code = select & CODE;

	if (!vpmu_options.part->imc->memory || (code != M2M_READS && code != M2M_WRITES))
		return !(select >> 32);
	return select >> 32 & (code == M2M_READS ? M2M_READS_OF : M2M_WRITES_OF);
}

static uint64_t channel_total(const struct vcore_traffic *seen, unsigned int box,
			      unsigned int code, unsigned int umask)
{
	if (vpmu_options.part->imc->channel)
		return code == KNL_CAS ? transfers(seen, box, umask & KNL_CAS_READ,
						   umask & KNL_CAS_WRITE) : 0;
	switch (code) {
	case CAS:
		return transfers(seen, box, umask & CAS_READ,
				 umask & (vpmu_options.part->imc->memory ?
					  ICX_CAS_WRITE : CAS_WRITE));
	case READ_QUEUE_INSERTS:
		/*
		 * On Ice Lake the unit mask selects pseudo channels. Only the first pseudo channel
		 * is simulated.
		 */
		if (vpmu_options.part->imc->memory && !(umask & PSEUDO_CHANNEL_0))
			return 0;
		return transfers(seen, box, true, false);
	case READ_QUEUE_BUSY:
		return seen->waiting[1];
	case READ_QUEUE_OCCUPANCY:
		return box_share(seen->waits, interleaved(box), box);
	default:
		return 0;
	}
}

/*
 * Returns the total of the event that counter @i of a box selects, in the simulated cores and
 * memory since power on.
 */
static uint64_t imc_total(const struct vcore_traffic *seen, unsigned int package,
			  unsigned int box, unsigned int i)
{
	uint64_t select = boxes[package][box].select[i];
	unsigned int umask = UMASK(select);
	unsigned int code = select & (CODE | EXT);
	bool wide = layout_of(box)->wide == 8;

	if (package || !imc_ext_fits(select) || box >= VPMU_EDC_ECLK)
		return 0;
	if (i == FIXED && vpmu_options.part->imc->memory)
		return vcore_traffic_clock(seen) / 2;
	if (i == FIXED ||
	    code == (box < VPMU_LINK ? CLOCK : wide ? UPI_CLOCK : LINK_CLOCK))
		return vcore_traffic_clock(seen);
	if (box < VPMU_AGENT)
		return channel_total(seen, box, code, umask);
	if (box >= VPMU_AGENT && box < VPMU_LINK && wide)
		return transfers(seen, box, code == M2M_READS, code == M2M_WRITES);
	if (box >= VPMU_AGENT && box < VPMU_LINK && code == REQUESTS)
		return transfers(seen, box, umask & REQUESTS_READ,
				 umask & REQUESTS_WRITE);
	return 0;
}

static bool channel_models(unsigned int code, unsigned int umask)
{
	bool memory = vpmu_options.part->imc->memory;

	if (vpmu_options.part->imc->channel)
		return code == KNL_CAS && umask & (KNL_CAS_READ | KNL_CAS_WRITE);
	switch (code) {
	case CAS:
		return umask & (CAS_READ | (memory ? ICX_CAS_WRITE : CAS_WRITE));
	case READ_QUEUE_INSERTS:
		return !memory || umask & PSEUDO_CHANNEL_0;
	case READ_QUEUE_BUSY:
	case READ_QUEUE_OCCUPANCY:
		return true;
	default:
		return false;
	}
}

/* Checks if the simulated cores and memory have the event that counter @i of a box selects. */
static bool imc_models(unsigned int box, unsigned int i, uint64_t select)
{
	unsigned int umask = UMASK(select);
	unsigned int code = select & (CODE | EXT);
	bool wide = layout_of(box)->wide == 8;

	if (!imc_ext_fits(select) || box >= VPMU_EDC_ECLK)
		return false;
	if (i == FIXED || code == (box < VPMU_LINK ? CLOCK : wide ? UPI_CLOCK : LINK_CLOCK))
		return true;
	if (box < VPMU_AGENT)
		return channel_models(code, umask);
	if (box >= VPMU_LINK)
		return false;
	return wide ? code == M2M_READS || code == M2M_WRITES :
		      code == REQUESTS && umask & (REQUESTS_READ | REQUESTS_WRITE);
}

static const char *imc_boxes_of(unsigned int box)
{
	if (box < VPMU_EDC_ECLK)
		return box < VPMU_AGENT ? "memory channels" :
		       box < VPMU_LINK ? "home agents" : "QPI or UPI links";
	return box < VPMU_EDC_UCLK ? "EDC ECLKs" :
	       box < VPMU_IMC_UCLK ? "EDC UCLKs" : box < VPMU_M2PCIE ? "IMC UCLKs" : "M2PCIes";
}

/*
 * Puts the event of counter @i into the list of uncounted events (those that the guest selects, but
 * that never occur here), unless the simulated cores and memory have the event, or the guest
 * injects it by CPUID. Called when the guest reads the counter (@happened is false), and when the
 * counter counts an injected event (@happened is true).
 */
static void imc_note(unsigned int box, unsigned int i, uint64_t select, bool happened)
{
	if (select & enable_of(i))
		vpmu_uncounted_box(imc_boxes_of(box), select & ~enable_of(i), 0,
				   happened || imc_models(box, i, select));
}

typedef void (*for_counter)(const struct vcore_traffic *seen, unsigned int package,
			    unsigned int box, unsigned int i);

static void for_all(for_counter then)
{
	unsigned int package, box, i;
	struct vcore_traffic seen;

	vcore_memory_traffic(vpmu_cpu(0)->core->memory, &seen);
	for (package = 0; package < VPMU_MAX_CPUS; package++)
		for (box = 0; box < VPMU_BOXES; box++)
			for (i = 0; i <= FIXED; i++)
				then(&seen, package, box, i);
}

/*
 * Stops a counter. If it ran, adds to it, modulo 2^WIDTH, how often the counter's event has
 * occurred in the simulated cores and memory since the counter started.
 */
static void settle_one(const struct vcore_traffic *seen, unsigned int package,
		       unsigned int box, unsigned int i)
{
	struct vpmu_counter *counter = &boxes[package][box].counter[i];

	if (counter->running)
		counter->value += imc_total(seen, package, box, i) - counter->since;
	counter->value &= VPMU_BIT(WIDTH) - 1;
	counter->running = false;
}

static void restart_one(const struct vcore_traffic *seen, unsigned int package,
			unsigned int box, unsigned int i)
{
	struct box *c = &boxes[package][box];

	if (!runs(c, i))
		return;
	c->counter[i].since = imc_total(seen, package, box, i);
	c->counter[i].running = true;
	counting = true;
}

static void imc_settle(struct vpmu_cpu *cpu)
{
	vcore_settle(cpu->core);
	for_all(settle_one);
}

static void imc_restart(void)
{
	bool before = counting;

	counting = false;
	for_all(restart_one);
	if (before != counting)
		vpmu_model_all(VPMU_FOR_UNCORE, counting);
}

/*
 * Checks if counter @i of a box counts the injected event @what. The unit masks of M2Ms and UPI
 * links are no bitmaps: the unit masks of event and event select must be equal.
 */
static bool imc_counts(const struct box *c, unsigned int i, uint32_t what)
{
	uint64_t select = c->select[i];

	if (i == FIXED)
		return (what & CODE) == CLOCK;
	if (layout_of(what >> 16 & 0xff)->wide == 8)
		return imc_ext_fits(select) && (select & CODE) == (what & CODE) &&
		       UMASK(select) == UMASK(what);
	if ((select & CODE) != (what & CODE) || !(select & EXT) != !(what & WHAT_EXT))
		return false;
	return UMASK(select) == UMASK(what) || UMASK(select) & UMASK(what);
}

/* Returns which free-running counter counts the injected event @what; NR_FREE if none does. */
static enum free_running free_running_of(uint32_t what)
{
	switch (what & CODE) {
	case CAS:
		return UMASK(what) & ICX_CAS_READS ? READS :
		       UMASK(what) & ICX_CAS_WRITES ? WRITES : NR_FREE;
	case PMEM_READS:
		return FROM_PMEM;
	case PMEM_WRITES:
		return TO_PMEM;
	default:
		return NR_FREE;
	}
}

static void happen(struct box *c, uint32_t what, uint32_t count)
{
	unsigned int package = (c - boxes[0]) / VPMU_BOXES;
	unsigned int controller = (c - boxes[package]) / CHANNELS;
	enum free_running running = free_running_of(what);
	unsigned int i;

	if (controller < CONTROLLERS && running < NR_FREE)
		moved[package][controller][running] += count;
	for (i = 0; i <= FIXED; i++) {
		if (!runs(c, i) || !imc_counts(c, i, what))
			continue;
		imc_note(c - boxes[package], i, c->select[i], true);
		c->counter[i].value = (c->counter[i].value + count) & (VPMU_BIT(WIDTH) - 1);
	}
}

/**
 * vpmu_imc_happen() - inject an event of an IMC's channel, a home agent or a link
 * @cpu: a vCPU of the box's package
 * @what: event in bits 7:0, unit mask in 15:8, number of the box in 23:16, event_ext of a
 *	QPI link in bit 24
 * @reads: the event occurs after this number of 32-bit reads of the box's counters; 0: at once
 * @count: number of occurrences
 */
void vpmu_imc_happen(const struct vpmu_cpu *cpu, uint32_t what, uint32_t reads,
		     uint32_t count)
{
	unsigned int package = vpmu_package_of(cpu);
	unsigned int box = what >> 16 & 0xff;
	struct box *c;

	/*
	 * The memory controllers of client CPUs are in mchbar.c, which injects their events.
	 */
	if (!vpmu_options.part->imc || box >= VPMU_BOXES || !(vpmu_imc_boxes(package) >> box & 1))
		return;
	c = &boxes[package][box];
	if (!reads) {
		happen(c, what, count);
		return;
	}
	c->happening = what;
	c->count = count;
	c->reads = reads;
}

/*
 * Called after each 32-bit read of a counter of a box. The guest may have injected an event that
 * occurs only after some reads. If so, counts this read, and lets the event occur if enough reads
 * were made.
 */
static void inject_delayed(struct box *c)
{
	if (!c->count || --c->reads)
		return;
	happen(c, c->happening, c->count);
	c->count = 0;
}

/*
 * Checks if the 32 bits at @offset in a box's registers are half of a counter. If so, sets *@index
 * to the number of the counter, and *@shift to the lowest bit of this half: 0 or 32.
 */
static bool is_counter(unsigned int box, unsigned int offset, unsigned int *index,
		       unsigned int *shift)
{
	const struct vpmu_imc_layout *layout = layout_of(box);
	bool fixed = has_fixed(box) && offset - layout->fixed_counter < 8;
	unsigned int at = offset - (fixed ? layout->fixed_counter : layout->counter);

	*shift = at & 4 ? 32 : 0;
	*index = fixed ? FIXED : at / 8;
	return fixed || at < 8 * COUNTERS;
}

/*
 * Checks if the 32 bits at @offset in a box's registers are an event select or half of one. If so,
 * sets *@index to the number of the event select, and *@shift to the lowest of the 32 bits: 0 or
 * 32.
 */
static bool is_select(unsigned int box, unsigned int offset, unsigned int *index,
		      unsigned int *shift)
{
	const struct vpmu_imc_layout *layout = layout_of(box);
	bool fixed = has_fixed(box) && offset == layout->fixed_select;
	unsigned int at = offset - layout->select;

	*shift = layout->wide == 8 && at & 4 ? 32 : 0;
	*index = fixed ? FIXED : at / layout->wide;
	return fixed || at < layout->wide * COUNTERS;
}

/**
 * vpmu_imc_read() - read a register of an integrated memory controller, home agent or link
 * @cpu: the calling vCPU
 * @package: number of the package
 * @box: number of the box, from the list in imc.h
 * @offset: offset in the box's configuration space or, if it is memory-mapped, from its base
 *	address
 *
 * Return: 32 bits of the register; all ones for a box that the option mute= names; 0 if there is no
 * register at @offset.
 */
uint32_t vpmu_imc_read(struct vpmu_cpu *cpu, unsigned int package,
		       unsigned int box, unsigned int offset)
{
	struct box *c = &boxes[package][box];
	unsigned int index, shift;
	uint32_t value;

	if (vpmu_options.mute >> box & 1)
		return ~0u;
	if (offset == layout_of(box)->ctl)
		return c->ctl;
	if (is_select(box, offset, &index, &shift))
		return c->select[index] >> shift;
	if (!is_counter(box, offset, &index, &shift))
		return 0;
	imc_settle(cpu);
	value = c->counter[index].value >> shift;
	imc_note(box, index, c->select[index], false);
	imc_restart();
	inject_delayed(c);
	return value;
}

/* Returns the legal bits of umask_ext, bits 63:32 of a box's event selects. */
static uint32_t legal_ext(unsigned int box)
{
	if (vpmu_options.part->imc->memory)
		return box < VPMU_LINK ? M2M_EXT_BITS : UPI_EXT_BITS;
	return box < VPMU_LINK ? 0 : SKX_UPI_EXT_BITS;
}

static uint32_t imc_legal(unsigned int box, unsigned int offset, unsigned int shift)
{
	const struct vpmu_imc_part *part = vpmu_options.part->imc;

	if (shift)
		return legal_ext(box);
	if (offset == layout_of(box)->ctl)
		return CTL_RESET_CONTROLS | CTL_RESET_COUNTERS | CTL_FREEZE |
		       (part->freeze_enable ? CTL_FREEZE_EN : 0);
	if (has_fixed(box) && offset == layout_of(box)->fixed_select)
		return fixed_bits();
	return SELECT_BITS | (part->invert ? INVERT : 0) |
	       (box >= VPMU_LINK && box < VPMU_EDC_ECLK && !part->link ? EXT : 0);
}

/*
 * Executes a write of @value to a box's control register. One reset bit sets the event selects to
 * 0, and another reset bit sets the counters to 0. Reset bits are not stored: they read as 0.
 */
static void imc_control(struct box *c, uint32_t value)
{
	unsigned int i;

	for (i = 0; i <= FIXED; i++) {
		if (value & CTL_RESET_CONTROLS)
			c->select[i] = 0;
		if (value & CTL_RESET_COUNTERS)
			c->counter[i].value = 0;
	}
	c->ctl = value & ~(CTL_RESET_CONTROLS | CTL_RESET_COUNTERS);
}

static void write_half(uint64_t *reg, unsigned int shift, uint32_t value)
{
	*reg &= ~(0xffffffffull << shift);
	*reg |= (uint64_t)value << shift;
}

/**
 * vpmu_imc_write() - write a register of an integrated memory controller, home agent or link
 * @cpu: the calling vCPU
 * @package: number of the package
 * @box: number of the box, from the list in imc.h
 * @offset: offset in the box's configuration space or, if it is memory-mapped, from its base
 *	address
 * @value: 32 bits to write
 */
void vpmu_imc_write(struct vpmu_cpu *cpu, unsigned int package,
		    unsigned int box, unsigned int offset, uint32_t value)
{
	struct box *c = &boxes[package][box];
	bool controls = offset == layout_of(box)->ctl;
	bool selects, counts;
	unsigned int index, shift = 0;

	selects = !controls && is_select(box, offset, &index, &shift);
	counts = !controls && !selects && is_counter(box, offset, &index, &shift);
	if ((controls || selects) && value & ~imc_legal(box, offset, controls ? 0 : shift)) {
		cpu->illegal_writes++;
		return;
	}
	imc_settle(cpu);
	if (controls)
		imc_control(c, value);
	else if (selects)
		write_half(&c->select[index], shift, value);
	else if (counts)
		write_half(&c->counter[index].value, shift, value);
	imc_restart();
}

/*
 * Finds the memory channel that has registers at offset @at in the memory range that has the
 * registers of all packages. Sets *@package, *@box, and *@offset, the offset in the channel's
 * registers. Returns false if there is no channel.
 */
static bool find_in_memory(uint64_t at, unsigned int *package, unsigned int *box,
			   unsigned int *offset)
{
	unsigned int controller, channel;

	*package = at / MEMORY_STEP;
	*offset = at % MEMORY_STEP;
	controller = *offset / CONTROLLER_STEP - 1;
	*offset = *offset % CONTROLLER_STEP - CHANNEL_FIRST;
	channel = *offset / CHANNEL_STEP;
	*offset %= CHANNEL_STEP;
	*box = controller * CHANNELS + channel;
	return controller < CONTROLLERS && channel < CHANNELS && *offset < CHANNEL_SIZE &&
	       *package < vpmu_nr_packages() && vpmu_imc_boxes(*package) >> *box & 1;
}

/*
 * Finds the free-running counter at offset @at in the memory range that has the registers of all
 * packages. Sets *@package, *@controller, and *@index, the number of the counter. Returns false if
 * there is no counter, or if its controller is absent.
 */
static bool find_free_running(uint64_t at, unsigned int *package, unsigned int *controller,
			      unsigned int *index)
{
	unsigned int offset = at % MEMORY_STEP;

	*package = at / MEMORY_STEP;
	*controller = offset / CONTROLLER_STEP - 1;
	*index = (offset % CONTROLLER_STEP - FREE_FIRST) / 8;
	return *controller < CONTROLLERS && *index < NR_FREE && *package < vpmu_nr_packages() &&
	       vpmu_imc_boxes(*package) >> *controller * CHANNELS & ((1u << CHANNELS) - 1);
}

static uint64_t free_running_value(struct vpmu_cpu *cpu, unsigned int package,
				   unsigned int controller, unsigned int index)
{
	uint64_t value = moved[package][controller][index];
	struct vcore_traffic seen;
	unsigned int i;

	if (!watched)
		vpmu_model_all(VPMU_FOR_MEMORY, true);
	watched = true;
	vcore_settle(cpu->core);
	vcore_memory_traffic(vpmu_cpu(0)->core->memory, &seen);
	for (i = controller * CHANNELS; !package && i < (controller + 1) * CHANNELS; i++)
		if (vpmu_imc_boxes(0) >> i & 1)
			value += transfers(&seen, i, index == READS, index == WRITES);
	return value & (VPMU_BIT(WIDTH) - 1);
}

static uint64_t imc_load(struct vpmu_cpu *cpu, uint64_t at, unsigned int bytes)
{
	unsigned int package, box, offset, controller, index;
	uint64_t value;

	if (find_free_running(at, &package, &controller, &index))
		return free_running_value(cpu, package, controller, index) >> 8 * (at & 7);
	if (!find_in_memory(at, &package, &box, &offset))
		return -1ull;
	value = vpmu_imc_read(cpu, package, box, offset & ~3u) >> 8 * (offset & 3);
	if (bytes == 8)
		value |= (uint64_t)vpmu_imc_read(cpu, package, box, offset + 4) << 32;
	return value;
}

static void imc_store(struct vpmu_cpu *cpu, uint64_t at, unsigned int bytes, uint64_t value)
{
	unsigned int package, box, offset;

	if (find_free_running(at, &package, &box, &offset)) {
		cpu->illegal_writes++;
		return;
	}
	/* A driver may initialise channels that are absent: such a write is not illegal. */
	if (!find_in_memory(at, &package, &box, &offset))
		return;
	if (bytes < 4) {
		cpu->illegal_writes++;
		return;
	}
	vpmu_imc_write(cpu, package, box, offset, value);
	if (bytes == 8)
		vpmu_imc_write(cpu, package, box, offset + 4, value >> 32);
}

static void imc_window(void)
{
	static const struct vpmu_window window = {
		.name = "imc", .base = MEMORY_BASE, .size = VPMU_MAX_CPUS * MEMORY_STEP,
		.read = imc_load, .write = imc_store,
	};

	if (vpmu_options.imc && vpmu_options.part->imc && vpmu_options.part->imc->memory &&
	    !vpmu_options.part->imc->discovered)
		vpmu_window_add(&window);
}

/**
 * vpmu_imc_init() - set integrated memory controllers to their state at power on
 *
 * If the CPU model has memory-mapped registers, also maps these.
 */
void vpmu_imc_init(void)
{
	vpmu_imc_lose();
	imc_window();
}
