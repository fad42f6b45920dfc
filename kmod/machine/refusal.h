/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sentences of refusals that NL_SET_ERR_MSG() cannot report: those of a table, and those
 * that are composed for a request.
 */
#ifndef BPMU_REFUSAL_H
#define BPMU_REFUSAL_H

#include <linux/compiler_attributes.h>
#include <linux/netlink.h>

/**
 * bpmu_refuse() - report a sentence of a table
 * @extack: extended ACK of the request
 * @sentence: constant
 *
 * Context: any.
 */
static inline void bpmu_refuse(struct netlink_ext_ack *extack, const char *sentence)
{
	extack->_msg = sentence;
}

__printf(2, 3) void bpmu_refuse_fmt(struct netlink_ext_ack *extack, const char *format, ...);
void bpmu_refusals_free(void);

#endif /* BPMU_REFUSAL_H */
