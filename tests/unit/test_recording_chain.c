// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of call chains in recordings: they are read as they were written, and converted to text;
 * bytes that are no chain are refused.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "recording/recording.h"
#include "recording/recording_chain.h"
#include "recording/recording_section.h"
#include "replay/report_by_stack.h"
#include "unit.h"

#define KERNEL BPMU_SECTION_KERNEL
#define USER BPMU_SECTION_USER

static void add(struct bpmu_chain *chain, unsigned int nr, const u64 *address, u32 flags)
{
	chain->present = true;
	chain->flags = flags;
	chain->nr = nr;
	memcpy(chain->address, address, nr * sizeof(*address));
}

/*
 * Fills in four call chains. The outer callers of the second chain are also the outer callers of
 * the first chain. The third chain has no addresses in the kernel.
 */
static void fill(struct bpmu_chains chains[4])
{
	static const u64 kernel[] = { 0xffffffff81000010, 0xffffffff81000020, 0xffffffff81000030 };
	static const u64 user[] = { 0x401000, 0x402000, 0x403000, 0x404000 };
	static const u64 other[] = { 0x405000, 0x403000, 0x404000 };

	memset(chains, 0, 4 * sizeof(*chains));
	add(&chains[0].of[KERNEL], 3, kernel, 0);
	add(&chains[0].of[USER], 4, user, BPMU_SECTION_BROKEN);
	add(&chains[1].of[KERNEL], 2, kernel + 1, 0);
	add(&chains[1].of[USER], 3, other, 0);
	add(&chains[2].of[USER], 3, user, BPMU_SECTION_CUT);
}

static void assert_same(const struct bpmu_chains *a, const struct bpmu_chains *b)
{
	unsigned int i;

	for (i = 0; i < BPMU_CHAINS; i++) {
		assert_int_equal(a->of[i].present, b->of[i].present);
		if (!a->of[i].present)
			continue;
		assert_int_equal(a->of[i].flags, b->of[i].flags);
		assert_int_equal(a->of[i].nr, b->of[i].nr);
		assert_memory_equal(a->of[i].address, b->of[i].address,
				    a->of[i].nr * sizeof(u64));
	}
}

/*
 * Writes to @to the module's record of an interrupt with @chains, and returns the address behind
 * the record. The record is not aligned.
 */
static char *put_record(char *to, const struct bpmu_chains *chains)
{
	struct bpmu_overflow head = { };
	char *at = to + sizeof(head);
	unsigned int i;

	for (i = 0; i < BPMU_CHAINS; i++) {
		const struct bpmu_chain *chain = &chains->of[i];
		const size_t bytes = chain->nr * sizeof(*chain->address);
		const struct bpmu_section section = {
			.id = i, .flags = chain->flags, .size = sizeof(section) + bytes,
		};

		if (!chain->present)
			continue;
		memcpy(at, &section, sizeof(section));
		memcpy(at + sizeof(section), chain->address, bytes);
		at += section.size;
	}
	head.size = at - to;
	memcpy(to, &head, sizeof(head));
	return at;
}

/*
 * Encodes the call chains of fill() into @block, and sets the size of each one in bytes. Returns
 * the number of bytes.
 */
static size_t encode(unsigned char *block, size_t size[4])
{
	char records[4 * (sizeof(struct bpmu_overflow) + 128) + 1], *to = records + 1;
	struct bpmu_chains_code code = { };
	const char *from = records + 1;
	unsigned char *at = block, *end;
	struct bpmu_chains chains[4];
	unsigned int i;

	fill(chains);
	for (i = 0; i < 4; i++)
		to = put_record(to, &chains[i]);
	for (i = 0; i < 4; i++, at = end) {
		end = bpmu_chains_put(&code, from, at);
		size[i] = end - at;
		from += bpmu_section_record_size(from);
	}
	return at - block;
}

