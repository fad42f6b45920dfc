/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads the executable mappings of processes and the functions of the kernel. A recording contains
 * them, so that its reader can name the functions that samples interrupted.
 */
#ifndef BPMU_RECORDING_WHO_MAPS_H
#define BPMU_RECORDING_WHO_MAPS_H

#include <jansson.h>
#include <stdbool.h>

#include "arch.h"

/**
 * struct bpmu_who_map - a mapping of a process
 * @start: first address
 * @size: size in bytes
 */
struct bpmu_who_map {
	u64 start;
	u64 size;
};

json_t *bpmu_who_maps(u32 tgid);
bool bpmu_who_maps_find(const json_t *maps, u64 ip, struct bpmu_who_map *found);

/**
 * struct bpmu_who_function - a function of the kernel
 * @start: first address
 * @size: size in bytes, 0 if unknown
 * @name: name, [@length], without a NUL
 * @length: length of the name
 * @module: name of the module in brackets, "[kernel]" if the function is in none
 */
struct bpmu_who_function {
	u64 start;
	u64 size;
	const char *name;
	int length;
	const char *module;
};

typedef void bpmu_who_function_fn(void *data, const struct bpmu_who_function *function);

json_t *bpmu_who_functions(const u64 *ip, size_t nr);
void bpmu_who_functions_all(bpmu_who_function_fn *each, void *data);

#endif /* BPMU_RECORDING_WHO_MAPS_H */
