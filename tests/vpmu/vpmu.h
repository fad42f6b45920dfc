/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The virtual PMU: what its files share.
 *
 *   plugin.c      QEMU's side: translation, callbacks, options
 *   decode.c      what kind of instruction it is
 *   rest.c        guest CPUs that are no load on this machine
 *   special.c     the instructions that are executed in QEMU's place
 *   regs.c        the guest's registers they use
 *   msr.c         counter registers
 *   counter.c     a select and a point of time make a count
 *   leak.c        an erratum to inject: counts that reach the sibling
 *   metrics.c     PERF_METRICS
 *   uncore.c      the package's counters
 *   options.c     what the plugin was asked for
 *   part_*.c      a part's registers and events
 *   events.c      what the parts' events have in common
 *   model.c       the timing model: the vpmu_model_*() calls are its seam
 *   memory.c      its caches and fill buffers
 *   tracker.c     its arbiter, which knows how much memory is awaited
 *   cache.c       one cache
 *   predictor.c   its branch predictor
 *   truth*.c      the virtual PMU's own totals as JSON
 *
 * A "ring" is 0 for the kernel and 1 for user space, by the top bit of the code
 * address.
 */
#ifndef VPMU_H
#define VPMU_H

#include <stdbool.h>
#include <stdint.h>

#define VPMU_BIT(n) (1ull << (n))
#define VPMU_MAX_CPUS 64
#define VPMU_MAX_GP 8
#define VPMU_MAX_FIXED 4
#define VPMU_MAX_METRICS 8
#define VPMU_MAX_ROB 512
#define VPMU_MAX_STORES 112
#define VPMU_MAX_FILLS 22
#define VPMU_RINGS 2
#define VPMU_MAX_REGIONS 512
#define VPMU_MAX_WINDOWS 256

/* what is counted exactly, always, as instructions execute */
enum vpmu_exact {
	VPMU_INSTRUCTIONS,
	VPMU_BR_CONDITIONAL,
	VPMU_BR_CALL,
	VPMU_BR_RETURN,
	VPMU_BR_OTHER,
	VPMU_BR_FAR,
	VPMU_LOADS,
	VPMU_STORES,
	VPMU_EXACT
};

/* per cycle quantities of the model: how many cycles had k of them */
enum vpmu_per_cycle {
	VPMU_BUBBLES,
	VPMU_ISSUED,
	VPMU_RETIRED,
	VPMU_PER_CYCLE
};

#define VPMU_MAX_WIDTH 6

/* quantities of the model that grow by one */
enum vpmu_plain {
	VPMU_CYCLES,
	VPMU_RECOVERY_CYCLES,
	VPMU_BAD_SLOTS,
	VPMU_BACKEND_SLOTS,
	VPMU_MISPREDICTS,
	VPMU_STALLS_TOTAL,
	VPMU_STALLS_MEM,
	VPMU_STALLS_L1D,
	VPMU_STALLS_L2,
	VPMU_STALLS_SB,
	VPMU_RS_EMPTY,
	VPMU_MS_UOPS,
	VPMU_L1D_HIT,
	VPMU_L2_HIT,
	VPMU_L3_HIT,
	VPMU_L3_MISS,
	VPMU_L1D_MISS_STORE,
	VPMU_L1I_MISS,
	VPMU_TLB_MISS,
	VPMU_STALLS_L3,
	VPMU_PLAIN
};

/**
 * struct vpmu_ring_counts - what the model counted in one ring
 * @plain: by &enum vpmu_plain
 * @cycles_with: [quantity][k], cycles in which it was k; k from 1
 */
struct vpmu_ring_counts {
	uint64_t plain[VPMU_PLAIN];
	uint64_t cycles_with[VPMU_PER_CYCLE][VPMU_MAX_WIDTH + 1];
};

/**
 * struct vpmu_insn - an instruction as translated
 * @pc: its address
 * @size: bytes
 * @ring: of its address
 * @uops: micro-operations it issues as
 * @latency: cycles until its result, loads apart
 * @branch: &enum vpmu_exact of a branch, 0 for none
 * @indirect: the target comes from a register or from memory
 * @rep: a repeated string instruction
 * @microcoded: its uops come from the micro-sequencer
 */
struct vpmu_insn {
	uint64_t pc;
	uint8_t size;
	uint8_t ring;
	uint8_t uops;
	uint8_t latency;
	uint8_t branch;
	bool indirect;
	bool rep;
	bool microcoded;
};

