// SPDX-License-Identifier: GPL-2.0
/*
 * The guest's TSC. QEMU does not reset its TSC when the machine loses power, but a real TSC begins
 * at 0 again. The value of QEMU's TSC at the first RDTSC after a power loss is therefore subtracted
 * from all later results of RDTSC. With the option tsc= the results are also scaled.
 */
#include "tsc.h"

#include <pthread.h>

#include "machine/options.h"
#include "machine/regs.h"

static bool restarted;
/* value of QEMU's TSC at the first RDTSC after power loss; 0 until the guest executes that RDTSC */
static uint64_t begin;

/**
 * vpmu_tsc_lose() - restart the TSC of the guest at 0 after power loss, unless s3=tsc is given
 *
 * Context: the boot CPU's first instruction after a reset; all other vCPUs wait for SIPI.
 */
void vpmu_tsc_lose(void)
{
	begin = 0;
	restarted = !vpmu_options.tsc_runs_on;
}

/**
 * vpmu_tsc_is_read() - check if an instruction reads the TSC, and its result must be corrected
 * @bytes: encoding of the instruction: RDTSC, RDTSCP or another one
 * @size: length in bytes
 */
bool vpmu_tsc_is_read(const uint8_t *bytes, unsigned int size)
{
	if (!vpmu_tsc_differs() || size < 2 || bytes[0] != 0x0f)
		return false;
	return (size == 2 && bytes[1] == 0x31) ||
	       (size == 3 && bytes[1] == 0x01 && bytes[2] == 0xf9);
}

/**
 * vpmu_tsc_differs() - check if the guest's TSC has another value than QEMU's TSC
 *
 * Return: true after a power loss that restarted the TSC, and with the option tsc=.
 */
bool vpmu_tsc_differs(void)
{
	return restarted || vpmu_options.tsc;
}

/* Converts ticks of QEMU's TSC to ticks of the guest's TSC. */
static uint64_t ticks(uint64_t qemu)
{
	uint64_t rate = vpmu_options.tsc ?: VPMU_TSC_UNIT;

	return qemu / VPMU_TSC_UNIT * rate + qemu % VPMU_TSC_UNIT * rate / VPMU_TSC_UNIT;
}

/**
 * vpmu_tsc_of() - convert a value of QEMU's TSC to the guest's TSC
 * @qemu: value of QEMU's TSC
 */
uint64_t vpmu_tsc_of(uint64_t qemu)
{
	return vpmu_tsc_differs() ? ticks(qemu - begin) : qemu;
}

/**
 * vpmu_tsc_amend() - correct the TSC in EDX:EAX after an RDTSC or RDTSCP of the calling vCPU
 * @cpu: the calling vCPU
 */
void vpmu_tsc_amend(struct vpmu_cpu *cpu)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	uint64_t value = (uint32_t)vpmu_reg_read(VPMU_RAX) |
			 vpmu_reg_read(VPMU_RDX) << 32;

	cpu->score->tsc_read = 0;
	pthread_mutex_lock(&lock);
	if (restarted && !begin)
		begin = value;
	pthread_mutex_unlock(&lock);
	vpmu_reg_write_pair(ticks(value - begin));
}
