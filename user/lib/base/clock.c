// SPDX-License-Identifier: GPL-2.0
#include "clock.h"

#include <limits.h>

/**
 * bpmu_clock_ns() - what time it is
 * @id: CLOCK_MONOTONIC, for example
 *
 * Return: nanoseconds.
 */
u64 bpmu_clock_ns(clockid_t id)
{
	struct timespec now;

	clock_gettime(id, &now);
	return now.tv_sec * BPMU_NS_PER_S + now.tv_nsec;
}

/**
 * bpmu_clock_poll_ms() - how long poll() may wait
 * @deadline: monotonic nanoseconds, 0 for none
 * @most: milliseconds, below 0 for any number
 *
 * Return: milliseconds, rounded up, for poll(): below 0 if neither says anything.
 * What is further away than poll() can wait for is waited for in parts.
 */
int bpmu_clock_poll_ms(u64 deadline, int most)
{
	u64 now, left;

	if (!deadline)
		return most;
	now = bpmu_clock_ns(CLOCK_MONOTONIC);
	if (now >= deadline)
		return 0;
	left = (deadline - now) / BPMU_NS_PER_MS + 1;
	if (most < 0)
		most = INT_MAX;
	return left < (u64)most ? (int)left : most;
}
