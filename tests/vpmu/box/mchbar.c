// SPDX-License-Identifier: GPL-2.0
/*
 * Registers of the memory controllers of Intel's clients: 64-byte lines read from memory
 * and written to it, and requests of graphics, cores and devices, 32 bits each. They lie in
 * a window of physical addresses, MCHBAR, which a PCI device tells: Linux,
 * arch/x86/events/intel/uncore_snb.c, SNB_UNCORE_PCI_IMC_*, *_IMC_ids[].
 *
 * They count what the model's memory controller sees, from the first read of one of them
 * on, when the model begins to run: nobody has seen what they held before. The guest can
 * move them, too, as it can the other registers that always run (free.c). No device and
 * no graphics ask memory for anything.
 */
#include "mchbar.h"

#include <string.h>

#include "client.h"
#include "machine/options.h"
#include "machine/topology.h"
#include "machine/want.h"
#include "machine/window.h"
#include "memory/tracker.h"

/* where firmware puts it */
#define BASE 0xfed10000u
#define SIZE 0x8000
#define ENABLED 1

/* of the PCI device */
#define MCHBAR 0x48
#define DEVFN (0x10 << 3)

#define WIDTH 32
/* what was read and written before anyone looked */
#define BEFORE 4096

enum what { GRAPHICS, CORES, DEVICES, READS, WRITES, REGISTERS };

static const uint32_t offsets[REGISTERS] = { 0x5040, 0x5044, 0x5048, 0x5050, 0x5054 };

const struct vpmu_mchbar_part vpmu_snb_mchbar = { 0x0100 };
const struct vpmu_mchbar_part vpmu_ivb_mchbar = { 0x0154 };
const struct vpmu_mchbar_part vpmu_hsw_mchbar = { 0x0c00 };
const struct vpmu_mchbar_part vpmu_bdw_mchbar = { 0x1604 };
const struct vpmu_mchbar_part vpmu_skl_mchbar = { 0x191f };
const struct vpmu_mchbar_part vpmu_icl_mchbar = { 0x8a02 };
const struct vpmu_mchbar_part vpmu_rkl_mchbar = { 0x4c43 };

/* what the PCI device says: wherever that is, the window stays */
static uint32_t told = BASE | ENABLED;
static uint64_t moved[REGISTERS];
static bool watched;

static int mchbar_find(uint32_t offset)
{
	unsigned int i;

	for (i = 0; i < REGISTERS; i++)
		if (offsets[i] == offset)
			return i;
	return -1;
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

static uint32_t mchbar_value(struct vpmu_cpu *cpu, uint32_t offset)
{
	int what = mchbar_find(offset);
	struct vcore_traffic seen;

	if (what < 0)
		return 0;
	mchbar_watch();
	vcore_settle(cpu->core);
	vpmu_client_traffic(&seen);
	switch (what) {
	case READS:
		return moved[what] + seen.requests - seen.writes;
	case WRITES:
		return moved[what] + seen.writes;
	case CORES:
		return moved[what] + seen.requests;
	default:
		return moved[what];
	}
}

static uint64_t mchbar_load(struct vpmu_cpu *cpu, uint64_t offset, unsigned int bytes)
{
	uint64_t value = mchbar_value(cpu, offset & ~3u);

	if (bytes == 8)
		value |= (uint64_t)mchbar_value(cpu, offset + 4) << 32;
	return value >> 8 * (offset & 3);
}

/* all are read-only */
static void mchbar_store(struct vpmu_cpu *cpu, uint64_t offset, unsigned int bytes,
			 uint64_t value)
{
	cpu->illegal_writes++;
	(void)offset;
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
	unsigned int i;

	if (!vpmu_options.part->mchbar || !vpmu_options.imc)
		return;
	for (i = 0; i < REGISTERS; i++)
		moved[i] = vpmu_start_value(WIDTH) ?: BEFORE;
	vpmu_window_add(&window);
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
	int what = mchbar_find(offset);

	if (!vpmu_options.part->mchbar || what < 0)
		return false;
	moved[what] = set ? by : moved[what] + by;
	return true;
}
