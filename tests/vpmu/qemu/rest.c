// SPDX-License-Identifier: GPL-2.0
/*
 * Lets vCPU threads sleep on the host while the guest's CPUs are busy-waiting, as the host
 * may have fewer CPUs. Otherwise the number of instructions of a spin loop depends on the
 * host's scheduler.
 */
#include "rest.h"

#include <unistd.h>

static unsigned int pause_us;

/**
 * vpmu_rest() - let the calling vCPU rest: its thread sleeps on the host
 * @us: microseconds, or 0
 */
void vpmu_rest(unsigned int us)
{
	if (us)
		usleep(us);
}

/**
 * vpmu_rest_in_pause() - let vCPUs rest on the host when they execute PAUSE
 * @us: microseconds per PAUSE; initially 0
 */
void vpmu_rest_in_pause(unsigned int us)
{
	pause_us = us;
}

/**
 * vpmu_is_pause() - is an instruction PAUSE, in which a vCPU may rest
 * @bytes: the instruction
 * @size: its length
 */
bool vpmu_is_pause(const uint8_t *bytes, unsigned int size)
{
	return size == 2 && bytes[0] == 0xf3 && bytes[1] == 0x90;
}

/**
 * vpmu_pause() - let the calling vCPU rest, as it executes PAUSE
 */
void vpmu_pause(void)
{
	vpmu_rest(pause_us);
}
