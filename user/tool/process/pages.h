/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds the memory pages that a process has accessed, and copies pages between processes.
 */
#ifndef BPMU_PAGES_H
#define BPMU_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "arch.h"
#include "base/error.h"

#define BPMU_PAGE 4096ULL

/**
 * struct bpmu_pages - a set of memory pages of a process
 * @address: addresses of the pages in the process, ascending, [@nr]
 * @nr: number of pages
 */
struct bpmu_pages {
	u64 *address;
	size_t nr;
};

int bpmu_pages_used(pid_t pid, struct bpmu_pages *written,
		    struct bpmu_pages *read, struct bpmu_error *err);
bool bpmu_pages_within(const struct bpmu_pages *pages,
		       const struct bpmu_pages *all);
int bpmu_pages_read(const struct bpmu_pages *pages, pid_t pid);
int bpmu_pages_own(const struct bpmu_pages *pages, pid_t pid);
int bpmu_pages_copy(const struct bpmu_pages *pages, pid_t from, pid_t to);
void bpmu_pages_free(struct bpmu_pages *pages);

#endif /* BPMU_PAGES_H */
