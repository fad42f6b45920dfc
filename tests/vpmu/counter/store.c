// SPDX-License-Identifier: GPL-2.0
/*
 * Precise records in the debug store (SDM Vol. 3, "BTS and DS Save Area" and "Processor Event Based
 * Sampling"). The layouts of the area and of records are from Linux' asm/intel_ds.h and struct
 * pebs_basic, pebs_meminfo, pebs_gprs and lbr_entry of asm/perf_event.h. What the registers do is
 * from intel_pmu_pebs_enable() and setup_pebs_adaptive_sample_data().
 *
 * The core reaches the area by the page tables in use. It writes a record nowhere if the area or
 * the record has no memory there: what a real CPU does then is not known, and it is counted as an
 * illegal write of the guest.
 *
 * The counter is set to its reset value by the event that is recorded, the first one after the
 * overflow. It has counted later events, which the core may have executed before the record is
 * written here.
 */
#include "store.h"

#include <string.h>

#include "machine/options.h"
#include "pmi.h"

/* MSRs: IA32_DS_AREA, IA32_PEBS_ENABLE, MSR_PEBS_DATA_CFG */
#define DS_AREA 0x600
#define PEBS_ENABLE 0x3f1
#define DATA_CFG 0x3f2

/* MSR_PEBS_DATA_CFG: groups of a record; number of its branch records, less 1 */
#define CFG_MEMORY VPMU_BIT(0)
#define CFG_GPR VPMU_BIT(1)
#define CFG_LBR VPMU_BIT(3)
#define CFG_LBRS(cfg) (((cfg) >> 24 & 0xff) + 1)
#define CFG_GROUPS (CFG_MEMORY | CFG_GPR | CFG_LBR)
#define CFG_BITS (CFG_GROUPS | 0xffull << 24)

/*
 * Fields of the area: index, maximum and threshold of the records' buffer, which are addresses in
 * it; and the reset value of the first counter. After those of 8 general counters follow the reset
 * values of the fixed counters; from format 5 on there is room for 32 general counters before them.
 */
#define AREA_INDEX 0x28
#define AREA_RESET 0x40
#define LONG_FORMAT 5

/* bit number in IA32_PERF_GLOBAL_STATUS: the buffer is filled up to its threshold */
#define STATUS_THRESHOLD 62

/* lengths, in 64-bit words, of the basic group and of that of the general registers */
#define BASIC 4
#define MEMORY 4
#define GPRS 18
/* word of the basic group that has the TSC */
#define TSC_WORD 3
/* field of the record's first word: the record's size in bytes */
#define SIZE_SHIFT 48

static bool (*access_memory)(struct vpmu_cpu *cpu, uint64_t va, void *bytes, unsigned int size,
			     bool write);
static void (*to_memory)(struct vpmu_cpu *cpu, const struct vpmu_stored *record);

/* the fields of the area from AREA_INDEX on */
struct limits {
	uint64_t index;
	uint64_t maximum;
	uint64_t threshold;
};

/**
 * vpmu_store_to() - set the functions that reach the guest's debug store (DS)
 * @access: reads, or writes if @write is true, @size bytes at a linear address of the vCPU; returns
 *	false if the page tables in use have no memory there
 * @write: function that stores the guest's TSC in a record, and writes the record before the
 *	calling vCPU executes its next instruction
 */
void vpmu_store_to(bool (*access)(struct vpmu_cpu *cpu, uint64_t va, void *bytes,
				  unsigned int size, bool write),
		   void (*write)(struct vpmu_cpu *cpu, const struct vpmu_stored *record))
{
	access_memory = access;
	to_memory = write;
}

/**
 * vpmu_store_init() - set the registers of the debug store (DS) to their values at power on
 * @cpu: the vCPU
 */
void vpmu_store_init(struct vpmu_cpu *cpu)
{
	cpu->store = (struct vpmu_store){ 0 };
}

/**
 * vpmu_store_has() - check if the guest has turned on precise records (PEBS) for a counter
 * @cpu: the vCPU, of a CPU model with a debug store
 * @number: i for general-purpose counter i, 32 + i for fixed counter i
 */
bool vpmu_store_has(const struct vpmu_cpu *cpu, unsigned int number)
{
	return cpu->store.enable >> number & 1;
}

/*
 * Checks if the records of a counter have the groups in MSR_PEBS_DATA_CFG: a bit of its event
 * select, or of IA32_FIXED_CTR_CTRL, says so.
 */
static bool is_adaptive(const struct vpmu_cpu *cpu, unsigned int number)
{
	if (number < 32)
		return cpu->select[number] & VPMU_SEL_ADAPTIVE;
	return cpu->fixed_ctrl & VPMU_FIXED_ADAPTIVE << 4 * (number - 32);
}

static void add_words(struct vpmu_stored *record, const uint64_t *words, unsigned int nr)
{
	memcpy(record->bytes + record->size, words, nr * sizeof(*words));
	record->size += nr * sizeof(*words);
}

/* Adds the general registers in the order of their encoding, with their values after the event. */
static void add_registers(struct vpmu_stored *record, uint64_t next)
{
	uint64_t words[GPRS] = { vpmu_reg_read(VPMU_EFLAGS), next };
	unsigned int i;

	for (i = 0; i < 16; i++)
		words[2 + i] = vpmu_reg_read(VPMU_RAX + i);
	add_words(record, words, GPRS);
}

