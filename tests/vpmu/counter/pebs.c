// SPDX-License-Identifier: GPL-2.0
/*
 * Precise records (PEBS). A counter that overflows is armed, and its next event is recorded (SDM
 * Vol. 3, "Processor Event Based Sampling"): the record has the address of the instruction that
 * caused this event, not of the instruction that caused the overflow. While a counter is armed, the
 * vCPU checks before each instruction if the event has occurred. Each check first lets the
 * simulated core retire all executed instructions, so that the instruction is also known for events
 * of the simulated core.
 *
 * The records are those of architectural PEBS, unless the CPU model has a debug store (store.c).
 * The registers are from Linux' asm/msr-index.h and asm/perf_event.h. The layout of records is from
 * struct arch_pebs_* in asm/perf_event.h. What the registers do is from
 * intel_pmu_enable_event_ext() and intel_pmu_drain_arch_pebs().
 */
#include "pebs.h"

#include <string.h>

#include "event/erratum.h"
#include "machine/options.h"
#include "legacy.h"
#include "pmi.h"
#include "store.h"
#include "truth/truth.h"

/*
 * IA32_PEBS_BASE: the bits BASE_PAGES have the physical address of the buffer, and the bits
 * BASE_SHIFT have log2 of its size in pages
 */
#define BASE 0x3f4
#define BASE_SHIFT 0xfull
#define BASE_PAGES 0x3ffffffff000ull
#define PAGE 4096ull

/*
 * IA32_PEBS_INDEX. INDEX_OFFSET: offset in the buffer of the next record. INDEX_FULL: the buffer is
 * full. INDEX_ON: PEBS is on. Bits 58:36 have the threshold: when the offset of the next record
 * reaches it, an interrupt is raised.
 */
#define INDEX 0x3f5
#define INDEX_OFFSET 0x7fffff0ull
#define INDEX_FULL VPMU_BIT(31)
#define INDEX_ON VPMU_BIT(32)
#define INDEX_THRESHOLD(index) ((index) >> 32 & INDEX_OFFSET)
#define INDEX_BITS (INDEX_OFFSET << 32 | INDEX_ON | INDEX_FULL | INDEX_OFFSET)

/*
 * IA32_PMC_GP0_CFG_C and IA32_PMC_FX0_CFG_C. STRIDE: distance to the MSR of the next counter.
 * Fields: reload value, groups of fields that a record has (registers, auxiliary data), PEBS
 * enable. CONFIG_XMM is not implemented, but for UNKNOWN. CONFIG_ALLOW: records of all counters may have this counter's value; CONFIG_GP,
 * CONFIG_FIXED and CONFIG_METRICS: records of this counter have the values of such counters, or of
 * PERF_METRICS.
 */
#define CONFIG 0x1903
#define FIXED_CONFIG 0x1983
#define STRIDE 4
#define CONFIG_RELOAD 0xffffffffull
#define CONFIG_ALLOW VPMU_BIT(35)
#define CONFIG_GP VPMU_BIT(36)
#define CONFIG_FIXED VPMU_BIT(37)
#define CONFIG_METRICS VPMU_BIT(38)
#define CONFIG_XMM VPMU_BIT(49)
#define CONFIG_GPR VPMU_BIT(61)
#define CONFIG_AUX VPMU_BIT(62)
#define CONFIG_ON VPMU_BIT(63)

/*
 * Bit of a record's header for the basic group, which every record has but a null record. In the
 * header each other group has the same bits as in IA32_PMC_GPn_CFG_C. So has CONFIG_ALLOW: the
 * header's field of counters begins with this bit. That the CPU sets it there is an assumption.
 */
#define HEADER_BASIC VPMU_BIT(63)

/*
 * A record's size is a multiple of 16 bytes, because IA32_PEBS_INDEX has offsets in this unit. That
 * the CPU fills a record up is an assumption: Linux only goes on by the size in the header.
 */
#define ALIGNED(size) (((size) + 15) & ~15u)

