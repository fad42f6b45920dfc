/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A profile of a command: every millisecond the command's threads are stopped, and their
 * instruction pointers are sampled.
 */
#ifndef BPMU_DECAN_PROFILE_H
#define BPMU_DECAN_PROFILE_H

#include "process/trace.h"

/**
 * struct bpmu_spot - an address of a program or library at which samples were taken
 * @path: path of the program or library
 * @offset: the address as an offset in the file @path
 * @samples: number of samples there
 */
struct bpmu_spot {
	const char *path;
	u64 offset;
	u64 samples;
};

/**
 * struct bpmu_profile - profile of a command: where it spends its time
 * @spot: addresses with samples, in no particular order, [@nr]
 * @nr: number of addresses
 * @samples: number of all samples, including those at addresses where no file is mapped
 * @path: paths of the files with samples, to which @spot points, [@nr_paths]
 * @nr_paths: number of files
 */
struct bpmu_profile {
	struct bpmu_spot *spot;
	size_t nr;
	u64 samples;
	char **path;
	size_t nr_paths;
};

int bpmu_profile_take(struct bpmu_profile *profile, char **argv,
		      struct bpmu_error *err);
int bpmu_profile_read(struct bpmu_profile *profile, const char *name,
		      const char *program, struct bpmu_error *err);
void bpmu_profile_free(struct bpmu_profile *profile);

#endif /* BPMU_DECAN_PROFILE_H */
