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

/* Opens a file of @size bytes. Returns as bpmu_elf_open(). */
static int open_bytes(const void *bytes, size_t size, struct bpmu_elf *elf, struct bpmu_error *err)
{
	char path[] = "/tmp/barepmu-test-elf-XXXXXX";
	int fd = mkstemp(path), ret;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, size), size);
	close(fd);
	ret = bpmu_elf_open(elf, path, err);
	unlink(path);
	return ret;
}

/* Opens a copy of the first @size bytes, with @byte at @at. Returns as bpmu_elf_open(). */
static int open_changed(size_t size, size_t at, u8 byte, struct bpmu_elf *copy,
			struct bpmu_error *err)
{
	u8 *bytes = malloc(size);
	int ret;

	assert_non_null(bytes);
	memcpy(bytes, program.bytes, size);
	if (at < size)
		bytes[at] = byte;
	ret = open_bytes(bytes, size, copy, err);
	free(bytes);
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

/**
 * struct image - a small ELF file: a note, data, code, and a segment that is not all in the file;
 *	two tables of symbols with their names
 */
struct image {
	Elf64_Ehdr header;
	Elf64_Phdr segment[4];
	Elf64_Shdr section[5];
	Elf64_Sym dynamic[1];
	Elf64_Sym symbol[6];
	char dynamic_names[8];
	char names[40];
	u8 data[8];
	u8 code[16];
};

#define AT(member) offsetof(struct image, member)
#define DATA 0x402008ULL
#define CODE 0x500000ULL
#define SYMBOL(type, name, value, size) \
	{ name, ELF64_ST_INFO(STB_GLOBAL, type), 0, 1, value, size }

/* The names begin with an empty one; those of the functions follow at 1, 6, 12, 18, 26 and 33. */
static const struct image image = {
	.header = {
		.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64 }, .e_machine = EM_X86_64,
		.e_phoff = AT(segment), .e_phnum = 4, .e_phentsize = sizeof(Elf64_Phdr),
		.e_shoff = AT(section), .e_shnum = 5, .e_shentsize = sizeof(Elf64_Shdr),
	},
	.segment = {
		{ PT_NOTE, PF_X, 0, DATA, DATA, sizeof(struct image), sizeof(struct image), 1 },
		{ PT_LOAD, PF_R, AT(data), DATA + AT(data), 0, sizeof(image.data), 4096, 1 },
		{ PT_LOAD, PF_X, AT(code), CODE, 0, sizeof(image.code), 4096, 1 },
		{ PT_LOAD, PF_X, sizeof(struct image) - 4, 0x600000, 0, 16, 16, 1 },
	},
	.section = {
		{ .sh_type = SHT_NULL },
		{ .sh_type = SHT_STRTAB, .sh_offset = AT(dynamic_names),
		  .sh_size = sizeof(image.dynamic_names) },
		{ .sh_type = SHT_DYNSYM, .sh_offset = AT(dynamic), .sh_size = sizeof(image.dynamic),
		  .sh_link = 1 },
		{ .sh_type = SHT_SYMTAB, .sh_offset = AT(symbol), .sh_size = sizeof(image.symbol),
		  .sh_link = 4 },
		{ .sh_type = SHT_STRTAB, .sh_offset = AT(names), .sh_size = sizeof(image.names) },
	},
	.dynamic = { SYMBOL(STT_FUNC, 1, CODE, 16) },
	.symbol = {
		SYMBOL(STT_FUNC, 1, CODE + 8, 4), SYMBOL(STT_FUNC, 6, CODE, 8),
		SYMBOL(STT_FUNC, 12, CODE + 4, 0), SYMBOL(STT_GNU_IFUNC, 26, CODE + 12, 2),
		SYMBOL(STT_OBJECT, 33, DATA, 8),
		{ 18, ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), 0, SHN_UNDEF, CODE - 8, 8 },
	},
	.dynamic_names = "\0shown",
	.names = "\0late\0early\0empty\0foreign\0choice\0data",
	.code = { 0xc3 },
};

TEST(only_what_is_loaded_from_the_file_has_an_offset)
{
	static const struct {
		u64 address, offset;
		size_t code;
	} all[] = {
		{ DATA, 0, 0 },
		{ DATA + AT(data) - 1, 0, 0 },
		{ DATA + AT(data), AT(data), 0 },
		{ DATA + AT(data) + 7, AT(data) + 7, 0 },
		{ DATA + AT(data) + 8, 0, 0 },
		{ CODE - 1, 0, 0 },
		{ CODE, AT(code), 16 },
		{ CODE + 15, AT(code) + 15, 1 },
		{ CODE + 16, 0, 0 },
	};
	struct image none = image;
	struct bpmu_error err;
	struct bpmu_elf elf;
	const u8 *code;
	size_t size;
	unsigned int i;

	assert_int_equal(open_bytes(&image, sizeof(image), &elf, &err), 0);
	/* The first page of the data */
	assert_int_equal(bpmu_elf_base(&elf), 0x402000);
	for (i = 0; i < ARRAY_SIZE(all); i++) {
		size = 0;
		code = bpmu_elf_code(&elf, all[i].address, &size);
		assert_int_equal(bpmu_elf_offset(&elf, all[i].address), all[i].offset);
		assert_int_equal(size, all[i].code);
		assert_ptr_equal(code, size ? elf.bytes + all[i].offset : NULL);
	}
	/* Code that is not all in the file is none. */
	assert_null(bpmu_elf_code(&elf, 0x600000, &size));
	bpmu_elf_close(&elf);
	assert_null(elf.bytes);
	none.header.e_phnum = 1;
	assert_int_equal(open_bytes(&none, sizeof(none), &elf, &err), 0);
	assert_int_equal(bpmu_elf_base(&elf), 0);
	assert_int_equal(bpmu_elf_offset(&elf, CODE), 0);
	assert_null(bpmu_elf_code(&elf, CODE, &size));
	bpmu_elf_close(&elf);
}

