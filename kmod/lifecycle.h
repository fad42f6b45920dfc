/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What befalls the machine while a session is on: CPUs that come and go, sleep,
 * hibernation, reboot and kexec.
 */
#ifndef BPMU_LIFECYCLE_H
#define BPMU_LIFECYCLE_H

int bpmu_lifecycle_init(void);
void bpmu_lifecycle_exit(void);

#endif /* BPMU_LIFECYCLE_H */
