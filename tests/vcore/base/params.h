/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Types of the sizes and latencies of the virtual cores. params.c has a table for each core, with
 * the source of each number.
 */
#ifndef VCORE_PARAMS_H
#define VCORE_PARAMS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Maximum sizes of buffers in the model: its arrays have these sizes, and no core in params.c may
 * have more.
 */
#define VCORE_MAX_ROB 512
#define VCORE_MAX_RS 128
#define VCORE_MAX_LOADS 192
#define VCORE_MAX_STORES 114
#define VCORE_MAX_IDQ 144
#define VCORE_MAX_FILLS 22

/**
 * struct vcore_cache_params - sizes and latency of a cache or a TLB
 * @sets: number of sets, a power of two
 * @ways: associativity
 * @latency: of a cache, the cycles from a load that hits to its result; of a TLB, the cycles that a
 *	hit adds to a load
 */
struct vcore_cache_params {
	unsigned int sets;
	unsigned int ways;
	unsigned int latency;
};

/**
 * struct vcore_front_params - sizes and latencies of the front end of an out-of-order core
 * @fetch_bytes: bytes of code that the decoders take per cycle
 * @decoders: instructions decoded per cycle; only the first may have more than one uop
 * @complex_uops: maximum number of uops from the first decoder; an instruction with more uops comes
 *	from the microcode sequencer
 * @window_shift: log2 of the size, in bytes of code, of one window of the uop cache
 * @dsb: uop cache (Intel: DSB); each way holds @dsb_uops
 * @dsb_uops: uops per way of the uop cache
 * @dsb_ways: ways of the uop cache that one window may occupy; a window that needs more is not
 *	cached
 * @idq: entries of the instruction decode queue (IDQ)
 * @mite_depth: additional cycles from fetch to the IDQ through the decoders
 * @dsb_depth: additional cycles from fetch to the IDQ through the uop cache
 * @switch_cycles: cycles lost in a switch from the uop cache to the decoders
 * @ms_switch: cycles lost in a switch to the microcode sequencer
 * @lcp: cycles lost by a length-changing prefix
 * @btb: entries of the branch target buffer
 * @btb_ways: associativity of the branch target buffer
 * @baclear: cycles lost when the decoders find a taken branch that the branch target buffer lacked
 * @returns: entries of the return stack
 * @resteer: cycles from the resolution of a branch to the first fetch on the
 *	correct path
 * @recovery: the part of @resteer in which no slot issues
 * @serialise: cycles until fetch resumes after a far branch, an interrupt or
 *	CPUID
 */
struct vcore_front_params {
	unsigned int fetch_bytes;
	unsigned int decoders;
	unsigned int complex_uops;
	unsigned int window_shift;
	struct vcore_cache_params dsb;
	unsigned int dsb_uops;
	unsigned int dsb_ways;
	unsigned int idq;
	unsigned int mite_depth;
	unsigned int dsb_depth;
	unsigned int switch_cycles;
	unsigned int ms_switch;
	unsigned int lcp;
	unsigned int btb;
	unsigned int btb_ways;
	unsigned int baclear;
	unsigned int returns;
	unsigned int resteer;
	unsigned int recovery;
	unsigned int serialise;
};

/**
 * struct vcore_back_params - sizes and latencies of the back end of an out-of-order core
 * @width: slots issued per cycle
 * @retire_width: slots retired per cycle
 * @rob: entries of the reorder buffer, in slots
 * @rs: entries of the scheduler, in unfused uops
 * @loads: entries of the load buffer
 * @stores: entries of the store buffer
 * @ports: number of execution ports
 * @alu_ports: mask of the ports that execute any simple operation
 * @load_ports: mask of the ports that execute loads
 * @sta_ports: mask of the ports that execute store addresses
 * @std_ports: mask of the ports that execute store data
 * @forward: latency of a store-forwarded load, in cycles
 * @forward_blocked: cycles that a load is delayed by an overlapping store that cannot forward
 * @alias: cycles by which 4K aliasing delays a load whose low 12 address bits are those of an older
 *	store
 * @split: additional cycles of an access that crosses a cache line
 * @clear: cycles from a machine clear until fetch resumes
 * @assist: uops of a floating-point assist, 0 if denormals need none
 * @alternates: true if only one of two threads that share the core issues in a cycle
 */
