/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Loads the libraries whose functions imports.S defines.
 */
#ifndef BPMU_IMPORTS_LOAD_H
#define BPMU_IMPORTS_LOAD_H

#include "base/library.h"

/**
 * struct bpmu_import - a library whose functions are imported when the first of them is called
 * @library: file name
 * @package: Debian package with the library
 * @functions: the functions, [@nr]; the offsets of their pointers are those in @pointers
 * @nr: number of @functions
 * @pointers: pointers to the library's functions, [@nr] on pages of their own; NULL until the
 *	library is loaded
 */
struct bpmu_import {
	const char *library;
	const char *package;
	const struct bpmu_library_function *functions;
	size_t nr;
	void **pointers;
};

void bpmu_imports_load(const struct bpmu_import *import);

#endif /* BPMU_IMPORTS_LOAD_H */
