// SPDX-License-Identifier: GPL-2.0
/*
 * PMUs of the CBos or CHAs of Intel's servers. There is one CBo per core; the number of CHAs is in
 * an MSR. In the first package the PMUs count events of the simulated cores and memory: lookups in
 * the L3, inserts and occupancy of the TOR, the clock, and, on CHAs, lines read from memory and
 * written to it. A line belongs to slice vcore_slice_of() of the L3. Lookups in slice n are counted
 * by CBo n modulo the number of CBos; written lines are distributed evenly over the CHAs. A TOR
 * entry is allocated when the core sends a request and freed when the data returns; the whole
 * occupancy of an entry is counted at its allocation. Loads, page walks and L2 prefetches have the
 * opcode DRd; prefetches into only the L3 have another opcode. A lookup that hits finds the line in
 * state E, a lookup that misses finds it in state I. The simulated TOR has no write-backs,
 * evictions and non-temporal stores, and no thread IDs.
 *
 * The guest injects all other events by CPUID with a leaf that no CPU has, and six numbers: event,
 * unit mask, number of the CBo in the package, number of occurrences, opcode (for lookups the line
 * state instead), thread ID. All packages but the first count only injected events. The home node
 * of all memory is 0.
 *
 * Source of the registers and of the fields of event selects and filters: Linux,
 * arch/x86/events/intel/uncore_snbep.c, SNBEP_C0_*, IVBEP_CB0_*, HSWEP_C0_*, SKX_CHA_*,
 * icx_cha_msr_offsets; of the event constraints: *_constraints there.
 */
#include "cbo.h"

#include <string.h>

#include "event/uncounted.h"
#include "machine/level.h"
#include "machine/options.h"
#include "machine/topology.h"
#include "memory/tracker.h"

#define BOXES 40
#define COUNTERS 4
#define CODE 0xff
#define CLOCK 0x00
#define LOOKUP 0x34
#define INSERTS 0x35
#define OCCUPANCY 0x36
/* event of a CHA, with unit masks: requests to the CHA's home agent from cores of its package */
#define REQUESTS 0x50
#define REQUESTS_READ 0x01
#define REQUESTS_WRITE 0x04
#define UMASK(select) ((select) >> 8 & 0xff)
#define TID_EN VPMU_BIT(19)
#define EN VPMU_BIT(22)
#define INVERT VPMU_BIT(23)
#define SELECT 0xff5effffull
/*
 * bits of an event select that the virtual PMU does not implement: threshold, invert, edge detect
 */
#define NOT_MODELLED 0xff840000ull
#define CTL_RESET_CONTROLS 0x1
#define CTL_RESET_COUNTERS 0x2
#define CTL_FREEZE 0x100
#define CTL_FREEZE_EN 0x10000

/*
 * bits of a box's filter that select a state of cache lines: I and E in a CBo's filter, E in a
 * CHA's filter
 */
#define INVALID 0x01
#define EXCLUSIVE 0x04
#define CHA_EXCLUSIVE 0x20
/* thread ID of the simulated cores' requests; no filter for a thread matches it */
#define NO_THREAD ~0u

/* unit mask bits of events of the TOR; DATA_READ and ANY_LOOKUP are unit masks of event LOOKUP */
#define OPCODE 0x01
#define MISSED 0x02
#define EVICTED 0x04
#define WRITTEN 0x10
#define DATA_READ 0x03
#define ANY_LOOKUP 0x11
#define LOCAL 0x20
#define NODE 0x40
#define REMOTE 0x80

/*
 * Unit mask of a CHA's TOR events: bits in ASKED select requesters, bits in FOUND select results. A
 * request is counted if the bits of its requester and of its result are both set.
 */
#define ASKED 0x0f
#define ASKED_BY_CORE 0x01
#define FOUND 0x30
#define FOUND_HIT 0x10
#define FOUND_MISS 0x20

/*
 * fields of umask_ext, bits 63:32 of Ice Lake's event selects; 0 in EXT_OPCODE matches all opcodes
 */
