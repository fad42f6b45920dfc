// SPDX-License-Identifier: GPL-2.0
/*
 * Replacement of what finds the causes of precise interrupts, for a tool built without Zydis, or
 * built statically: it cannot decode their code.
 */
#include "cause.h"

/**
 * bpmu_causes_begin() - let precise interrupts keep the addresses that were recorded
 */
void bpmu_causes_begin(struct bpmu_causes *causes, struct bpmu_replay *replay)
{
	(void)causes;
	(void)replay;
}

void bpmu_causes_free(struct bpmu_causes *causes)
{
	(void)causes;
}
