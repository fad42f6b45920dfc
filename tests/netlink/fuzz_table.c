// SPDX-License-Identifier: GPL-2.0
#include "fuzz_table.h"

#include <linux/barepmu.h>
#include <linux/netlink.h>

#define NR(array) (sizeof(array) / sizeof((array)[0]))
#define IN(state) (1U << BPMU_STATE_##state)

/*
 * Legal values of the attributes of a core event, one event per row: counter, event select, counter
 * that counts the event on the core's second thread, filter. The module accepts a row on each CPU
 * model that has the counter.
 */
static const uint64_t event_rows[][FUZZ_COLUMNS] = {
	{ 0, 0x100c0, 0 },
	{ 1, 0x3003c, 1 },
	{ BPMU_COUNTER_FIXED, 0x30000, BPMU_COUNTER_FIXED },
	{ BPMU_COUNTER_FIXED + 1, 0x10000, BPMU_COUNTER_FIXED + 1 },
	{ 3, 0x18300c0, 3 },
	{ BPMU_COUNTER_FIXED + 2, 0x20000, BPMU_COUNTER_FIXED + 2 },
	{ 4, 0x48300c0, 4 },
	{ 2, 0x2100c0 | 1ULL << 18, 2 },
	{ BPMU_COUNTER_FIXED + 3, 0x10000, BPMU_COUNTER_FIXED + 3 },
	{ BPMU_COUNTER_METRICS, 0x10000, BPMU_COUNTER_METRICS },
	{ 0, 0x301b7, 0, 0x10001 },
	{ 1, 0x301bb, 1, 0x3f80000002 },
	{ 2, 0x101c6, 2, 0x11 },
};

#define BOX(number) \
	(BPMU_COUNTER_UNCORE + (number) * BPMU_COUNTERS_PER_BOX)

#define CHANNELS_CLOCK (BPMU_COUNTER_IMC + 4)
#define LAST (BPMU_COUNTER_M2PCIE + 3)

_Static_assert(LAST - BOX(0) < FUZZ_MOST_VALUES, "a counter is beyond FUZZ_MOST_VALUES");

/*
 * Legal values of an uncore event, one event per row. Intel's clients: clock, arbiter, first CBo.
 * AMD: L3, data fabric, memory controller. Intel's servers: CBo, PCU, UBox and its clock, memory
 * channel and its clock, home agent, QPI link, IIO stack; from Ice Lake on: IIO stack, UPI link,
 * M2M, CHA; on Sapphire Rapids: CHA, memory channel.
 */
static const uint64_t uncore_rows[][FUZZ_COLUMNS] = {
	{ BOX(0), 0, BOX(0) },
	{ BOX(1), 0x181, BOX(1) },
	{ BOX(2), 0x8f34, BOX(2) },
	{ BOX(1) + 1, 0x1000181, BOX(1) + 1 },
	{ BOX(2) + 1, 0x1f34, BOX(2) + 1 },
	{ BPMU_COUNTER_L3, 0x0300c00000000104, BPMU_COUNTER_L3 },
	{ BPMU_COUNTER_DF, 0x20f00fedf, BPMU_COUNTER_DF },
	{ BPMU_COUNTER_UMC, 0x10a, BPMU_COUNTER_UMC },
	{ BPMU_COUNTER_CHA, 0x835, BPMU_COUNTER_CHA },
	{ BPMU_COUNTER_PCU, 0x300c080, BPMU_COUNTER_PCU },
	{ BPMU_COUNTER_UBOX, 0x842, BPMU_COUNTER_UBOX },
	{ BPMU_COUNTER_UBOX + 2, 0, BPMU_COUNTER_UBOX + 2 },
	{ BPMU_COUNTER_IMC, 0x304, BPMU_COUNTER_IMC },
	{ CHANNELS_CLOCK, 0, CHANNELS_CLOCK },
	{ BPMU_COUNTER_HA, 0x301, BPMU_COUNTER_HA },
	{ BPMU_COUNTER_LINK + 3, 0x200802, BPMU_COUNTER_LINK + 3 },
	{ BPMU_COUNTER_IIO + 3, 0x7010000004c0, BPMU_COUNTER_IIO + 3 },
	{ BPMU_COUNTER_IIO, 0x7080000000483, BPMU_COUNTER_IIO },
	{ BPMU_COUNTER_LINK, 0xf02, BPMU_COUNTER_LINK },
	{ BPMU_COUNTER_HA + 1, 0x700000437, BPMU_COUNTER_HA + 1 },
	{ BPMU_COUNTER_CHA + 1, 0x80135, BPMU_COUNTER_CHA + 1, 0x5 },
	{ BPMU_COUNTER_CHA + 2, 0xc001fe00000135, BPMU_COUNTER_CHA + 2 },
	{ BPMU_COUNTER_IMC + 1, 0xcf05, BPMU_COUNTER_IMC + 1 },
};