/* lengths, in 64-bit words, of a record's header and of its groups */
#define HEADER 2
#define BASIC 6
#define AUX 8
#define GPRS 20
#define XMMS 32

/* with &vpmu_options.unknown_groups one in so many records has vector registers */
#define UNKNOWN 16

/*
 * Word of the basic group: retire latency, the cycles between the retirement of the instruction
 * before and that of the recorded one, in 16 bits; RETIRE_VALID if it is known. That it saturates
 * is an assumption.
 */
#define RETIRE_MOST 0xffffull
#define RETIRE_VALID VPMU_BIT(16)

/* bit number in IA32_PERF_GLOBAL_STATUS: the PEBS buffer is filled up to its threshold */
#define STATUS_THRESHOLD 54

static void (*to_memory)(struct vpmu_cpu *cpu, const struct vpmu_record *record);

/**
 * vpmu_pebs_to() - set the function that writes precise records to the guest's memory
 * @write: function that stores the guest's TSC in a record, and writes the record to memory before
 *	the calling vCPU @cpu executes its next instruction
 */
void vpmu_pebs_to(void (*write)(struct vpmu_cpu *cpu, const struct vpmu_record *record))
{
	to_memory = write;
}

/**
 * vpmu_pebs_init() - set the registers of precise records to their values at power on
 * @cpu: the vCPU
 */
void vpmu_pebs_init(struct vpmu_cpu *cpu)
{
	cpu->pebs = (struct vpmu_pebs){ 0 };
	vpmu_store_init(cpu);
}

static uint64_t *config_of(struct vpmu_pebs *pebs, unsigned int number)
{
	return number < 32 ? &pebs->config[number] : &pebs->fixed_config[number - 32];
}

/**
 * vpmu_pebs_has() - check if the guest has turned on PEBS for a counter
 * @cpu: the vCPU
 * @number: i for general-purpose counter i, 32 + i for fixed counter i
 */
bool vpmu_pebs_has(const struct vpmu_cpu *cpu, unsigned int number)
{
	const struct vpmu_pebs *pebs = &cpu->pebs;
	uint64_t config = number < 32 ? pebs->config[number] : pebs->fixed_config[number - 32];

	if (vpmu_has_store(cpu->part))
		return vpmu_store_has(cpu, number);
	return pebs->index & INDEX_ON && config & CONFIG_ON;
}

/**
 * vpmu_pebs_armed() - check if a counter is armed: its next event gets a precise record
 * @cpu: the vCPU
 * @number: number of the counter
 */
bool vpmu_pebs_armed(const struct vpmu_cpu *cpu, unsigned int number)
{
	return cpu->pebs.armed >> number & 1;
}

/**
 * vpmu_pebs_arm() - arm a counter that overflowed, so that its next event gets a precise record
 * @cpu: the calling vCPU
 * @number: number of the counter
 */
void vpmu_pebs_arm(struct vpmu_cpu *cpu, unsigned int number)
{
	cpu->pebs.armed |= 1ull << number;
	vpmu_legacy_mark(cpu, number, true);
}

/**
 * vpmu_pebs_at() - store the address of a vCPU's next instruction, for precise records
 * @cpu: the calling vCPU
 * @pc: address of the next instruction. The @pc of the previous call is the address of the
 *	instruction that has just executed: it goes into the record of an event
 */
void vpmu_pebs_at(struct vpmu_cpu *cpu, uint64_t pc)
{
	cpu->pebs.pc = cpu->pebs.next;
	cpu->pebs.next = pc;
}

/* Appends @nr words of 64 bits to a record, and increases its size. */
static void append(struct vpmu_record *record, const uint64_t *words, unsigned int nr)
{
	memcpy(record->bytes + record->size, words, nr * sizeof(*words));
	record->size += nr * sizeof(*words);
}

/*
 * Appends to a record the group of general-purpose registers: EFLAGS, RIP, and RAX to R15 in the
 * order of their encoding, with their values after the instruction that caused the event.
 */
