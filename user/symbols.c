// SPDX-License-Identifier: GPL-2.0
#include "symbols.h"

#include <elfutils/libdwelf.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/**
 * struct bpmu_symbols - a file
 * @dwfl: has only this one
 * @module: the file
 * @elf: its sections
 * @bias: of the module's addresses
 */
struct bpmu_symbols {
	Dwfl *dwfl;
	Dwfl_Module *module;
	Elf *elf;
	GElf_Addr bias;
};

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
	.section_address = dwfl_offline_section_address,
};

/**
 * bpmu_symbols_missing() - why are there no names
 *
 * Return: a sentence, or NULL if there are.
 */
const char *bpmu_symbols_missing(void)
{
	return NULL;
}

/* is it still the file that was recorded */
static bool unchanged(const char *path, const char *build_id)
{
	char now[BPMU_BUILD_ID];

	bpmu_symbols_build_id(path, now);
	return !strcmp(now, build_id);
}

static bool load(struct bpmu_symbols *s, const char *path)
{
	s->dwfl = dwfl_begin(&callbacks);
	if (!s->dwfl)
		return false;
	dwfl_report_begin(s->dwfl);
	s->module = dwfl_report_offline(s->dwfl, path, path, -1);
	dwfl_report_end(s->dwfl, NULL, NULL);
	if (s->module)
		s->elf = dwfl_module_getelf(s->module, &s->bias);
	return s->elf;
}

/**
 * bpmu_symbols_open() - a file
 * @path: of it
 * @build_id: that it must have
 *
 * Return: the file, to be closed, or NULL if it is not there or another one.
 */
struct bpmu_symbols *bpmu_symbols_open(const char *path, const char *build_id)
{
	struct bpmu_symbols *s;

	if (path[0] != '/' || !unchanged(path, build_id))
		return NULL;
	s = calloc(1, sizeof(*s));
	if (s && load(s, path))
		return s;
	bpmu_symbols_close(s);
	return NULL;
}

/**
 * bpmu_symbols_find() - the function at an offset
 * @symbols: open
 * @offset: in the file
 *
 * Return: its name, good as long as the file is open, or NULL.
 */
const char *bpmu_symbols_find(struct bpmu_symbols *symbols, u64 offset)
{
	GElf_Phdr phdr;
	size_t nr, i;

	if (elf_getphdrnum(symbols->elf, &nr))
		return NULL;
	for (i = 0; i < nr; i++) {
		if (!gelf_getphdr(symbols->elf, i, &phdr) ||
		    phdr.p_type != PT_LOAD || offset < phdr.p_offset ||
		    offset - phdr.p_offset >= phdr.p_filesz)
			continue;
		return dwfl_module_addrname(symbols->module,
			offset - phdr.p_offset + phdr.p_vaddr + symbols->bias);
	}
	return NULL;
}

/**
 * bpmu_symbols_close() - free it
 * @symbols: or NULL
 */
void bpmu_symbols_close(struct bpmu_symbols *symbols)
{
	if (!symbols)
		return;
	if (symbols->dwfl)
		dwfl_end(symbols->dwfl);
	free(symbols);
}

/**
 * bpmu_symbols_build_id() - what tells a file from others of its name
 * @path: of the file
 * @text: set to it as hexadecimal digits, to nothing if it has none
 */
void bpmu_symbols_build_id(const char *path, char text[BPMU_BUILD_ID])
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	const void *id = NULL;
	ssize_t size, i;
	Elf *elf;

	text[0] = '\0';
	if (fd < 0)
		return;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	size = elf ? dwelf_elf_gnu_build_id(elf, &id) : 0;
	for (i = 0; i < size && 2 * i + 3 <= BPMU_BUILD_ID; i++)
		sprintf(text + 2 * i, "%02x", ((const unsigned char *)id)[i]);
	elf_end(elf);
	close(fd);
}
