// SPDX-License-Identifier: GPL-2.0
/*
 * Lets vCPU threads sleep on the host while the guest's CPUs are busy-waiting. The host may have
 * fewer CPUs than the guest: without this the number of instructions of a spin loop would depend on
 * the host's scheduler.
 */
#include "spin.h"

#include <unistd.h>

static unsigned int pause_us;

/**
 * vpmu_spin_sleep() - let the thread of the calling vCPU, which spins, sleep on the host
 * @us: microseconds; 0 does not sleep
 */
void vpmu_spin_sleep(unsigned int us)
{
	if (us)
		usleep(us);
}

/**
 * vpmu_spin_sleep_in_pause() - let threads of vCPUs sleep on the host when the vCPUs execute PAUSE
 * @us: microseconds per PAUSE; initially 0
 */
void vpmu_spin_sleep_in_pause(unsigned int us)
{
	pause_us = us;
}

/**
 * vpmu_spin_is_pause() - check if an instruction is PAUSE, during which a spinning vCPU may sleep
 * @bytes: encoding of the instruction
 * @size: length in bytes
 */
bool vpmu_spin_is_pause(const uint8_t *bytes, unsigned int size)
{
	return size == 2 && bytes[0] == 0xf3 && bytes[1] == 0x90;
}

/**
 * vpmu_spin_pause() - let the thread of the calling vCPU, which executes PAUSE, sleep on the host
 */
void vpmu_spin_pause(void)
{
	vpmu_spin_sleep(pause_us);
}
