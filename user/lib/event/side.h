/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_SIDE_H
#define BPMU_SIDE_H

#include <stdbool.h>

#include <linux/barepmu.h>

#include "arch.h"

/**
 * enum bpmu_side - the PMU that counts the events of a group
 * @BPMU_SIDE_CORE: core PMU of each logical CPU
 * @BPMU_SIDE_UNCORE: uncore of a client's package
 * @BPMU_SIDE_FREE_THREAD: free-running registers of each logical CPU
 * @BPMU_SIDE_FREE_CORE: free-running registers of a core, read by one of its
 *	CPUs
 * @BPMU_SIDE_FREE_PACKAGE: free-running registers of a package, read by one of
 *	its CPUs
 * @BPMU_SIDE_L3: L3 of a core complex (AMD)
 * @BPMU_SIDE_DF: data fabric of a node (AMD)
 * @BPMU_SIDE_UMC: memory controllers of a package (AMD)
 * @BPMU_SIDE_CHA: CBos or CHAs of a server's package
 * @BPMU_SIDE_PCU: power control unit of a server's package
 * @BPMU_SIDE_UBOX: UBox of a server's package
 * @BPMU_SIDE_IMC: memory channels of a server's package, or memory controllers of a client's
 * @BPMU_SIDE_HA: home agents, M2Ms or B2CMIs of a server's package
 * @BPMU_SIDE_LINK: QPI or UPI links of a server's package
 * @BPMU_SIDE_IIO: IIO stacks of a server's package
 * @BPMU_NR_SIDES: number of sides
 *
 * All PMUs but those of logical CPUs are read by one of the CPUs that share them. Groups are
 * sorted by side; a free-running side has at most one group. The numbers are part of the
 * recording format.
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

/* flags of samples of sides other than the core */
#define BPMU_SIDE_FLAGS (BPMU_SAMPLE_UNCORE | BPMU_SAMPLE_FREE_THREAD | \
	BPMU_SAMPLE_FREE_CORE | BPMU_SAMPLE_FREE_PACKAGE | BPMU_SAMPLE_L3 | \
	BPMU_SAMPLE_DF | BPMU_SAMPLE_UMC | BPMU_SAMPLE_CHA | BPMU_SAMPLE_PCU | \
	BPMU_SAMPLE_UBOX | BPMU_SAMPLE_IMC | BPMU_SAMPLE_HA | BPMU_SAMPLE_LINK | \
	BPMU_SAMPLE_IIO)

enum bpmu_side bpmu_side_of_unit(u8 unit);

/**
 * bpmu_side_of_sample() - side of a sample
 * @flags: mask of &enum bpmu_sample_flag
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
 * bpmu_side_is_free() - check if a side has free-running registers
 * @side: &enum bpmu_side
 *
 * Return: true if it has.
 */
static inline bool bpmu_side_is_free(enum bpmu_side side)
{
	return side >= BPMU_SIDE_FREE_THREAD && side <= BPMU_SIDE_FREE_PACKAGE;
}

/**
 * bpmu_side_is_shared() - check if a side's counters belong to more than a core
 * @side: &enum bpmu_side
 *
 * On a hybrid part the first core type reads them, for both.
 *
 * Return: true if they are of a core complex, node or package; false if of a CPU or core.
 */
static inline bool bpmu_side_is_shared(enum bpmu_side side)
{
	return side != BPMU_SIDE_CORE && side != BPMU_SIDE_FREE_THREAD &&
	       side != BPMU_SIDE_FREE_CORE;
}

u16 bpmu_side_attr(enum bpmu_side side);

#endif /* BPMU_SIDE_H */
