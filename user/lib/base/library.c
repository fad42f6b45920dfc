// SPDX-License-Identifier: GPL-2.0
#include "library.h"

#include <dlfcn.h>
#include <string.h>

/**
 * bpmu_library_load() - load a shared library for the rest of the process, and find functions
 * @name: file name, such as "libdw.so.1"
 * @functions: [@nr], functions to look up, with the positions of their pointers in @into
 * @nr: number of @functions
 * @into: structure of function pointers, which are set
 *
 * Return: true if the library was loaded and has all functions; always false in a tool that is
 * linked statically.
 */
bool bpmu_library_load(const char *name,
		       const struct bpmu_library_function *functions,
		       size_t nr, void *into)
{
#ifndef BPMU_STATIC
	void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
	void *function;
	size_t i;

	if (!handle)
		return false;
	for (i = 0; i < nr; i++) {
		function = dlsym(handle, functions[i].name);
		if (!function)
			return false;
		memcpy((char *)into + functions[i].offset, &function,
		       sizeof(function));
	}
	return true;
#else
	(void)name;
	(void)functions;
	(void)nr;
	(void)into;
	return false;
#endif
}
