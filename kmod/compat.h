/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The only file that depends on the kernel's version: one name for each interface
 * that had several.
 */
#ifndef BPMU_COMPAT_H
#define BPMU_COMPAT_H

#include <linux/hrtimer.h>
#include <linux/timer.h>
#include <linux/topology.h>
#include <linux/version.h>
#include <net/genetlink.h>

#include <asm/msr.h>

/* is this kernel at least that one */
#define BPMU_KERNEL(major, minor) \
	(KERNEL_VERSION(major, minor, 0) <= LINUX_VERSION_CODE)

#if BPMU_KERNEL(6, 16)
#include <asm/cpuid/api.h>
#else
#define rdmsrq_safe(msr, val)	rdmsrl_safe(msr, val)
#define wrmsrq_safe(msr, val)	wrmsrl_safe(msr, val)
#endif

#if !BPMU_KERNEL(6, 13)
static inline void
hrtimer_setup(struct hrtimer *timer,
	      enum hrtimer_restart (*function)(struct hrtimer *),
	      clockid_t clock, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock, mode);
	timer->function = function;
}
#endif

/* the source is named once, in __string() */
#if BPMU_KERNEL(6, 10)
#define bpmu_assign_str(dst, src)	__assign_str(dst)
#else
#define bpmu_assign_str(dst, src)	__assign_str(dst, src)
#endif

#if BPMU_KERNEL(6, 2)
#define bpmu_genl_op	genl_split_ops
#else
#define bpmu_genl_op	genl_ops
#endif

#if !BPMU_KERNEL(6, 2)
#define timer_delete(timer)		del_timer(timer)
#define timer_delete_sync(timer)	del_timer_sync(timer)
#endif

/*
 * The instruction itself, for the sampling path: a fifth of what the kernel's safe
 * functions cost. For registers that those have reached before: a fault warns.
 */
static __always_inline u64 bpmu_rdmsr(u32 msr)
{
	return __rdmsr(msr);
}

static __always_inline void bpmu_wrmsr(u32 msr, u64 value)
{
	native_wrmsr(msr, (u32)value, (u32)(value >> 32));
}

static inline struct nlattr **bpmu_dump_attrs(struct netlink_callback *cb)
{
#if BPMU_KERNEL(6, 7)
	return genl_info_dump(cb)->attrs;
#else
	return genl_dumpit_info(cb)->attrs;
#endif
}

static inline const struct genl_family *bpmu_dump_family(struct netlink_callback *cb)
{
#if BPMU_KERNEL(6, 7)
	return genl_info_dump(cb)->family;
#else
	return genl_dumpit_info(cb)->family;
#endif
}

#if BPMU_KERNEL(6, 9)
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

#endif /* BPMU_COMPAT_H */