/* Adds the @nr newest branch records, the newest first; those that there are not are 0. */
static void add_branches(const struct vpmu_cpu *cpu, struct vpmu_stored *record, unsigned int nr)
{
	const struct vpmu_lbr *lbr = &cpu->lbr;
	const struct vpmu_branch none = { 0 };
	const struct vpmu_branch *branch;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		branch = i < lbr->depth ? &lbr->branch[(lbr->tos + lbr->depth - i) % lbr->depth] :
					  &none;
		add_words(record, (const uint64_t[]){ branch->from, branch->to, branch->info }, 3);
	}
}

static void fill_in(struct vpmu_cpu *cpu, struct vpmu_stored *record,
		    const struct vpmu_happened *event)
{
	uint64_t cfg = is_adaptive(cpu, event->number) ? cpu->store.config : 0;
	uint64_t basic[BASIC] = { 0, event->pc, event->counters };
	const uint64_t memory[MEMORY] = { 0 };

	record->tsc = TSC_WORD * sizeof(*basic);
	add_words(record, basic, BASIC);
	if (cfg & CFG_MEMORY)
		add_words(record, memory, MEMORY);
	if (cfg & CFG_GPR)
		add_registers(record, event->next);
	if (cfg & CFG_LBR)
		add_branches(cpu, record, CFG_LBRS(cfg));
	*basic = cfg | (uint64_t)record->size << SIZE_SHIFT;
	memcpy(record->bytes, basic, sizeof(*basic));
}

/**
 * vpmu_store_deposit() - write a precise record (PEBS) into the debug store, if it has room
 * @cpu: the calling vCPU
 * @event: the event that is recorded
 *
 * A PMI becomes due when the buffer is filled up to its threshold. A record that does not fit is
 * lost silently.
 */
void vpmu_store_deposit(struct vpmu_cpu *cpu, const struct vpmu_happened *event)
{
	uint64_t at = cpu->store.area + AREA_INDEX;
	uint8_t before[VPMU_STORED_MOST];
	struct vpmu_stored record = { 0 };
	struct limits limits;

	fill_in(cpu, &record, event);
	if (!access_memory(cpu, at, &limits, sizeof(limits), false)) {
		cpu->illegal_writes++;
		return;
	}
	record.va = limits.index;
	limits.index += record.size;
	if (limits.index > limits.maximum)
		return;
	if (!access_memory(cpu, record.va, before, record.size, false) ||
	    !access_memory(cpu, at, &limits.index, sizeof(limits.index), true)) {
		cpu->illegal_writes++;
		return;
	}
	to_memory(cpu, &record);
	if (limits.index < limits.threshold)
		return;
	cpu->status |= VPMU_BIT(STATUS_THRESHOLD);
	vpmu_pmi_overflow(cpu, STATUS_THRESHOLD, 0);
}

/**
 * vpmu_store_reset() - set a counter to its reset value in the debug store at a recorded event
 * @cpu: the calling vCPU
 * @number: number of the counter
 * @value: number of events that the counter has counted after its overflow: that which is recorded,
 *	and those after it
 *
 * Return: the value from which the counter goes on.
 */
uint64_t vpmu_store_reset(struct vpmu_cpu *cpu, unsigned int number, uint64_t value)
{
	unsigned int gp = VPMU_PEBS_FORMAT(cpu->part->capable) < LONG_FORMAT ? 8 : 32;
	unsigned int slot = number < 32 ? number : gp + number - 32;
	uint64_t reset;

	if (!access_memory(cpu, cpu->store.area + AREA_RESET + slot * sizeof(reset), &reset,
			   sizeof(reset), false)) {
		cpu->illegal_writes++;
		reset = 0;
	}
	return reset + value - 1;
}

/* Returns the bits of IA32_PEBS_ENABLE: a counter each. */
static uint64_t enable_bits(const struct vpmu_part *part)
{
	return (VPMU_BIT(vpmu_nr_gp(part)) - 1) | (VPMU_BIT(part->nr_fixed) - 1) << 32;
}

/**
 * vpmu_store_read() - execute RDMSR of a register of the debug store (DS)
 * @cpu: the calling vCPU
 * @msr: number of the MSR
 * @value: set to the value of the register
 *
 * Return: false if the MSR is no such register, or if the CPU model has no debug store.
 */
bool vpmu_store_read(const struct vpmu_cpu *cpu, uint32_t msr, uint64_t *value)
{
	if (!vpmu_has_store(cpu->part))
		return false;
	if (msr == DS_AREA)
		*value = cpu->store.area;
	else if (msr == PEBS_ENABLE)
		*value = cpu->store.enable;
	else if (msr == DATA_CFG)
		*value = cpu->store.config;
	else
		return false;
	return true;
}

/* Checks if an address is canonical: bits 63:47 are equal. */
static bool is_canonical(uint64_t address)
{
	return (uint64_t)((int64_t)(address << 16) >> 16) == address;
}

/**
 * vpmu_store_write() - execute WRMSR of a register of the debug store (DS)
 * @cpu: the calling vCPU, between vpmu_counters_settle() and vpmu_counters_restart()
 * @msr: number of the MSR
 * @value: value to write
 *
 * Return: false if the MSR is no such register, or if the CPU model has no debug store.
 */
bool vpmu_store_write(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value)
{
	uint64_t *reg, legal;

	if (!vpmu_has_store(cpu->part))
		return false;
	if (msr == DS_AREA) {
		reg = &cpu->store.area;
		legal = is_canonical(value) ? ~0ull : 0;
	} else if (msr == PEBS_ENABLE) {
		reg = &cpu->store.enable;
		legal = enable_bits(cpu->part);
	} else if (msr == DATA_CFG) {
		reg = &cpu->store.config;
		legal = CFG_BITS;
	} else {
		return false;
	}
	if (value & ~legal)
		cpu->illegal_writes++;
	else
		*reg = value;
	return true;
}
