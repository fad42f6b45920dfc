// SPDX-License-Identifier: GPL-2.0
/*
 * All records of a format have the same fields: SDM Vol. 3, "PEBS Record Format"; Linux, ds.c,
 * struct pebs_record_nhm, _hsw and _skl. Up to format 1 a record does not have the address of the
 * instruction that caused the event, only that of the one after it, where the registers are of. Up
 * to format 2 the field of counters is IA32_PERF_GLOBAL_STATUS when the record is written: it also
 * has the bits of other counters that have overflowed (Linux, intel_pmu_drain_pebs_nhm()).
 *
 * The overflow bit of a counter with precise records is cleared by its record, or by software (SDM
 * Vol. 3, "Processor Event Based Sampling"). Here it stays if the counter is disarmed.
 */
#include "legacy.h"

#include <string.h>

#include "machine/regs.h"

/* the first format with the address of the instruction, and the first with the TSC */
#define WITH_ADDRESS 2
#define WITH_TSC 3

/* 64-bit words of a record */
#define FLAGS 0
#define NEXT 1
#define GPRS 2
#define STATUS 18
#define ACCESS 19
#define ADDRESS 22
#define TSC 24
/* words of the records of formats 1 to 3 */
static const unsigned int words_of[] = { 0, 22, 24, 25 };

/* Event codes, bits 7:0 of an event select, that have precise records; see vpmu_legacy_records() */
static const uint8_t codes[] = {
	0xc0, 0xc2, 0xc4, 0xc5, 0xc6, 0xc8, 0xc9, 0xcd, 0xd0, 0xd1, 0xd2, 0xd3, 0xd4
};

/* the same of Nehalem and Westmere: Linux, ds.c, intel_nehalem_ and _westmere_pebs_event_constraints */
static const uint8_t nhm_codes[] = {
	0x0b, 0x0f, 0xc0, 0xc2, 0xc4, 0xc5, 0xc7, 0xc8, 0xcb, 0xf7
};

static unsigned int format_of(const struct vpmu_part *part)
{
	return VPMU_PEBS_FORMAT(part->capable);
}

/**
 * vpmu_legacy_formats() - check if the precise records (PEBS) of a CPU model have a format before
 *	the adaptive ones
 * @part: the CPU model
 */
bool vpmu_legacy_formats(const struct vpmu_part *part)
{
	return vpmu_has_store(part) && !(part->capable & VPMU_CAP_PEBS_BASELINE);
}

/**
 * vpmu_legacy_records() - check if an event has precise records (PEBS) before the adaptive formats
 * @part: the CPU model
 * @select: its event select
 *
 * Those events have them that happen when an instruction retires: INST_RETIRED, UOPS_RETIRED,
 * branches, FRONTEND_RETIRED, aborted transactions, loads and stores (SDM Vol. 3, "PEBS Performance
 * Events"; Intel's event files of the parts). That the counter of another event counts and
 * interrupts as without PEBS is an assumption.
 */
bool vpmu_legacy_records(const struct vpmu_part *part, uint64_t select)
{
	if (part->source == VPMU_SOURCE_NHM)
		return memchr(nhm_codes, select & 0xff, sizeof(nhm_codes));
	return memchr(codes, select & 0xff, sizeof(codes));
}

/**
 * vpmu_legacy_names() - check if a precise record (PEBS) names the instruction of its event
 * @part: the CPU model
 *
 * Return: true also with adaptive and architectural records; false if the record only has the
 * address of the instruction after it.
 */
bool vpmu_legacy_names(const struct vpmu_part *part)
{
	return !vpmu_legacy_formats(part) || format_of(part) >= WITH_ADDRESS;
}

static uint64_t status_of(const struct vpmu_cpu *cpu, const struct vpmu_happened *event)
{
	if (format_of(cpu->part) >= WITH_TSC)
		return event->counters;
	return event->counters | cpu->status;
}

/**
 * vpmu_legacy_mark() - set or clear the overflow bit of a counter with precise records (PEBS)
 * @cpu: the calling vCPU; nothing is done unless its records have IA32_PERF_GLOBAL_STATUS
 * @number: number of the counter
 * @overflowed: true if the counter overflows, false if it gets its record
 */
void vpmu_legacy_mark(struct vpmu_cpu *cpu, unsigned int number, bool overflowed)
{
	if (!vpmu_legacy_formats(cpu->part) || format_of(cpu->part) >= WITH_TSC)
		return;
	if (overflowed)
		cpu->status |= 1ull << number;
	else
		cpu->status &= ~(1ull << number);
}

/**
 * vpmu_legacy_accesses() - check if precise records (PEBS) of an event have a memory access
 * @part: the CPU model, of a format before the adaptive ones
 * @select: event select
 *
 * From format 2 on they are those of all events of loads and stores (Linux,
 * intel_hsw_pebs_event_constraints), before only those of the load latency and of precise stores.
 */
bool vpmu_legacy_accesses(const struct vpmu_part *part, uint64_t select)
{
	unsigned int code = select & 0xff;

	if (part->source == VPMU_SOURCE_NHM)
		return (select & 0xffff) == 0x100b;
	return code == 0xcd || (format_of(part) >= WITH_ADDRESS && code >= 0xd0 && code <= 0xd3);
}

/**
 * vpmu_legacy_fill() - make the precise record (PEBS) of an event, before the adaptive formats
 * @cpu: the calling vCPU
 * @event: the event that is recorded
 * @access: address, source and latency of its memory access, [3]
 * @record: zeroed; content, size, and where the TSC is
 */
void vpmu_legacy_fill(const struct vpmu_cpu *cpu, const struct vpmu_happened *event,
		      const uint64_t *access, struct vpmu_stored *record)
{
	/* RAX, RBX, RCX, RDX, RSI, RDI, RBP, RSP by their encoding; R8 to R15 follow */
	static const unsigned int order[] = { 0, 3, 1, 2, 6, 7, 5, 4 };
	uint64_t words[TSC + 1] = { 0 };
	unsigned int i;

	words[FLAGS] = vpmu_reg_read(VPMU_EFLAGS);
	words[NEXT] = event->next;
	for (i = 0; i < 16; i++)
		words[GPRS + i] = vpmu_reg_read(VPMU_RAX + (i < 8 ? order[i] : i));
	words[STATUS] = status_of(cpu, event);
	memcpy(words + ACCESS, access, 3 * sizeof(*words));
	words[ADDRESS] = event->pc;
	record->size = words_of[format_of(cpu->part)] * sizeof(*words);
	memcpy(record->bytes, words, record->size);
	record->tsc = TSC * sizeof(*words);
}
