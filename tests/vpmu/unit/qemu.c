// SPDX-License-Identifier: GPL-2.0
#include "qemu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "machine/regs.h"

#define ID 42
#define QUEUE 16

enum kind { CALL, CALL_IF, INLINE, ACCESS, ACCESS_INLINE };

typedef void call_fn(unsigned int vcpu, void *data);
typedef void access_fn(unsigned int vcpu, uint32_t info, uint64_t vaddr, void *data);
typedef void discon_fn(unsigned int vcpu, enum qemu_plugin_discon_type type, uint64_t from_pc,
		       uint64_t to_pc, void *data);

/**
 * struct qemu_callback - what a translated instruction does for the plugin
 * @kind: &enum kind
 * @call: function to call before the instruction
 * @access: function to call at an access
 * @data: argument of these
 * @flags: what these may do with registers
 * @rw: accesses that are meant
 * @cond: condition under which @call is called
 * @op: what is done to @entry
 * @entry: variable of the vCPU
 * @imm: value to compare with, or the operand of @op
 */
struct qemu_callback {
	enum kind kind;
	call_fn *call;
	access_fn *access;
	void *data;
	enum qemu_plugin_cb_flags flags;
	enum qemu_plugin_mem_rw rw;
	enum qemu_plugin_cond cond;
	enum qemu_plugin_op op;
	struct qemu_plugin_u64 entry;
	uint64_t imm;
};

struct qemu_plugin_scoreboard {
	size_t size;
	uint64_t slot[MACHINE_CPUS][512];
};

struct qemu qemu;

static struct {
	call_fn *init;
	call_fn *idle;
	call_fn *resume;
	void (*translate)(struct qemu_plugin_tb *tb, void *data);
	struct {
		discon_fn *call;
	} discon[QEMU_PLUGIN_DISCON_EXCEPTION + 1];
	void (*exit)(void *data);
	void (*again)(void *data);
} plugin;

static struct {
	void *cpu;
	void (*function)(void *cpu, void *data);
	void *data;
} queue[QUEUE];
static unsigned int nr_queued;

static struct qemu_plugin_scoreboard scoreboard;
static struct qemu_plugin_tb *latest;
static char cpus[MACHINE_CPUS];

/*
 * running: the vCPU whose block is executed. at: address of the instruction; left: where the vCPU
 * goes on if a callback leaves the block
 */
static unsigned int running;
static uint64_t at;
static bool in_callback;
static bool in_work;
static jmp_buf left;

int qemu_load(int options, char **option)
{
	memset(&plugin, 0, sizeof(plugin));
	return qemu_plugin_install(ID, NULL, options, option);
}

void qemu_boot(const struct vpmu_part *part, unsigned int nr, unsigned int threads)
{
	unsigned int i, flushes = qemu.flushes;

	machine_free(NULL);
	for (i = 0; i < qemu.nr_regions; i++)
		free(qemu.region[i].object);
	qemu = (struct qemu){ .flushes = flushes };
	memset(machine_regs, 0, VPMU_REGS * sizeof(*machine_regs));
	memset(vpmu_cpus, 0, sizeof(vpmu_cpus));
	memset(scoreboard.slot, 0, sizeof(scoreboard.slot));
	vpmu_options = (struct vpmu_options){ .part = part, .threads = threads };
	qemu_plug(nr);
}

void qemu_plug(unsigned int nr)
{
	unsigned int i;

	assert_true(nr <= MACHINE_CPUS);
	for (i = 0; i < nr; i++) {
		machine_plug(i + 1);
		plugin.init(i, NULL);
	}
}

void qemu_flush(void)
{
	if (!qemu.flush_due)
		return;
	qemu.flush_due = false;
	qemu.flushes++;
	plugin.again(NULL);
}

void qemu_exit(void)
{
	plugin.exit(NULL);
}

struct qemu_plugin_tb *qemu_translate(uint64_t pc, const char *code)
{
	struct qemu_plugin_tb *tb = calloc(1, sizeof(*tb));
	struct qemu_plugin_insn *insn;
	unsigned int byte;

	assert_non_null(tb);
	*tb = (struct qemu_plugin_tb){ .pc = pc, .before = latest, .flushes = qemu.flushes };
	latest = tb;
	while (*code) {
		assert_true(tb->nr < QEMU_INSNS);
		insn = &tb->insn[tb->nr++];
		insn->pc = pc;
		insn->callback = calloc(QEMU_CALLBACKS, sizeof(*insn->callback));
		for (; sscanf(code, "%2x", &byte) == 1 && *code != ' '; code += 2)
			insn->bytes[insn->size++] = byte;
		pc += insn->size;
		code += *code == ' ';
	}
	plugin.translate(tb, NULL);
	return tb;
}

