// SPDX-License-Identifier: GPL-2.0
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include "memory_counters.h"

#include <linux/io.h>
#include <linux/mutex.h>
#include <linux/pci.h>
#include <linux/smp.h>
#include <linux/topology.h>

#include "free.h"
#include "ram.h"
#include "successor.h"

#define NOT_COUNTED "the memory controllers' registers are not read, and memory's lines not counted"

/*
 * Maximum numbers of memory controllers of a client, of memory controllers of a server's package,
 * and of packages
 */
#define CONTROLLERS 2
#define CONTROLLERS_OF_PACKAGE 4
#define PACKAGES 8
#define ANY_PACKAGE (-1)

/**
 * struct controller - a memory controller whose counters can be read
 * @pci: PCI device that holds the address of the counters; a reference is held
 * @at: physical address of the counters
 * @mapped: where the counters are mapped, read-only; NULL from the removal of @pci until another
 *	device is found at its place
 * @gone: @pci was removed, and is kept because it says where a successor appears
 */
struct controller {
	struct pci_dev *pci;
	resource_size_t at;
	const void __iomem *mapped;
	bool gone;
};

/**
 * struct package - the memory controllers of one package that have mapped counters
 * @package: physical package number; ANY_PACKAGE on a client, which has one package
 * @nr: number of controllers, at least 1
 * @controller: the controllers, [@nr]
 */
struct package {
	int package;
	unsigned int nr;
	struct controller controller[CONTROLLERS_OF_PACKAGE];
};

/*
 * Packages that have memory controllers with counters, [nr_packages]. The array is constant after
 * the module was loaded, except for the members of controllers that removed_lock protects.
 */
static struct package packages[PACKAGES];
static unsigned int nr_packages;

/*
 * Counter that a memory controller has in all cases: memory_answers() reads it to see if the
 * controller exists. It is constant after the module was loaded.
 */
static const struct bpmu_free *shown_by;

/*
 * Protects the members of struct controller that change when its PCI device is removed or is back
 */
static DEFINE_MUTEX(removed_lock);

static const struct bpmu_free *lines_register(u32 id)
{
	return bpmu_free_at(BPMU_COUNTER_FREE + id);
}

static u64 memory_load(const void __iomem *from, const struct bpmu_free *reg)
{
	return reg->width > 32 ? readq(from + reg->mchbar) : readl(from + reg->mchbar);
}

/*
 * Returns true if a memory controller's counters are mapped at @from. An address without registers
 * reads as 0 or as all ones. The count of lines read from memory is neither of them, because
 * firmware has read memory since power-on.
 */
static bool memory_answers(const void __iomem *from)
{
	u64 value = memory_load(from, shown_by);

	return value && value != bpmu_free_value(shown_by, ~0ULL);
}

/*
 * Returns an unused element of &package.controller for a controller of the package; the package is
 * added to @packages if it is new. Returns NULL if either array is full.
 */
static struct controller *slot_of(int package)
{
	struct package *p = packages;

	while (p < packages + nr_packages && p->package != package)
		p++;
	if (p == packages + PACKAGES || p->nr == CONTROLLERS_OF_PACKAGE)
		return NULL;
	if (p == packages + nr_packages)
		nr_packages++;
	p->package = package;
	return &p->controller[p->nr++];
}

/*
 * Maps the memory controller whose counters are at physical address @at, and adds it to its
 * package. Returns NULL; if the controller is not mapped, returns the reason for the log.
 */
static const char *map_controller(struct pci_dev *pci, int package, resource_size_t at)
{
	const void __iomem *from;
	struct controller *slot;

	if (bpmu_is_ram(at, BPMU_MCHBAR_BYTES))
		return "the registers overlap RAM";
	from = ioremap(at, BPMU_MCHBAR_BYTES);
	if (!from)
		return "the registers cannot be mapped";
	if (!memory_answers(from)) {
		iounmap((void __iomem *)from);
		return "nothing answers at their address";
	}
	slot = slot_of(package);
	if (!slot) {
		iounmap((void __iomem *)from);
		return "there are more packages or controllers than this module has room for";
	}
	slot->pci = pci_dev_get(pci);
	slot->at = at;
	slot->mapped = from;
	return NULL;
}

/*
 * Maps the counters of a client's memory controllers, whose address the host bridge holds, and
 * calls @add for the PMU box of each one mapped. A controller that does not answer has no memory,
 * or does not exist in this CPU model. The sum of the counts is complete without it.
 */
