// SPDX-License-Identifier: GPL-2.0
#include "affinity.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Number of bits in a word of an affinity mask. A word is a long, as the kernel requires. */
#define BITS (8 * sizeof(long))

/**
 * bpmu_affinity_get() - get the affinity of a thread: the CPUs on which it may run
 * @tid: ID of the thread, 0 for the calling thread
 * @mask: set to the CPUs on which the thread may run
 *
 * Return: 0 or a negative errno.
 */
int bpmu_affinity_get(pid_t tid, struct bpmu_affinity *mask)
{
	memset(mask, 0, sizeof(*mask));
	return syscall(SYS_sched_getaffinity, tid, sizeof(mask->word), mask->word) < 0 ?
	       -errno : 0;
}

/**
 * bpmu_affinity_set() - set the affinity of a thread: the CPUs on which it may run
 * @tid: ID of the thread, 0 for the calling thread
 * @mask: the CPUs, of which at least one must be online
 *
 * Return: 0 or a negative errno.
 */
int bpmu_affinity_set(pid_t tid, const struct bpmu_affinity *mask)
{
	return syscall(SYS_sched_setaffinity, tid, sizeof(mask->word), mask->word) ? -errno : 0;
}

/**
 * bpmu_affinity_has() - check if a CPU is in an affinity mask
 * @cpu: CPU number, below BPMU_CPULIST_MAX
 *
 * Return: true if the mask has the CPU.
 */
bool bpmu_affinity_has(const struct bpmu_affinity *mask, u32 cpu)
{
	return mask->word[cpu / BITS] >> cpu % BITS & 1;
}

/**
 * bpmu_affinity_last() - get the highest CPU number of an affinity mask
 *
 * Return: the number, or -1 if the mask is empty.
 */
int bpmu_affinity_last(const struct bpmu_affinity *mask)
{
	unsigned int cpu;

	for (cpu = BPMU_CPULIST_MAX; cpu-- > 0;)
		if (bpmu_affinity_has(mask, cpu))
			return cpu;
	return -1;
}

/**
 * bpmu_affinity_remove() - take a CPU out of an affinity mask
 * @mask: the affinity mask
 * @cpu: number of the CPU, below BPMU_CPULIST_MAX
 */
void bpmu_affinity_remove(struct bpmu_affinity *mask, u32 cpu)
{
	mask->word[cpu / BITS] &= ~(1ul << cpu % BITS);
}

/**
 * bpmu_affinity_pin_thread() - set the affinity of a thread to one CPU
 * @tid: ID of the thread, 0 for the calling thread
 * @cpu: CPU number, below BPMU_CPULIST_MAX
 *
 * Return: 0 or a negative errno.
 */
int bpmu_affinity_pin_thread(pid_t tid, u32 cpu)
{
	struct bpmu_affinity mask = { };

	mask.word[cpu / BITS] = 1ul << cpu % BITS;
	return bpmu_affinity_set(tid, &mask);
}

/**
 * bpmu_affinity_pin() - set the affinity of the calling thread to one CPU
 * @cpu: CPU number, below BPMU_CPULIST_MAX
 *
 * Return: 0 or a negative errno.
 */
int bpmu_affinity_pin(u32 cpu)
{
	return bpmu_affinity_pin_thread(0, cpu);
}
