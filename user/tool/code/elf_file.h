/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ELF files of programs and shared libraries: finds the code and the symbols in them.
 */
#ifndef BPMU_ELF_FILE_H
#define BPMU_ELF_FILE_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>

#include "arch.h"
#include "base/error.h"

/**
 * struct bpmu_elf - an ELF file, read into memory
 * @path: path of the file
 * @bytes: contents of the file, [@size]
 * @size: size of the file in bytes
 * @header: ELF header, a pointer into @bytes
 * @segment: program headers, a pointer into @bytes
 * @symbol: symbols of .symtab or, in a stripped file, of .dynsym, sorted by address, [@nr_symbols]
 * @nr_symbols: number of symbols
 * @names: string table of the symbols, [@names_size]
 * @names_size: size of the string table in bytes
 */
struct bpmu_elf {
	char *path;
	u8 *bytes;
	size_t size;
	const Elf64_Ehdr *header;
	const Elf64_Phdr *segment;
	Elf64_Sym *symbol;
	size_t nr_symbols;
	const char *names;
	size_t names_size;
};

int bpmu_elf_open(struct bpmu_elf *program, const char *path,
		  struct bpmu_error *err);
void bpmu_elf_close(struct bpmu_elf *program);
u64 bpmu_elf_base(const struct bpmu_elf *program);
const u8 *bpmu_elf_code(const struct bpmu_elf *program, u64 address,
			size_t *size);
u64 bpmu_elf_offset(const struct bpmu_elf *program, u64 address);
const Elf64_Sym *bpmu_elf_function(const struct bpmu_elf *program,
				   const char *name);
const Elf64_Sym *bpmu_elf_at(const struct bpmu_elf *program,
			     unsigned int type, u64 address);
const char *bpmu_elf_name(const struct bpmu_elf *program,
			  const Elf64_Sym *symbol);

#endif /* BPMU_ELF_FILE_H */
