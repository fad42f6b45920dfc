// SPDX-License-Identifier: GPL-2.0
/*
 * Hardware prefetchers of Ivy Bridge as the Optimization Reference Manual
 * describes them (2.3.5.4); none of them leaves a 4 KB page. Where it gives no
 * number, that is said.
 */
#include "hierarchy.h"
#include "memory.h"

/* OM: at most so many lines ahead, so many prefetches a lookup */
#define STREAM_AHEAD 20
#define STREAM_A_LOOKUP 2

/* lookups in one direction that make a stream; no number in the manual */
#define STREAM_SEEN 2

/* strides below 2 KB; equal ones in a row that make it regular: no number */
#define STRIDE_LIMIT 2048
#define STRIDE_SEEN 2

/**
 * vcore_prefetch_init() - the prefetchers have seen nothing
 * @memory: of the core
 */
void vcore_prefetch_init(struct vcore_memory *memory)
{
	struct vcore_prefetch *p = &memory->prefetch;
	unsigned int i;

	for (i = 0; i < VCORE_STREAMS; i++) {
		*vcore_cache_byte(p->order, i) = i;
		p->stream[i].page = VCORE_NO_PAGE;
	}
}

static bool is_off(const struct vcore_memory *memory, unsigned int which)
{
	return memory->prefetch.off & which;
}

static struct vcore_presence *presence(struct vcore_prefetch *p, uint64_t page)
{
	return &p->presence[page % VCORE_STREAM_PAGES];
}

static struct vcore_stream *stream_at(struct vcore_prefetch *p,
				      unsigned int rank)
{
	return &p->stream[*vcore_cache_byte(p->order, rank)];
}

/* Return: the LRU rank of the page's stream, or of the one that it replaces */
static unsigned int find_stream(struct vcore_prefetch *p, uint64_t page)
{
	const struct vcore_presence *pages = presence(p, page);
	unsigned int rank;

	if (!pages->streams)
		return VCORE_STREAMS - 1;
	if (p->stream[pages->latest].page == page)
		return vcore_cache_rank(p->order, pages->latest);
	for (rank = 0; rank < VCORE_STREAMS - 1; rank++)
		if (stream_at(p, rank)->page == page)
			break;
	return rank;
}

static struct vcore_stream *use_stream(struct vcore_prefetch *p, uint64_t page)
{
	unsigned int rank = find_stream(p, page);
	struct vcore_stream *stream = stream_at(p, rank);
	unsigned int number = stream - p->stream;

	vcore_cache_front(p->order, rank, number);
	presence(p, page)->latest = number;
	if (stream->page == page)
		return stream;
	if (stream->page != VCORE_NO_PAGE)
		presence(p, stream->page)->streams--;
	presence(p, page)->streams++;
	*stream = (struct vcore_stream){ .page = page, .is_new = true };
	return stream;
}

/* Return: the page's stream goes on, with the line behind it to prefetch */
static bool follow(struct vcore_stream *stream, int line)
{
	int direction = line > stream->last ? 1 : -1;

	if (line == stream->last)
		return stream->seen >= STREAM_SEEN;
	if (direction != stream->direction) {
		stream->direction = direction;
		stream->seen = 0;
		stream->next = line;
	}
	stream->seen++;
	stream->last = line;
	if ((stream->next - line) * direction <= 0)
		stream->next = line + direction;
	return stream->seen >= STREAM_SEEN;
}

static void run_ahead(struct vcore_memory *memory, uint64_t cycle,
		      struct vcore_stream *stream, struct vcore_counts *counts)
{
	uint64_t first = stream->page * VCORE_PAGE_LINES;
	unsigned int i;

	for (i = 0; i < STREAM_A_LOOKUP; i++) {
		int ahead = (stream->next - stream->last) * stream->direction;

		if (stream->next < 0 || stream->next >= (int)VCORE_PAGE_LINES ||
		    ahead > STREAM_AHEAD)
			return;
		if (!vcore_l2_prefetch(memory, cycle, first + stream->next,
				       counts))
			return;
		stream->next += stream->direction;
	}
}

