// SPDX-License-Identifier: GPL-2.0
/*
 * A loop whose number of instructions is known: N more iterations execute N times the instructions
 * that "count --per-iteration" prints.
 */
#include <string.h>

#include "workload.h"

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "--per-iteration")) {
		puts("instructions=10 branches=2 loads=2 stores=1");
		return 0;
	}
	known_loop(iterations(argc, argv, 100000));
	return 0;
}
