/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Symbols of ELF files: finds functions and source lines by addresses.
 */
#ifndef BPMU_SYMBOLS_H
#define BPMU_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>

#include "arch.h"

/* Size in bytes of the text of a build-id in hexadecimal, with the zero byte at its end */
#define BPMU_BUILD_ID 65

struct bpmu_symbols;

const char *bpmu_symbols_missing(void);
struct bpmu_symbols *bpmu_symbols_open(const char *path, const char *build_id);
const char *bpmu_symbols_function(struct bpmu_symbols *symbols, u64 address, u64 *start, u64 *size);
const char *bpmu_symbols_find(struct bpmu_symbols *symbols, u64 offset);
bool bpmu_symbols_address(const struct bpmu_symbols *symbols, u64 offset, u64 *address);
unsigned int bpmu_symbols_line(struct bpmu_symbols *symbols, u64 address,
			       const char **file);
void bpmu_symbols_close(struct bpmu_symbols *symbols);

void bpmu_symbols_build_id(const char *path, char text[BPMU_BUILD_ID]);

#endif /* BPMU_SYMBOLS_H */
