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

/**
 * bpmu_precise_choose() - let IBS sample a precise event on AMD's parts, as perf does
 * @pmu: counters of the CPU
 * @spec: an event with perf's modifier "p"; replaced by an event of IBS. Nothing is done if it is
 *	one, or if the CPU model is not AMD's
 *
 * IBS counts cycles in place of the event of cycles, and dispatched ops in place of retired uops.
 * It can sample no other event.
 *
 * Return: 0; -EINVAL if IBS cannot sample the event; -ENOMEM.
 */
int bpmu_precise_choose(const struct bpmu_pmu *pmu, struct bpmu_event_spec *spec,
			struct bpmu_error *err)
{
	u64 levels = spec->term[0].select & (BPMU_SEL_USR | BPMU_SEL_OS);
	u64 code = spec->term[0].select & ~(BPMU_SEL_USR | BPMU_SEL_OS);
	struct bpmu_event_spec other;
	char text[32];
	int failed;

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