/* IA32_PERF_CAPABILITIES, SDM Vol. 4: full-width writes, PERF_METRICS */
#define VPMU_CAP_FULL_WRITE VPMU_BIT(13)
#define VPMU_CAP_METRICS VPMU_BIT(15)

/* who wants the model; it lingers when nobody does any more */
#define VPMU_FOR_CORE 1
#define VPMU_FOR_UNCORE 2
#define VPMU_LINGERS 4

/*
 * Groups that take turns stop the counters for a moment: for so many
 * instructions the model and the truth's window go on.
 */
#define VPMU_PAUSE 3000

/**
 * struct vpmu_score - a vCPU's slot that generated code adds to
 * @exact: by &enum vpmu_exact and ring
 * @model_on: who wants the model on this vCPU; 0 for nobody
 * @last_pc: address of the latest instruction that began
 */
struct vpmu_score {
	uint64_t exact[VPMU_EXACT][VPMU_RINGS];
	uint64_t model_on;
	uint64_t last_pc;
};

struct vpmu_part;

/**
 * struct vpmu_snapshot - all quantities of a vCPU at one time
 * @part: of the vCPU
 * @exact: by &enum vpmu_exact and ring
 * @ring: the model's, by ring
 */
struct vpmu_snapshot {
	const struct vpmu_part *part;
	uint64_t exact[VPMU_EXACT][VPMU_RINGS];
	struct vpmu_ring_counts ring[VPMU_RINGS];
};

/**
 * struct vpmu_counter - a counter register
 * @value: what it held at @since
 * @since: the event's total when it last started; valid while @running
 * @leak_since: the same of what leaks in from the sibling
 * @leaked: all that ever leaked from it to the sibling
 * @running: it counts
 */
struct vpmu_counter {
	uint64_t value;
	uint64_t since;
	uint64_t leak_since;
	uint64_t leaked;
	bool running;
};

/**
 * struct vpmu_metrics - the register behind PERF_METRICS
 * @slots: slots since fixed counter 3 was 0
 * @part: of them, those of each field
 * @slots_since: all slots when it last started; valid while @running
 * @part_since: the same by field
 * @running: it counts
 */
struct vpmu_metrics {
	uint64_t slots;
	uint64_t part[VPMU_MAX_METRICS];
	uint64_t slots_since;
	uint64_t part_since[VPMU_MAX_METRICS];
	bool running;
};

struct vpmu_model;
struct vpmu_tracker;
struct vpmu_traffic;

/**
 * struct vpmu_amend - bits to set in what CPUID answers
 * @ecx: in ECX
 * @edx: in EDX
 */
struct vpmu_amend {
	uint32_t ecx;
	uint32_t edx;
};

/**
 * struct vpmu_cpu - a vCPU
 * @index: its number
 * @part: what it is; the parts of one machine differ only in what a counter
 *	register, an event and CPUID say
 * @score: its slot
 * @gp: general counters
 * @fixed: fixed counters
 * @select: event selects
 * @fixed_ctrl: control of the fixed counters
 * @global_ctrl: enable bits
 * @status: overflow bits
 * @metrics: PERF_METRICS
 * @illegal_writes: register writes that a real part would refuse
 * @model: state of the timing model
 * @counting: some counter is enabled
 * @lingering: instructions since nobody wants the model any more
 * @amend: what the leaf of CPUID executed just now lacks
 */
struct vpmu_cpu {
	unsigned int index;
	const struct vpmu_part *part;
	struct vpmu_score *score;
	struct vpmu_counter gp[VPMU_MAX_GP];
	struct vpmu_counter fixed[VPMU_MAX_FIXED];
	uint64_t select[VPMU_MAX_GP];
	uint64_t fixed_ctrl;
	uint64_t global_ctrl;
	uint64_t status;
	struct vpmu_metrics metrics;
	uint64_t illegal_writes;
	struct vpmu_model *model;
	bool counting;
	unsigned int lingering;
	struct vpmu_amend amend;
};

/**
 * struct vpmu_params - a part's sizes and penalties, in uops and cycles
 * @width: slots a cycle
 * @rob: uops in flight
 * @stores: store buffer entries
 * @fills: fill buffers
 * @rest: idle cycles after one that issued: an in-order thread that may not
 *	issue twice in a row
 * @l1: load latency of a hit
 * @l2: load latency
 * @l3: load latency
 * @memory: load latency
 * @walk: added by a TLB miss
 * @wrong_path: issuing the wrong path until a branch is resolved
 * @recovery: no issue after that
 * @resteer: front end refilling after that
 * @serialise: front end refilling after a far branch
 */
