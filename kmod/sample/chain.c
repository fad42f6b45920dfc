// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel's stack is unwound with the kernel's own functions (by ORC or by frame pointers), and
 * the stack of user space by frame pointers, unless the CPU's branch records are a call stack. An
 * NMI cannot wait until a page is in memory. The chain therefore ends at a frame whose page is not
 * in memory.
 */
#include "chain.h"

#include <linux/nospec.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/uaccess.h>

#include <asm/unwind.h>

#include "bank/bank.h"
#include "bank/branches.h"

/**
 * struct frame - what a function with a frame pointer puts on its stack (System V ABI, AMD64
 * supplement, section 3.2.2)
 * @next: address of the caller's frame
 * @address: address to which the function returns
 */
struct frame {
	u64 next;
	u64 address;
};

static u64 *addresses_of(struct bpmu_section *section)
{
	return (u64 *)(section + 1);
}

/*
 * Fills in a section's head, after @nr addresses were stored; returns the section's size in bytes.
 */
static u32 end_section(struct bpmu_section *section, enum bpmu_section_id id, u32 nr, u16 flags)
{
	section->id = id;
	section->flags = flags;
	section->size = sizeof(*section) + nr * sizeof(u64);
	return section->size;
}

static u32 fill_kernel(struct bpmu_section *section, u32 most, struct pt_regs *regs)
{
	u64 *to = addresses_of(section);
	struct unwind_state state;
	unsigned long address;
	u16 flags = 0;
	u32 nr = 0;

	for (unwind_start(&state, current, regs, NULL); !unwind_done(&state);
	     unwind_next_frame(&state)) {
		address = unwind_get_return_address(&state);
		if (!address)
			break;
		if (nr == most) {
			flags = BPMU_SECTION_CUT;
			break;
		}
		to[nr++] = address;
	}
	if (unwind_error(&state))
		flags |= BPMU_SECTION_BROKEN;
	return end_section(section, BPMU_SECTION_KERNEL, nr, flags);
}

/* The last address in user space at which a frame may begin */
#define LAST_FRAME (TASK_SIZE_MAX - sizeof(struct frame))

/*
 * Stores return addresses of a chain of frames, at most @most of them; the first frame is @frame,
 * which was at address @at. Returns the number of addresses. Sets a flag in @flags if the chain
 * goes on after the last address. The page tables in use must be those of the current task.
 */
static __always_inline u32 follow_frames(u64 *to, u32 most, u64 at, struct frame frame, u16 *flags)
{
	const struct frame __user *from;
	u64 next = frame.next, address = frame.address;
	u64 *const begin = to;

	/* The caller has read from there: it is an address of user space. */
	if (!user_access_begin((const void __user *)at, sizeof(frame)))
		goto broken;
	for (;;) {
		if (next == at)
			goto absent;
		*to++ = address;
		at = next;
		if (!at)
			break;
		if (to == begin + most) {
			*flags = BPMU_SECTION_CUT;
			break;
		}
		if (at > LAST_FRAME)
			goto absent;
		/* The process chooses the address: no load may speculate on one of the kernel. */
		at = array_index_nospec(at, LAST_FRAME + 1);
		from = (const struct frame __user *)at;
		unsafe_get_user(next, &from->next, absent);
		unsafe_get_user(address, &from->address, absent);
	}
	user_access_end();
	return to - begin;
absent:
	user_access_end();
broken:
	*flags = BPMU_SECTION_BROKEN;
	return to - begin;
}

/*
 * Stores return addresses of the chain of frames that begins at address @at, as follow_frames().
 * copy_from_user_nmi(), which reads the first frame, also finds out if the page tables in use are
 * those of the current task. That does not change during an NMI: the other frames are read without
 * it, which takes a third of the time.
 */
static u32 walk_frames(u64 *to, u32 most, u64 at, u16 *flags)
{
	struct frame frame;
	u32 nr;

	if (!at)
		return 0;
	if (!most) {
		*flags = BPMU_SECTION_CUT;
		return 0;
	}
	pagefault_disable();
	if (copy_from_user_nmi(&frame, (const void __user *)at, sizeof(frame))) {
		*flags = BPMU_SECTION_BROKEN;
		nr = 0;
	} else {
		nr = follow_frames(to, most, at, frame, flags);
	}
	pagefault_enable();
	return nr;
}

/*
 * Stores the section of the call chain in user space, and returns the section's size in bytes. If
 * @entry is true, the interrupt came in the kernel: the section then begins with the address at
 * which the task entered the kernel.
 */
static u32 fill_user(struct bpmu_section *section, u32 most, const struct pt_regs *regs,
		     bool entry, const struct bpmu_bank *bank)
{
	u64 *to = addresses_of(section);
	u16 flags = 0;
	u32 nr = 0;

	if (entry && most)
		to[nr++] = regs->ip;
	if (bank->branches && bank->branches->calls)
		nr += bpmu_branches_calls(bank, to + nr, most - nr, &flags);
	else if (user_64bit_mode((struct pt_regs *)regs))
		nr += walk_frames(to + nr, most - nr, regs->bp, &flags);
	else
		flags = BPMU_SECTION_BROKEN;
	return end_section(section, BPMU_SECTION_USER, nr, flags);
}

/**
 * bpmu_chain_fill() - take the call chains of interrupted code, in the kernel and in user space
 * @to: room for bpmu_chain_size() bytes
 * @most: maximum number of addresses to store, at least 1; addresses in the kernel have precedence
 * @regs: registers of the interrupted code
 * @bank: core bank of this CPU
 *
 * If a kernel thread was interrupted there is no section of user space; if code in user space was
 * interrupted there is no section of the kernel.
 *
 * Context: any, interrupts off, also NMI.
 * Return: bytes of the sections.
 */
u32 bpmu_chain_fill(void *to, u32 most, struct pt_regs *regs, const struct bpmu_bank *bank)
{
	struct bpmu_section *kernel = to;
	bool user = user_mode(regs);
	u32 size = 0;

	if (!user) {
		size = fill_kernel(kernel, most, regs);
		most -= (size - sizeof(*kernel)) / sizeof(u64);
	}
	if (!current->mm || current->flags & PF_KTHREAD)
		return size;
	return size + fill_user(to + size, most, user ? regs : task_pt_regs(current), !user, bank);
}
