// SPDX-License-Identifier: GPL-2.0
/*
 * Precise records in the debug store (SDM Vol. 3, "BTS and DS Save Area" and "Processor Event Based
 * Sampling"). legacy.c has the formats before the adaptive ones. The layouts of the area and of
 * records are from Linux' asm/intel_ds.h and struct
 * pebs_basic, pebs_meminfo, pebs_gprs and lbr_entry of asm/perf_event.h. What the registers do is
 * from intel_pmu_pebs_enable() and setup_pebs_adaptive_sample_data(); that MSR_PEBS_DATA_CFG names
 * counters only from format 6 on, from the cover letter of Linux' "Support Lunar Lake and Arrow
 * Lake core PMU".
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

#include "legacy.h"
#include "machine/level.h"
#include "machine/options.h"
#include "pmi.h"

/* MSRs: IA32_DS_AREA, IA32_PEBS_ENABLE, MSR_PEBS_DATA_CFG, MSR_PEBS_LD_LAT_THRESHOLD */
#define DS_AREA 0x600
#define LATENCY 0x3f6
#define LATENCY_BITS 0xffffull
#define PEBS_ENABLE 0x3f1
#define DATA_CFG 0x3f2

/* counters with precise records before the adaptive formats (SDM Vol. 3, "PEBS Constraints") */
#define LEGACY_COUNTERS 0xfull
/*
 * IA32_PEBS_ENABLE before these formats: the counter of the bit 32 below counts loads by their
 * latency; and counter 3 counts precise stores
 */
#define LEGACY_LATENCY_SHIFT 32
#define LEGACY_STORES VPMU_BIT(63)

/*
 * MSR_PEBS_DATA_CFG: groups of a record; number of its branch records, less 1; the general-purpose
 * and the fixed counters whose values it has. CFG_XMM is not implemented, but for
 * &vpmu_happened.unknown
 */
#define CFG_MEMORY VPMU_BIT(0)
#define CFG_GPR VPMU_BIT(1)
#define CFG_XMM VPMU_BIT(2)
#define CFG_LBR VPMU_BIT(3)
#define CFG_COUNTERS VPMU_BIT(4)
#define CFG_METRICS VPMU_BIT(5)
#define CFG_LBRS(cfg) (((cfg) >> 24 & 0xff) + 1)
#define CFG_BITS (CFG_MEMORY | CFG_GPR | CFG_LBR | 0xffull << 24)
#define CFG_HELD(cfg) (((cfg) >> 32 & 0xffff) | ((cfg) >> 48 & 0xff) << 32)
#define CFG_HELD_BITS(gp, fixed) ((VPMU_BIT(gp) - 1) << 32 | (VPMU_BIT(fixed) - 1) << 48)
/* bits of the record's first word that are those of MSR_PEBS_DATA_CFG */
#define CFG_TOLD 0xffffffffull

/*
 * Fields of the area: index, maximum and threshold of the records' buffer, which are addresses in
 * it; and the reset value of the first counter. After those of 8 general counters follow the reset
 * values of the fixed counters; from format 5 on there is room for 32 general counters before them.
 */
#define AREA_INDEX 0x28
#define AREA_RESET 0x40
#define LONG_FORMAT 5

/* format from which on records can have the values of counters */
#define HELD_FORMAT 6

/* bit number in IA32_PERF_GLOBAL_STATUS: the buffer is filled up to its threshold */
#define STATUS_THRESHOLD 62

/* lengths, in 64-bit words, of the basic group and of that of the general registers */
#define BASIC 4
#define MEMORY 4
#define GPRS 18
#define XMMS 32
/* word of the basic group that has the TSC */
#define TSC_WORD 3
/*
 * fields of the record's first word: the record's size in bytes, and the retire latency in cycles.
 * That it saturates is an assumption
 */
#define SIZE_SHIFT 48
#define RETIRE_SHIFT 32
#define RETIRE_MOST 0xffffull

/*
 * Words of the group of memory accesses: address, source of the data, latencies. The word of
 * latencies has that of the load, up to format 4, or that of the instruction in bits 15:0 and that of
 * the miss in bits 47:32. They saturate, which is an assumption.
 */
