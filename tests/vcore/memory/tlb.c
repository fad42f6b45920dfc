// SPDX-License-Identifier: GPL-2.0
/*
 * TLBs and page walks. The model does not read the guest's page tables. Instead, it computes the
 * address of a page-table entry from the page number; these addresses are above all memory of a
 * guest. Entries of adjacent pages share a line, and compete with data for the caches.
 */
#include "hierarchy.h"

#define PAGE_TABLES (1ull << 45)
#define DIRECTORIES_OFFSET (1ull << 44)
#define ENTRY_SIZE 8
#define PAGES_MASK 0xfffffffffull
#define DIRECTORY_SHIFT 9

/*
 * Size of the PDE cache, which holds page-directory entries. The SDM (Vol. 3, 4.10.3) describes the
 * cache, but gives no size.
 */
static const struct vcore_cache_params directory_cache = { 8, 4, 0 };

static void init_tlb(struct vcore_tlb *tlb, const struct vcore_cache_params *params)
{
	vcore_cache_init(&tlb->cache, params, false);
	tlb->latest = VCORE_NO_PAGE;
}

/**
 * vcore_tlb_init() - initialise empty TLBs of a core
 * @memory: memory of the core
 */
void vcore_tlb_init(struct vcore_memory *memory)
{
	init_tlb(&memory->tlbs.itlb, &memory->params->itlb);
	init_tlb(&memory->tlbs.dtlb, &memory->params->dtlb);
	vcore_cache_init(&memory->tlbs.stlb, &memory->params->stlb, false);
	vcore_cache_init(&memory->tlbs.directory, &directory_cache, false);
}

/**
 * vcore_tlb_free() - free the TLBs of a core
 * @memory: memory of the core
 */
void vcore_tlb_free(struct vcore_memory *memory)
{
	vcore_cache_free(&memory->tlbs.itlb.cache);
	vcore_cache_free(&memory->tlbs.dtlb.cache);
	vcore_cache_free(&memory->tlbs.stlb);
	vcore_cache_free(&memory->tlbs.directory);
}

/* Reads an entry of a page table from the L2. Returns the latency in cycles. */
static uint64_t read_table(struct vcore_memory *memory, uint64_t cycle,
			   uint64_t address, struct vcore_counts *counts)
{
	return vcore_l2_access(memory, cycle, address >> VCORE_LINE_SHIFT,
			       VCORE_BY_WALK, counts).done - cycle;
}

/* Returns the latency of a page walk in cycles. */
static uint64_t walk_cycles(struct vcore_memory *memory, uint64_t cycle,
			    uint64_t page, struct vcore_counts *counts)
{
	struct vcore_cache *cache = &memory->tlbs.directory;
	uint64_t upper = (page & PAGES_MASK) >> DIRECTORY_SHIFT;
	uint64_t takes = memory->params->walk - memory->params->l2.latency;

	if (!vcore_cache_touch(cache, upper)) {
		vcore_cache_insert(cache, upper, 0, NULL);
		takes += read_table(memory, cycle, PAGE_TABLES + DIRECTORIES_OFFSET +
				    upper * ENTRY_SIZE, counts);
	}
	return takes + read_table(memory, cycle + takes, PAGE_TABLES +
				  (page & PAGES_MASK) * ENTRY_SIZE, counts);
}

/* Walks the page tables for a page. Returns the cycle in which the translation is known. */
static uint64_t walk_page(struct vcore_memory *memory, uint64_t cycle,
			  uint64_t page, struct vcore_counts *counts,
			  enum vcore_plain walks)
{
	struct vcore_tlbs *tlbs = &memory->tlbs;
	struct vcore_fill *latest = &tlbs->walk[tlbs->walks++ % VCORE_WALKS];
	uint64_t takes;

	if (cycle < tlbs->free)
		cycle = tlbs->free;
	takes = walk_cycles(memory, cycle, page, counts);
	tlbs->free = cycle + takes;
	latest->line = page;
	latest->done = cycle + takes;
	counts->plain[walks]++;
	counts->plain[walks + 1] += takes;
	return cycle + takes;
}

/*
 * Returns the cycle in which the translation of a page is known that hits the first-level TLB. The
 * page walk that has filled the entry may still be in progress.
 */
