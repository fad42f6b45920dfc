// SPDX-License-Identifier: GPL-2.0
/*
 * Sapphire Rapids' uncore and its discovery table: CHAs, an IIO stack, PCU and UBox in MSRs,
 * memory channels in memory. Channels of the first package count the lines that the model's
 * memory controller reads and writes, interleaved over them. The guest injects the events of
 * CHAs and channels, as in cbo.c and imc.c: event with unit mask, unit, number of events.
 *
 * Format of the table, bits of a control: Linux, arch/x86/events/intel/uncore_discovery.h.
 */
#include "told.h"

#include <string.h>

#include "imc.h"
#include "machine/options.h"
#include "machine/topology.h"
#include "machine/want.h"
#include "machine/window.h"
#include "memory/tracker.h"

#define COUNTERS 4
#define WIDTH 48
#define CHAS 32
#define CHANNELS 8
/* indices of units: memory channels, then units in MSRs */
#define IIO CHANNELS
#define PCU (CHANNELS + 1)
#define UBOX (CHANNELS + 2)
#define CHA (CHANNELS + 3)
#define UNITS (CHA + CHAS)
#define MSRS 16

#define FREEZE 0x1
#define RESET_CONTROLS 0x100
#define RESET_COUNTERS 0x200
#define WHAT 0xffff
/* UNC_M_CAS_COUNT, and its unit mask bits of regular reads and writes */
#define CODE 0xff
#define CAS 0x05
#define CAS_READ 0x100
#define CAS_WRITE 0x1000
#define CHA_NUMBER 0x2ffe

/*
 * Physical addresses, above the machine's RAM: every STEP bytes a package's table, then its
 * channels, CHANNEL_STEP apart.
 */
#define BASE 0x5000000000ull
#define STEP 0x100000ull
#define CHANNEL_STEP 0x4000u
#define STRIDE 40
#define CHANNEL_SELECT 0x40
#define CHANNEL_COUNTER 0x08
#define MSR_SELECT 2
#define MSR_COUNTER 8
/* number of wrong records, which a driver must refuse; see wrong() */
#define WRONG 3

/**
 * struct unit - registers of a unit
 * @ctl: control; only the freeze bit is stored
 * @select: event selects, [COUNTERS]
 * @counter: counters of WIDTH bits, [COUNTERS]
 * @since: total of the model's event when the counter was last settled, [COUNTERS]
 */
struct unit {
	uint64_t ctl;
	uint64_t select[COUNTERS];
	uint64_t counter[COUNTERS];
	uint64_t since[COUNTERS];
};

static struct unit units[VPMU_MAX_CPUS][UNITS];
static bool counting;

static bool is_told(void)
{
	return vpmu_options.part->imc && vpmu_options.part->imc->told;
}

static unsigned int nr_chas(void)
{
	return vpmu_options.boxes && vpmu_options.boxes < CHAS ? vpmu_options.boxes : 4;
}

static uint32_t msr_of(unsigned int unit)
{
	return unit == IIO ? 0x3000 : unit == PCU ? 0x2fc0 : unit == UBOX ? 0x2fd0 :
	       0x2000 + (unit - CHA) * MSRS;
}

static bool is_there(unsigned int unit)
{
	return unit < CHANNELS ? vpmu_options.imc >> unit & 1 : unit < CHA + nr_chas();
}

/* returns 64-bit word @word of the unit's record in the table */
static uint64_t row(unsigned int package, unsigned int unit, unsigned int word)
{
	static const unsigned int types[] = { 1, 4, 5 };
	bool memory = unit < CHANNELS;

	if (word == 0)
		return (memory ? 1ull << 62 : 0) | (unit == UBOX ? 2 : COUNTERS) |
		       (memory ? CHANNEL_SELECT : MSR_SELECT) << 8 | WIDTH << 16 |
		       (memory ? CHANNEL_COUNTER : MSR_COUNTER) << 24;
	if (word == 1 && unit == CHA && package && vpmu_options.elsewhere)
		return msr_of(CHA + CHAS);
	if (word == 1)
		return memory ? BASE + package * STEP + (unit + 1) * CHANNEL_STEP :
		       msr_of(unit);
	if (word > 2)
		return 0;
	return memory ? 6 | unit << 16 : unit >= CHA ? (unit - CHA) << 16 : types[unit - IIO];
}

/*
 * Wrong records: a CHA at an MSR of the core, a channel in RAM, a channel that overlaps
 * another one.
 */
static uint64_t wrong(unsigned int package, unsigned int i, unsigned int word)
{
	if (word == 1)
		return !i ? 0x1a0 : i == 1 ? 0x100000 :
		       BASE + package * STEP + CHANNEL_STEP + 8;
	if (word == 2)
		return !i ? 90 << 16 : 6 | (90 + i) << 16;
	return row(package, !i ? CHA : 0, word);
}