#define EXT_BITS (0x3ffffffull << 32)
#define EXT(select) ((select) >> 32)
#define EXT_HIT 0x001
#define EXT_MISS 0x002
#define EXT_LOCAL 0x080
#define EXT_REMOTE 0x100
#define EXT_OPCODE(ext) ((ext) >> 11 & 0x3ff)
/* bits of umask_ext that select the type of the request, for the event LOOKUP */
#define EXT_ASKED 0x1f

/**
 * struct vpmu_cbo_part - CBos or CHAs of a CPU model. Filter fields are 64-bit masks: bits 31:0 are
 * of FILTER0, bits 63:32 of FILTER1
 * @ctl: MSR of the unit control of box 0
 * @select: MSR of event select 0 of box 0
 * @counter: MSR of counter 0 of box 0
 * @filter: MSR of FILTER0 of box 0
 * @filter_high: MSR of FILTER1 of box 0, or 0
 * @step: distance between the MSRs of two adjacent boxes, within each of up to three ranges of MSRs
 * @second: number of the first box of the second range, or 0
 * @second_ctl: MSR of the unit control of the first box of the second range
 * @third: number of the first box of the third range, or 0
 * @third_ctl: MSR of the unit control of the first box of the third range
 * @ext: a CHA has no filter registers; instead umask_ext of the event select has the opcode and the
 *	result
 * @width: width of the counters in bits
 * @two: only counters 0 and 1 count LOOKUP and TOR inserts
 * @freeze_enable: bit 16 of the unit control enables its freeze bit
 * @invert: the event select has an invert bit
 * @boxes: maximum number of boxes
 * @tid: filter field of the thread ID
 * @state: filter field of line states
 * @nodes: filter field of home nodes, or 0
 * @opcode: filter field of the opcode
 * @more: other legal bits of the filter
 * @number: MSR that has the number of CHAs, or 0
 * @opcode_2: filter field of the second opcode; 0 for CBos
 * @all: filter bit with which requests of all opcodes are counted; 0 for CBos
 * @local: filter bit for requests whose home is this package; 0 for CBos
 * @remote: filter bit for requests whose home is another package; 0 for CBos
 * @far: filter bit for requests to memory other than near memory (a memory-side cache); all
 *	simulated requests are such. 0 for CBos
 */
struct vpmu_cbo_part {
	uint32_t ctl;
	uint32_t select;
	uint32_t counter;
	uint32_t filter;
	uint32_t filter_high;
	uint32_t step;
	unsigned int second;
	uint32_t second_ctl;
	unsigned int third;
	uint32_t third_ctl;
	bool ext;
	unsigned int width;
	bool two;
	bool freeze_enable;
	bool invert;
	unsigned int boxes;
	uint64_t tid;
	uint64_t state;
	uint64_t nodes;
	uint64_t opcode;
	uint64_t more;
	uint32_t number;
	uint64_t opcode_2;
	uint64_t all;
	uint64_t local;
	uint64_t remote;
	uint64_t far;
};

const struct vpmu_cbo_part vpmu_jkt_cbo = {
	.ctl = 0xd04, .select = 0xd10, .counter = 0xd16, .filter = 0xd14, .step = 0x20,
	.width = 44, .two = true, .freeze_enable = true, .invert = true, .boxes = 8,
	.tid = 0x1f, .state = 0x7c0000, .nodes = 0x3fc00, .opcode = 0xff800000,
};

const struct vpmu_cbo_part vpmu_ivt_cbo = {
	.ctl = 0xd04, .select = 0xd10, .counter = 0xd16, .filter = 0xd14,
	.filter_high = 0xd1a, .step = 0x20, .width = 44, .two = true, .boxes = 15,
	.tid = 0x1f, .state = 0x7e0000, .nodes = 0xffffull << 32,
	.opcode = 0x1ffull << 52, .more = 0xe0000000000001e0,
};

