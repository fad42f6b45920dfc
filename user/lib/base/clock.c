// SPDX-License-Identifier: GPL-2.0
#include "clock.h"

#include <limits.h>

/**
 * bpmu_clock_ns() - read one of the kernel's clocks, in nanoseconds
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
 * bpmu_clock_poll_ms() - timeout for poll() until a deadline of the monotonic clock
 * @deadline: CLOCK_MONOTONIC in ns, 0 for none
 * @most: limit in ms, negative for none
 *
 * Return: timeout of poll() in ms, rounded up; negative without deadline and limit. A timeout
 * that exceeds an int is truncated, so that poll() returns before the deadline: poll again then.
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
