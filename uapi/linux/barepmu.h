/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * barepmu: the generic netlink protocol between barepmu.ko and its readers
 *
 * Family "barepmu", version 1, initial network namespace only. Every request
 * is validated strictly: an unknown attribute is an error. Every refusal
 * carries an extended ack with a sentence, and the offending attribute where
 * there is one.
 *
 * A SESSION belongs to the netlink port (the socket) that configured it. There
 * is at most one. It ends when the owner asks for it or when the owner's socket
 * is closed, however the owner died; then every register that the module
 * touched holds again what it held before.
 *
 *   state       CONFIGURE  START       SAMPLE  READ  STOP      RELEASE
 *   IDLE        -> READY   -           -       -     -         yes
 *   READY       -> READY   -> RUNNING  -       yes   -         -> IDLE
 *   RUNNING     -          -           yes     yes   -> READY  -> IDLE
 *
 * "-" is refused.
 *
 * Configuring needs CAP_PERFMON or CAP_SYS_ADMIN in the initial user
 * namespace, the other commands need to come from the owner. Asking for
 * information needs nothing.
 *
 * A COUNTER is named by its number: general counter i is i, fixed counter n is
 * BPMU_COUNTER_FIXED + n. On Intel this is the counter's bit in
 * IA32_PERF_GLOBAL_CTRL.
 *
 * A SELECT value has the layout of IA32_PERFEVTSELx: event 7:0, umask 15:8,
 * usr 16, os 17, edge 18, any 21, inv 23, cmask 31:24. The module sets the
 * enable bit (22) itself. For a fixed counter only usr, os and any are legal.
 * The legal bits of the part at hand are BPMU_A_INFO_SELECT_MASK; INT, pin
 * control and reserved bits are always refused.
 *
 * Requests and replies
 * --------------------
 *
 * BPMU_CMD_GET_INFO, anyone
 *   request    nothing
 *   reply      BPMU_A_INFO_*, all of them; BPMU_A_INFO_BUSY only for callers
 *              who may configure, and only if it holds
 *
 * BPMU_CMD_CONFIGURE, needs the capability; takes the counters
 *   request    BPMU_A_CPUS            packed __u32 CPU numbers; absent: all
 *                                     online CPUs
 *              BPMU_A_GROUP           nested, 1 .. BPMU_MAX_GROUPS times
 *                BPMU_A_GROUP_EVENT   nested, 1 .. BPMU_MAX_COUNTERS times
 *                  BPMU_A_EVENT_COUNTER  u32, a counter's number
 *                  BPMU_A_EVENT_SELECT   u64, a select value
 *              BPMU_A_INTERVAL_NS     u64; absent or 0: counting mode, a sample
 *                                     is taken on request only
 *              BPMU_A_BUFFER_SAMPLES  u32, samples held per CPU; absent: chosen
 *                                     by the module
 *              BPMU_A_WATERMARK       u32, samples in one CPU's buffer at which
 *                                     the watermark message is sent; absent:
 *                                     half of the buffer
 *   reply      BPMU_A_RECORD_SIZE     u32, bytes of one sample record
 *
 * BPMU_CMD_START, BPMU_CMD_STOP, BPMU_CMD_RELEASE, the owner
 *   request    nothing
 *   reply      the acknowledgment
 *   START and STOP each store one sample per CPU, flagged as such: the first
 *   and the last word of a run. A sample holds raw counter values; the
 *   difference of two samples modulo the counter's width is a count.
 *
 * BPMU_CMD_SAMPLE, the owner
 *   request    nothing
 *   reply      the acknowledgment, after each CPU has stored one sample
 *
 * BPMU_CMD_READ, the owner, a dump
 *   request    nothing
 *   reply      messages of two kinds, oldest sample of each CPU first
 *              BPMU_A_SAMPLES         packed sample records of one CPU, each
 *                                     BPMU_A_RECORD_SIZE bytes
 *              BPMU_A_LOSS            nested, what one CPU had to drop so far
 *                BPMU_A_LOSS_CPU        u32
 *                BPMU_A_LOSS_COUNT      u64, samples dropped since START
 *                BPMU_A_LOSS_TSC_FIRST  u64, when the first was dropped
 *                BPMU_A_LOSS_TSC_LAST   u64, when the last was dropped
 *   What a dump has delivered is taken out of the buffers.
 *
 * Multicast group "session"
 * -------------------------
 *
 * BPMU_CMD_STATE      the session changed: BPMU_A_INFO_STATE,
 *                     BPMU_A_INFO_OWNER_PID, BPMU_A_INFO_OWNER_COMM
 * BPMU_CMD_WATERMARK  a buffer reached its watermark: nothing, read them all
 */