#define HSX_REGISTERS \
	.ctl = 0xe00, .select = 0xe01, .counter = 0xe08, .filter = 0xe05, \
	.filter_high = 0xe06, .step = 0x10, .width = 48, .freeze_enable = true, \
	.invert = true, .tid = 0x3f, .state = 0xfe0000, .nodes = 0xffffull << 32, \
	.opcode = 0x1ffull << 52, .more = 0xe0000000000003c0

const struct vpmu_cbo_part vpmu_hsx_cbo = { HSX_REGISTERS, .boxes = 18 };
const struct vpmu_cbo_part vpmu_bdx_cbo = { HSX_REGISTERS, .boxes = 24 };

const struct vpmu_cbo_part vpmu_skx_cbo = {
	.ctl = 0xe00, .select = 0xe01, .counter = 0xe08, .filter = 0xe05,
	.filter_high = 0xe06, .step = 0x10, .width = 48, .invert = true, .boxes = BOXES,
	.tid = 0x1ff, .state = 0x7fe0000, .opcode = 0x3ffull << 41,
	.more = 0xe000001000001e00, .number = 0x702, .opcode_2 = 0x3ffull << 51,
	.all = VPMU_BIT(35), .local = VPMU_BIT(33), .remote = VPMU_BIT(32),
	.far = VPMU_BIT(37),
};

const struct vpmu_cbo_part vpmu_icx_cbo = {
	.ctl = 0xe00, .select = 0xe01, .counter = 0xe08, .filter = 0xe05, .step = 0xe,
	.second = 18, .second_ctl = 0xf0a, .third = 34, .third_ctl = 0xb60, .ext = true,
	.width = 48, .invert = true, .boxes = BOXES, .tid = 0x1ff, .number = 0x702,
};

/**
 * struct box - registers of a CBo or CHA
 * @ctl: unit control
 * @filter: FILTER0, with FILTER1 in bits 63:32
 * @select: event selects, [COUNTERS]
 * @counter: counters, [COUNTERS]
 */
struct box {
	uint64_t ctl;
	uint64_t filter;
	uint64_t select[COUNTERS];
	struct vpmu_counter counter[COUNTERS];
};

static struct box boxes[VPMU_MAX_CPUS][BOXES];
/*
 * number of enabled counters that count events of the simulated cores and memory, which only
 * counters of the first package do
 */
static unsigned int nr_running;

/**
 * vpmu_cbo_init() - set the counters of CBos or CHAs to their values at power on
 */
void vpmu_cbo_init(void)
{
	const struct vpmu_cbo_part *part = vpmu_options.part->cbo;
	unsigned int package, box, i;

	memset(boxes, 0, sizeof(boxes));
	nr_running = 0;
	for (package = 0; part && package < VPMU_MAX_CPUS; package++)
		for (box = 0; box < BOXES; box++)
			for (i = 0; i < COUNTERS; i++)
				boxes[package][box].counter[i].value =
					vpmu_start_value(part->width);
}

static struct box *boxes_of(const struct vpmu_cpu *cpu)
{
	return boxes[vpmu_package_of(cpu)];
}

/*
 * Returns the number of boxes of a package: the value of the option chas= or boxes= if one of them
 * is given, else the number of cores of the package.
 */
static unsigned int nr_boxes(const struct vpmu_cbo_part *part)
{
	unsigned int cores = vpmu_nr_cores();

	if (vpmu_options.fabric)
		cores = cores * vpmu_options.fabric / vpmu_nr_cpus();
	if (vpmu_options.boxes || vpmu_options.chas)
		cores = vpmu_options.chas ?: vpmu_options.boxes;
	return cores < part->boxes ? cores : part->boxes;
}

/**
 * vpmu_cbo_number() - number of CBos or CHAs that each simulated package has
 *
 * Return: the number, 0 if the CPU model has neither.
 */
unsigned int vpmu_cbo_number(void)
{
	const struct vpmu_cbo_part *part = vpmu_options.part->cbo;

	return part ? nr_boxes(part) : 0;
}

