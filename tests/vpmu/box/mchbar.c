// SPDX-License-Identifier: GPL-2.0
/*
 * Counters of the memory controllers of Intel's clients, memory-mapped at MCHBAR, whose address is
 * in the configuration space of the host bridge.
 *
 * Free-running counters count 64-byte lines that are read from memory and written to it. Before
 * Tiger Lake, and on Rocket Lake, they have 32 bits and count for all controllers together; further
 * counters count the requests of graphics, cores and I/O devices. From Tiger Lake on they have 64
 * bits, and each of two controllers has its own counters; a further counter of each controller
 * counts all requests. Source: Linux, arch/x86/events/intel/uncore_snb.c, SNB_UNCORE_PCI_IMC_*,
 * *_IMC_ids[], tgl_l_uncore_imc_freerunning[], tgl_uncore_imc_freerunning[].
 *
 * The counters count requests to the simulated memory controller. The simulation begins when the
 * guest first reads a counter. If there are two controllers, each transfers every second line. The
 * guest can also change the counters, by CPUID with a leaf that no CPU has. The simulation has no
 * requests of graphics and I/O devices.
 *
 * From Alder Lake on each controller also has a PMU box: a control with a freeze bit and two reset
 * bits, event selects without an enable bit, and counters of 64 bits. A global control register, in
 * the second controller, has the same bits for both boxes. Source: uncore_snb.c, ADL_UNCORE_IMC_*.
 * No source says that reset bits read as 0, that an event select of 0 counts nothing, and that
 * channel mask 0 counts all channels; this is assumed. The simulated controllers have one channel
 * each, and no pages: clocks, requests and commands are counted. The guest injects other events by
 * CPUID with a leaf that no CPU has, and with event, bitmap of channels, controller and number of
 * occurrences.
 */
#include "mchbar.h"

#include <string.h>

#include "client.h"
#include "event/uncounted.h"
#include "machine/level.h"
#include "machine/options.h"
#include "machine/topology.h"
#include "machine/window.h"
#include "memory/tracker.h"

/*
 * Base address and size of MCHBAR: BASE on parts with 32-bit counters, BASE_64 on parts with 64-bit
 * counters, BASE_HIGH, above 4 GiB, on parts with PMU boxes. ENABLED: bit of the register MCHBAR
 */
#define BASE 0xfed10000u
#define SIZE 0x8000
#define BASE_64 0xfedc0000u
#define BASE_HIGH 0x4fedc0000ull
#define SIZE_64 0x20000
#define ENABLED 1

/*
 * offset of the register MCHBAR in the host bridge's configuration space; device and function of
 * the host bridge as one number
 */
#define MCHBAR 0x48
#define DEVFN (0x10 << 3)

/* value of a free-running counter at power on, if the option top= does not set another one */
#define BEFORE 4096

/* memory controllers of parts with 64-bit counters: their number, and their distance in bytes */
#define CONTROLLERS 2
#define STEP 0x10000

/*
 * PMU box of a memory controller: number and width of the counters; offsets of the registers from
 * &vpmu_mchbar_part.box; size in bytes
 */
#define COUNTERS 5
#define WIDTH 64
#define GLOBAL_CTL 0xc0
#define BOX_CTL 0xc4
#define SELECT 0xd0
#define COUNTER 0xe8
#define BOX_BYTES 0x200
/* number of the controller whose PMU box has the control register of both boxes */
#define GLOBAL_IN 1

#define CTL_FREEZE 1
#define CTL_RESET_CONTROLS 2
#define CTL_RESET_COUNTERS 4
#define CTL_BITS 7
#define SELECT_BITS 0x40fff
#define CODE(select) ((select) & 0xff)
#define CHANNELS(select) ((select) >> 8 & 0xf)
/* event select bit of the only memory channel that is simulated */
#define CHANNEL_0 1

#define CLOCK 0x01
#define READ_REQUESTS 0x02
#define WRITE_REQUESTS 0x03
#define CAS_READ 0x22
#define CAS_WRITE 0x23

enum what { READS, WRITES, REQUESTS, GRAPHICS, CORES, DEVICES, REGISTERS };