#ifndef _UAPI_LINUX_BAREPMU_H
#define _UAPI_LINUX_BAREPMU_H

#include <linux/types.h>

#define BPMU_FAMILY_NAME "barepmu"
#define BPMU_FAMILY_VERSION 1
#define BPMU_MCGRP_SESSION "session"

/**
 * enum bpmu_limits - limits of a configuration
 * @BPMU_COUNTER_FIXED: number of the first fixed counter
 * @BPMU_MAX_COUNTERS: events in one group
 * @BPMU_MAX_GROUPS: groups in one session
 * @BPMU_MIN_INTERVAL_NS: shortest interval, 0.1 ms
 * @BPMU_MAX_BUFFER_SAMPLES: most samples held per CPU
 */
enum bpmu_limits {
	BPMU_COUNTER_FIXED = 32,
	BPMU_MAX_COUNTERS = 16,
	BPMU_MAX_GROUPS = 1,
	BPMU_MIN_INTERVAL_NS = 100000,
	BPMU_MAX_BUFFER_SAMPLES = 65536
};

/**
 * enum bpmu_cmd - commands
 */
enum bpmu_cmd {
	/** @BPMU_CMD_UNSPEC: never sent */
	BPMU_CMD_UNSPEC,
	/** @BPMU_CMD_GET_INFO: what the module runs on, and its session */
	BPMU_CMD_GET_INFO,
	/** @BPMU_CMD_CONFIGURE: take the counters and say what to count */
	BPMU_CMD_CONFIGURE,
	/** @BPMU_CMD_START: start all counters on all CPUs of the session */
	BPMU_CMD_START,
	/** @BPMU_CMD_STOP: stop them, with a last sample */
	BPMU_CMD_STOP,
	/** @BPMU_CMD_SAMPLE: store a sample on each CPU now */
	BPMU_CMD_SAMPLE,
	/** @BPMU_CMD_READ: dump and take out the stored samples */
	BPMU_CMD_READ,
	/** @BPMU_CMD_RELEASE: end the session and restore all registers */
	BPMU_CMD_RELEASE,
	/** @BPMU_CMD_STATE: multicast, the session changed */
	BPMU_CMD_STATE,
	/** @BPMU_CMD_WATERMARK: multicast, a buffer reached its watermark */
	BPMU_CMD_WATERMARK,

	/* add new commands above here */

	/** @__BPMU_CMD_LAST: internal */
	__BPMU_CMD_LAST,
	/** @BPMU_CMD_MAX: highest command */
	BPMU_CMD_MAX = __BPMU_CMD_LAST - 1
};

/**
 * enum bpmu_attr - attributes at the top level of a message
 */
