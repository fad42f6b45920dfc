/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Event tables of CPU models. By event code and unit mask, a table says which quantities of the
 * simulated core (instructions, cycles and so on) an event counts.
 */
#ifndef VPMU_EVENTS_H
#define VPMU_EVENTS_H

#include <stddef.h>

#include "machine/cpu.h"

/*
 * What an event counts: values of &vpmu_event.what, in addition to those of &enum vcore_plain. The
 * argument of VPMU_PORTS() is a bitmap of ports, the argument of VPMU_EXACTLY() an &enum
 * vpmu_exact, and the argument of VPMU_PASSED() an &enum vpmu_extra. k is a number. All other
 * arguments are values of the enumerations that vcore's headers define.
 */
#define VPMU_PER_CYCLE(quantity) (0x100 | (quantity))
#define VPMU_PORTS(mask) (0x200 | (mask))
#define VPMU_COMPUTED(operation) (0x300 | (operation))
#define VPMU_EXACTLY(what) (0x400 | (what))
#define VPMU_SLOTS 0x500
/* number of cycles in which a quantity of &enum vcore_per_cycle, such as uops retired, was k */
#define VPMU_CYCLES_WITH(quantity, k) (0x600 | (quantity) << 4 | (k))
/*
 * cycles of a component of a CPI stack; VPMU_STACK_PART(): cycles of one of the parts into which a
 * component is divided
 */
#define VPMU_STACK(stage, component) (0x700 | (stage) << 4 | (component))
#define VPMU_OUTSTANDING 0x800
#define VPMU_STACK_PART(stage, part) (0x900 | (stage) << 5 | (part))
/* events that the guest injected and that passed the filter in an extra register */
#define VPMU_PASSED(extra) (0xa00 | (extra))
/* an event that never happens in the simulated core: 0 is its right count */
#define VPMU_NEVER 0xb00
#define VPMU_LESS 0x8000

/**
 * struct vpmu_event - row of an event table: a quantity that an event counts. If an event has
 * several rows, the event counts the sum of their quantities
 * @select: event and umask, with UMASK2; a row with a counter mask, edge or invert applies only to
 *	event selects with the same counter mask, edge and invert
 * @what: the quantity: an &enum vcore_plain, or one of the VPMU_* macros above; if VPMU_LESS is
 *	ORed to it, the quantity is subtracted
 */
struct vpmu_event {
	uint64_t select;
	uint16_t what;
};

extern const struct vpmu_event *const vpmu_no_events[];

uint64_t vpmu_events_count(const struct vpmu_snapshot *now, unsigned int priv,
			   uint64_t select, unsigned int counter);
void vpmu_events_inject(unsigned int extra);
bool vpmu_events_counted(const struct vpmu_part *part, uint64_t select, unsigned int counter);
bool vpmu_events_timed(const struct vpmu_part *part, uint64_t select,
		       unsigned int counter);

#endif /* VPMU_EVENTS_H */
