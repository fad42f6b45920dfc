/* SPDX-License-Identifier: GPL-2.0 */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <stdio.h>
#include <stdlib.h>

/* the first argument as a number of iterations, or a default */
static inline unsigned long iterations(int argc, char **argv,
				       unsigned long otherwise)
{
	char *end;
	unsigned long n;

	if (argc < 2)
		return otherwise;
	n = strtoul(argv[1], &end, 10);
	if (*argv[1] && !*end && n)
		return n;
	fprintf(stderr, "%s: '%s': not a number of iterations\n", argv[0],
		argv[1]);
	exit(2);
}

#endif /* WORKLOAD_H */
