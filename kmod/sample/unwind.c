// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel's stack is unwound by the kernel's own functions. By ORC they take 150 instructions
 * for each function of a chain: they search a table for what the function has on its stack at an
 * address, look which stack it is, and look for functions whose return address is replaced.
 *
 * What ORC has for an address is nearly always the same kind of step: the stack pointer of the
 * caller is that of the function, or its frame pointer (RBP), plus a number; the return address is
 * just below; and the caller's RBP is in a certain word of the function's frame, or still in RBP.
 * This file learns such steps when it sees the kernel's functions make them, and takes the next
 * chain of the same functions by what it has learned. It learns a step only if it can have been no
 * other:
 *
 * - It leads from one place of the current task's stack to a higher one, and the word below that
 *   is the return address which the kernel's functions have found. A step over registers, to
 *   another stack, or over a return address that a tracer has replaced is none.
 * - A frame pointer is within the frame of its function. If RBP is elsewhere, the number was added
 *   to the stack pointer. If not, the number may have been added to either: the step then holds
 *   only where both give the same, until a step with another frame tells which of them it was.
 * - In a function that aligns its stack, ORC adds a number to R10 or R13, or reads the address of
 *   the frame's end from the frame, which is found by RBP. Neither register of the interrupted
 *   function points into the frame or to its end; and if RBP points into the frame, no word of the
 *   frame does to its end.
 * - The caller's RBP is that of the function if no word of the frame has this value, and is in a
 *   word of the frame if only that one has it, and RBP has not. If both have it, it is known only
 *   where both have the same again. A step that needs RBP is not taken where RBP is not known.
 *
 * Code of the kernel stays what it is. When a module comes or goes, and when a session begins, all
 * steps are forgotten: a tracer's trampolines come and go without a word.
 *
 * A chain of steps is complete, or cut: it ends where a chain of the kernel's functions has ended
 * at the top of the stack. If a step is not known, the kernel's functions unwind. Now and then they
 * do so in any case, and both chains are compared: after a difference no steps are used any more.
 */
#include "unwind.h"

#include <linux/barepmu.h>
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/notifier.h>
#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>

#include <asm/unwind.h>

static int set_compare(const char *text, const struct kernel_param *param);

static const struct kernel_param_ops compare_ops = { .set = set_compare, .get = param_get_uint };

/*
 * Module parameter: one of so many chains that a CPU has unwound by steps is compared with that of
 * the kernel's functions; 0: no chain is unwound by steps. It is set to 0 after a difference.
 */
static unsigned int unwind_compare = IS_ENABLED(CONFIG_UNWINDER_ORC) ? 256 : 0;
module_param_cb(unwind_compare, &compare_ops, &unwind_compare, 0644);
MODULE_PARM_DESC(unwind_compare,
		 "one of so many of the kernel's call chains that were unwound by learned steps is compared with the kernel's unwinder; 0: unwind without such steps");

/*
 * Module parameter: number of chains that were compared, and were right; a few less if several CPUs
 * count at the same time
 */
static unsigned long unwind_compared;
module_param(unwind_compared, ulong, 0444);
MODULE_PARM_DESC(unwind_compared, "number of call chains that were compared, and were right");

/* What follow() returns if a step is not known */
#define MISSED U32_MAX

/**
 * struct place - where a chain is
 * @at: the address to look up
 * @sp: stack pointer
 * @bp: RBP, or %NO_BP
 * @known: a step can lead to here, and from here on
 */
struct place {
	unsigned long at;
	unsigned long sp;
	unsigned long bp;
	bool known;
};

#ifdef CONFIG_UNWINDER_ORC

/* A value of RBP from which no step leads to an aligned word */
#define NO_BP 1
/* Values of &step.bp: not known; and a flag: only where RBP has the same value as that word */
#define UNKNOWN U8_MAX
#define SAME (U8_MAX / 2 + 1)

/**
 * union step - how the kernel's functions get from a function to its caller
 * @address: the address that they look up, from %__START_KERNEL_map on
 * @from_sp: words from the stack pointer of the function to that of its caller; 0: not known
 * @bp: words from the word that has the caller's RBP to the caller's stack pointer, which %SAME is
 *	added to; 0: RBP is the caller's; or %UNKNOWN
 * @from_bp: words from the function's frame pointer to the caller's stack pointer; 0: not known
 * @ends: the chain ends here, at the top of the stack
 * @word: all of them, as they are kept
 */
