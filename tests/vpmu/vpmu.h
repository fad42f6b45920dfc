/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The virtual PMU: types and functions that its files share.
 *
 *   plugin.c      QEMU's side: translation, callbacks, options
 *   want.c        how much of the execution translations report
 *   feed.c        executed instructions, to the virtual cores
 *   clock.c       time of a guest whose CPUs are simulated
 *   rest.c        idle waiting of guest CPUs, without load on the host
 *   power.c       reset of the machine
 *   special.c     instructions that are executed in QEMU's place
 *   regs.c        guest registers that these use
 *   msr.c         counter registers
 *   counter.c     the count of an event select at a time
 *   erratum.c     errata that can be injected
 *   leak.c        erratum: counts leak into the sibling's counter
 *   metrics.c     PERF_METRICS
 *   uncore.c      uncore counters of client packages
 *   complex.c     L3 counters of AMD's core complexes
 *   fabric.c      counters of AMD's data fabric
 *   umc.c         counters of AMD's memory controllers
 *   cbo.c         counters of the CBos of Intel's servers
 *   server.c      counters of their power control unit and UBox
 *   options.c     options of the plugin
 *   part_*.c      a part's registers and events
 *   intel.c       events that several of Intel's parts have
 *   events.c      an event's row and a total make a count
 *   truth*.c      the virtual PMU's own totals as JSON
 *
 * ../vcore/ simulates how long the guest's instructions take.
 *
 * A "ring" is 0 for the kernel and 1 for user space, by the top bit of the code
 * address.
 */
#ifndef VPMU_H
#define VPMU_H

#include <stdbool.h>
#include <stdint.h>

#include "entry/entry.h"
#include "memory/tracker.h"

#define VPMU_BIT(n) (1ull << (n))
#define VPMU_MAX_CPUS 64
#define VPMU_MAX_GP 8
#define VPMU_MAX_FIXED 4
#define VPMU_MAX_METRICS 8
#define VPMU_RINGS VCORE_RINGS
#define VPMU_MAX_REGIONS 512
#define VPMU_MAX_WINDOWS 256

/*
 * Quantities that generated code counts exactly, once they are wanted. Branches are in
 * the order of &enum vcore_branch.
 */
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

/* what translations report; each value includes the one before */
enum vpmu_want {
	VPMU_WANT_NOTHING,
	VPMU_WANT_EXACT,	/* &enum vpmu_exact */
	VPMU_WANT_MODEL		/* what the virtual core is fed with */
};

/* errata that can be injected, see erratum.c */
enum vpmu_erratum {
	VPMU_L1_PREFETCH,
	VPMU_SMT_LEAK,
	VPMU_IRQ_OVERCOUNT,
	VPMU_WRAP_LOSS,
	VPMU_STUCK_OVERFLOW,
	VPMU_ERRATA
};

/* extra registers of events: MSRs 0x1a6, 0x1a7 and 0x3f7 */
enum vpmu_extra {
	VPMU_OFFCORE_0,
	VPMU_OFFCORE_1,
	VPMU_FRONTEND,
	VPMU_EXTRAS
};

/* IA32_PERF_CAPABILITIES, SDM Vol. 4: full-width writes, PERF_METRICS */
#define VPMU_CAP_FULL_WRITE VPMU_BIT(13)
#define VPMU_CAP_METRICS VPMU_BIT(15)

/* IA32_PERF_GLOBAL_STATUS.CTR_FRZ, from version 4 on: no counter counts */
#define VPMU_STATUS_FROZEN VPMU_BIT(59)

/* users of the model; with %VPMU_LINGERS it stays on a while after the last */
#define VPMU_FOR_CORE 1
#define VPMU_FOR_UNCORE 2
#define VPMU_FOR_REGION 4
#define VPMU_LINGERS 8

/*
 * Multiplexing stops the counters for a moment: the model and the truth's window
 * stay open for this many instructions.
 */
#define VPMU_PAUSE 3000

/* registers that ignore writes, as under some hypervisors */
#define VPMU_DEAF_COUNTERS 1
#define VPMU_DEAF_PREFETCH 2

/* instructions between two calls of vpmu_clock_fed() */
#define VPMU_CLOCK_STEP 512

