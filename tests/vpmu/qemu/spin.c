// SPDX-License-Identifier: GPL-2.0
/*
 * Lets vCPU threads sleep on the host while the guest's CPUs are busy-waiting, as the host
 * may have fewer CPUs. Otherwise the number of instructions of a spin loop depends on the
 * host's scheduler.
 */
#include "spin.h"

#include <unistd.h>

static unsigned int pause_us;

/**
 * vpmu_spin_sleep() - let the calling vCPU rest: its thread sleeps on the host
 * @us: microseconds, or 0
 */
void vpmu_spin_sleep(unsigned int us)
{
	if (us)
		usleep(us);
}

/**
 * vpmu_spin_sleep_in_pause() - let vCPUs rest on the host when they execute PAUSE
 * @us: microseconds per PAUSE; initially 0
 */
void vpmu_spin_sleep_in_pause(unsigned int us)
{
	pause_us = us;
}

/**
 * vpmu_spin_is_pause() - is an instruction PAUSE, in which a vCPU may rest
 * @bytes: the instruction
 * @size: its length
 */
bool vpmu_spin_is_pause(const uint8_t *bytes, unsigned int size)
{
	return size == 2 && bytes[0] == 0xf3 && bytes[1] == 0x90;
}

/**
 * vpmu_spin_pause() - let the calling vCPU rest, as it executes PAUSE
 */
void vpmu_spin_pause(void)
{
	vpmu_spin_sleep(pause_us);
}
