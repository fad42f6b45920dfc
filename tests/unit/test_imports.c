// SPDX-License-Identifier: GPL-2.0
/*
 * A user's commands get the results of a library that the tool loads at the first call: the first
 * call has its arguments, and later nothing can change which functions are called.
 */
#include <dlfcn.h>
#include <jansson.h>
#include <libmnl/libmnl.h>
#include <linux/genetlink.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "test.h"

#define PAGE 4096

/* pages with the pointers of imports.S, one of each library */
extern char __start_bpmu_imports[], __stop_bpmu_imports[];

/*
 * Calls are by pointers that the compiler does not know, so that it neither evaluates hypot() nor
 * knows what it leaves alone.
 */
static double (*volatile length)(double x, double y) = hypot;
static json_t *(*volatile pack)(const char *format, ...) = json_pack;

/* Returns the number of pages with pointers that can be written. */
static int writable(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	unsigned long first, last;
	char line[512], may_write;
	int nr = 0;

	assert_non_null(maps);
	while (fgets(line, sizeof(line), maps)) {
		int fields = sscanf(line, "%lx-%lx %*c%c", &first, &last, &may_write);
		char *page;

		assert_int_equal(fields, 3);
		for (page = __start_bpmu_imports; page < __stop_bpmu_imports; page += PAGE)
			nr += (unsigned long)page >= first && (unsigned long)page < last &&
			      may_write == 'w';
	}
	fclose(maps);
	return nr;
}

/* Returns the address of a library's function. */
static void *found(const char *library, const char *function)
{
	void *handle = dlopen(library, RTLD_NOW);
	void *address;

	assert_non_null(handle);
	address = dlsym(handle, function);
	dlclose(handle);
	return address;
}

TEST(the_first_call_of_a_library_gets_its_arguments_in_registers_of_sse)
{
	assert_int_equal(writable(), 3);
	assert_true(length(3, 4) == 5);
	assert_true(length(5, 12) == 13);
	assert_int_equal(writable(), 2);
}

TEST(the_first_call_of_a_library_gets_a_variable_number_of_arguments)
{
	json_t *object = pack("{s:f,s:f,s:i,s:f,s:f,s:f,s:f,s:f,s:f,s:f}", "a", 1.5, "b", 2.5,
			      "c", 7, "d", 3.5, "e", 4.5, "f", 5.5, "g", 6.5, "h", 7.5, "i", 8.5,
			      "j", 9.5);
	char *text;

	assert_non_null(object);
	text = json_dumps(object, JSON_COMPACT);
	assert_string_equal(text, "{\"a\":1.5,\"b\":2.5,\"c\":7,\"d\":3.5,\"e\":4.5,\"f\":5.5,"
			    "\"g\":6.5,\"h\":7.5,\"i\":8.5,\"j\":9.5}");
	free(text);
	json_decref(object);
	assert_int_equal(writable(), 1);
}

TEST(the_first_call_of_a_library_gets_its_arguments_in_general_registers)
{
	struct genlmsghdr *header;
	struct nlmsghdr *message;
	char buffer[PAGE];

	memset(buffer, 0, sizeof(buffer));
	message = mnl_nlmsg_put_header(buffer);
	assert_ptr_equal(message, buffer);
	header = mnl_nlmsg_put_extra_header(message, sizeof(*header));
	assert_ptr_equal(header, mnl_nlmsg_get_payload(message));
	mnl_attr_put_u32(message, 5, 1234);
	assert_int_equal(message->nlmsg_len, NLMSG_HDRLEN + GENL_HDRLEN + 8);
	assert_int_equal(writable(), 0);
}

TEST(functions_are_those_of_the_library)
{
	assert_ptr_not_equal(found("libm.so.6", "hypot"), hypot);
	assert_true(length(6, 8) == 10);
	assert_ptr_not_equal(found("libjansson.so.4", "json_pack"), json_pack);
}
