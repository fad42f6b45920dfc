// SPDX-License-Identifier: GPL-2.0
/*
 * Writes the interrupts of a recording as the file perf.data of perf record: a header; the events
 * with their ids; the records; and after the records texts such as the host's name, which the
 * format calls features (Linux, tools/perf/Documentation/perf.data-file-format.txt). Times are
 * those of CLOCK_MONOTONIC.
 *
 * A recording does not tell when a process got its mappings. It tells the mappings that a process
 * had under each of its names: the name changes when execve() executes another program. When a
 * process has its first interrupt under a name, all mappings that it had under this name are
 * written.
 */
#include "perf_data.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/array.h"
#include "event/event.h"
#include "export.h"
#include "ibs.h"
#include "perf_op.h"
#include "source/precise.h"

/*
 * Bits of &header.flags. Each stands for a feature: a text that the file has, such as the host's
 * name (Linux, tools/perf/util/header.h)
 */
#define FEATURE_HOSTNAME 3
#define FEATURE_ARCH 6
#define FEATURE_NRCPUS 7
#define FEATURE_EVENT_DESC 12
#define FEATURE_NUMA_TOPOLOGY 14
#define FEATURE_BRANCH_STACK 15
#define FEATURE_PMU_MAPPINGS 16

/* The text of a feature, with its NUL, is padded to a multiple of this number of bytes. */
#define TEXT_ALIGN 64

/* addresses of the kernel without its modules, for which perf finds symbols in kallsyms */
#define KERNEL_START 0xffffffff80000000ULL
#define KERNEL_SIZE 0x40000000ULL

/* number written for a thread or process of which the recording has no number */
#define HIDDEN_PID 0x7fffffff

#define BUILD_ID_MOST 20

/**
 * struct section - a range of bytes in a perf.data file
 * @offset: offset in the file
 * @size: number of bytes
 */
struct section {
	u64 offset;
	u64 size;
};

/**
 * struct header - header at the beginning of a perf.data file
 * @magic: "PERFILE2"
 * @size: size of the header in bytes
 * @attr_size: size of &struct attr in bytes
 * @attrs: range with the events
 * @data: range with the records
 * @event_types: not used any more
 * @flags: bitmap of features: texts that the file has. After the records there is a struct section
 *	for each text, in the order of the bits
 */
struct header {
	char magic[8];
	u64 size;
	u64 attr_size;
	struct section attrs;
	struct section data;
	struct section event_types;
	u64 flags[4];
};

/**
 * struct attr - an event in a perf.data file
 * @attr: the event as perf_event_open(2) takes it
 * @ids: range with the event's id
 */
struct attr {
	struct perf_event_attr attr;
	struct section ids;
};

/**
 * struct named - a thread or process whose name has been written to the file
 * @id: thread ID or process ID
 * @comm: name of the thread; for a process, the name that it had when its mappings were written
 *	last
 */
struct named {
	u32 id;
	char comm[16];
};

/**
 * struct writing - state of writing a perf.data file
 * @out: the file
 * @replay: the recording
 * @about: description of the recording for the core type whose interrupts are written
 * @events: number of events that interrupted
 * @threads: tsearch(3) tree of &struct named: threads whose name has been written
 * @processes: tsearch(3) tree of &struct named: processes whose mappings have been written
 * @when: time in ns of the interrupt that is being written
 * @pid: process that was interrupted
 * @tid: thread that was interrupted
 * @cpu: CPU on which the interrupt happened
 * @chains: interrupts of this recording have call chains
 * @branches: interrupts of this recording have branch records
 * @ops: interrupts of an event have sampled ops (IBS)
 * @fetches: interrupts of an event have sampled fetches (IBS)
 * @begun: an interrupt was written, so that @chains and @branches are known
 * @failed: memory ran out
 */
struct writing {
	FILE *out;
	struct bpmu_replay *replay;
	const struct bpmu_recording_about *about;
	unsigned int events;
	void *threads;
	void *processes;
	u64 when;
	u32 pid;
	u32 tid;
	u32 cpu;
	bool chains;
	bool branches;
	bool ops;
	bool fetches;
	bool begun;
	bool failed;
};