enum bpmu_attr {
	/** @BPMU_A_UNSPEC: never sent */
	BPMU_A_UNSPEC,
	/** @BPMU_A_PAD: alignment of u64 attributes */
	BPMU_A_PAD,
	/** @BPMU_A_INFO_MODULE_VERSION: string */
	BPMU_A_INFO_MODULE_VERSION,
	/** @BPMU_A_INFO_PART: string, short name of the part, "ivb" */
	BPMU_A_INFO_PART,
	/** @BPMU_A_INFO_PART_TITLE: string, "Intel Ivy Bridge" */
	BPMU_A_INFO_PART_TITLE,
	/** @BPMU_A_INFO_FAMILY: u32, CPUID display family */
	BPMU_A_INFO_FAMILY,
	/** @BPMU_A_INFO_MODEL: u32, CPUID display model */
	BPMU_A_INFO_MODEL,
	/** @BPMU_A_INFO_STEPPING: u32, CPUID stepping */
	BPMU_A_INFO_STEPPING,
	/** @BPMU_A_INFO_PMU_VERSION: u32, CPUID 0xA version, 0 if none */
	BPMU_A_INFO_PMU_VERSION,
	/** @BPMU_A_INFO_GP_COUNTERS: u32, general counters per logical CPU */
	BPMU_A_INFO_GP_COUNTERS,
	/** @BPMU_A_INFO_GP_WIDTH: u32, their width in bits */
	BPMU_A_INFO_GP_WIDTH,
	/** @BPMU_A_INFO_FIXED_COUNTERS: u32, fixed counters per logical CPU */
	BPMU_A_INFO_FIXED_COUNTERS,
	/** @BPMU_A_INFO_FIXED_WIDTH: u32, their width in bits */
	BPMU_A_INFO_FIXED_WIDTH,
	/** @BPMU_A_INFO_SELECT_MASK: u64, legal bits of a select value */
	BPMU_A_INFO_SELECT_MASK,
	/** @BPMU_A_INFO_TSC_KHZ: u32, rate of the time stamps in samples */
	BPMU_A_INFO_TSC_KHZ,
	/** @BPMU_A_INFO_CPUS_ONLINE: u32, number of online CPUs */
	BPMU_A_INFO_CPUS_ONLINE,
	/** @BPMU_A_INFO_STATE: u32, enum bpmu_state */
	BPMU_A_INFO_STATE,
	/** @BPMU_A_INFO_OWNER_PID: u32, process of the session, 0 if none */
	BPMU_A_INFO_OWNER_PID,
	/** @BPMU_A_INFO_OWNER_COMM: string, its name, "" if none */
	BPMU_A_INFO_OWNER_COMM,
	/** @BPMU_A_INFO_BUSY: flag, someone else holds the counters now */
	BPMU_A_INFO_BUSY,
	/** @BPMU_A_CPUS: packed __u32 CPU numbers */
	BPMU_A_CPUS,
	/** @BPMU_A_GROUP: nested enum bpmu_group_attr, repeated */
	BPMU_A_GROUP,
	/** @BPMU_A_INTERVAL_NS: u64, nanoseconds between samples */
	BPMU_A_INTERVAL_NS,
	/** @BPMU_A_BUFFER_SAMPLES: u32, samples held per CPU */
	BPMU_A_BUFFER_SAMPLES,
	/** @BPMU_A_WATERMARK: u32, samples at which readers are woken */
	BPMU_A_WATERMARK,
	/** @BPMU_A_RECORD_SIZE: u32, bytes of one sample record */
	BPMU_A_RECORD_SIZE,
	/** @BPMU_A_SAMPLES: packed sample records */
	BPMU_A_SAMPLES,
	/** @BPMU_A_LOSS: nested enum bpmu_loss_attr */
	BPMU_A_LOSS,

	/* add new attributes above here */

	/** @__BPMU_A_LAST: internal */
	__BPMU_A_LAST,
	/** @BPMU_A_MAX: highest attribute */
	BPMU_A_MAX = __BPMU_A_LAST - 1
};

/**
 * enum bpmu_group_attr - attributes inside BPMU_A_GROUP
 */
enum bpmu_group_attr {
	/** @BPMU_A_GROUP_UNSPEC: never sent */
	BPMU_A_GROUP_UNSPEC,
	/** @BPMU_A_GROUP_EVENT: nested enum bpmu_event_attr, repeated */
	BPMU_A_GROUP_EVENT,

	/* add new attributes above here */

	/** @__BPMU_A_GROUP_LAST: internal */
	__BPMU_A_GROUP_LAST,
	/** @BPMU_A_GROUP_MAX: highest attribute */
	BPMU_A_GROUP_MAX = __BPMU_A_GROUP_LAST - 1
};

/**
 * enum bpmu_event_attr - attributes inside BPMU_A_GROUP_EVENT
 */
enum bpmu_event_attr {
	/** @BPMU_A_EVENT_UNSPEC: never sent */
	BPMU_A_EVENT_UNSPEC,
	/** @BPMU_A_EVENT_PAD: alignment of u64 attributes */
	BPMU_A_EVENT_PAD,
	/** @BPMU_A_EVENT_COUNTER: u32, a counter's number */
	BPMU_A_EVENT_COUNTER,
	/** @BPMU_A_EVENT_SELECT: u64, a select value */
	BPMU_A_EVENT_SELECT,