/**
 * struct vpmu_score - a vCPU's slot of the scoreboard, which generated code updates
 * @exact: exact quantities, [&enum vpmu_exact][ring]
 * @model_on: set of VPMU_FOR_*, users of the model on this vCPU
 * @last_pc: address of the latest instruction that began
 * @tsc_read: the latest instruction was RDTSC, and its result must be amended
 * @paced: the virtual core was fed since it halted
 */
struct vpmu_score {
	uint64_t exact[VPMU_EXACT][VPMU_RINGS];
	uint64_t model_on;
	uint64_t last_pc;
	uint64_t tsc_read;
	uint64_t paced;
};

struct vpmu_part;
struct vpmu_event;
struct vpmu_cbo_part;
struct vpmu_server_part;

/**
 * struct vpmu_snapshot - all quantities of a vCPU at one time
 * @part: part of the vCPU
 * @exact: exact quantities, [&enum vpmu_exact][ring]
 * @ring: quantities of the virtual core, [ring]
 * @interrupts: interrupts and exceptions that began, [ring]
 * @l1_prefetch: an L1 prefetcher is on, as of the latest register write
 * @passed: injected events that an extra register let pass, [&enum vpmu_extra]; they
 *	count as user space's
 */
struct vpmu_snapshot {
	const struct vpmu_part *part;
	uint64_t exact[VPMU_EXACT][VPMU_RINGS];
	struct vcore_counts ring[VPMU_RINGS];
	uint64_t interrupts[VPMU_RINGS];
	bool l1_prefetch;
	uint64_t passed[VPMU_EXTRAS];
};

/**
 * struct vpmu_counter - a counter register
 * @value: its value at @since
 * @since: the event's total when the counter last started; valid while @running
 * @leak_since: the sibling's @leaked when the counter last started
 * @leaked: sum of all counts that leaked from it to the sibling
 * @running: the counter is counting
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
 * @part: slots of each field, [fields]
 * @slots_since: total slots when it last started; valid while @running
 * @part_since: total slots of each field then, [fields]
 * @running: it is counting
 */
struct vpmu_metrics {
	uint64_t slots;
	uint64_t part[VPMU_MAX_METRICS];
	uint64_t slots_since;
	uint64_t part_since[VPMU_MAX_METRICS];
	bool running;
};

/**
 * struct vpmu_amend - bits to set in the result of CPUID
 * @eax: in EAX
 * @ecx: in ECX
 * @edx: in EDX
 */
struct vpmu_amend {
	uint32_t eax;
	uint32_t ecx;
	uint32_t edx;
};

/**
 * struct vpmu_cpu - a vCPU
 * @index: its number
 * @part: its part; parts of one machine differ only in counter registers, events
 *	and CPUID
 * @score: its slot of the scoreboard
 * @gp: general counters
 * @fixed: fixed counters
 * @select: event selects
 * @fixed_ctrl: control of the fixed counters
 * @global_ctrl: enable bits
 * @status: overflow bits, and VPMU_STATUS_FROZEN
 * @metrics: PERF_METRICS
 * @prefetch_off: prefetchers that are off; of a core's first thread
 * @l1_prefetch: as in &struct vpmu_snapshot
 * @extra: extra registers of events, [&enum vpmu_extra]
 * @passed: as in &struct vpmu_snapshot
 * @interrupts: interrupts and exceptions that began, [ring]
 * @illegal_writes: number of register writes at which a real part would fault
 * @absent: number of accesses to registers of an absent box
 * @deaf: set of VPMU_DEAF_*, registers that ignore writes
 * @core: its virtual core
 * @counting: some counter is enabled
 * @timing: one of the enabled counters needs the model
 * @fed: instructions that the core was fed with since the last vpmu_clock_fed()
 * @lingering: instructions since the model lost its last user
 * @amend: bits that QEMU's result of the latest CPUID lacks
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
	uint64_t prefetch_off;
	bool l1_prefetch;
	uint64_t extra[VPMU_EXTRAS];
	uint64_t passed[VPMU_EXTRAS];
	uint64_t interrupts[VPMU_RINGS];
	uint64_t illegal_writes;
	uint64_t absent;
	uint32_t deaf;
	struct vcore *core;
	bool counting;
	bool timing;
	unsigned int fed;
	unsigned int lingering;
	struct vpmu_amend amend;
};

/**
 * struct vpmu_uncore_part - the uncore registers of a client part
 * @global_ctrl: MSR of the global enable bit, or 0: then a select's own is enough
 * @clock_select: MSR; the clock's counter is the next one
 * @arb_select: select of an arbiter's first counter
 * @arb_counter: that counter
 * @arb_counters: counters of an arbiter
 * @arb_boxes: arbiters
 * @arb_step: from one to the next
 * @cbo_select: select of a CBo's first counter
 * @cbo_counter: that counter
 * @cbo_step: from one CBo to the next
 * @cbo_threshold: bits of a select that are its threshold
 * @max_boxes: CBos, but not more than cores
 * @box_counters: counters a CBo
 * @graphics: MSR 0x396 counts the graphics' slice among the CBos
 */
