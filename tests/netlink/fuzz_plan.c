// SPDX-License-Identifier: GPL-2.0
#include "fuzz_plan.h"

#include <string.h>

#include <libmnl/libmnl.h>
#include <linux/barepmu.h>
#include <linux/genetlink.h>

static uint64_t cpus_of(const struct nlattr *attr)
{
	const uint32_t *cpus = mnl_attr_get_payload(attr);
	unsigned int nr = mnl_attr_get_payload_len(attr) / sizeof(*cpus);
	uint64_t set = 0;
	unsigned int i;

	for (i = 0; i < nr; i++)
		if (cpus[i] < 64)
			set |= 1ULL << cpus[i];
	return set;
}

/**
 * fuzz_plan_read() - what a configuration or a swap asks for
 * @machine: on which
 * @message: each of its attributes is legal
 *
 * Return: the plan; of an attribute that may stand there once the last counts.
 */
struct fuzz_plan fuzz_plan_read(const struct fuzz_machine *machine,
				const struct fuzz_message *message)
{
	struct fuzz_plan plan = {
		.hybrid = fuzz_hybrid(machine, UINT64_MAX),
	};
	const struct nlattr *attr;

	mnl_attr_for_each(attr, &message->head, GENL_HDRLEN) {
		switch (mnl_attr_get_type(attr)) {
		case BPMU_A_CPUS:
			plan.hybrid = fuzz_hybrid(machine, cpus_of(attr));
			break;
		case BPMU_A_INTERVAL_NS:
			plan.turns = mnl_attr_get_u64(attr);
			break;
		case BPMU_A_WHO:
			plan.who = true;
			break;
		case BPMU_A_GROUP:
			plan.nr[FUZZ_FIRST]++;
			break;
		case BPMU_A_OTHER_GROUP:
			plan.nr[FUZZ_OTHER]++;
			break;
		case BPMU_A_UNCORE_GROUP:
			plan.nr[FUZZ_UNCORE]++;
			break;
		}
	}
	return plan;
}

/**
 * fuzz_plan_swap() - take another plan's groups
 * @plan: keeps its other settings
 * @by: as read from the swap
 */
void fuzz_plan_swap(struct fuzz_plan *plan, const struct fuzz_plan *by)
{
	memcpy(plan->nr, by->nr, sizeof(plan->nr));
}

/**
 * fuzz_plan_wrong() - must a plan be refused for its groups
 * @plan: which
 *
 * Return: why, or NULL.
 */
const char *fuzz_plan_wrong(const struct fuzz_plan *plan)
{
	unsigned int most = 0, all = 0;
	int i;

	for (i = 0; i < FUZZ_NR_GROUPS; i++) {
		most = plan->nr[i] > most ? plan->nr[i] : most;
		all += plan->nr[i];
	}
	if (!all)
		return "no group";
	if (plan->nr[FUZZ_OTHER] && !plan->hybrid)
		return "groups of another kind where all CPUs are alike";
	if (plan->hybrid && !plan->nr[FUZZ_FIRST] != !plan->nr[FUZZ_OTHER])
		return "groups of one kind for CPUs of two";
	if (most > 1 && !plan->turns)
		return "several groups without an interval";
	return NULL;
}

/**
 * fuzz_plan_stays() - must a swap be refused for the groups that there are
 * @plan: the session's
 * @by: as read from the swap
 *
 * Return: why, or NULL.
 */
const char *fuzz_plan_stays(const struct fuzz_plan *plan,
			    const struct fuzz_plan *by)
{
	struct fuzz_plan next = *plan;

	fuzz_plan_swap(&next, by);
	if (!plan->nr[FUZZ_FIRST] != !next.nr[FUZZ_FIRST] ||
	    !plan->nr[FUZZ_UNCORE] != !next.nr[FUZZ_UNCORE])
		return "groups of a sort that the session had not, or had";
	return fuzz_plan_wrong(&next);
}
