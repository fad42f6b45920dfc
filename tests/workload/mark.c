// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: mark begin|end NUMBER
 *
 * Begins or ends region NUMBER, see region().
 */
#include <string.h>

#include "workload.h"

int main(int argc, char **argv)
{
	int begin = argc == 3 && !strcmp(argv[1], "begin");

	if (argc != 3 || (!begin && strcmp(argv[1], "end"))) {
		fprintf(stderr, "usage: mark begin|end NUMBER\n");
		return 2;
	}
	region(strtoul(argv[2], NULL, 10), begin);
	return 0;
}