struct vpmu_uncore_part {
	uint32_t global_ctrl;
	uint32_t clock_select;
	uint32_t arb_select;
	uint32_t arb_counter;
	unsigned int arb_counters;
	unsigned int arb_boxes;
	uint32_t arb_step;
	uint32_t cbo_select;
	uint32_t cbo_counter;
	uint32_t cbo_step;
	uint64_t cbo_threshold;
	unsigned int max_boxes;
	unsigned int box_counters;
	bool graphics;
};

/**
 * struct vpmu_part - the registers of a part
 * @name: "ivb"
 * @version: of the architectural PMU, for CPUID leaf 0xA; 0 for no such leaf
 * @arch_events: architectural events of that leaf
 * @kind: of its cores, for CPUID leaf 0x1A; 0 for all alike
 * @native: native model in that leaf: which core it is
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
 * @core: sizes and latencies of its cores
 * @prefetch: bits of MSR 0x1a4 that switch prefetchers off, or 0
 * @extra: bits that each extra register has, 0 for a register that is not there
 * @uncore: or NULL
 * @cbo: CBos of a server, or NULL
 * @server: its power control unit and UBox, or NULL
 * @imc: its memory channels, home agents and links, or NULL
 * @events: the tables of events that counter number @counter looks a select up
 *	in; NULL comes last
 */
struct vpmu_part {
	const char *name;
	unsigned int version;
	unsigned int arch_events;
	unsigned int kind;
	unsigned int native;
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
	const struct vcore_params *core;
	uint64_t prefetch;
	uint64_t extra[VPMU_EXTRAS];
	const struct vpmu_uncore_part *uncore;
	const struct vpmu_cbo_part *cbo;
	const struct vpmu_server_part *server;
	const struct vpmu_imc_part *imc;
	const struct vpmu_event *const *(*events)(uint64_t select,
						  unsigned int counter);
};

/**
 * struct vpmu_options - options of the plugin
 * @part: part of the first kind of cores
 * @threads: threads per core, 0 if not given
 * @ecores: number of the first vCPU of the other kind, 0 for none
 * @lpcores: the same of a third kind
 * @version: of the architectural PMU, 0 for the part's own
 * @boxes: CBos or CHAs, 0 for as many as cores
 * @untold: the register of their number says 0
 * @errata: errata to inject, set of &enum vpmu_erratum
 * @arb1: the arbiter's counter 1 counts occupancy too
 * @no_model: no timing
 * @counters_model: timing for counters only, not for the truth
 * @user_model: no timing of the kernel
 * @least: instructions are the only exact quantity that is counted
 * @ideal: perfect components of the core
 * @top: distance below their wrap at which counters start; 0: they start at 0
 * @free: initial value of registers of energy; 0: there are no free-running registers
 * @complex: vCPUs that share an L3 with counters, or 0 for no such counters
 * @fabric: the same of a data fabric; on Intel's of a package
 * @umc: memory controllers of the first package that have counters, a bit each
 * @umc2: the same of other packages, or 0 for the same ones
 * @imc: memory channels of the first package that have counters, a bit each; above them
 *	home agents and links; none if 0
 * @imc2: those of other packages, or 0 for the same ones
 * @server_units: a count of energy is 2^-14 J, not 2^-16
 */
struct vpmu_options {
	const struct vpmu_part *part;
	unsigned int threads;
	uint64_t ecores;
	uint64_t lpcores;
	uint64_t version;
	uint64_t boxes;
	bool untold;
	uint64_t errata;
	bool arb1;
	bool no_model;
	bool counters_model;
	bool user_model;
	bool least;
	struct vcore_ideal ideal;
	uint64_t top;
	uint64_t free;
	uint64_t complex;
	uint64_t fabric;
	uint64_t umc;
	uint64_t umc2;
	uint64_t imc;
	uint64_t imc2;
	bool server_units;
};