/* Returns the difference between the MSR numbers of a box and those of box 0. */
static uint32_t cbo_offset(const struct vpmu_cbo_part *part, unsigned int box)
{
	if (part->third && box >= part->third)
		return part->third_ctl - part->ctl + (box - part->third) * part->step;
	if (part->second && box >= part->second)
		return part->second_ctl - part->ctl + (box - part->second) * part->step;
	return box * part->step;
}

/* type of an MSR; NUMBER is the MSR that has the number of CHAs */
enum cbo_register { NONE, CTL, FILTER, FILTER_HIGH, SELECTOR, COUNT, NUMBER };

static enum cbo_register cbo_register_of(const struct vpmu_cbo_part *part,
					 uint32_t msr, unsigned int *box,
					 unsigned int *index)
{
	uint32_t n;

	if (part->number && msr == part->number)
		return NUMBER;
	for (*box = 0; *box < nr_boxes(part); ++*box) {
		n = msr - cbo_offset(part, *box);
		*index = 0;
		if (n == part->ctl)
			return CTL;
		if (n == part->filter)
			return FILTER;
		if (part->filter_high && n == part->filter_high)
			return FILTER_HIGH;
		*index = n - part->select;
		if (*index < COUNTERS)
			return SELECTOR;
		*index = n - part->counter;
		if (*index < COUNTERS)
			return COUNT;
	}
	return NONE;
}

static bool cbo_frozen(const struct vpmu_cbo_part *part, const struct box *b)
{
	uint64_t bits = CTL_FREEZE | (part->freeze_enable ? CTL_FREEZE_EN : 0);

	return (b->ctl & bits) == bits;
}

static uint64_t field(uint64_t filter, uint64_t bits)
{
	return (filter & bits) >> __builtin_ctzll(bits);
}

/**
 * struct occurrence - an event that counters may count: injected, or a request of a simulated core
 * @event: event code
 * @umask: unit mask
 * @opcode: opcode of the request; for event LOOKUP the filter bit of the cache line's state
 * @tid: ID of the requesting thread
 */
struct occurrence {
	uint32_t event;
	uint32_t umask;
	uint32_t opcode;
	uint32_t tid;
};

/*
 * Checks if a counter of a CHA with a filter counts an occurrence of a TOR event. The virtual PMU
 * sets the bit REMOTE in the unit mask of an occurrence if the home of the line is another package.
 * Hardware has no such bit.
 */
static bool in_cha(const struct vpmu_cbo_part *part, const struct occurrence *h,
		   uint64_t filter, unsigned int umask)
{
	if (!(umask & h->umask & ASKED) || !(umask & h->umask & FOUND))
		return false;
	if (!(filter & (h->umask & REMOTE ? part->remote : part->local)) ||
	    !(filter & part->far))
		return false;
	return filter & part->all || field(filter, part->opcode) == h->opcode ||
	       field(filter, part->opcode_2) == h->opcode;
}

static bool in_tor(const struct vpmu_cbo_part *part, const struct occurrence *h,
		   uint64_t filter, unsigned int umask)
{
	unsigned int must = umask & (MISSED | LOCAL | REMOTE);

	if (part->opcode_2)
		return in_cha(part, h, filter, umask);
	if (umask & (EVICTED | WRITTEN))
		return h->umask & umask & (EVICTED | WRITTEN);
	if (umask & OPCODE && field(filter, part->opcode) != h->opcode)
		return false;
	return (h->umask & must) == must;
}

/* Checks if a counter of a CHA without a filter register counts an occurrence of a TOR event. */
static bool in_ext(const struct occurrence *h, uint64_t select)
{
	uint64_t ext = EXT(select);

	return UMASK(select) & h->umask & ASKED &&
	       ext & (h->umask & FOUND_HIT ? EXT_HIT : EXT_MISS) &&
	       ext & (h->umask & REMOTE ? EXT_REMOTE : EXT_LOCAL) &&
	       (!EXT_OPCODE(ext) || EXT_OPCODE(ext) == h->opcode);
}