union step {
	struct {
		u32 address;
		u8 from_sp;
		u8 bp;
		u8 from_bp;
		bool ends;
	};
	u64 word;
};

/* Steps, each at the place of its address. All CPUs read and write them as words, in NMIs. */
static u64 steps[16384];
static DEFINE_PER_CPU(u32, chains);

/* What is kept where there is no step: no function has the address of this end of a chain. */
static const union step none = { .ends = true };

static u64 *kept_step(unsigned long at)
{
	return &steps[at % ARRAY_SIZE(steps)];
}

/* Returns true if a step is not from the stack pointer alone. */
static bool is_other(union step step)
{
	return step.word >> 48;
}

static unsigned long top_of_stack(void)
{
	return (unsigned long)task_pt_regs(current);
}

static bool is_known(unsigned long at, unsigned long sp)
{
	return at > __START_KERNEL_map && IS_ALIGNED(sp, sizeof(u64)) &&
	       sp >= (unsigned long)task_stack_page(current) && sp <= top_of_stack();
}

static struct place place_in(const struct unwind_state *state)
{
	return (struct place){
		.at = state->ip - 1, .sp = state->sp, .bp = state->bp,
		.known = !state->regs && !state->signal && is_known(state->ip - 1, state->sp),
	};
}

/* Returns the caller's RBP, or %NO_BP; @sp is its stack pointer, and @bp the function's RBP. */
static __always_inline unsigned long bp_of(union step step, unsigned long sp, unsigned long bp)
{
	const unsigned long *end = (const unsigned long *)sp;
	unsigned long word;

	if (unlikely(step.bp == UNKNOWN))
		return NO_BP;
	word = READ_ONCE_NOCHECK(end[-(step.bp & ~SAME)]);
	return likely(!(step.bp & SAME)) || word == bp ? word : NO_BP;
}

/*
 * Unwinds by steps from @place on, and stores return addresses behind the first @nr, at most @most
 * in all. Returns the number of all; %MISSED if a step is not known.
 */
static __always_inline u32 follow(struct place place, u64 *to, u32 nr, u32 most, u16 *flags)
{
	unsigned long top = top_of_stack();

	if (place.sp < (unsigned long)task_stack_page(current) || place.sp > top)
		return MISSED;
	for (;;) {
		const union step step = { .word = READ_ONCE(*kept_step(place.at)) };
		unsigned long next = place.sp + step.from_sp * sizeof(u64);

		if (unlikely(step.address != place.at - __START_KERNEL_map))
			return MISSED;
		if (unlikely(is_other(step))) {
			if (step.ends)
				return place.sp == top ? nr : MISSED;
			if (step.from_sp && next != place.bp + step.from_bp * sizeof(u64))
				return MISSED;
			next = place.bp + step.from_bp * sizeof(u64);
			if (next <= place.sp || !IS_ALIGNED(next, sizeof(u64)))
				return MISSED;
			if (step.bp != UNKNOWN &&
			    (step.bp & ~SAME) * sizeof(u64) > next - place.sp)
				return MISSED;
		}
		if (unlikely(next > top))
			return MISSED;
		if (unlikely(nr == most)) {
			*flags = BPMU_SECTION_CUT;
			return nr;
		}
		if (step.bp)
			place.bp = bp_of(step, next, place.bp);
		place.sp = next;
		place.at = READ_ONCE_NOCHECK(((unsigned long *)next)[-1]);
		to[nr++] = place.at--;
	}
}

/* Returns where the frame from @from to @to has the value of RBP at @to, as &union step has it. */
static u8 find_bp(const struct place *from, const struct place *to)
{
	const unsigned long *word = (const unsigned long *)from->sp;
	u32 nr = (to->sp - from->sp) / sizeof(*word);
	u8 found = 0;

	for (; nr; nr--, word++) {
		if (READ_ONCE_NOCHECK(*word) != to->bp)
			continue;
		if (found || nr >= SAME - 1)
			return UNKNOWN;
		found = nr;
	}
	if (from->bp != to->bp)
		return found ?: UNKNOWN;
	return found ? found | SAME : 0;
}