extern struct vpmu_options vpmu_options;
extern const struct vpmu_part vpmu_ivb;
extern const struct vpmu_part vpmu_knc;
extern const struct vpmu_part vpmu_skl;
extern const struct vpmu_part vpmu_spr;
extern const struct vpmu_part vpmu_topdown;
extern const struct vpmu_part vpmu_adl;
extern const struct vpmu_part vpmu_adl_e;
extern const struct vpmu_part vpmu_zen2;
extern const struct vpmu_part vpmu_zen4;

int vpmu_option(const char *text);
const struct vpmu_part *vpmu_part_of(unsigned int index);
unsigned int vpmu_nr_gp(const struct vpmu_part *part);
unsigned int vpmu_nr_cores(void);
uint64_t vpmu_start_value(unsigned int width);

struct vpmu_cpu *vpmu_cpu(unsigned int index);
unsigned int vpmu_nr_cpus(void);
void vpmu_start_values(struct vpmu_cpu *cpu);
void vpmu_retranslate(void);

void vpmu_exact_wanted(void);
void vpmu_model_wanted(struct vpmu_cpu *cpu, uint64_t who);
void vpmu_model_unwanted(struct vpmu_cpu *cpu, uint64_t who);
enum vpmu_want vpmu_wanted(void);
bool vpmu_want_coming(void);
void vpmu_want_came(void);

bool vpmu_is_reset(uint64_t pc);
bool vpmu_power(void);
bool vpmu_is_rdtsc(const uint8_t *bytes, unsigned int size);
bool vpmu_tsc_restarted(void);
void vpmu_tsc_amend(struct vpmu_cpu *cpu);

void vpmu_clock_fed(const struct vpmu_cpu *cpu);
void vpmu_clock_left(const struct vpmu_cpu *cpu);

void vpmu_rest(unsigned int us);
void vpmu_rest_in_pause(unsigned int us);
bool vpmu_is_pause(const uint8_t *bytes, unsigned int size);
void vpmu_pause(void);

bool vpmu_msr_read(struct vpmu_cpu *cpu, uint32_t msr, uint64_t *value);
bool vpmu_msr_write(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value);
void vpmu_extra_happen(struct vpmu_cpu *cpu, bool frontend, uint64_t bits,
		       uint32_t count);
bool vpmu_free_read(const struct vpmu_cpu *cpu, uint32_t msr, uint64_t *value);
bool vpmu_free_write(struct vpmu_cpu *cpu, uint32_t msr);
void vpmu_free_move(const struct vpmu_cpu *cpu, uint32_t msr, uint64_t by,
		    bool set);
bool vpmu_rdpmc(struct vpmu_cpu *cpu, uint32_t index, uint64_t *value);
uint64_t vpmu_prefetch_off(const struct vpmu_cpu *cpu);

void vpmu_peek(const struct vpmu_cpu *cpu, struct vpmu_snapshot *now);
void vpmu_snapshot(struct vpmu_cpu *cpu, struct vpmu_snapshot *now);
uint64_t vpmu_total(const struct vpmu_snapshot *now, uint64_t select,
		    unsigned int counter);
uint64_t vpmu_counter_read(struct vpmu_cpu *cpu, unsigned int number);
void vpmu_counters_settle(struct vpmu_cpu *cpu);
void vpmu_counters_restart(struct vpmu_cpu *cpu);

int vpmu_erratum_option(const char *name);
bool vpmu_has_erratum(enum vpmu_erratum erratum);
void vpmu_erratum_interrupted(struct vpmu_cpu *cpu, uint64_t pc);
uint64_t vpmu_erratum_amend(const struct vpmu_snapshot *now, unsigned int ring,
			    uint64_t select, uint64_t count);
uint64_t vpmu_erratum_wrap(unsigned int number, uint64_t value, uint64_t mask);
uint64_t vpmu_erratum_stuck(void);

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

const struct vpmu_part *vpmu_part_like(const char *name);

extern const struct vpmu_uncore_part vpmu_snb_uncore;
extern const struct vpmu_uncore_part vpmu_skl_uncore;
extern const struct vpmu_uncore_part vpmu_icl_uncore;
extern const struct vpmu_uncore_part vpmu_tgl_uncore;
extern const struct vpmu_uncore_part vpmu_adl_uncore;