static void put_u32(FILE *out, u32 value)
{
	fwrite(&value, sizeof(value), 1, out);
}

static void put_u64(FILE *out, u64 value)
{
	fwrite(&value, sizeof(value), 1, out);
}

static void put_zeros(FILE *out, size_t nr)
{
	while (nr--)
		fputc(0, out);
}

/* Returns the size of a text with its NUL, padded to a multiple of @align bytes. */
static size_t padded(const char *text, size_t align)
{
	return (strlen(text) / align + 1) * align;
}

static void put_padded(FILE *out, const char *text, size_t align)
{
	fputs(text, out);
	put_zeros(out, padded(text, align) - strlen(text));
}

static void put_header_text(FILE *out, const char *text)
{
	put_u32(out, padded(text, TEXT_ALIGN));
	put_padded(out, text, TEXT_ALIGN);
}

static void put_head(FILE *out, u32 type, u16 misc, size_t size)
{
	const struct perf_event_header head = { .type = type, .misc = misc, .size = size };

	fwrite(&head, sizeof(head), 1, out);
}

/*
 * Number of bytes that perf's sample_id_all adds at the end of each record that is no sample: the
 * fields PERF_SAMPLE_TID, TIME, CPU and IDENTIFIER
 */
#define TRAILER 32

static void put_trailer(const struct writing *w)
{
	put_u32(w->out, w->pid);
	put_u32(w->out, w->tid);
	put_u64(w->out, w->when);
	put_u32(w->out, w->cpu);
	put_u32(w->out, 0);
	put_u64(w->out, 1);
}

