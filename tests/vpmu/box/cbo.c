// SPDX-License-Identifier: GPL-2.0
/*
 * Counters of the CBos of Intel's servers, as many in a package as it has cores, or of its
 * CHAs, of which a register tells the number. Those of the first package count what the
 * model's L3 is asked for: lookups, requests in the TOR and how long they are there, their
 * clock, and of CHAs lines that memory reads and writes. A line belongs to slice
 * vcore_slice_of() of the L3, and slice n to CBo n modulo their number; lines that are
 * written go round the CHAs. A request enters the TOR when the core sends it and leaves it
 * with its data; all of its cycles are counted when it enters. Loads, page walks and what
 * the L2 prefetches are DRd; what is prefetched into the L3 alone has an opcode of its own.
 * A line that the L3 has is exclusive, one that it lacks is invalid. Write-backs,
 * evictions and non-temporal stores are not in the model's TOR, and it does not know
 * threads.
 *
 * What else happens the guest says itself, as with complex.c: event, unit mask, which CBo
 * of the CPU's package, how often; and for requests the opcode, for lookups the state of
 * the line, and the thread that asks. All memory is node 0's.
 *
 * Registers, fields of select and filter: Linux, arch/x86/events/intel/uncore_snbep.c,
 * SNBEP_C0_*, IVBEP_CB0_*, HSWEP_C0_*, SKX_CHA_*, icx_cha_msr_offsets; which counters hold
 * an event: the constraints there.
 */
#include "cbo.h"

#include <string.h>

#include "machine/options.h"
#include "machine/topology.h"
#include "machine/want.h"
#include "memory/tracker.h"

#define BOXES 40
#define COUNTERS 4
#define CODE 0xff
#define CLOCK 0x00
#define LOOKUP 0x34
#define INSERTS 0x35
#define OCCUPANCY 0x36
/* of CHAs, from their own socket */
#define REQUESTS 0x50
#define REQUESTS_READ 0x01
#define REQUESTS_WRITE 0x04
#define UMASK(select) ((select) >> 8 & 0xff)
#define TID_EN VPMU_BIT(19)
#define EN VPMU_BIT(22)
#define INVERT VPMU_BIT(23)
#define SELECT 0xff5effffull
/* of a select: threshold, inversion, edge */
#define NOT_MODELLED 0xff840000ull
#define CTL_RESET_CONTROLS 0x1
#define CTL_RESET_COUNTERS 0x2
#define CTL_FREEZE 0x100
#define CTL_FREEZE_EN 0x10000

/* lines that the L3 lacks and has: bits of the filter's states */
#define INVALID 0x01
#define EXCLUSIVE 0x04
#define CHA_EXCLUSIVE 0x20
/* the thread of what the model does */
#define NO_THREAD ~0u

/* bits of a unit mask of LOOKUP and of those of the TOR */
#define OPCODE 0x01
#define MISSED 0x02
#define EVICTED 0x04
#define WRITTEN 0x10
#define DATA_READ 0x03
#define ANY_LOOKUP 0x11
#define LOCAL 0x20
#define NODE 0x40
#define REMOTE 0x80

/* of those of a CHA's TOR: who asked, and with what result; a bit of each must fit */
#define ASKED 0x0f
#define ASKED_BY_CORE 0x01
#define FOUND 0x30
#define FOUND_HIT 0x10
#define FOUND_MISS 0x20

/* the same and more in the upper half of Ice Lake's selects; an opcode of 0 is any */
#define EXT_BITS (0x3ffffffull << 32)
#define EXT(select) ((select) >> 32)
#define EXT_HIT 0x001
#define EXT_MISS 0x002
#define EXT_LOCAL 0x080
#define EXT_REMOTE 0x100
#define EXT_OPCODE(ext) ((ext) >> 11 & 0x3ff)
/* of a lookup: what was asked for */
#define EXT_ASKED 0x1f

/**
 * struct vpmu_cbo_part - where a part has what
 * @ctl: MSR of the first box's control
 * @select: of its first select
 * @counter: of its first counter
 * @filter: of its filter
 * @filter_high: of the filter's upper half, or 0
 * @step: from one box to the next, but that the boxes from @second and @third on begin at
 *	other controls
 * @second: number of the first box of the second run, or 0
 * @second_ctl: its control
 * @third: of the third
 * @third_ctl: its control
 * @ext: opcode and result are in the select
 * @width: of a counter
 * @two: events of cache and TOR count on counters 0 and 1 alone
 * @freeze_enable: the control has a bit that allows the freeze
 * @invert: a select has a bit that inverts
 * @boxes: at most
 * @tid: bits of the filter that name a thread
 * @state: bits of it for states of a line
 * @nodes: for nodes
 * @opcode: for an opcode
 * @more: others that may be set
 * @number: MSR that tells how many there are, or 0
 * @opcode_2: bits of the filter for another opcode, with which it is a CHA
 * @all: for all opcodes
 * @local: for memory of this package
 * @remote: for that of others
 * @far: for memory that is no cache, as all of it is
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
 * struct box - a CBo
 * @ctl: its control
 * @filter: its filter, both halves
 * @select: what each counter counts
 * @counter: what it has counted
 */
