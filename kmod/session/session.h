/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The session: its owner, settings, groups and CPUs, from the request that configures the session
 * to the request that releases it. The module has at most one session at a time.
 */
#ifndef BPMU_SESSION_H
#define BPMU_SESSION_H

#include <linux/barepmu.h>
#include <linux/types.h>

#include "counters.h"
#include "sample/events.h"

struct bpmu_owner;
struct pci_dev;
struct sk_buff;

bool bpmu_session_counters_busy(void);

int bpmu_session_configure(struct sk_buff *request,
			   struct bpmu_counted *counted, struct netlink_ext_ack *extack);
int bpmu_session_start(struct sk_buff *request, struct netlink_ext_ack *extack);
int bpmu_session_stop(struct sk_buff *request, struct netlink_ext_ack *extack);
int bpmu_session_sample(struct sk_buff *request, struct netlink_ext_ack *extack);
int bpmu_session_swap_settings(struct sk_buff *request,
			       struct bpmu_settings *settings,
			       struct netlink_ext_ack *extack);
int bpmu_session_swap(struct sk_buff *request, const struct bpmu_settings *settings,
		      struct bpmu_plan *plan, struct netlink_ext_ack *extack);
int bpmu_session_release(struct sk_buff *request, struct netlink_ext_ack *extack);
void bpmu_session_port_closed(u32 port);

/**
 * struct bpmu_session_view - the session as a reader sees it who holds the session's lock
 * @state: &enum bpmu_state
 * @owner: owner of the session, empty without a session
 * @counted: settings, plan and memory; @counted.settings is NULL without a session
 * @run: number of the latest run
 */
struct bpmu_session_view {
	enum bpmu_state state;
	const struct bpmu_owner *owner;
	const struct bpmu_counted *counted;
	u32 run;
};

void bpmu_session_view_begin(struct bpmu_session_view *view);
int bpmu_session_read_begin(struct sk_buff *request, bool reader,
			    struct bpmu_session_view *view, bool *owner,
			    struct netlink_ext_ack *extack);
void bpmu_session_view_end(void);

void bpmu_session_cpu_online(unsigned int cpu);
void bpmu_session_cpu_offline(unsigned int cpu);
void bpmu_session_device_removed(struct pci_dev *pci);
void bpmu_session_sleep(void);
void bpmu_session_wake(void);
void bpmu_session_shutdown(void);

#endif /* BPMU_SESSION_H */
