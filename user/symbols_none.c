// SPDX-License-Identifier: GPL-2.0
/*
 * In the place of symbols.c where there is no elfutils.
 */
#include "symbols.h"

/**
 * bpmu_symbols_missing() - why are there no names
 *
 * Return: a sentence, or NULL if there are.
 */
const char *bpmu_symbols_missing(void)
{
	return "this tool was built without elfutils: functions of programs have no names";
}

/**
 * bpmu_symbols_open() - a file
 * @path: of it
 * @build_id: that it must have
 *
 * Return: NULL.
 */
struct bpmu_symbols *bpmu_symbols_open(const char *path, const char *build_id)
{
	(void)path;
	(void)build_id;
	return NULL;
}

/**
 * bpmu_symbols_find() - the function at an offset
 * @symbols: open
 * @offset: in the file
 *
 * Return: NULL.
 */
const char *bpmu_symbols_find(struct bpmu_symbols *symbols, u64 offset)
{
	(void)symbols;
	(void)offset;
	return NULL;
}

/**
 * bpmu_symbols_close() - free it
 * @symbols: NULL
 */
void bpmu_symbols_close(struct bpmu_symbols *symbols)
{
	(void)symbols;
}

/**
 * bpmu_symbols_build_id() - what tells a file from others of its name
 * @path: of the file
 * @text: set to nothing
 */
void bpmu_symbols_build_id(const char *path, char text[BPMU_BUILD_ID])
{
	(void)path;
	text[0] = '\0';
}
