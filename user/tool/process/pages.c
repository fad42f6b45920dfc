// SPDX-License-Identifier: GPL-2.0
#include "pages.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

#include "regions.h"

/* BATCH: maximum number of pages that are read or written by one system call */
#define BATCH 512

/*
 * Bits of an entry of /proc/PID/pagemap. They say of a page, in this order: it is present; it is
 * swapped out; it belongs to a file or to shared memory; only this process maps it.
 */
#define PAGE_PRESENT (1ULL << 63)
#define PAGE_SWAPPED (1ULL << 62)
#define PAGE_OF_FILE (1ULL << 61)
#define PAGE_EXCLUSIVE (1ULL << 56)

static int add_page(struct bpmu_pages *pages, u64 address)
{
	u64 *grown;

	if (!(pages->nr & (pages->nr - 1))) {
		grown = reallocarray(pages->address,
				     pages->nr ? 2 * pages->nr : 1,
				     sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		pages->address = grown;
	}
	pages->address[pages->nr++] = address;
	return 0;
}

static int by_address(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

/*
 * Adds the pages of @more to @pages, which stays sorted. Returns 0 or -ENOMEM; on an error some
 * pages may have been added.
 */
static int add_pages(struct bpmu_pages *pages, const struct bpmu_pages *more)
{
	size_t i, nr = 0;
	u64 *all;

	if (!more->nr)
		return 0;
	all = calloc(pages->nr + more->nr, sizeof(*all));
	if (!all)
		return -ENOMEM;
	for (i = 0; i < pages->nr + more->nr; i++)
		all[i] = i < pages->nr ? pages->address[i] :
			 more->address[i - pages->nr];
	qsort(all, pages->nr + more->nr, sizeof(*all), by_address);
	for (i = 0; i < pages->nr + more->nr; i++)
		if (!nr || all[nr - 1] != all[i])
			all[nr++] = all[i];
	free(pages->address);
	pages->address = NULL;
	pages->nr = 0;
	/*
	 * Pages must be added with add_page(): it relies on an array whose allocated length is a
	 * power of two.
	 */
	for (i = 0; i < nr; i++)
		if (add_page(pages, all[i]))
			break;
	free(all);
	return i < nr ? -ENOMEM : 0;
}

static int scan_region(int map, const struct bpmu_region *region,
		       struct bpmu_pages *written, struct bpmu_pages *read)
{
	u64 entry[BATCH], at;
	ssize_t got;
	size_t i;
	int code = 0;

	for (at = region->start; at < region->end; at += BATCH * BPMU_PAGE) {
		got = pread(map, entry, sizeof(entry), at / BPMU_PAGE * 8);
		for (i = 0; !code && (ssize_t)(8 * i) < got &&
		     at + i * BPMU_PAGE < region->end; i++) {
			if (!(entry[i] & (PAGE_PRESENT | PAGE_SWAPPED)))
				continue;
			if (entry[i] & PAGE_OF_FILE)
				code = add_page(read, at + i * BPMU_PAGE);
			else if (entry[i] & (PAGE_EXCLUSIVE | PAGE_SWAPPED) &&
				 region->mode[1] == 'w')
				code = add_page(written, at + i * BPMU_PAGE);
		}
	}
	return code;
}

/**
 * bpmu_pages_used() - find the memory pages that a forked process has accessed
 * @pid: the process; its parent must be stopped since fork()
 * @written: set that is extended by the pages that the process has written, and by all swapped-out
 *	pages, as it is unknown whether the process has written these
 * @read: set that is extended by the pages of mapped files that the process has accessed
 *
 * After fork(), parent and child map the same anonymous page until one of them writes to it (copy
 * on write). The parent is stopped. So if only the child maps an anonymous page, the child has
 * written it.
 */
int bpmu_pages_used(pid_t pid, struct bpmu_pages *written,
		    struct bpmu_pages *read, struct bpmu_error *err)
{
	struct bpmu_pages new_written = { }, new_read = { };
	struct bpmu_regions regions;
	struct bpmu_region region;
	char path[32];
	int map, code = 0;

	snprintf(path, sizeof(path), "/proc/%d/pagemap", pid);
	map = open(path, O_RDONLY | O_CLOEXEC);
	if (map < 0 || !bpmu_regions_open(&regions, pid)) {
		if (map >= 0)
			close(map);
		return bpmu_error_set(err, -ENOENT,
				      "/proc/%d/pagemap: cannot be read; is /proc mounted?",
				      pid);
	}
	while (!code && bpmu_regions_next(&regions, &region))
		if (region.mode[0] == 'r')
			code = scan_region(map, &region, &new_written,
					   &new_read);
	bpmu_regions_close(&regions);
	close(map);
	if (!code)
		code = add_pages(written, &new_written);
	if (!code)
		code = add_pages(read, &new_read);
	bpmu_pages_free(&new_written);
	bpmu_pages_free(&new_read);
	return code ? bpmu_error_set(err, code, "decan: no memory; free some") :
	       0;
}

/**
 * bpmu_pages_within() - check if a set of memory pages is a subset of another
 * @pages: the possible subset
 * @all: the other set
 *
 * Return: true if all of @pages are in @all.
 */
bool bpmu_pages_within(const struct bpmu_pages *pages,
		       const struct bpmu_pages *all)
{
	size_t i;

	for (i = 0; i < pages->nr; i++)
		if (!all->nr || !bsearch(&pages->address[i], all->address, all->nr,
					 sizeof(*all->address), by_address))
			return false;
	return true;
}

/*
 * Reads the first @bytes bytes of each page in process @from. If @to is not 0, writes these bytes
 * to the same addresses in process @to. Returns 0 or a negative errno.
 */
static int transfer_pages(const struct bpmu_pages *pages, pid_t from, pid_t to,
			  size_t bytes)
{
	static u8 buffer[BATCH * BPMU_PAGE];
	struct iovec remote[BATCH], local;
	size_t i, k, nr;

	for (i = 0; i < pages->nr; i += nr) {
		nr = pages->nr - i < BATCH ? pages->nr - i : BATCH;
		for (k = 0; k < nr; k++) {
			remote[k].iov_base =
				(void *)(uintptr_t)pages->address[i + k];
			remote[k].iov_len = bytes;
		}
		local = (struct iovec){ buffer, nr * bytes };
		if (process_vm_readv(from, &local, 1, remote, nr, 0) !=
		    (ssize_t)(nr * bytes))
			return -EFAULT;
		if (to && process_vm_writev(to, &local, 1, remote, nr, 0) !=
			  (ssize_t)(nr * bytes))
			return -EFAULT;
	}
	return 0;
}

/**
 * bpmu_pages_read() - read from a process's memory pages, so that it has no page faults later
 * @pages: set of pages
 * @pid: the process
 *
 * Return: 0 or a negative errno.
 */
int bpmu_pages_read(const struct bpmu_pages *pages, pid_t pid)
{
	return transfer_pages(pages, pid, 0, 1);
}

/**
 * bpmu_pages_own() - give a process its own copies of memory pages that it shares with its parent
 * @pages: set of pages
 * @pid: the process
 *
 * Return: 0 or a negative errno.
 */
int bpmu_pages_own(const struct bpmu_pages *pages, pid_t pid)
{
	return transfer_pages(pages, pid, pid, 1);
}

/**
 * bpmu_pages_copy() - copy memory pages from one process to another
 * @pages: set of pages; both processes have mapped these addresses
 * @from: source process
 * @to: destination process
 *
 * Return: 0 or a negative errno.
 */
int bpmu_pages_copy(const struct bpmu_pages *pages, pid_t from, pid_t to)
{
	return transfer_pages(pages, from, to, BPMU_PAGE);
}

void bpmu_pages_free(struct bpmu_pages *pages)
{
	free(pages->address);
	*pages = (struct bpmu_pages){ };
}