/*
 * Attributes of a core event. On every CPU model, the module refuses the bits INT, PC, EN and 63:36
 * of an event select; AMD's events use bits 35:32. The filter of a core event is the value of an
 * extra register; on every CPU model, the module refuses bits 62:52 of the filter.
 */
static const struct fuzz_attr event_attrs[] = {
	{
		.name = "EVENT_COUNTER", .type = BPMU_A_EVENT_COUNTER,
		.format = FUZZ_U32, .odds = 100, .needed = true, .unique = true,
		.high = 63,
	}, {
		.name = "EVENT_SELECT", .type = BPMU_A_EVENT_SELECT,
		.format = FUZZ_U64, .odds = 100, .needed = true,
		.high = UINT64_MAX,
		.never = 1 << 19 | 1 << 20 | 1 << 22 | ~0xfffffffffULL,
	}, {
		.name = "EVENT_SIBLING", .type = BPMU_A_EVENT_SIBLING,
		.format = FUZZ_U32, .odds = 5, .high = 63,
	}, {
		.name = "EVENT_FILTER", .type = BPMU_A_EVENT_FILTER,
		.format = FUZZ_U64, .odds = 30, .zero_ok = true,
		.high = UINT64_MAX,
		.never = 0x7ffULL << 52,
	}, {
		.name = "EVENT_PERIOD", .type = BPMU_A_EVENT_PERIOD,
		.format = FUZZ_U32, .odds = 5, .low = BPMU_MIN_PERIOD,
		.high = BPMU_MAX_PERIOD,
	}, {
		.name = "EVENT_PRECISE", .type = BPMU_A_EVENT_PRECISE, .format = FUZZ_FLAG,
		.odds = 2,
	}, {
		.name = "EVENT_FREQUENCY", .type = BPMU_A_EVENT_FREQUENCY,
		.format = FUZZ_U32, .odds = 2, .low = 1, .high = BPMU_MAX_FREQUENCY,
	}, {
		.name = "EVENT_DATA", .type = BPMU_A_EVENT_DATA, .format = FUZZ_FLAG, .odds = 2,
	},
};

static const struct fuzz_set event_set = {
	.attrs = event_attrs, .nr = NR(event_attrs),
	.rows = event_rows, .nr_rows = NR(event_rows),
};

/*
 * Attributes of an uncore event. LAST is the highest number of an uncore counter. @never has the
 * bits of an event select that every uncore unit must have as 0. In the fuzzer's guests only CHAs
 * have a filter, which is the number of a thread.
 */
