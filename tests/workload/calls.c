// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: calls N
 *
 * One function with two callers, for tests of call chains. work() executes N iterations of two
 * instructions when left() calls it, and 3 N iterations when right() calls it. All functions have
 * frame pointers, because each calls __builtin_frame_address(), for which the compiler keeps one.
 */
#include "workload.h"

#define CALLED __attribute__((noinline, noclone))

/* Uses a frame address after a call, so that the compiler does not turn the call into a jump. */
static inline void use(const void *frame)
{
	asm volatile("" : : "r"(frame));
}

static CALLED void work(unsigned long n)
{
	use(__builtin_frame_address(0));
	asm volatile("1: dec %0\n\tjnz 1b" : "+r"(n) : : "cc");
}

static CALLED void left(unsigned long n)
{
	work(n);
	use(__builtin_frame_address(0));
}

static CALLED void right(unsigned long n)
{
	work(3 * n);
	use(__builtin_frame_address(0));
}

int main(int argc, char **argv)
{
	unsigned long n = iterations(argc, argv, 1000000);

	left(n);
	right(n);
	use(__builtin_frame_address(0));
	return 0;
}
