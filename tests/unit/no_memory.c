// SPDX-License-Identifier: GPL-2.0
/*
 * Lets allocations fail. A test program that is linked with this file wraps the functions that
 * allocate memory, so that those of the tool's objects come by here. The functions are known by
 * the places that call them: there are few of these, and each is tried at its first and at its last
 * call.
 */
#include "no_memory.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

/* more places than any call has */
#define PLACES 400

/**
 * struct place - a place in the code that allocates memory
 * @address: return address of the calls
 * @calls: number of its calls, while allocations are counted
 */
struct place {
	const void *address;
	unsigned int calls;
};

/**
 * struct no_memory - which allocation fails
 * @watched: allocations are counted
 * @place: places in the order of their first call, [@nr]
 * @nr: number of @place
 * @failing: address of the place that fails; NULL if none does
 * @left: number of this place's calls before the one that fails; negative after it
 */
static struct no_memory {
	bool watched;
	struct place place[PLACES];
	unsigned int nr;
	const void *failing;
	int left;
} no_memory;

static void count_call(const void *address)
{
	unsigned int i;

	for (i = 0; i < no_memory.nr; i++)
		if (no_memory.place[i].address == address) {
			no_memory.place[i].calls++;
			return;
		}
	assert_true(no_memory.nr < PLACES);
	no_memory.place[no_memory.nr++] = (struct place){ address, 1 };
}

/* Tells whether the allocation that returns to @address is to fail. */
static bool fails(const void *address)
{
	if (!no_memory.watched)
		return false;
	if (!no_memory.failing)
		count_call(address);
	if (no_memory.failing != address || no_memory.left-- != 0)
		return false;
	errno = ENOMEM;
	return true;
}

/* Wraps a function that returns what it has allocated. */
#define WRAP(name, parameters, ...) \
	void *__real_##name parameters; \
	void *__wrap_##name parameters; \
	\
	void *__wrap_##name parameters \
	{ \
		return fails(__builtin_return_address(0)) ? NULL : __real_##name(__VA_ARGS__); \
	}

WRAP(malloc, (size_t size), size)
WRAP(calloc, (size_t nr, size_t size), nr, size)
WRAP(realloc, (void *old, size_t size), old, size)
WRAP(reallocarray, (void *old, size_t nr, size_t size), old, nr, size)
WRAP(strdup, (const char *text), text)
WRAP(strndup, (const char *text, size_t size), text, size)
WRAP(open_memstream, (char **text, size_t *size), text, size)

int __wrap_asprintf(char **text, const char *format, ...);

int __wrap_asprintf(char **text, const char *format, ...)
{
	va_list args;
	int code;

	if (fails(__builtin_return_address(0)))
		return -1;
	va_start(args, format);
	code = vasprintf(text, format, args);
	va_end(args);
	return code;
}

/**
 * no_memory_begin() - unit tests: watch allocations from now on
 *
 * The function that no_memory_each() calls uses this, after what it prepares.
 */
void no_memory_begin(void)
{
	no_memory.watched = true;
}

/**
 * no_memory_end() - unit tests: let no further allocation fail
 */
void no_memory_end(void)
{
	no_memory.watched = false;
}

/* Makes the call, in which call number @call of a place fails, from 0 on. Returns if it failed. */
static bool try_place(no_memory_call *each, void *data, const void *address, int call)
{
	struct bpmu_error err = { };
	int code;

	no_memory.failing = address;
	no_memory.left = call;
	code = each(data, &err);
	no_memory_end();
	assert_true(no_memory.left < 0);
	if (!code)
		return false;
	assert_true(code < 0);
	assert_non_null(strstr(err.text, " memory; "));
	return true;
}

/**
 * no_memory_each() - unit tests: let the allocations of a call fail, one in each run of the call
 * @call: makes the call between no_memory_begin() and no_memory_end()
 * @data: argument of @call
 *
 * The call must succeed, or return an error whose sentence tells of memory.
 *
 * Return: number of places in the code at which a failed allocation made the call fail.
 */
unsigned int no_memory_each(no_memory_call *call, void *data)
{
	struct bpmu_error err = { };
	unsigned int i, nr = 0;
	bool failed;

	memset(&no_memory, 0, sizeof(no_memory));
	assert_int_equal(call(data, &err), 0);
	no_memory_end();
	for (i = 0; i < no_memory.nr; i++) {
		const struct place *place = &no_memory.place[i];

		failed = try_place(call, data, place->address, 0);
		if (place->calls > 1)
			failed |= try_place(call, data, place->address, place->calls - 1);
		nr += failed;
	}
	return nr;
}
