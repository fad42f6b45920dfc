/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shared libraries that are loaded on demand.
 */
#ifndef BPMU_LIBRARY_H
#define BPMU_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct bpmu_library_function - a function of a library
 * @name: name of the symbol
 * @offset: offset of its pointer in the structure of function pointers
 */
struct bpmu_library_function {
	const char *name;
	size_t offset;
};

bool bpmu_library_load(const char *name,
		       const struct bpmu_library_function *functions,
		       size_t nr, void *into);

#endif /* BPMU_LIBRARY_H */
