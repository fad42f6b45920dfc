// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of what a recording stores from /proc: the mappings of a process and the functions of the
 * kernel must be those in the files of /proc. A text of the test takes the place of /proc/kallsyms.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "recording/recording_who_maps.h"
#include "unit.h"

FILE *__real_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode);

/*
 * The list of the kernel's symbols. It is not sorted, and some lines are no functions: data, a
 * hidden address, and an incomplete line.
 */
static const char kallsyms[] =
	"ffffffff81000200 T third\n"
	"ffffffff81000000 T first\n"
	"0000000000000000 T hidden\n"
	"ffffffff81000100 t second\n"
	"ffffffff81000180 D datum\n"
	"ffffffff81000100 W alias\n"
	"ffffffffc0000000 t of_module\t[ext4]\n"
	"ffffffff81000300 w last_of_kernel\n"
	"nonsense\n";

static bool is_there = true;

FILE *__wrap_fopen(const char *path, const char *mode)
{
	FILE *file;

	if (strcmp(path, "/proc/kallsyms"))
		return __real_fopen(path, mode);
	if (!is_there)
		return NULL;
	file = tmpfile();
	assert_non_null(file);
	fputs(kallsyms, file);
	rewind(file);
	return file;
}

static void assert_function(const json_t *all, size_t at, const char *start, long long size,
			    const char *name, const char *module)
{
	const json_t *one = json_array_get(all, at);

	assert_int_equal(json_array_size(one), 4);
	assert_string_equal(json_string_value(json_array_get(one, 0)), start);
	assert_int_equal(json_integer_value(json_array_get(one, 1)), size);
	assert_string_equal(json_string_value(json_array_get(one, 2)), name);
	assert_string_equal(json_string_value(json_array_get(one, 3)), module);
}

/*
 * Finds the functions that contain the addresses. Each function is found once, with its size.
 * Addresses below the first function are in no function.
 */
TEST(functions_of_the_kernel_are_found)
{
	static const u64 ip[] = {
		0xffffffff80ffffff, 0xffffffff81000000, 0xffffffff810000ff, 0xffffffff81000200,
		0xffffffff810002ff, 0xffffffff81000300, 0xffffffffc0000123,
	};
	json_t *all = bpmu_who_functions(ip, sizeof(ip) / sizeof(ip[0]));

	assert_int_equal(json_array_size(all), 4);
	assert_function(all, 0, "0xffffffff81000000", 0x100, "first", "[kernel]");
	assert_function(all, 1, "0xffffffff81000200", 0x100, "third", "[kernel]");
	assert_function(all, 2, "0xffffffff81000300", 0x3efffd00, "last_of_kernel", "[kernel]");
	/* The size of the last function is unknown. */
	assert_function(all, 3, "0xffffffffc0000000", 0, "of_module", "[ext4]");
	json_decref(all);
}

/*
 * Two names with one address are one function. The size of the function is the distance from its
 * address to the next address in the list.
 */
TEST(aliases_are_one_function)
{
	static const u64 ip[] = { 0xffffffff81000123 };
	json_t *all = bpmu_who_functions(ip, 1);
	const char *name = json_string_value(json_array_get(json_array_get(all, 0), 2));

	assert_true(!strcmp(name, "alias") || !strcmp(name, "second"));
	assert_function(all, 0, "0xffffffff81000100", 0x100, name, "[kernel]");
	json_decref(all);
}

TEST(without_the_file_there_are_none)
{
	static const u64 ip[] = { 0xffffffff81000123 };
	json_t *all;

	is_there = false;
	all = bpmu_who_functions(ip, 1);
	assert_int_equal(json_array_size(all), 0);
	json_decref(all);
	is_there = true;
}

static void note_function(void *data, const struct bpmu_who_function *function)
{
	char **said = data;
	char *before = *said;

	assert_true(asprintf(said, "%s%#llx %llu %.*s %s\n", before, function->start,
			     function->size, function->length, function->name,
			     function->module) >= 0);
	free(before);
}

TEST(all_functions_of_the_kernel_can_be_visited)
{
	char *said = strdup("");

	bpmu_who_functions_all(note_function, &said);
	assert_string_equal(said,
			    "0xffffffff81000000 256 first [kernel]\n"
			    "0xffffffff81000100 256 second [kernel]\n"
			    "0xffffffff81000100 256 alias [kernel]\n"
			    "0xffffffff81000200 256 third [kernel]\n"
			    "0xffffffff81000300 1056963840 last_of_kernel [kernel]\n"
			    "0xffffffffc0000000 0 of_module [ext4]\n");
	free(said);
}

TEST(mappings_have_their_addresses)
{
	json_t *maps = json_pack("[[I,I],[I,I]]", (json_int_t)0x1000, (json_int_t)0x1000,
				 (json_int_t)0x400000, (json_int_t)0x80);
	struct bpmu_who_map map = { };

	assert_false(bpmu_who_maps_find(maps, 0xfff, &map));
	assert_true(bpmu_who_maps_find(maps, 0x1000, &map));
	assert_true(bpmu_who_maps_find(maps, 0x1fff, &map));
	assert_false(bpmu_who_maps_find(maps, 0x2000, &map));
	assert_false(bpmu_who_maps_find(maps, 0x3fffff, &map));
	assert_true(bpmu_who_maps_find(maps, 0x40007f, &map));
	assert_int_equal(map.start, 0x400000);
	assert_int_equal(map.size, 0x80);
	assert_false(bpmu_who_maps_find(maps, 0x400080, &map));
	assert_false(bpmu_who_maps_find(NULL, 0x1000, &map));
	json_decref(maps);
}
