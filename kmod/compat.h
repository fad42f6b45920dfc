/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The only place that knows kernel versions: one name for what has had several.
 */
#ifndef BPMU_COMPAT_H
#define BPMU_COMPAT_H

#include <linux/hrtimer.h>
#include <linux/version.h>

#include <asm/msr.h>

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 16, 0)
#include <asm/cpuid/api.h>
#else
#define rdmsrq_safe(msr, val)	rdmsrl_safe(msr, val)
#define wrmsrq_safe(msr, val)	wrmsrl_safe(msr, val)
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
static inline void
hrtimer_setup(struct hrtimer *timer,
	      enum hrtimer_restart (*function)(struct hrtimer *),
	      clockid_t clock, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock, mode);
	timer->function = function;
}
#endif

#endif /* BPMU_COMPAT_H */