/*
 * Checks if a counter with event select @select, in a box with filter @filter, counts the event @h.
 */
static bool cbo_passes(const struct vpmu_cbo_part *part,
		       const struct occurrence *h, uint64_t select, uint64_t filter)
{
	unsigned int umask = UMASK(select);
	bool node = part->nodes && umask & NODE;

	if ((select & CODE) != h->event)
		return false;
	if (select & TID_EN && field(filter, part->tid) != h->tid)
		return false;
	if ((h->event < LOOKUP || h->event > OCCUPANCY) && (part->opcode_2 || part->ext))
		return (umask & h->umask) == h->umask;
	if (h->event == LOOKUP && part->ext)
		return umask & h->opcode && EXT(select) & h->umask & EXT_ASKED;
	if (part->ext)
		return in_ext(h, select);
	if (h->event < LOOKUP || h->event > OCCUPANCY)
		return umask == h->umask;
	if (node && !(field(filter, part->nodes) & 1))
		return false;
	umask &= ~NODE;
	if (h->event == LOOKUP)
		return field(filter, part->state) & h->opcode &&
		       (umask == ANY_LOOKUP || umask == h->umask);
	return in_tor(part, h, filter, umask);
}

/* Checks if event constraints let counter @i count an event. */
static bool cbo_counter_has(const struct vpmu_cbo_part *part, uint32_t event,
			    unsigned int i)
{
	if (event == OCCUPANCY)
		return !i;
	return !part->two || event < LOOKUP || event > INSERTS || i < 2;
}

/*
 * Returns a request to the simulated L3, described as if it was an event that the guest injects.
 * @event is the code of the event to count, LOOKUP or an event of the TOR; @hit is true if the L3
 * has the line.
 */
static struct occurrence occurrence_of(const struct vpmu_cbo_part *part, uint32_t event,
				       enum vcore_request request, bool hit)
{
	static const uint32_t opcodes[VCORE_REQUESTS] = { 0x182, 0x180, 0x181, 0x192 };
	static const uint32_t cha_opcodes[VCORE_REQUESTS] = { 0x202, 0x200, 0x201, 0x25a };
	/* fields of Ice Lake's umask_ext: opcode, bits 20:11; request type of a LOOKUP, bits 4:0 */
	static const uint32_t ext_opcodes[VCORE_REQUESTS] = { 0x102, 0x100, 0x101, 0x19a };
	static const uint32_t ext_asked[VCORE_REQUESTS] = { 0x01, 0x08, 0x10, 0x01 };
	bool cha = part->opcode_2 || part->ext;
	struct occurrence h = { .event = event, .tid = NO_THREAD };

	if (event == LOOKUP) {
		h.opcode = !hit ? INVALID : cha ? CHA_EXCLUSIVE : EXCLUSIVE;
		if (request == VCORE_REQUEST_READ || request == VCORE_REQUEST_PREFETCH)
			h.umask = DATA_READ;
		if (part->ext)
			h.umask = ext_asked[request];
		return h;
	}
	h.opcode = (part->ext ? ext_opcodes : cha ? cha_opcodes : opcodes)[request];
	if (cha)
		h.umask = ASKED_BY_CORE | (hit ? FOUND_HIT : FOUND_MISS);
	else
		h.umask = OPCODE | LOCAL | (hit ? 0 : MISSED);
	return h;
}

/*
 * Returns the number of requests of type @request to the L3 slices of a box: of those that hit if
 * @hit is true, otherwise of those that missed. If @cycles is true, returns instead the cycles that
 * these requests have been in the TOR, summed over the requests.
 */
static uint64_t slices(const struct vpmu_cbo_part *part, const struct vcore_traffic *seen,
		       unsigned int box, enum vcore_request request, bool hit, bool cycles)
{
	unsigned int nr = nr_boxes(part);
	const struct vcore_slice *slice;
	uint64_t sum = 0;
	unsigned int i;

	for (i = box; i < VCORE_SLICES; i += nr) {
		slice = &seen->slice[i];
		sum += cycles ? slice->cycles[request][hit] : slice->lookups[request][hit];
	}
	return sum;
}