#define MEMORY_ADDRESS 0
#define MEMORY_SOURCE 1
#define MEMORY_LATENCY 2
#define MEMORY_CACHE_SHIFT 32
#define CYCLES_MOST 0xffffull

/*
 * Events whose records have source and latency: MEM_TRANS_RETIRED.LOAD_LATENCY and STORE_SAMPLE (once
 * PRECISE_STORE, without latency) of P-cores, MEM_UOPS_RETIRED.LOAD_LATENCY and STORE_LATENCY of
 * E-cores, MEM_INST_RETIRED.LATENCY_ABOVE_THRESHOLD of Nehalem and Westmere
 */
#define LOAD_LATENCY 0x01cd
#define STORE_LATENCY 0x02cd
#define SMALL_LOAD_LATENCY 0x05d0
#define SMALL_STORE_LATENCY 0x06d0
#define NHM_LOAD_LATENCY 0x100b
/* events of retired loads and stores; a bit of the unit mask says which */
#define MEMORY_UOPS 0xd0
#define UMASK_LOAD 0x0100
#define UMASK_STORE 0x0200
/* the source of a store: it hit the L1D (SDM Vol. 3, "Precise Store Facility") */
#define STORE_HIT VPMU_BIT(0)
/* LD_BLOCKS.STORE_FORWARD, the auxiliary event */
#define AUX 0x8203
#define SEL_EN VPMU_BIT(22)

/*
 * Bits of the word of the source that say what delayed the access: a page walk, a store that could
 * not forward; and that it is locked. Source: Linux, union intel_x86_pebs_dse
 */
struct source_bits {
	uint64_t walked, locked, blocked;
};

static const struct source_bits source_bits[] = {
	[VPMU_SOURCE_SKL] = { VPMU_BIT(4), VPMU_BIT(5), VPMU_BIT(6) },
	[VPMU_SOURCE_GRT] = { VPMU_BIT(5), VPMU_BIT(4), VPMU_BIT(6) },
	[VPMU_SOURCE_CMT] = { VPMU_BIT(6), VPMU_BIT(5), VPMU_BIT(7) },
	[VPMU_SOURCE_LNC] = { VPMU_BIT(10), VPMU_BIT(11), VPMU_BIT(12) },
	[VPMU_SOURCE_SNB] = { VPMU_BIT(4), VPMU_BIT(5), 0 },
	[VPMU_SOURCE_NHM] = { 0, 0, 0 },
};

/* codes of where a load found its data (Linux, pebs_data_source and what is written into it) */
static const uint8_t source_codes[][VCORE_AT_MEMORY + 1] = {
	[VPMU_SOURCE_SKL] = { 0xe, 1, 2, 3, 4, 6, 7, 0xa },
	[VPMU_SOURCE_GRT] = { 0xe, 1, 2, 3, 4, 5, 6, 0xa },
	[VPMU_SOURCE_CMT] = { 0xe, 1, 2, 3, 4, 6, 8, 0xa },
	[VPMU_SOURCE_LNC] = { 0, 1, 3, 5, 8, 0xc, 0xd, 0x11 },
	[VPMU_SOURCE_SNB] = { 0xe, 1, 2, 3, 4, 6, 7, 0xc },
	[VPMU_SOURCE_NHM] = { 0xe, 1, 2, 3, 4, 5, 6, 0xc },
};

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

/* Checks if a CPU model has the facility of precise stores: Sandy Bridge and Ivy Bridge. */
static bool has_precise_stores(const struct vpmu_part *part)
{
	return part->source == VPMU_SOURCE_SNB && vpmu_legacy_formats(part) &&
	       !vpmu_legacy_names(part);
}

/* Returns the bits of IA32_PEBS_ENABLE with which a counter has records of an event. */
static uint64_t needed_bits(unsigned int number, uint64_t select)
{
	uint64_t counter = VPMU_BIT(number);

	if ((select & 0xffff) == LOAD_LATENCY || (select & 0xffff) == NHM_LOAD_LATENCY)
		return counter | counter << LEGACY_LATENCY_SHIFT;
	return (select & 0xffff) == STORE_LATENCY ? counter | LEGACY_STORES : counter;
}

