// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel's stack is unwound as unwind.c says, and the stack of user space by frame pointers,
 * unless the CPU's branch records are a call stack. An NMI cannot wait until a page is in memory.
 * The chain therefore ends at a frame whose page is not in memory.
 */
#include "chain.h"

#include <linux/nospec.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/uaccess.h>

#include "bank/bank.h"
#include "bank/branches.h"
#include "sample/unwind.h"

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

static void begin_section(struct bpmu_section *section, enum bpmu_section_id id)
{
	section->id = id;
	section->flags = 0;
}

/* Ends a section, after @nr addresses were stored; returns the section's size in bytes. */
static u32 end_section(struct bpmu_section *section, u32 nr)
{
	section->size = sizeof(*section) + nr * sizeof(u64);
	return section->size;
}

static u32 fill_kernel(struct bpmu_section *section, u32 most, struct pt_regs *regs)
{
	begin_section(section, BPMU_SECTION_KERNEL);
	return end_section(section,
			   bpmu_unwind(addresses_of(section), most, regs, &section->flags));
}

/* End of the addresses in user space at which a frame may begin */
#define FRAMES_END (TASK_SIZE_MAX - sizeof(struct frame) + 1)

/*
 * Returns true if a frame may begin at an address; @end is %FRAMES_END. None is in the page at 0:
 * in a program without frame pointers RBP may be any small number, and a page fault would find
 * out.
 */
static __always_inline bool may_be_frame(u64 at, u64 end)
{
	return at - PAGE_SIZE < end - PAGE_SIZE;
}

/*
 * Stores return addresses of the chain of frames that begins at address @at, behind the head of
 * @section, from address number @nr on, at most @most in all. Returns the number of all addresses.
 * Sets the section's flag if the chain goes on after the last address. The page tables in use must
 * be those of the current task.
 */
static __always_inline u32 follow_frames(struct bpmu_section *section, u32 nr, u32 most, u64 at)
{
	u64 *const before = addresses_of(section) - 1;
	u64 *const limit = before + most;
	const struct frame __user *from;
	u64 next, address, end = FRAMES_END;
	u64 *last = before + nr;

	/* The compiler would compute the constant in each turn, twice. */
	OPTIMIZER_HIDE_VAR(end);
	if (unlikely(!may_be_frame(at, end)))
		goto broken;
	__uaccess_begin();
	for (;;) {
		/* The process chooses the address: no load may speculate on one of the kernel. */
		at = array_index_nospec(at, end);
		from = (const struct frame __user *)at;
		unsafe_get_user(next, &from->next, absent);
		unsafe_get_user(address, &from->address, absent);
		if (unlikely(next == at))
			goto absent;
		*++last = address;
		at = next;
		if (unlikely(!may_be_frame(at, end))) {
			if (at)
				goto absent;
			break;
		}
		if (unlikely(last == limit)) {
			section->flags = BPMU_SECTION_CUT;
			break;
		}
	}
	user_access_end();
	return last - before;
absent:
	user_access_end();
broken:
	section->flags = BPMU_SECTION_BROKEN;
	return last - before;
}

/*
 * Stores return addresses as follow_frames() does. The chain may be at its end, with @at 0, and the
 * section may have no room.
 */
static __always_inline u32 walk_frames(struct bpmu_section *section, u32 nr, u32 most, u64 at)
{
	if (!at)
		return nr;
	if (nr == most) {
		section->flags = BPMU_SECTION_CUT;
		return nr;
	}
	pagefault_disable();
	nr = follow_frames(section, nr, most, at);
	pagefault_enable();
	return nr;
}

/* Returns true if the page tables in use are those of the current task, @mm, during this NMI. */
static bool uses_page_tables_of(const struct mm_struct *mm)
{
	return mm->pgd == __va(read_cr3_pa());
}

static bool has_calls(const struct bpmu_bank *bank)
{
	return bank->branches && bank->branches->calls;
}

/*
 * Stores the section of the call chain in user space by frame pointers, and returns the section's
 * size in bytes. The code that was interrupted there, with @regs, ran with the page tables of the
 * current task.
 */
static __always_inline u32 fill_user(struct bpmu_section *section, u32 most, struct pt_regs *regs)
{
	u32 nr = 0;

	begin_section(section, BPMU_SECTION_USER);
	if (likely(user_64bit_mode(regs)))
		nr = walk_frames(section, nr, most, regs->bp);
	else
		section->flags = BPMU_SECTION_BROKEN;
	return end_section(section, nr);
}

/*
 * Stores the section of the call chain in user space, and returns the section's size in bytes. If
 * @kernel is true, the interrupt came in the kernel: the section then begins with the address at
 * which the task entered the kernel. The page tables in use may be those of another task then.
 */
static u32 fill_entry(struct bpmu_section *section, u32 most, struct pt_regs *regs, bool kernel,
		      const struct bpmu_bank *bank)
{
	u32 nr = 0;

	begin_section(section, BPMU_SECTION_USER);
	if (kernel && most)
		addresses_of(section)[nr++] = regs->ip;
	if (has_calls(bank))
		nr += bpmu_branches_calls(bank, addresses_of(section) + nr, most - nr,
					  &section->flags);
	else if (user_64bit_mode(regs) &&
		 (!regs->bp || nr == most || uses_page_tables_of(current->mm)))
		nr = walk_frames(section, nr, most, regs->bp);
	else
		section->flags = BPMU_SECTION_BROKEN;
	return end_section(section, nr);
}

/* Takes the call chains that bpmu_chain_fill() does, of code in the kernel or by branch records. */
static noinline u32 fill_both(void *to, u32 most, struct pt_regs *regs,
			      const struct bpmu_bank *bank)
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
	return size +
	       fill_entry(to + size, most, user ? regs : task_pt_regs(current), !user, bank);
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
	if (likely(user_mode(regs) && !has_calls(bank)))
		return fill_user(to, most, regs);
	return fill_both(to, most, regs, bank);
}
