/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_VENDOR_FILES_H
#define BPMU_VENDOR_FILES_H

#include "vendor.h"

/**
 * struct bpmu_vendor_files - names of files
 * @name: the names, each to be freed
 * @nr: their number
 * @searched: they were found, not named, so that others may be among them
 */
struct bpmu_vendor_files {
	char **name;
	size_t nr;
	bool searched;
};

int bpmu_vendor_files_find(struct bpmu_vendor_files *files,
			   const struct bpmu_vendor_set *v, const char *path,
			   struct bpmu_error *err);
void bpmu_vendor_files_free(struct bpmu_vendor_files *files);

#endif /* BPMU_VENDOR_FILES_H */
