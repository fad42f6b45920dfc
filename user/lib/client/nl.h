/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sends generic netlink requests and receives their replies, by libmnl.
 */
#ifndef BPMU_NL_H
#define BPMU_NL_H

#include <stdbool.h>
#include <libmnl/libmnl.h>

#include "arch.h"
#include "base/error.h"

#define BPMU_NL_BUFFER 65536

/**
 * struct bpmu_nl - a generic netlink socket
 * @socket: socket of libmnl, NULL if closed
 * @family: number of the module's family
 * @group: number of the family's multicast group
 * @seq: sequence number of the latest request
 * @buffer: memory for requests and replies
 */
struct bpmu_nl {
	struct mnl_socket *socket;
	u16 family;
	u32 group;
	u32 seq;
	char buffer[BPMU_NL_BUFFER];
};

int bpmu_nl_open(struct bpmu_nl *nl, const struct bpmu_nl *known,
		 struct bpmu_error *err);
void bpmu_nl_close(struct bpmu_nl *nl);
struct nlmsghdr *bpmu_nl_request(struct bpmu_nl *nl, u8 command, u16 flags);
int bpmu_nl_call(struct bpmu_nl *nl, struct nlmsghdr *request, mnl_cb_t reply,
		 void *data, struct bpmu_error *err);
int bpmu_nl_join(struct bpmu_nl *nl, struct bpmu_error *err);
int bpmu_nl_drain(struct bpmu_nl *nl, struct bpmu_error *err);

#endif /* BPMU_NL_H */
