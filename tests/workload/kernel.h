/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Loops with one known bottleneck each, and small programs with several.
 */
#ifndef KERNEL_H
#define KERNEL_H

/**
 * struct kernel - a loop that is run as a program
 * @name: name on the command line
 * @n: default number of iterations, for some million instructions
 * @prepare: prepares the data of @run, outside of the measurement; or NULL
 * @run: runs @n iterations
 */
struct kernel {
	const char *name;
	unsigned long n;
	void (*prepare)(void);
	void (*run)(unsigned long n);
};

/* Loops by what bounds them; each list ends with an entry without a name. */
extern const struct kernel kernels_compute[];
extern const struct kernel kernels_frontend[];
extern const struct kernel kernels_memory[];
extern const struct kernel kernels_program[];

/* Size in bytes of the memory that the loops share. */
#define KERNEL_BYTES (32ul << 20)

extern char kernel_memory[KERNEL_BYTES];

#endif /* KERNEL_H */