static uint64_t table_word(unsigned int package, unsigned int record, unsigned int word)
{
	unsigned int i, unit, n = 0;

	if (!record)
		return !word ? STRIDE / 8 << 8 | (UNITS + WRONG) << 16 : word == 1 ? 0x2ff0 : 0;
	for (i = 0; i < UNITS; i++) {
		unit = package && vpmu_options.reversed ? UNITS - 1 - i : i;
		if (is_there(unit) && ++n == record)
			return row(package, unit, word);
	}
	record -= n + 1;
	return vpmu_options.untold && record < WRONG ? wrong(package, record, word) : 0;
}

static uint64_t *select_or_counter(struct unit *u, unsigned int select, unsigned int counter)
{
	if (select < COUNTERS)
		return &u->select[select];
	return counter < COUNTERS ? &u->counter[counter] : NULL;
}

/* the reset bits are write-only: they read as 0 */
static void control(struct unit *u, uint64_t value)
{
	if (value & RESET_CONTROLS)
		memset(u->select, 0, sizeof(u->select));
	if (value & RESET_COUNTERS)
		memset(u->counter, 0, sizeof(u->counter));
	u->ctl = value & FREEZE;
}

static void set(struct vpmu_cpu *cpu, struct unit *u, uint64_t *reg, uint64_t value,
		uint64_t select_bits)
{
	uint64_t legal = FREEZE | RESET_CONTROLS | RESET_COUNTERS;

	if (reg != &u->ctl)
		legal = reg < u->counter ? select_bits : VPMU_BIT(WIDTH) - 1;
	if (value & ~legal)
		cpu->illegal_writes++;
	else if (reg == &u->ctl)
		control(u, value);
	else
		*reg = value;
}

static uint64_t *channel_register(struct unit *u, unsigned int offset)
{
	if (!offset)
		return &u->ctl;
	return select_or_counter(u, (offset - CHANNEL_SELECT) / 4,
				 (offset - CHANNEL_COUNTER) / 8);
}

static struct unit *channel_at(uint64_t at, unsigned int *offset)
{
	unsigned int unit = at % STEP / CHANNEL_STEP - 1;

	*offset = at % CHANNEL_STEP;
	return unit < CHANNELS && is_there(unit) && *offset < 0x50 ?
	       &units[at / STEP][unit] : NULL;
}

static bool counts_lines(const struct unit *u, unsigned int i)
{
	return !(u->ctl & FREEZE) && (u->select[i] & CODE) == CAS;
}

/* adds to the counters what the model transferred since the last call, if @add is set */
static void settle_channels(struct vpmu_cpu *cpu, bool add)
{
	unsigned int present = vpmu_options.imc & (VPMU_BIT(CHANNELS) - 1);
	struct vcore_traffic seen;
	unsigned int channel, i;
	struct unit *u;
	uint64_t total;

	vcore_settle(cpu->core);
	vcore_memory_traffic(vpmu_cpu(0)->core->memory, &seen);
	for (channel = 0; channel < CHANNELS; channel++) {
		u = &units[0][channel];
		for (i = 0; is_there(channel) && i < COUNTERS; i++) {
			if (!counts_lines(u, i))
				continue;
			total = vpmu_imc_lines(&seen, present, channel,
					       u->select[i] & CAS_READ,
					       u->select[i] & CAS_WRITE);
			if (add)
				u->counter[i] = (u->counter[i] + total - u->since[i]) &
						(VPMU_BIT(WIDTH) - 1);
			u->since[i] = total;
		}
	}
}

static bool any_counts_lines(void)
{
	unsigned int channel, i;

	for (channel = 0; channel < CHANNELS; channel++)
		for (i = 0; i < COUNTERS; i++)
			if (counts_lines(&units[0][channel], i))
				return true;
	return false;
}

static void restart_channels(struct vpmu_cpu *cpu)
{
	bool before = counting;

	settle_channels(cpu, false);
	counting = any_counts_lines();
	if (before != counting)
		vpmu_model_all(VPMU_FOR_UNCORE, counting);
}

static uint64_t told_load(struct vpmu_cpu *cpu, uint64_t at, unsigned int bytes)
{
	unsigned int offset;
	struct unit *u;
	uint64_t *reg;

	if (at % STEP < CHANNEL_STEP)
		return table_word(at / STEP, at % STEP / STRIDE, at % STEP % STRIDE / 8) >>
		       8 * (at & 7);
	u = channel_at(at, &offset);
	reg = u ? channel_register(u, offset) : NULL;
	if (!u || vpmu_options.mute >> (u - units[at / STEP]) & 1)
		return -1ull;
	if (reg && reg >= u->counter)
		settle_channels(cpu, true);
	return reg ? *reg >> (bytes == 4 && reg >= u->counter ? 8 * (at & 4) : 0) : 0;
}