	/* add new attributes above here */

	/** @__BPMU_A_EVENT_LAST: internal */
	__BPMU_A_EVENT_LAST,
	/** @BPMU_A_EVENT_MAX: highest attribute */
	BPMU_A_EVENT_MAX = __BPMU_A_EVENT_LAST - 1
};

/**
 * enum bpmu_loss_attr - attributes inside BPMU_A_LOSS
 */
enum bpmu_loss_attr {
	/** @BPMU_A_LOSS_UNSPEC: never sent */
	BPMU_A_LOSS_UNSPEC,
	/** @BPMU_A_LOSS_PAD: alignment of u64 attributes */
	BPMU_A_LOSS_PAD,
	/** @BPMU_A_LOSS_CPU: u32, the CPU whose buffer was full */
	BPMU_A_LOSS_CPU,
	/** @BPMU_A_LOSS_COUNT: u64, samples dropped since START */
	BPMU_A_LOSS_COUNT,
	/** @BPMU_A_LOSS_TSC_FIRST: u64, TSC of the first dropped sample */
	BPMU_A_LOSS_TSC_FIRST,
	/** @BPMU_A_LOSS_TSC_LAST: u64, TSC of the last dropped sample */
	BPMU_A_LOSS_TSC_LAST,

	/* add new attributes above here */

	/** @__BPMU_A_LOSS_LAST: internal */
	__BPMU_A_LOSS_LAST,
	/** @BPMU_A_LOSS_MAX: highest attribute */
	BPMU_A_LOSS_MAX = __BPMU_A_LOSS_LAST - 1
};

/**
 * enum bpmu_state - states of the session
 */
enum bpmu_state {
	/** @BPMU_STATE_IDLE: no session, the counters are not ours */
	BPMU_STATE_IDLE,
	/** @BPMU_STATE_READY: configured, counters taken, not counting */
	BPMU_STATE_READY,
	/** @BPMU_STATE_RUNNING: counting */
	BPMU_STATE_RUNNING
};

/**
 * enum bpmu_sample_flag - why a sample was taken
 */
enum bpmu_sample_flag {
	/** @BPMU_SAMPLE_START: the first one, before anything was counted */
	BPMU_SAMPLE_START = 1 << 0,
	/** @BPMU_SAMPLE_STOP: the last one, nothing is counted after it */
	BPMU_SAMPLE_STOP = 1 << 1,
	/** @BPMU_SAMPLE_TIMER: the interval timer */
	BPMU_SAMPLE_TIMER = 1 << 2,
	/** @BPMU_SAMPLE_REQUEST: BPMU_CMD_SAMPLE */
	BPMU_SAMPLE_REQUEST = 1 << 3,
	/** @BPMU_SAMPLE_OFFLINE: the CPU went offline or to sleep */
	BPMU_SAMPLE_OFFLINE = 1 << 4,
	/** @BPMU_SAMPLE_ONLINE: it came back; counts restart here */
	BPMU_SAMPLE_ONLINE = 1 << 5
};

/**
 * struct bpmu_sample - head of a sample record
 * @seq: number of this sample on this CPU since START, dropped ones counted: a
 *	gap is a loss
 * @tsc_begin: TSC just before the first counter was read
 * @tsc_end: TSC just after the last one was read
 * @enabled: TSC ticks for which the session was running on this CPU
 * @running: TSC ticks for which this group was on the counters
 * @cpu: the CPU that took it, of itself
 * @group: number of the group, in the order of the configuration
 * @flags: enum bpmu_sample_flag
 *
 * The record goes on with the raw counter values, one __u64 for each event of
 * the group in the order of the configuration, padded with zeros to
 * BPMU_A_RECORD_SIZE.
 */
struct bpmu_sample {
	__u64 seq;
	__u64 tsc_begin;
	__u64 tsc_end;
	__u64 enabled;
	__u64 running;
	__u32 cpu;
	__u16 group;
	__u16 flags;
};

#endif /* _UAPI_LINUX_BAREPMU_H */