/*
 * offsets of free-running counters: from MCHBAR on for counters of 32 bits, from
 * &vpmu_mchbar_part.base on for counters of 64 bits
 */
static const uint32_t offsets[REGISTERS] = {
	[READS] = 0x5050, [WRITES] = 0x5054,
	[GRAPHICS] = 0x5040, [CORES] = 0x5044, [DEVICES] = 0x5048,
};

static const uint32_t offsets_64[] = {
	[READS] = 0x58, [WRITES] = 0xa0, [REQUESTS] = 0x40,
};

const struct vpmu_mchbar_part vpmu_snb_mchbar = { .device = 0x0100 };
const struct vpmu_mchbar_part vpmu_ivb_mchbar = { .device = 0x0154 };
const struct vpmu_mchbar_part vpmu_hsw_mchbar = { .device = 0x0c00 };
const struct vpmu_mchbar_part vpmu_bdw_mchbar = { .device = 0x1604 };
const struct vpmu_mchbar_part vpmu_skl_mchbar = { .device = 0x191f };
const struct vpmu_mchbar_part vpmu_icl_mchbar = { .device = 0x8a02 };
const struct vpmu_mchbar_part vpmu_rkl_mchbar = { .device = 0x4c43 };
const struct vpmu_mchbar_part vpmu_tgl_mchbar = { .device = 0x9a14, .base = 0x5000 };

const struct vpmu_mchbar_part vpmu_adl_mchbar = {
	.device = 0x4660, .base = 0xd800, .box = 0xd900,
};

const struct vpmu_mchbar_part vpmu_mtl_mchbar = {
	.device = 0x7d01, .base = 0xd800, .box = 0xd900,
};

/*
 * the register MCHBAR, bits 31:0 and 63:32; if the guest writes the register, the window does not
 * move
 */
static uint32_t bar, bar_high;
static uint64_t moved[CONTROLLERS][REGISTERS];
static bool watched;

/**
 * struct mc - PMU box of a memory controller
 * @ctl: unit control
 * @select: event selects, [COUNTERS]
 * @counter: counters, [COUNTERS]
 */
struct mc {
	uint32_t ctl;
	uint32_t select[COUNTERS];
	struct vpmu_counter counter[COUNTERS];
};

static struct mc mcs[CONTROLLERS];
/* control register by which the guest stops the PMU boxes of both controllers */
static uint32_t global_ctl;

static bool is_64(void)
{
	return vpmu_options.part->mchbar->base;
}

static bool controller_there(unsigned int controller)
{
	return !is_64() || vpmu_options.imc >> controller & 1;
}

/*
 * Finds the free-running counter at an offset in MCHBAR. Sets *@controller, *@what, and *@half: 1
 * if the offset is that of bits 63:32 of the counter, otherwise 0. Returns false if there is no
 * counter.
 */
static bool mchbar_find(uint32_t offset, unsigned int *controller, enum what *what,
			unsigned int *half)
{
	uint32_t base = vpmu_options.part->mchbar->base;
	unsigned int i;

	*controller = base ? offset / STEP : 0;
	*half = base && offset & 4;
	if (base)
		offset = (offset % STEP & ~4u) - base;
	for (i = 0; i < REGISTERS; i++) {
		*what = i;
		if (base && i >= sizeof(offsets_64) / sizeof(*offsets_64))
			return false;
		if (offset == (base ? offsets_64 : offsets)[i])
			return true;
	}
	return false;
}

/*
 * Returns how many of @lines cache lines a controller transfers. A single controller transfers all.
 * Each of two controllers transfers half, which is rounded up for controller 0.
 */
static uint64_t share(uint64_t lines, unsigned int controller)
{
	if (!is_64() || !controller_there(!controller))
		return lines;
	return (lines + !controller) / CONTROLLERS;
}

/*
 * Reads the traffic of the simulated memory into @seen. The first call starts the simulation of the
 * cores of all vCPUs, which from then on always runs.
 */
static void watch(struct vpmu_cpu *cpu, struct vcore_traffic *seen)
{
	if (!watched)
		vpmu_model_all(VPMU_FOR_MEMORY, true);
	watched = true;
	vcore_settle(cpu->core);
	vpmu_client_traffic(seen);
}

