// SPDX-License-Identifier: GPL-2.0
/*
 * Registers of the memory controllers of Intel's clients: 64-byte lines read from memory
 * and written to it. Up to Rocket Lake, but for Tiger Lake, and requests of graphics, cores
 * and devices, 32 bits each, of all controllers; else all requests, 64 bits each, of one of
 * two controllers. They lie in a window of physical addresses, MCHBAR, which a PCI device
 * tells: Linux, arch/x86/events/intel/uncore_snb.c, SNB_UNCORE_PCI_IMC_*, *_IMC_ids[],
 * tgl_l_uncore_imc_freerunning[], tgl_uncore_imc_freerunning[].
 *
 * They count what the model's memory controller sees, from the first read of one of them
 * on, when the model begins to run: nobody has seen what they held before. Two controllers
 * have every other line. The guest can move them, too, as it can the other registers that
 * always run (free.c). No device and no graphics ask memory for anything.
 */
#include "mchbar.h"

#include <string.h>

#include "client.h"
#include "machine/options.h"
#include "machine/topology.h"
#include "machine/want.h"
#include "machine/window.h"
#include "memory/tracker.h"

/* where firmware puts it: registers of 32 bits, of 64 bits */
#define BASE 0xfed10000u
#define SIZE 0x8000
#define BASE_64 0xfedc0000u
#define SIZE_64 0x20000
#define ENABLED 1

/* of the PCI device */
#define MCHBAR 0x48
#define DEVFN (0x10 << 3)

/* what was read and written before anyone looked */
#define BEFORE 4096

/* of 64 bits: from one controller to the next, and where each has counters that can be
 * programmed, which nobody has counted with here
 */
#define CONTROLLERS 2
#define STEP 0x10000
#define OTHERS 0xd900
#define OTHERS_BYTES 0x200

enum what { READS, WRITES, REQUESTS, GRAPHICS, CORES, DEVICES, REGISTERS };

/* of 32 bits; of 64 bits from the part's base on */
static const uint32_t offsets[REGISTERS] = {
	[READS] = 0x5050, [WRITES] = 0x5054,
	[GRAPHICS] = 0x5040, [CORES] = 0x5044, [DEVICES] = 0x5048,
};

static const uint32_t offsets_64[] = {
	[READS] = 0x58, [WRITES] = 0xa0, [REQUESTS] = 0x40,
};

const struct vpmu_mchbar_part vpmu_snb_mchbar = { 0x0100, 0 };
const struct vpmu_mchbar_part vpmu_ivb_mchbar = { 0x0154, 0 };
const struct vpmu_mchbar_part vpmu_hsw_mchbar = { 0x0c00, 0 };
const struct vpmu_mchbar_part vpmu_bdw_mchbar = { 0x1604, 0 };
const struct vpmu_mchbar_part vpmu_skl_mchbar = { 0x191f, 0 };
const struct vpmu_mchbar_part vpmu_icl_mchbar = { 0x8a02, 0 };
const struct vpmu_mchbar_part vpmu_rkl_mchbar = { 0x4c43, 0 };
const struct vpmu_mchbar_part vpmu_tgl_mchbar = { 0x9a14, 0x5000 };
const struct vpmu_mchbar_part vpmu_adl_mchbar = { 0x4660, 0xd800 };
const struct vpmu_mchbar_part vpmu_mtl_mchbar = { 0x7d01, 0xd800 };

/* what the PCI device says: wherever that is, the window stays */
static uint32_t told;
static uint64_t moved[CONTROLLERS][REGISTERS];
static bool watched;

static bool is_64(void)
{
	return vpmu_options.part->mchbar->base;
}

static bool controller_there(unsigned int controller)
{
	return !is_64() || vpmu_options.imc >> controller & 1;
}

/* @half is 1 in the upper half of a register of 64 bits */
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

static void mchbar_watch(void)
{
	unsigned int i;

	if (watched)
		return;
	watched = true;
	vpmu_exact_wanted();
	for (i = 0; i < vpmu_nr_cpus(); i++)
		vpmu_model_wanted(vpmu_cpu(i), VPMU_FOR_MEMORY);
}

/* lines of one controller, of all: the first has what two cannot share evenly */
static uint64_t share(uint64_t lines, unsigned int controller)
{
	if (!is_64() || !controller_there(!controller))
		return lines;
	return (lines + !controller) / CONTROLLERS;
}

static uint32_t mchbar_value(struct vpmu_cpu *cpu, uint32_t offset)
{
	unsigned int controller, half;
	struct vcore_traffic seen;
	uint64_t value;
	enum what what;

	if (!controller_there(offset / STEP))
		return ~0u;
	if (!mchbar_find(offset, &controller, &what, &half))
		return 0;
	mchbar_watch();
	vcore_settle(cpu->core);
	vpmu_client_traffic(&seen);
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

/* all that always run are read-only; Linux' driver resets the others */
static void mchbar_store(struct vpmu_cpu *cpu, uint64_t offset, unsigned int bytes,
			 uint64_t value)
{
	if (!is_64() || offset % STEP - OTHERS >= OTHERS_BYTES)
		cpu->illegal_writes++;
	(void)bytes;
	(void)value;
}

/**
 * vpmu_mchbar_init() - have the window be there, if the part and the options ask for it
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
	unsigned int i;

	if (!vpmu_options.part->mchbar || !vpmu_options.imc)
		return;
	for (i = 0; i < CONTROLLERS * REGISTERS; i++)
		moved[i / REGISTERS][i % REGISTERS] =
			vpmu_start_value(is_64() ? 64 : 32) ?: BEFORE;
	told = (is_64() ? BASE_64 : BASE) | ENABLED;
	vpmu_window_add(is_64() ? &window_64 : &window);
}

/**
 * vpmu_mchbar_at() - is the device that tells its address at a place
 * @bus: number of the bus
 * @devfn: device and function there
 */
bool vpmu_mchbar_at(unsigned int bus, unsigned int devfn)
{
	return vpmu_options.part->mchbar && !bus && devfn == DEVFN;
}

/**
 * vpmu_mchbar_config() - read a register of that device
 * @offset: in its configuration space
 *
 * Return: what it holds.
 */
uint32_t vpmu_mchbar_config(unsigned int offset)
{
	return offset == MCHBAR ? told : 0;
}

/**
 * vpmu_mchbar_config_set() - write a register of that device
 * @offset: in its configuration space
 * @value: all its bits
 */
void vpmu_mchbar_config_set(unsigned int offset, uint32_t value)
{
	if (offset == MCHBAR)
		told = value;
}

/**
 * vpmu_mchbar_move() - change a register on the guest's behalf
 * @offset: which, as the distance from the window's begin
 * @by: value to add
 * @set: set the register to @by instead
 *
 * Return: false if there is none.
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