/* Returns true if a word of the frame from @from to @to is the address of the frame's end. */
static bool has_end(const struct place *from, const struct place *to)
{
	const unsigned long *word = (const unsigned long *)from->sp;

	for (; word < (const unsigned long *)to->sp; word++)
		if (READ_ONCE_NOCHECK(*word) == to->sp)
			return true;
	return false;
}

/*
 * Learns the step from @from to @to. @regs: registers of the function, if it is the interrupted
 * one; else NULL.
 */
static void learn_step(const struct place *from, const struct pt_regs *regs,
		       const struct place *to)
{
	const union step old = { .word = READ_ONCE(*kept_step(from->at)) };
	union step step = { .address = from->at - __START_KERNEL_map };
	unsigned long size = to->sp - from->sp;
	unsigned long above = to->sp - from->bp;

	if (to->sp <= from->sp || size / sizeof(u64) > U8_MAX)
		return;
	if (regs && (regs->r10 - from->sp <= size || regs->r13 - from->sp <= size))
		return;
	if (READ_ONCE_NOCHECK(((unsigned long *)to->sp)[-1]) != to->at + 1)
		return;
	step.bp = find_bp(from, to);
	step.from_sp = size / sizeof(u64);
	/* A frame pointer has the caller's RBP and the return address above it. */
	if (above >= 2 * sizeof(u64) && above <= size && IS_ALIGNED(above, sizeof(u64)))
		step.from_bp = above / sizeof(u64);
	if (step.from_bp && has_end(from, to))
		return;
	if (old.address == step.address && !old.ends) {
		if (step.bp == UNKNOWN && (old.bp & ~SAME) <= step.from_sp)
			step.bp = old.bp;
		if (step.from_bp && old.from_bp == step.from_bp && old.from_sp != step.from_sp)
			step.from_sp = 0;
		else if (step.from_bp && old.from_sp == step.from_sp &&
			 old.from_bp != step.from_bp)
			step.from_bp = 0;
	}
	WRITE_ONCE(*kept_step(from->at), step.word);
}

static void learn_end(const struct place *from)
{
	const union step step = { .address = from->at - __START_KERNEL_map, .ends = true };

	if (from->sp == top_of_stack())
		WRITE_ONCE(*kept_step(from->at), step.word);
}

/*
 * Learns what the kernel's functions have done from @from on, which was the interrupted function if
 * @regs are not NULL; they have come to @to, and to @state.
 */
static void learn(const struct place *from, const struct pt_regs *regs, const struct place *to,
		  struct unwind_state *state)
{
	if (!from->known || unwind_error(state))
		return;
	if (unwind_done(state) || (state->regs && user_mode(state->regs)))
		learn_end(from);
	else if (to->known)
		learn_step(from, regs, to);
}

static struct place first_place(const struct pt_regs *regs)
{
	return (struct place){
		.at = regs->ip, .sp = regs->sp, .bp = regs->bp,
		.known = is_known(regs->ip, regs->sp),
	};
}

/* Returns true if the next chain by steps is one that is to be compared. */
static bool is_chosen(u32 compare)
{
	return this_cpu_inc_return(chains) % compare == 0;
}

static void forget(void)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(steps); i++)
		WRITE_ONCE(steps[i], none.word);
}

static int on_module(struct notifier_block *block, unsigned long event, void *module)
{
	forget();
	return NOTIFY_OK;
}

static struct notifier_block notifier = { .notifier_call = on_module };

#else

static struct place place_in(const struct unwind_state *state)
{
	return (struct place){ };
}

static struct place first_place(const struct pt_regs *regs)
{
	return (struct place){ };
}

static void learn(const struct place *from, const struct pt_regs *regs, const struct place *to,
		  struct unwind_state *state)
{
}

static u32 follow(struct place place, u64 *to, u32 nr, u32 most, u16 *flags)
{
	return MISSED;
}

static bool is_chosen(u32 compare)
{
	return false;
}

static void forget(void)
{
}

static struct notifier_block notifier;

#endif

/**
 * bpmu_unwind_forget() - forget all learned steps of the kernel's stack
 *
 * Context: process; NMIs may use the steps.
 */