static void append_registers(struct vpmu_cpu *cpu, struct vpmu_record *record)
{
	uint64_t words[GPRS] = { vpmu_reg_read(VPMU_EFLAGS), cpu->pebs.next };
	unsigned int i;

	for (i = 0; i < 16; i++)
		words[2 + i] = vpmu_reg_read(VPMU_RAX + i);
	append(record, words, GPRS);
}

/*
 * Checks if a record of a counter whose IA32_PMC_GPn_CFG_C or IA32_PMC_FXn_CFG_C is @config has the
 * value of counter @i.
 */
static bool is_included(struct vpmu_cpu *cpu, uint64_t config, unsigned int i)
{
	if (i < 32 && (i >= vpmu_nr_gp(cpu->part) || !(config & CONFIG_GP)))
		return false;
	if (i >= 32 && (i - 32 >= cpu->part->nr_fixed || !(config & CONFIG_FIXED)))
		return false;
	return *config_of(&cpu->pebs, i) & CONFIG_ALLOW;
}

/*
 * Appends to a record of counter @number the group of counters, with those that are allowed. Counter
 * @number has its value with the recorded event, before it is reloaded; this is an assumption.
 */
static void append_counters(struct vpmu_cpu *cpu, struct vpmu_record *record, unsigned int number,
			    const uint64_t *values)
{
	uint64_t config = *config_of(&cpu->pebs, number);
	uint64_t words[VPMU_HELD_MOST];
	uint64_t counters = 0;
	unsigned int i;

	for (i = 0; i < VPMU_HELD; i++)
		counters |= (uint64_t)is_included(cpu, config, i) << i;
	append(record, words,
	       vpmu_held_fill(cpu, counters, config & CONFIG_METRICS, values, words));
}

/*
 * Returns the word of the basic group with the retire latency of the recorded instruction, the last
 * of its privilege level. It is not known while the core is not simulated.
 */
static uint64_t retire_word(const struct vpmu_cpu *cpu)
{
	uint64_t latency = cpu->core->retire_latency[vcore_priv(cpu->pebs.pc)];

	if (!cpu->score->model_on)
		return 0;
	return RETIRE_VALID | (latency < RETIRE_MOST ? latency : RETIRE_MOST);
}

/* Fills in the record of an event. @values: see vpmu_pebs_take() */
static void fill(struct vpmu_cpu *cpu, struct vpmu_record *record,
		 const struct vpmu_happened *event, const uint64_t *values)
{
	uint64_t groups = *config_of(&cpu->pebs, event->number) & cpu->part->arch_pebs;
	const uint64_t basic[BASIC] = { event->pc, event->counters, 0, retire_word(cpu) };
	const uint64_t aux[AUX] = { 0 };
	const uint64_t xmm[XMMS] = { 0 };
	uint64_t header[HEADER] = { 0 };

	append(record, header, HEADER);
	record->tsc = record->size + 2 * sizeof(*basic);
	append(record, basic, BASIC);
	if (groups & CONFIG_AUX)
		append(record, aux, AUX);
	if (groups & CONFIG_GPR)
		append_registers(cpu, record);
	if (event->unknown) {
		groups |= CONFIG_XMM;
		append(record, xmm, XMMS);
	}
	if (groups & (CONFIG_GP | CONFIG_FIXED | CONFIG_METRICS))
		append_counters(cpu, record, event->number, values);
	record->size = ALIGNED(record->size);
	header[0] = HEADER_BASIC | groups | record->size;
	memcpy(record->bytes, header, sizeof(header));
}

/*
 * Writes a record to the guest's buffer; if the buffer has no room, sets the full bit and returns
 * false.
 */
static bool put(struct vpmu_cpu *cpu, struct vpmu_record *record)
{
	uint64_t *index = &cpu->pebs.index;
	uint64_t offset = *index & INDEX_OFFSET;

	if (offset + record->size > PAGE << (cpu->pebs.base & BASE_SHIFT)) {
		*index |= INDEX_FULL;
		return false;
	}
	record->pa = (cpu->pebs.base & BASE_PAGES) + offset;
	to_memory(cpu, record);
	*index = (*index & ~INDEX_OFFSET) | (offset + record->size);
	return true;
}