static uint64_t tlb_hit(struct vcore_memory *memory, uint64_t cycle,
			uint64_t *entry, uint64_t page, struct vcore_reply *reply)
{
	struct vcore_fill *latest;

	latest = vcore_fill_in_progress(memory->tlbs.walk, VCORE_WALKS, page, cycle);
	if (!latest) {
		*entry &= ~(uint64_t)VCORE_PENDING;
		return cycle;
	}
	reply->walked = true;
	return latest->done;
}

/*
 * Looks up a page in a first-level TLB, then in the STLB, and walks the page tables if both miss.
 * Returns the cycle in which the translation is known. @stlb_hits is the index of the count of STLB
 * hits; the two next indices are those of the counts of walks and of cycles in walks.
 */
static uint64_t tlb_find(struct vcore_memory *memory, uint64_t cycle,
			 struct vcore_tlb *tlb, uint64_t page,
			 enum vcore_plain stlb_hits, struct vcore_counts *counts,
			 struct vcore_reply *reply)
{
	uint64_t *entry = vcore_cache_touch(&tlb->cache, page);
	struct vcore_cache *stlb = &memory->tlbs.stlb;

	tlb->latest = VCORE_NO_PAGE;
	if (entry && !(*entry & VCORE_PENDING)) {
		tlb->latest = page;
		return cycle;
	}
	if (entry)
		return tlb_hit(memory, cycle, entry, page, reply);
	vcore_cache_insert(&tlb->cache, page, VCORE_PENDING, NULL);
	if (vcore_cache_touch(stlb, page)) {
		counts->plain[stlb_hits]++;
		reply->stlb_hit = true;
		return cycle + memory->params->stlb.latency;
	}
	vcore_cache_insert(stlb, page, 0, NULL);
	reply->walked = true;
	return walk_page(memory, cycle + memory->params->stlb.latency, page, counts,
			 stlb_hits + 1);
}

/*
 * Translates a virtual address. Returns the cycle in which the translation is known. An access to
 * the page of the latest access skips the lookup, because this page is already the most recently
 * used one.
 */
static uint64_t tlb_translate(struct vcore_memory *memory, uint64_t cycle,
			      struct vcore_tlb *tlb, uint64_t va,
			      enum vcore_plain stlb_hits,
			      struct vcore_counts *counts,
			      struct vcore_reply *reply)
{
	uint64_t page = va >> VCORE_PAGE_SHIFT;

	if (page == tlb->latest)
		return cycle;
	return tlb_find(memory, cycle, tlb, page, stlb_hits, counts, reply);
}

/**
 * vcore_tlb_data() - translate the address of a data access by a core's TLBs
 * @memory: memory of the core
 * @cycle: current cycle
 * @va: virtual address
 * @store: true for a store, false for a load
 * @counts: counts to which the events of the TLBs are added
 * @reply: its @stlb_hit becomes true if the access hit the STLB, its @walked if the access needed a
 *	walk
 *
 * Return: the cycle in which the translation is known.
 */
uint64_t vcore_tlb_data(struct vcore_memory *memory, uint64_t cycle,
			uint64_t va, bool store, struct vcore_counts *counts,
			struct vcore_reply *reply)
{
	return tlb_translate(memory, cycle, &memory->tlbs.dtlb, va,
			     store ? VCORE_DTLB_STORE_STLB_HIT :
				 VCORE_DTLB_LOAD_STLB_HIT, counts, reply);
}

/**
 * vcore_tlb_has_data() - check, without an effect, if a core's TLBs have the page of a data access
 * @memory: memory of the core
 * @va: virtual address
 */
bool vcore_tlb_has_data(const struct vcore_memory *memory, uint64_t va)
{
	uint64_t page = va >> VCORE_PAGE_SHIFT;

	return vcore_cache_find(&memory->tlbs.dtlb.cache, page) ||
	       vcore_cache_find(&memory->tlbs.stlb, page);
}

/**
 * vcore_tlb_code() - translate the address of a code fetch by a core's TLBs
 * @memory: memory of the core
 * @cycle: current cycle
 * @va: virtual address
 * @counts: counts to which the events of the TLBs are added
 * @reply: its @stlb_hit becomes true if the access hit the STLB, its @walked if the access needed a
 *	walk
 *
 * Return: the cycle in which the translation is known.
 */
uint64_t vcore_tlb_code(struct vcore_memory *memory, uint64_t cycle,
			uint64_t va, struct vcore_counts *counts,
			struct vcore_reply *reply)
{
	return tlb_translate(memory, cycle, &memory->tlbs.itlb, va,
			     VCORE_ITLB_STLB_HIT, counts, reply);
}
