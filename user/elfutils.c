// SPDX-License-Identifier: GPL-2.0
#include "elfutils.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdbool.h>
#include <string.h>

#ifdef BPMU_STATIC

/**
 * bpmu_elfutils() - a static tool cannot load it
 *
 * Context: process.
 * Return: NULL.
 */
const struct bpmu_elfutils *bpmu_elfutils(void)
{
	return NULL;
}

#else

#define LIBRARY "libdw.so.1"
#define FUNCTION(name) { #name, offsetof(struct bpmu_elfutils, name) }

static const struct {
	const char *name;
	size_t offset;
} functions[] = {
	FUNCTION(dwelf_elf_gnu_build_id),
	FUNCTION(dwfl_begin),
	FUNCTION(dwfl_build_id_find_elf),
	FUNCTION(dwfl_end),
	FUNCTION(dwfl_module_addrname),
	FUNCTION(dwfl_module_getelf),
	FUNCTION(dwfl_offline_section_address),
	FUNCTION(dwfl_report_begin),
	FUNCTION(dwfl_report_end),
	FUNCTION(dwfl_report_offline),
	FUNCTION(dwfl_standard_find_debuginfo),
	FUNCTION(elf_begin),
	FUNCTION(elf_end),
	FUNCTION(elf_getphdrnum),
	FUNCTION(elf_version),
	FUNCTION(gelf_getphdr),
};

static bool load(struct bpmu_elfutils *library)
{
	void *handle = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	void *function;
	size_t i;

	if (!handle)
		return false;
	for (i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		function = dlsym(handle, functions[i].name);
		if (!function)
			return false;
		memcpy((char *)library + functions[i].offset, &function,
		       sizeof(function));
	}
	return true;
}

/**
 * bpmu_elfutils() - load it at the first call, for the life of the process
 *
 * Context: process, one thread.
 * Return: its functions, or NULL if there is none.
 */
const struct bpmu_elfutils *bpmu_elfutils(void)
{
	static struct bpmu_elfutils library;
	static bool tried, loaded;

	if (!tried)
		loaded = load(&library);
	tried = true;
	return loaded ? &library : NULL;
}

#endif
