// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the parser of metric files with the fuzzer's seeds, valid and malformed files: none may
 * crash the tool.
 */

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "../fuzz/fuzz.h"
#include "unit.h"

#define SEEDS TOP "/tests/fuzz/seeds/metrics"
#define SIZE_LIMIT (1 << 20)

static void replay(const char *name)
{
	unsigned char *data = malloc(SIZE_LIMIT);
	char path[512];
	size_t len;
	FILE *in;

	snprintf(path, sizeof(path), "%s/%s", SEEDS, name);
	in = fopen(path, "re");
	assert_non_null(in);
	assert_non_null(data);
	len = fread(data, 1, SIZE_LIMIT, in);
	fclose(in);
	LLVMFuzzerTestOneInput(data, len);
	free(data);
}

TEST(the_parser_survives_the_seeds_of_the_fuzzer)
{
	DIR *dir = opendir(SEEDS);
	const struct dirent *entry;
	unsigned int nr = 0;

	assert_non_null(dir);
	while ((entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		replay(entry->d_name);
		nr++;
	}
	closedir(dir);
	assert_true(nr > 0);
}
