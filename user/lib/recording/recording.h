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
#include "event/topology.h"

#define BPMU_RECORDING_MAGIC "BPMUREC"
#define BPMU_RECORDING_VERSION 5
/*
 * Version in the head of a recording with two core types; readers older than this version refuse
 * such a recording
 */
#define BPMU_RECORDING_HYBRID 6
#define BPMU_RECORDING_MAGIC_BYTES 8
#define BPMU_RECORDING_HEAD_BYTES 16

/* Maximum size of a block's contents in bytes */
#define BPMU_RECORDING_BLOCK_MAX (1U << 24)

/* Bit in the type of a block; a reader skips a block with this bit if it does not know the type. */
#define BPMU_RECORDING_SKIP 0x8000U

/**
 * enum bpmu_recording_block - types of the blocks of a recording
 * @BPMU_RECORDING_ABOUT: JSON: description of machine, events and options
 * @BPMU_RECORDING_SAMPLES: samples of one CPU
 * @BPMU_RECORDING_CLOCK: time stamp counter, monotonic and wall-clock time at one moment
 * @BPMU_RECORDING_END: the last block, with the number of samples of each CPU
 * @BPMU_RECORDING_PROCESS: JSON: files mapped by a process
 * @BPMU_RECORDING_KERNEL: JSON: interrupted functions of the kernel
 * @BPMU_RECORDING_OVERFLOWS: overflow interrupts of one CPU
 * @BPMU_RECORDING_CHAINS: call chains of the interrupts in the next block of interrupts
 * @BPMU_RECORDING_BRANCHES: branch records of the interrupts in the next block of interrupts
 * @BPMU_RECORDING_COUNTS: counts of the interrupts in the next block of interrupts
 * @BPMU_RECORDING_OPS: sampled ops of the interrupts in the next block of interrupts
 * @BPMU_RECORDING_RETIRED: retire latencies of the interrupts in the next block of interrupts
 * @BPMU_RECORDING_FETCHES: sampled fetches of the interrupts in the next block of interrupts
 */
enum bpmu_recording_block {
	BPMU_RECORDING_ABOUT = 1,
	BPMU_RECORDING_SAMPLES,
	BPMU_RECORDING_CLOCK,
	BPMU_RECORDING_END,
	BPMU_RECORDING_PROCESS = BPMU_RECORDING_SKIP,
	BPMU_RECORDING_KERNEL,
	BPMU_RECORDING_OVERFLOWS,
	BPMU_RECORDING_CHAINS,
	BPMU_RECORDING_BRANCHES,
	BPMU_RECORDING_COUNTS,
	BPMU_RECORDING_OPS,
	BPMU_RECORDING_RETIRED,
	BPMU_RECORDING_FETCHES
};

/**
 * struct bpmu_recording_clock - times of three clocks at the same moment
 * @tsc: time stamp counter, ticks
 * @monotonic_ns: CLOCK_MONOTONIC in ns
 * @wall_ns: CLOCK_REALTIME in ns
 */
struct bpmu_recording_clock {
	u64 tsc;
	u64 monotonic_ns;
	u64 wall_ns;
};

/**
 * struct bpmu_ceilings - ceilings of a roofline: maximum rates of all measured CPUs together
 * @bytes: bytes read from memory per second
 * @flops: double-precision operations per second
 * @uops: uops retired per second
 *
 * All members are 0 if the ceilings were not measured.
 */
struct bpmu_ceilings {
	double bytes;
	double flops;
	double uops;
};

/**
 * struct bpmu_recording_about - description of a recording for one core type
 * @info: the module's information about the machine
 * @interval_ns: requested interval in ns
 * @period_ns: time in ns from one sample of a CPU to the next sample of this CPU
 * @timer: &enum bpmu_timer
 * @smt: true if hyper-threading was on
 * @arb_both: true if counter 1 of the arbiter could count occupancy events, as counter 0 can
 * @counts: true if interrupts have the counts of all events of a core
 * @cpus: measured CPUs
 * @topology: topology of the measured CPUs, [nr @cpus]
 * @machine_topology: topology of all online CPUs, [machine_cpus]
 * @machine_cpus: number of online CPUs
 * @groups: groups of events; if read from a file, they have counters but no lists of events
 * @tree: version of Intel's Top-Down tree, such as "TMA 5.2", if this tree was measured; else NULL
 * @asked: arguments of the barepmu command, such as "stat", "-M", "IPC", ended by NULL
 * @command: program that ran during the measurement, or NULL
 * @host: name of the machine
 * @ceilings: ceilings of the roofline, measured by record --ceilings
 * @session: number of the session if it has several files, or 0
 * @file: number of the file in the session, from 1 on
 * @others: number of further core types. Their descriptions follow this one in an array. They
 *	differ from this one only in @cpus, @topology, @groups, @tree and the counters in @info
 */
struct bpmu_recording_about {
	struct bpmu_info info;
	u64 interval_ns;
	u64 period_ns;
	u32 timer;
	int smt;
	bool arb_both;
	bool counts;
	struct bpmu_cpulist cpus;
	struct bpmu_topology *topology;
	struct bpmu_topology *machine_topology;
	unsigned int machine_cpus;
	struct bpmu_groups groups;
	char *tree;
	char **asked;
	char **command;
	char *host;
	struct bpmu_ceilings ceilings;
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