/* L2 streamer: lines of a page in ascending or descending order */
static void stream(struct vcore_memory *memory, uint64_t cycle, uint64_t line,
		   struct vcore_counts *counts)
{
	struct vcore_prefetch *p = &memory->prefetch;
	struct vcore_stream *used = use_stream(p, line / VCORE_PAGE_LINES);
	int in_page = line % VCORE_PAGE_LINES;

	if (used->is_new)
		used->last = in_page;
	else if (follow(used, in_page))
		run_ahead(memory, cycle, used, counts);
	used->is_new = false;
}

/**
 * vcore_prefetch_l2() - the L2 was asked for a line
 * @memory: of the core
 * @cycle: now
 * @line: number
 * @hit: it had it
 * @counts: grow
 */
void vcore_prefetch_l2(struct vcore_memory *memory, uint64_t cycle,
		       uint64_t line, bool hit, struct vcore_counts *counts)
{
	/* the other half of the 128 bytes */
	if (!hit && !is_off(memory, VCORE_PREFETCH_L2_ADJACENT))
		vcore_l2_prefetch(memory, cycle, line ^ 1, counts);
	if (!is_off(memory, VCORE_PREFETCH_L2_STREAM))
		stream(memory, cycle, line, counts);
}

/* not with many other misses in progress (OM): half of the buffers are free */
static void fill_l1(struct vcore_memory *memory, uint64_t cycle, uint64_t line,
		    struct vcore_counts *counts)
{
	if (vcore_fills_free(memory, cycle, (memory->params->fills + 1) / 2))
		vcore_fills_prefetch(memory, cycle, line, false, counts);
}

static uint64_t page_of(uint64_t pa)
{
	return pa >> VCORE_PAGE_SHIFT;
}

/* the line behind one that is read in ascending order */
static void next_line(struct vcore_memory *memory, uint64_t cycle, uint64_t pa,
		      struct vcore_counts *counts)
{
	uint64_t line = pa >> VCORE_LINE_SHIFT;
	unsigned int offset = pa % (1 << VCORE_LINE_SHIFT);
	struct vcore_ascent *ascent;
	bool ascends;

	ascent = &memory->prefetch.ascent[line % VCORE_ASCENTS];
	if (ascent->line != line) {
		*ascent = (struct vcore_ascent){ line, offset, false };
		return;
	}
	ascends = offset > ascent->offset;
	ascent->offset = offset;
	if (!ascends || ascent->fired)
		return;
	ascent->fired = true;
	if ((line + 1) % VCORE_PAGE_LINES)
		fill_l1(memory, cycle, line + 1, counts);
}

/* where an instruction with a regular stride reads next */
static void by_stride(struct vcore_memory *memory, uint64_t cycle, uint64_t pc,
		      uint64_t pa, struct vcore_counts *counts)
{
	struct vcore_stride *s = &memory->prefetch.stride[pc % VCORE_STRIDES];
	int64_t stride = pa - s->last;
	uint64_t next = pa + stride;

	if (s->pc != pc) {
		*s = (struct vcore_stride){ .pc = pc, .last = pa };
		return;
	}
	s->last = pa;
	if (stride != s->stride) {
		s->stride = stride;
		s->seen = 0;
	} else if (s->seen < STRIDE_SEEN) {
		s->seen++;
	}
	if (!stride || s->seen < STRIDE_SEEN || stride >= STRIDE_LIMIT ||
	    stride <= -STRIDE_LIMIT || page_of(next) != page_of(pa) ||
	    next >> VCORE_LINE_SHIFT == pa >> VCORE_LINE_SHIFT)
		return;
	fill_l1(memory, cycle, next >> VCORE_LINE_SHIFT, counts);
}

/**
 * vcore_prefetch_load() - a load has executed
 * @memory: of the core
 * @cycle: now
 * @pc: the instruction's address
 * @pa: the address that it read
 * @counts: grow
 */
void vcore_prefetch_load(struct vcore_memory *memory, uint64_t cycle,
			 uint64_t pc, uint64_t pa, struct vcore_counts *counts)
{
	if (!is_off(memory, VCORE_PREFETCH_L1_NEXT))
		next_line(memory, cycle, pa, counts);
	if (!is_off(memory, VCORE_PREFETCH_L1_IP))
		by_stride(memory, cycle, pc, pa, counts);
}
