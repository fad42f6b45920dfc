/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A log of the samples of a session, which a test opens by netlink messages, without the tool.
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
 * struct log_sample - a sample as the module sends it
 * @head: header
 * @value: values of the first LOG_EVENTS events
 */
struct log_sample {
	struct bpmu_sample head;
	uint64_t value[LOG_EVENTS];
};

/**
 * struct log - samples of a session, in the order of their arrival
 * @genl: socket of the session
 * @part: short name of the CPU's part
 * @instructions: event select of instructions in user space
 * @tsc_khz: frequency of the TSC in kHz, in which time stamps are
 * @record: size of a sample in bytes
 * @nr: number of samples
 * @sample: samples, [@nr]
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
 * struct log_plan - configuration of a session
 * @cpu: the CPU
 * @groups: number of groups; group i has one event, on counter i modulo 2
 * @interval_ns: sampling interval in ns, 0 for none
 * @timer: enum bpmu_timer
 * @who: samples have the process that was interrupted
 * @buffer: size of the buffer in samples, 0 for the module's choice
 * @watermark: number of samples in the buffer from which on the module notifies; 0 for the module's
 *	choice
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

/* instructions of one iteration of log_loop() */
#define LOG_PER_ITERATION 2

#endif /* LOG_H */
