// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of symbols of ELF files. Expected values are those of the running process: the dynamic linker
 * and the program headers tell where its program and a library are.
 */
#include <dlfcn.h>
#include <elf.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "recording/symbols.h"
#include "unit.h"

#define SIZE 37

void sized(void);

asm(".pushsection .text\n"
	".globl sized\n"
	".type sized, @function\n"
	"sized: .skip 37, 0x90\n"
	".size sized, .-sized\n"
	".popsection\n");

static char program[PATH_MAX];
static char id[BPMU_BUILD_ID];

/* Writes the build-id of the program, from its note in memory, as hexadecimal digits. */
static void put_own_id(const Elf64_Phdr *segment)
{
	const char *at = (const char *)segment->p_vaddr, *end = at + segment->p_memsz;
	const Elf64_Nhdr *note;
	unsigned int i;

	for (; at < end; at += sizeof(*note) + (note->n_namesz + 3) / 4 * 4 +
			       (note->n_descsz + 3) / 4 * 4) {
		note = (const void *)at;
		for (i = 0; note->n_type == NT_GNU_BUILD_ID && i < note->n_descsz; i++)
			sprintf(id + 2 * i, "%02x",
				((const unsigned char *)(note + 1))[(note->n_namesz + 3) / 4 * 4 + i]);
	}
}

static const Elf64_Phdr *segments(size_t *nr)
{
	*nr = getauxval(AT_PHNUM);
	return (const void *)getauxval(AT_PHDR);
}

TEST_FIXTURE(setup)
{
	const Elf64_Phdr *segment;
	size_t nr, i;

	segment = segments(&nr);
	for (i = 0; i < nr; i++)
		if (segment[i].p_type == PT_NOTE)
			put_own_id(&segment[i]);
	return realpath("/proc/self/exe", program) && *id ? 0 : -1;
}

TEST(a_file_has_its_build_id)
{
	char text[BPMU_BUILD_ID] = "x";

	bpmu_symbols_build_id(program, text);
	assert_string_equal(text, id);
	bpmu_symbols_build_id("/proc/self/status", text);
	assert_string_equal(text, "");
	strcpy(text, "x");
	bpmu_symbols_build_id("/nowhere", text);
	assert_string_equal(text, "");
}

TEST(symbols_are_of_the_file_with_the_build_id)
{
	char other[BPMU_BUILD_ID];

	assert_null(bpmu_symbols_missing());
	strcpy(other, id);
	other[0] = other[0] == '0' ? '1' : '0';
	assert_null(bpmu_symbols_open(program, other));
	assert_null(bpmu_symbols_open(program, ""));
	assert_null(bpmu_symbols_open(strrchr(program, '/') + 1, id));
	assert_null(bpmu_symbols_open("/nowhere", ""));
	assert_null(bpmu_symbols_open("/tmp", ""));
	assert_null(bpmu_symbols_open("/proc/self/status", ""));
	bpmu_symbols_close(NULL);
}

/* Returns the offset in the program's file of an address in memory. */
static u64 offset_of(u64 address)
{
	const Elf64_Phdr *segment;
	size_t nr, i;

	segment = segments(&nr);
	for (i = 0; i < nr; i++)
		if (segment[i].p_type == PT_LOAD && address >= segment[i].p_vaddr &&
		    address < segment[i].p_vaddr + segment[i].p_filesz)
			return address - segment[i].p_vaddr + segment[i].p_offset;
	fail_msg("no segment has 0x%llx", address);
	return 0;
}

