// SPDX-License-Identifier: GPL-2.0
#include "clock.h"

/**
 * bpmu_clock_ns() - what time it is
 * @id: CLOCK_MONOTONIC, for example
 *
 * Context: any.
 * Return: nanoseconds.
 */
u64 bpmu_clock_ns(clockid_t id)
{
	struct timespec now;

	clock_gettime(id, &now);
	return now.tv_sec * BPMU_NS_PER_S + now.tv_nsec;
}
