// SPDX-License-Identifier: GPL-2.0
/*
 * A program that shows the minimum cost of starting barepmu: it prints a line and is linked to the
 * same libraries as barepmu. The program has calls of the libraries' functions, so that the linker
 * keeps the libraries, but never executes these calls: only with many arguments, and
 * tests/bench/start passes none.
 */
#include <jansson.h>
#include <libmnl/libmnl.h>
#include <math.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	(void)argv;
	if (argc > 9)
		return mnl_socket_open(argc) && json_number_value(json_real(exp(argc))) > 0;
	puts("linked");
	return 0;
}
