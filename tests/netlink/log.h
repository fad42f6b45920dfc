/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A session by raw requests, and all samples it gave.
 */
#ifndef LOG_H
#define LOG_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/barepmu.h>

#include "genl.h"

#define LOG_EVENTS 4
#define LOG_MOST 24000

/**
 * struct log_sample - a record
 * @head: its head
 * @value: its first values
 */
struct log_sample {
	struct bpmu_sample head;
	uint64_t value[LOG_EVENTS];
};

/**
 * struct log - samples of one CPU, in the order of their numbers
 * @genl: the session's socket
 * @part: short name of the part
 * @instructions: select that counts instructions in user space
 * @tsc_khz: rate of time stamps
 * @record: bytes of a record
 * @nr: samples
 * @sample: the samples
 * @lost: samples that the module says were dropped
 * @lost_first: when the first was
 * @lost_last: when the last was
 */
struct log {
	struct genl genl;
	char part[16];
	uint64_t instructions;
	uint32_t tsc_khz;
	uint32_t record;
	unsigned int nr;
	struct log_sample sample[LOG_MOST];
	uint64_t lost;
	uint64_t lost_first;
	uint64_t lost_last;
};

/**
 * struct log_plan - what to configure
 * @cpu: where
 * @groups: number of groups, each with one event on a counter of its own
 * @interval_ns: 0 for none
 * @timer: enum bpmu_timer
 * @who: samples say who was interrupted
 * @buffer: samples held, 0 for the module's choice
 * @watermark: of them, 0 for the module's choice
 */
struct log_plan {
	uint32_t cpu;
	unsigned int groups;
	uint64_t interval_ns;
	uint32_t timer;
	bool who;
	uint32_t buffer;
	uint32_t watermark;
};

int log_open(struct log *log);
int log_send(struct log *log);
int log_configure(struct log *log, const struct log_plan *plan);
int log_swap(struct log *log, unsigned int counter);
void log_take(void *data, const struct nlmsghdr *answer);
int log_read(struct log *log);
int log_read_from(struct log *log, uint64_t seq);
bool log_has_gap(const struct log *log);
void log_loop(unsigned long n);

/* instructions of one iteration of log_loop() */
#define LOG_PER_ITERATION 2

#endif /* LOG_H */