TEST(program_headers_may_end_with_the_file)
{
	struct image last = image;
	struct bpmu_error err;
	struct bpmu_elf elf;

	last.header.e_phoff = sizeof(last) - sizeof(image.segment);
	assert_int_equal(open_bytes(&last, sizeof(last), &elf, &err), 0);
	bpmu_elf_close(&elf);
	last.header.e_phoff++;
	assert_int_equal(open_bytes(&last, sizeof(last), &elf, &err), -ENOEXEC);
	bpmu_elf_close(&elf);
}

TEST(functions_are_found_that_the_file_defines)
{
	static const struct {
		const char *name;
		u64 value;
	} all[] = {
		{ "late", CODE + 8 }, { "early", CODE }, { "choice", CODE + 12 },
		{ "empty", 0 }, { "foreign", 0 }, { "data", 0 }, { "shown", 0 }, { "", 0 },
	};
	static const struct {
		unsigned int type;
		u64 address;
		const char *name;
	} places[] = {
		{ STT_FUNC, CODE - 1, NULL }, { STT_FUNC, CODE, "early" },
		{ STT_FUNC, CODE + 4, "early" }, { STT_FUNC, CODE + 7, "early" },
		{ STT_FUNC, CODE + 8, "late" }, { STT_FUNC, CODE + 11, "late" },
		{ STT_FUNC, CODE + 12, NULL }, { STT_FUNC, DATA, NULL },
		{ STT_OBJECT, DATA, "data" }, { STT_OBJECT, DATA + 7, "data" },
		{ STT_OBJECT, DATA + 8, NULL }, { STT_OBJECT, CODE, NULL },
	};
	const Elf64_Sym *symbol;
	struct bpmu_error err;
	struct bpmu_elf elf;
	unsigned int i;

	assert_int_equal(open_bytes(&image, sizeof(image), &elf, &err), 0);
	assert_int_equal(elf.nr_symbols, 6);
	for (i = 0; i < ARRAY_SIZE(all); i++) {
		symbol = bpmu_elf_function(&elf, all[i].name);
		assert_int_equal(symbol ? symbol->st_value : 0, all[i].value);
	}
	for (i = 0; i < ARRAY_SIZE(places); i++) {
		symbol = bpmu_elf_at(&elf, places[i].type, places[i].address);
		assert_int_equal(!symbol, !places[i].name);
		if (symbol)
			assert_string_equal(bpmu_elf_name(&elf, symbol), places[i].name);
	}
	bpmu_elf_close(&elf);
}

/* A table of symbols that cannot be used leaves the next one: here that of the dynamic linker. */
TEST(symbols_are_those_of_a_table_that_is_all_in_the_file)
{
	static const struct {
		size_t at;
		u64 value;
		size_t size;
		unsigned int symbols;
	} all[] = {
		{ AT(section[3].sh_type), SHT_PROGBITS, 4, 1 },
		{ AT(section[3].sh_link), 5, 4, 1 },
		{ AT(section[3].sh_link), 6, 4, 1 },
		{ AT(section[3].sh_size), 0, 8, 1 },
		{ AT(section[3].sh_size), sizeof(image.symbol) - 1, 8, 5 },
		{ AT(section[3].sh_offset), sizeof(struct image) - sizeof(image.symbol) + 1, 8, 1 },
		{ AT(section[3].sh_offset), -8ULL, 8, 1 },
		{ AT(section[4].sh_offset), sizeof(struct image) - sizeof(image.names) + 1, 8, 1 },
		{ AT(section[4].sh_size), 0, 8, 1 },
		{ AT(section[4].sh_size), 5, 8, 1 },
		{ AT(section[4].sh_size), 6, 8, 6 },
		{ AT(section[2].sh_type), SHT_PROGBITS, 4, 6 },
		{ AT(header.e_shnum), 3, 2, 1 },
		{ AT(header.e_shnum), 2, 2, 0 },
		{ AT(header.e_shentsize), sizeof(Elf64_Shdr) - 1, 2, 0 },
		{ AT(header.e_shoff), sizeof(struct image) - sizeof(image.section) + 1, 8, 0 },
	};
	struct bpmu_error err;
	struct bpmu_elf elf;
	struct image other;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		other = image;
		memcpy((u8 *)&other + all[i].at, &all[i].value, all[i].size);
		assert_int_equal(open_bytes(&other, sizeof(other), &elf, &err), 0);
		assert_int_equal(elf.nr_symbols, all[i].symbols);
		assert_int_equal(!!bpmu_elf_function(&elf, "shown"), all[i].symbols == 1);
		assert_int_equal(!!bpmu_elf_function(&elf, "late"), all[i].symbols > 1);
		bpmu_elf_close(&elf);
	}
}