static const struct fuzz_attr uncore_event_attrs[] = {
	{
		.name = "EVENT_COUNTER", .type = BPMU_A_EVENT_COUNTER,
		.format = FUZZ_U32, .odds = 100, .needed = true, .unique = true,
		.low = BOX(0), .high = LAST,
	}, {
		.name = "EVENT_SELECT", .type = BPMU_A_EVENT_SELECT,
		.format = FUZZ_U64, .odds = 100, .needed = true,
		.high = UINT64_MAX,
		.never = 0x3 << 16 | 0x5 << 20,
	}, {
		.name = "EVENT_SIBLING", .type = BPMU_A_EVENT_SIBLING,
		.format = FUZZ_U32, .odds = 5, .low = BOX(0), .high = LAST,
	}, {
		.name = "EVENT_FILTER", .type = BPMU_A_EVENT_FILTER,
		.format = FUZZ_U64, .odds = 30, .zero_ok = true,
		.high = 0x1ff,
	}, {
		.name = "EVENT_PERIOD", .type = BPMU_A_EVENT_PERIOD,
		.format = FUZZ_U32, .odds = 2, .low = BPMU_MIN_PERIOD,
		.high = BPMU_MAX_PERIOD,
	}, {
		.name = "EVENT_PRECISE", .type = BPMU_A_EVENT_PRECISE, .format = FUZZ_FLAG,
		.odds = 2,
	}, {
		.name = "EVENT_FREQUENCY", .type = BPMU_A_EVENT_FREQUENCY,
		.format = FUZZ_U32, .odds = 2, .low = 1, .high = BPMU_MAX_FREQUENCY,
	}, {
		.name = "EVENT_DATA", .type = BPMU_A_EVENT_DATA, .format = FUZZ_FLAG, .odds = 2,
	},
};

static const struct fuzz_set uncore_event_set = {
	.attrs = uncore_event_attrs, .nr = NR(uncore_event_attrs),
	.rows = uncore_rows, .nr_rows = NR(uncore_rows), .scattered = true,
};

static const struct fuzz_attr uncore_group_attrs[] = {
	{
		.name = "GROUP_EVENT", .type = BPMU_A_GROUP_EVENT,
		.format = FUZZ_NEST, .odds = 100, .needed = true,
		.most = BPMU_MAX_COUNTERS, .inner = &uncore_event_set,
	},
};

static const struct fuzz_set uncore_group_set = {
	.attrs = uncore_group_attrs, .nr = NR(uncore_group_attrs),
};

/*
 * Number of a free-running register. free_rows has registers of a core, one per row: the TSC, and
 * the residencies in C-states 6, 7 and 3.
 */
#define REGISTER(number) (BPMU_COUNTER_FREE + (number))

static const uint64_t free_rows[][FUZZ_COLUMNS] = {
	{ REGISTER(6), 0, REGISTER(6) },
	{ REGISTER(9), 0, REGISTER(9) },
	{ REGISTER(10), 0, REGISTER(10) },
	{ REGISTER(8), 0, REGISTER(8) },
};

/* Attributes of an event of a free-running register. No register has a number above 40. */
static const struct fuzz_attr free_event_attrs[] = {
	{
		.name = "EVENT_COUNTER", .type = BPMU_A_EVENT_COUNTER,
		.format = FUZZ_U32, .odds = 100, .needed = true, .unique = true,
		.low = REGISTER(0), .high = REGISTER(40),
	}, {
		.name = "EVENT_SELECT", .type = BPMU_A_EVENT_SELECT,
		.format = FUZZ_U64, .odds = 100, .needed = true,
		.zero_ok = true, .never = UINT64_MAX,
	}, {
		.name = "EVENT_SIBLING", .type = BPMU_A_EVENT_SIBLING,
		.format = FUZZ_U32, .odds = 5, .low = REGISTER(0),
		.high = REGISTER(40),
	}, {
		.name = "EVENT_FILTER", .type = BPMU_A_EVENT_FILTER,
		.format = FUZZ_U64, .odds = 5, .zero_ok = true,
		.never = UINT64_MAX,
	},
};

static const struct fuzz_set free_event_set = {
	.attrs = free_event_attrs, .nr = NR(free_event_attrs),
	.rows = free_rows, .nr_rows = NR(free_rows),
};

static const struct fuzz_attr free_group_attrs[] = {
	{
		.name = "GROUP_EVENT", .type = BPMU_A_GROUP_EVENT,
		.format = FUZZ_NEST, .odds = 100, .needed = true,
		.most = BPMU_MAX_COUNTERS, .inner = &free_event_set,
	},
};

