/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The successor of a removed PCI device: the device that a rescan of the bus finds at the same
 * place.
 */
#ifndef BPMU_SUCCESSOR_H
#define BPMU_SUCCESSOR_H

#include <linux/pci.h>

/**
 * bpmu_successor() - find the PCI device that succeeds a removed one at its place
 * @old: the removed device, or one that is being removed; a reference is held
 *
 * Context: process.
 * Return: another device with the same identifiers, with a reference held; NULL if there is none.
 */
static inline struct pci_dev *bpmu_successor(const struct pci_dev *old)
{
	struct pci_dev *pci = pci_get_domain_bus_and_slot(pci_domain_nr(old->bus),
							  old->bus->number, old->devfn);

	if (pci && pci != old && pci->vendor == old->vendor && pci->device == old->device)
		return pci;
	pci_dev_put(pci);
	return NULL;
}

#endif /* BPMU_SUCCESSOR_H */
