/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds the function that a sample interrupted. For this purpose a recording has the mappings of
 * processes and functions of the kernel.
 */
#ifndef BPMU_REPORT_BY_SYMBOL_H
#define BPMU_REPORT_BY_SYMBOL_H

#include <linux/barepmu.h>
#include <stdbool.h>
#include <stddef.h>

#include "arch.h"

struct bpmu_by_process;

/**
 * enum bpmu_by_detail - what the label of an interrupted instruction names
 * @BPMU_DETAIL_FUNCTION: the function
 * @BPMU_DETAIL_LINE: the source line, where it is known, and the function
 * @BPMU_DETAIL_ADDRESS: the address of the instruction (in programs and libraries its link-time
 *	address) and the function
 */
enum bpmu_by_detail {
	BPMU_DETAIL_FUNCTION,
	BPMU_DETAIL_LINE,
	BPMU_DETAIL_ADDRESS
};

/**
 * struct bpmu_by_function - a function of the kernel
 * @start: first address
 * @size: size in bytes, 0 if unknown
 * @label: name, and module in brackets
 */
struct bpmu_by_function {
	u64 start;
	u64 size;
	char *label;
};

/**
 * struct bpmu_by_symbols - symbols of a recording
 * @detail: what the names that are shown tell: the function alone, or its line or address, too
 * @process: mappings of processes, in the order of the recording, [@nr]; a process may
 *	occur several times
 * @nr: number of elements of @process
 * @kernel: functions of the kernel in ascending order of address, [@nr_kernel]
 * @nr_kernel: number of functions of the kernel
 * @files: search tree of the files whose symbols were read
 * @labels: search tree of all labels made so far, by address and process
 * @hidden: true if a sample that interrupted the kernel has no address, because the user who
 *	recorded was not permitted to see addresses of the kernel
 */
struct bpmu_by_symbols {
	enum bpmu_by_detail detail;
	struct bpmu_by_process *process;
	size_t nr;
	struct bpmu_by_function *kernel;
	size_t nr_kernel;
	void *files;
	void *labels;
	bool hidden;
};

/**
 * struct bpmu_by_location - where an instruction is in a program or library
 * @path: path of the file; NULL if no mapping of a file contains the address
 * @build_id: build ID of the file, empty if unknown
 * @offset: offset in the file in bytes; the address itself if @path is NULL
 */
struct bpmu_by_location {
	const char *path;
	const char *build_id;
	u64 offset;
};

/**
 * struct bpmu_by_map - a mapping of a process
 * @start: first address
 * @size: size in bytes
 * @offset: offset of the first address in the file, in bytes
 * @path: path of the file, empty for anonymous memory
 * @build_id: build ID of the file in hexadecimal, empty if unknown
 */
struct bpmu_by_map {
	u64 start;
	u64 size;
	u64 offset;
	const char *path;
	const char *build_id;
};

typedef void bpmu_by_map_fn(void *data, const struct bpmu_by_map *map);

size_t bpmu_by_symbols_maps(const struct bpmu_by_symbols *symbols, u32 tgid, const char *comm,
			    bpmu_by_map_fn *each, void *data);
void bpmu_by_symbols_add_block(void *symbols, int type, const char *text,
			       size_t size);
void bpmu_by_symbols_add_kernel(struct bpmu_by_symbols *symbols);
const char *bpmu_by_symbols_label(struct bpmu_by_symbols *symbols,
				  const struct bpmu_who *who);
struct bpmu_by_location bpmu_by_symbols_place(const struct bpmu_by_symbols *symbols,
					      const struct bpmu_who *who);
bool bpmu_by_symbols_mapping(const struct bpmu_by_symbols *symbols, const struct bpmu_who *who,
			     struct bpmu_by_map *map);
unsigned int bpmu_by_symbols_source(struct bpmu_by_symbols *symbols, const struct bpmu_who *who,
				    const char **file);
bool bpmu_by_symbols_locate(const struct bpmu_by_symbols *symbols,
			    const struct bpmu_who *who, const char *program,
			    struct bpmu_by_location *location);
void bpmu_by_symbols_free(struct bpmu_by_symbols *symbols);

#endif /* BPMU_REPORT_BY_SYMBOL_H */