TEST(each_address_of_a_function_is_its_own)
{
	struct bpmu_symbols *symbols = bpmu_symbols_open(program, id);
	const u64 first = (u64)sized;
	u64 start, size;

	assert_non_null(symbols);
	assert_string_equal(bpmu_symbols_function(symbols, first, &start, &size), "sized");
	assert_int_equal(start, first);
	assert_int_equal(size, SIZE);
	start = 0;
	assert_string_equal(bpmu_symbols_function(symbols, first + SIZE - 1, &start, NULL), "sized");
	assert_int_equal(start, first);
	assert_string_equal(bpmu_symbols_function(symbols, first, NULL, NULL), "sized");
	assert_string_equal(bpmu_symbols_find(symbols, offset_of(first + 1)), "sized");
	start = 1;
	size = 1;
	assert_null(bpmu_symbols_function(symbols, 1, &start, &size));
	assert_int_equal(start, 1);
	assert_int_equal(size, 1);
	assert_null(bpmu_symbols_find(symbols, 1ull << 40));
	bpmu_symbols_close(symbols);
}

/* The link-time addresses of a library begin at 0, those of the process somewhere else. */
TEST(a_library_has_link_time_addresses)
{
	const Elf64_Sym *symbol = NULL;
	struct bpmu_symbols *symbols;
	char path[PATH_MAX], of[BPMU_BUILD_ID];
	const char *name = "cmocka_set_message_output";
	void *function = dlsym(RTLD_DEFAULT, name);
	Dl_info info;
	u64 start, size;

	assert_non_null(function);
	assert_true(dladdr1(function, &info, (void **)&symbol, RTLD_DL_SYMENT));
	assert_non_null(realpath(info.dli_fname, path));
	bpmu_symbols_build_id(path, of);
	symbols = bpmu_symbols_open(path, of);
	assert_non_null(symbols);
	assert_string_equal(bpmu_symbols_function(symbols, symbol->st_value + 1, &start, &size), name);
	assert_int_equal(start, symbol->st_value);
	assert_int_equal(start, (u64)function - (u64)info.dli_fbase);
	assert_int_equal(size, symbol->st_size);
	bpmu_symbols_close(symbols);
}

TEST(offsets_of_each_segment_have_addresses)
{
	struct bpmu_symbols *symbols = bpmu_symbols_open(program, id);
	const Elf64_Phdr *segment;
	unsigned int moved = 0;
	size_t nr, i;
	u64 address;

	assert_non_null(symbols);
	segment = segments(&nr);
	for (i = 0; i < nr; i++) {
		if (segment[i].p_type != PT_LOAD)
			continue;
		assert_true(bpmu_symbols_address(symbols, segment[i].p_offset, &address));
		assert_int_equal(address, segment[i].p_vaddr);
		assert_true(bpmu_symbols_address(symbols, segment[i].p_offset +
						 segment[i].p_filesz - 1, &address));
		assert_int_equal(address, segment[i].p_vaddr + segment[i].p_filesz - 1);
		moved += segment[i].p_vaddr != segment[0].p_vaddr + segment[i].p_offset;
	}
	assert_true(moved);
	address = 1;
	assert_false(bpmu_symbols_address(symbols, 1ull << 40, &address));
	assert_int_equal(address, 1);
	bpmu_symbols_close(symbols);
}

/* Returns the address behind the instruction that calls it. */
static __attribute__((noinline)) u64 here(void)
{
	return (u64)__builtin_return_address(0);
}

TEST(an_address_has_its_line)
{
	struct bpmu_symbols *symbols = bpmu_symbols_open(program, id);
	const unsigned int line = __LINE__ + 1;
	const u64 address = here();
	const char *file = "none";

	assert_non_null(symbols);
	assert_int_equal(bpmu_symbols_line(symbols, address - 1, &file), line);
	assert_non_null(file);
	assert_string_equal(strrchr(file, '/') ? strrchr(file, '/') + 1 : file, "test_symbols.c");
	assert_int_equal(bpmu_symbols_line(symbols, address - 1, NULL), line);
	assert_int_equal(bpmu_symbols_line(symbols, 1, &file), 0);
	assert_null(file);
	bpmu_symbols_close(symbols);
}

TEST_GROUP(setup, NULL);
