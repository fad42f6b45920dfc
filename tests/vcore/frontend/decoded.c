// SPDX-License-Identifier: GPL-2.0
#include "decoded.h"

#include <stdlib.h>
#include <string.h>

#define NO_WINDOW UINT64_MAX
#define LINE_SHIFT 6
/* Maximum number of branches in a way of the uop cache. An unconditional branch ends the way. */
#define WAY_BRANCHES 2

/*
 * A window of code in the uop cache. Bit i of @starts is 1 if the cache has the uops of an
 * instruction that starts at byte i of the window. @ways is the number of ways that the window
 * occupies.
 */
struct window {
	uint64_t number;
	uint64_t starts;
	unsigned int ways;
};

/*
 * A window whose code is being decoded. @slots and @branches are the numbers of slots and of
 * branches in the last way that the window needs so far.
 */
struct filling {
	struct window window;
	unsigned int slots;
	unsigned int branches;
};

static const struct window no_window = { .number = NO_WINDOW };

struct vcore_decoded {
	const struct vcore_front_params *params;
	uint64_t number;		/* number of the window of the latest lookup */
	uint64_t starts;		/* &window.starts of this window; 0 if not cached */
	struct filling filling;
	struct window *window;		/* [set][way]; the most recently used window first */
};

/**
 * vcore_decoded_new() - create an empty uop cache for decoded instructions
 * @params: parameters of the front end
 *
 * Return: the cache, or NULL if the allocation failed.
 */
struct vcore_decoded *
vcore_decoded_new(const struct vcore_front_params *params)
{
	unsigned int windows = params->dsb.sets * params->dsb.ways;
	struct vcore_decoded *d = calloc(1, sizeof(*d));

	if (!d)
		return NULL;
	d->params = params;
	d->number = NO_WINDOW;
	d->window = calloc(windows, sizeof(*d->window));
	if (!d->window) {
		free(d);
		return NULL;
	}
	while (windows--)
		d->window[windows] = no_window;
	return d;
}

/**
 * vcore_decoded_free() - free a uop cache with its decoded instructions
 * @decoded: cache, or NULL
 */
void vcore_decoded_free(struct vcore_decoded *decoded)
{
	if (!decoded)
		return;
	free(decoded->window);
	free(decoded);
}

static struct window *window_set(struct vcore_decoded *d, uint64_t number)
{
	return &d->window[number % d->params->dsb.sets * d->params->dsb.ways];
}

/* Returns the index of window @number in its set, or the number of ways if it is not cached. */
static unsigned int window_find(struct vcore_decoded *d, uint64_t number)
{
	struct window *set = window_set(d, number);
	unsigned int i;

	for (i = 0; i < d->params->dsb.ways; i++)
		if (set[i].number == number)
			break;
	return i;
}

static void window_remove(struct vcore_decoded *d, uint64_t number)
{
	struct window *set = window_set(d, number);
	unsigned int last = d->params->dsb.ways - 1;
	unsigned int i = window_find(d, number);

	if (i > last)
		return;
	memmove(&set[i], &set[i + 1], (last - i) * sizeof(*set));
	set[last] = no_window;
}

/*
 * Inserts a window as the most recently used one of its set. Least recently used windows are
 * evicted until the set has enough ways for all windows that it keeps.
 */
static void window_insert(struct vcore_decoded *d, struct window window)
{
	struct window *set = window_set(d, window.number);
	unsigned int ways = window.ways, i;

	memmove(&set[1], &set[0], (d->params->dsb.ways - 1) * sizeof(*set));
	set[0] = window;
	for (i = 1; i < d->params->dsb.ways; i++) {
		ways += set[i].ways;
		if (ways > d->params->dsb.ways)
			set[i] = no_window;
	}
}

/**
 * vcore_decoded_has() - look up an instruction in the uop cache of decoded instructions
 * @decoded: cache
 * @pa: physical address of the instruction
 *
 * Return: true if the uops of the instruction are cached.
 */
