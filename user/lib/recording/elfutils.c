// SPDX-License-Identifier: GPL-2.0
#include "elfutils.h"

#include <pthread.h>
#include <stdbool.h>

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

static struct bpmu_elfutils elfutils;
static bool elfutils_usable;

static void elfutils_load(void)
{
	elfutils_usable = bpmu_library_load(LIBRARY, functions,
					    ARRAY_SIZE(functions), &elfutils);
}

/**
 * bpmu_elfutils() - load libdw at the first call, for the life of the process
 *
 * Return: its functions, or NULL if libdw is not installed or the tool is static.
 */
const struct bpmu_elfutils *bpmu_elfutils(void)
{
	static pthread_once_t elfutils_once = PTHREAD_ONCE_INIT;

	pthread_once(&elfutils_once, elfutils_load);
	return elfutils_usable ? &elfutils : NULL;
}
