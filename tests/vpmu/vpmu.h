/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The virtual PMU: what its files share.
 *
 *   plugin.c      QEMU's side: translation, callbacks, options
 *   decode.c      what kind of instruction it is
 *   special.c     the instructions that are executed in QEMU's place
 *   regs.c        the guest's registers they use
 *   msr.c         counter registers
 *   counter.c     a select and a point of time make a count
 *   part_*.c      a part's registers and events
 *   model.c       the timing model: the vpmu_model_*() calls are its seam
 *   cache.c       its caches
 *   predictor.c   its branch predictor
 *   truth.c       the virtual PMU's own totals as JSON
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
#define VPMU_MAX_FIXED 3
#define VPMU_RINGS 2
#define VPMU_MAX_REGIONS 64
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

#define VPMU_WIDTH 4

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
	VPMU_PLAIN
};

/**
 * struct vpmu_ring_counts - what the model counted in one ring
 * @plain: by &enum vpmu_plain
 * @cycles_with: [quantity][k], cycles in which it was k; k from 1
 */
struct vpmu_ring_counts {
	uint64_t plain[VPMU_PLAIN];
	uint64_t cycles_with[VPMU_PER_CYCLE][VPMU_WIDTH + 1];
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

/**
 * struct vpmu_score - a vCPU's slot that generated code adds to
 * @exact: by &enum vpmu_exact and ring
 * @model_on: nonzero while the model runs on this vCPU
 * @last_pc: address of the latest instruction that began
 */
struct vpmu_score {
	uint64_t exact[VPMU_EXACT][VPMU_RINGS];
	uint64_t model_on;
	uint64_t last_pc;
};

/**
 * struct vpmu_snapshot - all quantities of a vCPU at one time
 * @exact: by &enum vpmu_exact and ring
 * @ring: the model's, by ring
 */
struct vpmu_snapshot {
	uint64_t exact[VPMU_EXACT][VPMU_RINGS];
	struct vpmu_ring_counts ring[VPMU_RINGS];
};

/**
 * struct vpmu_counter - a counter register
 * @value: what it held at @since
 * @since: the event's total when it last started; valid while @running
 * @running: it counts
 */
struct vpmu_counter {
	uint64_t value;
	uint64_t since;
	bool running;
};

struct vpmu_model;

/**
 * struct vpmu_cpu - a vCPU
 * @index: its number
 * @score: its slot
 * @gp: general counters
 * @fixed: fixed counters
 * @select: event selects
 * @fixed_ctrl: control of the fixed counters
 * @global_ctrl: enable bits
 * @status: overflow bits
 * @illegal_writes: register writes that a real part would refuse
 * @model: state of the timing model
 * @counting: some counter is enabled
 * @amend_cpuid: CPUID leaf 1 was executed just now
 */
struct vpmu_cpu {
	unsigned int index;
	struct vpmu_score *score;
	struct vpmu_counter gp[VPMU_MAX_GP];
	struct vpmu_counter fixed[VPMU_MAX_FIXED];
	uint64_t select[VPMU_MAX_GP];
	uint64_t fixed_ctrl;
	uint64_t global_ctrl;
	uint64_t status;
	uint64_t illegal_writes;
	struct vpmu_model *model;
	bool counting;
	bool amend_cpuid;
};

/**
 * struct vpmu_part - the registers of a part
 * @name: "ivb"
 * @nr_gp: general counters
 * @nr_fixed: fixed counters
 * @width: of all of them, bits
 * @select: MSR of event select 0
 * @counter: MSR of counter 0
 * @counter_full: the same for writes of all bits, or 0
 * @fixed: MSR of fixed counter 0, or 0
 * @fixed_ctrl: or 0
 * @global_ctrl: enable bits
 * @global_status: overflow bits
 * @global_ovf: write 1 to clear them
 * @capabilities: IA32_PERF_CAPABILITIES, or 0
 * @select_reserved: bits of a select that must be 0
 * @count: total of an event in one ring, from a snapshot; @counter tells which
 *	counter asks
 */
struct vpmu_part {
	const char *name;
	unsigned int nr_gp;
	unsigned int nr_fixed;
	unsigned int width;
	uint32_t select;
	uint32_t counter;
	uint32_t counter_full;
	uint32_t fixed;
	uint32_t fixed_ctrl;
	uint32_t global_ctrl;
	uint32_t global_status;
	uint32_t global_ovf;
	uint32_t capabilities;
	uint64_t select_reserved;
	uint64_t (*count)(const struct vpmu_snapshot *now, unsigned int ring,
			  uint64_t select, unsigned int counter);
};

extern const struct vpmu_part *vpmu_part;
extern const struct vpmu_part vpmu_ivb;
extern const struct vpmu_part vpmu_knc;

struct vpmu_cpu *vpmu_cpu(unsigned int index);
unsigned int vpmu_nr_cpus(void);
void vpmu_model_wanted(void);

void vpmu_decode(struct vpmu_insn *insn, const uint8_t *bytes, uint64_t pc,
		 unsigned int size);
bool vpmu_is_special(const uint8_t *bytes, unsigned int size, uint8_t *op);

bool vpmu_msr_read(struct vpmu_cpu *cpu, uint32_t msr, uint64_t *value);
bool vpmu_msr_write(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value);
bool vpmu_rdpmc(struct vpmu_cpu *cpu, uint32_t index, uint64_t *value);

void vpmu_snapshot(struct vpmu_cpu *cpu, struct vpmu_snapshot *now);
uint64_t vpmu_branches(const struct vpmu_snapshot *now, unsigned int ring);
uint64_t vpmu_counter_read(struct vpmu_cpu *cpu, unsigned int number);
void vpmu_counters_settle(struct vpmu_cpu *cpu);
void vpmu_counters_restart(struct vpmu_cpu *cpu);

struct vpmu_model *vpmu_model_new(const struct vpmu_part *part);
void vpmu_model_insn(struct vpmu_model *model, const struct vpmu_insn *insn);
void vpmu_model_mem(struct vpmu_model *model, uint64_t addr, bool store);
void vpmu_model_settle(struct vpmu_model *model);
const struct vpmu_ring_counts *vpmu_model_counts(const struct vpmu_model *model,
						 unsigned int ring);

void vpmu_truth_open(const char *file);
void vpmu_truth_region(unsigned int number, bool begin);
void vpmu_truth_window(struct vpmu_cpu *cpu, bool begin);
void vpmu_truth_write(void);

#endif /* VPMU_H */
