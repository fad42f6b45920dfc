// SPDX-License-Identifier: GPL-2.0
/*
 * Free-running counters of the memory controllers of Intel's clients, memory-mapped at
 * MCHBAR, whose address is in the configuration space of the host bridge: 64-byte lines read
 * from memory and written to it. Before Tiger Lake, and on Rocket Lake, they have 32 bits and
 * cover all controllers, with further counters for requests of graphics, cores and I/O
 * devices; from Tiger Lake on they have 64 bits, one set for each of two controllers, with a
 * further counter for all requests. Source: Linux, arch/x86/events/intel/uncore_snb.c,
 * SNB_UNCORE_PCI_IMC_*, *_IMC_ids[], tgl_l_uncore_imc_freerunning[],
 * tgl_uncore_imc_freerunning[].
 *
 * They count requests to the model's memory controller, which is simulated from the first
 * read of any of them on. Two controllers get alternate lines. The guest can also inject
 * changes, as in free.c. The model has no requests of graphics and I/O devices.
 */
#include "mchbar.h"

#include <string.h>

#include "client.h"
#include "machine/options.h"
#include "machine/topology.h"
#include "machine/want.h"
#include "machine/window.h"
#include "memory/tracker.h"

/* base address and size of MCHBAR, for counters of 32 and of 64 bits */
#define BASE 0xfed10000u
#define SIZE 0x8000
#define BASE_64 0xfedc0000u
#define SIZE_64 0x20000
#define ENABLED 1

/* offset in the configuration space of the host bridge; its device and function */
#define MCHBAR 0x48
#define DEVFN (0x10 << 3)

/* value of all counters at the first read */
#define BEFORE 4096

/*
 * Counters of 64 bits: distance of controllers in bytes; range of a controller's
 * programmable counters, which are not implemented
 */
#define CONTROLLERS 2
#define STEP 0x10000
#define OTHERS 0xd900
#define OTHERS_BYTES 0x200

enum what { READS, WRITES, REQUESTS, GRAPHICS, CORES, DEVICES, REGISTERS };

/* offsets of counters of 32 bits in MCHBAR; of those of 64 bits from &vpmu_mchbar_part.base */
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

/* MCHBAR register; writing it does not move the window */
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

/* finds the counter at an offset; sets @half to 1 for bits 63:32 of a counter */
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

/* lines of one controller; of an odd number the first controller has one more */
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
	if (!watched)
		vpmu_model_all(VPMU_FOR_MEMORY, true);
	watched = true;
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

/* free-running counters are read-only; Linux' driver resets the programmable ones */
static void mchbar_store(struct vpmu_cpu *cpu, uint64_t offset, unsigned int bytes,
			 uint64_t value)
{
	if (!is_64() || offset % STEP - OTHERS >= OTHERS_BYTES)
		cpu->illegal_writes++;
	(void)bytes;
	(void)value;
}

/**
 * vpmu_mchbar_init() - map the window, if the CPU model has it and imc= was given
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
 * vpmu_mchbar_at() - is the host bridge at a PCI address
 * @bus: number of the bus
 * @devfn: device and function
 */
bool vpmu_mchbar_at(unsigned int bus, unsigned int devfn)
{
	return vpmu_options.part->mchbar && !bus && devfn == DEVFN;
}

/**
 * vpmu_mchbar_config() - read a register of the host bridge
 * @offset: offset in its configuration space
 *
 * Return: the value, 0 for a register other than MCHBAR.
 */
uint32_t vpmu_mchbar_config(unsigned int offset)
{
	return offset == MCHBAR ? told : 0;
}

/**
 * vpmu_mchbar_config_set() - write a register of the host bridge
 * @offset: offset in its configuration space
 * @value: 32 bits to write
 */
void vpmu_mchbar_config_set(unsigned int offset, uint32_t value)
{
	if (offset == MCHBAR)
		told = value;
}

/**
 * vpmu_mchbar_move() - inject a change of a counter
 * @offset: offset of the counter in MCHBAR
 * @by: value to add
 * @set: set the counter to @by instead
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
