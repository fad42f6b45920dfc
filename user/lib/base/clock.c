// SPDX-License-Identifier: GPL-2.0
#include "clock.h"

#include <limits.h>

/**
 * bpmu_clock_ns() - read a clock by clock_gettime(), in nanoseconds
 * @id: the clock, for example CLOCK_MONOTONIC
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
 * bpmu_clock_poll_ms() - timeout for poll() until a deadline of the monotonic clock
 * @deadline: time of CLOCK_MONOTONIC in ns; 0 for no deadline
 * @most: upper limit of the timeout in ms; negative for no limit
 *
 * Return: timeout for poll() in ms, rounded up; negative (wait forever) with neither a deadline nor
 * a limit. If the time does not fit into an int, the result is INT_MAX: poll() returns before the
 * deadline then, and has to be called again.
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
