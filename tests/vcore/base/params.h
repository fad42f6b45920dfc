/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The virtual cores' sizes and latencies: one table a core in params.c, each
 * number with its source.
 */
#ifndef VCORE_PARAMS_H
#define VCORE_PARAMS_H

#include <stdbool.h>
#include <stdint.h>

/* upper limits of what any core has */
#define VCORE_MAX_ROB 512
#define VCORE_MAX_RS 128
#define VCORE_MAX_LOADS 192
#define VCORE_MAX_STORES 114
#define VCORE_MAX_IDQ 144
#define VCORE_MAX_FILLS 22

/**
 * struct vcore_cache_params - a cache or a TLB
 * @sets: a power of two
 * @ways: each
 * @latency: cycles of a load that hits there, from execution to result; of a
 *	TLB what a hit adds
 */
struct vcore_cache_params {
	unsigned int sets;
	unsigned int ways;
	unsigned int latency;
};

/**
 * struct vcore_front_params - front end of an out-of-order core
 * @fetch_bytes: decoded a cycle
 * @decoders: instructions decoded a cycle, the first one alone of any length
 * @complex_uops: the most that the first decoder makes; more is microcode
 * @window_shift: a decoded-uop cache line covers so many bytes, as a power of 2
 * @dsb: the decoded-uop cache: lines of @dsb_uops
 * @dsb_uops: a way
 * @dsb_ways: a window may take; else it is not cached
 * @idq: entries of the queue to issue
 * @mite_depth: further cycles from fetch to the queue by the decoders
 * @dsb_depth: the same from the decoded-uop cache
 * @switch_cycles: lost from one to the other
 * @ms_switch: lost to enter the micro-sequencer
 * @lcp: cycles lost to a length-changing prefix
 * @btb: entries
 * @btb_ways: of them a set
 * @baclear: cycles lost when decoding finds a taken branch the BTB missed
 * @returns: return stack entries
 * @resteer: from the resolution of a branch to the first fetch of its path
 * @recovery: of them, cycles in which issue recovers
 * @serialise: cycles to fetch again after a far branch, an interrupt or CPUID
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
 * struct vcore_back_params - back end of an out-of-order core
 * @width: slots issued a cycle
 * @retire_width: slots retired a cycle
 * @rob: slots in flight
 * @rs: unfused uops that wait for their operands or a port
 * @loads: load buffer entries
 * @stores: store buffer entries
 * @ports: of execution
 * @alu_ports: mask of those that take any simple operation
 * @load_ports: mask
 * @sta_ports: mask
 * @std_ports: mask
 * @forward: cycles of a load that a store in flight feeds
 * @forward_blocked: until a load goes on that a store overlaps but cannot feed
 * @alias: cycles lost to a store whose address agrees in the low 12 bits
 * @split: cycles that an access to two lines takes longer
 * @clear: cycles that a machine clear costs
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
};

/**
 * struct vcore_memory_params - caches, TLBs and memory
 * @l1i: cache
 * @l1d: cache
 * @l2: cache
 * @l3: cache, shared by the package; 0 sets for none
 * @itlb: of 4 KB pages
 * @dtlb: of 4 KB pages
 * @stlb: second level of both
 * @walk: cycles of a page walk whose tables are in the L2
 * @fills: line-fill buffers of the L1D
 * @l2_requests: requests that the L2 has outstanding (superqueue)
 * @snoop_hit: cycles of a load that another core has clean
 * @snoop_hitm: cycles of a load that another core has modified
 * @memory: cycles of a load from idle memory
 * @line_interval: core cycles that memory takes for a line at full bandwidth
 * @tracker: entries of the arbiter's tracker
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
 * struct vcore_params - a core
 * @name: "ivb"
 * @in_order: Knights Corner: of @front only the predictor's sizes are used,
 *	and @back is not
 * @threads: that share an in-order core
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
 * struct vcore_ideal - what is made perfect
 * @l1i: all code hits the L1I and the ITLB
 * @l1d: all data hit the L1D and the DTLB
 * @bpred: no branch is mispredicted, none found late
 * @alu: all operations take one cycle, the divider never blocks
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
extern const struct vcore_params vcore_knc;

#endif /* VCORE_PARAMS_H */