/*
 * Returns the total of the event that @select selects, in the simulated cores and memory since
 * power on.
 */
static uint64_t mc_total(const struct vcore_traffic *seen, unsigned int controller,
			 uint32_t select)
{
	if (CHANNELS(select) && !(CHANNELS(select) & CHANNEL_0))
		return 0;
	switch (CODE(select)) {
	case CLOCK:
		return vcore_traffic_clock(seen);
	case READ_REQUESTS:
	case CAS_READ:
		return share(seen->requests - seen->writes, controller);
	case WRITE_REQUESTS:
	case CAS_WRITE:
		return share(seen->writes, controller);
	default:
		return 0;
	}
}

/* Checks if the simulated memory, which has only channel 0, has the event that @select selects. */
static bool mc_models(uint32_t select)
{
	uint32_t code = CODE(select);

	return (!CHANNELS(select) || CHANNELS(select) & CHANNEL_0) &&
	       (code == CLOCK || code == READ_REQUESTS || code == CAS_READ ||
		code == WRITE_REQUESTS || code == CAS_WRITE);
}

/*
 * Puts the event of a counter into the list of uncounted events (those that the guest selects, but
 * that never occur here), unless the simulated cores and memory have the event, or the guest
 * injects it by CPUID. Called when the guest reads the counter (@happened is false), and when the
 * counter counts an injected event (@happened is true).
 */
static void mc_note(uint32_t select, bool happened)
{
	if (select)
		vpmu_uncounted_box("memory channels", select, 0, happened || mc_models(select));
}

static bool mc_runs(const struct mc *mc, unsigned int i)
{
	return mc->select[i] && !((mc->ctl | global_ctl) & CTL_FREEZE);
}

static void mc_settle(const struct vcore_traffic *seen)
{
	struct vpmu_counter *counter;
	unsigned int k, i;

	for (k = 0; k < CONTROLLERS; k++)
		for (i = 0; i < COUNTERS; i++) {
			counter = &mcs[k].counter[i];
			if (counter->running)
				counter->value += mc_total(seen, k, mcs[k].select[i]) -
						  counter->since;
			counter->running = false;
		}
}

static void mc_restart(const struct vcore_traffic *seen)
{
	unsigned int k, i;

	for (k = 0; k < CONTROLLERS; k++)
		for (i = 0; i < COUNTERS; i++) {
			mcs[k].counter[i].running = mc_runs(&mcs[k], i);
			mcs[k].counter[i].since = mc_total(seen, k, mcs[k].select[i]);
		}
}

/* Checks if @offset in MCHBAR is in a PMU box; sets *@at to the offset in the box. */
static bool mc_find(uint32_t offset, uint32_t *at)
{
	uint32_t first = vpmu_options.part->mchbar->box;

	*at = offset % STEP - first;
	return first && *at < BOX_BYTES;
}

static uint32_t mc_value(struct vpmu_cpu *cpu, unsigned int controller, uint32_t at)
{
	const struct mc *mc = &mcs[controller];
	struct vcore_traffic seen;

	if (at == GLOBAL_CTL && controller == GLOBAL_IN)
		return global_ctl;
	if (at == BOX_CTL)
		return mc->ctl;
	if (at - SELECT < 4 * COUNTERS)
		return mc->select[(at - SELECT) / 4];
	if (at - COUNTER >= 8 * COUNTERS)
		return 0;
	watch(cpu, &seen);
	mc_settle(&seen);
	mc_restart(&seen);
	mc_note(mc->select[(at - COUNTER) / 8], false);
	return mc->counter[(at - COUNTER) / 8].value >> (at & 4 ? 32 : 0);
}

static void mc_reset(struct mc *mc, uint32_t bits)
{
	unsigned int i;

	for (i = 0; i < COUNTERS; i++) {
		if (bits & CTL_RESET_CONTROLS)
			mc->select[i] = 0;
		if (bits & CTL_RESET_COUNTERS)
			mc->counter[i].value = 0;
	}
}