void vpmu_uncore_init(void);
void vpmu_uncore_lose(void);
bool vpmu_uncore_read(struct vpmu_cpu *cpu, uint32_t msr, uint64_t *value);
bool vpmu_uncore_write(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value);

void vpmu_complex_init(void);
bool vpmu_complex_read(const struct vpmu_cpu *cpu, uint32_t msr,
		       uint64_t *value);
bool vpmu_complex_write(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value);
bool vpmu_complex_rdpmc(const struct vpmu_cpu *cpu, uint32_t index,
			uint64_t *value);
void vpmu_complex_happen(const struct vpmu_cpu *cpu, uint32_t what,
			 uint32_t count);

void vpmu_fabric_init(void);
unsigned int vpmu_fabric_counters(const struct vpmu_part *part);
bool vpmu_fabric_read(const struct vpmu_cpu *cpu, uint32_t msr,
		      uint64_t *value);
bool vpmu_fabric_write(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value);
bool vpmu_fabric_rdpmc(const struct vpmu_cpu *cpu, uint32_t index,
		       uint64_t *value);
void vpmu_fabric_happen(const struct vpmu_cpu *cpu, uint32_t what,
			uint32_t count);

void vpmu_umc_init(void);
uint32_t vpmu_umc_active(const struct vpmu_cpu *cpu);
unsigned int vpmu_umc_counters(const struct vpmu_cpu *cpu);
bool vpmu_umc_read(const struct vpmu_cpu *cpu, uint32_t msr, uint64_t *value);
bool vpmu_umc_write(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value);
void vpmu_umc_happen(const struct vpmu_cpu *cpu, uint32_t what,
		     uint32_t count);

extern const struct vpmu_cbo_part vpmu_jkt_cbo;
extern const struct vpmu_cbo_part vpmu_ivt_cbo;
extern const struct vpmu_cbo_part vpmu_hsx_cbo;
extern const struct vpmu_cbo_part vpmu_bdx_cbo;
extern const struct vpmu_cbo_part vpmu_skx_cbo;

void vpmu_cbo_init(void);
unsigned int vpmu_cbo_number(void);
bool vpmu_cbo_read(const struct vpmu_cpu *cpu, uint32_t msr, uint64_t *value);
bool vpmu_cbo_write(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value);
void vpmu_cbo_happen(const struct vpmu_cpu *cpu, uint32_t what, uint32_t detail,
		     uint32_t count);

/**
 * enum vpmu_server_unit - boxes of which a package of Intel's servers has one each
 * @VPMU_PCU: power control unit
 * @VPMU_UBOX: UBox
 * @VPMU_SERVER_UNITS: their number
 */
enum vpmu_server_unit { VPMU_PCU, VPMU_UBOX, VPMU_SERVER_UNITS };

extern const struct vpmu_server_part vpmu_jkt_server;
extern const struct vpmu_server_part vpmu_ivt_server;
extern const struct vpmu_server_part vpmu_hsx_server;
extern const struct vpmu_server_part vpmu_bdx_server;
extern const struct vpmu_server_part vpmu_skx_server;

void vpmu_server_init(void);
bool vpmu_server_read(const struct vpmu_cpu *cpu, uint32_t msr, uint64_t *value);
bool vpmu_server_write(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value);
void vpmu_server_happen(const struct vpmu_cpu *cpu, uint32_t what, uint32_t detail,
			uint32_t count);
extern const struct vpmu_imc_part vpmu_jkt_imc;
extern const struct vpmu_imc_part vpmu_ivt_imc;
extern const struct vpmu_imc_part vpmu_hsx_imc;
extern const struct vpmu_imc_part vpmu_bdx_imc;
extern const struct vpmu_imc_part vpmu_skx_imc;

void vpmu_imc_init(void);
void vpmu_imc_happen(const struct vpmu_cpu *cpu, uint32_t what, unsigned int reads,
		     uint32_t count);

void vpmu_prefetchers(struct vpmu_cpu *cpu, unsigned int off);

void vpmu_truth_open(const char *file);
bool vpmu_truth_needs_model(void);
void vpmu_truth_region(struct vpmu_cpu *cpu, unsigned int number, bool begin);
void vpmu_truth_window(struct vpmu_cpu *cpu, bool begin);
void vpmu_truth_uncore_window(const struct vcore_traffic *seen, bool begin);
void vpmu_truth_write(void);

#endif /* VPMU_H */
