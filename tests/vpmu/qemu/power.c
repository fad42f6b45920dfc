// SPDX-License-Identifier: GPL-2.0
/*
 * Power loss, as in S3: all registers are set to their values at power on, and the TSC restarts.
 * The totals of the truth file, which the guest cannot read, are kept. QEMU does not notify a
 * plugin of a reset, so a reset is recognised by the firmware's first instruction.
 */
#include "power.h"

#include <string.h>

#include "box/boxes.h"
#include "counter/counter.h"
#include "counter/fetches.h"
#include "counter/ibs.h"
#include "counter/lbr.h"
#include "counter/pebs.h"
#include "counter/pmi.h"
#include "counter/prefetch.h"
#include "machine/level.h"
#include "machine/topology.h"
#include "tsc.h"

/* address of the first instruction after reset: SDM Vol. 3A, "First Instruction Executed" */
#define RESET_VECTOR 0xfffffff0

static bool powered;

/**
 * vpmu_is_reset() - check if an instruction is the first one after power-on, power loss or reset
 * @pc: address of the instruction
 */
bool vpmu_is_reset(uint64_t pc)
{
	return pc == RESET_VECTOR;
}

static void lose(struct vpmu_cpu *cpu)
{
	vpmu_pmi_init(cpu);
	vpmu_counters_settle(cpu);
	vpmu_lbr_init(cpu);
	vpmu_pebs_init(cpu);
	vpmu_ibs_init(cpu);
	vpmu_fetches_init(cpu);
	vpmu_model_unwanted(cpu, VPMU_FOR_BRANCHES);
	vpmu_model_unwanted(cpu, VPMU_FOR_IBS);
	vpmu_model_unwanted(cpu, VPMU_FOR_FETCHES);
	vpmu_model_unwanted(cpu, VPMU_FOR_ACCESSES);
	memset(cpu->select, 0, sizeof(cpu->select));
	memset(&cpu->metrics, 0, sizeof(cpu->metrics));
	memset(cpu->extra, 0, sizeof(cpu->extra));
	cpu->fixed_ctrl = 0;
	cpu->global_ctrl = 0;
	cpu->status = 0;
	vpmu_prefetch_write(cpu, 0);
	vpmu_counters_init(cpu);
	vpmu_counters_restart(cpu);
}

/**
 * vpmu_power() - set all registers of the virtual PMU to their values after power loss
 *
 * The first call, at power-on, changes nothing.
 *
 * Context: the boot CPU's first instruction after a reset; all other vCPUs wait for SIPI.
 * Return: false at power-on. True if the machine has been on before: the caller must let QEMU
 * discard all translations.
 */
bool vpmu_power(void)
{
	unsigned int i;

	if (!powered) {
		powered = true;
		return false;
	}
	for (i = 0; i < vpmu_nr_cpus(); i++)
		lose(vpmu_cpu(i));
	vpmu_boxes_lose();
	vpmu_tsc_lose();
	return true;
}