static void map_controllers(struct pci_dev *host, const struct bpmu_part *part,
			    const struct bpmu_mchbar *mchbar, bpmu_memory_box_fn *add)
{
	const struct bpmu_box *box = bpmu_uncore_box(part, BPMU_UNIT_IMC);
	unsigned int nr = mchbar->step ? CONTROLLERS : 1;
	const char *why[CONTROLLERS];
	resource_size_t at;
	unsigned int i;
	u32 low, high;

	if (pci_read_config_dword(host, BPMU_MCHBAR, &low) ||
	    pci_read_config_dword(host, BPMU_MCHBAR + 4, &high) ||
	    low == ~0U || !(low & BPMU_MCHBAR_ENABLED)) {
		pr_info("%s: firmware has not enabled MCHBAR: " NOT_COUNTED "\n",
			pci_name(host));
		return;
	}
	shown_by = lines_register(part->free & BPMU_FREE(MEMORY64_READS) ?
					  BPMU_FREE_MEMORY64_READS : BPMU_FREE_MEMORY_READS);
	at = ((u64)high << 32 | low) & PAGE_MASK;
	for (i = 0; i < nr; i++, at += mchbar->step) {
		why[i] = map_controller(host, ANY_PACKAGE, at + mchbar->base);
		if (!why[i] && mchbar->box)
			add(host, box, i, at + mchbar->box);
	}
	if (!nr_packages) {
		pr_info("%s: MCHBAR: %s: " NOT_COUNTED "\n", pci_name(host), why[0]);
		return;
	}
	for (i = 0; i < nr; i++)
		if (why[i])
			pr_info("%s: MCHBAR, memory controller %u: %s: the lines of the other are counted\n",
				pci_name(host), i, why[i]);
}

/*
 * Finds the machine's host bridge. At the call *@mchbar is the first element of an array, which
 * ends with an element without hosts. Sets *@mchbar to the element that lists the bridge. Returns
 * the bridge, with a reference that the caller drops; NULL if no element lists a bridge of this
 * machine.
 */
static struct pci_dev *find_host_bridge(const struct bpmu_mchbar **mchbar)
{
	struct pci_dev *host;
	const u16 *id;

	for (; (*mchbar)->hosts; ++*mchbar)
		for (id = (*mchbar)->hosts; *id; id++) {
			host = pci_get_device(PCI_VENDOR_ID_INTEL, *id, NULL);
			if (host)
				return host;
		}
	return NULL;
}

/**
 * bpmu_memory_find() - find and map the counters of a client's memory controllers
 * @part: descriptor of the CPU model; nothing is done if it has no &bpmu_part.mchbar
 * @add: called for each controller that is mapped, if the CPU model's controllers have a PMU box
 *
 * The log names each controller that is not mapped, and the reason.
 *
 * Context: module load, may sleep; once.
 */
void bpmu_memory_find(const struct bpmu_part *part, bpmu_memory_box_fn *add)
{
	const struct bpmu_mchbar *mchbar = part->mchbar;
	struct pci_dev *host;

	if (!mchbar)
		return;
	host = find_host_bridge(&mchbar);
	if (!host) {
		pr_info("no PCI device is a host bridge of this part: " NOT_COUNTED "\n");
		return;
	}
	map_controllers(host, part, mchbar, add);
	pci_dev_put(host);
}

/**
 * bpmu_memory_add() - map the counters of a server's memory controller
 * @dev: PCI device that holds the address of the counters
 * @package: physical package number; negative if it is unknown, and then nothing is mapped
 * @controller: index of the controller in the package, for the log
 * @at: physical address of the counters
 *
 * If the controller is not mapped, the log says why.
 *
 * Context: module load, may sleep.
 */
void bpmu_memory_add(struct pci_dev *dev, int package, unsigned int controller,
		     resource_size_t at)
{
	const char *why = "no UBox identifies the package";

	shown_by = lines_register(BPMU_FREE_MEMORY48_READS);
	if (package >= 0)
		why = map_controller(dev, package, at);
	if (why)
		pr_info("%s: memory controller %u, free-running counters at %pa: %s: lines of its memory are not counted\n",
			pci_name(dev), controller, &at, why);
}

static void unmap_controller(struct controller *c)
{
	/* NULL is not passed to iounmap(), because iounmap() warns of NULL since Linux 6.11. */
	if (c->mapped)
		iounmap((void __iomem *)c->mapped);
	c->mapped = NULL;
}

/**
 * bpmu_memory_forget() - unmap the counters of all memory controllers
 *
 * Context: module unload or failed load, without a session; may sleep. No device's removal is
 * reported to the module any more.
 */
void bpmu_memory_forget(void)
{
	struct package *p;

	for (; nr_packages; nr_packages--) {
		p = &packages[nr_packages - 1];
		while (p->nr) {
			unmap_controller(&p->controller[--p->nr]);
			pci_dev_put(p->controller[p->nr].pci);
		}
	}
}

typedef bool controller_fn(struct controller *c, const struct pci_dev *pci);

/*
 * Calls @visit for all memory controllers, with @pci as its argument. Returns true if any call
 * returned true.
 */
