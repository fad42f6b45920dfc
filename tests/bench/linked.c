// SPDX-License-Identifier: GPL-2.0
/*
 * A program that shows the minimum cost of starting barepmu: it prints a line and is linked to the
 * same library as barepmu, the C library.
 */
#include <stdio.h>

int main(void)
{
	puts("linked");
	return 0;
}