static int compare_named(const void *a, const void *b)
{
	const struct named *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

/*
 * Returns the thread or process with number @id in a tsearch(3) tree. If it is not there, it is
 * added with an empty name. Returns NULL if memory runs out.
 */
static struct named *find_named(void **tree, u32 id)
{
	const struct named key = { .id = id };
	struct named **at = tfind(&key, tree, compare_named);
	struct named *new;

	if (at)
		return *at;
	new = calloc(1, sizeof(*new));
	if (!new)
		return NULL;
	new->id = id;
	if (tsearch(new, tree, compare_named))
		return new;
	free(new);
	return NULL;
}

static void put_kernel_map(const struct writing *w)
{
	static const char name[] = "[kernel.kallsyms]_text";
	size_t size = sizeof(struct perf_event_header) + 32 + padded(name, 8) + TRAILER;

	put_head(w->out, PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL, size);
	put_u32(w->out, -1);
	put_u32(w->out, 0);
	put_u64(w->out, KERNEL_START);
	put_u64(w->out, KERNEL_SIZE);
	/*
	 * The next field is the address of the kernel's symbol _text, which with KASLR differs at
	 * each boot. A recording does not have this address, so that 0 is written.
	 */
	put_u64(w->out, 0);
	put_padded(w->out, name, 8);
	put_trailer(w);
}

/*
 * Writes a build ID, @text, as 24 bytes of a record PERF_RECORD_MMAP2. If the build ID is unknown,
 * the record has device and inode in these bytes instead.
 */
static void put_build_id(FILE *out, const char *text)
{
	unsigned char id[4 + BUILD_ID_MOST] = { };
	unsigned int byte;

	while (*id < BUILD_ID_MOST && sscanf(text + 2 * *id, "%2x", &byte) == 1)
		id[4 + (*id)++] = byte;
	fwrite(id, sizeof(id), 1, out);
}

static void put_map(void *data, const struct bpmu_by_map *map)
{
	const struct writing *w = data;
	const char *path = *map->path ? map->path : "//anon";
	size_t size = sizeof(struct perf_event_header) + 64 + padded(path, 8) + TRAILER;
	u16 misc = PERF_RECORD_MISC_USER;

	/*
	 * The size of a record is a field of 16 bits. It is too small only for a path that no real
	 * recording has.
	 */
	if (size > 0xffff)
		return;
	if (*map->build_id)
		misc |= PERF_RECORD_MISC_MMAP_BUILD_ID;
	put_head(w->out, PERF_RECORD_MMAP2, misc, size);
	put_u32(w->out, w->pid);
	put_u32(w->out, w->pid);
	put_u64(w->out, map->start);
	put_u64(w->out, map->size);
	put_u64(w->out, map->offset);
	put_build_id(w->out, map->build_id);
	put_u32(w->out, PROT_READ | PROT_EXEC);
	put_u32(w->out, MAP_PRIVATE);
	put_padded(w->out, path, 8);
	put_trailer(w);
}

/*
 * Writes the mappings that the interrupted process had under the name @comm. A process gets another
 * name when it executes another program. Nothing is written if the mappings under @comm are the
 * last that were written for the process. If nothing was written for the process so far, and the
 * recording has no mappings under @comm, the mappings under all its names are written.
 */
static void name_process(struct writing *w, const char *comm)
{
	const struct bpmu_by_symbols *symbols = &w->replay->by.symbols;
	struct named *process = find_named(&w->processes, w->pid);

	if (!process) {
		w->failed = true;
		return;
	}
	if (!strcmp(process->comm, comm))
		return;
	if (bpmu_by_symbols_maps(symbols, w->pid, comm, put_map, w)) {
		snprintf(process->comm, sizeof(process->comm), "%s", comm);
	} else if (!*process->comm) {
		bpmu_by_symbols_maps(symbols, w->pid, NULL, put_map, w);
		snprintf(process->comm, sizeof(process->comm), "%s", comm);
	}
}

static void name_thread(struct writing *w, const char *comm)
{
	struct named *thread = find_named(&w->threads, w->tid);
	size_t size = sizeof(struct perf_event_header) + 8 + padded(comm, 8) + TRAILER;

	if (!thread) {
		w->failed = true;
		return;
	}
	if (!strcmp(thread->comm, comm))
		return;
	snprintf(thread->comm, sizeof(thread->comm), "%s", comm);
	put_head(w->out, PERF_RECORD_COMM, 0, size);
	put_u32(w->out, w->pid);
	put_u32(w->out, w->tid);
	put_padded(w->out, comm, 8);
	put_trailer(w);
}

/**
 * struct places - a call chain as perf writes it: addresses, and marks between them
 * @nr: number of addresses and marks
 * @address: addresses and marks, [@nr]; the interrupted address comes before those of its callers
 *
 * The mark PERF_CONTEXT_KERNEL precedes the addresses in the kernel, and PERF_CONTEXT_USER those in
 * user space.
 */
struct places {
	unsigned int nr;
	u64 address[2 * (BPMU_MAX_CHAIN + 2)];
};

static void add_places(struct places *places, u64 mark, const struct bpmu_who *who,
		       const struct bpmu_chain *chain)
{
	unsigned int i;

	if (!who && !(chain && chain->present && chain->nr))
		return;
	places->address[places->nr++] = mark;
	if (who)
		places->address[places->nr++] = who->ip;
	for (i = 0; chain && chain->present && i < chain->nr; i++)
		places->address[places->nr++] = chain->address[i];
}

static void find_places(struct places *places, const struct bpmu_who *who,
			const struct bpmu_chains *chains)
{
	bool in_kernel = who->flags & BPMU_WHO_KERNEL;

	places->nr = 0;
	add_places(places, PERF_CONTEXT_KERNEL, in_kernel ? who : NULL,
		   chains ? &chains->of[BPMU_SECTION_KERNEL] : NULL);
	add_places(places, PERF_CONTEXT_USER, in_kernel ? NULL : who,
		   chains ? &chains->of[BPMU_SECTION_USER] : NULL);
}

/* Returns true if an event is the one by which AMD's instruction-based sampling (IBS) samples ops. */
static bool is_tagged(const struct bpmu_sched_slot *slot)
{
	return slot->counter == BPMU_COUNTER_IBS_OP;
}

/* Returns true if an event is the one by which it samples fetches. */
static bool is_fetch(const struct bpmu_sched_slot *slot)
{
	return slot->counter == BPMU_COUNTER_IBS_FETCH;
}

/* Returns the index, among the file's events, of the event whose overflow has interrupted. */
static unsigned int attribute_of(const struct writing *w, const struct bpmu_overflow *overflow)
{
	unsigned int i = 0;

	while (i + 1 < w->events &&
	       bpmu_replay_interrupting(w->about, i)->value != overflow->event)
		i++;
	return i;
}

/*
 * Writes the number of recorded branches, and then each branch as perf's struct perf_branch_entry.
 */
static void put_branches(FILE *out, const struct bpmu_branches *branches)
{
	unsigned int i;

	put_u64(out, branches->nr);
	for (i = 0; i < branches->nr; i++) {
		const struct bpmu_branch *branch = &branches->branch[i];
		struct perf_branch_entry entry = {
			.from = branch->from, .to = branch->to,
			.mispred = !!(branch->flags & BPMU_BRANCH_MISPREDICTED),
			.predicted = !!(branch->flags & BPMU_BRANCH_PREDICTED),
			.in_tx = !!(branch->flags & BPMU_BRANCH_IN_TX),
			.abort = !!(branch->flags & BPMU_BRANCH_ABORT),
			.cycles = branch->flags & BPMU_BRANCH_CYCLES ? branch->cycles : 0,
		};

		fwrite(&entry, sizeof(entry), 1, out);
	}
}

/* Returns true if an interrupt's address is that of the instruction that its event is of. */
static bool is_precise_address(const struct writing *w, const struct bpmu_sched_slot *slot,
			       const struct bpmu_interrupt *interrupt)
{
	if (w->about->info.pmu.part->quirks & BPMU_QUIRK_PEBS_NEXT && !interrupt->caused)
		return false;
	return bpmu_event_is_precise(slot->text) &&
	       !(interrupt->op && interrupt->op->flags & BPMU_TAGGED_INEXACT);
}

static void put_interrupt(struct writing *w, const struct bpmu_interrupt *interrupt)
{
	static const struct bpmu_branches none;
	const struct bpmu_branches *branches = interrupt->branches ?: &none;
	const struct bpmu_overflow *overflow = interrupt->overflow;
	const struct bpmu_tagged_op *op = interrupt->op;
	unsigned int event = attribute_of(w, overflow);
	const struct bpmu_sched_slot *slot = bpmu_replay_interrupting(w->about, event);
	size_t size = sizeof(struct perf_event_header) + 48;
	struct places places;
	u16 misc;

	find_places(&places, &overflow->who, interrupt->chains);
	misc = overflow->who.flags & BPMU_WHO_KERNEL ? PERF_RECORD_MISC_KERNEL :
						       PERF_RECORD_MISC_USER;
	if (is_precise_address(w, slot, interrupt))
		misc |= PERF_RECORD_MISC_EXACT_IP;
	if (w->ops)
		size += 24;
	if (w->chains)
		size += 8 * (1 + places.nr);
	if (w->branches)
		size += 8 + branches->nr * sizeof(struct perf_branch_entry);
	put_head(w->out, PERF_RECORD_SAMPLE, misc, size);
	put_u64(w->out, event + 1);
	put_u64(w->out, overflow->who.ip);
	put_u32(w->out, w->pid);
	put_u32(w->out, w->tid);
	put_u64(w->out, w->when);
	if (w->ops)
		put_u64(w->out, op ? op->address : 0);
	put_u32(w->out, w->cpu);
	put_u32(w->out, 0);
	put_u64(w->out, overflow->period);
	if (w->chains) {
		put_u64(w->out, places.nr);
		fwrite(places.address, sizeof(*places.address), places.nr, w->out);
	}
	if (w->branches)
		put_branches(w->out, branches);
	if (w->ops) {
		put_u64(w->out, bpmu_perf_op_weight(op));
		put_u64(w->out, bpmu_perf_op_source(op));
	}
}

static u64 monotonic_of(const struct bpmu_replay *replay, u64 tsc)
{
	const struct bpmu_recording_clock *first = &bpmu_recording_state(replay->file)->first;
	double khz = bpmu_recording_about(replay->file)->info.tsc_khz;

	return first->monotonic_ns + (long long)((long long)(tsc - first->tsc) * 1e6 / khz);
}

static void perf_data_on_interrupt(void *data, const struct bpmu_interrupt *interrupt)
{
	const struct bpmu_overflow *overflow = interrupt->overflow;
	bool hidden = overflow->who.flags & BPMU_WHO_UNNAMED;
	const char *comm = hidden ? "[hidden]" : overflow->who.comm;
	struct writing *w = data;

	if (!w->begun) {
		w->chains = interrupt->chains;
		w->branches = interrupt->branches;
	}
	w->begun = true;
	w->when = monotonic_of(w->replay, overflow->tsc);
	w->pid = hidden ? HIDDEN_PID : overflow->who.tgid;
	w->tid = hidden ? HIDDEN_PID : overflow->who.pid;
	w->cpu = overflow->cpu;
	name_thread(w, comm);
	name_process(w, comm);
	put_interrupt(w, interrupt);
}

static struct attr attr_of(const struct writing *w, unsigned int event)
{
	const struct bpmu_sched_slot *slot = bpmu_replay_interrupting(w->about, event);
	struct attr attr = {
		.attr = {
			.type = PERF_TYPE_RAW, .size = sizeof(attr.attr), .config = slot->select,
			.sample_period = slot->frequency ?: slot->period,
			.freq = slot->frequency != 0,
			.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
				       PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD,
			.mmap = 1, .comm = 1, .mmap2 = 1, .sample_id_all = 1,
			.precise_ip = bpmu_event_is_precise(slot->text) ? 2 : 0,
		},
		.ids = { sizeof(struct header) + event * sizeof(u64), sizeof(u64) },
	};

	if (is_tagged(slot)) {
		attr.attr.type = bpmu_perf_op_pmu();
		attr.attr.config = bpmu_perf_op_config(slot->select);
		attr.attr.config1 = bpmu_perf_op_filters(slot->select);
	}
	if (is_fetch(slot)) {
		attr.attr.type = bpmu_perf_fetch_pmu();
		attr.attr.config = bpmu_ibs_fetch_ctl(slot->select);
		attr.attr.config1 = bpmu_perf_fetch_latency(slot->select);
	}
	/* perf script prints a field only if the samples of all events have it. */
	if (w->ops)
		attr.attr.sample_type |= PERF_SAMPLE_ADDR | PERF_SAMPLE_WEIGHT_STRUCT |
					 PERF_SAMPLE_DATA_SRC;
	if (w->chains)
		attr.attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
	if (w->branches) {
		attr.attr.sample_type |= PERF_SAMPLE_BRANCH_STACK;
		attr.attr.branch_sample_type = PERF_SAMPLE_BRANCH_ANY;
	}
	return attr;
}

/* Returns the bitmap of the features that the file has. perf c2c needs the NUMA nodes. */
static u64 features_of(const struct writing *w)
{
	u64 set = BPMU_BIT(FEATURE_HOSTNAME) | BPMU_BIT(FEATURE_ARCH) |
		  BPMU_BIT(FEATURE_EVENT_DESC);

	if (w->branches)
		set |= BPMU_BIT(FEATURE_BRANCH_STACK);
	if (w->ops)
		set |= BPMU_BIT(FEATURE_NRCPUS) | BPMU_BIT(FEATURE_NUMA_TOPOLOGY);
	if (w->ops || w->fetches)
		set |= BPMU_BIT(FEATURE_PMU_MAPPINGS);
	return set;
}

/*
 * Writes the part of the file before the records: header, ids and events. @data is the range of the
 * records in the file.
 */
static void put_front(const struct writing *w, const struct section *data)
{
	struct header header = {
		.magic = "PERFILE2", .size = sizeof(header), .attr_size = sizeof(struct attr),
		.attrs = { sizeof(header) + w->events * sizeof(u64),
			   w->events * sizeof(struct attr) },
		.data = *data,
		.flags = { features_of(w) },
	};
	struct attr attr;
	unsigned int i;

	fwrite(&header, sizeof(header), 1, w->out);
	for (i = 0; i < w->events; i++)
		put_u64(w->out, i + 1);
	for (i = 0; i < w->events; i++) {
		attr = attr_of(w, i);
		fwrite(&attr, sizeof(attr), 1, w->out);
	}
}

static void put_descriptions(const struct writing *w)
{
	struct attr attr;
	unsigned int i;

	put_u32(w->out, w->events);
	put_u32(w->out, sizeof(attr.attr));
	for (i = 0; i < w->events; i++) {
		attr = attr_of(w, i);
		fwrite(&attr.attr, sizeof(attr.attr), 1, w->out);
		put_u32(w->out, 1);
		put_header_text(w->out, bpmu_replay_interrupting(w->about, i)->text);
		put_u64(w->out, i + 1);
	}
}

/* Writes how many CPUs there are: those up to the last of the recording. */
static void put_nr_cpus(const struct writing *w)
{
	const struct bpmu_cpulist *cpus = &bpmu_recording_about(w->replay->file)->cpus;

	put_u32(w->out, cpus->cpu[cpus->nr - 1] + 1);
	put_u32(w->out, cpus->nr);
}

/* Returns the NUMA node of the CPU with an index in the recording, 0 if it is not known. */
static unsigned int node_of(const struct bpmu_recording_about *about, unsigned int i)
{
	return about->topology[i].node < 0 ? 0 : about->topology[i].node;
}

/*
 * Finds the first NUMA node from *@node on that has recorded CPUs. Returns true, and sets *@node to
 * it; returns false if there is none.
 */
static bool next_node(const struct bpmu_recording_about *about, unsigned int *node)
{
	unsigned int i, found, from = *node;
	bool any = false;

	for (i = 0; i < about->cpus.nr; i++) {
		found = node_of(about, i);
		if (found < from || (any && found >= *node))
			continue;
		*node = found;
		any = true;
	}
	return any;
}

/* Writes the recorded CPUs of NUMA node @node, which has some. */
static void put_node(struct writing *w, unsigned int node)
{
	const struct bpmu_recording_about *about = bpmu_recording_about(w->replay->file);
	struct bpmu_cpulist cpus = { .cpu = calloc(about->cpus.nr, sizeof(*cpus.cpu)) };
	unsigned int i;
	char *text;

	for (i = 0; cpus.cpu && i < about->cpus.nr; i++)
		if (node_of(about, i) == node)
			cpus.cpu[cpus.nr++] = about->cpus.cpu[i];
	text = cpus.nr ? bpmu_cpulist_format(&cpus) : NULL;
	w->failed |= !text;
	if (text) {
		put_u32(w->out, node);
		/* The next two fields are sizes of the node's memory, which are not known. */
		put_u64(w->out, 0);
		put_u64(w->out, 0);
		put_header_text(w->out, text);
	}
	free(text);
	bpmu_cpulist_free(&cpus);
}

/* Writes the NUMA nodes that have recorded CPUs: their number, and their CPUs. */
static void put_nodes(struct writing *w)
{
	const struct bpmu_recording_about *about = bpmu_recording_about(w->replay->file);
	unsigned int node, nr = 0;

	for (node = 0; next_node(about, &node); node++)
		nr++;
	put_u32(w->out, nr);
	for (node = 0; next_node(about, &node); node++)
		put_node(w, node);
}

/* Writes which PMUs the types of IBS' events are. */
static void put_pmus(const struct writing *w)
{
	put_u32(w->out, 1 + w->ops + w->fetches);
	put_u32(w->out, PERF_TYPE_RAW);
	put_header_text(w->out, "cpu");
	if (w->ops) {
		put_u32(w->out, bpmu_perf_op_pmu());
		put_header_text(w->out, "ibs_op");
	}
	if (w->fetches) {
		put_u32(w->out, bpmu_perf_fetch_pmu());
		put_header_text(w->out, "ibs_fetch");
	}
}

static void put_feature(struct writing *w, unsigned int feature)
{
	switch (feature) {
	case FEATURE_HOSTNAME:
		put_header_text(w->out, bpmu_recording_about(w->replay->file)->host);
		return;
	case FEATURE_ARCH:
		put_header_text(w->out, "x86_64");
		return;
	case FEATURE_NRCPUS:
		put_nr_cpus(w);
		return;
	case FEATURE_EVENT_DESC:
		put_descriptions(w);
		return;
	case FEATURE_NUMA_TOPOLOGY:
		put_nodes(w);
		return;
	case FEATURE_PMU_MAPPINGS:
		put_pmus(w);
		return;
	}
}

/*
 * Writes the features after the records. A feature is a text with a bit in &header.flags: first the
 * range of each text in the file is written, then the texts. FEATURE_BRANCH_STACK, which means that
 * interrupts have branches, has an empty text.
 */
static void put_features(struct writing *w)
{
	struct section place[FEATURE_PMU_MAPPINGS + 1] = { };
	unsigned int i, nr = 0;
	u64 set = features_of(w);
	off_t at = ftello(w->out);

	fwrite(place, sizeof(*place), __builtin_popcountll(set), w->out);
	for (i = 0; i <= FEATURE_PMU_MAPPINGS; i++) {
		if (!(set & BPMU_BIT(i)))
			continue;
		place[nr].offset = ftello(w->out);
		put_feature(w, i);
		place[nr].size = ftello(w->out) - place[nr].offset;
		nr++;
	}
	fseeko(w->out, at, SEEK_SET);
	fwrite(place, sizeof(*place), nr, w->out);
}

static int put_file(struct writing *w, const struct bpmu_sched_slot *only,
		    const struct bpmu_target *target, struct bpmu_error *err)
{
	struct section data = { };
	int code;

	put_front(w, &data);
	data.offset = ftello(w->out);
	put_kernel_map(w);
	code = bpmu_replay_overflows(w->replay, only, target, perf_data_on_interrupt, w, err);
	if (code)
		return code;
	data.size = ftello(w->out) - data.offset;
	put_features(w);
	if (w->failed)
		return bpmu_error_no_memory(err, "--perf-data");
	rewind(w->out);
	put_front(w, &data);
	return 0;
}

/**
 * bpmu_perf_data_write() - write the interrupts of a recording as a perf.data file
 * @name: name of the file, which must not be a pipe
 * @replay: open recording with interrupts, at its start. Only interrupts between the times of
 *	--from and --to are written. &bpmu_replay.by must have the type BPMU_BY_STACK; symbols are
 *	added to it
 * @only: event whose interrupts are written, or NULL for the interrupts of all events
 * @target: CPUs of the recording
 */
int bpmu_perf_data_write(const char *name, struct bpmu_replay *replay,
			 const struct bpmu_sched_slot *only, const struct bpmu_target *target,
			 struct bpmu_error *err)
{
	struct writing w = { .replay = replay, .about = target->recorded };
	const struct bpmu_sched_slot *slot;
	struct bpmu_export file;
	int code;

	while ((slot = bpmu_replay_interrupting(w.about, w.events))) {
		w.ops |= is_tagged(slot) ||
			 bpmu_precise_has_data(w.about->info.pmu.part, slot);
		w.fetches |= is_fetch(slot);
		w.events++;
	}
	code = bpmu_export_open(&file, "--perf-data", name, err);
	if (code)
		return code;
	w.out = file.out;
	if (fseeko(w.out, 0, SEEK_END))
		code = bpmu_error_set(err, -ESPIPE,
				      "--perf-data '%s': is a pipe or terminal; name a file", name);
	else
		code = put_file(&w, only, target, err);
	code = bpmu_export_close(&file, code, err);
	tdestroy(w.threads, free);
	tdestroy(w.processes, free);
	return code;
}
