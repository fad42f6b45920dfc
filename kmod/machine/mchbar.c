// SPDX-License-Identifier: GPL-2.0
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include "mchbar.h"

#include <linux/io.h>
#include <linux/pci.h>

#include "free.h"
#include "ram.h"

#define NOT_COUNTED "the memory controllers' registers are not read, and memory's lines not counted"

/* largest number of memory controllers with registers of their own, of any part */
#define CONTROLLERS 2

/*
 * Mapped registers of the controllers that answer, without gaps, then NULL, [CONTROLLERS];
 * constant after the module's load. The module only reads them.
 */
static const void __iomem *controllers[CONTROLLERS];

static u64 mchbar_load(const void __iomem *from, const struct bpmu_free *reg)
{
	return reg->width > 32 ? readq(from + reg->mchbar) : readl(from + reg->mchbar);
}

/*
 * Unmapped addresses read as 0 or as all ones. A present counter of read lines is neither:
 * firmware has read memory since power-on.
 */
static bool mchbar_answers(const void __iomem *from, const struct bpmu_part *part)
{
	u32 id = part->free & BPMU_FREE(MEMORY64_READS) ? BPMU_FREE_MEMORY64_READS :
							  BPMU_FREE_MEMORY_READS;
	const struct bpmu_free *reg = bpmu_free_at(BPMU_FREE_BASE + id);
	u64 reads = mchbar_load(from, reg);

	return reads && reads != bpmu_free_value(reg, ~0ULL);
}

/* returns NULL, or why the controller with registers at address @at is not mapped */
static const char *map_controller(const struct bpmu_part *part, resource_size_t at)
{
	const void __iomem *from;

	if (bpmu_is_ram(at, BPMU_MCHBAR_BYTES))
		return "MCHBAR overlaps RAM";
	from = ioremap(at, BPMU_MCHBAR_BYTES);
	if (!from)
		return "MCHBAR cannot be mapped";
	if (!mchbar_answers(from, part)) {
		iounmap((void __iomem *)from);
		return "nothing answers in MCHBAR";
	}
	controllers[!!controllers[0]] = from;
	return NULL;
}

/*
 * A controller that does not answer has no memory, or is missing in this model: the sum of
 * the others is still complete.
 */
static void map_controllers(struct pci_dev *host, const struct bpmu_part *part,
			    const struct bpmu_mchbar *mchbar)
{
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
	at = (((u64)high << 32 | low) & PAGE_MASK) + mchbar->base;
	for (i = 0; i < nr; i++)
		why[i] = map_controller(part, at + i * mchbar->step);
	if (!controllers[0]) {
		pr_info("%s: %s: " NOT_COUNTED "\n", pci_name(host), why[0]);
		return;
	}
	for (i = 0; i < nr; i++)
		if (why[i])
			pr_info("%s: %s for memory controller %u: the lines of the other are counted\n",
				pci_name(host), why[i], i);
}

/*
 * @mchbar: array ended by an entry without hosts; set to the entry of the bridge
 * Return: the host bridge with a reference held, or NULL.
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
 * bpmu_mchbar_find() - map the registers of a part's memory controllers
 * @part: descriptor; nothing is done if it has no &bpmu_part.mchbar
 *
 * The log names each controller that is not mapped, and why.
 *
 * Context: module load, may sleep; once.
 */
void bpmu_mchbar_find(const struct bpmu_part *part)
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
	map_controllers(host, part, mchbar);
	pci_dev_put(host);
}

/**
 * bpmu_mchbar_forget() - unmap the registers of the memory controllers
 *
 * Context: module unload or its failed load, without a session; may sleep.
 */
void bpmu_mchbar_forget(void)
{
	unsigned int i;

	for (i = 0; i < CONTROLLERS; i++) {
		if (controllers[i])
			iounmap((void __iomem *)controllers[i]);
		controllers[i] = NULL;
	}
}

/**
 * bpmu_mchbar_found() - whether a memory controller is mapped
 *
 * Context: any, after bpmu_mchbar_find().
 * Return: true if bpmu_mchbar_read() may be called.
 */
bool bpmu_mchbar_found(void)
{
	return controllers[0];
}

/**
 * bpmu_mchbar_read() - read a free-running counter
 * @reg: descriptor of the counter; &bpmu_free.mchbar is its offset in MCHBAR
 *
 * Context: any, if bpmu_mchbar_found(); the sampling path.
 * Return: the raw counts of all mapped controllers, added modulo 2^64.
 */
u64 bpmu_mchbar_read(const struct bpmu_free *reg)
{
	u64 sum = mchbar_load(controllers[0], reg);

	return controllers[1] ? sum + mchbar_load(controllers[1], reg) : sum;
}
