/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interfaces whose names or arguments differ between kernel versions: this file gives each
 * interface a single name. The file checks what the kernel's headers declare, not which version the
 * kernel has. Kbuild writes features.h, which has a macro for each declaration.
 */
#ifndef BPMU_COMPAT_H
#define BPMU_COMPAT_H

#include <linux/hrtimer.h>
#include <linux/perf_event.h>
#include <linux/timer.h>
#include <linux/topology.h>
#include <net/genetlink.h>

#include <asm/msr.h>

#include "features.h"

/* features.h defines a macro for each of the kernel's headers that only some versions have. */
#ifdef BPMU_HAS_CPUID_API_H
#include <asm/cpuid/api.h>
#endif

#ifndef BPMU_HAS_RDMSRQ_SAFE
#define rdmsrq_safe(msr, val)	rdmsrl_safe(msr, val)
#endif

#ifndef BPMU_HAS_WRMSRQ_SAFE
#define wrmsrq_safe(msr, val)	wrmsrl_safe(msr, val)
#endif

#ifndef BPMU_HAS_HRTIMER_SETUP
static inline void
hrtimer_setup(struct hrtimer *timer,
	      enum hrtimer_restart (*function)(struct hrtimer *),
	      clockid_t clock, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock, mode);
	timer->function = function;
}
#endif

#ifdef BPMU_HAS_GENL_SPLIT_OPS
#define bpmu_genl_op	genl_split_ops
#else
#define bpmu_genl_op	genl_ops
#endif

#ifndef BPMU_HAS_TIMER_DELETE
#define timer_delete(timer)		del_timer(timer)
#endif

#ifndef BPMU_HAS_TIMER_DELETE_SYNC
#define timer_delete_sync(timer)	del_timer_sync(timer)
#endif

/*
 * Reads an MSR without fault handling, for the sampling path: this takes a fifth of the time of the
 * kernel's rdmsrl_safe(). The kernel warns here if the MSR does not exist. The caller must
 * therefore have read the MSR by rdmsrl_safe() once before.
 */
static __always_inline u64 bpmu_rdmsr(u32 msr)
{
	return __rdmsr(msr);
}

static __always_inline void bpmu_wrmsr(u32 msr, u64 value)
{
	native_wrmsr(msr, lower_32_bits(value), upper_32_bits(value));
}

static inline struct nlattr **bpmu_dump_attrs(struct netlink_callback *cb)
{
#ifdef BPMU_HAS_GENL_INFO_DUMP
	return genl_info_dump(cb)->attrs;
#else
	return genl_dumpit_info(cb)->attrs;
#endif
}

static inline const struct genl_family *bpmu_dump_family(struct netlink_callback *cb)
{
#ifdef BPMU_HAS_GENL_INFO_DUMP
	return genl_info_dump(cb)->family;
#else
	return genl_dumpit_info(cb)->family;
#endif
}

#ifdef BPMU_HAS_TOPOLOGY_NUM_CORES_PER_PACKAGE
static inline unsigned int bpmu_cores_per_package(void)
{
	return topology_num_cores_per_package();
}
#else
static inline unsigned int bpmu_cores_per_package(void)
{
	return boot_cpu_data.x86_max_cores;
}
#endif

/*
 * Asks perf if this process may count events of all processes of a CPU, and of the kernel. perf
 * decides by kernel.perf_event_paranoid and the security modules. Returns 0 if the process may, or
 * if the kernel does not export perf's function to modules; else a negative errno. The function of
 * newer kernels takes no event attributes.
 */
static inline int bpmu_perf_allows(void)
{
	struct perf_event_attr attr __maybe_unused = {
		.type = PERF_TYPE_RAW, .size = sizeof(attr),
	};
	int err = 0;

#if defined(BPMU_HAS_PERF_ALLOW_KERNEL_VOID)
	err = perf_allow_kernel();
#elif defined(BPMU_HAS_PERF_ALLOW_KERNEL)
	err = perf_allow_kernel(&attr);
#endif
	if (err)
		return err;
#if defined(BPMU_HAS_PERF_ALLOW_CPU_VOID)
	err = perf_allow_cpu();
#elif defined(BPMU_HAS_PERF_ALLOW_CPU)
	err = perf_allow_cpu(&attr);
#endif
	return err;
}

#endif /* BPMU_COMPAT_H */
