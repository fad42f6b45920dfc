// SPDX-License-Identifier: GPL-2.0
/* Small programs that have several bottlenecks at the same time. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "kernel.h"

#define TABLE (1 << 16)
#define TEXT (1 << 16)

static uint32_t random32(void)
{
	static uint64_t state = 88172645463325252ULL;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state >> 11;
}

static void fill(void)
{
	uint32_t *words = (uint32_t *)kernel_memory;
	unsigned long i;

	for (i = 0; i < TABLE * 4; i++)
		words[i] = random32();
}

/* Sorts random numbers by insertion, sixteen at a time. */
static void sort(unsigned long n)
{
	uint32_t *words = (uint32_t *)kernel_memory;
	unsigned long i, k;
	uint32_t *run;
	uint32_t word;

	while (n--) {
		run = words + n % (TABLE / 16) * 16;
		for (i = 0; i < 16; i++)
			run[i] = random32();
		for (i = 1; i < 16; i++) {
			word = run[i];
			for (k = i; k && run[k - 1] > word; k--)
				run[k] = run[k - 1];
			run[k] = word;
		}
	}
}

/* Inserts random keys into a hash table of 512 KiB with open addressing. */
static void hash(unsigned long n)
{
	uint32_t *words = (uint32_t *)kernel_memory;
	unsigned long sum = 0;
	uint32_t key, at;

	while (n--) {
		key = random32();
		at = key * 2654435761u >> 14;
		while (words[at % (TABLE * 2)] & 1)
			at++;
		sum += words[at % (TABLE * 2)];
	}
	asm volatile("" : : "r" (sum));
}

/*
 * Searches a sorted table for random keys by bisection: the branch on each comparison is
 * unpredictable and depends on a load.
 */
static void search(unsigned long n)
{
	uint32_t *words = (uint32_t *)kernel_memory;
	unsigned long low, high, middle;
	uint32_t key;

	for (low = 0; low < TABLE; low++)
		words[low] = low << 12;
	while (n--) {
		key = random32() >> 4;
		for (low = 0, high = TABLE; low + 1 < high; ) {
			middle = (low + high) / 2;
			if (words[middle] <= key)
				low = middle;
			else
				high = middle;
			asm volatile("" : "+r" (low), "+r" (high));
		}
		asm volatile("" : : "r" (low));
	}
}

/* Interprets a program of eight kinds of instructions, by computed goto. */
static void interpret(unsigned long n)
{
	static const void *const labels[] = {
		[0] = &&add, [1] = &&sub, [2] = &&xor, [3] = &&shift,
		[4] = &&multiply, [5] = &&load, [6] = &&store, [7] = &&swap
	};
	uint8_t *code = (uint8_t *)kernel_memory;
	uint64_t a = 1, b = 2, memory[8] = { 0 };
	unsigned long at = 0;

	for (at = 0; at < 512; at++)
		code[at] = random32() % 8;
	at = 0;
#define NEXT do { \
		if (!n--) \
			goto end; \
		at = (at + 1) % 512; \
		goto *labels[code[at]]; \
	} while (0)
	NEXT;
add:
	a += b;
	NEXT;
sub:
	b -= a;
	NEXT;
xor:
	a ^= b << 1;
	NEXT;
shift:
	b = b >> 3 | b << 61;
	NEXT;
multiply:
	a *= b | 1;
	NEXT;
load:
	a += memory[at % 8];
	NEXT;
store:
	memory[at % 8] = b;
	NEXT;
swap:
	a ^= b;
	b ^= a;
	a ^= b;
	NEXT;
#undef NEXT
end:
	asm volatile("" : : "r" (a), "r" (b));
}

/* Counts the words of a text, with a branch for each class of characters. */
static void words(unsigned long n)
{
	unsigned long i, count = 0, vowels = 0;
	char *text = kernel_memory;
	int inside = 0;

	for (i = 0; i < TEXT; i++)
		text[i] = random32() % 6 ? 'a' + random32() % 26 : ' ';
	while (n--)
		for (i = 0; i < TEXT; i++) {
			if (text[i] == ' ') {
				count += inside;
				inside = 0;
			} else {
				inside = 1;
				if (strchr("aeiou", text[i]))
					vowels++;
			}
		}
	asm volatile("" : : "r" (count), "r" (vowels));
}

/* Evaluates a polynomial: each multiplication or addition depends on the one before. */
static void polynomial(unsigned long n)
{
	double x = 0.999999, sum = 0;
	int k;

	while (n--) {
		double y = 1;

		for (k = 0; k < 16; k++) {
			y = y * x + 0.5;
			asm volatile("" : "+x" (y));
		}
		sum += y;
	}
	asm volatile("" : : "x" (sum));
}

/* Applies a digital filter: each output depends on three inputs. */
static void filter(unsigned long n)
{
	static float in[1024], out[1024];
	float a = 0.1f, b = 0.2f, c = 0.3f;
	unsigned int i;

	while (n--)
		for (i = 2; i < 1024; i++) {
			out[i] = a * in[i] + b * in[i - 1] + c * in[i - 2];
			asm volatile("" : : "r" (out) : "memory");
		}
}

const struct kernel kernels_program[] = {
	{ "sort", 6000, NULL, sort },
	{ "hash", 150000, fill, hash },
	{ "search", 15000, NULL, search },
	{ "interpret", 300000, NULL, interpret },
	{ "words", 3, NULL, words },
	{ "polynomial", 50000, NULL, polynomial },
	{ "filter", 200, NULL, filter },
	{ NULL, 0, NULL, NULL }
};