/* Returns the legal bits of the register at offset @at in a PMU box; 0 if there is no register. */
static uint32_t mc_legal(unsigned int controller, uint32_t at)
{
	if (at == BOX_CTL || (at == GLOBAL_CTL && controller == GLOBAL_IN))
		return CTL_BITS;
	if (at - SELECT < 4 * COUNTERS)
		return SELECT_BITS;
	return at - COUNTER < 8 * COUNTERS ? ~0u : 0;
}

static void mc_set(struct mc *mc, uint32_t at, uint32_t value)
{
	unsigned int i, shift = at & 4 ? 32 : 0;

	if (at == GLOBAL_CTL) {
		for (i = 0; i < CONTROLLERS; i++)
			mc_reset(&mcs[i], value);
		global_ctl = value & CTL_FREEZE;
	} else if (at == BOX_CTL) {
		mc_reset(mc, value);
		mc->ctl = value & CTL_FREEZE;
	} else if (at - SELECT < 4 * COUNTERS) {
		mc->select[(at - SELECT) / 4] = value;
	} else {
		i = (at - COUNTER) / 8;
		mc->counter[i].value &= ~(0xffffffffull << shift);
		mc->counter[i].value |= (uint64_t)value << shift;
	}
}

static void mc_store(struct vpmu_cpu *cpu, unsigned int controller, uint32_t at,
		     uint32_t value)
{
	uint32_t legal = mc_legal(controller, at);
	struct vcore_traffic seen;

	/* A driver may initialise a controller that is absent: such a write is not illegal. */
	if (!controller_there(controller))
		return;
	if (!legal || value & ~legal) {
		cpu->illegal_writes++;
		return;
	}
	watch(cpu, &seen);
	mc_settle(&seen);
	mc_set(&mcs[controller], at, value);
	mc_restart(&seen);
}

/**
 * vpmu_mchbar_happen() - inject an event of a memory controller's PMU box at MCHBAR
 * @cpu: the calling vCPU
 * @what: event in bits 7:0, bitmap of channels in 11:8, number of the controller in 23:16
 * @detail: not used
 * @count: number of occurrences
 */
void vpmu_mchbar_happen(const struct vpmu_cpu *cpu, uint32_t what, uint32_t detail,
			uint32_t count)
{
	unsigned int controller = what >> 16 & 0xff;
	struct mc *mc = &mcs[controller % CONTROLLERS];
	unsigned int i;

	(void)cpu;
	(void)detail;
	if (!vpmu_options.part->mchbar || controller >= CONTROLLERS ||
	    !controller_there(controller))
		return;
	for (i = 0; i < COUNTERS; i++) {
		if (!mc_runs(mc, i) || CODE(mc->select[i]) != CODE(what) ||
		    (CHANNELS(mc->select[i]) && !(CHANNELS(mc->select[i]) & CHANNELS(what))))
			continue;
		mc_note(mc->select[i], true);
		mc->counter[i].value += count;
	}
}

static uint32_t mchbar_value(struct vpmu_cpu *cpu, uint32_t offset)
{
	unsigned int controller, half;
	struct vcore_traffic seen;
	uint64_t value;
	enum what what;
	uint32_t at;

	if (!controller_there(offset / STEP))
		return ~0u;
	if (mc_find(offset, &at))
		return mc_value(cpu, offset / STEP, at);
	if (!mchbar_find(offset, &controller, &what, &half))
		return 0;
	watch(cpu, &seen);
	value = moved[controller][what];
	if (what == READS)
		value += share(seen.requests - seen.writes, controller);
	else if (what == WRITES)
		value += share(seen.writes, controller);
	else if (what == CORES || what == REQUESTS)
		value += share(seen.requests, controller);
	return value >> 32 * half;
}

static uint64_t mchbar_load(struct vpmu_cpu *cpu, uint64_t offset, unsigned int bytes)
{
	uint64_t value = mchbar_value(cpu, offset & ~3u);

	if (bytes == 8)
		value |= (uint64_t)mchbar_value(cpu, offset + 4) << 32;
	return value >> 8 * (offset & 3);
}