static uint64_t *variable(const struct qemu_plugin_u64 *entry)
{
	assert_ptr_equal(entry->score, &scoreboard);
	assert_true(entry->offset + sizeof(uint64_t) <= scoreboard.size);
	return (uint64_t *)((char *)scoreboard.slot[running] + entry->offset);
}

static bool holds(const struct qemu_callback *callback)
{
	bool equal = *variable(&callback->entry) == callback->imm;

	return callback->cond == QEMU_PLUGIN_COND_EQ ? equal : !equal;
}

static void begin_callback(const struct qemu_callback *callback)
{
	machine_may = callback->flags;
	qemu.restored = false;
	in_callback = true;
}

static void end_callback(void)
{
	machine_may = QEMU_PLUGIN_CB_RW_REGS_PC;
	in_callback = false;
}

static void update(const struct qemu_callback *callback)
{
	if (callback->op == QEMU_PLUGIN_INLINE_ADD_U64)
		*variable(&callback->entry) += callback->imm;
	else
		*variable(&callback->entry) = callback->imm;
}

static void before_insn(const struct qemu_callback *callback)
{
	if (callback->kind == INLINE)
		update(callback);
	if (callback->kind != CALL && (callback->kind != CALL_IF || !holds(callback)))
		return;
	begin_callback(callback);
	callback->call(running, callback->data);
	end_callback();
}

static void make_access(const struct qemu_plugin_insn *insn, unsigned int number)
{
	const struct qemu_plugin_hwaddr *access = &insn->access[number];
	const struct qemu_callback *callback;
	unsigned int i;

	for (i = 0; i < insn->nr; i++) {
		callback = &insn->callback[i];
		if (!(callback->rw & (access->store ? QEMU_PLUGIN_MEM_W : QEMU_PLUGIN_MEM_R)))
			continue;
		if (callback->kind == ACCESS_INLINE)
			update(callback);
		if (callback->kind != ACCESS)
			continue;
		begin_callback(callback);
		callback->access(running, number | access->shift << 1 | access->store << 4,
				 access->va, callback->data);
		end_callback();
	}
}

static const struct qemu_plugin_insn *executing;

static void execute(const struct qemu_plugin_insn *insn)
{
	unsigned int i;

	executing = insn;
	for (i = 0; i < insn->nr; i++)
		before_insn(&insn->callback[i]);
	for (i = 0; i < insn->nr_accesses; i++)
		make_access(insn, i);
}

unsigned int qemu_run_at(unsigned int vcpu, const struct qemu_plugin_tb *tb, uint64_t pc)
{
	volatile unsigned int done = 0;

	assert_int_equal(tb->flushes, qemu.flushes);
	running = vcpu;
	machine_regs[VPMU_RIP] = pc;
	if (setjmp(left)) {
		end_callback();
		return done;
	}
	for (; done < tb->nr; done++) {
		at = pc + tb->insn[done].pc - tb->pc;
		execute(&tb->insn[done]);
	}
	machine_regs[VPMU_RIP] = at + tb->insn[done - 1].size;
	return done;
}

unsigned int qemu_run(unsigned int vcpu, const struct qemu_plugin_tb *tb)
{
	return qemu_run_at(vcpu, tb, tb->pc);
}

unsigned int qemu_once(unsigned int vcpu, uint64_t pc, const char *code)
{
	return qemu_run(vcpu, qemu_translate(pc, code));
}

void qemu_wrmsr(unsigned int vcpu, uint32_t msr, uint64_t value)
{
	machine_regs[VPMU_RAX] = value & 0xffffffff;
	machine_regs[VPMU_RCX] = msr;
	machine_regs[VPMU_RDX] = value >> 32;
	assert_int_equal(qemu_once(vcpu, 0xffffffff81000000, "0f30"), 1);
	qemu_flush();
}

unsigned int qemu_work(void)
{
	unsigned int i, nr = nr_queued;

	nr_queued = 0;
	in_work = true;
	for (i = 0; i < nr; i++)
		queue[i].function(queue[i].cpu, queue[i].data);
	in_work = false;
	return nr;
}

void qemu_discon(unsigned int vcpu, enum qemu_plugin_discon_type type, uint64_t from)
{
	machine_may = QEMU_PLUGIN_CB_NO_REGS;
	plugin.discon[type].call(vcpu, type, from, 0xffffffff81000000, NULL);
	machine_may = QEMU_PLUGIN_CB_RW_REGS_PC;
}

void qemu_idle(unsigned int vcpu)
{
	plugin.idle(vcpu, NULL);
}

void qemu_resume(unsigned int vcpu)
{
	plugin.resume(vcpu, NULL);
}

/* The following functions are QEMU's, with which the plugin calls it. */
void qemu_plugin_reset(uint64_t id, void (*cb)(void *data), __attribute__((unused)) void *data)
{
	assert_int_equal(id, ID);
	plugin.again = cb;
	qemu.flush_due = true;
}

