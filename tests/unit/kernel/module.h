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
#define clamp_t(type, value, low, high) min_t(type, max_t(type, value, low), high)
#define round_down(x, y) ((x) - (x) % (y))
#define ALIGN(x, step) (((x) + (step) - 1) / (step) * (step))
#define static_assert _Static_assert
#define BUILD_BUG_ON(what) static_assert(!(what), "")
#define is_power_of_2(value) (hweight64(value) == 1)
#define div64_u64(a, b) ((u64)(a) / (u64)(b))
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

static inline void *kvzalloc_node(size_t size, __attribute__((unused)) int flags,
				  __attribute__((unused)) int node)
{
	return unit_alloc(1, size);
}

/* pages: @order means 2^@order of them */
#define __GFP_ZERO 0x100

struct page;

struct page *alloc_pages_node(int node, int flags, unsigned int order);
void *page_address(const struct page *page);
void free_pages(unsigned long at, unsigned int order);
phys_addr_t virt_to_phys(const volatile void *at);

static inline unsigned int get_order(size_t size)
{
	unsigned int order = 0;

	while (PAGE_SIZE << order < size)
		order++;
	return order;
}

/* a page of each CPU that all page tables have */
struct cpu_entry_area {
	char before[16];
	char cpu_debug_store[4096];
};

struct cpu_entry_area *get_cpu_entry_area(int cpu);

#define kvcalloc kcalloc
#define kvzalloc kzalloc
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