struct box {
	uint64_t ctl;
	uint64_t filter;
	uint64_t select[COUNTERS];
	struct vpmu_counter counter[COUNTERS];
};

static struct box boxes[VPMU_MAX_CPUS][BOXES];
/* counters of the first package that count what the model does */
static unsigned int nr_running;

/**
 * vpmu_cbo_init() - set the counters to their values at power on
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

/* as many as the package has cores */
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
 * vpmu_cbo_number() - CBos or CHAs of a package
 *
 * Return: how many.
 */
unsigned int vpmu_cbo_number(void)
{
	const struct vpmu_cbo_part *part = vpmu_options.part->cbo;

	return part ? nr_boxes(part) : 0;
}

/* distance of a box's registers from the first one's */
static uint32_t cbo_offset(const struct vpmu_cbo_part *part, unsigned int box)
{
	if (part->third && box >= part->third)
		return part->third_ctl - part->ctl + (box - part->third) * part->step;
	if (part->second && box >= part->second)
		return part->second_ctl - part->ctl + (box - part->second) * part->step;
	return box * part->step;
}

/* what a register is; @mask has the bits that it holds */
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
 * struct occurrence - an event that the guest injects, or a request of the model's
 * @event: code
 * @umask: its unit mask
 * @opcode: of a request; of a lookup the state of the line, one bit
 * @tid: thread
 */
struct occurrence {
	uint32_t event;
	uint32_t umask;
	uint32_t opcode;
	uint32_t tid;
};

/* what of it is in a CHA's TOR: the bit of a unit mask that it is in other memory is ours */
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

/* what of it is in the TOR of a CHA without a filter */
static bool in_ext(const struct occurrence *h, uint64_t select)
{
	uint64_t ext = EXT(select);

	return UMASK(select) & h->umask & ASKED &&
	       ext & (h->umask & FOUND_HIT ? EXT_HIT : EXT_MISS) &&
	       ext & (h->umask & REMOTE ? EXT_REMOTE : EXT_LOCAL) &&
	       (!EXT_OPCODE(ext) || EXT_OPCODE(ext) == h->opcode);
}

/* does it fit the unit mask, and does the filter let it pass */
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

/* some counters do not count an event at all */
static bool cbo_counter_has(const struct vpmu_cbo_part *part, uint32_t event,
			    unsigned int i)
{
	if (event == OCCUPANCY)
		return !i;
	return !part->two || event < LOOKUP || event > INSERTS || i < 2;
}

/* what a request of the model's is to a CBo or CHA, for its lookups or its TOR */
static struct occurrence occurrence_of(const struct vpmu_cbo_part *part, uint32_t event,
				       enum vcore_request request, bool hit)
{
	static const uint32_t opcodes[VCORE_REQUESTS] = { 0x182, 0x180, 0x181, 0x192 };
	static const uint32_t cha_opcodes[VCORE_REQUESTS] = { 0x202, 0x200, 0x201, 0x25a };
	/* bits 20:11 of Ice Lake's umask_ext, and what it has of a lookup */
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

/* sum of the slices that belong to a box: requests, or the cycles that they take */
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

/* lines that memory reads and writes, of which a CHA knows */
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

/* total of the model's that a counter counts, as it is selected */
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

/* does the model do something that the counter counts */
static bool cbo_follows(const struct vpmu_cbo_part *part, const struct box *b,
			unsigned int i)
{
	uint32_t code = b->select[i] & CODE;

	return cbo_runs(part, b, i) && !(b->select[i] & NOT_MODELLED) &&
	       (code == CLOCK || (code >= LOOKUP && code <= OCCUPANCY) ||
		(code == REQUESTS && (part->opcode_2 || part->ext)));
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

/* takes what a box of the first package has counted into its counters, which stop */
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
	if (!before == !nr_running)
		return;
	if (nr_running)
		vpmu_exact_wanted();
	for (i = 0; i < vpmu_nr_cpus(); i++)
		if (nr_running)
			vpmu_model_wanted(vpmu_cpu(i), VPMU_FOR_SLICES);
		else
			vpmu_model_unwanted(vpmu_cpu(i), VPMU_FOR_SLICES);
}

/**
 * vpmu_cbo_read() - execute RDMSR of one of these registers
 * @cpu: the calling vCPU
 * @msr: number of the MSR
 * @value: set to the value of the register
 *
 * Return: false if the MSR is none of them.
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
	else
		*value = reg == SELECTOR ? b->select[index] :
			 cbo_value(cpu, vpmu_package_of(cpu), box, index);
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

/* the bits that reset registers read as 0 */
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
 * vpmu_cbo_write() - execute WRMSR of one of these registers
 * @cpu: the calling vCPU
 * @msr: number of the MSR
 * @value: value to write
 *
 * Return: false if the MSR is none of them.
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
 * vpmu_cbo_happen() - inject an event of a CBo
 * @cpu: a vCPU that reaches its counters
 * @what: event in bits 7:0, unit mask in 15:8, number of the CBo in 23:16
 * @detail: opcode or state in bits 9:0, thread in 15:10
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
	for (i = 0; i < COUNTERS; i++)
		if (cbo_runs(part, b, i) &&
		    cbo_passes(part, &h, b->select[i], b->filter))
			b->counter[i].value += count;
}
