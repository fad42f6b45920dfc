// SPDX-License-Identifier: GPL-2.0
#include "cpulist.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "array.h"
#include "sysfs.h"

#define WORD_BITS 64
#define CPU_FOLDER "/sys/devices/system/cpu/"

/* CPUs of a list as a bit mask: the bit of CPU n is bit n % 64 of word n / 64. */
struct marks {
	u64 word[BPMU_CPULIST_MAX / WORD_BITS];
};

/*
 * Parses the CPU number at *at and moves *at behind it. Returns the number, BPMU_CPULIST_MAX if the
 * number is not below that limit, or -1 on a syntax error.
 */
static long cpulist_number(const char **at)
{
	unsigned long value;
	char *end;

	if (!isdigit((unsigned char)**at))
		return -1;
	errno = 0;
	value = strtoul(*at, &end, 10);
	*at = end;
	return errno || value > BPMU_CPULIST_MAX ? BPMU_CPULIST_MAX : value;
}

static int mark_range(const char **at, struct marks *marks)
{
	long first = cpulist_number(at);
	long last = first;

	if (first < 0)
		return -EINVAL;
	if (**at == '-') {
		(*at)++;
		last = cpulist_number(at);
	}
	if (last < first)
		return -EINVAL;
	if (last == BPMU_CPULIST_MAX)
		return -ENODEV;
	for (; first <= last; first++)
		marks->word[first / WORD_BITS] |= 1ULL << first % WORD_BITS;
	return 0;
}

/*
 * Sets the bit of each CPU in the list @text. Returns 0, -EINVAL on a syntax error, or -ENODEV if a
 * CPU number is not below BPMU_CPULIST_MAX. After a number that is too high the rest of the list is
 * still parsed: if it has a syntax error, that error is reported.
 */
static int cpulist_mark(const char *text, struct marks *marks)
{
	const char *at = text;
	int code = 0;
	int range;

	for (;;) {
		range = mark_range(&at, marks);
		if (range)
			code = range;
		if (range == -EINVAL || (*at && *at != ','))
			return -EINVAL;
		if (!*at++)
			return code;
	}
}

static unsigned int cpulist_count(const struct marks *marks)
{
	unsigned int nr = 0;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(marks->word); i++)
		if (marks->word[i])
			nr += __builtin_popcountll(marks->word[i]);
	return nr;
}

static int cpulist_collect(const struct marks *marks, struct bpmu_cpulist *list,
			   struct bpmu_error *err)
{
	unsigned int i;
	u64 left;

	list->cpu = calloc(cpulist_count(marks), sizeof(*list->cpu));
	if (!list->cpu)
		return bpmu_error_no_memory(err, "CPU list");
	for (i = 0; i < ARRAY_SIZE(marks->word); i++)
		for (left = marks->word[i]; left; left &= left - 1)
			list->cpu[list->nr++] = i * WORD_BITS +
						__builtin_ctzll(left);
	return 0;
}

/**
 * bpmu_cpulist_parse() - parse a list of CPUs
 * @text: "0-3,8"; a CPU may occur more than once
 * @list: filled in; free it with bpmu_cpulist_free()
 *
 * Return: 0, -EINVAL if the list is malformed or empty, -ENODEV if a number is not below
 * BPMU_CPULIST_MAX, or -ENOMEM.
 */
int bpmu_cpulist_parse(const char *text, struct bpmu_cpulist *list,
		       struct bpmu_error *err)
{
	struct marks marks = { };
	int code = cpulist_mark(text, &marks);

	list->cpu = NULL;
	list->nr = 0;
	if (code == -EINVAL)
		return bpmu_error_set(err, code,
			"CPU list '%s': not understood; write it like 0-3,8",
			text);
	if (code)
		return bpmu_error_set(err, code,
			"CPU list '%s': no CPU has a number above %u; take a lower one",
			text, BPMU_CPULIST_MAX - 1);
	return cpulist_collect(&marks, list, err);
}

static int read_folder(const char *name, struct bpmu_cpulist *list,
		       struct bpmu_error *err)
{
	char path[64];
	char text[4096];

	snprintf(path, sizeof(path), CPU_FOLDER "%s", name);
	if (!bpmu_sysfs_read(path, text, sizeof(text)))
		return bpmu_error_set(err, -ENOENT,
			"%s: cannot be read; is /sys mounted?", path);
	return bpmu_cpulist_parse(text, list, err);
}

/**
 * bpmu_cpulist_online() - make the list of all online CPUs
 * @list: filled in; free it with bpmu_cpulist_free()
 */
int bpmu_cpulist_online(struct bpmu_cpulist *list, struct bpmu_error *err)
{
	return read_folder("online", list, err);
}

/**
 * bpmu_cpulist_has() - check if a CPU is in a list
 *
 * Return: true if the list has the CPU.
 */