static const struct fuzz_set free_group_set = {
	.attrs = free_group_attrs, .nr = NR(free_group_attrs),
};

static const struct fuzz_attr group_attrs[] = {
	{
		.name = "GROUP_EVENT", .type = BPMU_A_GROUP_EVENT,
		.format = FUZZ_NEST, .odds = 100, .needed = true,
		.most = BPMU_MAX_COUNTERS, .inner = &event_set,
	},
};

static const struct fuzz_set group_set = {
	.attrs = group_attrs, .nr = NR(group_attrs),
};

/*
 * Intervals in ns, of which the fuzzer draws one. The shortest is only one of eight, because with
 * this interval a debug kernel does nothing but take samples.
 */
static const uint64_t intervals[] = {
	0, BPMU_MIN_INTERVAL_NS, 1000000, 10000000, 10000001, 50000000,
	1000000000, 3000000000,
};

static const uint64_t timers[] = {
	BPMU_TIMER_AUTO, BPMU_TIMER_HARD, BPMU_TIMER_TICK,
};

/*
 * Buffer sizes in samples. Few messages leave the size to the module. The module's default may be
 * megabytes, which are slow to allocate.
 */
static const uint64_t buffers[] = { 8, 9, 64, 1000 };
static const uint64_t chains[] = { 1, 2, BPMU_MAX_CHAIN };
static const uint64_t branches[] = { BPMU_BRANCH_KIND_ANY, BPMU_BRANCH_KIND_CALLS };
static const uint64_t batches[] = { 1, 2, BPMU_MAX_BATCH };
static const uint64_t tops[] = { 1, 1000, INT32_MAX };
static const uint64_t prefetchers[] = { 0, 1, 0xc, 0xf };
static const uint64_t checks[] = {
	0, BPMU_CHECK_LEAK, BPMU_CHECK_SELECT, BPMU_CHECK_PERIOD, BPMU_CHECK_FREEZE
};

static const uint64_t info_cpus[] = { 0, 1 };
static const uint64_t watermarks[] = { 1, 2, 32, UINT32_MAX };

