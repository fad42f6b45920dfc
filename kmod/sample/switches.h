/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Context switches: what a CPU has recorded of one thread is read or cleared before another thread
 * runs.
 */
#ifndef BPMU_SWITCHES_H
#define BPMU_SWITCHES_H

struct netlink_ext_ack;

int bpmu_switches_begin(void (*call)(void), struct netlink_ext_ack *extack);
void bpmu_switches_end(void);

#endif /* BPMU_SWITCHES_H */
