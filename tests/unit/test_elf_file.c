// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of reading ELF files: the test reads its own program, which is loaded at the addresses for
 * which it was linked, and changed copies of it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "code/elf_file.h"
#include "unit.h"

static struct bpmu_elf program;

/* A function and an object whose symbols are found. */
__attribute__((noinline, noclone)) u64 test_elf_file_function(u64 value);
extern u64 test_elf_file_object[3];
u64 test_elf_file_object[3] = { 1, 2, 3 };

u64 test_elf_file_function(u64 value)
{
	return value * test_elf_file_object[1] + test_elf_file_object[2];
}

TEST_FIXTURE(open_own)
{
	struct bpmu_error err;

	return bpmu_elf_open(&program, "/proc/self/exe", &err);
}

TEST_FIXTURE(close_own)
{
	bpmu_elf_close(&program);
	return 0;
}

TEST_BETWEEN(a_function_is_found_by_its_name, open_own, close_own)
{
	const Elf64_Sym *function = bpmu_elf_function(&program, "test_elf_file_function");

	assert_int_equal(test_elf_file_function(5), 13);
	assert_non_null(function);
	assert_int_equal(function->st_value, (uintptr_t)test_elf_file_function);
	assert_true(function->st_size > 0);
	assert_string_equal(bpmu_elf_name(&program, function), "test_elf_file_function");
	assert_null(bpmu_elf_function(&program, "test_elf_file_functio"));
	/* An object is no function, nor is what another file defines. */
	assert_null(bpmu_elf_function(&program, "test_elf_file_object"));
	assert_null(bpmu_elf_function(&program, "fopen"));
}

TEST_BETWEEN(a_symbol_is_found_by_each_of_its_addresses, open_own, close_own)
{
	const u64 function = (uintptr_t)test_elf_file_function;
	const u64 object = (uintptr_t)test_elf_file_object;
	const Elf64_Sym *symbol = bpmu_elf_at(&program, STT_FUNC, function);

	assert_non_null(symbol);
	assert_int_equal(symbol->st_value, function);
	assert_ptr_equal(bpmu_elf_at(&program, STT_FUNC, function + symbol->st_size - 1), symbol);
	assert_ptr_not_equal(bpmu_elf_at(&program, STT_FUNC, function + symbol->st_size), symbol);
	assert_ptr_not_equal(bpmu_elf_at(&program, STT_FUNC, function - 1), symbol);
	assert_null(bpmu_elf_at(&program, STT_OBJECT, function));
	symbol = bpmu_elf_at(&program, STT_OBJECT, object + 23);
	assert_non_null(symbol);
	assert_int_equal(symbol->st_value, object);
	assert_string_equal(bpmu_elf_name(&program, symbol), "test_elf_file_object");
	assert_null(bpmu_elf_at(&program, STT_FUNC, object));
}

/* Whoever goes through the symbols meets them by address. */
TEST_BETWEEN(symbols_are_sorted_by_address, open_own, close_own)
{
	size_t i;

	assert_true(program.nr_symbols > 100);
	for (i = 1; i < program.nr_symbols; i++)
		assert_true(program.symbol[i - 1].st_value <= program.symbol[i].st_value);
}

TEST_BETWEEN(code_of_the_file_is_that_in_memory, open_own, close_own)
{
	const u64 function = (uintptr_t)test_elf_file_function;
	const Elf64_Sym *symbol = bpmu_elf_at(&program, STT_FUNC, function);
	size_t size = 0;
	const u8 *code = bpmu_elf_code(&program, function, &size);

	assert_non_null(code);
	assert_true(size >= symbol->st_size);
	assert_memory_equal(code, (const void *)function, symbol->st_size);
	assert_ptr_equal(program.bytes + bpmu_elf_offset(&program, function), code);
	/* Data are no code, and what no segment has is nowhere. */
	assert_null(bpmu_elf_code(&program, (uintptr_t)test_elf_file_object, &size));
	assert_memory_equal(program.bytes +
			    bpmu_elf_offset(&program, (uintptr_t)test_elf_file_object),
			    test_elf_file_object, sizeof(test_elf_file_object));
	assert_int_equal(bpmu_elf_offset(&program, 16), 0);
	/* The linker's default for programs that are not moved. */
	assert_int_equal(bpmu_elf_base(&program), 0x400000);
}

TEST_BETWEEN(a_name_behind_all_names_is_none, open_own, close_own)
{
	const Elf64_Sym inside = { .st_name = 1 }, last = { .st_name = program.names_size - 1 },
			behind = { .st_name = program.names_size };

	assert_true(*bpmu_elf_name(&program, &inside));
	assert_string_equal(bpmu_elf_name(&program, &last), "");
	assert_ptr_equal(bpmu_elf_name(&program, &last), program.names + program.names_size - 1);
	assert_ptr_not_equal(bpmu_elf_name(&program, &behind), program.names + program.names_size);
}

/* Opens a copy of the first @size bytes, with @byte at @at. Returns as bpmu_elf_open(). */
static int open_changed(size_t size, size_t at, u8 byte, struct bpmu_elf *copy,
			struct bpmu_error *err)
{
	char path[] = "/tmp/barepmu-test-elf-XXXXXX";
	int fd = mkstemp(path), ret;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, program.bytes, size), size);
	if (at < size)
		assert_int_equal(pwrite(fd, &byte, 1, at), 1);
	close(fd);
	ret = bpmu_elf_open(copy, path, err);
	unlink(path);
	return ret;
}

TEST_BETWEEN(what_is_no_program_is_refused, open_own, close_own)
{
	static const struct {
		size_t size, at;
		u8 byte;
		const char *said;
	} all[] = {
		{ 63, 63, 0, ": is not an ELF program; name the program, not a script" },
		{ 4096, 0, '#', ": is not an ELF program; name the program, not a script" },
		{ 4096, EI_CLASS, ELFCLASS32, ": is not a 64-bit x86 program; build it for x86-64" },
		{ 4096, offsetof(Elf64_Ehdr, e_machine), EM_386,
		  ": is not a 64-bit x86 program; build it for x86-64" },
		{ 64, 64, 0, ": its program headers are outside the file; build it again" },
		{ 4096, offsetof(Elf64_Ehdr, e_phentsize), 55,
		  ": its program headers are outside the file; build it again" },
	};
	struct bpmu_error err;
	struct bpmu_elf copy;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		assert_int_equal(open_changed(all[i].size, all[i].at, all[i].byte, &copy, &err),
				 -ENOEXEC);
		assert_non_null(strstr(err.text, all[i].said));
		bpmu_elf_close(&copy);
	}
	assert_int_equal(bpmu_elf_open(&copy, "/nowhere", &err), -EIO);
	assert_string_equal(err.text,
			    "/nowhere: No such file or directory; is it the program's name?");
	bpmu_elf_close(&copy);
}

/* The sections are at the end of the file. */
TEST_BETWEEN(a_program_without_sections_has_no_symbols, open_own, close_own)
{
	struct bpmu_error err;
	struct bpmu_elf copy;

	assert_int_equal(open_changed(program.size - 1, -1, 0, &copy, &err), 0);
	assert_int_equal(copy.nr_symbols, 0);
	assert_null(bpmu_elf_function(&copy, "test_elf_file_function"));
	assert_int_equal(bpmu_elf_base(&copy), 0x400000);
	bpmu_elf_close(&copy);
	assert_int_equal(open_changed(program.size, offsetof(Elf64_Ehdr, e_shentsize), 63, &copy,
				      &err), 0);
	assert_int_equal(copy.nr_symbols, 0);
	bpmu_elf_close(&copy);
}
