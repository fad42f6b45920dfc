// SPDX-License-Identifier: GPL-2.0
#include "precise.h"

#include <errno.h>
#include <stdio.h>

#include "data_access.h"
#include "event/event_ibs.h"
#include "intel.h"

/* event codes of AMD's cycles and retired uops, which perf samples by IBS if they are precise */
#define CYCLES 0x76
#define UOPS 0xc1

/*
 * Bits of an event select by which an event is known, and the selects of cycles and instructions.
 * Those of the events that count cycles in place of cycles, and have PEBS: cycles in which less than
 * 16 uops, or instructions, retire: the first one from Sandy Bridge to Broadwell (Linux,
 * intel_pebs_aliases_snb(), intel_pebs_aliases_core2())
 */
#define IDENTITY (BPMU_SEL_EVENT | BPMU_SEL_UMASK | BPMU_SEL_CMASK | BPMU_SEL_INV | BPMU_SEL_EDGE)
#define INTEL_CYCLES 0x3c
#define INTEL_INSTRUCTIONS 0xc0
#define CYCLES_OF_UOPS 0x108001c2
#define CYCLES_OF_INSTRUCTIONS 0x108000c0

/* Returns the event select, without privilege levels, that counts an event by PEBS. */
static u64 pebs_select(const struct bpmu_pmu *pmu, const struct bpmu_event_term *term)
{
	u64 code = term->select & IDENTITY;
	bool uops = pmu->pebs_format <= BPMU_DS_TIMED &&
		    !(pmu->part->quirks & (BPMU_QUIRK_SHARED_EXTRAS | BPMU_QUIRK_PEBS_0));

	if (term->counters == BPMU_FIXED_BIT(0))
		return INTEL_INSTRUCTIONS;
	if (term->counters == BPMU_FIXED_BIT(1) || code == INTEL_CYCLES)
		return uops ? CYCLES_OF_UOPS : CYCLES_OF_INSTRUCTIONS;
	return code;
}

/*
 * Lets a precise event be counted where PEBS of a format before the adaptive ones records it. Returns
 * 0, or -EINVAL if it has no such records.
 */
static int choose_pebs(const struct bpmu_pmu *pmu, struct bpmu_event_spec *spec,
		       struct bpmu_error *err)
{
	struct bpmu_event_term *term = spec->term;
	u64 select = pebs_select(pmu, term);
	u64 all = bpmu_pmu_pebs_counters(pmu, select);
	bool moved = select != (term->select & IDENTITY) || !(term->counters & pmu->pebs);

	if (spec->nr != 1 || term->unit != BPMU_UNIT_CORE)
		return 0;
	if (!all || (moved && term->counters & BPMU_FIXED_BIT(2)))
		return bpmu_error_set(err, -EINVAL,
			"event '%s': this part has precise samples (PEBS) of retired instructions, uops, branches, loads and stores only, and of cycles; use another event, or leave out p",
			spec->text);
	term->select = select | (term->select & ~IDENTITY);
	term->counters = term->counters & all ?: all;
	return 0;
}

/**
 * bpmu_precise_choose() - choose what samples a precise event, as perf does: PEBS, or IBS of AMD
 * @pmu: counters of the CPU
 * @spec: an event with perf's modifier "p"; on AMD's parts replaced by an event of IBS, unless it is
 *	one; on Intel's with PEBS before the adaptive formats it gets a counter and an event select
 *	of which there are records
 *
 * IBS counts cycles in place of the event of cycles, and dispatched ops in place of retired uops.
 * It can sample no other event.
 *
 * Return: 0; -EINVAL if neither can sample the event; -ENOMEM.
 */
int bpmu_precise_choose(const struct bpmu_pmu *pmu, struct bpmu_event_spec *spec,
			struct bpmu_error *err)
{
	u64 levels = spec->term[0].select & (BPMU_SEL_USR | BPMU_SEL_OS);
	u64 code = spec->term[0].select & ~(BPMU_SEL_USR | BPMU_SEL_OS);
	struct bpmu_event_spec other;
	char text[32];
	int failed;

	if (bpmu_pmu_has_store(pmu) && pmu->pebs_format <= BPMU_DS_ADAPTIVE)
		return choose_pebs(pmu, spec, err);
	if (pmu->part->ids->vendor != BPMU_VENDOR_AMD || bpmu_event_is_ibs(spec->text))
		return 0;
	if (spec->nr != 1 || (code != CYCLES && code != UOPS))
		return bpmu_error_set(err, -EINVAL,
			"event '%s': AMD's parts have precise samples of cycles and of uops only, by IBS; use cycles:pp, r0c1:pp or ibs_op, or leave out p",
			spec->text);
	snprintf(text, sizeof(text), "ibs_op%s%s", code == UOPS ? ":cnt_ctl=1" : "",
		 levels == BPMU_SEL_USR ? ":u" : levels == BPMU_SEL_OS ? ":k" : "");
	failed = bpmu_event_parse(pmu, 0, text, &other, err);
	if (failed)
		return failed;
	bpmu_event_free(spec);
	*spec = other;
	return 0;
}

/**
 * bpmu_precise_has_data() - check if an event is a precise one of loads or stores
 * @part: descriptor of the CPU that counts the event
 * @slot: the event on its counter
 *
 * Return: true if records of the event have the address of the data, where the part's precise
 * records can be read.
 */
bool bpmu_precise_has_data(const struct bpmu_part *part, const struct bpmu_sched_slot *slot)
{
	return bpmu_event_is_precise(slot->text) && slot->counter < BPMU_FIXED_BASE &&
	       bpmu_data_access_kind(part, slot->select) != BPMU_DATA_ACCESS_NONE;
}
