/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A log of the samples of a session. A test opens the session by netlink messages, without the
 * tool.
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
 * struct log_sample - a sample as it is in the module's messages
 * @head: header of the sample
 * @value: values of the first LOG_EVENTS events
 */
struct log_sample {
	struct bpmu_sample head;
	uint64_t value[LOG_EVENTS];
};

/**
 * struct log - the samples of a session that a test has read, in the order of their arrival
 * @genl: socket of the session
 * @part: short name of the CPU model
 * @instructions: event select of retired instructions in user space
 * @tsc_khz: frequency of the TSC in kHz; time stamps of samples are in TSC ticks
 * @record: size of a sample in bytes
 * @nr: number of samples
 * @sample: [@nr], the samples
 * @lost: number of samples that the module reports as lost
 * @lost_first: time stamp of the first lost sample
 * @lost_last: time stamp of the last lost sample
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
 * struct log_plan - settings of a session that log_configure() opens
 * @cpu: number of the CPU
 * @groups: number of groups; group i has one event, which counts on counter i modulo 2
 * @interval_ns: sampling interval in ns; 0 for none
 * @timer: enum bpmu_timer
 * @who: true if samples are to name the interrupted process
 * @buffer: size of the module's buffer in samples; 0 for the module's default
 * @watermark: number of samples in the buffer from which on the module notifies; 0 for the module's
 *	default
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
int log_pin(uint32_t cpu);
void log_loop(unsigned long n);

/* Number of instructions of one iteration of log_loop(). */
#define LOG_PER_ITERATION 2

#endif /* LOG_H */
