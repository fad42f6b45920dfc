// SPDX-License-Identifier: GPL-2.0
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/**
 * fuzz_hold() - abort a fuzzer if a property that must hold for every input does not hold
 * @truth: true if the property holds
 * @what: the property in words, which is printed if it does not hold
 */
void fuzz_hold(bool truth, const char *what)
{
	if (truth)
		return;
	fprintf(stderr, "does not hold: %s\n", what);
	abort();
}

/**
 * fuzz_refused() - check that a fuzzed input, if it is refused, is refused with an error message
 * @ret: result of the parser: 0 if it has accepted the input, or a negative errno
 * @err: error of the parser, if @ret is negative
 */
void fuzz_refused(int ret, const struct bpmu_error *err)
{
	fuzz_hold(ret <= 0, "a failure is negative");
	fuzz_hold(!ret || *err->text, "an error says what is wrong");
}

/**
 * fuzz_text() - make a string of the input of a fuzzer
 * @data: the input
 * @size: size of the input in bytes
 *
 * Return: the string, which ends at the first NUL of the input and which the caller frees.
 */
char *fuzz_text(const unsigned char *data, size_t size)
{
	char *text = malloc(size + 1);

	fuzz_hold(text, "there is memory");
	memcpy(text, data, size);
	text[size] = '\0';
	return text;
}

/**
 * fuzz_file() - write the input of a fuzzer to a file
 * @data: the input
 * @size: size of the input in bytes
 *
 * Return: name of the file; it is valid until the next call.
 */
const char *fuzz_file(const unsigned char *data, size_t size)
{
	static char name[32];
	static int fd = -1;

	if (fd < 0) {
		fd = memfd_create("fuzz", MFD_CLOEXEC);
		snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	}
	fuzz_hold(fd >= 0 && !ftruncate(fd, 0) &&
		  pwrite(fd, data, size, 0) == (ssize_t)size,
		  "a file can be written");
	return name;
}