bool bpmu_cpulist_has(const struct bpmu_cpulist *list, u32 cpu)
{
	unsigned int i;

	for (i = 0; i < list->nr; i++)
		if (list->cpu[i] == cpu)
			return true;
	return false;
}

static int absent(const char *text, const char *which,
		  const struct bpmu_cpulist *online, struct bpmu_error *err)
{
	char *there = bpmu_cpulist_format(online);
	int code;

	code = bpmu_error_set(err, -ENODEV,
			      "CPU list '%s': %s is absent or offline; online are %s", text,
			      which, there ? there : "others");
	free(there);
	return code;
}

/*
 * Sets the error for the list @text, which has a CPU number that is not below BPMU_CPULIST_MAX: the
 * message names this number. Returns the code of the error.
 */
static int check_out_of_range(const char *text, const struct bpmu_cpulist *online,
			      struct bpmu_error *err)
{
	const char *from = text;
	const char *at = text;
	char which[32];

	while (cpulist_number(&at) < BPMU_CPULIST_MAX)
		from = ++at;
	snprintf(which, sizeof(which), "CPU %.*s", (int)(at - from), from);
	return absent(text, which, online, err);
}

static int check_online(const char *text, const struct bpmu_cpulist *list,
			const struct bpmu_cpulist *online,
			struct bpmu_error *err)
{
	char which[16];
	unsigned int i;

	for (i = 0; i < list->nr; i++) {
		if (bpmu_cpulist_has(online, list->cpu[i]))
			continue;
		snprintf(which, sizeof(which), "CPU %u", list->cpu[i]);
		return absent(text, which, online, err);
	}
	return 0;
}

/**
 * bpmu_cpulist_select() - parse a list of CPUs, all of which must be online
 * @text: "0-3,8", or NULL for all online CPUs
 * @list: filled in; free it with bpmu_cpulist_free()
 *
 * Return: 0, -EINVAL if the list is malformed, -ENODEV if it names a CPU that is
 * absent or offline, or another negative errno.
 */
int bpmu_cpulist_select(const char *text, struct bpmu_cpulist *list,
			struct bpmu_error *err)
{
	struct bpmu_cpulist online;
	bool absurd;
	int code;

	if (!text)
		return bpmu_cpulist_online(list, err);
	code = bpmu_cpulist_parse(text, list, err);
	absurd = code == -ENODEV;
	if (code && !absurd)
		return code;
	code = bpmu_cpulist_online(&online, err);
	if (!code) {
		code = absurd ? check_out_of_range(text, &online, err) :
				check_online(text, list, &online, err);
		bpmu_cpulist_free(&online);
	}
	if (code)
		bpmu_cpulist_free(list);
	return code;
}

/**
 * bpmu_cpulist_divide() - move CPUs that are not in a second list out of a list of CPUs
 * @list: a list of CPUs; on return it has only those of its CPUs that are also in @stay
 * @stay: the second list
 * @rest: set to the CPUs that were removed from @list; free it with bpmu_cpulist_free()
 *
 * Return: 0 or -ENOMEM.
 */
int bpmu_cpulist_divide(struct bpmu_cpulist *list,
			const struct bpmu_cpulist *stay,
			struct bpmu_cpulist *rest, struct bpmu_error *err)
{
	unsigned int kept = 0;
	unsigned int i;

	rest->nr = 0;
	rest->cpu = calloc(list->nr ? list->nr : 1, sizeof(*rest->cpu));
	if (!rest->cpu)
		return bpmu_error_no_memory(err, "CPU list");
	for (i = 0; i < list->nr; i++) {
		if (bpmu_cpulist_has(stay, list->cpu[i]))
			list->cpu[kept++] = list->cpu[i];
		else
			rest->cpu[rest->nr++] = list->cpu[i];
	}
	list->nr = kept;
	return 0;
}

/**
 * bpmu_cpulist_format() - format a list of CPUs
 * @list: CPUs
 *
 * Return: text such as "0-3,8", to be freed; NULL if out of memory.
 */
char *bpmu_cpulist_format(const struct bpmu_cpulist *list)
{
	unsigned int first, last;
	char *text = NULL;
	size_t size;
	FILE *out;

	out = open_memstream(&text, &size);
	if (!out)
		return NULL;
	for (first = 0; first < list->nr; first = last + 1) {
		last = first;
		while (last + 1 < list->nr &&
		       list->cpu[last + 1] == list->cpu[last] + 1)
			last++;
		fprintf(out, "%s%u", first ? "," : "", list->cpu[first]);
		if (last > first)
			fprintf(out, "-%u", list->cpu[last]);
	}
	fclose(out);
	return text;
}

void bpmu_cpulist_free(struct bpmu_cpulist *list)
{
	free(list->cpu);
	list->cpu = NULL;
	list->nr = 0;
}
