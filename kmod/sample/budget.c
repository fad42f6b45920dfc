// SPDX-License-Identifier: GPL-2.0
#include "budget.h"

#include <linux/atomic.h>
#include <linux/mm.h>
#include <linux/moduleparam.h>
#include <linux/netlink.h>
#include <linux/sizes.h>

/*
 * Module parameter: limit of the memory of all samplers in MiB; 0: an eighth of the machine's
 * memory
 */
static unsigned long buffer_mib;
module_param(buffer_mib, ulong, 0644);
MODULE_PARM_DESC(buffer_mib,
		 "limit of all sample buffers in MiB; 0: an eighth of the machine's memory");

/* Number of bytes taken from the budget, by the session and by requests that are being handled. */
static atomic64_t taken = ATOMIC64_INIT(0);

/**
 * bpmu_budget_take() - take memory from the budget of the samplers, before it is allocated
 * @size: bytes
 * @extack: set to a sentence on refusal
 *
 * The module parameter buffer_mib limits the sum that the session, and all requests that are being
 * handled, have taken together.
 *
 * Context: process.
 * Return: true if @size was taken; false if the limit does not allow that, and then nothing is
 * taken.
 */
bool bpmu_budget_take(u64 size, struct netlink_ext_ack *extack)
{
	u64 limit = (u64)READ_ONCE(buffer_mib) * SZ_1M;
	s64 now = atomic64_read(&taken);

	if (!limit)
		limit = (u64)totalram_pages() * PAGE_SIZE / 8;
	if (size > limit) {
		NL_SET_ERR_MSG(extack,
			       "the buffers are larger than buffer_mib allows; ask for fewer samples");
		return false;
	}
	do {
		if (now + size > limit) {
			NL_SET_ERR_MSG(extack,
				       "other requests hold the memory that buffer_mib allows; try again, or ask for fewer samples");
			return false;
		}
	} while (!atomic64_try_cmpxchg(&taken, &now, now + size));
	return true;
}

/**
 * bpmu_budget_give() - give memory back to the budget of the samplers, after it was freed
 * @size: bytes that bpmu_budget_take() has taken
 *
 * Context: process.
 */
void bpmu_budget_give(u64 size)
{
	atomic64_sub(size, &taken);
}
