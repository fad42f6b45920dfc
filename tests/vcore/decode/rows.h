/* SPDX-License-Identifier: GPL-2.0 */
/* Macros for the rows of the tables of instruction costs. */
#ifndef VCORE_ROWS_H
#define VCORE_ROWS_H

#include "base/insn.h"

#define P0 VCORE_P0
#define P1 VCORE_P1
#define P5 VCORE_P5
#define P01 VCORE_P01
#define P05 VCORE_P05
#define P15 VCORE_P15
#define P015 VCORE_P015

/*
 * Initialisers of struct vcore_cost. Their parameters: n number of uops, p port mask of the first
 * uop, m port mask of the other uops, l latency, d cycles of the divider, f number of filler uops,
 * k type of operation, t traits.
 */
#define ONE(p, l, t) { 1, p, p, l, 0, 0, 0, t }
#define ARITH(p, l, k) { 1, p, p, l, 0, 0, k, 0 }
#define SEVERAL(n, p, m, l, k) { n, p, m, l, 0, 0, k, 0 }
#define DIVIDE(n, l, d, k) { n, P0, P015, l, d, 0, k, VCORE_MERGES }
#define MICROCODE(l, f, t) { 1, P015, P015, l, 0, f, 0, t }

/* Microcode with n uops, each of which writes one of several destination registers. */
#define REPORT(n, l, f) { n, P015, P015, l, 0, f, 0, 0 }

#define SIMPLE ONE(P015, 1, VCORE_PAIRS)
#define MOVE ONE(P015, 1, VCORE_MOVES | VCORE_PAIRS)
#define RENAMED ONE(P015, 1, VCORE_MOVES | VCORE_ELIMINATED | VCORE_PAIRS)
#define VECTOR_MOVE ONE(P5, 1, VCORE_MOVES | VCORE_ELIMINATED)
#define STREAM ONE(P5, 1, VCORE_MOVES | VCORE_STREAMS)
#define STRING ONE(P015, 1, VCORE_STRING)
#define ZEROING(p) ONE(p, 1, VCORE_ZEROES)
#define NO_PORT ONE(0, 0, VCORE_NO_PORT | VCORE_PAIRS)
#define PREFETCH ONE(0, 0, VCORE_PREFETCHES | VCORE_PAIRS)
#define X87(p, l) ARITH(p, l, VCORE_X87)

/*
 * Rows of a cost table: ROW is for one mnemonic, VEX for the legacy and the VEX form of an
 * instruction, CONDITIONS for its forms with each condition code, FLOAT for its forms with each
 * type of floating-point element.
 */
#define ROW(m, ...) \
	[ZYDIS_MNEMONIC_##m] = __VA_ARGS__
#define VEX(m, ...) ROW(m, __VA_ARGS__), ROW(V##m, __VA_ARGS__)
#define CONDITIONS(m, ...) \
	[ZYDIS_MNEMONIC_##m##O] = __VA_ARGS__, \
	ROW(m##NO, __VA_ARGS__), ROW(m##B, __VA_ARGS__), \
	ROW(m##NB, __VA_ARGS__), ROW(m##Z, __VA_ARGS__), \
	ROW(m##NZ, __VA_ARGS__), ROW(m##BE, __VA_ARGS__), \
	ROW(m##NBE, __VA_ARGS__), ROW(m##S, __VA_ARGS__), \
	ROW(m##NS, __VA_ARGS__), ROW(m##P, __VA_ARGS__), \
	ROW(m##NP, __VA_ARGS__), ROW(m##L, __VA_ARGS__), \
	ROW(m##NL, __VA_ARGS__), ROW(m##LE, __VA_ARGS__), \
	ROW(m##NLE, __VA_ARGS__)
#define FLOAT(m, p, l) \
	[ZYDIS_MNEMONIC_##m##SS] = ARITH(p, l, VCORE_SSE_SCALAR_SINGLE), \
	ROW(m##SD, ARITH(p, l, VCORE_SSE_SCALAR_DOUBLE)), \
	ROW(m##PS, ARITH(p, l, VCORE_SSE_PACKED_SINGLE)), \
	ROW(m##PD, ARITH(p, l, VCORE_SSE_PACKED_DOUBLE))
#define DIVISION(m) \
	[ZYDIS_MNEMONIC_##m##SS] = DIVIDE(1, 13, 7, VCORE_SSE_SCALAR_SINGLE), \
	ROW(m##SD, DIVIDE(1, 20, 14, VCORE_SSE_SCALAR_DOUBLE)), \
	ROW(m##PS, DIVIDE(1, 13, 7, VCORE_SSE_PACKED_SINGLE)), \
	ROW(m##PD, DIVIDE(1, 20, 14, VCORE_SSE_PACKED_DOUBLE))
#define MULTIPLY_ADD(m) \
	[ZYDIS_MNEMONIC_##m##132SS] = ARITH(P01, 5, VCORE_SSE_SCALAR_SINGLE), \
	ROW(m##213SS, ARITH(P01, 5, VCORE_SSE_SCALAR_SINGLE)), \
	ROW(m##231SS, ARITH(P01, 5, VCORE_SSE_SCALAR_SINGLE)), \
	ROW(m##132SD, ARITH(P01, 5, VCORE_SSE_SCALAR_DOUBLE)), \
	ROW(m##213SD, ARITH(P01, 5, VCORE_SSE_SCALAR_DOUBLE)), \
	ROW(m##231SD, ARITH(P01, 5, VCORE_SSE_SCALAR_DOUBLE)), \
	ROW(m##132PS, ARITH(P01, 5, VCORE_SSE_PACKED_SINGLE)), \
	ROW(m##213PS, ARITH(P01, 5, VCORE_SSE_PACKED_SINGLE)), \
	ROW(m##231PS, ARITH(P01, 5, VCORE_SSE_PACKED_SINGLE)), \
	ROW(m##132PD, ARITH(P01, 5, VCORE_SSE_PACKED_DOUBLE)), \
	ROW(m##213PD, ARITH(P01, 5, VCORE_SSE_PACKED_DOUBLE)), \
	ROW(m##231PD, ARITH(P01, 5, VCORE_SSE_PACKED_DOUBLE))

#endif /* VCORE_ROWS_H */