TEST(chains_are_read_as_written)
{
	unsigned char block[4 * BPMU_CHAINS_MOST];
	struct bpmu_chains chains[4], found;
	struct bpmu_chains_code code;
	size_t sizes[4], size = encode(block, sizes);
	unsigned int i;

	fill(chains);
	bpmu_chains_open(&code, block, size);
	for (i = 0; i < 4; i++) {
		assert_true(bpmu_chains_get(&code, &found));
		assert_same(&chains[i], &found);
	}
	assert_false(bpmu_chains_get(&code, &found));
}

/* Chain 1 has the same outer callers as chain 0. These callers must not be written again. */
TEST(common_callers_are_written_once)
{
	unsigned char block[4 * BPMU_CHAINS_MOST];
	size_t size[4];

	encode(block, size);
	/*
	 * Compared with chain 0, chain 1 has no new address in the kernel, and one new address in
	 * user space. The kernel's part and the user's part of the chain each begin with three
	 * numbers of one byte: the flags, the number of shared addresses, and the number of new
	 * addresses. The new address takes four bytes.
	 */
	assert_int_equal(size[1], 3 + 3 + 4);
}

/* Chains that are all as before take three bytes each, or one byte if there is none. */
TEST(chains_that_repeat_are_read_as_written)
{
	static const unsigned int order[] = { 0, 0, 0, 1, 1, 2, 2, 3, 3, 0 };
	char records[ARRAY_SIZE(order) * (sizeof(struct bpmu_overflow) + 128) + 1];
	unsigned char block[ARRAY_SIZE(order) * BPMU_CHAINS_MOST];
	struct bpmu_chains chains[4], found;
	char *from = records + 1, *next;
	struct bpmu_chains_code code = { };
	unsigned char *at = block, *end;
	unsigned int i;

	fill(chains);
	for (i = 0; i < ARRAY_SIZE(order); i++, at = end, from = next) {
		next = put_record(from, &chains[order[i]]);
		end = bpmu_chains_put(&code, from, at);
		if (i && order[i] == order[i - 1]) {
			assert_int_equal(end - at, 2 + 2 * chains[order[i]].of[KERNEL].present +
						   2 * chains[order[i]].of[USER].present);
			assert_int_equal(code.fresh[KERNEL], 0);
			assert_int_equal(code.fresh[USER], 0);
		}
	}
	assert_int_equal(code.sections, 1 << KERNEL | 1 << USER);
	bpmu_chains_open(&code, block, at - block);
	for (i = 0; i < ARRAY_SIZE(order); i++) {
		assert_true(bpmu_chains_get(&code, &found));
		assert_same(&chains[order[i]], &found);
	}
	assert_false(bpmu_chains_get(&code, &found));
}

/*
 * Cuts the encoded call chains off after each byte, and reads the part that remains. Each part has
 * memory of its own, so that the sanitizer finds a read beyond that memory. At most three chains of
 * a part are complete.
 */
TEST(cut_chains_are_refused)
{
	unsigned char block[4 * BPMU_CHAINS_MOST];
	struct bpmu_chains_code code;
	struct bpmu_chains found;
	size_t sizes[4], cut, size = encode(block, sizes);
	unsigned char *copy;
	unsigned int nr;

	for (cut = 0; cut < size; cut++) {
		copy = malloc(cut + 1);
		assert_non_null(copy);
		memcpy(copy, block, cut);
		bpmu_chains_open(&code, copy, cut);
		for (nr = 0; bpmu_chains_get(&code, &found); nr++)
			;
		assert_in_range(nr, 0, 3);
		free(copy);
	}
}

/*
 * A chain is refused if it claims to share more callers than the previous chain has, or to have
 * more addresses than a chain can have.
 */
TEST(chains_that_do_not_fit_are_refused)
{
	static const unsigned char blocks[][4] = { { 1, 1, 0 }, { 1, 0, 0x80, 1 } };
	struct bpmu_chains_code code;
	struct bpmu_chains found;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(blocks); i++) {
		bpmu_chains_open(&code, blocks[i], sizeof(blocks[i]));
		assert_false(bpmu_chains_get(&code, &found));
	}
}