static const struct fuzz_attr configure_attrs[] = {
	{
		.name = "CPUS", .type = BPMU_A_CPUS, .format = FUZZ_CPUS,
		.odds = 30, .high = FUZZ_MAX_CPU - 1,
	}, {
		.name = "GROUP", .type = BPMU_A_GROUP, .format = FUZZ_NEST,
		.odds = 97, .most = BPMU_MAX_GROUPS, .inner = &group_set,
	}, {
		.name = "OTHER_GROUP", .type = BPMU_A_OTHER_GROUP,
		.format = FUZZ_NEST, .odds = 75, .hybrid = true,
		.most = BPMU_MAX_GROUPS, .inner = &group_set,
	}, {
		.name = "UNCORE_GROUP", .type = BPMU_A_UNCORE_GROUP,
		.format = FUZZ_NEST, .odds = 25, .most = BPMU_MAX_GROUPS,
		.inner = &uncore_group_set,
	}, {
		.name = "FREE_GROUP", .type = BPMU_A_FREE_GROUP,
		.format = FUZZ_NEST, .odds = 3, .most = 3,
		.inner = &free_group_set,
	}, {
		.name = "TIMER", .type = BPMU_A_TIMER, .format = FUZZ_U32,
		.odds = 30, .zero_ok = true, .high = BPMU_TIMER_TICK,
		.good = timers, .nr_good = NR(timers),
	}, {
		.name = "INTERVAL_NS", .type = BPMU_A_INTERVAL_NS,
		.format = FUZZ_U64, .odds = 50, .zero_ok = true,
		.low = BPMU_MIN_INTERVAL_NS, .high = 3600000000000ULL,
		.good = intervals, .nr_good = NR(intervals),
	}, {
		.name = "BUFFER_SAMPLES", .type = BPMU_A_BUFFER_SAMPLES,
		.format = FUZZ_U32, .odds = 97,
		.low = 8, .high = BPMU_MAX_BUFFER_SAMPLES,
		.good = buffers, .nr_good = NR(buffers),
	}, {
		.name = "WATERMARK", .type = BPMU_A_WATERMARK,
		.format = FUZZ_U32, .odds = 30, .low = 1, .high = UINT32_MAX,
		.good = watermarks, .nr_good = NR(watermarks),
	}, {
		.name = "TOP", .type = BPMU_A_TOP,
		.format = FUZZ_U32, .odds = 10, .low = 1, .high = INT32_MAX,
		.good = tops, .nr_good = NR(tops),
	}, {
		.name = "PREFETCH", .type = BPMU_A_PREFETCH,
		.format = FUZZ_U32, .odds = 10, .zero_ok = true, .high = 0xf,
		.good = prefetchers, .nr_good = NR(prefetchers),
	}, {
		.name = "CHECK", .type = BPMU_A_CHECK,
		.format = FUZZ_U32, .odds = 10, .zero_ok = true,
		.high = BPMU_CHECK_LEAK | BPMU_CHECK_SELECT |
			BPMU_CHECK_PERIOD | BPMU_CHECK_FREEZE,
		.good = checks, .nr_good = NR(checks),
	}, {
		.name = "WHO", .type = BPMU_A_WHO, .format = FUZZ_FLAG,
		.odds = 10,
	}, {
		.name = "TAKE_OVER", .type = BPMU_A_TAKE_OVER,
		.format = FUZZ_FLAG, .odds = 10,
	}, {
		.name = "CHAIN", .type = BPMU_A_CHAIN,
		.format = FUZZ_U32, .odds = 5, .low = 1, .high = BPMU_MAX_CHAIN,
		.good = chains, .nr_good = NR(chains),
	}, {
		.name = "BRANCHES", .type = BPMU_A_BRANCHES,
		.format = FUZZ_U32, .odds = 5, .zero_ok = true,
		.high = BPMU_BRANCH_KIND_CALLS,
		.good = branches, .nr_good = NR(branches),
	}, {
		.name = "BATCH", .type = BPMU_A_BATCH,
		.format = FUZZ_U32, .odds = 5, .low = 1, .high = BPMU_MAX_BATCH,
		.good = batches, .nr_good = NR(batches),
	}, {
		.name = "COUNTS", .type = BPMU_A_COUNTS,
		.format = FUZZ_FLAG, .odds = 10,
	},
};

static const struct fuzz_set configure_set = {
	.attrs = configure_attrs, .nr = NR(configure_attrs),
};

static const struct fuzz_attr swap_attrs[] = {
	{
		.name = "GROUP", .type = BPMU_A_GROUP, .format = FUZZ_NEST,
		.odds = 97, .most = BPMU_MAX_GROUPS, .inner = &group_set,
	}, {
		.name = "OTHER_GROUP", .type = BPMU_A_OTHER_GROUP,
		.format = FUZZ_NEST, .odds = 75, .hybrid = true,
		.most = BPMU_MAX_GROUPS, .inner = &group_set,
	}, {
		.name = "UNCORE_GROUP", .type = BPMU_A_UNCORE_GROUP,
		.format = FUZZ_NEST, .odds = 10, .most = BPMU_MAX_GROUPS,
		.inner = &uncore_group_set,
	}, {
		.name = "FREE_GROUP", .type = BPMU_A_FREE_GROUP,
		.format = FUZZ_NEST, .odds = 3, .most = 3,
		.inner = &free_group_set,
	},
};

static const struct fuzz_set swap_set = {
	.attrs = swap_attrs, .nr = NR(swap_attrs),
};

static const struct fuzz_attr info_attrs[] = {
	{
		.name = "INFO_CPU", .type = BPMU_A_INFO_CPU, .format = FUZZ_U32,
		.odds = 30, .high = FUZZ_MAX_CPU - 1,
		.good = info_cpus, .nr_good = NR(info_cpus),
	},
};

