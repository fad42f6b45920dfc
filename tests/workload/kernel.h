/* SPDX-License-Identifier: GPL-2.0 */
/* Loops with one known bottleneck each, and small programs with several bottlenecks. */
#ifndef KERNEL_H
#define KERNEL_H

/**
 * struct kernel - a loop that the program "kernel" can execute
 * @name: name of the loop on the command line
 * @n: default number of iterations, which execute some million instructions
 * @prepare: function that prepares the data of @run and is not measured, or NULL
 * @run: function that executes @n iterations
 */
struct kernel {
	const char *name;
	unsigned long n;
	void (*prepare)(void);
	void (*run)(unsigned long n);
};

/* Lists of loops by their bottleneck. The last element of a list has no name. */
extern const struct kernel kernels_compute[];
extern const struct kernel kernels_frontend[];
extern const struct kernel kernels_memory[];
extern const struct kernel kernels_program[];

/* Size in bytes of the memory that all loops use. */
#define KERNEL_BYTES (32ul << 20)

extern char kernel_memory[KERNEL_BYTES];

#endif /* KERNEL_H */
