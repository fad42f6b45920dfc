// SPDX-License-Identifier: GPL-2.0
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

static void the_parser_survives_the_seeds_of_the_fuzzer(void **state)
{
	DIR *dir = opendir(SEEDS);
	const struct dirent *entry;
	unsigned int nr = 0;

	(void)state;
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

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_parser_survives_the_seeds_of_the_fuzzer),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("metric seeds", tests, NULL, NULL);
}
