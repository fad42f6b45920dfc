// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of reading the CPU affinity of a process. All CPUs are read, even if the kernel supports
 * more CPUs than the C library's masks have bits.
 */

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "event/affinity.h"
#include "unit.h"

/*
 * If a kernel supports up to 8,192 CPUs, its sched_getaffinity() refuses a mask of fewer bits. The
 * C library's mask has 1,024 bits. CPU 1500 is the last one on which the process may run.
 */
#define KERNEL_BITS 8192
#define ALLOWED 1500

long __real_syscall(long number, long a, long b, long c, long d, long e, long f);
long __wrap_syscall(long number, long a, long b, long c, long d, long e, long f);

long __wrap_syscall(long number, long a, long b, long c, long d, long e, long f)
{
	if (number != SYS_sched_getaffinity)
		return __real_syscall(number, a, b, c, d, e, f);
	if (b < KERNEL_BITS / 8) {
		errno = EINVAL;
		return -1;
	}
	((unsigned char *)c)[0] = 0x06;
	((unsigned char *)c)[ALLOWED / 8] = 1 << ALLOWED % 8;
	return KERNEL_BITS / 8;
}

TEST(finds_cpus_of_a_kernel_for_many)
{
	struct bpmu_affinity mask;

	assert_int_equal(bpmu_affinity_get(0, &mask), 0);
	assert_int_equal(bpmu_affinity_last(&mask), ALLOWED);
	bpmu_affinity_remove(&mask, ALLOWED);
	assert_int_equal(bpmu_affinity_last(&mask), 2);
	bpmu_affinity_remove(&mask, 2);
	bpmu_affinity_remove(&mask, 1);
	assert_int_equal(bpmu_affinity_last(&mask), -1);
}