/*
 * Writes a null record: its header has only the size. The rest has no meaning, and is ones. It is
 * shorter than a basic group. The field for the guest's TSC is not written.
 */
static void put_null(struct vpmu_cpu *cpu)
{
	const uint64_t words[6] = { sizeof(words), 0, ~0ull, ~0ull, ~0ull, ~0ull };
	struct vpmu_record record = { .tsc = sizeof(words) };

	append(&record, words, sizeof(words) / sizeof(*words));
	put(cpu, &record);
}

/*
 * Writes the record of an event to the guest's buffer. A PMI becomes due when the buffer is filled
 * up to the threshold in IA32_PEBS_INDEX, but not by a record that finds no room.
 */
static void deposit(struct vpmu_cpu *cpu, const struct vpmu_happened *event,
		    const uint64_t *values)
{
	uint64_t *index = &cpu->pebs.index;
	struct vpmu_record record = { 0 };

	fill(cpu, &record, event, values);
	if (vpmu_options.null_records && !(*index & INDEX_OFFSET))
		put_null(cpu);
	if (!put(cpu, &record) || (*index & INDEX_OFFSET) < INDEX_THRESHOLD(*index))
		return;
	cpu->status |= VPMU_BIT(STATUS_THRESHOLD);
	vpmu_pmi_overflow(cpu, STATUS_THRESHOLD, 0);
}

/**
 * vpmu_pebs_take() - take a precise record of an event of an armed counter, and disarm the counter
 * @cpu: the calling vCPU
 * @number: number of the counter
 * @others: bitmap of further armed counters that have counted an event at the same time; they share
 *	the record with &vpmu_options.merged_records, and get none when their own event is taken
 * @values: values of all counters, with this event counted, [%VPMU_HELD]. The caller has stopped
 *	PERF_METRICS
 *
 * Return: the value from which the counter must continue, see vpmu_store_reset(); with
 * architectural PEBS: if the reload value in the counter's
 * IA32_PMC_GPn_CFG_C is 0, this is the counter's value; otherwise it is the reload value in bits
 * 31:0, with ones above.
 */
uint64_t vpmu_pebs_take(struct vpmu_cpu *cpu, unsigned int number, uint64_t others,
			const uint64_t *values)
{
	bool wrong = vpmu_has_erratum(VPMU_PEBS_ADDRESS);
	struct vpmu_happened event = {
		.number = number,
		.pc = wrong ? cpu->pebs.next : cpu->pebs.pc,
		.next = cpu->pebs.next,
	};
	bool merged = cpu->pebs.merged >> number & 1;
	uint64_t reload;

	cpu->pebs.armed &= ~(1ull << number);
	vpmu_legacy_mark(cpu, number, false);
	cpu->pebs.merged &= ~(1ull << number);
	vpmu_truth_record(cpu, number, cpu->pebs.pc);
	if (!merged) {
		others = vpmu_options.merged_records ? others : 0;
		cpu->pebs.merged |= others;
		event.counters = 1ull << vpmu_erratum_named(number) | others;
		event.unknown = vpmu_options.unknown_groups && ++cpu->pebs.nr % UNKNOWN == 0;
		if (vpmu_has_store(cpu->part))
			vpmu_store_deposit(cpu, &event, values);
		else
			deposit(cpu, &event, values);
	}
	if (vpmu_has_store(cpu->part))
		return vpmu_store_reset(cpu, number, values[number]);
	reload = *config_of(&cpu->pebs, number) & CONFIG_RELOAD;
	return reload ? (~CONFIG_RELOAD | reload) & (VPMU_BIT(cpu->part->width) - 1) :
			values[number];
}

/*
 * Returns where the value of an MSR of precise records is stored for a vCPU; NULL if @msr is
 * another MSR. Sets *@legal to the bits that a write may set.
 */
