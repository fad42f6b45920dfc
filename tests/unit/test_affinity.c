// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of reading and setting the CPU affinity of a process. All CPUs are read, even if the kernel
 * supports more CPUs than the C library's masks have bits.
 */

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/array.h"
#include "event/affinity.h"
#include "event/this_cpu.h"
#include "unit.h"

/*
 * If a kernel supports up to 8,192 CPUs, its sched_getaffinity() refuses a mask of fewer bits. The
 * C library's mask has 1,024 bits. CPU 1500 is the last one on which the process may run.
 */
#define KERNEL_BITS 8192
#define ALLOWED 1500

long __real_syscall(long number, long a, long b, long c, long d, long e, long f);
long __wrap_syscall(long number, long a, long b, long c, long d, long e, long f);

/* Errors of the fake system calls, threads that they were called for, and the masks that were set */
static int get_error, set_error;
static long got_of, set_of;
static struct bpmu_affinity set_to[4];
static unsigned int nr_set;

/* CPU 1 is offline: a thread cannot be moved to it alone. */
static long set_affinity(long tid, long size, const struct bpmu_affinity *mask)
{
	static const struct bpmu_affinity offline = { { 2 } };

	set_of = tid;
	assert_int_equal(size, sizeof(mask->word));
	assert_true(nr_set < ARRAY_SIZE(set_to));
	set_to[nr_set++] = *mask;
	errno = memcmp(mask, &offline, sizeof(offline)) ? set_error : EINVAL;
	return errno ? -1 : 0;
}

long __wrap_syscall(long number, long a, long b, long c, long d, long e, long f)
{
	if (number == SYS_sched_setaffinity)
		return set_affinity(a, b, (const struct bpmu_affinity *)c);
	if (number != SYS_sched_getaffinity)
		return __real_syscall(number, a, b, c, d, e, f);
	got_of = a;
	if (b < KERNEL_BITS / 8 || get_error) {
		errno = get_error ?: EINVAL;
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

TEST(has_the_cpus_of_the_mask_and_no_others)
{
	struct bpmu_affinity mask;
	unsigned int cpu;

	memset(&mask, 0xff, sizeof(mask));
	assert_int_equal(bpmu_affinity_get(7, &mask), 0);
	assert_int_equal(got_of, 7);
	for (cpu = 0; cpu < BPMU_CPULIST_MAX; cpu++)
		assert_int_equal(bpmu_affinity_has(&mask, cpu),
				 cpu == 1 || cpu == 2 || cpu == ALLOWED);
	bpmu_affinity_remove(&mask, 3);
	bpmu_affinity_remove(&mask, 1);
	assert_false(bpmu_affinity_has(&mask, 1));
	assert_true(bpmu_affinity_has(&mask, 2));
	assert_true(bpmu_affinity_has(&mask, ALLOWED));
	memset(&mask, 0, sizeof(mask));
	mask.word[0] = 1;
	assert_int_equal(bpmu_affinity_last(&mask), 0);
	mask.word[ARRAY_SIZE(mask.word) - 1] = 1ul << 63;
	assert_int_equal(bpmu_affinity_last(&mask), BPMU_CPULIST_MAX - 1);
}

TEST(a_thread_is_pinned_to_one_cpu)
{
	struct bpmu_affinity mask = { };

	nr_set = 0;
	mask.word[ALLOWED / 64] = 1ul << ALLOWED % 64;
	assert_int_equal(bpmu_affinity_pin_thread(9, ALLOWED), 0);
	assert_int_equal(set_of, 9);
	assert_memory_equal(&set_to[0], &mask, sizeof(mask));
	assert_int_equal(bpmu_affinity_pin(ALLOWED), 0);
	assert_int_equal(set_of, 0);
	assert_memory_equal(&set_to[1], &mask, sizeof(mask));
	assert_int_equal(bpmu_affinity_pin(1), -EINVAL);
	assert_int_equal(nr_set, 3);
}

static unsigned int nr_types;

static void count_type(void *data, const struct bpmu_this_cpu *cpu)
{
	assert_ptr_equal(data, &nr_types);
	assert_int_equal(strlen(cpu->vendor), 12);
	nr_types++;
}

/*
 * CPU 1 is offline, so that CPUID is executed on CPU 2. It tells that this machine has one core
 * type. Where it has two, CPU 1500 is asked, too.
 */
TEST(core_types_are_found_and_the_affinity_is_restored)
{
	struct bpmu_affinity mask;
	struct bpmu_error err;
	unsigned int asked;

	nr_set = 0;
	nr_types = 0;
	assert_int_equal(bpmu_this_cpu_core_types(count_type, &nr_types, &err), 0);
	assert_int_equal(nr_types, 1);
	asked = nr_set - 1;
	assert_in_range(asked, 2, 3);
	assert_int_equal(bpmu_affinity_last(&set_to[0]), 1);
	assert_int_equal(bpmu_affinity_last(&set_to[1]), 2);
	bpmu_affinity_get(0, &mask);
	assert_memory_equal(&set_to[asked], &mask, sizeof(mask));
}

TEST(errors_of_the_affinity_are_told)
{
	struct bpmu_error err;

	get_error = EPERM;
	assert_int_equal(bpmu_this_cpu_core_types(count_type, &nr_types, &err), -EPERM);
	assert_string_equal(err.text, "CPUs: Operation not permitted");
	get_error = 0;
	nr_set = 0;
	nr_types = 0;
	set_error = ESRCH;
	assert_int_equal(bpmu_this_cpu_core_types(count_type, &nr_types, &err), -ESRCH);
	assert_string_equal(err.text, "CPUs: No such process");
	assert_int_equal(nr_types, 0);
	set_error = 0;
}
