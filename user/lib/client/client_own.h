/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The client's inside, for the client and its tests alone.
 */
#ifndef BPMU_CLIENT_OWN_H
#define BPMU_CLIENT_OWN_H

#include "nl.h"

/**
 * struct bpmu_client - a connection to the module
 * @nl: requests go here; the session belongs to this socket
 * @listen: multicast messages come here
 * @record_size: bytes of a sample record under the latest configuration or plan
 */
struct bpmu_client {
	struct bpmu_nl nl;
	struct bpmu_nl listen;
	u32 record_size;
};

#endif /* BPMU_CLIENT_OWN_H */
