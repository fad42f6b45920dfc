/* SPDX-License-Identifier: GPL-2.0 */
/*
 * elfutils, loaded when it is needed: it depends on five more libraries, and loading
 * them would take longer than the rest of most commands.
 */
#ifndef BPMU_ELFUTILS_H
#define BPMU_ELFUTILS_H

#include <elfutils/libdwelf.h>
#include <elfutils/libdwfl.h>

/* its functions, as far as they are used, under their own names */
struct bpmu_elfutils {
	__typeof__(dwelf_elf_gnu_build_id) *dwelf_elf_gnu_build_id;
	__typeof__(dwfl_begin) *dwfl_begin;
	__typeof__(dwfl_build_id_find_elf) *dwfl_build_id_find_elf;
	__typeof__(dwfl_end) *dwfl_end;
	__typeof__(dwfl_lineinfo) *dwfl_lineinfo;
	__typeof__(dwfl_module_addrname) *dwfl_module_addrname;
	__typeof__(dwfl_module_getelf) *dwfl_module_getelf;
	__typeof__(dwfl_module_getsrc) *dwfl_module_getsrc;
	__typeof__(dwfl_offline_section_address) *dwfl_offline_section_address;
	__typeof__(dwfl_report_begin) *dwfl_report_begin;
	__typeof__(dwfl_report_end) *dwfl_report_end;
	__typeof__(dwfl_report_offline) *dwfl_report_offline;
	__typeof__(dwfl_standard_find_debuginfo) *dwfl_standard_find_debuginfo;
	__typeof__(elf_begin) *elf_begin;
	__typeof__(elf_end) *elf_end;
	__typeof__(elf_getphdrnum) *elf_getphdrnum;
	__typeof__(elf_version) *elf_version;
	__typeof__(gelf_getphdr) *gelf_getphdr;
};

const struct bpmu_elfutils *bpmu_elfutils(void);

#endif /* BPMU_ELFUTILS_H */
