// SPDX-License-Identifier: GPL-2.0
#include "side.h"

/**
 * bpmu_side_of_unit() - side of the events of a unit
 * @unit: &enum bpmu_unit
 *
 * Return: &enum bpmu_side.
 */
enum bpmu_side bpmu_side_of_unit(u8 unit)
{
	switch (unit) {
	case BPMU_UNIT_CORE:
		return BPMU_SIDE_CORE;
	case BPMU_UNIT_FREE_THREAD:
		return BPMU_SIDE_FREE_THREAD;
	case BPMU_UNIT_FREE_CORE:
		return BPMU_SIDE_FREE_CORE;
	case BPMU_UNIT_FREE_PACKAGE:
		return BPMU_SIDE_FREE_PACKAGE;
	case BPMU_UNIT_L3:
		return BPMU_SIDE_L3;
	case BPMU_UNIT_DF:
		return BPMU_SIDE_DF;
	case BPMU_UNIT_UMC:
		return BPMU_SIDE_UMC;
	case BPMU_UNIT_CHA:
		return BPMU_SIDE_CHA;
	case BPMU_UNIT_PCU:
		return BPMU_SIDE_PCU;
	case BPMU_UNIT_UBOX:
		return BPMU_SIDE_UBOX;
	case BPMU_UNIT_IMC:
		return BPMU_SIDE_IMC;
	case BPMU_UNIT_HA:
		return BPMU_SIDE_HA;
	case BPMU_UNIT_LINK:
		return BPMU_SIDE_LINK;
	case BPMU_UNIT_IIO:
		return BPMU_SIDE_IIO;
	default:
		return BPMU_SIDE_UNCORE;
	}
}

/**
 * bpmu_side_attr() - netlink attribute of a group of a side
 * @side: &enum bpmu_side
 *
 * Return: &enum bpmu_attr, that of the first core type.
 */
u16 bpmu_side_attr(enum bpmu_side side)
{
	if (side == BPMU_SIDE_CORE)
		return BPMU_A_GROUP;
	return bpmu_side_is_free(side) ? BPMU_A_FREE_GROUP :
					 BPMU_A_UNCORE_GROUP;
}
