// SPDX-License-Identifier: GPL-2.0
/*
 * Power loss, as in S3: all registers are set to their values at power on, and the TSC
 * restarts at 0, unless s3=tsc is given. The totals, which the guest cannot read, are kept.
 *
 * QEMU does not notify a plugin of a reset, and its TSC is not reset. A reset is detected by
 * the firmware's first instruction; the TSC at that time is subtracted from later results of
 * RDTSC. With tsc= these are multiplied, so that a tick is not a nanosecond.
 */
#include "power.h"

#include <pthread.h>
#include <string.h>

#include "box/boxes.h"
#include "counter/counter.h"
#include "counter/lbr.h"
#include "counter/pebs.h"
#include "counter/pmi.h"
#include "counter/prefetch.h"
#include "machine/options.h"
#include "machine/regs.h"
#include "machine/topology.h"
#include "machine/want.h"

/* SDM Vol. 3A, "First Instruction Executed" */
#define RESET_VECTOR 0xfffffff0

static bool powered;
static bool restarted;
static uint64_t tsc_begin;

/**
 * vpmu_is_reset() - is an instruction the first one after power loss and reset
 * @pc: its address
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
	vpmu_model_unwanted(cpu, VPMU_FOR_BRANCHES);
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
 * vpmu_power() - reset all registers of the virtual PMU, as power was lost
 *
 * Context: the boot CPU's first instruction after a reset; all other vCPUs wait for SIPI.
 * Return: true if the machine has been on before: all translations must be discarded.
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
	tsc_begin = 0;
	restarted = !vpmu_options.tsc_runs_on;
	return true;
}

/**
 * vpmu_is_rdtsc() - is an instruction RDTSC or RDTSCP, whose result power loss changes
 * @bytes: encoding of the instruction
 * @size: length in bytes
 */
bool vpmu_is_rdtsc(const uint8_t *bytes, unsigned int size)
{
	if (!vpmu_tsc_differs() || size < 2 || bytes[0] != 0x0f)
		return false;
	return (size == 2 && bytes[1] == 0x31) ||
	       (size == 3 && bytes[1] == 0x01 && bytes[2] == 0xf9);
}

/**
 * vpmu_tsc_differs() - must vpmu_tsc_amend() correct the TSC, as after power loss
 */
bool vpmu_tsc_differs(void)
{
	return restarted || vpmu_options.tsc;
}

/* ticks of the guest's TSC since it was 0, from those of QEMU's */
static uint64_t ticks(uint64_t qemu)
{
	uint64_t rate = vpmu_options.tsc ?: VPMU_TSC_UNIT;

	return qemu / VPMU_TSC_UNIT * rate + qemu % VPMU_TSC_UNIT * rate / VPMU_TSC_UNIT;
}

/**
 * vpmu_tsc_of() - the guest's TSC, which restarts at power loss
 * @qemu: QEMU's
 */
uint64_t vpmu_tsc_of(uint64_t qemu)
{
	return vpmu_tsc_differs() ? ticks(qemu - tsc_begin) : qemu;
}

/**
 * vpmu_tsc_amend() - correct the TSC that RDTSC, the vCPU's latest instruction, returned
 * @cpu: the calling vCPU
 */
void vpmu_tsc_amend(struct vpmu_cpu *cpu)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	uint64_t value = (uint32_t)vpmu_reg_read(VPMU_RAX) |
			 vpmu_reg_read(VPMU_RDX) << 32;

	cpu->score->tsc_read = 0;
	pthread_mutex_lock(&lock);
	if (restarted && !tsc_begin)
		tsc_begin = value;
	pthread_mutex_unlock(&lock);
	vpmu_reg_write_pair(ticks(value - tsc_begin));
}
