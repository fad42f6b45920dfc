/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Private state of a client. Only client.c and the tests of client.c include this.
 */
#ifndef BPMU_CLIENT_OWN_H
#define BPMU_CLIENT_OWN_H

#include "nl.h"

/**
 * struct bpmu_client - a connection to the module
 * @nl: socket for requests; the module ends the session when this socket is closed
 * @listen: socket for multicast messages
 * @record_size: size of a sample record in bytes, from the module's latest reply to
 *	BPMU_CMD_CONFIGURE or BPMU_CMD_GET_PLAN
 */
struct bpmu_client {
	struct bpmu_nl nl;
	struct bpmu_nl listen;
	u32 record_size;
};

#endif /* BPMU_CLIENT_OWN_H */
