// SPDX-License-Identifier: GPL-2.0
/*
 * Lower bound of the cost of starting barepmu: a program that prints a line and is linked to the
 * same libraries. It calls them only if it has more arguments than "start" gives.
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
