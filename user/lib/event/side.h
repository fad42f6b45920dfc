/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_SIDE_H
#define BPMU_SIDE_H

#include <stdbool.h>

#include <linux/barepmu.h>

#include "arch.h"

/**
 * enum bpmu_side - the PMU or register on which the events of a group are
 * counted
 * @BPMU_SIDE_CORE: on the counters of each logical CPU
 * @BPMU_SIDE_UNCORE: on those of the package
 * @BPMU_SIDE_FREE_THREAD: free-running registers of each logical CPU
 * @BPMU_SIDE_FREE_CORE: free-running registers of a core, read by one of its
 *	CPUs
 * @BPMU_SIDE_FREE_PACKAGE: free-running registers of a package, read by one of
 *	its CPUs
 * @BPMU_SIDE_L3: on counters of the L3 of a core complex, read by one of its CPUs
 * @BPMU_SIDE_DF: on counters of the data fabric of a node, read by one of its CPUs
 * @BPMU_SIDE_UMC: on counters of a package's memory controllers, read by one CPU
 * @BPMU_SIDE_CHA: on counters of a package's CBos, read by one of its CPUs
 * @BPMU_SIDE_PCU: on counters of a package's power control unit, read by one CPU
 * @BPMU_SIDE_UBOX: on counters of a package's UBox, read by one of its CPUs
 * @BPMU_SIDE_IMC: on counters of a package's memory channels, read by one of its CPUs
 * @BPMU_SIDE_HA: on counters of a package's home agents, read by one of its CPUs
 * @BPMU_SIDE_LINK: on counters of a package's links to others, read by one of its CPUs
 * @BPMU_SIDE_IIO: on counters of a package's IIO stacks, read by one of its CPUs
 * @BPMU_NR_SIDES: number of sides
 *
 * Groups are in this order; those of a free-running side are one at most. Recordings
 * hold these numbers.
 */
enum bpmu_side {
	BPMU_SIDE_CORE,
	BPMU_SIDE_UNCORE,
	BPMU_SIDE_FREE_THREAD,
	BPMU_SIDE_FREE_CORE,
	BPMU_SIDE_FREE_PACKAGE,
	BPMU_SIDE_L3,
	BPMU_SIDE_DF,
	BPMU_SIDE_UMC,
	BPMU_SIDE_CHA,
	BPMU_SIDE_PCU,
	BPMU_SIDE_UBOX,
	BPMU_SIDE_IMC,
	BPMU_SIDE_HA,
	BPMU_SIDE_LINK,
	BPMU_SIDE_IIO,
	BPMU_NR_SIDES
};

/* flags that no sample of the core has */
#define BPMU_SIDE_FLAGS (BPMU_SAMPLE_UNCORE | BPMU_SAMPLE_FREE_THREAD | \
	BPMU_SAMPLE_FREE_CORE | BPMU_SAMPLE_FREE_PACKAGE | BPMU_SAMPLE_L3 | \
	BPMU_SAMPLE_DF | BPMU_SAMPLE_UMC | BPMU_SAMPLE_CHA | BPMU_SAMPLE_PCU | \
	BPMU_SAMPLE_UBOX | BPMU_SAMPLE_IMC | BPMU_SAMPLE_HA | BPMU_SAMPLE_LINK | \
	BPMU_SAMPLE_IIO)

enum bpmu_side bpmu_side_of_unit(u8 unit);

/**
 * bpmu_side_of_sample() - side of a sample's values
 * @flags: its &enum bpmu_sample_flag
 *
 * Return: &enum bpmu_side.
 */
static inline enum bpmu_side bpmu_side_of_sample(u32 flags)
{
	if (!(flags & BPMU_SIDE_FLAGS))
		return BPMU_SIDE_CORE;
	if (flags & BPMU_SAMPLE_UNCORE)
		return BPMU_SIDE_UNCORE;
	if (flags & BPMU_SAMPLE_L3)
		return BPMU_SIDE_L3;
	if (flags & BPMU_SAMPLE_DF)
		return BPMU_SIDE_DF;
	if (flags & BPMU_SAMPLE_UMC)
		return BPMU_SIDE_UMC;
	if (flags & BPMU_SAMPLE_CHA)
		return BPMU_SIDE_CHA;
	if (flags & BPMU_SAMPLE_PCU)
		return BPMU_SIDE_PCU;
	if (flags & BPMU_SAMPLE_UBOX)
		return BPMU_SIDE_UBOX;
	if (flags & BPMU_SAMPLE_IMC)
		return BPMU_SIDE_IMC;
	if (flags & BPMU_SAMPLE_HA)
		return BPMU_SIDE_HA;
	if (flags & BPMU_SAMPLE_LINK)
		return BPMU_SIDE_LINK;
	if (flags & BPMU_SAMPLE_IIO)
		return BPMU_SIDE_IIO;
	if (flags & BPMU_SAMPLE_FREE_THREAD)
		return BPMU_SIDE_FREE_THREAD;
	return flags & BPMU_SAMPLE_FREE_CORE ? BPMU_SIDE_FREE_CORE :
					       BPMU_SIDE_FREE_PACKAGE;
}

/**
 * bpmu_side_is_free() - check for a side of free-running registers
 * @side: &enum bpmu_side
 *
 * Return: true if so.
 */
static inline bool bpmu_side_is_free(enum bpmu_side side)
{
	return side >= BPMU_SIDE_FREE_THREAD && side <= BPMU_SIDE_FREE_PACKAGE;
}

u16 bpmu_side_attr(enum bpmu_side side);

#endif /* BPMU_SIDE_H */
