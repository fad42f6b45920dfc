/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A recording: samples of a run in a file, see barepmu-file(5).
 */
#ifndef BPMU_RECORDING_H
#define BPMU_RECORDING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/cpulist.h"
#include "client/client.h"
#include "event/groups.h"
#include "event/smt.h"

#define BPMU_RECORDING_MAGIC "BPMUREC"
#define BPMU_RECORDING_VERSION 3
/* the same with CPUs of two kinds, which a reader has to know of */
#define BPMU_RECORDING_KINDS 4
#define BPMU_RECORDING_MAGIC_BYTES 8
#define BPMU_RECORDING_HEAD_BYTES 16

/* no block is longer */
#define BPMU_RECORDING_BLOCK_MAX (1U << 24)

/* a reader that does not know a block of such a type goes on behind it */
#define BPMU_RECORDING_SKIP 0x8000U

/**
 * enum bpmu_recording_block - types of blocks
 * @BPMU_RECORDING_ABOUT: JSON: what was measured, where and how
 * @BPMU_RECORDING_SAMPLES: of one CPU
 * @BPMU_RECORDING_CLOCK: the same moment on three clocks
 * @BPMU_RECORDING_END: totals; nothing follows
 * @BPMU_RECORDING_PROCESS: JSON: what a process had mapped
 * @BPMU_RECORDING_KERNEL: JSON: functions of the kernel that were interrupted
 */
enum bpmu_recording_block {
	BPMU_RECORDING_ABOUT = 1,
	BPMU_RECORDING_SAMPLES,
	BPMU_RECORDING_CLOCK,
	BPMU_RECORDING_END,
	BPMU_RECORDING_PROCESS = BPMU_RECORDING_SKIP,
	BPMU_RECORDING_KERNEL
};

/**
 * struct bpmu_recording_clock - a moment
 * @tsc: time stamp counter
 * @monotonic_ns: CLOCK_MONOTONIC
 * @wall_ns: CLOCK_REALTIME
 */
struct bpmu_recording_clock {
	u64 tsc;
	u64 monotonic_ns;
	u64 wall_ns;
};

/**
 * struct bpmu_recording_about - what was measured, where and how
 * @info: of the module
 * @interval_ns: what was asked for
 * @period_ns: from one sample of a CPU to the next
 * @timer: &enum bpmu_timer
 * @smt: cores ran more than one thread
 * @arb_both: the arbiter's counter 1 counted occupancy too
 * @cpus: measured
 * @topology: of each of @cpus
 * @machine_topology: of each CPU that was online
 * @machine_cpus: their number
 * @groups: what was counted; without lists of events when read
 * @asked: words of the call, such as "stat", "-M", "IPC"; NULL ends them
 * @command: that ran meanwhile, or NULL
 * @host: name of the machine
 * @session: number of the session that several files are of, or 0
 * @file: number of the file among them, from 1 on
 * @others: kinds of CPUs beside this one: these follow in an array, with what was
 *	counted there and all else as here
 */
struct bpmu_recording_about {
	struct bpmu_info info;
	u64 interval_ns;
	u64 period_ns;
	u32 timer;
	int smt;
	bool arb_both;
	struct bpmu_cpulist cpus;
	struct bpmu_topology *topology;
	struct bpmu_topology *machine_topology;
	unsigned int machine_cpus;
	struct bpmu_groups groups;
	char **asked;
	char **command;
	char *host;
	u64 session;
	unsigned int file;
	unsigned int others;
};

char *bpmu_recording_about_text(const struct bpmu_recording_about *about);
int bpmu_recording_about_parse(struct bpmu_recording_about *about,
			       const char *text, size_t size, const char *name,
			       struct bpmu_error *err);
int bpmu_recording_find_topology(struct bpmu_recording_about *about,
				 struct bpmu_error *err);
const struct bpmu_groups *
bpmu_recording_groups(const struct bpmu_recording_about *about, u32 cpu);
void bpmu_recording_about_free(struct bpmu_recording_about *about);

u32 bpmu_recording_crc(u32 crc, const void *data, size_t size);

#endif /* BPMU_RECORDING_H */
