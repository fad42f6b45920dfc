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

static uint32_t first_counter(const struct nlattr *group)
{
	const struct nlattr *event, *attr;

	mnl_attr_for_each_nested(event, group)
		mnl_attr_for_each_nested(attr, event)
			if (mnl_attr_get_type(attr) == BPMU_A_EVENT_COUNTER)
				return mnl_attr_get_u32(attr);
	return 0;
}

/*
 * Returns the scope of a group of free-running registers: 0 for a thread, 1 for a core, 2 for the
 * package. The enumeration in arch/free.h has the registers of these scopes in this order.
 */
static unsigned int scope_of(const struct nlattr *group)
{
	uint32_t counter = first_counter(group) - BPMU_COUNTER_FREE;

	return counter < 6 ? 0 : counter < 13 ? 1 : 2;
}

/*
 * Returns the number of the first counter of a type of boxes (uncore units): the type that counts
 * the events of an uncore group.
 */
static uint32_t box_of(const struct nlattr *group)
{
	static const uint32_t firsts[] = {
		BPMU_COUNTER_UNCORE, BPMU_COUNTER_L3, BPMU_COUNTER_DF, BPMU_COUNTER_UMC,
		BPMU_COUNTER_CHA, BPMU_COUNTER_PCU, BPMU_COUNTER_UBOX, BPMU_COUNTER_IMC,
		BPMU_COUNTER_HA, BPMU_COUNTER_LINK, BPMU_COUNTER_IIO, BPMU_COUNTER_IRP,
		BPMU_COUNTER_EDC_ECLK, BPMU_COUNTER_EDC_UCLK, BPMU_COUNTER_IMC_UCLK,
		BPMU_COUNTER_M2PCIE,
	};
	uint32_t counter = first_counter(group);
	uint32_t first = 0;
	size_t i;

	for (i = 0; i < sizeof(firsts) / sizeof(*firsts); i++)
		if (firsts[i] <= counter && firsts[i] > first)
			first = firsts[i];
	return first;
}

static unsigned int max_groups_of_box_type(const struct fuzz_message *message)
{
	const struct nlattr *group, *other;
	unsigned int most = 0, nr;

	mnl_attr_for_each(group, &message->head, GENL_HDRLEN) {
		if (mnl_attr_get_type(group) != BPMU_A_UNCORE_GROUP)
			continue;
		nr = 0;
		mnl_attr_for_each(other, &message->head, GENL_HDRLEN)
			nr += mnl_attr_get_type(other) == BPMU_A_UNCORE_GROUP &&
			      box_of(other) == box_of(group);
		most = nr > most ? nr : most;
	}
	return most;
}

/**
 * fuzz_plan_read() - find out which groups and settings a fuzzed message asks for
 * @machine: the machine on which the module runs
 * @message: BPMU_CMD_CONFIGURE or BPMU_CMD_SWAP, with legal attributes
 *
 * Return: the groups and settings. If a setting occurs more than once, the last value counts.
 */
struct fuzz_plan fuzz_plan_read(const struct fuzz_machine *machine,
				const struct fuzz_message *message)
{
	struct fuzz_plan plan = {
		.hybrid = fuzz_hybrid(machine, UINT64_MAX),
		.same_boxes = max_groups_of_box_type(message),
	};
	const struct nlattr *attr;

	mnl_attr_for_each(attr, &message->head, GENL_HDRLEN) {
		switch (mnl_attr_get_type(attr)) {
		case BPMU_A_CPUS:
			plan.hybrid = fuzz_hybrid(machine, cpus_of(attr));
			break;
		case BPMU_A_INTERVAL_NS:
			plan.interval = mnl_attr_get_u64(attr);
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
		case BPMU_A_FREE_GROUP:
			plan.nr[FUZZ_FREE + scope_of(attr)]++;
			break;
		}
	}
	return plan;
}

/**
 * fuzz_plan_groups() - find the types of groups that the fuzzer's session has
 * @plan: groups of the session
 *
 * BPMU_CMD_SWAP, which replaces the session's groups, must have groups of the same types.
 *
 * Return: set of attributes, as BPMU_A_GROUP, bit n for attribute n; 0 if there are no groups.
 */
uint64_t fuzz_plan_groups(const struct fuzz_plan *plan)
{
	static const uint16_t attrs[FUZZ_NR_GROUPS] = {
		[FUZZ_FIRST] = BPMU_A_GROUP,
		[FUZZ_OTHER] = BPMU_A_OTHER_GROUP,
		[FUZZ_UNCORE] = BPMU_A_UNCORE_GROUP,
		[FUZZ_FREE] = BPMU_A_FREE_GROUP,
		[FUZZ_FREE + 1] = BPMU_A_FREE_GROUP,
		[FUZZ_FREE + 2] = BPMU_A_FREE_GROUP,
	};
	uint64_t groups = 0;
	int i;

	for (i = 0; i < FUZZ_NR_GROUPS; i++)
		if (plan->nr[i])
			groups |= 1ULL << attrs[i];
	return groups;
}

/**
 * fuzz_plan_swap() - replace the groups of the fuzzer's session, as BPMU_CMD_SWAP does
 * @plan: input and output: groups and settings of the session; the settings remain
 * @by: the new groups, from fuzz_plan_read()
 */
void fuzz_plan_swap(struct fuzz_plan *plan, const struct fuzz_plan *by)
{
	memcpy(plan->nr, by->nr, sizeof(plan->nr));
	plan->same_boxes = by->same_boxes;
}

/**
 * fuzz_plan_wrong() - find out if the groups of the fuzzer's session would be illegal together
 * @plan: groups and settings that the session would have after a configuration or a swap
 *
 * Return: the reason, a string, or NULL if the groups are legal together.
 */
const char *fuzz_plan_wrong(const struct fuzz_plan *plan)
{
	unsigned int most = plan->same_boxes, all = 0;
	int i;

	for (i = 0; i < FUZZ_NR_GROUPS; i++) {
		if (i != FUZZ_UNCORE)
			most = plan->nr[i] > most ? plan->nr[i] : most;
		all += plan->nr[i];
	}
	if (!all)
		return "no group";
	if (plan->nr[FUZZ_OTHER] && !plan->hybrid)
		return "groups of another core type where the CPUs have one";
	if (plan->hybrid && !plan->nr[FUZZ_FIRST] != !plan->nr[FUZZ_OTHER])
		return "groups of one core type for CPUs of two";
	for (i = FUZZ_FREE; i < FUZZ_NR_GROUPS; i++)
		if (plan->nr[i] > 1)
			return "several groups of registers of one sort";
	if (most > 1 && !plan->interval)
		return "several groups without an interval";
	return NULL;
}

/**
 * fuzz_plan_stays() - find out if the groups of the fuzzer's session may be replaced by others
 * @plan: groups and settings of the session
 * @by: the groups of BPMU_CMD_SWAP, from fuzz_plan_read()
 *
 * Return: NULL if they may, otherwise the reason why not, a string.
 */
const char *fuzz_plan_stays(const struct fuzz_plan *plan,
			    const struct fuzz_plan *by)
{
	struct fuzz_plan next = *plan;
	int i;

	fuzz_plan_swap(&next, by);
	for (i = 0; i < FUZZ_NR_GROUPS; i++)
		if (i != FUZZ_OTHER && !plan->nr[i] != !next.nr[i])
			return "groups of a sort that the session had not, or had";
	return fuzz_plan_wrong(&next);
}