struct vpmu_params {
	unsigned int width;
	unsigned int rob;
	unsigned int stores;
	unsigned int fills;
	unsigned int rest;
	unsigned int l1;
	unsigned int l2;
	unsigned int l3;
	unsigned int memory;
	unsigned int walk;
	unsigned int wrong_path;
	unsigned int recovery;
	unsigned int resteer;
	unsigned int serialise;
};

/**
 * struct vpmu_uncore_part - the uncore registers of a client part
 * @global_ctrl: MSR of the global enable bit
 * @max_boxes: CBos, but not more than cores
 * @box_counters: counters a CBo
 */
struct vpmu_uncore_part {
	uint32_t global_ctrl;
	unsigned int max_boxes;
	unsigned int box_counters;
};

/**
 * struct vpmu_part - the registers of a part
 * @name: "ivb"
 * @version: of the architectural PMU, for CPUID leaf 0xA; 0 for no such leaf
 * @arch_events: architectural events of that leaf
 * @core: kind of its cores, for CPUID leaf 0x1A; 0 for all alike
 * @other: the part of the other kind of cores, or NULL
 * @common_gp: general counters that both kinds have, which leaf 0xA tells of
 *	either where there are two
 * @common_fixed: the same of the fixed counters
 * @amd_version: of AMD's, for CPUID leaf 0x80000022; 0 for no such leaf
 * @perfctr_core: CPUID 0x80000001 says that AMD's six counters exist
 * @nr_gp: general counters
 * @nr_gp_alone: the same when the core has but one thread, or 0 for no change
 * @nr_fixed: fixed counters
 * @width: of the general counters, bits
 * @fixed_width: of the fixed ones
 * @metrics: fields of PERF_METRICS, or 0 for none
 * @stride: from one event select to the next, and from counter to counter
 * @select: MSR of event select 0
 * @counter: MSR of counter 0
 * @counter_full: the same for writes of all bits, or 0
 * @old_select: other names of the first four event selects, one after the
 *	other, or 0
 * @old_counter: the same of the counters
 * @fixed: MSR of fixed counter 0, or 0
 * @fixed_ctrl: or 0
 * @fixed_reserved: bits of it that must be 0 besides those of no counter
 * @global_ctrl: enable bits, or 0: then a select's own bit is enough
 * @global_status: overflow bits
 * @global_ovf: write 1 to clear them
 * @global_set: write 1 to set them, or 0
 * @global_inuse: what is programmed, or 0
 * @capabilities: IA32_PERF_CAPABILITIES, or 0
 * @capable: its value
 * @select_reserved: bits of a select that must be 0
 * @params: of the timing model
 * @uncore: or NULL
 * @count: total of an event in one ring, from a snapshot; @counter tells which
 *	counter asks
 */
struct vpmu_part {
	const char *name;
	unsigned int version;
	unsigned int arch_events;
	unsigned int core;
	const struct vpmu_part *other;
	unsigned int common_gp;
	unsigned int common_fixed;
	unsigned int amd_version;
	bool perfctr_core;
	unsigned int nr_gp;
	unsigned int nr_gp_alone;
	unsigned int nr_fixed;
	unsigned int width;
	unsigned int fixed_width;
	unsigned int metrics;
	unsigned int stride;
	uint32_t select;
	uint32_t counter;
	uint32_t counter_full;
	uint32_t old_select;
	uint32_t old_counter;
	uint32_t fixed;
	uint32_t fixed_ctrl;
	uint64_t fixed_reserved;
	uint32_t global_ctrl;
	uint32_t global_status;
	uint32_t global_ovf;
	uint32_t global_set;
	uint32_t global_inuse;
	uint32_t capabilities;
	uint64_t capable;
	uint64_t select_reserved;
	struct vpmu_params params;
	const struct vpmu_uncore_part *uncore;
	uint64_t (*count)(const struct vpmu_snapshot *now, unsigned int ring,
			  uint64_t select, unsigned int counter);
};

/**
 * struct vpmu_options - what the plugin was asked for
 * @part: to be
 * @threads: a core, 0 for unsaid
 * @ecores: number of the first vCPU of the other kind, 0 for none
 * @version: of the architectural PMU, 0 for the part's own
 * @leak: counts leak to the sibling thread
 * @arb1: the arbiter's counter 1 counts occupancy too
 * @no_model: no timing
 * @top: counters start so much below their wrap, or 0 for 0
 */
