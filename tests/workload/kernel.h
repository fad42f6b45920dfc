/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Small loops, each with one bottleneck of its own.
 */
#ifndef KERNEL_H
#define KERNEL_H

/**
 * struct kernel - a loop
 * @name: as on the command line
 * @n: iterations unless others are asked for: some million instructions
 * @prepare: what is not measured alone, or NULL
 * @run: so many iterations
 */
struct kernel {
	const char *name;
	unsigned long n;
	void (*prepare)(void);
	void (*run)(unsigned long n);
};

/* each list ends with a row without name */
extern const struct kernel kernels_compute[];
extern const struct kernel kernels_frontend[];
extern const struct kernel kernels_memory[];
extern const struct kernel kernels_program[];

/* so many bytes that all kernels of memory share, in pages of their own */
#define KERNEL_BYTES (32ul << 20)

extern char kernel_memory[KERNEL_BYTES];

#endif /* KERNEL_H */