static bool any_controller(controller_fn *visit, const struct pci_dev *pci)
{
	bool any = false;
	unsigned int i, k;

	mutex_lock(&removed_lock);
	for (i = 0; i < nr_packages; i++)
		for (k = 0; k < packages[i].nr; k++)
			any |= visit(&packages[i].controller[k], pci);
	mutex_unlock(&removed_lock);
	return any;
}

static bool lose(struct controller *c, const struct pci_dev *pci)
{
	if (c->pci != pci)
		return false;
	WRITE_ONCE(c->gone, true);
	return true;
}

/**
 * bpmu_memory_lose() - mark as gone the memory controllers whose address a PCI device holds
 * @pci: device that is being removed
 *
 * No session begins to read these controllers afterwards.
 *
 * Context: process, may sleep.
 * Return: true if @pci holds the address of a controller; bpmu_memory_unmap() must then be called
 * as soon as no CPU reads the counters.
 */
bool bpmu_memory_lose(const struct pci_dev *pci)
{
	return any_controller(lose, pci);
}

static bool unmap_lost(struct controller *c, const struct pci_dev *pci)
{
	if (c->pci != pci || !c->gone)
		return false;
	unmap_controller(c);
	return true;
}

/**
 * bpmu_memory_unmap() - unmap the counters of memory controllers that bpmu_memory_lose() marked
 * @pci: device for which bpmu_memory_lose() returned true
 *
 * Context: process, may sleep; no CPU reads the counters.
 */
void bpmu_memory_unmap(const struct pci_dev *pci)
{
	any_controller(unmap_lost, pci);
}

/*
 * Maps the counters of a memory controller again after its PCI device was removed. A device must be
 * at the same place now, and the counters must answer. Returns true if this call has mapped them.
 */
static bool find_again(struct controller *c, const struct pci_dev *unused)
{
	struct pci_dev *pci;

	if (!c->gone)
		return false;
	pci = bpmu_successor(c->pci);
	if (!pci)
		return false;
	c->mapped = ioremap(c->at, BPMU_MCHBAR_BYTES);
	if (!c->mapped || !memory_answers(c->mapped)) {
		unmap_controller(c);
		pci_dev_put(pci);
		return false;
	}
	pci_dev_put(c->pci);
	c->pci = pci;
	WRITE_ONCE(c->gone, false);
	return true;
}

/**
 * bpmu_memory_find_again() - map memory controllers whose PCI device was removed and is back
 *
 * Context: process, may sleep.
 */
void bpmu_memory_find_again(void)
{
	any_controller(find_again, NULL);
}

/**
 * bpmu_memory_found() - check if the counters of any memory controller are mapped
 *
 * Context: any, after bpmu_memory_find() and bpmu_devices_find().
 * Return: true if at least one package has a controller with mapped counters.
 */
bool bpmu_memory_found(void)
{
	return nr_packages;
}

static const struct package *controllers_of(unsigned int cpu)
{
	int package = topology_physical_package_id(cpu);
	unsigned int i;

	for (i = 0; i < nr_packages; i++)
		if (packages[i].package == package || packages[i].package == ANY_PACKAGE)
			return &packages[i];
	return NULL;
}

/**
 * bpmu_memory_here() - check if the memory controllers of this CPU's package can be read
 *
 * Context: preemption off.
 * Return: true if bpmu_memory_read() may be called on this CPU, until a PCI device is removed;
 * false if the package has no mapped controllers, or if the device of one of them was removed.
 */
bool bpmu_memory_here(void)
{
	const struct package *p = controllers_of(smp_processor_id());
	unsigned int i;

	if (!p)
		return false;
	for (i = 0; i < p->nr; i++)
		if (READ_ONCE(p->controller[i].gone))
			return false;
	return true;
}

/**
 * bpmu_memory_has() - check if a PCI device has the address of a CPU's memory controllers
 * @cpu: number of the CPU
 * @pci: the device
 *
 * Context: any.
 * Return: true if @pci holds the address of a memory controller in the CPU's package.
 */
bool bpmu_memory_has(unsigned int cpu, const struct pci_dev *pci)
{
	const struct package *p = controllers_of(cpu);
	unsigned int i;

	for (i = 0; p && i < p->nr; i++)
		if (p->controller[i].pci == pci)
			return true;
	return false;
}

/**
 * bpmu_memory_read() - read a free-running counter of the memory controllers of this CPU's package
 * @reg: descriptor of the counter; &bpmu_free.mchbar is its offset in the mapped range
 *
 * Context: preemption off, after bpmu_memory_here() returned true; the sampling path.
 * Return: the raw counts of all mapped controllers, added modulo 2^64.
 */
u64 bpmu_memory_read(const struct bpmu_free *reg)
{
	const struct package *p = controllers_of(smp_processor_id());
	u64 sum = 0;
	unsigned int i;

	for (i = 0; i < p->nr; i++)
		sum += memory_load(p->controller[i].mapped, reg);
	return sum;
}
