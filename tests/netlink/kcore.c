// SPDX-License-Identifier: GPL-2.0
#include "kcore.h"

#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Returns the value of a symbol in /proc/kallsyms, 0 if there is none. */
static uint64_t symbol_value(const char *symbol)
{
	FILE *file = fopen("/proc/kallsyms", "r");
	uint64_t value, found = 0;
	char line[512], name[256];

	while (file && !found && fgets(line, sizeof(line), file))
		if (sscanf(line, "%lx %*c %255s", &value, name) == 2 && !strcmp(name, symbol))
			found = value;
	if (file)
		fclose(file);
	return found;
}

/* Reads memory of the kernel at an address. Returns 0 on success. */
static int read_memory(int fd, uint64_t address, void *bytes, size_t size)
{
	Elf64_Ehdr head;
	Elf64_Phdr part;
	unsigned int i;

	if (pread(fd, &head, sizeof(head), 0) != sizeof(head))
		return -1;
	for (i = 0; i < head.e_phnum; i++) {
		if (pread(fd, &part, sizeof(part), head.e_phoff + i * sizeof(part)) !=
		    sizeof(part))
			return -1;
		if (part.p_type == PT_LOAD && address >= part.p_vaddr &&
		    address + size <= part.p_vaddr + part.p_memsz)
			return pread(fd, bytes, size, part.p_offset + address - part.p_vaddr) !=
			       (ssize_t)size;
	}
	return -1;
}

/**
 * kcore_per_cpu() - read a variable of the kernel that each CPU has: that of CPU 0
 * @symbol: name of the variable
 * @bytes: set to its content
 * @size: bytes to read
 *
 * Return: 0 on success.
 */
int kcore_per_cpu(const char *symbol, void *bytes, size_t size)
{
	uint64_t variable = symbol_value(symbol);
	uint64_t offsets = symbol_value("__per_cpu_offset");
	int fd = open("/proc/kcore", O_RDONLY);
	uint64_t offset;
	int err = -1;

	if (fd < 0)
		return err;
	if (variable && offsets && !read_memory(fd, offsets, &offset, sizeof(offset)))
		err = read_memory(fd, variable + offset, bytes, size);
	close(fd);
	return err;
}