static uint64_t *pebs_reg_of(struct vpmu_cpu *cpu, uint32_t msr, uint64_t *legal)
{
	const struct vpmu_part *part = cpu->part;
	unsigned int i;

	*legal = INDEX_BITS;
	if (msr == INDEX)
		return &cpu->pebs.index;
	*legal = BASE_PAGES | BASE_SHIFT;
	if (msr == BASE)
		return &cpu->pebs.base;
	*legal = part->arch_pebs | CONFIG_ON | CONFIG_RELOAD;
	for (i = 0; i < vpmu_nr_gp(part); i++)
		if (msr == CONFIG + STRIDE * i)
			return &cpu->pebs.config[i];
	for (i = 0; i < part->nr_fixed; i++)
		if (msr == FIXED_CONFIG + STRIDE * i)
			return &cpu->pebs.fixed_config[i];
	return NULL;
}

/**
 * vpmu_pebs_read() - execute RDMSR of a register of precise records
 * @cpu: the calling vCPU, between vpmu_counters_settle() and vpmu_counters_restart()
 * @msr: number of the MSR
 * @value: set to the value of the register
 *
 * Return: false if the MSR is not a register of precise records.
 */
bool vpmu_pebs_read(struct vpmu_cpu *cpu, uint32_t msr, uint64_t *value)
{
	const uint64_t *reg;
	uint64_t legal;

	reg = cpu->part->arch_pebs ? pebs_reg_of(cpu, msr, &legal) : NULL;
	if (!reg)
		return vpmu_store_read(cpu, msr, value);
	*value = *reg;
	return true;
}

/* Checks if a counter that overflowed has counted further events since, and has not been set back. */
static bool has_gone_on(const struct vpmu_cpu *cpu, unsigned int number)
{
	uint64_t value = number < 32 ? cpu->gp[number].value : cpu->fixed[number - 32].value;

	return value && !(value >> (cpu->part->width - 1));
}

/*
 * Disarms the counters whose precise records have been turned off, so that their next event gets no
 * record. But the overflow of an event of the simulated core may be found late, when the guest's
 * kernel stops the counters: a CPU has written the record by then. Such a counter is armed again as
 * soon as the guest turns its records on, unless it is set back before, and its next event gets the
 * record. This is so from the adaptive formats on: in those before, software relies on it that a
 * counter is disarmed.
 */
static void disarm(struct vpmu_cpu *cpu)
{
	struct vpmu_pebs *pebs = &cpu->pebs;
	unsigned int i;

	for (i = 0; i < VPMU_HELD; i++) {
		uint64_t bit = 1ull << i;

		if (pebs->armed & bit && !vpmu_pebs_has(cpu, i)) {
			pebs->armed &= ~bit;
			if (!vpmu_legacy_formats(cpu->part) && has_gone_on(cpu, i))
				pebs->waiting |= bit;
		} else if (pebs->waiting & bit && vpmu_pebs_has(cpu, i)) {
			pebs->waiting &= ~bit;
			if (has_gone_on(cpu, i))
				pebs->armed |= bit;
		}
	}
	pebs->merged &= pebs->armed;
}

/**
 * vpmu_pebs_write() - execute WRMSR of a register of precise records
 * @cpu: the calling vCPU, between vpmu_counters_settle() and vpmu_counters_restart()
 * @msr: number of the MSR
 * @value: value to write
 *
 * Return: false if the MSR is not a register of precise records.
 */
bool vpmu_pebs_write(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value)
{
	uint64_t legal, *reg;

	if (vpmu_store_write(cpu, msr, value)) {
		disarm(cpu);
		return true;
	}
	reg = cpu->part->arch_pebs ? pebs_reg_of(cpu, msr, &legal) : NULL;
	if (!reg)
		return false;
	if (value & ~legal) {
		cpu->illegal_writes++;
		return true;
	}
	*reg = value;
	disarm(cpu);
	return true;
}
