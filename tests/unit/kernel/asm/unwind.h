/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stand-in for the kernel's headers that kmod/sample/unwind.c includes. The unit test decides what is
 * on the current task's stack, and what the kernel's unwinder finds there.
 */
#ifndef UNIT_UNWIND_H
#define UNIT_UNWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch.h"

#define CONFIG_UNWINDER_ORC 1
#define IS_ENABLED(CONFIG_option) (CONFIG_option)
#define U8_MAX UINT8_MAX
#define U32_MAX UINT32_MAX
#define IS_ALIGNED(x, a) ((x) % (a) == 0)
#define ARRAY_SIZE(array) (sizeof(array) / sizeof(*(array)))
#define READ_ONCE(x) (*(volatile __typeof__(x) *)&(x))
#define READ_ONCE_NOCHECK(x) (x)
#define WRITE_ONCE(x, value) (*(volatile __typeof__(x) *)&(x) = (value))
#define likely(x) (x)
#define unlikely(x) (x)
#define noinline
#define __init
#undef __always_inline
#define __always_inline inline
#define DEFINE_PER_CPU(type, name) type name
#define this_cpu_inc_return(x) (++(x))
#define module_param_cb(name, ops, value, mode) \
	_Static_assert(sizeof(name) && sizeof(ops) && sizeof(value) && (mode), "")
#define module_param(name, type, mode) \
	_Static_assert(sizeof(name) && sizeof(type) && (mode), "")
#define MODULE_PARM_DESC(name, text) _Static_assert(sizeof(name) && sizeof(text), "")
#define NOTIFY_OK 0

#define __START_KERNEL_map 0xffffffff80000000UL

/* Registers of interrupted code, of user space if @user is true */
struct pt_regs {
	unsigned long ip;
	unsigned long sp;
	unsigned long bp;
	unsigned long r10;
	unsigned long r13;
	bool user;
};

/* What the kernel's unwinder has found; @number counts the places of a chain. */
struct unwind_state {
	unsigned long ip;
	unsigned long sp;
	unsigned long bp;
	struct pt_regs *regs;
	bool signal;
	bool error;
	bool done;
	unsigned int number;
};

struct notifier_block {
	int (*notifier_call)(struct notifier_block *block, unsigned long event, void *module);
};

#define current ((void *)0)

unsigned long *task_stack_page(const void *task);
struct pt_regs *task_pt_regs(const void *task);
void unwind_start(struct unwind_state *state, const void *task, struct pt_regs *regs,
		  unsigned long *first_frame);
bool unwind_next_frame(struct unwind_state *state);
unsigned long unwind_get_return_address(struct unwind_state *state);

static inline bool user_mode(const struct pt_regs *regs)
{
	return regs->user;
}

static inline bool unwind_done(const struct unwind_state *state)
{
	return state->done;
}

static inline bool unwind_error(const struct unwind_state *state)
{
	return state->error;
}

struct kernel_param {
	unsigned int *value;
};

struct kernel_param_ops {
	int (*set)(const char *text, const struct kernel_param *param);
	int (*get)(char *text, const struct kernel_param *param);
};

int param_set_uint(const char *text, const struct kernel_param *param);
int param_get_uint(char *text, const struct kernel_param *param);
int register_module_notifier(struct notifier_block *block);
int unregister_module_notifier(struct notifier_block *block);

#endif /* UNIT_UNWIND_H */
