// SPDX-License-Identifier: GPL-2.0
/*
 * A program that shows the minimum cost of starting barepmu: it prints a line and is linked to the
 * same libraries as barepmu. It calls functions of the libraries only if it gets many arguments;
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