/*
 * Returns the number of cache lines that CHA number @box has transferred: lines read from memory if
 * @umask has the bit for reads, and lines written if @umask has the bit for writes.
 */
static uint64_t home_requests(const struct vpmu_cbo_part *part,
			      const struct vcore_traffic *seen, unsigned int box,
			      unsigned int umask)
{
	unsigned int nr = nr_boxes(part);
	unsigned int request;
	uint64_t sum = 0;

	for (request = 0; umask & REQUESTS_READ && request < VCORE_REQUESTS; request++)
		sum += slices(part, seen, box, request, false, false);
	if (umask & REQUESTS_WRITE)
		sum += (seen->writes + nr - 1 - box) / nr;
	return sum;
}

/*
 * Returns the total of the event that counter @i of a box selects, in the simulated cores and
 * memory since power on.
 */
static uint64_t cbo_total(const struct vpmu_cbo_part *part,
			  const struct vcore_traffic *seen, unsigned int box,
			  unsigned int i)
{
	const struct box *b = &boxes[0][box];
	uint32_t code = b->select[i] & CODE;
	unsigned int request, hit;
	uint64_t sum = 0;

	if (code == CLOCK)
		return vcore_traffic_clock(seen);
	if (code == REQUESTS && (part->opcode_2 || part->ext))
		return home_requests(part, seen, box, UMASK(b->select[i]));
	for (request = 0; request < VCORE_REQUESTS; request++)
		for (hit = 0; hit < 2; hit++) {
			struct occurrence h = occurrence_of(part, code, request, hit);

			if (cbo_passes(part, &h, b->select[i], b->filter))
				sum += slices(part, seen, box, request, hit,
					      code == OCCUPANCY);
		}
	return sum;
}

static bool cbo_runs(const struct vpmu_cbo_part *part, const struct box *b,
		     unsigned int i)
{
	return b->select[i] & EN && cbo_counter_has(part, b->select[i] & CODE, i) &&
	       !cbo_frozen(part, b);
}

/*
 * Checks if the simulated cores and memory have the event that an event select selects; ignores the
 * box's filter.
 */
static bool is_model_event(const struct vpmu_cbo_part *part, uint64_t select)
{
	uint32_t code = select & CODE;

	return !(select & NOT_MODELLED) &&
	       (code == CLOCK || (code >= LOOKUP && code <= OCCUPANCY) ||
		(code == REQUESTS && (part->opcode_2 || part->ext)));
}

/*
 * Checks if counter @i of a box is enabled, and selects an event that the simulated cores and
 * memory have.
 */
static bool cbo_follows(const struct vpmu_cbo_part *part, const struct box *b,
			unsigned int i)
{
	return cbo_runs(part, b, i) && is_model_event(part, b->select[i]);
}

/*
 * Checks if the simulated cores and memory have the event that counter @i of a box selects and the
 * box's filter passes.
 */
static bool cbo_models(const struct vpmu_cbo_part *part, const struct box *b, unsigned int i)
{
	uint32_t code = b->select[i] & CODE;
	struct occurrence h;
	unsigned int n;

	if (!is_model_event(part, b->select[i]))
		return false;
	if (code == CLOCK)
		return true;
	if (code == REQUESTS)
		return UMASK(b->select[i]) & (REQUESTS_READ | REQUESTS_WRITE);
	for (n = 0; n < 2 * VCORE_REQUESTS; n++) {
		h = occurrence_of(part, code, n / 2, n % 2);
		if (cbo_passes(part, &h, b->select[i], b->filter))
			return true;
	}
	return false;
}

/*
 * Puts the event of counter @i into the list of uncounted events (those that the guest selects, but
 * that never occur here), unless the simulated cores and memory have the event, or the guest
 * injects it by CPUID. Called when the guest reads the counter (@happened is false), and when the
 * counter counts an injected event (@happened is true).
 */