void bpmu_unwind_forget(void)
{
	forget();
}

/* Sets the module parameter; what may have been a wrong step is forgotten. */
static int set_compare(const char *text, const struct kernel_param *param)
{
	bpmu_unwind_forget();
	return param_set_uint(text, param);
}

/*
 * Returns true if the kernel's functions find the @nr addresses at @to, too, and no further one
 * unless the chain is cut.
 */
static noinline bool is_right(const u64 *to, u32 nr, struct pt_regs *regs, u16 flags)
{
	struct unwind_state state;
	u32 i;

	unwind_start(&state, current, regs, NULL);
	for (i = 0; i < nr; i++, unwind_next_frame(&state))
		if (unwind_get_return_address(&state) != to[i])
			return false;
	return !unwind_get_return_address(&state) == !(flags & BPMU_SECTION_CUT) &&
	       !unwind_error(&state);
}

/*
 * Unwinds as bpmu_unwind() does, with the kernel's functions, and learns the steps. If *@follows is
 * true, the callers of the interrupted function may be found by steps; it is set to false if they
 * were not.
 */
static noinline u32 unwind_and_learn(u64 *to, u32 most, struct pt_regs *regs, u16 *flags,
				     bool *follows)
{
	bool tries = *follows;
	struct place from = first_place(regs);
	const struct pt_regs *first = regs;
	struct unwind_state state;
	u32 nr = 0, found;

	for (unwind_start(&state, current, regs, NULL);; unwind_next_frame(&state)) {
		unsigned long address = unwind_get_return_address(&state);
		struct place place = place_in(&state);

		learn(&from, first, &place, &state);
		if (!address)
			break;
		if (nr == most) {
			*flags = BPMU_SECTION_CUT;
			break;
		}
		to[nr++] = address;
		from = place;
		first = NULL;
		if (!tries || !place.known || unwind_error(&state))
			continue;
		/* The interrupted instruction is often a new one; its callers are not. */
		tries = false;
		found = follow(place, to, nr, most, flags);
		if (found != MISSED)
			return found;
	}
	if (unwind_error(&state))
		*flags |= BPMU_SECTION_BROKEN;
	*follows = false;
	return nr;
}

/**
 * bpmu_unwind() - unwind the kernel's stack of interrupted code
 * @to: return addresses are stored here, that of the interrupted function first, [@most]
 * @most: maximum number of addresses to store
 * @regs: registers of the interrupted code, which is the kernel's and the current task's
 * @flags: 0; set to those of &enum bpmu_section_flag that say that the chain is not complete
 *
 * Context: any, interrupts off, also NMI.
 * Return: number of addresses.
 */
u32 bpmu_unwind(u64 *to, u32 most, struct pt_regs *regs, u16 *flags)
{
	const struct place place = { .at = regs->ip, .sp = regs->sp, .bp = regs->bp };
	u32 compare = READ_ONCE(unwind_compare);
	bool follows = compare;
	u32 nr = MISSED;

	if (likely(follows))
		nr = follow(place, to, 0, most, flags);
	if (unlikely(nr == MISSED))
		nr = unwind_and_learn(to, most, regs, flags, &follows);
	if (unlikely(!follows) || likely(!is_chosen(compare)))
		return nr;
	if (is_right(to, nr, regs, *flags)) {
		WRITE_ONCE(unwind_compared, unwind_compared + 1);
		return nr;
	}
	WRITE_ONCE(unwind_compare, 0);
	*flags = 0;
	follows = false;
	return unwind_and_learn(to, most, regs, flags, &follows);
}

/**
 * bpmu_unwind_init() - prepare to unwind the kernel's stack
 *
 * Context: process.
 * Return: 0 or a negative error.
 */
int __init bpmu_unwind_init(void)
{
	bpmu_unwind_forget();
	return IS_ENABLED(CONFIG_UNWINDER_ORC) ? register_module_notifier(&notifier) : 0;
}

/**
 * bpmu_unwind_exit() - undo bpmu_unwind_init()
 *
 * Context: process; no session exists.
 */
void bpmu_unwind_exit(void)
{
	if (IS_ENABLED(CONFIG_UNWINDER_ORC))
		unregister_module_notifier(&notifier);
}
