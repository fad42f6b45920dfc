/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Times in nanoseconds.
 */
#ifndef BPMU_CLOCK_H
#define BPMU_CLOCK_H

#include <time.h>

#include "arch.h"

#define BPMU_NS_PER_MS 1000000LL
#define BPMU_NS_PER_S 1000000000LL

/**
 * struct bpmu_stamp - a time on the measured machine
 * @wall_ns: CLOCK_REALTIME in ns; 0 if the time is not known: the current time is used instead
 * @monotonic_ns: CLOCK_MONOTONIC in ns
 */
struct bpmu_stamp {
	long long wall_ns;
	long long monotonic_ns;
};

u64 bpmu_clock_ns(clockid_t id);
int bpmu_clock_poll_ms(u64 deadline, int most);

#endif /* BPMU_CLOCK_H */
