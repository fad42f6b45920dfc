// SPDX-License-Identifier: GPL-2.0
/*
 * The hardware prefetchers of the L2, after the Intel 64 and IA-32 Architectures Optimization
 * Reference Manual, 2.3.5.4, Ivy Bridge. No prefetcher crosses a 4 KB page. Comments say which
 * numbers are not published.
 */
#include "hierarchy.h"
#include "memory.h"

/*
 * Maximum number of lines by which the streamer is ahead of the lookups, and maximum number of
 * lines that it prefetches after one lookup (Optimization Manual).
 */
#define STREAM_AHEAD 20
#define STREAM_PER_LOOKUP 2

/*
 * Number of consecutive lookups in one direction after which the streamer prefetches; not
 * published.
 */
#define STREAM_SEEN 2

/**
 * vcore_prefetch_init() - initialise untrained hardware prefetchers of the L1D and the L2
 * @memory: memory of the core
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

static struct vcore_presence *page_presence(struct vcore_prefetch *p, uint64_t page)
{
	return &p->presence[page % VCORE_STREAM_PAGES];
}

static struct vcore_stream *stream_at(struct vcore_prefetch *p,
				      unsigned int rank)
{
	return &p->stream[*vcore_cache_byte(p->order, rank)];
}

/*
 * Returns the LRU rank of the page's stream. If the page has no stream, returns the rank of the
 * stream to replace, which is the last rank.
 */
static unsigned int find_stream(struct vcore_prefetch *p, uint64_t page)
{
	const struct vcore_presence *pages = page_presence(p, page);
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

	vcore_cache_make_mru(p->order, rank, number);
	page_presence(p, page)->latest = number;
	if (stream->page == page)
		return stream;
	if (stream->page != VCORE_NO_PAGE)
		page_presence(p, stream->page)->streams--;
	page_presence(p, page)->streams++;
	*stream = (struct vcore_stream){ .page = page, .is_new = true };
	return stream;
}

/*
 * Adds a lookup of line @line of the page to a stream. Returns true if the stream triggers
 * prefetches.
 */
static bool update_stream(struct vcore_stream *stream, int line)
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

static void prefetch_ahead(struct vcore_memory *memory, uint64_t cycle,
			   struct vcore_stream *stream, struct vcore_counts *counts)
{
	uint64_t first = stream->page * VCORE_PAGE_LINES;
	unsigned int i;

	for (i = 0; i < STREAM_PER_LOOKUP; i++) {
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

/*
 * The L2 streamer: follows ascending or descending sequences of lines in a page and prefetches the
 * lines that come next.
 */
static void train_streamer(struct vcore_memory *memory, uint64_t cycle, uint64_t line,
			   struct vcore_counts *counts)
{
	struct vcore_prefetch *p = &memory->prefetch;
	struct vcore_stream *used = use_stream(p, line / VCORE_PAGE_LINES);
	int in_page = line % VCORE_PAGE_LINES;

	if (used->is_new)
		used->last = in_page;
	else if (update_stream(used, in_page))
		prefetch_ahead(memory, cycle, used, counts);
	used->is_new = false;
}

/* Lets the prefetchers of the L2 observe a lookup in the L2. They may prefetch lines. */
static void train_l2_prefetchers(struct vcore_memory *memory, uint64_t cycle, uint64_t line,
				 bool hit, struct vcore_counts *counts)
{
	unsigned int off = memory->prefetch.off;

	/*
	 * The spatial prefetcher fetches the other line of a pair of lines, which is aligned to 128
	 * bytes.
	 */
	if (!hit && !(off & VCORE_PREFETCH_L2_ADJACENT))
		vcore_l2_prefetch(memory, cycle, line ^ 1, counts);
	if (!(off & VCORE_PREFETCH_L2_STREAM))
		train_streamer(memory, cycle, line, counts);
}

/**
 * vcore_prefetch_access() - request a line from the L2, observed by the L2's hardware prefetchers
 * @memory: memory of the core
 * @cycle: cycle of the request
 * @line: line address / 64
 * @by: source of the request; the prefetchers do not observe requests by page walks (VCORE_BY_WALK)
 * @counts: counts to which the events of the request and of prefetches are added
 *
 * Return: the cycle in which the line arrives, and the level that delivers it.
 */
struct vcore_arrival vcore_prefetch_access(struct vcore_memory *memory,
					   uint64_t cycle, uint64_t line,
					   enum vcore_requester by,
					   struct vcore_counts *counts)
{
	struct vcore_arrival arrival = vcore_l2_access(memory, cycle, line, by,
						       counts);

	train_l2_prefetchers(memory, cycle, line, arrival.hit, counts);
	return arrival;
}