/* Executes a write to MCHBAR. Only registers of PMU boxes can be written; others are read-only. */
static void mchbar_store(struct vpmu_cpu *cpu, uint64_t offset, unsigned int bytes,
			 uint64_t value)
{
	uint32_t at;

	if (!mc_find(offset, &at) || bytes < 4) {
		cpu->illegal_writes++;
		return;
	}
	mc_store(cpu, offset / STEP, at, value);
	if (bytes == 8)
		mc_store(cpu, offset / STEP, at + 4, value >> 32);
}

/**
 * vpmu_mchbar_lose() - set the registers at MCHBAR to their values at power on
 */
void vpmu_mchbar_lose(void)
{
	unsigned int k, i;

	global_ctl = 0;
	memset(mcs, 0, sizeof(mcs));
	for (k = 0; k < CONTROLLERS; k++)
		for (i = 0; i < COUNTERS; i++)
			mcs[k].counter[i].value = vpmu_start_value(WIDTH);
}

/**
 * vpmu_mchbar_init() - let the guest access simulated registers at MCHBAR
 *
 * Nothing is done if the CPU model has no MCHBAR or the option imc= was not given.
 */
void vpmu_mchbar_init(void)
{
	static const struct vpmu_window window = {
		.name = "mchbar", .base = BASE, .size = SIZE,
		.read = mchbar_load, .write = mchbar_store,
	};
	static const struct vpmu_window window_64 = {
		.name = "mchbar", .base = BASE_64, .size = SIZE_64,
		.read = mchbar_load, .write = mchbar_store,
	};
	static const struct vpmu_window window_high = {
		.name = "mchbar", .base = BASE_HIGH, .size = SIZE_64,
		.read = mchbar_load, .write = mchbar_store,
	};
	const struct vpmu_window *added = &window;
	unsigned int i;

	if (!vpmu_options.part->mchbar || !vpmu_options.imc)
		return;
	for (i = 0; i < CONTROLLERS * REGISTERS; i++)
		moved[i / REGISTERS][i % REGISTERS] =
			vpmu_start_value(is_64() ? 64 : 32) ?: BEFORE;
	vpmu_mchbar_lose();
	if (is_64())
		added = vpmu_options.part->mchbar->box ? &window_high : &window_64;
	bar = (uint32_t)added->base | ENABLED;
	bar_high = added->base >> 32;
	vpmu_window_add(added);
}

/**
 * vpmu_mchbar_at() - check if a PCI device is the host bridge, which has the register MCHBAR
 * @bus: number of the bus
 * @devfn: device and function
 */
bool vpmu_mchbar_at(unsigned int bus, unsigned int devfn)
{
	return vpmu_options.part->mchbar && !bus && devfn == DEVFN;
}

/**
 * vpmu_mchbar_config() - read configuration space of the host bridge, which has MCHBAR
 * @offset: offset in configuration space
 *
 * Return: the value, 0 for a register other than MCHBAR.
 */
uint32_t vpmu_mchbar_config(unsigned int offset)
{
	return offset == MCHBAR ? bar : offset == MCHBAR + 4 ? bar_high : 0;
}

/**
 * vpmu_mchbar_config_set() - write configuration space of the host bridge, which has MCHBAR
 * @offset: offset in configuration space
 * @value: 32 bits to write
 */
void vpmu_mchbar_config_set(unsigned int offset, uint32_t value)
{
	if (offset == MCHBAR)
		bar = value;
}

/**
 * vpmu_mchbar_move() - inject a change of a free-running counter at MCHBAR
 * @offset: offset of the counter in MCHBAR
 * @by: value to add to the counter, or the counter's new value
 * @set: true to set the counter to @by, false to add @by
 *
 * Return: false if there is no counter at @offset.
 */
bool vpmu_mchbar_move(uint32_t offset, uint64_t by, bool set)
{
	unsigned int controller, half;
	uint64_t *value;
	enum what what;

	if (!vpmu_options.part->mchbar || offset >= SIZE_64 ||
	    !mchbar_find(offset, &controller, &what, &half) || half)
		return false;
	value = &moved[controller][what];
	*value = set ? by : *value + by;
	return true;
}
