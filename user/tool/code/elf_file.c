// SPDX-License-Identifier: GPL-2.0
#include "elf_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int code_elf_file_wrong(const char *path, const char *what, struct bpmu_error *err)
{
	return bpmu_error_set(err, -ENOEXEC, "%s: %s", path, what);
}

/*
 * Reads the whole file into memory, as program->bytes, to be freed. The file is not mapped, because
 * the tool would get SIGBUS if the file were truncated meanwhile. Returns 0 or -EIO.
 */
static int code_elf_file_read_all(struct bpmu_elf *program, struct bpmu_error *err)
{
	int fd = open(program->path, O_RDONLY | O_CLOEXEC);
	struct stat status;
	size_t at = 0;
	ssize_t got = 0;

	if (fd < 0 || fstat(fd, &status))
		goto failed;
	program->size = status.st_size;
	program->bytes = malloc(program->size + 1);
	while (program->bytes && at < program->size) {
		got = read(fd, program->bytes + at, program->size - at);
		if (got <= 0)
			break;
		at += got;
	}
	if (!program->bytes || got < 0)
		goto failed;
	program->size = at;
	close(fd);
	return 0;
failed:
	bpmu_error_set(err, -errno, "%s: %s; is it the program's name?",
		       program->path, strerror(errno));
	if (fd >= 0)
		close(fd);
	return -EIO;
}

/* Returns the @size bytes of the file at @offset; NULL if they are not all within the file. */
static const void *code_elf_file_part(const struct bpmu_elf *program, u64 offset,
				      u64 size)
{
	if (offset > program->size || size > program->size - offset)
		return NULL;
	return program->bytes + offset;
}

static int code_elf_file_check(struct bpmu_elf *program, struct bpmu_error *err)
{
	const Elf64_Ehdr *header = code_elf_file_part(program, 0, sizeof(*header));

	if (!header || memcmp(header->e_ident, ELFMAG, SELFMAG))
		return code_elf_file_wrong(program->path,
					   "is not an ELF program; name the program, not a script",
					    err);
	if (header->e_ident[EI_CLASS] != ELFCLASS64 ||
	    header->e_machine != EM_X86_64)
		return code_elf_file_wrong(program->path,
					   "is not a 64-bit x86 program; build it for x86-64",
					    err);
	program->header = header;
	program->segment = code_elf_file_part(program, header->e_phoff,
					      (u64)header->e_phnum * sizeof(Elf64_Phdr));
	if (!program->segment || header->e_phentsize != sizeof(Elf64_Phdr))
		return code_elf_file_wrong(program->path,
					   "its program headers are outside the file; build it again",
					    err);
	return 0;
}

static int by_symbol_address(const void *a, const void *b)
{
	const Elf64_Sym *x = a, *y = b;

	return x->st_value < y->st_value ? -1 : x->st_value > y->st_value;
}

static bool read_symbols(struct bpmu_elf *program,
			 const Elf64_Shdr *section, unsigned int nr,
			 unsigned int i)
{
	const Elf64_Shdr *text;
	const void *symbols;

	if (section[i].sh_link >= nr)
		return false;
	text = &section[section[i].sh_link];
	symbols = code_elf_file_part(program, section[i].sh_offset, section[i].sh_size);
	program->names = code_elf_file_part(program, text->sh_offset, text->sh_size);
	program->names_size = text->sh_size;
	program->nr_symbols = section[i].sh_size / sizeof(Elf64_Sym);
	if (!symbols || !program->names || !program->nr_symbols ||
	    !program->names_size ||
	    program->names[program->names_size - 1])
		return false;
	program->symbol = calloc(program->nr_symbols, sizeof(Elf64_Sym));
	if (!program->symbol)
		return false;
	memcpy(program->symbol, symbols,
	       program->nr_symbols * sizeof(Elf64_Sym));
	qsort(program->symbol, program->nr_symbols, sizeof(Elf64_Sym),
	      by_symbol_address);
	return true;
}

/* Finds the symbol table in the file: .symtab, or .dynsym in a stripped file. */
static void find_symbols(struct bpmu_elf *program)
{
	static const u32 types[] = { SHT_SYMTAB, SHT_DYNSYM };
	const Elf64_Ehdr *header = program->header;
	const Elf64_Shdr *section;
	unsigned int i, t;

	section = code_elf_file_part(program, header->e_shoff,
				     (u64)header->e_shnum * sizeof(*section));
	if (!section || header->e_shentsize != sizeof(*section))
		return;
	for (t = 0; t < 2; t++)
		for (i = 0; i < header->e_shnum; i++)
			if (section[i].sh_type == types[t] &&
			    read_symbols(program, section, header->e_shnum, i))
				return;
	program->nr_symbols = 0;
}

/**
 * bpmu_elf_open() - read the ELF file of a program or library
 * @program: output
 * @path: path of the file
 *
 * Return: 0 or a negative errno; the caller calls bpmu_elf_close() in any case.
 */
int bpmu_elf_open(struct bpmu_elf *program, const char *path,
		  struct bpmu_error *err)
{
	int ret;