static const struct fuzz_set info_set = {
	.attrs = info_attrs, .nr = NR(info_attrs),
};

static const struct fuzz_attr read_attrs[] = {
	{
		.name = "FROM", .type = BPMU_A_FROM, .format = FUZZ_POSITIONS,
		.odds = 20, .high = FUZZ_MAX_CPU - 1,
	},
};

static const struct fuzz_set read_set = {
	.attrs = read_attrs, .nr = NR(read_attrs),
};

static const struct fuzz_set empty_set;

const struct fuzz_command fuzz_commands[] = {
	{
		.name = "GET_INFO", .number = BPMU_CMD_GET_INFO, .weight = 10,
		.states = IN(IDLE) | IN(READY) | IN(RUNNING), .next = -1,
		.set = &info_set,
	}, {
		.name = "GET_INFO as a dump", .number = BPMU_CMD_GET_INFO,
		.flags = NLM_F_DUMP, .weight = 4,
		.states = IN(IDLE) | IN(READY) | IN(RUNNING), .next = -1,
		.set = &info_set,
	}, {
		.name = "CONFIGURE", .number = BPMU_CMD_CONFIGURE,
		.weight = 30, .owner = true, .states = IN(IDLE) | IN(READY),
		.next = BPMU_STATE_READY, .set = &configure_set,
	}, {
		.name = "START", .number = BPMU_CMD_START, .weight = 12,
		.owner = true, .states = IN(READY),
		.next = BPMU_STATE_RUNNING, .set = &empty_set,
	}, {
		.name = "STOP", .number = BPMU_CMD_STOP, .weight = 10,
		.owner = true, .states = IN(RUNNING),
		.next = BPMU_STATE_READY, .set = &empty_set,
	}, {
		.name = "SWAP", .number = BPMU_CMD_SWAP, .weight = 40,
		.owner = true, .states = IN(RUNNING),
		.next = -1, .set = &swap_set,
	}, {
		.name = "SAMPLE", .number = BPMU_CMD_SAMPLE, .weight = 10,
		.owner = true, .states = IN(RUNNING), .next = -1,
		.set = &empty_set,
	}, {
		.name = "READ", .number = BPMU_CMD_READ, .flags = NLM_F_DUMP,
		.weight = 14, .owner = true, .readers = true,
		.states = IN(READY) | IN(RUNNING), .next = -1, .set = &read_set,
	}, {
		.name = "GET_PLAN", .number = BPMU_CMD_GET_PLAN, .weight = 4,
		.owner = true, .readers = true,
		.states = IN(READY) | IN(RUNNING),
		.next = -1, .set = &empty_set,
	}, {
		.name = "RELEASE", .number = BPMU_CMD_RELEASE, .weight = 4,
		.owner = true, .states = IN(IDLE) | IN(READY) | IN(RUNNING),
		.next = BPMU_STATE_IDLE, .set = &empty_set,
	},
};

const size_t fuzz_nr_commands = NR(fuzz_commands);

/**
 * fuzz_command() - find a command by its number in the fuzzer's table
 * @number: any number
 *
 * Return: the first row of the table with this command, or NULL if the table does not have it.
 */
const struct fuzz_command *fuzz_command(uint8_t number)
{
	size_t i;

	for (i = 0; i < fuzz_nr_commands; i++)
		if (fuzz_commands[i].number == number)
			return &fuzz_commands[i];
	return NULL;
}

/**
 * fuzz_attr() - find an attribute by its type in the fuzzer's table
 * @set: attributes that are legal at this nesting level of a message
 * @type: type of the attribute, without flags
 *
 * Return: the attribute, or NULL if it is illegal at this nesting level.
 */
const struct fuzz_attr *fuzz_attr(const struct fuzz_set *set, uint16_t type)
{
	size_t i;

	for (i = 0; i < set->nr; i++)
		if (set->attrs[i].type == type)
			return &set->attrs[i];
	return NULL;
}
