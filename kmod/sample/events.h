/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events that the session and its samplers publish, such as a change of the session's state.
 * Publishing is possible in any context and never waits; a worker delivers the events to the one
 * subscriber, in the order of publishing.
 */
#ifndef BPMU_EVENTS_H
#define BPMU_EVENTS_H

#include <linux/barepmu.h>
#include <linux/types.h>

/**
 * struct bpmu_failure_info - registers of a CPU that could not be programmed
 * @cpu: number of the CPU
 * @what: &enum bpmu_bank_id or &enum bpmu_failure
 * @error: negative errno
 */
struct bpmu_failure_info {
	unsigned int cpu;
	u32 what;
	int error;
};

/**
 * struct bpmu_subscriber - callbacks by which a worker delivers events; they may sleep
 * @state: called when the session's state has changed
 * @failure: called when a CPU could not be programmed
 * @watermark: called when a buffer has reached its watermark or lost a sample
 *
 * Each callback returns 0, or -ENOMEM to be called again for the same event about 10 ms later.
 */
struct bpmu_subscriber {
	int (*state)(enum bpmu_state state);
	int (*failure)(const struct bpmu_failure_info *info);
	int (*watermark)(void);
};

int bpmu_events_init(const struct bpmu_subscriber *subscriber);
void bpmu_events_exit(void);

void bpmu_events_state(enum bpmu_state state);
void bpmu_events_failure(const struct bpmu_failure_info *info);
void bpmu_events_watermark(void);

#endif /* BPMU_EVENTS_H */