void qemu_plugin_register_vcpu_init_cb(uint64_t id, call_fn *cb, __attribute__((unused)) void *data)
{
	assert_int_equal(id, ID);
	plugin.init = cb;
}

void qemu_plugin_register_vcpu_idle_cb(uint64_t id, call_fn *cb, __attribute__((unused)) void *data)
{
	assert_int_equal(id, ID);
	plugin.idle = cb;
}

void qemu_plugin_register_vcpu_resume_cb(uint64_t id, call_fn *cb,
					 __attribute__((unused)) void *data)
{
	assert_int_equal(id, ID);
	plugin.resume = cb;
}

void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id,
					   void (*cb)(struct qemu_plugin_tb *tb, void *data),
					   __attribute__((unused)) void *data)
{
	assert_int_equal(id, ID);
	plugin.translate = cb;
}

void qemu_plugin_register_vcpu_discon_cb(uint64_t id, enum qemu_plugin_discon_type type,
					 discon_fn *cb, __attribute__((unused)) void *data)
{
	assert_int_equal(id, ID);
	plugin.discon[type].call = cb;
}

void qemu_plugin_register_atexit_cb(uint64_t id, void (*cb)(void *data),
				    __attribute__((unused)) void *data)
{
	assert_int_equal(id, ID);
	plugin.exit = cb;
}

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb)
{
	return tb->nr;
}

uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *tb)
{
	return tb->pc;
}

struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t i)
{
	assert_true(i < tb->nr);
	return (struct qemu_plugin_insn *)&tb->insn[i];
}

size_t qemu_plugin_insn_data(const struct qemu_plugin_insn *insn, void *to, size_t len)
{
	size_t size = insn->size < len ? insn->size : len;

	memcpy(to, insn->bytes, size);
	return size;
}

uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn)
{
	return insn->pc;
}

static void add(struct qemu_plugin_insn *insn, const struct qemu_callback *callback)
{
	assert_true(insn->nr < QEMU_CALLBACKS);
	insn->callback[insn->nr++] = *callback;
}

void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, call_fn *cb,
					    enum qemu_plugin_cb_flags flags, void *data)
{
	add(insn, &(struct qemu_callback){ CALL, .call = cb, .flags = flags, .data = data });
}

void qemu_plugin_register_vcpu_insn_exec_cond_cb(struct qemu_plugin_insn *insn, call_fn *cb,
						 enum qemu_plugin_cb_flags flags,
						 enum qemu_plugin_cond cond,
						 struct qemu_plugin_u64 entry, uint64_t imm,
						 void *data)
{
	add(insn, &(struct qemu_callback){ CALL_IF, .call = cb, .flags = flags, .data = data,
					   .cond = cond, .entry = entry, .imm = imm });
}

void qemu_plugin_register_vcpu_insn_exec_inline_per_vcpu(struct qemu_plugin_insn *insn,
							 enum qemu_plugin_op op,
							 struct qemu_plugin_u64 entry, uint64_t imm)
{
	add(insn, &(struct qemu_callback){ INLINE, .op = op, .entry = entry, .imm = imm });
}

void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn, access_fn *cb,
				      enum qemu_plugin_cb_flags flags, enum qemu_plugin_mem_rw rw,
				      void *data)
{
	add(insn, &(struct qemu_callback){ ACCESS, .access = cb, .flags = flags, .data = data,
					   .rw = rw });
}

void qemu_plugin_register_vcpu_mem_inline_per_vcpu(struct qemu_plugin_insn *insn,
						   enum qemu_plugin_mem_rw rw,
						   enum qemu_plugin_op op,
						   struct qemu_plugin_u64 entry, uint64_t imm)
{
	add(insn, &(struct qemu_callback){ ACCESS_INLINE, .rw = rw, .op = op, .entry = entry,
					   .imm = imm });
}

/* The information on an access is its number, the binary logarithm of its size, and its direction. */
bool qemu_plugin_mem_is_store(uint32_t info)
{
	return info >> 4;
}

unsigned int qemu_plugin_mem_size_shift(uint32_t info)
{
	return info >> 1 & 7;
}

struct qemu_plugin_hwaddr *qemu_plugin_get_hwaddr(uint32_t info, uint64_t vaddr)
{
	const struct qemu_plugin_hwaddr *access = &executing->access[info & 1];

	assert_int_equal(access->va, vaddr);
	return access->memory == QEMU_UNMAPPED ? NULL : (struct qemu_plugin_hwaddr *)access;
}

bool qemu_plugin_hwaddr_is_io(const struct qemu_plugin_hwaddr *addr)
{
	return addr->memory == QEMU_DEVICE;
}

uint64_t qemu_plugin_hwaddr_phys_addr(const struct qemu_plugin_hwaddr *addr)
{
	return addr->pa;
}