static void cbo_note(const struct vpmu_cbo_part *part, const struct box *b, unsigned int i,
		     bool happened)
{
	if (b->select[i] & EN)
		vpmu_uncounted_box("CBos or CHAs", b->select[i] & ~EN, b->filter,
				   happened || cbo_models(part, b, i));
}

static void cbo_look(struct vpmu_cpu *cpu, struct vcore_traffic *seen)
{
	vcore_settle(cpu->core);
	vcore_memory_traffic(vpmu_cpu(0)->core->memory, seen);
}

static uint64_t cbo_value(struct vpmu_cpu *cpu, unsigned int package, unsigned int box,
			  unsigned int i)
{
	const struct vpmu_counter *counter = &boxes[package][box].counter[i];
	struct vcore_traffic seen;
	uint64_t value = counter->value;

	if (counter->running) {
		cbo_look(cpu, &seen);
		value += cbo_total(cpu->part->cbo, &seen, box, i) - counter->since;
	}
	return value & (VPMU_BIT(cpu->part->cbo->width) - 1);
}

/*
 * Stops the counters of a box of the first package. Adds to each running counter how often the
 * counter's event has occurred in the simulated cores and memory since the counter started.
 */
static void cbo_settle(struct vpmu_cpu *cpu, unsigned int box)
{
	unsigned int i;

	for (i = 0; i < COUNTERS; i++) {
		struct vpmu_counter *counter = &boxes[0][box].counter[i];

		counter->value = cbo_value(cpu, 0, box, i);
		nr_running -= counter->running;
		counter->running = false;
	}
}

static void cbo_restart(struct vpmu_cpu *cpu, unsigned int box, unsigned int before)
{
	const struct vpmu_cbo_part *part = cpu->part->cbo;
	struct box *b = &boxes[0][box];
	struct vcore_traffic seen;
	unsigned int i;

	for (i = 0; i < COUNTERS; i++) {
		if (!cbo_follows(part, b, i))
			continue;
		cbo_look(cpu, &seen);
		b->counter[i].since = cbo_total(part, &seen, box, i);
		b->counter[i].running = true;
		nr_running++;
	}
	if (!before != !nr_running)
		vpmu_model_all(VPMU_FOR_SLICES, nr_running);
}

/**
 * vpmu_cbo_read() - execute RDMSR of a register of a CBo or CHA
 * @cpu: the calling vCPU
 * @msr: number of the MSR
 * @value: set to the value of the register
 *
 * Return: false if the MSR is not a register of a CBo or CHA.
 */
bool vpmu_cbo_read(struct vpmu_cpu *cpu, uint32_t msr, uint64_t *value)
{
	const struct vpmu_cbo_part *part = cpu->part->cbo;
	unsigned int box, index;
	const struct box *b;
	enum cbo_register reg;

	reg = part ? cbo_register_of(part, msr, &box, &index) : NONE;
	if (reg == NONE)
		return false;
	if (reg == NUMBER) {
		*value = vpmu_options.untold ? 0 : vpmu_cbo_number();
		return true;
	}
	b = &boxes_of(cpu)[box];
	if (reg == CTL)
		*value = b->ctl;
	else if (reg == FILTER)
		*value = b->filter & 0xffffffff;
	else if (reg == FILTER_HIGH)
		*value = b->filter >> 32;
	else if (reg == SELECTOR)
		*value = b->select[index];
	else
		*value = cbo_value(cpu, vpmu_package_of(cpu), box, index);
	if (reg == COUNT)
		cbo_note(part, b, index, false);
	return true;
}

