// SPDX-License-Identifier: GPL-2.0
#include "library.h"

#include <dlfcn.h>
#include <string.h>

/**
 * bpmu_library_load() - load a library for the life of the process
 * @name: "libdw.so.1"
 * @functions: functions to find, [@nr]
 * @nr: number of @functions
 * @into: structure that gets their pointers
 *
 * Return: whether it is there with all of them; a static tool can load none.
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
