/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds interrupted functions, by the mappings of processes and the kernel functions in
 * a recording.
 */
#ifndef BPMU_REPORT_BY_SYMBOL_H
#define BPMU_REPORT_BY_SYMBOL_H

#include <linux/barepmu.h>
#include <stdbool.h>
#include <stddef.h>

#include "arch.h"

struct bpmu_by_process;

/**
 * struct bpmu_by_function - a function of the kernel
 * @start: address
 * @size: size in bytes, 0 if unknown
 * @label: its name and module
 */
struct bpmu_by_function {
	u64 start;
	u64 size;
	char *label;
};

/**
 * struct bpmu_by_symbols - symbols of a recording
 * @process: mappings of processes, in the order of the recording, [@nr]
 * @nr: number of processes
 * @kernel: functions, by address
 * @nr_kernel: number of kernel functions
 * @files: search tree of the files that were opened
 * @spots: search tree of the instructions that were looked up
 * @hidden: kernel addresses are missing, because they were hidden from the recorder
 */
struct bpmu_by_symbols {
	struct bpmu_by_process *process;
	size_t nr;
	struct bpmu_by_function *kernel;
	size_t nr_kernel;
	void *files;
	void *spots;
	bool hidden;
};

/**
 * struct bpmu_by_spot - an instruction of a program or library
 * @path: path of the file, NULL if unknown
 * @build_id: build ID of the file, empty if unknown
 * @offset: offset in the file
 */
struct bpmu_by_spot {
	const char *path;
	const char *build_id;
	u64 offset;
};

void bpmu_by_symbols_hear(void *symbols, int type, const char *text,
			  size_t size);
const char *bpmu_by_symbols_label(struct bpmu_by_symbols *symbols,
				  const struct bpmu_who *who);
bool bpmu_by_symbols_spot(const struct bpmu_by_symbols *symbols,
			  const struct bpmu_who *who, const char *program,
			  struct bpmu_by_spot *spot);
void bpmu_by_symbols_free(struct bpmu_by_symbols *symbols);

#endif /* BPMU_REPORT_BY_SYMBOL_H */
