// SPDX-License-Identifier: GPL-2.0
#include "symbols.h"

#include <elfutils/libdwelf.h>
#include <elfutils/libdwfl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/library.h"
#include "regular.h"

/*
 * Pointers to functions of elfutils, under the names of the functions. libdw is loaded only when
 * symbols are needed: it depends on five more libraries, and loading all of them would take longer
 * than all else that most commands do.
 */
struct elfutils {
	__typeof__(dwelf_elf_gnu_build_id) *dwelf_elf_gnu_build_id;
	__typeof__(dwfl_begin) *dwfl_begin;
	__typeof__(dwfl_build_id_find_elf) *dwfl_build_id_find_elf;
	__typeof__(dwfl_end) *dwfl_end;
	__typeof__(dwfl_lineinfo) *dwfl_lineinfo;
	__typeof__(dwfl_module_addrinfo) *dwfl_module_addrinfo;
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

#define LIBRARY "libdw.so.1"
#define FUNCTION(name) { #name, offsetof(struct elfutils, name) }

static const struct bpmu_library_function functions[] = {
	FUNCTION(dwelf_elf_gnu_build_id),
	FUNCTION(dwfl_begin),
	FUNCTION(dwfl_build_id_find_elf),
	FUNCTION(dwfl_end),
	FUNCTION(dwfl_lineinfo),
	FUNCTION(dwfl_module_addrinfo),
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

static struct elfutils elfutils;
static bool elfutils_usable;

static void elfutils_load(void)
{
	elfutils_usable = bpmu_library_load(LIBRARY, functions,
					    ARRAY_SIZE(functions), &elfutils);
}

/* Returns the functions of libdw, which the first call loads; NULL if libdw is not installed. */
static const struct elfutils *elf_library(void)
{
	static pthread_once_t elfutils_once = PTHREAD_ONCE_INIT;

	pthread_once(&elfutils_once, elfutils_load);
	return elfutils_usable ? &elfutils : NULL;
}

/**
 * struct bpmu_symbols - an ELF file whose symbols are read
 * @library: functions of elfutils
 * @callbacks: callbacks by which libdw finds the file and its debug information
 * @dwfl: session of libdw with this file only
 * @module: the file as libdw's module
 * @elf: libelf's handle of the file
 * @bias: difference between libdw's addresses of the module and link-time addresses
 */
struct bpmu_symbols {
	const struct elfutils *library;
	Dwfl_Callbacks callbacks;
	Dwfl *dwfl;
	Dwfl_Module *module;
	Elf *elf;
	GElf_Addr bias;
};

/**
 * bpmu_symbols_missing() - tell why the symbols with the names of functions cannot be read
 *
 * Return: the reason as a sentence; NULL if elfutils is installed, so that symbols can be read.
 */
const char *bpmu_symbols_missing(void)
{
	return elf_library() ? NULL :
		"this tool lacks elfutils (libdw.so.1): functions of programs have no names";
}

/*
 * Reads the build-id of a file. libelf must not map the file into memory: if the file shrank,
 * SIGBUS would kill the tool.
 */
static void read_build_id(int fd, char text[BPMU_BUILD_ID])
{
	const struct elfutils *library = elf_library();
	const void *id = NULL;
	ssize_t size, i;
	Elf *elf;

	library->elf_version(EV_CURRENT);
	elf = library->elf_begin(fd, ELF_C_READ, NULL);
	size = elf ? library->dwelf_elf_gnu_build_id(elf, &id) : 0;
	for (i = 0; i < size && 2 * i + 3 <= BPMU_BUILD_ID; i++)
		sprintf(text + 2 * i, "%02x", ((const unsigned char *)id)[i]);
	library->elf_end(elf);
}

/**
 * bpmu_symbols_build_id() - read the build-id that identifies the symbols of a program or library
 * @path: path of the file
 * @text: set to the build-id in hexadecimal; empty if the file has none or cannot be read
 */
void bpmu_symbols_build_id(const char *path, char text[BPMU_BUILD_ID])
{
	int fd = elf_library() ? bpmu_regular_open(path) : -1;

	text[0] = '\0';
	if (fd < 0)
		return;
	read_build_id(fd, text);
	close(fd);
}

/*
 * Lets libdw load a file by its descriptor @fd. On success, @fd is closed when the symbols are
 * closed; on failure it is closed here.
 */
static bool symbols_load(struct bpmu_symbols *s, const char *path, int fd)
{
	const struct elfutils *library = s->library;

	s->callbacks.find_elf = library->dwfl_build_id_find_elf;
	s->callbacks.find_debuginfo = library->dwfl_standard_find_debuginfo;
	s->callbacks.section_address = library->dwfl_offline_section_address;
	s->dwfl = library->dwfl_begin(&s->callbacks);
	if (s->dwfl) {
		library->dwfl_report_begin(s->dwfl);
		s->module = library->dwfl_report_offline(s->dwfl, path, path,
							 fd);
		library->dwfl_report_end(s->dwfl, NULL, NULL);
	}
	if (s->module)
		s->elf = library->dwfl_module_getelf(s->module, &s->bias);
	else
		close(fd);
	return s->elf;
}

/**
 * bpmu_symbols_open() - open the symbols of a program or library, its functions and lines
 * @path: path of the file
 * @build_id: build-id that the file must have
 *
 * Return: the symbols, to be closed with bpmu_symbols_close(), or NULL if there is no regular file
 * of this name, or if it has another build-id.
 */
struct bpmu_symbols *bpmu_symbols_open(const char *path, const char *build_id)
{
	char now[BPMU_BUILD_ID] = "";
	struct bpmu_symbols *s;
	int fd;

	if (path[0] != '/' || !elf_library())
		return NULL;
	fd = bpmu_regular_open(path);
	if (fd < 0)
		return NULL;
	read_build_id(fd, now);
	s = strcmp(now, build_id) ? NULL : calloc(1, sizeof(*s));
	if (!s) {
		close(fd);
		return NULL;
	}
	s->library = elf_library();
	if (symbols_load(s, path, fd))
		return s;
	bpmu_symbols_close(s);
	return NULL;
}

/**
 * bpmu_symbols_address() - convert an offset in a file to the address that its symbols have
 * @symbols: from bpmu_symbols_open()
 * @offset: offset in the file
 * @address: set to the link-time address
 *
 * Return: true, or false if no loaded segment of the file contains the offset.
 */
bool bpmu_symbols_address(const struct bpmu_symbols *symbols, u64 offset, u64 *address)
{
	const struct elfutils *library = symbols->library;
	GElf_Phdr phdr;
	size_t nr, i;

	if (library->elf_getphdrnum(symbols->elf, &nr))
		return false;
	for (i = 0; i < nr; i++) {
		if (!library->gelf_getphdr(symbols->elf, i, &phdr) ||
		    phdr.p_type != PT_LOAD || offset < phdr.p_offset ||
		    offset - phdr.p_offset >= phdr.p_filesz)
			continue;
		*address = offset - phdr.p_offset + phdr.p_vaddr;
		return true;
	}
	return false;
}

/**
 * bpmu_symbols_function() - find the symbol of the function that has an instruction
 * @symbols: from bpmu_symbols_open()
 * @address: link-time address of the instruction
 * @start: set to the function's first address; or NULL
 * @size: set to the function's size in bytes, 0 if the file does not tell it; or NULL
 *
 * Return: name of the function, valid until bpmu_symbols_close(); NULL if no function is found.
 */
const char *bpmu_symbols_function(struct bpmu_symbols *symbols, u64 address, u64 *start, u64 *size)
{
	GElf_Off offset = 0;
	const char *name;
	GElf_Sym symbol;

	name = symbols->library->dwfl_module_addrinfo(symbols->module, address + symbols->bias,
						      &offset, &symbol, NULL, NULL, NULL);
	if (name && start)
		*start = address - offset;
	if (name && size)
		*size = symbol.st_size;
	return name;
}

/**
 * bpmu_symbols_find() - find the function symbol that contains an offset of a program or library
 * @symbols: from bpmu_symbols_open()
 * @offset: offset in the file
 *
 * Return: name of the function, valid until bpmu_symbols_close(); NULL if no function is found.
 */
const char *bpmu_symbols_find(struct bpmu_symbols *symbols, u64 offset)
{
	u64 address;

	if (!bpmu_symbols_address(symbols, offset, &address))
		return NULL;
	return bpmu_symbols_function(symbols, address, NULL, NULL);
}

/**
 * bpmu_symbols_line() - find the source line of an address by a program's symbols
 * @symbols: from bpmu_symbols_open()
 * @address: link-time address
 * @file: set to the name of the source file, valid until bpmu_symbols_close(); or NULL
 *
 * Return: number of the line, or 0 if there is no debug information for the address.
 */
unsigned int bpmu_symbols_line(struct bpmu_symbols *symbols, u64 address,
			       const char **file)
{
	const struct elfutils *library = symbols->library;
	Dwfl_Line *line = library->dwfl_module_getsrc(symbols->module,
						      address + symbols->bias);
	const char *name;
	int number = 0;

	name = line ? library->dwfl_lineinfo(line, NULL, &number, NULL, NULL,
					     NULL) : NULL;
	if (file)
		*file = name;
	return name && number > 0 ? number : 0;
}

/**
 * bpmu_symbols_close() - free the symbols of a program or library
 * @symbols: from bpmu_symbols_open(), or NULL
 */
void bpmu_symbols_close(struct bpmu_symbols *symbols)
{
	if (!symbols)
		return;
	if (symbols->dwfl)
		symbols->library->dwfl_end(symbols->dwfl);
	free(symbols);
}