bool vcore_decoded_has(struct vcore_decoded *decoded, uint64_t pa)
{
	uint64_t number = pa >> decoded->params->window_shift;
	uint64_t offset = pa & ((1ull << decoded->params->window_shift) - 1);
	struct window window = { 0 };
	unsigned int way;

	if (number != decoded->number) {
		way = window_find(decoded, number);
		if (way < decoded->params->dsb.ways) {
			window = window_set(decoded, number)[way];
			window_remove(decoded, number);
			window_insert(decoded, window);
		}
		decoded->number = number;
		decoded->starts = window.starts;
	}
	return decoded->starts >> offset & 1;
}

/**
 * vcore_decoded_add() - add a decoded instruction to the window that the uop cache will get next
 * @decoded: cache
 * @insn: instruction that the decoders have decoded
 * @slots: number of issue slots of the instruction
 * @microcode: true if the slots come from the microcode sequencer; such an instruction occupies a
 *	whole way
 */
void vcore_decoded_add(struct vcore_decoded *decoded,
		       const struct vcore_insn *insn, unsigned int slots,
		       bool microcode)
{
	uint64_t number = insn->pa >> decoded->params->window_shift;
	uint64_t offset = insn->pa &
			  ((1ull << decoded->params->window_shift) - 1);
	struct filling *f = &decoded->filling;
	bool full;

	if (f->window.number != number)
		vcore_decoded_close(decoded);
	full = !f->window.ways || microcode ||
	       f->slots + slots > decoded->params->dsb_uops ||
	       (insn->branch && f->branches == WAY_BRANCHES);
	if (full) {
		f->window.ways++;
		f->slots = 0;
		f->branches = 0;
	}
	f->window.number = number;
	f->window.starts |= 1ull << offset;
	f->slots += slots;
	f->branches += !!insn->branch;
	if (microcode || insn->branch > VCORE_CONDITIONAL)
		f->slots = decoded->params->dsb_uops;
}

/**
 * vcore_decoded_close() - insert the current window of decoded instructions into the uop cache
 * @decoded: cache
 *
 * A window that needs more than &vcore_front_params.dsb_ways ways is not cached. The cache may
 * already have other instructions of the same window, which were decoded from another entry point.
 * The old instructions stay cached together with the new ones, with two exceptions: if all together
 * need too many ways, or if an instruction is both old and new, only the new ones are cached.
 */
void vcore_decoded_close(struct vcore_decoded *decoded)
{
	struct window window = decoded->filling.window, old;
	unsigned int way;

	if (!window.ways)
		return;
	memset(&decoded->filling, 0, sizeof(decoded->filling));
	decoded->number = NO_WINDOW;
	way = window_find(decoded, window.number);
	if (way < decoded->params->dsb.ways) {
		old = window_set(decoded, window.number)[way];
		window_remove(decoded, window.number);
		if (!(old.starts & window.starts) &&
		    old.ways + window.ways <= decoded->params->dsb_ways) {
			window.starts |= old.starts;
			window.ways += old.ways;
		}
	}
	if (window.ways <= decoded->params->dsb_ways)
		window_insert(decoded, window);
}

/**
 * vcore_decoded_drop() - evict a line's decoded instructions from the uop cache after an L1I miss
 * @decoded: cache
 * @pa: physical address in the line that missed the L1I; the uop cache holds only lines of the L1I
 */
void vcore_decoded_drop(struct vcore_decoded *decoded, uint64_t pa)
{
	unsigned int shift = decoded->params->window_shift;
	uint64_t number = pa >> LINE_SHIFT << (LINE_SHIFT - shift);
	uint64_t after = number + (1ull << (LINE_SHIFT - shift));

	decoded->number = NO_WINDOW;
	for (; number < after; number++)
		window_remove(decoded, number);
}
