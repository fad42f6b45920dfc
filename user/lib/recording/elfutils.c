// SPDX-License-Identifier: GPL-2.0
#include "elfutils.h"

#include "base/array.h"
#include "base/library.h"

#define LIBRARY "libdw.so.1"
#define FUNCTION(name) { #name, offsetof(struct bpmu_elfutils, name) }

static const struct bpmu_library_function functions[] = {
	FUNCTION(dwelf_elf_gnu_build_id),
	FUNCTION(dwfl_begin),
	FUNCTION(dwfl_build_id_find_elf),
	FUNCTION(dwfl_end),
	FUNCTION(dwfl_lineinfo),
	FUNCTION(dwfl_module_addrname),
	FUNCTION(dwfl_module_getelf),
	FUNCTION(dwfl_module_getsrc),
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

/**
 * bpmu_elfutils() - load it at the first call, for the life of the process
 *
 * Context: process, one thread.
 * Return: its functions, or NULL if there is none or the tool is static.
 */
const struct bpmu_elfutils *bpmu_elfutils(void)
{
	static struct bpmu_elfutils library;
	static bool tried, loaded;

	if (!tried)
		loaded = bpmu_library_load(LIBRARY, functions,
					   ARRAY_SIZE(functions), &library);
	tried = true;
	return loaded ? &library : NULL;
}