struct vcore_back_params {
	unsigned int width;
	unsigned int retire_width;
	unsigned int rob;
	unsigned int rs;
	unsigned int loads;
	unsigned int stores;
	unsigned int ports;
	uint8_t alu_ports;
	uint8_t load_ports;
	uint8_t sta_ports;
	uint8_t std_ports;
	unsigned int forward;
	unsigned int forward_blocked;
	unsigned int alias;
	unsigned int split;
	unsigned int clear;
	unsigned int assist;
	bool alternates;
};

/**
 * struct vcore_memory_params - sizes and latencies of caches, TLBs and memory
 * @l1i: L1 instruction cache
 * @l1d: L1 data cache
 * @l2: L2 cache
 * @l3: L3 cache of the whole package; 0 sets if there is none
 * @itlb: instruction TLB, 4 KB pages
 * @dtlb: data TLB, 4 KB pages
 * @stlb: second-level TLB of code and data
 * @walk: cycles of a page walk whose page tables are in the L2
 * @fills: line-fill buffers of the L1D
 * @l2_requests: entries of the superqueue, the L2's outstanding requests
 * @snoop_hit: latency of a load, in cycles, if another core has the line unmodified
 * @snoop_hitm: latency of a load, in cycles, if another core has the line modified
 * @memory: latency of a load from idle memory, in cycles
 * @line_interval: core cycles per 64-byte line at full memory bandwidth
 * @tracker: entries of the arbiter's request tracker
 */
struct vcore_memory_params {
	struct vcore_cache_params l1i;
	struct vcore_cache_params l1d;
	struct vcore_cache_params l2;
	struct vcore_cache_params l3;
	struct vcore_cache_params itlb;
	struct vcore_cache_params dtlb;
	struct vcore_cache_params stlb;
	unsigned int walk;
	unsigned int fills;
	unsigned int l2_requests;
	unsigned int snoop_hit;
	unsigned int snoop_hitm;
	unsigned int memory;
	unsigned int line_interval;
	unsigned int tracker;
};

/**
 * struct vcore_params - all sizes and latencies of a core
 * @name: name of the core in the options of the virtual PMU, such as "ivb"
 * @in_order: true for the in-order core of Knights Corner, which uses the branch predictor's sizes
 *	of @front and nothing of @back
 * @threads: hardware threads of an in-order core; 0 for an out-of-order core
 * @front: front end
 * @back: back end
 * @memory: caches and memory
 */
struct vcore_params {
	const char *name;
	bool in_order;
	unsigned int threads;
	struct vcore_front_params front;
	struct vcore_back_params back;
	struct vcore_memory_params memory;
};

/**
 * struct vcore_ideal - which units of a core are simulated as perfect
 * @l1i: all code hits in the L1I and the ITLB
 * @l1d: all data hit in the L1D and the DTLB
 * @bpred: no branch is mispredicted or causes a BACLEAR
 * @alu: all operations take one cycle and the divider never blocks
 */
struct vcore_ideal {
	bool l1i;
	bool l1d;
	bool bpred;
	bool alu;
};

extern const struct vcore_params vcore_ivb;
extern const struct vcore_params vcore_skl;
extern const struct vcore_params vcore_spr;
extern const struct vcore_params vcore_grt;
extern const struct vcore_params vcore_zen2;
extern const struct vcore_params vcore_zen4;
extern const struct vcore_params vcore_zen5;
extern const struct vcore_params vcore_knc;

#endif /* VCORE_PARAMS_H */
