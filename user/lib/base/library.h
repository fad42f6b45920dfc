/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shared libraries that are loaded on demand.
 */
#ifndef BPMU_LIBRARY_H
#define BPMU_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct bpmu_library_function - a function to look up in a shared library
 * @name: name of the function's symbol
 * @offset: offset, in the structure of function pointers, of the pointer to this function
 */
struct bpmu_library_function {
	const char *name;
	size_t offset;
};

bool bpmu_library_load(const char *name,
		       const struct bpmu_library_function *functions,
		       size_t nr, void *into);

#endif /* BPMU_LIBRARY_H */
