/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Messages that nobody asked for: the multicast group.
 */
#ifndef BPMU_NETLINK_NOTIFY_H
#define BPMU_NETLINK_NOTIFY_H

struct bpmu_session_info;

void bpmu_notify_state(const struct bpmu_session_info *info);
void bpmu_notify_watermark(void);
void bpmu_notify_exit(void);

#endif /* BPMU_NETLINK_NOTIFY_H */
