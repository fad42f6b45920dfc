/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stand-in for all of the kernel's headers that the rooms bank/ and machine/ of the module include,
 * and for kmod/compat.h: the Makefile writes headers of these names, each of which includes this
 * file. A machine has at most 64 CPUs here. What the machine is, a unit test decides: it defines
 * those of the functions below that its code calls.
 */
#ifndef UNIT_MODULE_H
#define UNIT_MODULE_H

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <linux/pci_regs.h>

#include "arch.h"

typedef u64 phys_addr_t;
typedef u64 resource_size_t;
typedef int64_t s64;

#define KBUILD_MODNAME "barepmu"
#define __iomem
#define __init
#define noinline
#undef __always_inline
#define __always_inline inline
#define __maybe_unused __attribute__((unused))
#define likely(x) (x)
#define unlikely(x) (x)
#define U64_MAX UINT64_MAX
#define U32_MAX UINT32_MAX
#define BIT(n) (1UL << (n))
#define BIT_ULL(n) (1ULL << (n))
#define GENMASK(high, low) ((~0UL << (low)) & (~0UL >> (63 - (high))))
#define GENMASK_ULL(high, low) ((~0ULL << (low)) & (~0ULL >> (63 - (high))))
#define ARRAY_SIZE(array) (sizeof(array) / sizeof(*(array)))
#define lower_32_bits(value) ((u32)(value))
#define upper_32_bits(value) ((u32)((u64)(value) >> 32))
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#define min_t(type, a, b) ((type)(a) < (type)(b) ? (type)(a) : (type)(b))
#define max_t(type, a, b) ((type)(a) > (type)(b) ? (type)(a) : (type)(b))
#define hweight64(value) ((unsigned int)__builtin_popcountll(value))
#define hweight32(value) ((unsigned int)__builtin_popcount(value))
#define __ffs(value) ((unsigned long)__builtin_ctzl(value))
#define READ_ONCE(x) (*(volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, value) (*(volatile __typeof__(x) *)&(x) = (value))
#define USEC_PER_MSEC 1000UL
#define PAGE_SIZE 4096UL
#define PAGE_MASK (~(PAGE_SIZE - 1))

static inline u64 mul_u64_u32_div(u64 a, u32 mul, u32 divisor)
{
	return a * mul / divisor;
}

/* memory */
#define GFP_KERNEL 0
#define GFP_KERNEL_ACCOUNT 0

void *unit_alloc(size_t nr, size_t size);

static inline void *kzalloc(size_t size, __attribute__((unused)) int flags)
{
	return unit_alloc(1, size);
}

static inline void *kcalloc(size_t nr, size_t size, __attribute__((unused)) int flags)
{
	return unit_alloc(nr, size);
}

#define kvcalloc kcalloc
#define kfree(p) free((void *)(p))
#define kvfree(p) free((void *)(p))

/* CPUs */
struct cpumask {
	u64 bits;
};

typedef struct cpumask *cpumask_var_t;
/* kmod/bank/plan.c asks this: cpumask_var_t is a pointer */
#define CONFIG_CPUMASK_OFFSTACK 1

extern unsigned int nr_cpu_ids;

static inline bool cpumask_test_cpu(unsigned int cpu, const struct cpumask *mask)
{
	return cpu < 64 && mask->bits >> cpu & 1;
}

static inline void cpumask_copy(struct cpumask *to, const struct cpumask *from)
{
	*to = *from;
}

static inline bool zalloc_cpumask_var(cpumask_var_t *mask, __attribute__((unused)) int flags)
{
	*mask = unit_alloc(1, sizeof(**mask));
	return *mask;
}

#define free_cpumask_var(mask) free(mask)
#define for_each_cpu(cpu, mask) \
	for ((cpu) = 0; (cpu) < 64; (cpu)++) \
		if (cpumask_test_cpu(cpu, mask))
#define for_each_cpu_and(cpu, a, b) \
	for ((cpu) = 0; (cpu) < 64; (cpu)++) \
		if (cpumask_test_cpu(cpu, a) && cpumask_test_cpu(cpu, b))

unsigned int smp_processor_id(void);
int topology_physical_package_id(unsigned int cpu);
const struct cpumask *topology_die_cpumask(unsigned int cpu);
const struct cpumask *topology_core_cpumask(unsigned int cpu);
const struct cpumask *topology_sibling_cpumask(unsigned int cpu);

#define X86_VENDOR_INTEL 0
#define X86_VENDOR_AMD 2

/* What the kernel knows of the CPU on which it was booted */
struct cpuinfo_x86 {
	u8 x86;
	u8 x86_vendor;
	u8 x86_model;
	u8 x86_stepping;
	u8 x86_virt_bits;
	u8 x86_phys_bits;
	u8 x86_cache_bits;
	int cpuid_level;
	u32 extended_cpuid_level;
	u32 microcode;
};

extern struct cpuinfo_x86 boot_cpu_data;

/* model-specific registers; the first two return nonzero if there is none of that number */
int rdmsrq_safe(u32 msr, u64 *value);
int wrmsrq_safe(u32 msr, u64 value);
u64 bpmu_rdmsr(u32 msr);
void bpmu_wrmsr(u32 msr, u64 value);

/* time */
extern unsigned int tsc_khz;

u64 rdtsc_ordered(void);

/* tracepoints, which nobody enables */
#define TP_PROTO(...) __VA_ARGS__
#define TP_ARGS(...)
#define TP_STRUCT__entry(...)
#define TP_fast_assign(...)
#define TP_printk(...)
#define DECLARE_EVENT_CLASS(name, ...) struct trace_class_##name
#define DEFINE_EVENT(group, name, proto, ...) \
	static inline void trace_##name(proto) { } \
	struct trace_class_##group

/* locks, of which a test with one thread needs none; it can count them */
struct mutex {
	unsigned int held;
};

#define DEFINE_MUTEX(name) struct mutex name
#define mutex_lock(lock) ((lock)->held++)
#define mutex_unlock(lock) ((lock)->held--)
#define lockdep_assert_held(lock) \
	do { \
		if ((lock)->held != 1) \
			abort(); \
	} while (0)
#define lockdep_assert_irqs_disabled() ((void)0)

struct netlink_ext_ack {
	const char *_msg;
};

/* the kernel's log */
#ifndef pr_fmt
#define pr_fmt(fmt) fmt
#endif
void unit_log(const char *format, ...);
#define pr_info(format, ...) unit_log(pr_fmt(format), ##__VA_ARGS__)

#endif /* UNIT_MODULE_H */