static void told_store(struct vpmu_cpu *cpu, uint64_t at, unsigned int bytes, uint64_t value)
{
	unsigned int offset;
	struct unit *u = channel_at(at, &offset);
	uint64_t *reg = u ? channel_register(u, offset) : NULL;

	if (!reg || (bytes != 8 && reg >= u->counter) || bytes < 4) {
		cpu->illegal_writes++;
		return;
	}
	settle_channels(cpu, true);
	set(cpu, u, reg, value, 0xff84ffff);
	restart_channels(cpu);
}

/**
 * vpmu_told_init() - set the counters to their values at power on, and map table and channels
 */
void vpmu_told_init(void)
{
	static const struct vpmu_window window = {
		.name = "told", .base = BASE, .size = VPMU_MAX_CPUS * STEP,
		.read = told_load, .write = told_store,
	};

	memset(units, 0, sizeof(units));
	counting = false;
	if (vpmu_options.imc && is_told())
		vpmu_window_add(&window);
}

/**
 * vpmu_told_config() - read configuration space of the device that holds the table
 * @package: package number
 * @offset: offset in bytes, a multiple of 4
 *
 * Return: 32 bits of the register; 0 if there is none.
 */
uint32_t vpmu_told_config(unsigned int package, unsigned int offset)
{
	uint64_t base = BASE + package * STEP;

	switch (offset) {
	case 0x10:
		return (uint32_t)base | 4;
	case 0x14:
		return base >> 32;
	case 0x100:
		return 0x10023;
	case 0x104:
		return 0x01008086;
	case 0x108:
		return 1;
	default:
		return 0;
	}
}

/* finds the register of a unit by MSR */
static uint64_t *msr_register(const struct vpmu_cpu *cpu, uint32_t msr, struct unit **u)
{
	unsigned int unit;
	uint32_t n;

	for (unit = CHANNELS; is_told() && is_there(unit); unit++) {
		n = msr - msr_of(unit);
		*u = &units[vpmu_package_of(cpu)][unit];
		if (!n)
			return &(*u)->ctl;
		if (n < MSRS)
			return select_or_counter(*u, n - MSR_SELECT, n - MSR_COUNTER);
	}
	return NULL;
}

/**
 * vpmu_told_read() - execute RDMSR of one of these registers
 * @cpu: the calling vCPU
 * @msr: number of the MSR
 * @value: set to the value of the register
 *
 * Return: false if the MSR is none of them.
 */
bool vpmu_told_read(struct vpmu_cpu *cpu, uint32_t msr, uint64_t *value)
{
	struct unit *u;
	uint64_t *reg;

	if (is_told() && msr == CHA_NUMBER) {
		*value = nr_chas();
		return true;
	}
	reg = msr_register(cpu, msr, &u);
	if (reg)
		*value = *reg;
	return reg;
}

/**
 * vpmu_told_write() - execute WRMSR of one of these registers
 * @cpu: the calling vCPU
 * @msr: number of the MSR
 * @value: value to write
 *
 * Return: false if the MSR is none of them.
 */
bool vpmu_told_write(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value)
{
	struct unit *u;
	uint64_t *reg = msr_register(cpu, msr, &u);

	if (reg)
		set(cpu, u, reg, value, 0x00ffffffff84ffff);
	return reg;
}

static void told_happen(struct unit *u, uint32_t what, uint32_t count)
{
	unsigned int i;

	for (i = 0; i < COUNTERS; i++)
		if (!(u->ctl & FREEZE) && u->select[i] && (u->select[i] & WHAT) == what)
			u->counter[i] = (u->counter[i] + count) & (VPMU_BIT(WIDTH) - 1);
}

/**
 * vpmu_told_cha_happen() - inject an event of a CHA
 * @cpu: a vCPU of its package
 * @what: event in bits 7:0, unit mask in 15:8, number of the CHA in 23:16
 * @detail: not used
 * @count: number of occurrences
 */
void vpmu_told_cha_happen(const struct vpmu_cpu *cpu, uint32_t what, uint32_t detail,
			  uint32_t count)
{
	unsigned int cha = what >> 16 & 0xff;

	(void)detail;
	if (is_told() && cha < nr_chas())
		told_happen(&units[vpmu_package_of(cpu)][CHA + cha], what & WHAT, count);
}

/**
 * vpmu_told_imc_happen() - inject an event of a memory channel
 * @cpu: a vCPU of its package
 * @what: event in bits 7:0, unit mask in 15:8, number of the channel in 23:16
 * @detail: not used
 * @count: number of occurrences
 */
void vpmu_told_imc_happen(const struct vpmu_cpu *cpu, uint32_t what, uint32_t detail,
			  uint32_t count)
{
	unsigned int channel = what >> 16 & 0xff;

	(void)detail;
	if (is_told() && channel < CHANNELS && is_there(channel))
		told_happen(&units[vpmu_package_of(cpu)][channel], what & WHAT, count);
}
