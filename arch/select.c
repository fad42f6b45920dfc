// SPDX-License-Identifier: GPL-2.0
#include "arch.h"

#include "free.h"
#include "ibs.h"
#include "intel.h"

/**
 * bpmu_select_illegal() - find the bits of an event select that user space must not set
 * @pmu: PMU of a CPU
 * @counter: number of the counter that will count the event
 * @select: event select
 *
 * A fixed counter has one event and no filters: only USR, OS and, if the part has it, ANY are legal
 * (SDM figure 19-2). Fixed clock counters of the uncore and free-running registers have no legal
 * bit. In an event of PERF_METRICS, bits 10:8 are the index of the field in that register, and USR
 * and OS must be the same as in the event that counts the slots.
 *
 * Context: any.
 * Return: the illegal bits of @select, 0 if user space may use @select.
 */
u64 bpmu_select_illegal(const struct bpmu_pmu *pmu, u32 counter, u64 select)
{
	u64 legal = pmu->legal;
	struct bpmu_place place;

	if (bpmu_free_at(counter))
		legal = 0;
	else if (bpmu_uncore_place(pmu, counter, &place))
		legal = bpmu_place_fixed(&place) ? 0 : place.box->legal;
	else if (counter == BPMU_IBS_COUNTER)
		legal = bpmu_ibs_legal(pmu->ibs);
	else if (counter == BPMU_FETCH_COUNTER)
		legal = bpmu_ibs_fetch_legal(pmu->ibs);
	else if (counter >= BPMU_METRICS_COUNTER)
		legal = BPMU_SEL_USR | BPMU_SEL_OS | BPMU_METRICS_FIELD;
	else if (counter >= BPMU_FIXED_BASE)
		legal &= BPMU_SEL_USR | BPMU_SEL_OS | BPMU_SEL_ANY;
	return select & ~legal;
}

/**
 * bpmu_select_leaks() - check if an event select counts for the SMT sibling too (an erratum)
 * @part: descriptor
 * @select: event select of a general-purpose counter
 *
 * The events are those of memory loads and stores on Sandy Bridge, Ivy Bridge and Haswell: Linux,
 * arch/x86/events/intel/core.c, INTEL_EXCLEVT_CONSTRAINT.
 *
 * Context: any.
 * Return: nonzero if the event leaks when hyper-threading is on, else 0.
 */
u64 bpmu_select_leaks(const struct bpmu_part *part, u64 select)
{
	u64 event = select & BPMU_SEL_EVENT;

	return part->quirks & BPMU_QUIRK_SMT_LEAK &&
	       event >= BPMU_LEAK_FIRST && event <= BPMU_LEAK_LAST;
}

#define CODE (BPMU_SEL_EVENT | BPMU_SEL_UMASK)

/**
 * bpmu_extra_of() - look up by its event select which extra register an event needs
 * @part: descriptor
 * @select: event select of a general-purpose counter
 *
 * Context: any.
 * Return: the extra register, with the counters that can count the event; NULL if the event needs
 * no extra register.
 */
const struct bpmu_extra *bpmu_extra_of(const struct bpmu_part *part, u64 select)
{
	const struct bpmu_extra *extra = part->extras;

	for (; extra && extra->code; extra++)
		if ((select & (CODE | BPMU_SEL_UMASK2)) == extra->code)
			return extra;
	return NULL;
}

/**
 * bpmu_extra_is_shared() - check if the threads of a core share an extra register
 * @part: descriptor
 * @id: &enum bpmu_extra_id
 *
 * Each thread has a MSR_PEBS_LD_LAT_THRESHOLD on all parts (SDM Vol. 4, table 2-15).
 *
 * Context: any.
 * Return: nonzero if they do.
 */
int bpmu_extra_is_shared(const struct bpmu_part *part, unsigned int id)
{
	return part->quirks & BPMU_QUIRK_SHARED_EXTRAS && id != BPMU_EXTRA_LATENCY;
}

/*
 * Returns 1 if two events differ only in which extra register they use, else 0. For off-core
 * responses the event code tells the register. For off-module responses (OMR) the unit mask tells
 * the register.
 */
static int same_event(const struct bpmu_extra *a, const struct bpmu_extra *b)
{
	if (a->id <= BPMU_EXTRA_OFFCORE_1)
		return b->id <= BPMU_EXTRA_OFFCORE_1;
	return b->id >= BPMU_EXTRA_OMR_0 && b->id <= BPMU_EXTRA_OMR_3 &&
	       !((a->code ^ b->code) & BPMU_SEL_EVENT);
}

