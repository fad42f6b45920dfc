/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Refusals of requests by a sentence that stands in a table, or is composed for the request.
 * NL_SET_ERR_MSG() can report neither, because its argument must be a literal.
 */
#ifndef BPMU_REFUSAL_H
#define BPMU_REFUSAL_H

#include <linux/compiler_attributes.h>
#include <linux/netlink.h>

/**
 * bpmu_refuse() - refuse a request with a constant sentence, for example from a table
 * @extack: extended ACK of the request
 * @sentence: the sentence, which exists as long as the module is loaded
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
