/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The client's inside, for its own files alone.
 */
#ifndef BPMU_CLIENT_OWN_H
#define BPMU_CLIENT_OWN_H

#include "client.h"
#include "nl.h"

/**
 * struct bpmu_client - a connection to the module
 * @nl: requests go here; the session belongs to this socket
 * @listen: multicast messages come here
 * @record_size: bytes of a sample record, from the latest configuration or plan
 */
struct bpmu_client {
	struct bpmu_nl nl;
	struct bpmu_nl listen;
	u32 record_size;
};

int bpmu_client_take_u32(const struct nlattr *attr, u32 *to);
int bpmu_client_take_u64(const struct nlattr *attr, u64 *to);
int bpmu_client_take_cpus(const struct nlattr *attr, struct bpmu_cpulist *to);
int bpmu_client_take_text(const struct nlattr *attr, char *to, size_t size);

#endif /* BPMU_CLIENT_OWN_H */
