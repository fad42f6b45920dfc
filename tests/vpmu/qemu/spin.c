// SPDX-License-Identifier: GPL-2.0
/*
 * Lets vCPU threads sleep on the host while the guest's CPUs are busy-waiting. The host may have
 * fewer CPUs than the guest. If the threads did not sleep, the number of instructions of a spin
 * loop would depend on the host's scheduler.
 */
#include "spin.h"

#include <unistd.h>

static unsigned int pause_us;

/**
 * vpmu_spin_sleep() - put the thread of the calling vCPU to sleep on the host
 * @us: time in microseconds; 0: does not sleep
 */
void vpmu_spin_sleep(unsigned int us)
{
	if (us)
		usleep(us);
}

/**
 * vpmu_spin_sleep_in_pause() - set how long the thread of a vCPU sleeps on the host at each PAUSE
 * @us: time in microseconds; 0, as at the start: does not sleep
 */
void vpmu_spin_sleep_in_pause(unsigned int us)
{
	pause_us = us;
}

/**
 * vpmu_spin_is_pause() - check if an instruction is PAUSE, which a vCPU executes in a wait loop
 * @bytes: encoding of the instruction
 * @size: length in bytes
 */
bool vpmu_spin_is_pause(const uint8_t *bytes, unsigned int size)
{
	return size == 2 && bytes[0] == 0xf3 && bytes[1] == 0x90;
}

/**
 * vpmu_spin_pause() - put the thread of the calling vCPU to sleep on the host at a PAUSE
 */
void vpmu_spin_pause(void)
{
	vpmu_spin_sleep(pause_us);
}
