// SPDX-License-Identifier: GPL-2.0
/*
 * Guest CPUs that rest: busy as the guest sees it, but no load on the machine
 * below, which may have fewer CPUs. Without it, how many instructions a guest
 * CPU spends on waiting for another one depends on when that one gets to run.
 */
#include <unistd.h>

#include "vpmu.h"

static unsigned int pause_us;

/**
 * vpmu_rest() - let the calling vCPU do nothing for a while
 * @us: microseconds, or 0
 */
void vpmu_rest(unsigned int us)
{
	if (us)
		usleep(us);
}

/**
 * vpmu_rest_in_pause() - let vCPUs rest when they execute PAUSE
 * @us: for how many microseconds; 0 at first
 */
void vpmu_rest_in_pause(unsigned int us)
{
	pause_us = us;
}

/**
 * vpmu_is_pause() - is it the PAUSE of a loop that waits
 * @bytes: the instruction
 * @size: its length
 */
bool vpmu_is_pause(const uint8_t *bytes, unsigned int size)
{
	return size == 2 && bytes[0] == 0xf3 && bytes[1] == 0x90;
}

/**
 * vpmu_pause() - the calling vCPU executes PAUSE
 */
void vpmu_pause(void)
{
	vpmu_rest(pause_us);
}
