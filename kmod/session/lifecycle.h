/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Load and unload of the module, and the events of the machine that the module follows while it is
 * loaded: CPU hotplug, suspend, hibernation, reboot and kexec.
 */
#ifndef BPMU_LIFECYCLE_H
#define BPMU_LIFECYCLE_H

int bpmu_lifecycle_init(void);
void bpmu_lifecycle_exit(void);

#endif /* BPMU_LIFECYCLE_H */