/**
 * bpmu_extra_twin() - change an event select to the same event with the next extra register
 * @part: descriptor
 * @select: event select of a general-purpose counter
 *
 * Off-core responses have two registers, off-module responses four. After the last register comes
 * the first one again.
 *
 * Context: any.
 * Return: the event select for the next register, or 0 if the event has only one register or none.
 */
u64 bpmu_extra_twin(const struct bpmu_part *part, u64 select)
{
	const struct bpmu_extra *own = bpmu_extra_of(part, select);
	const struct bpmu_extra *extra = part->extras;
	const struct bpmu_extra *first = NULL;
	const struct bpmu_extra *next = NULL;

	if (!own || own->id == BPMU_EXTRA_FRONTEND || own->id == BPMU_EXTRA_LATENCY)
		return 0;
	for (; extra->code; extra++) {
		if (extra == own || !same_event(own, extra))
			continue;
		if (!first)
			first = extra;
		if (!next && extra > own)
			next = extra;
	}
	if (!next)
		next = first;
	return next ? (select & ~CODE) | next->code : 0;
}

/**
 * bpmu_extra_msr() - MSR address of the extra register that goes with an event select
 * @id: &enum bpmu_extra_id
 *
 * Source: SDM Vol. 4, MSR_OFFCORE_RSP_0 and 1, MSR_PEBS_FRONTEND; Linux 7.0, msr-index.h,
 * MSR_OMR_0 to 3, MSR_PEBS_LD_LAT_THRESHOLD.
 *
 * Context: any.
 * Return: MSR address.
 */
u32 bpmu_extra_msr(u8 id)
{
	static const u32 msrs[BPMU_EXTRAS] = {
		0x1a6, 0x1a7, 0x3f7, 0x3e0, 0x3e1, 0x3e2, 0x3e3, 0x3f6
	};

	return msrs[id];
}

/**
 * bpmu_extra_name() - perf's name of an extra register's field that supplements an event select
 * @id: &enum bpmu_extra_id
 *
 * Context: any.
 * Return: a constant string.
 */
const char *bpmu_extra_name(u8 id)
{
	if (id == BPMU_EXTRA_LATENCY)
		return "ldlat";
	return id == BPMU_EXTRA_FRONTEND ? "frontend" : "offcore_rsp";
}

/**
 * bpmu_select_bit_name() - name of a bit of an event select in the SDM
 * @part: descriptor; bits that its event selects do not have are reserved
 * @bit: 0 to 63
 *
 * Context: any.
 * Return: a constant string.
 */
const char *bpmu_select_bit_name(const struct bpmu_part *part, unsigned int bit)
{
	static const char *const names[] = {
		"event", "umask", "USR", "OS", "E (edge)", "PC (pin control)",
		"INT (interrupt)", "ANY (any thread)", "EN (enable)",
		"INV (invert)", "CMASK (counter mask)", "reserved"
	};

	if (bit < 8)
		return names[0];
	if (bit < 16)
		return names[1];
	if (bit < 24)
		return names[bit - 14];
	if (BPMU_BIT(bit) & part->legal & BPMU_SEL_UMASK2)
		return "UMASK2 (unit mask 2)";
	if (BPMU_BIT(bit) & part->legal & BPMU_SEL_EQ)
		return "EQ (equal)";
	return names[bit < 32 ? 10 : 11];
}

/**
 * bpmu_fixed_ctrl() - translate an event select to a fixed counter's bits of IA32_FIXED_CTR_CTRL
 * @counter: number of a fixed counter
 * @select: event select
 *
 * Context: any.
 * Return: the counter's four bits, and that of adaptive records, where they are in the register.
 */
u64 bpmu_fixed_ctrl(u32 counter, u64 select)
{
	u64 bits = 0;

	if (select & BPMU_SEL_OS)
		bits |= BPMU_FIXED_OS;
	if (select & BPMU_SEL_USR)
		bits |= BPMU_FIXED_USR;
	if (select & BPMU_SEL_ANY)
		bits |= BPMU_FIXED_ANY;
	if (select & BPMU_SEL_INT)
		bits |= BPMU_FIXED_PMI;
	if (select & BPMU_SEL_ADAPTIVE)
		bits |= BPMU_FIXED_ADAPTIVE;
	return bits << (BPMU_FIXED_BITS * (counter - BPMU_FIXED_BASE));
}