/**
 * vpmu_store_has() - check if the guest has turned on precise records (PEBS) for a counter
 * @cpu: the vCPU, of a CPU model with a debug store
 * @number: i for general-purpose counter i, 32 + i for fixed counter i
 *
 * Before the adaptive formats the load latency and precise stores have records only with a second
 * bit of IA32_PEBS_ENABLE (SDM Vol. 3, "Load Latency Performance Monitoring Facility" and "Precise
 * Store Facility").
 */
bool vpmu_store_has(const struct vpmu_cpu *cpu, unsigned int number)
{
	uint64_t needed = VPMU_BIT(number);

	if (vpmu_legacy_formats(cpu->part)) {
		if (number >= 32 || !vpmu_legacy_records(cpu->part, cpu->select[number]))
			return false;
		needed = needed_bits(number, cpu->select[number]);
	}
	return (cpu->store.enable & needed) == needed;
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

/*
 * Returns the retire latency of the recorded instruction, the last of its privilege level; 0 if the
 * CPU model does not record it.
 */
static uint64_t retire_cycles(const struct vpmu_cpu *cpu)
{
	uint64_t latency = cpu->core->retire_latency[vcore_priv(cpu->pebs.pc)];

	if (!(cpu->part->capable & VPMU_CAP_PEBS_TIMING))
		return 0;
	return latency < RETIRE_MOST ? latency : RETIRE_MOST;
}

/* Returns event code and unit mask that a counter counts; 0 for a fixed counter. */
static unsigned int code_of(const struct vpmu_cpu *cpu, unsigned int number)
{
	return number < 32 ? cpu->select[number] & 0xffff : 0;
}

/* Checks if an event is one of stores, so that its records are of the instruction's store. */
static bool is_store(unsigned int code)
{
	return code == STORE_LATENCY || ((code & 0xff) == MEMORY_UOPS && code & UMASK_STORE);
}

/* Checks if a running counter counts the event that a record of the load latency needs beside. */
static bool counts_aux(const struct vpmu_cpu *cpu)
{
	unsigned int i;

	for (i = 0; i < vpmu_nr_gp(cpu->part); i++)
		if (code_of(cpu, i) == AUX && cpu->select[i] & SEL_EN && cpu->global_ctrl >> i & 1)
			return true;
	return false;
}

/*
 * Checks if the records of an event have source and latency of the access. That they have neither
 * without the auxiliary event is an assumption: Linux says that the information is not complete.
 */
static bool has_source(const struct vpmu_cpu *cpu, unsigned int code)
{
	if (code == LOAD_LATENCY && cpu->part->aux && !counts_aux(cpu))
		return false;
	if (cpu->part->source == VPMU_SOURCE_GRT || cpu->part->source == VPMU_SOURCE_CMT)
		return code == SMALL_LOAD_LATENCY || code == SMALL_STORE_LATENCY;
	if (cpu->part->source == VPMU_SOURCE_NHM)
		return code == NHM_LOAD_LATENCY;
	return code == LOAD_LATENCY || code == STORE_LATENCY;
}

static uint64_t source_word(const struct vpmu_cpu *cpu, const struct vcore_accessed *accessed)
{
	const struct source_bits *bits = &source_bits[cpu->part->source];
	uint64_t word = accessed->insn->locked ? bits->locked : 0;

	word |= source_codes[cpu->part->source][accessed->level];
	if (accessed->walked)
		word |= bits->walked;
	if (accessed->blocked && VPMU_PEBS_FORMAT(cpu->part->capable) >= LONG_FORMAT)
		word |= bits->blocked;
	return word;
}

/*
 * Checks if the records of an event of stores say that the store hit the L1D: precise stores, and
 * from Haswell on those of retired stores on P-cores (SDM Vol. 3, "PEBS Data Address Profiling").
 */
static bool tells_hit(const struct vpmu_cpu *cpu, unsigned int code)
{
	if (code == STORE_LATENCY)
		return has_precise_stores(cpu->part);
	return is_store(code) && !(code & UMASK_LOAD) && cpu->part->source != VPMU_SOURCE_GRT &&
	       cpu->part->source != VPMU_SOURCE_CMT;
}

/* Returns the source of a store. That it is what it was when the store retired is an assumption. */
static uint64_t store_word(const struct vpmu_cpu *cpu, const struct vcore_accessed *accessed,
			   unsigned int code)
{
	const struct source_bits *bits = &source_bits[cpu->part->source];
	uint64_t word = 0;

	if (tells_hit(cpu, code) && accessed->store_hit)
		word |= STORE_HIT;
	if (has_source(cpu, code) && accessed->insn->locked)
		word |= bits->locked;
	if (code == STORE_LATENCY && has_precise_stores(cpu->part) && accessed->store_walked)
		word |= bits->walked;
	return word;
}

static uint64_t saturated(uint64_t cycles)
{
	return cycles < CYCLES_MOST ? cycles : CYCLES_MOST;
}

static uint64_t latency_word(const struct vpmu_cpu *cpu, const struct vcore_accessed *accessed)
{
	if (VPMU_PEBS_FORMAT(cpu->part->capable) < LONG_FORMAT)
		return accessed->cycles;
	return saturated(accessed->cycles) |
	       saturated(accessed->miss_cycles) << MEMORY_CACHE_SHIFT;
}

/*
 * Sets @words to the memory access of the recorded instruction, the last of its privilege level that
 * has retired: zeros if it has none of the kind that the event counts. An event may be found only
 * after the instruction behind it was interrupted, or its fetch faulted: then instructions of the
 * kernel have retired since. How long a store takes is not known when it retires. That events
 * without source and latency have zeros there is an assumption.
 */
static void tell_access(const struct vpmu_cpu *cpu, unsigned int number, uint64_t words[MEMORY])
{
	const struct vcore_accessed *accessed = &cpu->core->accessed[vcore_priv(cpu->pebs.pc)];
	unsigned int code = code_of(cpu, number);
	bool store = is_store(code) || !accessed->load;

	memset(words, 0, MEMORY * sizeof(*words));
	if (store ? accessed->store : accessed->load) {
		words[MEMORY_ADDRESS] = store ? accessed->store_va : accessed->load_va;
		if (store)
			words[MEMORY_SOURCE] = store_word(cpu, accessed, code);
		else if (has_source(cpu, code))
			words[MEMORY_SOURCE] = source_word(cpu, accessed);
		if (has_source(cpu, code) && !store)
			words[MEMORY_LATENCY] = latency_word(cpu, accessed);
	}
}

static void fill_in_legacy(struct vpmu_cpu *cpu, struct vpmu_stored *record,
			   const struct vpmu_happened *event)
{
	uint64_t access[MEMORY] = { 0 };

	if (vpmu_legacy_accesses(cpu->part, cpu->select[event->number]))
		tell_access(cpu, event->number, access);
	vpmu_legacy_fill(cpu, event, access, record);
}

/*
 * Adds the values of the counters that MSR_PEBS_DATA_CFG names. That of the recorded event is the
 * value before the event sets it back (Linux, __setup_pebs_counter_group()).
 */
static void add_counters(const struct vpmu_cpu *cpu, struct vpmu_stored *record, uint64_t cfg,
			 const uint64_t *values)
{
	uint64_t counters = cfg & CFG_COUNTERS ? CFG_HELD(cfg) : 0;
	uint64_t words[VPMU_HELD_MOST];

	add_words(record, words,
		  vpmu_held_fill(cpu, counters, cfg & CFG_METRICS, values, words));
}

/* Fills in an adaptive record. @values: see vpmu_pebs_take() */
static void fill_in(struct vpmu_cpu *cpu, struct vpmu_stored *record,
		    const struct vpmu_happened *event, const uint64_t *values)
{
	uint64_t cfg = is_adaptive(cpu, event->number) ? cpu->store.config : 0;
	uint64_t basic[BASIC] = { 0, event->pc, event->counters };
	const uint64_t xmm[XMMS] = { 0 };
	uint64_t access[MEMORY];

	record->tsc = TSC_WORD * sizeof(*basic);
	add_words(record, basic, BASIC);
	if (cfg & CFG_MEMORY) {
		tell_access(cpu, event->number, access);
		add_words(record, access, MEMORY);
	}
	if (cfg & CFG_GPR)
		add_registers(record, event->next);
	if (event->unknown) {
		cfg |= CFG_XMM;
		add_words(record, xmm, XMMS);
	}
	if (cfg & CFG_LBR)
		add_branches(cpu, record, CFG_LBRS(cfg));
	if (cfg & (CFG_COUNTERS | CFG_METRICS))
		add_counters(cpu, record, cfg, values);
	*basic = (cfg & CFG_TOLD) | (uint64_t)record->size << SIZE_SHIFT |
		 retire_cycles(cpu) << RETIRE_SHIFT;
	memcpy(record->bytes, basic, sizeof(*basic));
}

/**
 * vpmu_store_deposit() - write a precise record (PEBS) into the debug store, if it has room
 * @cpu: the calling vCPU
 * @event: the event that is recorded
 * @values: see vpmu_pebs_take()
 *
 * A PMI becomes due when the buffer is filled up to its threshold. A record that does not fit is
 * lost silently.
 */
void vpmu_store_deposit(struct vpmu_cpu *cpu, const struct vpmu_happened *event,
			const uint64_t *values)
{
	uint64_t at = cpu->store.area + AREA_INDEX;
	uint8_t before[VPMU_STORED_MOST];
	struct vpmu_stored record = { 0 };
	struct limits limits;

	if (vpmu_legacy_formats(cpu->part))
		fill_in_legacy(cpu, &record, event);
	else
		fill_in(cpu, &record, event, values);
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
	return (reset & (VPMU_BIT(cpu->part->width) - 1)) + value - 1;
}

/*
 * Returns the bits of IA32_PEBS_ENABLE: a counter each, before the adaptive formats only the first,
 * which have a second bit for the load latency; counter 3 has one for precise stores.
 */
static uint64_t enable_bits(const struct vpmu_part *part)
{
	uint64_t stores = has_precise_stores(part) ? LEGACY_STORES : 0;

	if (vpmu_legacy_formats(part))
		return LEGACY_COUNTERS | LEGACY_COUNTERS << LEGACY_LATENCY_SHIFT | stores;
	return (VPMU_BIT(vpmu_nr_gp(part)) - 1) | (VPMU_BIT(part->nr_fixed) - 1) << 32;
}

/*
 * Returns the bits of MSR_PEBS_DATA_CFG. That the bit of PERF_METRICS is reserved on a CPU model
 * without that register is an assumption.
 */
static uint64_t data_bits(const struct vpmu_part *part)
{
	if (VPMU_PEBS_FORMAT(part->capable) < HELD_FORMAT)
		return CFG_BITS;
	return CFG_BITS | CFG_COUNTERS | (part->metrics ? CFG_METRICS : 0) |
	       CFG_HELD_BITS(vpmu_nr_gp(part), part->nr_fixed);
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
	else if (msr == DATA_CFG && !vpmu_legacy_formats(cpu->part))
		*value = cpu->store.config;
	else if (msr == LATENCY)
		*value = cpu->store.latency;
	else
		return false;
	return true;
}

/*
 * Checks if precise records of a counter have memory accesses. Before the adaptive formats the guest
 * must have written the event selects before IA32_PEBS_ENABLE, as Linux does.
 */
static bool have_accesses(const struct vpmu_cpu *cpu)
{
	unsigned int i;

	if (!vpmu_legacy_formats(cpu->part))
		return cpu->store.enable && cpu->store.config & CFG_MEMORY;
	for (i = 0; i < vpmu_nr_gp(cpu->part); i++)
		if (vpmu_store_has(cpu, i) && vpmu_legacy_accesses(cpu->part, cpu->select[i]))
			return true;
	return false;
}

/*
 * Lets the core note memory accesses while records have them, which needs its simulation also for
 * events that are counted without it; and tells it which loads are slow.
 */
static void follow(struct vpmu_cpu *cpu)
{
	struct vcore *core = cpu->core;

	core->follows = have_accesses(cpu);
	core->slow = cpu->store.latency;
	if (core->follows)
		vpmu_model_wanted(cpu, VPMU_FOR_ACCESSES);
	else
		vpmu_model_unwanted(cpu, VPMU_FOR_ACCESSES);
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
	} else if (msr == DATA_CFG && !vpmu_legacy_formats(cpu->part)) {
		reg = &cpu->store.config;
		legal = data_bits(cpu->part);
	} else if (msr == LATENCY) {
		reg = &cpu->store.latency;
		legal = LATENCY_BITS;
	} else {
		return false;
	}
	if (value & ~legal)
		cpu->illegal_writes++;
	else
		*reg = value;
	follow(cpu);
	return true;
}