static inline unsigned int cpumask_weight(const struct cpumask *mask)
{
	return hweight64(mask->bits);
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
static inline void cpumask_set_cpu(unsigned int cpu, struct cpumask *mask)
{
	mask->bits |= 1ULL << cpu;
}

#define for_each_cpu_and(cpu, a, b) \
	for ((cpu) = 0; (cpu) < 64; (cpu)++) \
		if (cpumask_test_cpu(cpu, a) && cpumask_test_cpu(cpu, b))

/* the thread that runs */
struct task_struct;
extern struct task_struct *unit_current;
#define current unit_current

unsigned int smp_processor_id(void);
int topology_physical_package_id(unsigned int cpu);
const struct cpumask *topology_die_cpumask(unsigned int cpu);
const struct cpumask *topology_core_cpumask(unsigned int cpu);
const struct cpumask *topology_sibling_cpumask(unsigned int cpu);

#define X86_VENDOR_INTEL 0
#define X86_VENDOR_AMD 2

/*
 * What the kernel knows of a CPU. Members that no code here reads are those that stand in for
 * others when faults are drawn.
 */
struct cpuinfo_x86 {
	u8 x86;
	u8 x86_vendor;
	u8 x86_model;
	u8 x86_stepping;
	int x86_tlbsize;
	u8 x86_virt_bits;
	u8 x86_phys_bits;
	u8 x86_coreid_bits;
	u8 cu_id;
	u32 extended_cpuid_level;
	int cpuid_level;
	int x86_cache_alignment;
	int x86_cache_max_rmid;
	int x86_power;
	u16 x86_max_cores;
	u16 apicid;
	u16 initial_apicid;
	u16 booted_cores;
	unsigned int x86_cache_size;
	u16 x86_clflush_size;
	u16 phys_proc_id;
	u16 logical_proc_id;
	u16 cpu_core_id;
	u16 cpu_die_id;
	u16 logical_die_id;
	u16 cpu_index;
	u64 ppin;
	u32 microcode;
	u8 x86_cache_bits;
};

extern struct cpuinfo_x86 boot_cpu_data;

#define X86_VENDOR_HYGON 9
#define DEFINE_PER_CPU(type, name) __typeof__(type) name[64]
#define per_cpu(name, cpu) ((name)[cpu])
#define per_cpu_ptr(name, cpu) (&(*(name))[cpu])
#define this_cpu_ptr(name) per_cpu_ptr(name, smp_processor_id())
#define this_cpu_read(name) ((name)[smp_processor_id()])
#define this_cpu_write(name, value) ((name)[smp_processor_id()] = (value))

enum unit_feature {
	X86_FEATURE_HYBRID_CPU,
	X86_FEATURE_PERFCTR_LLC,
	X86_FEATURE_PERFCTR_NB,
	X86_FEATURE_PERFCTR_CORE,
	X86_FEATURE_TOPOEXT,
	X86_FEATURE_APERFMPERF,
	X86_FEATURE_IRPERF,
	X86_FEATURE_DTHERM,
	X86_FEATURE_PTS,
	X86_FEATURE_IBS,
	X86_FEATURE_PDCM,
	X86_FEATURE_PEBS,
	X86_FEATURE_PTI,
	UNIT_FEATURES
};

bool boot_cpu_has(enum unit_feature feature);
void cpuid_count(u32 leaf, u32 subleaf, u32 *eax, u32 *ebx, u32 *ecx, u32 *edx);

static inline void cpuid(u32 leaf, u32 *eax, u32 *ebx, u32 *ecx, u32 *edx)
{
	cpuid_count(leaf, 0, eax, ebx, ecx, edx);
}

static inline u32 cpuid_eax(u32 leaf)
{
	u32 eax, ebx, ecx, edx;

	cpuid(leaf, &eax, &ebx, &ecx, &edx);
	return eax;
}

static inline u32 cpuid_ecx(u32 leaf)
{
	u32 eax, ebx, ecx, edx;

	cpuid(leaf, &eax, &ebx, &ecx, &edx);
	return ecx;
}

static inline u32 cpuid_edx(u32 leaf)
{
	u32 eax, ebx, ecx, edx;

	cpuid(leaf, &eax, &ebx, &ecx, &edx);
	return edx;
}

bool cpu_online(unsigned int cpu);
bool cpu_is_isolated(unsigned int cpu);
u32 cpu_physical_id(unsigned int cpu);
unsigned int bpmu_cores_per_package(void);
int smp_call_function_single(int cpu, void (*fn)(void *arg), void *arg, int wait);
void on_each_cpu_mask(const struct cpumask *mask, void (*fn)(void *arg), void *arg, bool wait);
int reserve_perfctr_nmi(u32 msr);
void release_perfctr_nmi(u32 msr);
int reserve_evntsel_nmi(u32 msr);
void release_evntsel_nmi(u32 msr);

/* all CPUs are present */
#define for_each_present_cpu(cpu) for ((cpu) = 0; (cpu) < nr_cpu_ids; (cpu)++)

#define for_each_online_cpu(cpu) \
	for ((cpu) = 0; (cpu) < 64; (cpu)++) \
		if (cpu_online(cpu))

/* model-specific registers; the first two return nonzero if there is none of that number */
int rdmsrq_safe(u32 msr, u64 *value);
int wrmsrq_safe(u32 msr, u64 value);
u64 bpmu_rdmsr(u32 msr);
void bpmu_wrmsr(u32 msr, u64 value);

/* time */
extern unsigned int tsc_khz;

u64 rdtsc(void);
u64 rdtsc_ordered(void);
void cpu_relax(void);
u64 ktime_get_ns(void);

#define USEC_PER_SEC 1000000UL
#define __read_mostly

void udelay(unsigned long us);

/* the local APIC */
#define APIC_DM_NMI 0x400
#define APIC_DM_FIXED 0
#define APIC_LVTPC 0x340
#define APIC_LVT_MASKED (1 << 16)
#define MSR_IA32_RTIT_CTL 0x570
#define RTIT_CTL_TRACEEN BIT(0)
#define round_up(x, y) (((x) + (y) - 1) / (y) * (y))

struct apic {
	u32 (*read)(u32 reg);
	void (*write)(u32 reg, u32 value);
};

extern struct apic *apic;

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

/* parameters of the module, and numbers that are changed as a whole */
#define module_param(name, type, mode) _Static_assert(sizeof(name) && (mode), "")
#define MODULE_PARM_DESC(name, text) _Static_assert(sizeof(name) && sizeof(text), "")
#define SZ_1M 0x100000
#define array_size(nr, size) ((size_t)(nr) * (size))
#define cpu_to_node(cpu) ((int)(cpu))
#define cond_resched() ((void)0)
#define NL_SET_ERR_MSG(extack, text) ((extack)->_msg = (text))
#define ATOMIC_INIT(value) { value }
#define ATOMIC64_INIT(value) { value }

typedef struct {
	int counter;
} atomic_t;

typedef struct {
	s64 counter;
} atomic64_t;

static inline int atomic_read(const atomic_t *from)
{
	return from->counter;
}

static inline int atomic_cmpxchg(atomic_t *of, int old, int new)
{
	int was = of->counter;

	if (was == old)
		of->counter = new;
	return was;
}

static inline s64 atomic64_read(const atomic64_t *from)
{
	return from->counter;
}

static inline bool atomic64_try_cmpxchg(atomic64_t *of, s64 *old, s64 new)
{
	bool same = of->counter == *old;

	if (same)
		of->counter = new;
	*old = of->counter;
	return same;
}

static inline void atomic64_sub(s64 value, atomic64_t *from)
{
	from->counter -= value;
}

unsigned long totalram_pages(void);

/* memory that CPUs share, here used by one of them */
typedef struct {
	unsigned int sequence;
} seqcount_t;

#define smp_load_acquire(from) READ_ONCE(*(from))
#define smp_store_release(to, value) WRITE_ONCE(*(to), value)
#define smp_mb() ((void)0)

/* locks */
struct mutex {
	unsigned int held;
};

#define DEFINE_MUTEX(name) struct mutex name

/* A lock that is taken twice, or released or relied on without having been taken, is an error. */
static inline void mutex_expect(const struct mutex *lock, unsigned int held)
{
	if (lock->held != held)
		abort();
}

static inline void mutex_lock(struct mutex *lock)
{
	mutex_expect(lock, 0);
	lock->held = 1;
}

static inline void mutex_unlock(struct mutex *lock)
{
	mutex_expect(lock, 1);
	lock->held = 0;
}

#define lockdep_assert_held(lock) mutex_expect(lock, 1)
#define DEFINE_RAW_SPINLOCK(name) struct mutex name
#define raw_spin_lock mutex_lock
#define raw_spin_unlock mutex_unlock
#define lockdep_assert_irqs_disabled() ((void)0)

struct nlattr;

/* @_msg, @bad_attr: sentence of a refusal, and the attribute that it is about */
struct netlink_ext_ack {
	const char *_msg;
	const struct nlattr *bad_attr;
};

/* the kernel's log, here without the module's name */
void unit_log(const char *format, ...);
#define pr_info unit_log
#define pr_err unit_log

char *unit_format(const char *format, va_list args);

/* lists */
struct list_head {
	struct list_head *next;
	struct list_head *prev;
};

#define LIST_HEAD(name) struct list_head name = { &name, &name }
#define list_entry(at, type) ((type *)((char *)(at) - offsetof(type, list)))
#define list_for_each_entry(at, head, ...) \
	for ((at) = list_entry((head)->next, __typeof__(*(at))); &(at)->list != (head); \
	     (at) = list_entry((at)->list.next, __typeof__(*(at))))
#define list_for_each_entry_safe(at, after, head, ...) \
	for ((at) = list_entry((head)->next, __typeof__(*(at))); \
	     (after) = list_entry((at)->list.next, __typeof__(*(at))), &(at)->list != (head); \
	     (at) = (after))

static inline void list_add(struct list_head *new, struct list_head *head)
{
	new->next = head->next;
	new->prev = head;
	head->next->prev = new;
	head->next = new;
}

#define struct_size(p, member, nr) \
	(offsetof(__typeof__(*(p)), member) + (nr) * sizeof(*(p)->member))
#define kmalloc kzalloc
#define kvasprintf(flags, format, args) ((void)(flags), unit_format(format, args))
#define __printf(...)

/* PCI devices, their driver, and mapped memory */
#define CONFIG_PCI_MMCONFIG 1
#define PCI_VENDOR_ID_INTEL 0x8086
#define PCI_ANY_ID (~0)
#define PCI_BUS_NUM(at) ((at) >> 8 & 0xff)
#define PCI_SLOT(devfn) ((devfn) >> 3 & 0x1f)
#define PCI_FUNC(devfn) ((devfn) & 7)
#define PROBE_FORCE_SYNCHRONOUS 1
#define NOTIFY_DONE 0
#define NOTIFY_OK 1
#define BUS_NOTIFY_ADD_DEVICE 0
#define BUS_NOTIFY_DEL_DEVICE 1
#define IORESOURCE_SYSTEM_RAM 0
#define IORES_DESC_NONE 0
#define REGION_DISJOINT 1

struct pci_bus {
	int domain;
	u8 number;
	u8 primary;
	u8 max_bus_speed;
	u8 cur_bus_speed;
};

struct device_driver {
	const char *name;
	const char *mod_name;
	int probe_type;
	bool suppress_bind_attrs;
};

struct device {
	struct device_driver *driver;
	unsigned int locked;
};

struct pci_dev {
	struct pci_bus *bus;
	unsigned int devfn;
	unsigned short vendor;
	unsigned short device;
	unsigned short subsystem_vendor;
	unsigned short subsystem_device;
	unsigned int class;
	unsigned int irq;
	u32 devcap;
	struct device dev;
	int references;
	bool untrusted;
};

struct pci_device_id {
	u32 vendor, device;
	u32 subvendor, subdevice;
};

struct pci_driver {
	const char *name;
	const struct pci_device_id *id_table;
	int (*probe)(struct pci_dev *pci, const struct pci_device_id *id);
	void (*remove)(struct pci_dev *pci);
	struct device_driver driver;
};

struct bus_type {
	const char *name;
};

struct notifier_block {
	int (*notifier_call)(struct notifier_block *block, unsigned long action, void *data);
	int priority;
};

struct acpi_table_header {
	char signature[4];
	u32 length;
	u32 oem_revision;
	u32 asl_compiler_revision;
};

struct acpi_table_mcfg {
	struct acpi_table_header header;
	u64 reserved;
};

struct acpi_mcfg_allocation {
	u64 address;
	u16 pci_segment;
	u8 start_bus_number;
	u8 end_bus_number;
	u32 reserved;
};

#define ACPI_SIG_MCFG "MCFG"
#define ACPI_FAILURE(status) (status)
#define to_pci_dev(of) ((struct pci_dev *)((char *)(of) - offsetof(struct pci_dev, dev)))
#define device_lock(dev) ((dev)->locked++)
#define device_unlock(dev) ((dev)->locked--)
#define pci_dbg(dev, ...) ((void)(dev))

extern struct bus_type pci_bus_type;
extern unsigned int nr_node_ids;

int acpi_get_table(const char *signature, u32 instance, struct acpi_table_header **table);
void acpi_put_table(struct acpi_table_header *table);
struct pci_dev *pci_get_device(unsigned int vendor, unsigned int device, struct pci_dev *from);
struct pci_dev *pci_get_domain_bus_and_slot(int domain, unsigned int bus, unsigned int devfn);
struct pci_dev *pci_dev_get(struct pci_dev *dev);
void pci_dev_put(struct pci_dev *dev);
const char *pci_name(const struct pci_dev *dev);
int pci_domain_nr(const struct pci_bus *bus);
int pci_read_config_dword(const struct pci_dev *dev, int where, u32 *value);
int pci_write_config_dword(const struct pci_dev *dev, int where, u32 value);
int pci_bus_read_config_dword(struct pci_bus *bus, unsigned int devfn, int where, u32 *value);
int pci_register_driver(struct pci_driver *driver);
void pci_unregister_driver(struct pci_driver *driver);
int bus_register_notifier(struct bus_type *bus, struct notifier_block *block);
int bus_unregister_notifier(struct bus_type *bus, struct notifier_block *block);
int device_driver_attach(struct device_driver *driver, struct device *dev);
void device_release_driver(struct device *dev);
struct device_driver *driver_find(const char *name, struct bus_type *bus);
void *ioremap(phys_addr_t at, size_t size);
void iounmap(void *at);
u32 readl(const void *at);
u64 readq(const void *at);
void writel(u32 value, void *at);
void writeq(u64 value, void *at);
void *request_mem_region(phys_addr_t at, size_t size, const char *name);
void release_mem_region(phys_addr_t at, size_t size);
int region_intersects(phys_addr_t at, size_t size, unsigned long flags, unsigned long kind);

#endif /* UNIT_MODULE_H */
