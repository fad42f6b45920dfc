// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: kernel [NAME [N [FILE]]]
 *
 * Executes N iterations of one of the loops of kernel.h. Creates FILE when the loop is prepared,
 * before its first iteration. Without arguments, prints the names of the loops.
 */
#include "kernel.h"

#include <string.h>

#include "workload.h"

char kernel_memory[KERNEL_BYTES] __attribute__((aligned(4096)));

static const struct kernel *const lists[] = {
	kernels_compute, kernels_frontend, kernels_memory, kernels_program
};

static const struct kernel *find(const char *name)
{
	const struct kernel *k;
	unsigned int i;

	for (i = 0; i < sizeof(lists) / sizeof(*lists); i++)
		for (k = lists[i]; k->name; k++)
			if (!strcmp(k->name, name))
				return k;
	return NULL;
}

static int list(void)
{
	const struct kernel *k;
	unsigned int i;

	for (i = 0; i < sizeof(lists) / sizeof(*lists); i++)
		for (k = lists[i]; k->name; k++)
			puts(k->name);
	return 0;
}

static void mark(const char *path)
{
	FILE *file = fopen(path, "w");

	if (!file || fclose(file)) {
		perror(path);
		exit(1);
	}
}

int main(int argc, char **argv)
{
	const struct kernel *k;

	if (argc < 2)
		return list();
	k = find(argv[1]);
	if (!k) {
		fprintf(stderr, "%s: '%s': no such kernel\n", argv[0], argv[1]);
		return 2;
	}
	if (k->prepare)
		k->prepare();
	if (argc > 3)
		mark(argv[3]);
	k->run(iterations(argc - 1, argv + 1, k->n));
	return 0;
}
