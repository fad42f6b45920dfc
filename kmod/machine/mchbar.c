// SPDX-License-Identifier: GPL-2.0
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include "mchbar.h"

#include <linux/io.h>
#include <linux/ioport.h>
#include <linux/pci.h>

#include "free.h"

#define NOT_COUNTED "the memory controllers' registers are not read, and memory's lines not counted"

/* nothing is written there. NULL if there is none; constant after the module's load */
static const void __iomem *page;

/* where nothing is all bits are alike; since power on some line was read */
static bool mchbar_answers(void)
{
	u32 reads = bpmu_mchbar_read(bpmu_free_at(BPMU_FREE_BASE +
						  BPMU_FREE_MEMORY_READS)->mchbar);

	return reads && reads != ~0U;
}

static void map_page(struct pci_dev *host)
{
	resource_size_t at;
	u32 low, high;

	if (pci_read_config_dword(host, BPMU_MCHBAR, &low) ||
	    pci_read_config_dword(host, BPMU_MCHBAR + 4, &high) ||
	    low == ~0U || !(low & BPMU_MCHBAR_ENABLED)) {
		pr_info("%s: firmware has not enabled MCHBAR: " NOT_COUNTED "\n",
			pci_name(host));
		return;
	}
	at = (((u64)high << 32 | low) & PAGE_MASK) + BPMU_MCHBAR_COUNTERS;
	if (region_intersects(at, PAGE_SIZE, IORESOURCE_SYSTEM_RAM,
			      IORES_DESC_NONE) != REGION_DISJOINT) {
		pr_info("%s: MCHBAR is where the machine has RAM: " NOT_COUNTED "\n",
			pci_name(host));
		return;
	}
	page = ioremap(at, PAGE_SIZE);
	if (!page) {
		pr_info("%s: MCHBAR cannot be mapped: " NOT_COUNTED "\n",
			pci_name(host));
	} else if (!mchbar_answers()) {
		pr_info("%s: nothing answers in MCHBAR: " NOT_COUNTED "\n",
			pci_name(host));
		bpmu_mchbar_forget();
	}
}

/**
 * bpmu_mchbar_find() - map the memory controllers' registers of a part
 * @part: descriptor
 *
 * Where there are none the log says why.
 *
 * Context: module load, may sleep; once.
 */
void bpmu_mchbar_find(const struct bpmu_part *part)
{
	const u16 *id = part->hosts;
	struct pci_dev *host = NULL;

	if (!id)
		return;
	for (; *id && !host; id++)
		host = pci_get_device(PCI_VENDOR_ID_INTEL, *id, NULL);
	if (!host) {
		pr_info("no PCI device is a host bridge of this part: " NOT_COUNTED "\n");
		return;
	}
	map_page(host);
	pci_dev_put(host);
}

/**
 * bpmu_mchbar_forget() - unmap them
 *
 * Context: module unload or its failed load, without a session; may sleep.
 */
void bpmu_mchbar_forget(void)
{
	if (page)
		iounmap((void __iomem *)page);
	page = NULL;
}

/**
 * bpmu_mchbar_found() - can the registers be read
 *
 * Context: any, after bpmu_mchbar_find().
 * Return: true if so.
 */
bool bpmu_mchbar_found(void)
{
	return page;
}

/**
 * bpmu_mchbar_read() - read a register
 * @offset: in MCHBAR, of a register in &struct bpmu_free
 *
 * Context: any, while they are found; the sampling path.
 * Return: its 32 bits.
 */
u32 bpmu_mchbar_read(u32 offset)
{
	return readl(page + (offset - BPMU_MCHBAR_COUNTERS));
}