static uint64_t cbo_legal(const struct vpmu_cbo_part *part, enum cbo_register reg)
{
	uint64_t filter = part->tid | part->state | part->nodes | part->opcode |
			  part->opcode_2 | part->all | part->local | part->remote |
			  part->far | part->more;

	switch (reg) {
	case CTL:
		return CTL_RESET_CONTROLS | CTL_RESET_COUNTERS | CTL_FREEZE |
		       (part->freeze_enable ? CTL_FREEZE_EN : 0);
	case FILTER:
		return filter & 0xffffffff;
	case FILTER_HIGH:
		return filter >> 32;
	case SELECTOR:
		return SELECT | (part->invert ? INVERT : 0) | (part->ext ? EXT_BITS : 0);
	case NUMBER:
		return 0;
	default:
		return VPMU_BIT(part->width) - 1;
	}
}

/*
 * Executes a write of @value to a box's control register. One reset bit sets the event selects to
 * 0, and another reset bit sets the counters to 0. Reset bits are not stored: they read as 0.
 */
static void cbo_control(struct box *b, uint64_t value)
{
	unsigned int i;

	if (value & CTL_RESET_CONTROLS)
		memset(b->select, 0, sizeof(b->select));
	for (i = 0; i < COUNTERS; i++)
		if (value & CTL_RESET_COUNTERS)
			b->counter[i].value = 0;
	b->ctl = value & ~(CTL_RESET_CONTROLS | CTL_RESET_COUNTERS);
}

static void cbo_set(struct vpmu_cpu *cpu, enum cbo_register reg, unsigned int box,
		    unsigned int index, uint64_t value)
{
	unsigned int package = vpmu_package_of(cpu);
	struct box *b = &boxes[package][box];
	unsigned int before = nr_running;

	if (!package)
		cbo_settle(cpu, box);
	if (reg == CTL)
		cbo_control(b, value);
	else if (reg == FILTER)
		b->filter = (b->filter & ~0xffffffffull) | value;
	else if (reg == FILTER_HIGH)
		b->filter = (b->filter & 0xffffffff) | value << 32;
	else if (reg == SELECTOR)
		b->select[index] = value;
	else
		b->counter[index].value = value;
	if (!package)
		cbo_restart(cpu, box, before);
}

/**
 * vpmu_cbo_write() - execute WRMSR of a register of a CBo or CHA
 * @cpu: the calling vCPU
 * @msr: number of the MSR
 * @value: value to write
 *
 * Return: false if the MSR is not a register of a CBo or CHA.
 */
bool vpmu_cbo_write(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value)
{
	const struct vpmu_cbo_part *part = cpu->part->cbo;
	unsigned int box, index;
	enum cbo_register reg;

	reg = part ? cbo_register_of(part, msr, &box, &index) : NONE;
	if (reg == NONE)
		return false;
	if (value & ~cbo_legal(part, reg))
		cpu->illegal_writes++;
	else
		cbo_set(cpu, reg, box, index, value);
	return true;
}

/**
 * vpmu_cbo_happen() - inject an event of a CBo or CHA
 * @cpu: a vCPU of the package of the CBo or CHA
 * @what: event in bits 7:0, unit mask in 15:8, number of the CBo or CHA in 23:16
 * @detail: opcode of the request or, for event LOOKUP, filter bit of the line's state in bits 9:0;
 *	thread ID in bits 15:10
 * @count: number of occurrences
 */
void vpmu_cbo_happen(const struct vpmu_cpu *cpu, uint32_t what, uint32_t detail,
		     uint32_t count)
{
	const struct vpmu_cbo_part *part = cpu->part->cbo;
	const struct occurrence h = {
		.event = what & CODE, .umask = UMASK(what),
		.opcode = detail & 0x3ff, .tid = detail >> 10 & 0x3f,
	};
	unsigned int box = what >> 16 & 0xff;
	struct box *b = &boxes_of(cpu)[box];
	unsigned int i;

	if (!part || box >= nr_boxes(part))
		return;
	for (i = 0; i < COUNTERS; i++) {
		if (!cbo_runs(part, b, i) || !cbo_passes(part, &h, b->select[i], b->filter))
			continue;
		cbo_note(part, b, i, true);
		b->counter[i].value += count;
	}
}