/**
 * struct raw - the module's record of an interrupt, with two sections behind its header: one of a
 * type that no reader knows, and one with addresses in user space
 */
struct raw {
	struct bpmu_overflow head;
	struct bpmu_section unknown;
	u64 value;
	struct bpmu_section user;
	u64 address[2];
};

/* Sets @found to the call chains of an interrupt's record, after they were written and read. */
static void pass_on(const struct raw *raw, struct bpmu_chains *found)
{
	unsigned char block[BPMU_CHAINS_MOST], *end;
	struct bpmu_chains_code code = { };

	end = bpmu_chains_put(&code, raw, block);
	bpmu_chains_open(&code, block, end - block);
	assert_true(bpmu_chains_get(&code, found));
	assert_ptr_equal(code.at, end);
}

TEST(sections_of_a_record_are_found)
{
	struct raw raw = {
		.head.size = sizeof(raw),
		.unknown = { .id = 99, .size = sizeof(raw.unknown) + 8 },
		.user = { .id = USER, .flags = BPMU_SECTION_CUT,
			  .size = sizeof(raw.user) + sizeof(raw.address) },
		.address = { 0x1234, 0x5678 },
	};
	struct bpmu_chains chains;

	pass_on(&raw, &chains);
	assert_false(chains.of[KERNEL].present);
	assert_true(chains.of[USER].present);
	assert_int_equal(chains.of[USER].flags, BPMU_SECTION_CUT);
	assert_int_equal(chains.of[USER].nr, 2);
	assert_int_equal(chains.of[USER].address[1], 0x5678);
	raw.user.size += 8;
	pass_on(&raw, &chains);
	assert_false(chains.of[USER].present);
	raw.head.size = sizeof(raw.head);
	pass_on(&raw, &chains);
	assert_false(chains.of[USER].present);
}

/*
 * Loads functions of the kernel from JSON: each function is an array of address, size, name and
 * module.
 */
static void know_kernel(struct bpmu_by_symbols *symbols)
{
	static const char functions[] =
		"[[\"0xffffffff81000000\",16,\"leaf\",\"[kernel]\"],"
		"[\"0xffffffff81000010\",16,\"middle\",\"[kernel]\"],"
		"[\"0xffffffff81000020\",32,\"entry\",\"[kernel]\"]]";

	bpmu_by_symbols_add_block(symbols, BPMU_RECORDING_KERNEL, functions,
				  sizeof(functions) - 1);
}

/*
 * A call may be the last instruction of a function. The return address is then the address of the
 * next function, but the printed stack must have the name of the function with the call. The
 * mappings of the process are not known here.
 */
TEST(a_stack_begins_with_the_outermost_function)
{
	const struct bpmu_who who = {
		.ip = 0xffffffff81000005, .flags = BPMU_WHO_KERNEL, .pid = 7, .tgid = 7,
		.comm = "a;b",
	};
	static const u64 kernel[] = { 0xffffffff81000020, 0xffffffff81000030 };
	static const u64 user[] = { 0x401000, 0x402000 };
	static char text[BPMU_BY_STACK_MOST];
	struct bpmu_by_symbols symbols = { };
	struct bpmu_chains chains = { };

	know_kernel(&symbols);
	add(&chains.of[KERNEL], 2, kernel, 0);
	assert_true(bpmu_by_stack(&symbols, &who, who.comm, &chains, text));
	assert_string_equal(text, "a:b;entry [kernel];middle [kernel];leaf [kernel]");
	add(&chains.of[USER], 2, user, BPMU_SECTION_CUT);
	assert_true(bpmu_by_stack(&symbols, &who, who.comm, &chains, text));
	assert_string_equal(text,
		"a:b;[incomplete];[a:b, ended];[a:b, ended];entry [kernel];middle [kernel];leaf [kernel]");
	assert_true(bpmu_by_stack(&symbols, &who, who.comm, NULL, text));
	assert_string_equal(text, "a:b;leaf [kernel]");
	bpmu_by_symbols_free(&symbols);
}

