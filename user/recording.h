/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A recording: samples of a run in a file, as the module gave them.
 *
 *   bytes 0-7    "BPMUREC" and the version, 1
 *   bytes 8-11   u32, bytes of the description that follows
 *   description  one JSON object: part, clocks, CPUs, groups of events
 *   blocks       u32 0x4b4c4250, u32 bytes, then so many bytes of records as
 *                uapi/linux/barepmu.h describes them
 *
 * All numbers are little endian. A file that was cut off is good up to its last
 * whole block.
 */
#ifndef BPMU_RECORDING_H
#define BPMU_RECORDING_H

#include <stdio.h>

#include "groups.h"
#include "target.h"

/**
 * struct bpmu_recording - a file being written
 * @name: of the file
 * @fd: open file, or -1
 * @error: errno of the first write that failed, or 0
 */
struct bpmu_recording {
	const char *name;
	int fd;
	int error;
};

int bpmu_recording_create(struct bpmu_recording *recording, const char *name,
			  struct bpmu_error *err);
int bpmu_recording_describe(struct bpmu_recording *recording,
			    const struct bpmu_target *target,
			    const struct bpmu_groups *groups, u64 period_ns,
			    struct bpmu_error *err);
void bpmu_recording_add(struct bpmu_recording *recording, const void *records,
			size_t bytes);
int bpmu_recording_close(struct bpmu_recording *recording,
			 struct bpmu_error *err);

#endif /* BPMU_RECORDING_H */
