/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where a command spends its time: its threads are stopped every millisecond and
 * asked where they are.
 */
#ifndef BPMU_DECAN_PROFILE_H
#define BPMU_DECAN_PROFILE_H

#include "process/trace.h"

/**
 * struct bpmu_spot - an address that was executed
 * @path: of the program or library
 * @offset: in that file
 * @samples: how often
 */
struct bpmu_spot {
	const char *path;
	u64 offset;
	u64 samples;
};

/**
 * struct bpmu_profile - of a command
 * @spot: in no order
 * @nr: their number
 * @samples: of all, also where no file is mapped
 * @path: names of the files
 * @nr_paths: their number
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