struct vpmu_options {
	const struct vpmu_part *part;
	unsigned int threads;
	uint64_t ecores;
	uint64_t version;
	bool leak;
	bool arb1;
	bool no_model;
	uint64_t top;
};

extern struct vpmu_options vpmu_options;
extern const struct vpmu_part vpmu_ivb;
extern const struct vpmu_part vpmu_knc;
extern const struct vpmu_part vpmu_skl;
extern const struct vpmu_part vpmu_spr;
extern const struct vpmu_part vpmu_adl;
extern const struct vpmu_part vpmu_adl_e;
extern const struct vpmu_part vpmu_zen2;
extern const struct vpmu_part vpmu_zen4;

int vpmu_option(const char *text);
const struct vpmu_part *vpmu_part_of(unsigned int index);
unsigned int vpmu_nr_gp(void);
unsigned int vpmu_nr_cores(void);
uint64_t vpmu_start_value(unsigned int width);

struct vpmu_cpu *vpmu_cpu(unsigned int index);
unsigned int vpmu_nr_cpus(void);
void vpmu_model_wanted(void);
void vpmu_model_unwanted(uint64_t *model_on, uint64_t who);

void vpmu_decode(struct vpmu_insn *insn, const uint8_t *bytes, uint64_t pc,
		 unsigned int size);
bool vpmu_is_special(const uint8_t *bytes, unsigned int size, uint8_t *op);
bool vpmu_is_pause(const uint8_t *bytes, unsigned int size);

void vpmu_rest(unsigned int us);
void vpmu_rest_in_pause(unsigned int us);
void vpmu_pause(void);

bool vpmu_msr_read(struct vpmu_cpu *cpu, uint32_t msr, uint64_t *value);
bool vpmu_msr_write(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value);
bool vpmu_rdpmc(struct vpmu_cpu *cpu, uint32_t index, uint64_t *value);

void vpmu_peek(const struct vpmu_cpu *cpu, struct vpmu_snapshot *now);
void vpmu_snapshot(struct vpmu_cpu *cpu, struct vpmu_snapshot *now);
uint64_t vpmu_total(const struct vpmu_snapshot *now, uint64_t select,
		    unsigned int counter);
uint64_t vpmu_branches(const struct vpmu_snapshot *now, unsigned int ring);
uint64_t vpmu_counter_read(struct vpmu_cpu *cpu, unsigned int number);
void vpmu_counters_settle(struct vpmu_cpu *cpu);
void vpmu_counters_restart(struct vpmu_cpu *cpu);

void vpmu_leak_settle(struct vpmu_cpu *cpu, unsigned int i, uint64_t grown);
void vpmu_leak_restart(struct vpmu_cpu *cpu, unsigned int i);
uint64_t vpmu_leaked_in(const struct vpmu_cpu *cpu, unsigned int i);

void vpmu_metrics_settle(struct vpmu_cpu *cpu,
			 const struct vpmu_snapshot *now);
void vpmu_metrics_restart(struct vpmu_cpu *cpu,
			  const struct vpmu_snapshot *now);
uint64_t vpmu_metrics_read(const struct vpmu_cpu *cpu);
void vpmu_metrics_write(struct vpmu_cpu *cpu, uint64_t value);
void vpmu_metrics_slots(struct vpmu_cpu *cpu, uint64_t slots);

void vpmu_uncore_init(void);
bool vpmu_uncore_read(struct vpmu_cpu *cpu, uint32_t msr, uint64_t *value);
bool vpmu_uncore_write(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value);

struct vpmu_model *vpmu_model_new(const struct vpmu_part *part);
void vpmu_model_insn(struct vpmu_model *model, const struct vpmu_insn *insn);
void vpmu_model_mem(struct vpmu_model *model, uint64_t addr, bool store);
void vpmu_model_settle(struct vpmu_model *model);
const struct vpmu_ring_counts *vpmu_model_counts(const struct vpmu_model *model,
						 unsigned int ring);
const struct vpmu_tracker *vpmu_model_tracker(const struct vpmu_model *model);

void vpmu_truth_open(const char *file);
void vpmu_truth_region(unsigned int number, bool begin);
void vpmu_truth_window(struct vpmu_cpu *cpu, bool begin);
void vpmu_truth_uncore_window(const struct vpmu_traffic *seen, bool begin);
void vpmu_truth_write(void);

#endif /* VPMU_H */
