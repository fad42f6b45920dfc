// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include "log.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include <linux/genetlink.h>

#define USR 0x10000ULL

static void take_info(void *data, const struct nlmsghdr *answer)
{
	const struct nlattr *attr;
	struct log *log = data;

	mnl_attr_for_each(attr, answer, sizeof(struct genlmsghdr)) {
		switch (mnl_attr_get_type(attr)) {
		case BPMU_A_INFO_PART:
			strncpy(log->part, mnl_attr_get_str(attr),
				sizeof(log->part) - 1);
			break;
		case BPMU_A_INFO_TSC_KHZ:
			log->tsc_khz = mnl_attr_get_u32(attr);
			break;
		case BPMU_A_RECORD_SIZE:
			log->record = mnl_attr_get_u32(attr);
			break;
		}
	}
}

static void take_records(struct log *log, const struct nlattr *attr)
{
	const char *at = mnl_attr_get_payload(attr);
	unsigned int left = mnl_attr_get_payload_len(attr);
	struct log_sample *s;
	size_t size = sizeof(*s);

	if (size > log->record)
		size = log->record;
	for (; left >= log->record && log->nr < LOG_MOST;
	     left -= log->record, at += log->record) {
		s = &log->sample[log->nr++];
		memset(s, 0, sizeof(*s));
		memcpy(s, at, size);
	}
}

static void take_loss(struct log *log, const struct nlattr *attr)
{
	switch (mnl_attr_get_type(attr)) {
	case BPMU_A_LOSS_COUNT:
		log->lost = mnl_attr_get_u64(attr);
		break;
	case BPMU_A_LOSS_TSC_FIRST:
		log->lost_first = mnl_attr_get_u64(attr);
		break;
	case BPMU_A_LOSS_TSC_LAST:
		log->lost_last = mnl_attr_get_u64(attr);
		break;
	}
}

/**
 * log_take() - append the samples of a netlink message to a log
 * @data: the log, of type struct log
 * @answer: message of a dump
 *
 * The function has the type of &genl.reply.
 */
void log_take(void *data, const struct nlmsghdr *answer)
{
	const struct nlattr *attr, *nested;
	struct log *log = data;

	mnl_attr_for_each(attr, answer, sizeof(struct genlmsghdr)) {
		if (mnl_attr_get_type(attr) == BPMU_A_SAMPLES)
			take_records(log, attr);
		if (mnl_attr_get_type(attr) != BPMU_A_LOSS)
			continue;
		mnl_attr_for_each_nested(nested, attr)
			take_loss(log, nested);
	}
}

/**
 * log_open() - open a socket for a log of samples, and get CPU model and TSC frequency
 * @log: output: an open log without samples; genl_close() of its @genl closes it
 *
 * Return: 0 or a negative errno.
 */
int log_open(struct log *log)
{
	int code;

	memset(log, 0, sizeof(*log));
	code = genl_open(&log->genl);
	if (code)
		return code;
	log->genl.data = log;
	log->genl.reply = take_info;
	code = genl_command(&log->genl, BPMU_CMD_GET_INFO);
	log->instructions = USR | (!strcmp(log->part, "knc") ? 0x16 : 0xc0);
	return code;
}

/**
 * log_send() - send the configuration of a session whose samples are to be logged
 * @log: open log, with the request in its @genl
 *
 * Return: 0 or a negative errno.
 */
int log_send(struct log *log)
{
	log->nr = 0;
	log->lost = 0;
	log->genl.reply = take_info;
	return genl_send(&log->genl);
}

/**
 * log_configure() - configure a session on one CPU, to log the samples of the session
 * @log: open log
 * @plan: settings of the session; its groups count instructions, group i on counter i modulo 2
 *
 * Return: 0 or a negative errno.
 */
int log_configure(struct log *log, const struct log_plan *plan)
{
	struct nlmsghdr *message = genl_new(&log->genl, BPMU_CMD_CONFIGURE, 0);
	unsigned int i;

	mnl_attr_put(message, BPMU_A_CPUS, sizeof(plan->cpu), &plan->cpu);
	for (i = 0; i < plan->groups; i++)
		genl_put_group(message, i % 2, log->instructions);
	if (plan->interval_ns)
		mnl_attr_put_u64(message, BPMU_A_INTERVAL_NS,
				 plan->interval_ns);
	if (plan->buffer)
		mnl_attr_put_u32(message, BPMU_A_BUFFER_SAMPLES, plan->buffer);
	if (plan->watermark)
		mnl_attr_put_u32(message, BPMU_A_WATERMARK, plan->watermark);
	mnl_attr_put_u32(message, BPMU_A_TIMER, plan->timer);
	if (plan->who)
		mnl_attr_put(message, BPMU_A_WHO, 0, NULL);
	return log_send(log);
}

/**
 * log_swap() - replace the groups of a logged session by one group that counts instructions
 * @log: log of a running session
 * @counter: number of the counter that counts instructions after the swap
 *
 * Return: 0 or a negative errno.
 */
int log_swap(struct log *log, unsigned int counter)
{
	genl_put_group(genl_new(&log->genl, BPMU_CMD_SWAP, 0), counter,
		       log->instructions);
	return genl_send(&log->genl);
}

/**
 * log_read() - move the new samples of a session from the module's buffer to a log
 * @log: log of a configured session
 *
 * Return: 0 or a negative errno.
 */
int log_read(struct log *log)
{
	log->genl.reply = log_take;
	return genl_command(&log->genl, BPMU_CMD_READ);
}

/**
 * log_read_from() - copy samples of CPU 0 to a log, for a reader of another user's session
 * @log: open log; its @record is the size of the session's samples
 * @seq: number of the first sample to read
 *
 * Return: 0 or a negative errno.
 */
int log_read_from(struct log *log, uint64_t seq)
{
	const struct bpmu_position from = { .seq = seq };

	log->genl.reply = log_take;
	mnl_attr_put(genl_new(&log->genl, BPMU_CMD_READ, NLM_F_DUMP),
		     BPMU_A_FROM, sizeof(from), &from);
	return genl_send(&log->genl);
}

/**
 * log_has_gap() - find out if a log lacks a sample between its first and its last one
 * @log: log of the samples of one CPU
 *
 * Return: true if the numbers of the samples are not consecutive.
 */
bool log_has_gap(const struct log *log)
{
	unsigned int i;

	for (i = 1; i < log->nr; i++)
		if (log->sample[i].head.seq != log->sample[i - 1].head.seq + 1)
			return true;
	return false;
}

/**
 * log_pin() - move the test process, whose samples are logged, to a CPU
 * @cpu: number of the CPU
 *
 * Return: 0 or -1.
 */
int log_pin(uint32_t cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return sched_setaffinity(0, sizeof(set), &set);
}

/**
 * log_loop() - execute a known number of instructions, which the samples in a log must show
 * @n: number of iterations, of LOG_PER_ITERATION instructions each
 */
void log_loop(unsigned long n)
{
	asm volatile("1: dec %0\n\tjnz 1b" : "+r"(n) : : "cc");
}