int qemu_plugin_write_memory_hwaddr(uint64_t hwaddr, struct glib_bytes *bytes)
{
	assert_true(hwaddr >= QEMU_PA && hwaddr + bytes->len <= QEMU_PA + QEMU_PAGE);
	memcpy(qemu.page + hwaddr - QEMU_PA, bytes->data, bytes->len);
	return 0;
}

bool qemu_plugin_translate_vaddr(uint64_t vaddr, uint64_t *hwaddr)
{
	*hwaddr = vaddr & 0xffffffff;
	return !(vaddr & 1ull << 40);
}

struct qemu_plugin_scoreboard *qemu_plugin_scoreboard_new(size_t size)
{
	assert_true(size <= sizeof(scoreboard.slot[0]));
	scoreboard.size = size;
	return &scoreboard;
}

void *qemu_plugin_scoreboard_find(struct qemu_plugin_scoreboard *score, unsigned int vcpu)
{
	return score->slot[vcpu];
}

void qemu_plugin_set_pc(uint64_t vaddr)
{
	assert_true(in_callback && qemu.restored);
	assert_int_equal(machine_may, QEMU_PLUGIN_CB_RW_REGS_PC);
	machine_regs[VPMU_RIP] = vaddr;
	longjmp(left, 1);
}

void cpu_enable_ticks(void)
{
	qemu.goes++;
}

void cpu_disable_ticks(void)
{
	qemu.stops++;
}

uint64_t cpu_get_tsc(__attribute__((unused)) void *cpu)
{
	assert_false(in_callback);
	return qemu.tsc;
}

void *qemu_get_cpu(int index)
{
	assert_true(index >= 0 && index < MACHINE_CPUS);
	return &cpus[index];
}

void async_run_on_cpu(void *cpu, void (*function)(void *cpu, void *data), void *data)
{
	assert_true(nr_queued < QUEUE);
	queue[nr_queued].cpu = cpu;
	queue[nr_queued].function = function;
	queue[nr_queued++].data = data;
}

void cpu_interrupt(void *cpu, int interrupt)
{
	assert_true(in_work);
	assert_int_equal(interrupt, QEMU_CPU_INTERRUPT_NMI);
	qemu.nmis[(char *)cpu - cpus]++;
}

/*
 * Within a block RIP is where the block begins. @return_address is not looked at: translated code
 * is not made here.
 */
bool cpu_restore_state(void *cpu, __attribute__((unused)) uintptr_t return_address)
{
	assert_true(in_callback);
	assert_ptr_equal(cpu, &cpus[running]);
	machine_regs[VPMU_RIP] = at;
	qemu.restored = true;
	return true;
}

int cpu_memory_rw_debug(void *cpu, uint64_t address, void *bytes, size_t size, bool write)
{
	/* Each vCPU has page tables of its own. */
	assert_ptr_equal(cpu, &cpus[running]);
	if (address < QEMU_VA || address + size > QEMU_VA + QEMU_PAGE)
		return -1;
	if (write)
		memcpy(qemu.page + address - QEMU_VA, bytes, size);
	else
		memcpy(bytes, qemu.page + address - QEMU_VA, size);
	return 0;
}

void cpu_loop_exit(void *cpu)
{
	assert_true(in_callback);
	assert_ptr_equal(cpu, &cpus[running]);
	longjmp(left, 1);
}

static char system_memory;

void *get_system_memory(void)
{
	return &system_memory;
}

void memory_region_init_io(void *region, __attribute__((unused)) void *owner,
			   const struct qemu_region_ops *ops, void *data, const char *name,
			   uint64_t size)
{
	assert_true(qemu.nr_regions < QEMU_REGIONS);
	qemu.region[qemu.nr_regions] = (struct qemu_region){
		.size = size, .name = name, .ops = ops, .data = data, .object = region
	};
}

void memory_region_add_subregion_overlap(void *region, uint64_t offset, void *subregion,
					 int priority)
{
	assert_ptr_equal(region, &system_memory);
	assert_ptr_equal(subregion, qemu.region[qemu.nr_regions].object);
	qemu.region[qemu.nr_regions].base = offset;
	qemu.region[qemu.nr_regions++].priority = priority;
}

/* The plugin frees nothing to which a block could point, and some of it no block points to. */
const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
	return "detect_leaks=0";
}

/* The host's clock and its sleep, of which the plugin knows no other. */
int __wrap_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_usleep(useconds_t us);

int __wrap_clock_gettime(clockid_t clock, struct timespec *now)
{
	assert_int_equal(clock, CLOCK_MONOTONIC);
	now->tv_sec = qemu.ns / 1000000000;
	now->tv_nsec = qemu.ns % 1000000000;
	return 0;
}

int __wrap_usleep(useconds_t us)
{
	qemu.slept += us;
	return 0;
}