	*program = (struct bpmu_elf){ .path = strdup(path) };
	if (!program->path)
		return bpmu_error_no_memory(err, path);
	ret = code_elf_file_read_all(program, err);
	if (!ret)
		ret = code_elf_file_check(program, err);
	if (!ret)
		find_symbols(program);
	return ret;
}

/**
 * bpmu_elf_close() - free what was read of an ELF file
 * @program: in any state
 */
void bpmu_elf_close(struct bpmu_elf *program)
{
	free(program->path);
	free(program->bytes);
	free(program->symbol);
	*program = (struct bpmu_elf){ };
}

/**
 * bpmu_elf_base() - lowest link-time address that a program's ELF file loads
 * @program: from bpmu_elf_open()
 *
 * Return: address of the first page of the first loaded segment; 0 if none is loaded.
 */
u64 bpmu_elf_base(const struct bpmu_elf *program)
{
	unsigned int i;

	for (i = 0; i < program->header->e_phnum; i++)
		if (program->segment[i].p_type == PT_LOAD)
			return (program->segment[i].p_vaddr -
				program->segment[i].p_offset) & ~0xfffULL;
	return 0;
}

/**
 * bpmu_elf_offset() - convert an address to an offset in the ELF file
 * @program: from bpmu_elf_open()
 * @address: link-time address
 *
 * Return: offset in the file; 0 if no segment of the file contains the address.
 */
u64 bpmu_elf_offset(const struct bpmu_elf *program, u64 address)
{
	const Elf64_Phdr *segment = program->segment;
	unsigned int i;

	for (i = 0; i < program->header->e_phnum; i++, segment++)
		if (segment->p_type == PT_LOAD && address >= segment->p_vaddr &&
		    address - segment->p_vaddr < segment->p_filesz)
			return segment->p_offset + address - segment->p_vaddr;
	return 0;
}

/**
 * bpmu_elf_code() - code at an address of a program's ELF file
 * @program: from bpmu_elf_open()
 * @address: link-time address
 * @size: output: number of bytes from @address to the end of the segment
 *
 * Return: the code, a pointer into @program; NULL if no executable segment contains the address.
 */
const u8 *bpmu_elf_code(const struct bpmu_elf *program, u64 address,
			size_t *size)
{
	const Elf64_Phdr *segment = program->segment;
	unsigned int i;

	for (i = 0; i < program->header->e_phnum; i++, segment++) {
		if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X) ||
		    address < segment->p_vaddr ||
		    address - segment->p_vaddr >= segment->p_filesz)
			continue;
		*size = segment->p_filesz - (address - segment->p_vaddr);
		return code_elf_file_part(program,
					  segment->p_offset + address - segment->p_vaddr,
					   *size);
	}
	return NULL;
}

/**
 * bpmu_elf_name() - name of a symbol of a program's ELF file
 * @program: from bpmu_elf_open()
 * @symbol: symbol of @program
 *
 * Return: the name, in @program; may be "".
 */
const char *bpmu_elf_name(const struct bpmu_elf *program,
			  const Elf64_Sym *symbol)
{
	return symbol->st_name < program->names_size ?
	       program->names + symbol->st_name : "";
}

static bool is_function(const Elf64_Sym *symbol)
{
	return symbol->st_shndx != SHN_UNDEF &&
	       (ELF64_ST_TYPE(symbol->st_info) == STT_FUNC ||
		ELF64_ST_TYPE(symbol->st_info) == STT_GNU_IFUNC);
}

/**
 * bpmu_elf_function() - find a function by its name in the symbol table of an ELF file
 * @program: from bpmu_elf_open()
 * @name: name of the function
 *
 * Return: the function's symbol, in @program; NULL if there is no such function.
 */
const Elf64_Sym *bpmu_elf_function(const struct bpmu_elf *program,
				   const char *name)
{
	size_t i;

	for (i = 0; i < program->nr_symbols; i++)
		if (is_function(&program->symbol[i]) &&
		    program->symbol[i].st_size &&
		    !strcmp(bpmu_elf_name(program, &program->symbol[i]),
			    name))
			return &program->symbol[i];
	return NULL;
}

/**
 * bpmu_elf_at() - find the symbol of an ELF file that contains an address
 * @program: from bpmu_elf_open()
 * @type: STT_FUNC or STT_OBJECT
 * @address: link-time address
 *
 * Return: the symbol, in @program; NULL if no symbol of this type contains the address.
 */
const Elf64_Sym *bpmu_elf_at(const struct bpmu_elf *program,
			     unsigned int type, u64 address)
{
	const Elf64_Sym *symbol;
	size_t i;

	for (i = 0; i < program->nr_symbols; i++) {
		symbol = &program->symbol[i];
		if (ELF64_ST_TYPE(symbol->st_info) == type &&
		    symbol->st_shndx != SHN_UNDEF &&
		    address >= symbol->st_value &&
		    address - symbol->st_value < symbol->st_size)
			return symbol;
	}
	return NULL;
}
